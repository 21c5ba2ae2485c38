"""A table that nobody has described yet: its columns, counted by the engine; no cell leaves it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa

from deniable.analyses.init.vocabulary import Said, said_by
from deniable.arrow import arrow_array, arrow_texts, only
from deniable.engines import check_engine, has_tables, opened
from deniable.engines.dialect import ColumnType, Kind
from deniable.engines.scope import Attached, Relation, Scope
from deniable.engines.tables import BROKEN, PLAIN, Writing, encoding_of, is_text_file, paths_of
from deniable.errors import BadInput, Mistake, Reason
from deniable.frozen import frozen
from deniable.release import Release
from deniable.sql import profile as queries

_AT_ONCE = 100  # columns that one query asks about
_FEW, _OF_FEW_ROWS = 10_000, 1_000  # rows that are few, and columns of them that one query asks about
_SEPARATOR = re.compile(r"[,;\t|]")
_YEAR = re.compile(r"19\d\d|20\d\d")
# A number, a date, an address of mail.
_LIKE_A_CELL = re.compile(r"[-+]?\d+[.,]?\d*%?|\d{1,4}[-./]\d{1,2}[-./]\d{1,4}|[^@\s]+@[^@\s]+")
_DATE_LENGTH = 10
_COUNTED = 100  # different numbers that may count something


@frozen
class Column:
    """What the engine counted in a column."""

    name: str
    kind: ColumnType
    rows: int
    nulls: int
    different: int  # cells, nulls aside
    commonest: int  # rows that have the commonest cell, or none
    longest: int  # characters of a cell
    zeros: bool  # codes with zeros before them
    mail: bool
    commas: bool  # numbers, some with a decimal comma
    dates: int  # different ones that can be read in text
    named: int  # rows in which the column's own name stands

    @property
    def cells(self) -> int:
        """Rows that have one."""
        return self.rows - self.nulls

    @property
    def is_unique(self) -> bool:
        """Whether every cell is different from all others."""
        return self.different == self.cells > 1

    @property
    def said(self) -> Said:
        """What its name says."""
        return said_by(self.name)

    @property
    def names_many(self) -> bool:
        """Whether it has so many different cells that they may be people: classes of people have few, and so have
        counts, which are numbers."""
        several = 5 if self.kind.kind is Kind.INTEGER and self.different < _COUNTED else 50
        return self.different > 1 and self.different * several >= self.rows

    @property
    def is_nested(self) -> bool:
        """Whether its cells are lists or the like, which views do not publish."""
        return self.kind.kind is Kind.OTHER and self.kind.sql != "UUID"

    @property
    def is_written_date(self) -> bool:
        """Whether it is text that can be read as dates without two cells becoming one."""
        return self.kind.is_text and 0 < self.different == self.dates and self.longest <= _DATE_LENGTH


@frozen
class Profile:
    """A table's columns, and how its text is written."""

    table: str  # as the user wrote it
    columns: tuple[Column, ...]
    written: Writing
    is_text: bool
    stored: bool = False  # a database has it, and it is no file

    @property
    def rows(self) -> int:
        """Of the table."""
        return self.columns[0].rows

    @property
    def names(self) -> tuple[str, ...]:
        """Of the columns."""
        return tuple(column.name for column in self.columns)

    def column(self, name: str) -> Column:
        """A column by its name."""
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, Column]:
        return {column.name: column for column in self.columns}

    @property
    def decimal(self) -> str:
        """A comma where numbers are written with it, and none with a point."""
        points = any(column.kind.kind is Kind.NUMBER for column in self.columns)
        return "," if self.is_text and not points and any(c.commas for c in self.columns) else PLAIN.decimal


def look(table: str | os.PathLike[str], encoding: str | None, engine: str) -> Profile:
    """Read a table that has no release file yet. Raises BadInput with what is wrong with it."""
    check_engine(engine)
    name = os.fspath(table)
    Release(table=name, encoding=encoding)  # what is wrong with them is said before anything is read
    stored = has_tables(engine)
    paths, is_text = paths_of(name, Path()), is_text_file(name) and not stored
    written = Writing(encoding or (_encoding(paths) if is_text else PLAIN.encoding))
    with opened(engine, paths) as started:
        scope = Scope(started)
        found = scope.attach(name, "table_file", text=(), written=written, own=True)
        if len(found.columns) < 2:
            raise BadInput(Mistake(name, Reason("init.one_column")))
        columns = tuple(_columns(scope, found, is_text=is_text))
    if is_text:
        _insist_header(name, columns)
    return Profile(name, columns, written, is_text, stored)


def _encoding(paths: list[str]) -> str:
    with suppress(*BROKEN):  # which whoever reads the rows says better
        return encoding_of(paths) if paths and all(map(os.path.isfile, paths)) else PLAIN.encoding
    return PLAIN.encoding


def _columns(scope: Scope, found: Attached, *, is_text: bool) -> Iterator[Column]:
    """Text is read once, not once for each column; and a column of many is looked for among few."""
    names, source = list(found.columns), found.relation
    is_wide = len(names) > _AT_ONCE
    if is_text or is_wide:
        source = scope.store("looked_at", queries.cells(source, names))
    is_low = is_wide and only(scope.fetch(queries.rows(source))) <= _FEW
    together = _OF_FEW_ROWS if is_low else _AT_ONCE
    for start in range(0, len(names), together):
        some: Mapping[str, ColumnType] = {name: found.columns[name] for name in names[start : start + together]}
        few = scope.store("some_columns", queries.cells(source, list(some))) if is_wide else source
        facts = _of_few_rows(scope, few, some) if is_low else scope.fetch(queries.facts(few, some))
        rows = {row.pop("place"): row for row in facts.to_pylist()}
        for place, (name, kind) in enumerate(some.items()):
            yield Column(name, kind, **rows[place])


def _of_few_rows(scope: Scope, source: Relation, columns: Mapping[str, ColumnType]) -> pa.Table:
    """A query for each column takes longer than its cells do, where those are few."""
    is_text = np.array([kind.is_text for kind in columns.values()], np.bool_)
    arrays = (arrow_array(np.arange(len(columns))), arrow_texts(columns), arrow_array(is_text))
    named = scope.put("named", pa.table(arrays, names=["place", "name", "is_text"]))
    return scope.fetch(queries.facts_of_many(source, list(columns), named))


def _insist_header(table: str, columns: tuple[Column, ...]) -> None:
    """A first line that looks like a row, or goes on over rows: nothing of it is shown. Raises BadInput."""
    for place, column in enumerate(columns, 1):
        if any(_SEPARATOR.search(line) for line in column.name.splitlines()[1:]):
            raise BadInput(Mistake(f"{table}:1", Reason("init.header_goes_on", place=place)))
    odd = [column for place, column in enumerate(columns) if _is_like_a_cell(column, place)]
    if 2 * len(odd) >= len(columns):
        raise BadInput(Mistake(f"{table}:1", Reason("init.no_header", odd=len(odd), columns=len(columns))))


def _is_like_a_cell(column: Column, place: int) -> bool:
    """Whether a column's name stands in its rows too, or is a number that counts neither columns nor years."""
    name = column.name.strip()
    if column.named:
        return True
    return bool(_LIKE_A_CELL.fullmatch(name)) and not _YEAR.fullmatch(name) and name not in (str(place), str(place + 1))
