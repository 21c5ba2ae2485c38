"""What a release is still good for, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deniable.report.text import columns

if TYPE_CHECKING:
    from deniable.analyses.utility import Utility


def utility_text(result: Utility) -> str:
    """Errors by selectivity, and the groups."""
    withheld = f", {result.withheld:,} withheld" if result.withheld else ""
    title = (
        f"{result.release.name}: {result.people:,} people in {result.groups:,} groups{withheld}; "
        f"{result.mean_size:.2f} people in a group, which spans {result.extent:.1%} of a quasi-identifier"
    )
    rows: list[tuple[str, ...]] = [("selectivity", "queries", "median error", "25 %", "75 %")]
    for error in result.errors:
        numbers = (error.median_error, error.p25, error.p75)
        shown = ("none" if number is None else f"{number:.1%}" for number in numbers)
        rows.append((f"{error.selectivity:.0%}", f"{error.queries:,}", *shown))
    said = "Relative error of COUNT queries over quasi-identifiers and the private column, against the table."
    return "\n\n".join([title, columns(rows), said])
