"""The file of what the adversary knows meets a history: the people and values that it speaks of, by their numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from deniable.arrow import arrow_array, arrow_texts, column_numbers
from deniable.bind.files import WantedFile, attach, lacks
from deniable.bind.lines import place
from deniable.engines.scope import Relation, Scope
from deniable.engines.tables import find_files
from deniable.errors import BadInput, Mistake, NoRows
from deniable.frozen import frozen
from deniable.sql import attack as queries
from deniable.words import Glued, Unnamed, named

if TYPE_CHECKING:
    import pyarrow as pa

Int32s = NDArray[np.int32]
SHOWN = 20  # mistakes of one kind in one file


@frozen(eq=False)
class HistoryNames:
    """What the people and values of a history are called; their numbers are their places here."""

    people: pa.Table  # one row per person (respondent): the identifier's columns, as text
    values: tuple[str | None, ...]  # private values, as text (null is a value)
    private: str = ""  # what the private column is called; needed where a file of knowledge is read

    @property
    def identifier(self) -> tuple[str, ...]:
        """The identifier's columns."""
        return tuple(self.people.column_names)


def read_known(scope: Scope, path: str | Path, names: HistoryNames, truth: Int32s | None) -> tuple[Int32s, Int32s]:
    """The people in a csv or parquet file of identifier… and private, and their values. Raises BadInput with every
    mistake.

    Of several respondents with one identifier, those are known whose true value it is, or all of them.
    """
    ids, private = names.identifier, names.private
    try:
        file = attach(scope, WantedFile(str(path), "known_file", (*ids, private), row=queries.ROW), lacks(path))
    except NoRows:  # a header and nobody below it: nobody is known
        _insist_header(path, (*ids, private))
        return np.zeros(0, np.int32), np.zeros(0, np.int32)
    cells = scope.store("known_cells", queries.known(file.relation, ids, private))
    people, values = _put(scope, names)
    rows = scope.fetch(queries.matched(cells, people, values, len(ids)))
    wrong = [*_strangers(path, rows, ids), *_no_values(path, rows, private)]
    if wrong:
        raise BadInput(wrong)
    row, person, value = (column_numbers(rows, name) for name in ("row", "person", "v"))
    if truth is not None:
        right = truth[person] == value
        lines = np.unique(row, return_inverse=True)[1]
        told = np.bincount(lines, right) > 0  # rows that are true of some respondent are about that one
        kept = right | ~told[lines]
        row, person, value = row[kept], person[kept], value[kept]
    return _once(path, row, person, value)


def _insist_header(path: str | Path, wanted: Sequence[str]) -> None:
    """The only line of a text file must be its header: one person without a header would be nobody, and is not shown,
    nor one whose row goes on in the header's line."""
    files = find_files(path, Path())
    if files.kind == "csv":
        header = named(files.columns, wanted)
        header = header if isinstance(header, Unnamed) else Glued(header)
        lost = [lacks(path)(name, header) for name in wanted if name not in header]
        if lost:
            raise BadInput(lost)


def _put(scope: Scope, names: HistoryNames) -> tuple[Relation, Relation]:
    import pyarrow as pa

    people = [column.cast(pa.string()) for column in names.people.columns]
    numbers = arrow_array(np.arange(names.people.num_rows))
    keys = [f"i{k}" for k in range(len(people))]
    values = [arrow_texts(names.values), arrow_array(np.arange(len(names.values)))]
    return (
        scope.put("people_numbers", pa.table([*people, numbers], names=[*keys, "person"])),
        scope.put("value_numbers", pa.table(values, names=["x", "v"])),
    )


def _strangers(path: str | Path, rows: pa.Table, ids: Sequence[str]) -> Iterator[Mistake]:
    """Rows about people who are nowhere in the history; what stands there may be anything, and is not shown."""
    import pyarrow.compute as pc

    unknown = rows.filter(pc.is_null(rows.column("person")))
    for row in unknown.slice(0, SHOWN).to_pylist():
        what = f"expected the {' and '.join(ids)} of somebody who was published; found another"
        yield Mistake(place(path, row["row"]), what)
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


def _once(path: str | Path, row: NDArray[Any], person: NDArray[Any], value: NDArray[Any]) -> tuple[Int32s, Int32s]:
    """One value for each person. Raises BadInput where there are two."""
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
    return person[~again].astype(np.int32), value[~again].astype(np.int32)
