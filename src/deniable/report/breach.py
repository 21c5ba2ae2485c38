"""A breach analysis as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from deniable import words
from deniable.analyses.verdict import ShownView
from deniable.report.sentences.adversaries import said, unanswered
from deniable.report.sentences.audit import headline
from deniable.report.sentences.views import left_wide
from deniable.report.text import columns, probability

if TYPE_CHECKING:
    from deniable.analyses.breach import Breach, Tally


def breach_text(result: Breach) -> str:
    """The summary of a breach analysis: counts only, never a cell."""
    tallies = result.tallies
    views = [ShownView(view.name, view.columns) for view in result.bound.views]
    title = f"{result.release.name}: {words.people(result.people)}, {headline(views, result.plan.join)}"
    known = [(f"{tally.adversary}:", said(tally.adversary).knows) for tally in tallies]
    why = [f"{tally.adversary}, no world: {said(tally.adversary).no_world}" for tally in tallies if tally.no_world]
    why += [f"{tally.adversary}, not answered: {unanswered(tally.adversary)}" for tally in tallies if tally.unanswered]
    why += [left_wide(result.left_wide)] if result.left_wide else []
    return "\n\n".join([title, columns(tally_rows(tallies)), columns(known), *(["\n".join(why)] if why else [])])


def tally_rows(tallies: Sequence[Tally]) -> list[tuple[str, ...]]:
    """Adversaries below each other, with a heading."""
    return [
        ("adversary", "associations", "certain", "over 1/2", "worst", "no world", "not answered"),
        *map(_tally_row, tallies),
    ]


def _tally_row(tally: Tally) -> tuple[str, ...]:
    counts = (tally.associations, tally.certain, tally.over_half)
    worst = (
        "not answered" if tally.worst is None and tally.unanswered else probability(tally.worst, tally.worst_at_most)
    )
    return (tally.adversary, *(f"{count:,}" for count in counts), worst, f"{tally.no_world:,}", f"{tally.unanswered:,}")
