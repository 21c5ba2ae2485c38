"""The type of a column of a text file: another than text only if every cell comes back from it as it was written.

Else cells that differ would become one: 1 and 1.0, 007 and 7, two numbers of 20 digits. Every cell is asked, not a
sample; a sample only says which types need not be asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlglot import exp

from deniable.engines.dialect import OURS, fragment
from deniable.frozen import frozen

SAMPLE = 2048  # rows
Answer = Callable[[exp.Select], list[tuple[Any, ...]]]  # the rows of a query's answer


@frozen
class Guess:
    """A type, and one way to write it: `{cell}` is the text, `{value}` what it is in the type."""

    sql: str
    comes_back: str

    def held(self, column: str, decimal: str) -> exp.Expr:
        """Whether all cells of the column come back. Null ones do."""
        name = exp.to_identifier(column, quoted=True).sql(OURS)
        cell = cell_of(column, self.sql, decimal).sql(OURS)
        told = self.comes_back.format(cell=cell, value=f"TRY_CAST({cell} AS {self.sql})")
        return fragment(f"bool_and({name} IS NULL OR coalesce({told}, FALSE))")


def cell_of(column: str, kind: str, decimal: str) -> exp.Expr:
    """The cells of a column as a number of some type is read: with a point, which nothing else may be."""
    cell = exp.column(column, quoted=True)
    if decimal == "." or not kind.startswith(("DOUBLE", "DECIMAL")):
        return cell
    name = cell.sql(OURS)
    return fragment(f"CASE WHEN NOT contains({name}, '.') THEN replace({name}, ',', '.') END")


_SAME = "CAST({value} AS VARCHAR) = {cell}"
# What is no number compares in its own way; and -0 equals 0, though it is written otherwise.
_ORDINARY = "isfinite({value}) AND ({value} <> 0 OR NOT starts_with({cell}, '-'))"
_BARE = "CAST({value} AS VARCHAR) = {cell} || '.0' OR CAST({value} AS VARCHAR) = {cell} AND NOT ends_with({cell}, '.0')"


def _only(looks: str) -> str:
    """It comes back, of cells that look like it: what a cast cannot read takes it long."""
    return f"CASE WHEN {looks} THEN {_SAME} END"


# Whole numbers among others may be written 2.0 or 2, but in one way throughout a column.
GUESSES = (
    Guess("BIGINT", _SAME),
    Guess("DOUBLE", f"{_SAME} AND {_ORDINARY}"),
    Guess("DOUBLE", f"({_BARE}) AND {_ORDINARY}"),
    Guess("DATE", _only("length({cell}) = 10")),  # longer before Christ, shorter at infinity
    Guess("TIMESTAMP", _only("length({cell}) >= 19 AND NOT contains({cell}, '(')")),
    Guess("BOOLEAN", _SAME),
)
_SCALE = "CASE WHEN contains({cell}, '.') THEN length({cell}) - strpos({cell}, '.') WHEN {cell} IS NOT NULL THEN 0 END"


@frozen
class _Look:
    """What some rows say of a column: which guesses hold, and with how many decimals all numbers are written."""

    rows: int
    cells: int  # that are not null
    holding: tuple[Guess, ...]
    scale: int  # 0: none, or different numbers of them


def guess(answer: Answer, cells: str, columns: Sequence[str], decimal: str = ".") -> dict[str, str]:
    """The first type that every cell of a column comes back from, else text; `cells` has all of them as text."""
    if not columns:
        return {}
    looks = _looks(answer, exp.select("*").from_(cells).limit(SAMPLE).subquery("few"), columns, decimal)
    few = {column: look for column, look in looks.items() if look.rows < SAMPLE}  # which then are all rows
    if empty := [column for column, look in looks.items() if not look.cells and column not in few]:
        looks |= _looks(answer, exp.to_table(cells), empty, decimal)
    open_to = {
        column: [*(() if column in few else look.holding), *_decimals(look)]
        for column, look in looks.items()
        if look.cells and not (column in few and look.holding)
    }
    found = {column: look.holding[0].sql for column, look in few.items() if look.cells and look.holding}
    found |= _first_held(answer, cells, open_to, decimal)
    return {column: found.get(column, "VARCHAR") for column in columns}


def _first_held(answer: Answer, cells: str, open_to: Mapping[str, Sequence[Guess]], decimal: str) -> dict[str, str]:
    """Of the guesses for each column, the first that holds for all rows: a pass over the rows for each rank."""
    found: dict[str, str] = {}
    rank = 0
    while asked := {c: kinds[rank] for c, kinds in open_to.items() if c not in found and rank < len(kinds)}:
        (held,) = answer(exp.select(*(kind.held(column, decimal) for column, kind in asked.items())).from_(cells))
        found |= {column: kind.sql for (column, kind), is_so in zip(asked.items(), held, strict=True) if is_so}
        rank += 1
    return found


def _decimals(look: _Look) -> list[Guess]:
    """Numbers that all have the same number of decimals, such as 1.50: as wide as it takes."""
    return [Guess(f"DECIMAL({width}, {look.scale})", _SAME) for width in (18, 38) if 0 < look.scale <= width]


def _looks(answer: Answer, source: exp.Expr, columns: Sequence[str], decimal: str) -> dict[str, _Look]:
    """What the rows of a source say of each column: columns below each other, so that a wide table asks no more."""
    cells = exp.Array(expressions=[exp.column(column, quoted=True) for column in columns])
    places = exp.Array(expressions=[exp.Literal.number(i) for i in range(len(columns))])
    below = [exp.alias_(exp.Explode(this=listed), name) for listed, name in ((cells, "cell"), (places, "place"))]
    cell = cell_of("cell", "DOUBLE", decimal).sql(OURS)
    scale = _SCALE.format(cell=cell)
    numbers = f"count(cell) = count(TRY_CAST({cell} AS DOUBLE))"
    parts = (
        "place",
        "count(*)",
        "count(cell)",
        f"CASE WHEN {numbers} AND min({scale}) = max({scale}) THEN max({scale}) END",
    )
    asked = [fragment(part) for part in parts]
    asked += [kind.held("cell", decimal) for kind in GUESSES]
    found = {}
    for place, rows, count, decimals, *held in answer(
        exp.select(*asked).from_(exp.select(*below).from_(source).subquery("listed")).group_by("place")
    ):
        holding = tuple(kind for kind, is_so in zip(GUESSES, held, strict=True) if is_so)
        found[columns[place]] = _Look(rows, count, holding, decimals or 0)
    return found
