"""Reading files as their authors meant them, before any engine sees a row.

The header is read here, so the engine gets column names and a delimiter and never
has to guess: a ragged row is then an error with a line number, not a new dialect.
"""

from __future__ import annotations

import csv
import glob
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from deniable.engines.dialect import ColumnType, column_type
from deniable.errors import BadInput, Mistake

_SUFFIXES = {".csv": "csv", ".tsv": "csv", ".txt": "csv", ".parquet": "parquet", ".pq": "parquet"}

SQL_TYPES = {
    "text": "VARCHAR",
    "integer": "BIGINT",
    "number": "DOUBLE",
    "date": "DATE",
    "timestamp": "TIMESTAMP",
    "boolean": "BOOLEAN",
}


def type_of(word: str) -> ColumnType:
    """The type that a word of `types` stands for."""
    return column_type(SQL_TYPES[word])


def is_text_file(table: object) -> bool:
    """Whether a table is in text files, in which columns have no types of their own."""
    return isinstance(table, (str, os.PathLike)) and _SUFFIXES.get(Path(table).suffix.lower()) == "csv"


@dataclass(frozen=True)
class TableFiles:
    """The files behind `table:`; for text files also their common header."""

    kind: str  # csv or parquet
    paths: tuple[str, ...]
    columns: tuple[str, ...] = ()
    delimiter: str = ","


def find_files(table: str | os.PathLike[str], folder: Path) -> TableFiles:
    """Resolve a path or glob. Raises BadInput when there is nothing readable there."""
    pattern = os.fspath(table)
    full = pattern if folder == Path() else os.path.join(folder, pattern)
    paths = [full] if os.path.exists(full) else sorted(glob.glob(full, recursive=True))
    if not paths:
        raise BadInput(Mistake(pattern, "no such file; expected a csv, tsv or parquet file"))
    kinds = {_SUFFIXES.get(Path(path).suffix.lower(), "") for path in paths}
    for path in paths:
        _check_readable(path, pattern)
    if len(kinds) > 1:
        found = ", ".join(sorted({Path(path).suffix or "no ending" for path in paths}))
        raise BadInput(Mistake(pattern, f"expected files of one kind; found {found}"))
    kind = kinds.pop()
    if not kind:
        found = Path(paths[0]).suffix or "no ending"
        raise BadInput(Mistake(pattern, f"expected a file that ends in .csv, .tsv or .parquet; found {found}"))
    if kind == "parquet":
        return TableFiles(kind, tuple(paths))
    headers = {path: read_header(path) for path in paths}
    first = headers[paths[0]]
    for path, header in headers.items():
        if header != first:
            wanted, found = (mark.join(names) for names, mark in (first, header))
            what = f"expected the header of {Path(paths[0]).name}, {wanted}; found {found}"
            raise BadInput(Mistake(f"{path}:1", what))
    return TableFiles(kind, tuple(paths), first[0], first[1])


def _check_readable(path: str, pattern: str) -> None:
    if os.path.isdir(path):
        raise BadInput(Mistake(pattern, "expected a file (or a glob such as part-*.csv); found a directory"))
    try:
        with open(path, "rb") as file:
            if not file.read(1):
                raise BadInput(Mistake(pattern, "expected a table; found an empty file"))
    except PermissionError:
        raise BadInput(Mistake(pattern, "expected a file that may be read; found no permission to")) from None


def read_header(path: str) -> tuple[tuple[str, ...], str]:
    """The column names of a text file and the delimiter they are written with."""
    try:
        with _opened(path) as file:
            line = re.sub(r'"[^"]*"', "", file.readline())
            delimiter = "\t" if path.lower().endswith(".tsv") else max(",;\t|", key=line.count)
            file.seek(0)
            names = next(csv.reader(file, delimiter=delimiter, strict=True), [])
    except csv.Error as error:
        raise BadInput(
            Mistake(f"{path}:1", f"expected column names; found a line that cannot be read: {error}")
        ) from None
    if not names:
        raise BadInput(Mistake(f"{path}:1", "expected column names; found an empty line"))
    mistakes = []
    for position, name in enumerate(names):
        if not name.isascii() and name.encode("utf-8", "replace") != name.encode("utf-8", "surrogateescape"):
            what = f"expected UTF-8 text; found other bytes in the name of column {position + 1}"
            mistakes.append(Mistake(f"{path}:1", what))
        elif not name.strip():
            mistakes.append(Mistake(f"{path}:1", f"expected a name for column {position + 1}; found none"))
        elif name.lower() in (other.lower() for other in names[:position]):
            mistakes.append(Mistake(f"{path}:1", f"expected each column once; found {name} twice"))
    if mistakes:
        raise BadInput(mistakes)
    return tuple(names), delimiter


def line_of(path: str, delimiter: str, record: int) -> int:
    """The line on which a record starts: a quoted cell may run over several lines."""
    with _opened(path) as file:
        reader = csv.reader(file, delimiter=delimiter)
        try:
            for _ in range(record - 1):
                next(reader, None)
        except csv.Error:
            return record
        return reader.line_num + 1


def _opened(path: str) -> TextIO:
    """Bytes that are not UTF-8 pass, so that whoever reads that far can say where they are."""
    return open(path, encoding="utf-8-sig", errors="surrogateescape", newline="")
