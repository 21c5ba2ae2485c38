"""The verbs, as Python functions. Each opens an engine, does one thing, and says what it found."""

from deniable.api.groups import bucketize, linkage, utility
from deniable.api.history import attack, choose, ledger, republish, undo, verify
from deniable.api.loading import Source, load
from deniable.api.views import audit, breach, check, crowds, explain, repair

__all__ = [
    "Source",
    "attack",
    "audit",
    "breach",
    "bucketize",
    "check",
    "choose",
    "crowds",
    "explain",
    "ledger",
    "linkage",
    "load",
    "repair",
    "republish",
    "undo",
    "utility",
    "verify",
]
