"""breach: a table is published as views; how likely is each secret association?

Computed: for each association (person, value) and adversary, the share of the possible worlds that hold it. Two views
fall apart into complete bipartite join groups, whose covers are counted in closed form (docs/theory/two-views.md,
"Closed forms") at any size, with a proof (docs/theory/two-views.md, "Any size, with a proof"). More views make a
monotone formula: counts first, then what they leave open (docs/theory/many-views.md, "The formula"). `adversaries` has
one record for each adversary.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from deniable.analyses.breach.analysis import Breach, analyse, solve
    from deniable.analyses.breach.answers import Over, Tally, WorstGroup

__all__ = ["Breach", "Over", "Tally", "WorstGroup", "analyse", "solve"]

_HOMES = {"analysis": ("Breach", "analyse", "solve"), "answers": ("Over", "Tally", "WorstGroup")}


def __getattr__(name: str) -> Any:
    """Import the analysis when it is first used: the names of adversaries are asked for without it."""
    from importlib import import_module

    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{home}"), name)
    raise AttributeError(name)
