"""Findings as text: the verdict first, then the reason in people's terms, then what next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deniable.analyses.breach import Breach, Tally

WHAT_THEY_KNOW = {
    "unrestricted": "counts every table that fits the views",
    "restricted": "knows that the person has exactly one value",
    "keyed": "knows that everybody has exactly one row",
    "bag": "also sees how often each published row repeats",
}

WHY_NO_WORLD = {
    "unrestricted": "no table fits the views",
    "restricted": "no table gives them exactly one value: nobody else could account for their other published values",
    "keyed": "no table gives everybody exactly one row: somebody has two, or there are more values than people",
    "bag": "not answered: a view says DISTINCT, or rows of the identifier's view repeat in the join group",
}


def columns(rows: Sequence[Sequence[str]], indent: str = "  ") -> str:
    """Rows in columns, each as wide as its widest cell."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ("   ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(f"{indent}{line}".rstrip() for line in lines)


def probability(value: float | None) -> str:
    """A probability as few digits as it reads well with; certainty is said in words."""
    if value is None:
        return "no world"
    return "1 (certain)" if value == 1 else f"{value:.4g}"


def breach_text(result: Breach, headline: str) -> str:
    """The summary of a breach analysis: counts only, never a cell."""
    tallies = result.tallies
    rows: list[tuple[str, ...]] = [("adversary", "associations", "certain", "over 1/2", "worst", "no world")]
    rows += [_tally_row(tally) for tally in tallies]
    said = [(f"{tally.adversary}:", WHAT_THEY_KNOW[tally.adversary]) for tally in tallies]
    why = [f"{tally.adversary}, no world: {WHY_NO_WORLD[tally.adversary]}" for tally in tallies if tally.no_world]
    return "\n\n".join([headline, columns(rows), columns(said), *(["\n".join(why)] if why else [])])


def _tally_row(tally: Tally) -> tuple[str, ...]:
    counts = (tally.associations, tally.certain, tally.over_half)
    return (tally.adversary, *(f"{count:,}" for count in counts), probability(tally.worst), f"{tally.no_world:,}")
