"""What is said of each adversary: what it knows, and why it may have no world. By the key in its record."""

from __future__ import annotations

from deniable.analyses.breach.adversaries import ADVERSARIES
from deniable.frozen import frozen


@frozen
class SaidOfAdversary:
    """The sentences about one adversary."""

    knows: str
    no_world: str


_ROWS_UNANSWERED = (
    "too many rows repeat for their tables to be counted, or counts are spread over several views; "
    "DISTINCT in every view would hide them"
)
_CUT_UNANSWERED = (
    "views show bands of a column of which none says the others, and what these tie together is too much to count; "
    "widths of which one divides the other would be answered"
)

SAID = {
    "unrestricted": SaidOfAdversary("counts every table that fits the views", "no table fits the views"),
    "restricted": SaidOfAdversary(
        "knows that the person has exactly one value",
        "no table gives them exactly one value: nobody else could account for their other published values",
    ),
    "keyed": SaidOfAdversary(
        "knows that everybody has exactly one row",
        "no table gives everybody exactly one row: somebody has two, or there are more values than people",
    ),
    "counted": SaidOfAdversary(
        "knows how many rows everybody has in each join group",
        "no table gives everybody as many rows as they have",
    ),
    "bag": SaidOfAdversary(
        "counts the rows of the published files",
        "no table has these rows",
    ),
}
_OTHERS = SaidOfAdversary(
    "reads the views in a way of its own", "no table fits both the views and what this adversary assumes"
)


def said(adversary: str) -> SaidOfAdversary:
    """The sentences about an adversary; general ones about those that have none of their own."""
    return SAID.get(ADVERSARIES[adversary].sentences or adversary, _OTHERS)


def unanswered(adversary: str) -> str:
    """Why an adversary was not answered."""
    return _ROWS_UNANSWERED if may_not_answer(adversary) else _CUT_UNANSWERED


def may_not_answer(adversary: str) -> bool:
    """Whether a missing answer means that none is known, rather than that no world fits."""
    return adversary in ADVERSARIES and ADVERSARIES[adversary].counts_rows
