"""deniable: before you publish a table about people, what could an adversary work out?

>>> import deniable
>>> release = deniable.load("release.yaml")      # doctest: +SKIP
>>> print(deniable.audit(release))               # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = [
    "BadInput", "BreachLimit", "Counterfeits", "CrowdLimit", "EngineError", "HistoryFiles", "HistoryLimit", "Knowledge",
    "LimitExceeded", "LinkageLimit", "NotMet", "Published", "Release", "Republish", "Requirements", "Unachievable",
    "Unsupported", "attack", "audit", "breach", "bucketize", "check", "choose", "crowds",
    "delta_ceiling", "delta_violations", "deviation", "explain", "ledger", "linkage", "load", "republish", "utility",
    "verify",
]  # fmt: skip

if TYPE_CHECKING:
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
        republish,
        utility,
        verify,
    )
    from deniable.errors import BadInput, EngineError, LimitExceeded, NotMet, Unachievable, Unsupported
    from deniable.release import (
        BreachLimit,
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
    "api": (
        "attack", "audit", "breach", "bucketize", "check", "choose", "crowds", "explain", "ledger", "linkage", "load",
        "republish", "utility", "verify",
    ),
    "errors": ("BadInput", "EngineError", "LimitExceeded", "NotMet", "Unachievable", "Unsupported"),
    "release": (
        "BreachLimit", "Counterfeits", "CrowdLimit", "HistoryFiles", "HistoryLimit", "Knowledge", "LinkageLimit",
        "Published", "Release", "Republish", "Requirements",
    ),
    "worlds.groups.delta": ("delta_ceiling", "delta_violations", "deviation"),
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import a verb when it is first used, so that `import deniable` stays light."""
    from importlib import import_module

    for home, names in _HOMES.items():
        if name in names:
            value = getattr(import_module(f"deniable.{home}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'deniable' has no attribute {name!r}")
