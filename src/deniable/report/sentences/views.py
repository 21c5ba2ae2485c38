"""What is said of tables that are published as views: breach, explain."""

from __future__ import annotations

from collections.abc import Sequence

from deniable.words import did_you_mean


def not_as_views() -> str:
    """A table that is published as it is."""
    return "the table is published as it is, not as views"


def unpublished(columns: Sequence[str]) -> str:
    """Columns of the association that nobody sees."""
    return f"no view publishes {', '.join(columns)}, so the views alone tie nobody to a value"


def identifier_spread() -> str:
    """No view names people."""
    return "the identifier's columns are spread over the views; expected one view that has them all"


def different_conditions(view: str) -> str:
    """Views of different rows."""
    return f"view {view}: expected the same WHERE in all views; found different ones"


def cutting_condition(view: str, columns: Sequence[str]) -> str:
    """A condition on columns that some views publish."""
    return (
        f"view {view}: a WHERE may use columns that all views publish or that none does; found "
        f"{', '.join(columns)}, published by some (that would cut the join itself)"
    )


def no_finest(private: str, columns: Sequence[str]) -> str:
    """A private column that is published in two ways, neither of which says the other."""
    return (
        f"{private} is published as {' and as '.join(columns)}; expected one of them of which the others are "
        "functions; publish the finest beside them, or one fewer"
    )


def unlike_functions(columns: Sequence[str]) -> str:
    """Functions of one column of which it is not known which can be together."""
    return (
        f"no view has all of {', '.join(columns)}, of which none says the others, and which of them one cell can have "
        "is known of bands, caps and parts of dates, or where a hierarchy lists the cells"
    )


def tried_condition(column: str, columns: Sequence[str]) -> str:
    """A condition that cannot be answered for all values that a column might have."""
    return (
        f"no view has all of {', '.join(columns)}, of which none says the others; expected a WHERE that compares "
        f"{column} with constants; found another"
    )


def nobody_selected(view: str) -> str:
    """A condition that no row meets."""
    return f"view {view}: expected a WHERE that some row meets; found none, so nobody is published"


def not_selected(who: Sequence[str]) -> str:
    """Somebody of the table whom the views leave out."""
    return f"the views' WHERE selects no row of {' '.join(who)}"


def join_too_large(limit: int) -> str:
    """Three views or more whose join has too many bundles."""
    return (
        f"the views' join has more than {limit:,} different combinations of shared columns; "
        "publish fewer columns in common, or raise --limit"
    )


def too_many_lookups(kinds: int, cells: int) -> str:
    """People in several groups, with too many different counts."""
    return (
        f"{kinds} different numbers of tuples per person and {cells} values in groups: "
        "more than is compared at once; publish fewer columns beside the identifier"
    )


def incomplete_who(names: Sequence[str], found: int) -> str:
    """A person is named by all columns of the identifier."""
    return f"expected a value for each of {', '.join(names)}; found {found}"


def nobody_called(table: str, who: Sequence[str], people: Sequence[str]) -> str:
    """There is no such person; perhaps one of these was meant."""
    return f"nobody in {table} is called {' '.join(who)}{did_you_mean(who[0], people)}"


def left_wide(associations: int) -> str:
    """Intervals that are wider than was asked for."""
    have = "association has" if associations == 1 else "associations have"
    return (
        f"{associations:,} {have} a proved interval only, wider than --tolerance: small view tuples tie too much "
        "together to count it. `lower` and `upper` hold the truth."
    )


WHOSE = (
    "Two readers: the probabilities are those of somebody who has only the published files, as everybody may; "
    "the crowd is for somebody who also knows everybody's public columns, from a register or by acquaintance. "
    "Which of them is yours: docs/how-to/which-adversary.md"
)

METHODS = {
    "counts": "counts",
    "closed_form": "closed form",
    "exact_count": "exact count",
    "intervals": "intervals",
    "left_wide": "counts, left wide",
}
