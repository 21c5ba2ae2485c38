"""deniable: before you publish a table about people, what could an adversary work out?

>>> import deniable
>>> release = deniable.load("release.yaml")      # doctest: +SKIP
>>> print(deniable.audit(release))               # doctest: +SKIP

The verbs are the commands of `deniable`; each takes a Release, or a release file by its path:

    init        a first release file for a table, and its first audit
    audit       does the release meet its requirements? false if not
    repair      what could be published instead?
    breach      how likely is each association, given the published views?
    crowds      who is indistinguishable from whom? k and l of a table
    linkage     what do published groups say to someone who knows the statistics?
    bucketize   publish groups that stay safe from them
    utility     how well does a published release answer COUNT queries?
    republish   publish the next release of a table whose people come and go; undo takes one back
    attack      what does somebody work out who keeps every release?
    ledger      the private history; verify checks it
    choose      the least n for re-publication
    explain     one person, shown
    check       does the release fit its table and files?
    load        a Release from its file

What goes wrong is a BadInput (Unsupported among them), Unachievable, NotMet, LimitExceeded or EngineError.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = [
    "BadInput", "BreachLimit", "Coarser", "Counterfeits", "CrowdLimit", "EngineError", "HistoryFiles", "HistoryLimit",
    "Knowledge", "LimitExceeded", "LinkageLimit", "NotMet", "Published", "Release", "Republish", "Requirements",
    "Unachievable",
    "Unsupported", "attack", "audit", "breach", "bucketize", "check", "choose", "crowds",
    "delta_ceiling", "delta_violations", "deviation", "explain", "init", "ledger", "linkage", "load", "repair",
    "republish", "undo", "utility", "verify",
]  # fmt: skip

if TYPE_CHECKING:
    from deniable.analyses.init import init
    from deniable.api import (
        attack,
        audit,
        breach,
        bucketize,
        check,
        choose,
        crowds,
        explain,
        ledger,
        linkage,
        load,
        repair,
        republish,
        undo,
        utility,
        verify,
    )
    from deniable.errors import BadInput, EngineError, LimitExceeded, NotMet, Unachievable, Unsupported
    from deniable.release import (
        BreachLimit,
        Coarser,
        Counterfeits,
        CrowdLimit,
        HistoryFiles,
        HistoryLimit,
        Knowledge,
        LinkageLimit,
        Published,
        Release,
        Republish,
        Requirements,
    )
    from deniable.worlds.groups.delta import delta_ceiling, delta_violations, deviation

_HOMES = {
    "analyses.init": ("init",),
    "api": (
        "attack", "audit", "breach", "bucketize", "check", "choose", "crowds", "explain", "ledger", "linkage", "load",
        "repair", "republish", "undo", "utility", "verify",
    ),
    "errors": ("BadInput", "EngineError", "LimitExceeded", "NotMet", "Unachievable", "Unsupported"),
    "release": (
        "BreachLimit", "Coarser", "Counterfeits", "CrowdLimit", "HistoryFiles", "HistoryLimit", "Knowledge",
        "LinkageLimit", "Published", "Release", "Republish", "Requirements",
    ),
    "worlds.groups.delta": ("delta_ceiling", "delta_violations", "deviation"),
}  # fmt: skip


def __dir__() -> list[str]:
    """What there is to call, and nothing of how it is made."""
    return sorted(__all__)


def __getattr__(name: str) -> Any:
    """Import a verb when it is first used, so that `import deniable` stays light."""
    from importlib import import_module

    for home, names in _HOMES.items():
        if name in names:
            value = getattr(import_module(f"deniable.{home}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'deniable' has no attribute {name!r}")
