"""What is said of crowds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deniable.words import cell

if TYPE_CHECKING:
    from deniable.analyses.crowds.one_person import Told


def too_many_combinations(view: str, limit: int) -> str:
    """A condition that is answered by trying, and asks for too much of it."""
    return (
        f"view {view}: its condition asks for more than {limit:,} combinations of public and private values "
        "to be tried; raise --limit, or write each comparison with the private column alone on one side"
    )


def of_view(told: Told) -> str:
    """What one view says of a person."""
    if not told.selects:
        return f"{told.view} would not select them, whatever their {told.private}"
    cells = [f"{name} = {cell(value)}" for name, value in told.cells]
    shown = ", ".join([*cells, *(f"their {name}" for name in told.shows)])
    if told.held is None:
        return f"{told.view} shows {shown}"
    return f"{told.view} would show {shown} for {told.held:,} of {told.values:,} values of {told.private}"
