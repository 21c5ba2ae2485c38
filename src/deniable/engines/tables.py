"""Reading files as their authors meant them, before any engine sees a row.

The header is read here, so the engine gets column names and a delimiter and never
has to guess: a ragged row is then an error with a line number, not a new dialect.
"""

from __future__ import annotations

import csv
import glob
import os
from dataclasses import dataclass
from pathlib import Path

from deniable.errors import BadInput, Mistake

_SUFFIXES = {".csv": "csv", ".tsv": "csv", ".txt": "csv", ".parquet": "parquet", ".pq": "parquet"}

# Every cell of the column must read like this (and convert) for the type to be taken.
# Numbers with leading zeros or a plus sign are codes, not numbers: 007, 02139, +1.
GUESSES = (
    ("BIGINT", r"-?(0|[1-9][0-9]{0,17})"),
    ("DOUBLE", r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?"),
    ("DATE", r"[0-9]{4}-[0-9]{2}-[0-9]{2}"),
    ("TIMESTAMP", r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?"),
    ("BOOLEAN", r"true|false|True|False|TRUE|FALSE"),
)

SQL_TYPES = {
    "text": "VARCHAR",
    "integer": "BIGINT",
    "number": "DOUBLE",
    "date": "DATE",
    "timestamp": "TIMESTAMP",
    "boolean": "BOOLEAN",
}


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
    full = os.path.join(folder, pattern)
    paths = [full] if os.path.exists(full) else sorted(glob.glob(full, recursive=True))
    if not paths:
        raise BadInput(Mistake(pattern, "no such file; expected a csv, tsv or parquet file"))
    kinds = {_SUFFIXES.get(Path(path).suffix.lower(), "") for path in paths}
    for path in paths:
        _check_readable(path, pattern)
    if len(kinds) > 1:
        raise BadInput(Mistake(pattern, "expected files of one kind; found csv and parquet together"))
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
            what = f"expected the columns of {Path(paths[0]).name}; found other ones"
            raise BadInput(Mistake(f"{path}:1", what))
    return TableFiles(kind, tuple(paths), first[0], first[1])


def _check_readable(path: str, pattern: str) -> None:
    if os.path.isdir(path):
        raise BadInput(Mistake(pattern, "expected a file (or a glob such as part-*.csv); found a directory"))
    try:
        with open(path, "rb") as file:
            if not file.read(1):
                raise BadInput(Mistake(pattern, "expected a header line and rows; found an empty file"))
    except PermissionError:
        raise BadInput(Mistake(pattern, "cannot be read: permission denied")) from None


def read_header(path: str) -> tuple[tuple[str, ...], str]:
    """The column names of a text file and the delimiter they are written with."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            line = file.readline()
            delimiter = "\t" if path.endswith(".tsv") else max(",;\t|", key=line.count)
            file.seek(0)
            names = next(csv.reader(file, delimiter=delimiter), [])
    except UnicodeDecodeError:
        raise BadInput(Mistake(path, "expected UTF-8 text; found other bytes")) from None
    except csv.Error as error:
        raise BadInput(Mistake(f"{path}:1", f"the header cannot be read: {error}")) from None
    mistakes = []
    for position, name in enumerate(names):
        if not name.strip():
            mistakes.append(Mistake(f"{path}:1", f"column {position + 1} has no name"))
        elif name.lower() in (other.lower() for other in names[:position]):
            mistakes.append(Mistake(f"{path}:1", f"two columns are called {name}"))
    if mistakes:
        raise BadInput(mistakes)
    return tuple(names), delimiter
