"""What a release is still good for, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deniable import words
from deniable.report.text import columns

if TYPE_CHECKING:
    from deniable.analyses.utility import Utility


def utility_text(result: Utility) -> str:
    """Errors by selectivity, and the groups."""
    withheld = f", {result.withheld:,} withheld" if result.withheld else ""
    title = (
        f"{result.release.name}: {words.people(result.people)} in {words.count(result.groups, 'group')}{withheld}; "
        f"{result.mean_size:.2f} people in a group, which spans {result.extent:.1%} of a quasi-identifier"
    )
    said = (
        "Relative error of COUNT queries over quasi-identifiers and the private column, against the table.\n"
        "selectivity: the share that would match if columns were independent and even; realised: the median that did."
    )
    return "\n\n".join([title, columns(error_rows(result)), said])


def error_rows(result: Utility) -> list[tuple[str, ...]]:
    """Selectivities below each other, with a heading."""
    rows: list[tuple[str, ...]] = [("selectivity", "realised", "queries", "median error", "25 %", "75 %")]
    for error in result.errors:
        numbers = (error.median_error, error.p25, error.p75)
        shown = ("none" if number is None else f"{number:.1%}" for number in numbers)
        realised = "none" if error.realised is None else _percent(error.realised)
        rows.append((f"{error.selectivity:.0%}", realised, f"{error.queries:,}", *shown))
    return rows


def _percent(share: float) -> str:
    """Two digits that say something: 0.031 %, not 0.0 %."""
    return f"{share:.0%}" if share >= 0.1 else f"{float(f'{100 * share:.2g}'):g}%"
