"""For whom a re-published release holds 1/m, and what one column's statistics would do, as text and as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from deniable import words

if TYPE_CHECKING:
    from deniable.analyses.history.republish import Republished
    from deniable.analyses.linkage.column_statistics import ColumnTells

_SHARP = 1e-6  # two ends that are nearer to each other are shown as one number


def columns_text(made: Republished) -> list[str]:
    """Whom 1/m holds against, and how many people each column tells more about."""
    one_in = f"1/{made.parameters.m}"
    who = "somebody who knows nothing of how values are spread"
    holds = f"{one_in}, the chance of a guess in this release, holds against {who}"
    if not made.columns:
        return [f"{holds}; what columns tell was not counted (--no-audit)"]
    knows = f"who knows how often each {made.release.private} occurs by one column is above {one_in} for"
    most = made.tells_most
    if most is None:
        return [holds, f"{knows} nobody ({', '.join(made.columns)})"]
    told = ", ".join(f"{name} {_people(tells)}" for name, tells in made.columns.items())
    worst = made.columns[most]
    return [holds, f"{knows}: {told} of {words.people(worst.people)}; {most} tells most, {_chance(worst)}"]


def columns_json(made: Republished) -> dict[str, Any]:
    """The same; null where nothing was counted."""
    told = [{"given": name, **asdict(tells)} for name, tells in made.columns.items()]
    holds_for = ["somebody who knows nothing"]
    return {"holds_for": holds_for, "without_knowledge": told or None, "tells_most": made.tells_most}


def _people(tells: ColumnTells) -> str:
    return f"{tells.over:,} (and {tells.undecided:,} not decided)" if tells.undecided else f"{tells.over:,}"


def _chance(tells: ColumnTells) -> str:
    if tells.worst_at_most - tells.worst < _SHARP:
        return f"a chance of {tells.worst:.4g} for somebody"
    return f"a chance from {tells.worst:.4g} to {tells.worst_at_most:.4g} for somebody"
