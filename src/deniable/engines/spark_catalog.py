"""What Spark says of a table that it has: its columns, their types, how each is read, and the order of its rows.

Text is read as text, whole numbers, doubles, decimals, dates, timestamps and truth as what they are, a timestamp with a
time zone as that of UTC; a column of any other type by its text.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlglot import exp

from deniable.engines.dialect import TEXT, ColumnType, Kind, column_type
from deniable.engines.spark_dialect import fragment
from deniable.engines.tables import is_text_file, paths_of
from deniable.errors import BadInput, Mistake

_PLAIN = {
    "tinyint": "TINYINT", "smallint": "SMALLINT", "int": "INTEGER", "bigint": "BIGINT", "double": "DOUBLE",
    "boolean": "BOOLEAN", "date": "DATE", "timestamp_ntz": "TIMESTAMP",
}  # fmt: skip
_GLOB = re.compile(r"([\\*?\[\]{}])")
PLACE = ("the file of a row", "the place in its file")
_PLACE = ("_metadata.file_path", "_metadata.row_index")


@dataclass(frozen=True)
class Column:
    """A column as Spark has it: its name, and its type as Spark writes it."""

    name: str
    type: str

    def read(self) -> tuple[exp.Expr, ColumnType]:  # noqa: PLR0911
        """How it is read, and as what."""
        cell = exp.column(self.name, "stored", quoted=True)
        if self.type in _PLAIN:
            return cell, column_type(_PLAIN[self.type])
        if self.type.startswith(("string", "varchar", "char")):
            plain = self.type == "string"
            return (cell if plain else fragment("CAST(x AS STRING)", x=cell)), TEXT
        if self.type.startswith("decimal"):
            return cell, column_type(self.type.upper())
        if self.type == "float":
            return fragment("CAST(CAST(x AS STRING) AS DOUBLE)", x=cell), column_type("DOUBLE")
        if self.type == "timestamp":
            return fragment("CAST(x AS TIMESTAMP_NTZ)", x=cell), column_type("TIMESTAMP")
        if self.type == "binary":
            return fragment("hex(x)", x=cell), ColumnType(Kind.OTHER, TEXT.sql)
        return fragment("CAST(x AS STRING)", x=cell), ColumnType(Kind.OTHER, TEXT.sql)


def is_path(table: str) -> bool:
    """Whether a name is one of files, and not one of the catalog's."""
    return "/" in table or os.sep in table or table.lower().endswith((".parquet", ".pq"))


def find(session: Any, table: str, folder: Path) -> Any:
    """A table by the name that a user gives it, as Spark reads it. Raises BadInput for a file that is no Parquet."""
    if is_text_file(table):
        what = "expected a table of Spark's catalog, or a Parquet file or folder; found a text file"
        raise BadInput(Mistake(table, what))
    if not is_path(table):
        return session.table(table)
    if re.match(r"[a-z][a-z0-9+.-]*:/", table, re.IGNORECASE):
        return session.read.parquet(table)
    paths = paths_of(table, folder)
    if not paths:
        raise BadInput(Mistake(table, "no such file; expected a Parquet file or folder, or a table of Spark's catalog"))
    return session.read.parquet(*(_GLOB.sub(r"\\\1", os.path.abspath(path)) for path in paths))


def columns_of(title: str, frame: Any) -> tuple[Column, ...]:
    """The columns of a table. Raises BadInput where names differ in upper and lower case only."""
    columns = tuple(Column(name, kind) for name, kind in frame.dtypes)
    twice = [one.name for i, one in enumerate(columns) if one.name.lower() in (c.name.lower() for c in columns[:i])]
    if twice:
        what = f"expected names that differ in more than upper and lower case; found {twice[0]} beside another"
        raise BadInput(Mistake(title, what))
    return columns


def with_places(frame: Any) -> Any | None:
    """A table whose rows are in files, of which each knows its place: with both beside them. None for any other."""
    from pyspark.errors import AnalysisException

    try:
        return frame.selectExpr("*", *(f"{place} AS `{name}`" for place, name in zip(_PLACE, PLACE, strict=True)))
    except AnalysisException:
        return None


def facts(source: str, columns: Sequence[Column]) -> exp.Select:
    """One row: whether there is any, and of columns in which there may be a date that has no place elsewhere, whether
    there is."""
    items: list[exp.Expr] = []
    for i, column in enumerate(columns):
        if column.type in ("date", "timestamp", "timestamp_ntz"):
            cell = exp.column(column.name, "stored", quoted=True)
            odd = "coalesce(bool_or(year(x) < 1 OR year(x) > 9999), FALSE)"
            items.append(exp.alias_(fragment(odd, x=cell), f"n{i}"))
    read = exp.table_(source, alias="stored")
    if not items:
        some = exp.select("1").from_(read).limit(1).subquery("some")
        return exp.select(exp.alias_(fragment("count(*) > 0"), "any")).from_(some)
    return exp.select(exp.alias_(fragment("count(*) > 0"), "any"), *items).from_(read)


def insist_dates(title: str, columns: Iterable[Column], told: Mapping[str, Any]) -> None:
    """Raises BadInput for dates that have no place in any type of others."""
    mistakes = [
        Mistake(title, f"{column.name} ({column.type}): expected dates from the year 1 to 9999; found others")
        for i, column in enumerate(columns)
        if told.get(f"n{i}")
    ]
    if mistakes:
        raise BadInput(mistakes)


def before_files(source: str) -> exp.Select:
    """How many rows are in the files before each, by name: files are few, and rows are numbered in parallel."""
    sql = (
        "SELECT file, CAST(coalesce(sum(rows) OVER (ORDER BY file ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), "
        f"0) AS BIGINT) AS before FROM (SELECT `{PLACE[0]}` AS file, count(*) AS rows FROM `{source}` "
        f"GROUP BY `{PLACE[0]}`) AS files"
    )
    found = fragment(sql)
    assert isinstance(found, exp.Select)
    return found


def numbered(cells: Sequence[exp.Expr], source: str, files: str, row: str) -> exp.Select:
    """Cells of a table in files, beside the number of the row."""
    number = exp.alias_(fragment(f"CAST(files.before + stored.`{PLACE[1]}` + 1 AS BIGINT)"), row, quoted=True)
    on = fragment(f"files.file = stored.`{PLACE[0]}`")
    select = exp.select(*cells, number).from_(exp.table_(source, alias="stored"))
    return select.join(exp.table_(files, alias="files"), on=on)
