"""Posteriors of published groups as text: counts of people, never a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deniable import words
from deniable.report.text import columns, probability

if TYPE_CHECKING:
    from deniable.analyses.linkage import AboveLimit, Linkage

WHAT_THEY_KNOW = {
    "marginal": "knows how likely one value is, at a time",
    "full": "knows the whole distribution",
    "calibrated": "knows this table's own counts, and fits weights to the groups",
}
LIMITS = (0.5, 1 / 3, 0.25)
_CLOSE = 1e-6  # ends of an interval that are told as one number


def linkage_text(result: Linkage) -> str:
    """The summary, attribute set by attribute set."""
    title = f"{result.release.name}: {words.people(result.people)} in {words.count(result.groups, 'group')}"
    said = [(f"{name}:", text) for name, text in WHAT_THEY_KNOW.items() if name in result.adversaries]
    notes = ["Posteriors assume that the grouping itself says nothing about who has which value."]
    if len(result.knowledge) > 1:
        notes.append("Somebody who combines the attribute sets may know more: name the joint set to see.")
    return "\n\n".join([title, columns(posterior_rows(result)), columns(said), "\n".join(notes)])


def posterior_rows(result: Linkage) -> list[tuple[str, ...]]:
    """Attribute sets and adversaries below each other, with a heading."""
    rows: list[tuple[str, ...]] = [
        ("given", "adversary", "worst", "over 1/2", "over 1/3", "over 1/4", "not known", "no world")
    ]
    for known in result.knowledge:
        rows += _rows(known.name, [result.over(limit, known.name) for limit in LIMITS])
    if len(result.knowledge) > 1:
        rows += _rows("any of them", [result.over(limit) for limit in LIMITS])
    return rows


def _worst(found: AboveLimit) -> str:
    """The largest posterior; where that is an interval, what is proved and what it may be."""
    if found.worst is None:
        return "not known"
    most = found.worst_at_most
    is_open = most is not None and most - found.worst > _CLOSE
    return f"{found.worst:.4g} (at most {most:.4g})" if is_open else probability(found.worst)


def _rows(given: str, found: list[list[AboveLimit]]) -> list[tuple[str, ...]]:
    rows = []
    for by_limit in zip(*found, strict=True):
        first = by_limit[0]
        worst = _worst(first)
        over = (f"{one.over:,}" for one in by_limit)
        rows.append((given, first.adversary, worst, *over, f"{first.undecided:,}", f"{first.no_world:,}"))
    return rows
