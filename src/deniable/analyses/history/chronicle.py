"""A history of releases with names: who the people are, what the values are called, and the truth where it is known.

Also read here: the file of what the adversary knows, since it speaks of these people and values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from deniable.arrow import arrow_array, column_numbers
from deniable.engines.base import Engine
from deniable.engines.tables import find_files, line_of
from deniable.errors import BadInput, Mistake
from deniable.sql import attack as queries
from deniable.words import did_you_mean
from deniable.worlds.history.histories import History, Knowledge

if TYPE_CHECKING:
    import pyarrow as pa

SHOWN = 20  # mistakes of one kind in one file


@dataclass(frozen=True, eq=False)
class Chronicle:
    """A history of releases as the adversary sees it, and the truth beside it."""

    people: pa.Table  # one row per person (respondent): the identifier's columns, as text
    values: tuple[str | None, ...]  # private values by code, as text (null is a value)
    truth: NDArray[np.int32] | None  # value code of each person; None where nobody knows
    story: History
    private: str = ""  # what the private column is called; needed where a file of knowledge is read

    @property
    def identifier(self) -> tuple[str, ...]:
        """The identifier's columns."""
        return tuple(self.people.column_names)

    @property
    def releases(self) -> int:
        """How many releases there are."""
        return int(self.story.release.max(initial=-1)) + 1


def read_known(chronicle: Chronicle, path: str | Path) -> Knowledge:
    """The people in a csv or parquet file of identifier… and private. Raises BadInput with every mistake.

    Of several respondents with one identifier, those are known whose true value it is, or all of them.
    """
    from deniable.engines import open_engine

    engine = open_engine()
    try:
        ids, private = chronicle.identifier, chronicle.private
        attach(engine, path, "known_file", (*ids, private), Path())
        engine.store("known_cells", queries.known("known_file", ids, private))
        _put_names(engine, chronicle)
        rows = engine.fetch(queries.matched(len(ids)))
    finally:
        engine.close()
    wrong = [*_strangers(path, rows, ids), *_no_values(path, rows, private)]
    if wrong:
        raise BadInput(wrong)
    return _checked(chronicle, path, *(column_numbers(rows, name) for name in ("row", "person", "v")))


def attach(engine: Engine, path: str | Path, name: str, wanted: Sequence[str], folder: Path) -> tuple[str, ...]:
    """Read a file's columns as text, rows numbered from 1; raises BadInput for every column that is missing."""
    columns = engine.attach(str(path), name, text=wanted, types={}, folder=folder, row=queries.ROW)
    missing = [column for column in wanted if column not in columns]
    if missing:
        found = ", ".join(columns)
        raise BadInput(
            Mistake(f"{path}:1", f"expected the column {column}; found {found}{did_you_mean(column, columns)}")
            for column in missing
        )
    return tuple(columns)


def place(path: str | Path, row: int, folder: Path = Path()) -> str:
    """`file:line` of a row, counted from 1 behind the header; its number where a file has no lines."""
    files = find_files(path, folder)
    if files.kind != "csv" or len(files.paths) > 1:
        return f"{path}: row {row}"
    return f"{path}:{line_of(files.paths[0], files.delimiter, row + 1)}"


def _put_names(engine: Engine, chronicle: Chronicle) -> None:
    import pyarrow as pa

    people = [column.cast(pa.string()) for column in chronicle.people.columns]
    numbers = arrow_array(np.arange(chronicle.people.num_rows))
    engine.put("people_numbers", pa.table([*people, numbers], names=[*(f"i{k}" for k in range(len(people))), "person"]))
    values = [pa.array(chronicle.values, pa.string()), arrow_array(np.arange(len(chronicle.values)))]
    engine.put("value_numbers", pa.table(values, names=["x", "v"]))


def _strangers(path: str | Path, rows: pa.Table, ids: Sequence[str]) -> Iterator[Mistake]:
    """Rows about people who are nowhere in the history."""
    import pyarrow.compute as pc

    unknown = rows.filter(pc.is_null(rows.column("person")))
    for row in unknown.slice(0, SHOWN).to_pylist():
        told = ", ".join(f"{name} = {_cell(row[f'i{k}'])}" for k, name in enumerate(ids))
        yield Mistake(place(path, row["row"]), f"expected somebody who was published; found {told}")
    if unknown.num_rows > SHOWN:
        yield Mistake(str(path), f"and {unknown.num_rows - SHOWN:,} more people who were not published")


def _no_values(path: str | Path, rows: pa.Table, private: str) -> Iterator[Mistake]:
    """Rows with a value that no release has; it is not shown."""
    import pyarrow.compute as pc

    unknown = rows.filter(pc.is_null(rows.column("v")))
    numbers = list(dict.fromkeys(unknown.column("row").to_pylist()))
    for row in numbers[:SHOWN]:
        yield Mistake(place(path, row), f"expected a value of {private} that some release has; found another")
    if len(numbers) > SHOWN:
        yield Mistake(str(path), f"and {len(numbers) - SHOWN:,} more values of {private} that no release has")


def _checked(
    chronicle: Chronicle, path: str | Path, row: NDArray[Any], person: NDArray[Any], value: NDArray[Any]
) -> Knowledge:
    """One value for each person. Raises BadInput where there are two."""
    if chronicle.truth is not None:
        right = chronicle.truth[person] == value
        lines = np.unique(row, return_inverse=True)[1]
        told = np.bincount(lines, right) > 0  # rows that are true of some respondent are about that one
        kept = right | ~told[lines]
        row, person, value = row[kept], person[kept], value[kept]
    order = np.lexsort((row, person))
    row, person, value = row[order], person[order], value[order]
    again = np.zeros(len(person), np.bool_)
    again[1:] = person[1:] == person[:-1]
    other = np.flatnonzero(again[1:] & (value[1:] != value[:-1])) + 1 if len(person) else np.zeros(0, np.int64)
    mistakes = [
        Mistake(place(path, int(row[i])), "expected one value for a person; found another than before")
        for i in other[:SHOWN]
    ]
    if len(other) > SHOWN:
        mistakes.append(Mistake(str(path), f"and {len(other) - SHOWN:,} more people with several values"))
    if mistakes:
        raise BadInput(mistakes)
    return Knowledge(person[~again].astype(np.int32), value[~again].astype(np.int32))


def _cell(cell: str | None) -> str:
    return "nothing" if cell is None else cell
