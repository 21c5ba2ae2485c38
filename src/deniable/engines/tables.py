"""Reading files as their authors meant them, before any engine sees a row.

The header is read here, so the engine gets column names and a delimiter and never
has to guess: a ragged row is then an error with a line number, not a new dialect.
"""

from __future__ import annotations

import codecs
import csv
import glob
import gzip
import io
import os
import re
import zlib
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, BinaryIO, TextIO, cast

from deniable.engines.dialect import ColumnType, column_type
from deniable.errors import BadInput, Mistake
from deniable.frozen import frozen

_SUFFIXES = {".csv": "csv", ".tsv": "csv", ".txt": "csv", ".parquet": "parquet", ".pq": "parquet"}
_PACKED = (".gz", ".zst")
_SHEETS = (".xlsx", ".xls", ".ods")
BROKEN = (EOFError, OSError, zlib.error)  # what unpacking says of other bytes
_BLOCK = 1 << 20  # characters that are recoded at once


@frozen
class Writing:
    """How a text file is written."""

    encoding: str = "utf-8"
    decimal: str = "."

    @property
    def is_utf8(self) -> bool:
        """Whether engines read it as it is."""
        return codecs.lookup(self.encoding).name in ("utf-8", "utf-8-sig", "ascii")


PLAIN = Writing()

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
    return isinstance(table, (str, os.PathLike)) and _SUFFIXES.get(_suffix(os.fspath(table))) == "csv"


def is_short(paths: Collection[str], most: int) -> bool:
    """Whether these are files that are text as it stands, of so many bytes in all: packed ones may hold any number of
    rows."""
    try:
        return bool(paths) and all(map(_is_plain, paths)) and sum(Path(path).stat().st_size for path in paths) <= most
    except OSError:
        return False


def _is_plain(path: str) -> bool:
    return _SUFFIXES.get(_ending(path.lower())[1]) == "csv"


def is_table_file(path: object) -> bool:
    """Whether a name ends as only tables do; a .txt file may be anything."""
    return isinstance(path, (str, os.PathLike)) and _suffix(os.fspath(path)) in _SUFFIXES.keys() - {".txt"}


def _suffix(path: str) -> str:
    """How a file's name ends, whatever it is packed with."""
    name, last = _ending(Path(path).name.lower())
    inner = _ending(name)[1]
    return inner if last in _PACKED and _SUFFIXES.get(inner) == "csv" else last


def _ending(name: str) -> tuple[str, str]:
    """A name up to its last point, and what begins there."""
    before, point, after = name.rpartition(".")
    return (before, point + after) if point else (name, "")


@frozen
class TableFiles:
    """The files behind `table:`; for text files also their common header."""

    kind: str  # csv or parquet
    paths: tuple[str, ...]
    columns: tuple[str, ...] = ()
    delimiter: str = ","


def find_files(table: str | os.PathLike[str], folder: Path, written: Writing = PLAIN) -> TableFiles:
    """Resolve a path or glob. Raises BadInput when there is nothing readable there."""
    pattern = os.fspath(table)
    paths = paths_of(table, folder)
    if not paths:
        raise _no_file(pattern)
    kinds = {_SUFFIXES.get(_suffix(path), "") for path in paths}
    for path in paths:
        _check_readable(path, pattern)
    if len(kinds) > 1:
        found = ", ".join(sorted({Path(path).suffix or "no ending" for path in paths}))
        raise BadInput(Mistake(pattern, f"expected files of one kind; found {found}"))
    kind = kinds.pop()
    if not kind:
        found = Path(paths[0]).suffix or "no ending"
        if found.lower() in _SHEETS:
            found += " (save the sheet as .csv, or in Python read it with pandas.read_excel and hand over the frame)"
        raise BadInput(Mistake(pattern, f"expected a file that ends in .csv, .tsv or .parquet; found {found}"))
    if kind == "parquet":
        return TableFiles(kind, tuple(paths))
    headers = {path: read_header(path, written) for path in paths}
    first = headers[paths[0]]
    for path, header in headers.items():
        if header != first:
            what = f"expected the header of {Path(paths[0]).name}; found {_other_header(first, header)}"
            raise BadInput(Mistake(f"{path}:1", what))
    return TableFiles(kind, tuple(paths), first[0], first[1])


def paths_of(table: str | os.PathLike[str], folder: Path) -> list[str]:
    """The file of exactly this name; only where there is none, the files that the name matches as a glob."""
    name = os.fspath(table)
    full = name if folder == Path() else os.path.join(folder, name)
    return [full] if os.path.exists(full) else sorted(glob.glob(_as_glob(full), recursive=True))


def _as_glob(path: str) -> str:
    """A name as a glob in which folders that there are stand for themselves."""
    parts = Path(path).parts
    for count in range(len(parts) - 1, 0, -1):
        head = Path(*parts[:count])
        if os.path.isdir(head):
            return os.path.join(glob.escape(str(head)), *parts[count:])
    return path


def _no_file(pattern: str) -> BadInput:
    return BadInput(Mistake(pattern, "no such file; expected a csv, tsv or parquet file"))


def _other_header(first: tuple[Sequence[str], str], other: tuple[Sequence[str], str]) -> str:
    """What differs in a first line, which may be a row, and so is not shown."""
    (wanted, mark), (found, other_mark) = first, other
    if mark != other_mark:
        return f"{other_mark!r} between cells instead of {mark!r}"
    if len(wanted) != len(found):
        return f"{len(found):,} columns instead of {len(wanted):,}"
    return f"another name for column {next(i for i, name in enumerate(wanted, 1) if name != found[i - 1])}"


def _check_readable(path: str, pattern: str) -> None:
    if os.path.isdir(path):
        raise BadInput(Mistake(pattern, "expected a file (or a glob such as part-*.csv); found a directory"))
    if not os.path.exists(path):  # a link that leads nowhere
        raise _no_file(pattern)
    if not Path(path).is_file():
        raise BadInput(Mistake(pattern, "expected a file; found something that is none, such as a pipe"))
    try:
        with open(path, "rb") as file:
            if not file.read(1):
                raise BadInput(Mistake(pattern, "expected a table; found an empty file"))
    except PermissionError:
        raise BadInput(Mistake(pattern, "expected a file that may be read; found no permission to")) from None


def read_header(path: str, written: Writing = PLAIN) -> tuple[tuple[str, ...], str]:
    """The column names of a text file and the delimiter they are written with."""
    try:
        with _opened(path, written) as file:
            line = re.sub(r'"[^"]*"', "", file.readline())
        delimiter = "\t" if _suffix(path) == ".tsv" else max(",;\t|", key=line.count)
        with _opened(path, written) as file:
            names = next(csv.reader(file, delimiter=delimiter, strict=True), [])
    except UnicodeError:
        raise BadInput(Mistake(f"{path}:1", f"expected {written.encoding} text; found other bytes")) from None
    except BROKEN:
        raise _otherwise_packed(path) from None
    except csv.Error as error:
        raise BadInput(
            Mistake(f"{path}:1", f"expected column names; found a line that cannot be read: {error}")
        ) from None
    if not names:
        raise BadInput(Mistake(f"{path}:1", "expected column names; found an empty line"))
    mistakes = []
    seen: dict[str, int] = {}
    for position, name in enumerate(names):
        if not name.isascii() and name.encode("utf-8", "replace") != name.encode("utf-8", "surrogateescape"):
            what = f"expected UTF-8 text; found other bytes in the name of column {position + 1}"
            mistakes.append(Mistake(f"{path}:1", what))
        elif not name.strip():
            mistakes.append(Mistake(f"{path}:1", f"expected a name for column {position + 1}; found none"))
        elif name.lower() in seen:
            what = f"expected each column once; found one name for columns {seen[name.lower()]} and {position + 1}"
            mistakes.append(Mistake(f"{path}:1", what))
        seen.setdefault(name.lower(), position + 1)
    if mistakes:
        raise BadInput(mistakes)
    return tuple(names), delimiter


def of_columns(table: Any, columns: Collection[str] | None) -> Any:
    """A frame or an Arrow table with these columns alone, where it can tell them apart by these names."""
    names = getattr(table, "column_names", None) or getattr(table, "columns", None)
    names = list(getattr(table, "schema", ())) if names is None else list(names)  # a batch has fields only
    names = [getattr(name, "name", name) for name in names]
    chosen = [name for name in names if columns is not None and name in columns]
    if not chosen or len(set(names)) < len(names):
        return table
    return table.select(chosen) if hasattr(table, "select") else table[chosen]


def encoding_of(paths: Sequence[str]) -> str:
    """What text files are written in, as far as their bytes tell: UTF-8 if all are, UTF-16 if the first says so, else
    the encodings of Western Europe, which differ in bytes that one of them has no letters for."""
    if all(map(_is_utf8, paths)):
        return PLAIN.encoding
    with _unpacked(paths[0]) as file:
        if file.read(2) in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            return "utf-16"
    return "cp1252" if any(map(_has_letters_of_windows, paths)) else "latin-1"


def _is_utf8(path: str) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with _unpacked(path) as file:
            while block := file.read(_BLOCK):
                decoder.decode(block)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


_NO_LETTERS = bytes({*range(256)} - {*range(0x80, 0xA0)})


def _has_letters_of_windows(path: str) -> bool:
    with _unpacked(path) as file:
        return any(block.translate(None, _NO_LETTERS) for block in iter(lambda: file.read(_BLOCK), b""))


def recode(paths: Sequence[str], written: Writing, folder: Path) -> list[str]:
    """Files as UTF-8 in a private folder, for engines that read nothing else. Raises BadInput for other bytes."""
    made = []
    for number, path in enumerate(paths):
        made.append(str(folder / f"{number}.csv"))
        with _opened(path, written) as file, open(made[-1], "w", encoding="utf-8", newline="", opener=_private) as copy:
            while block := _block(file, path, written):
                copy.write(block)
    return made


def insist_whole(paths: Sequence[str]) -> None:
    """That what was unpacked is what was packed: the engine does not ask .gz files for their checksums. Raises
    BadInput."""
    for path in paths:
        if Path(path).suffix.lower() == ".gz":
            try:
                with gzip.open(path) as file:
                    while file.read(_BLOCK):
                        pass
            except BROKEN:
                raise _otherwise_packed(path) from None


def _block(file: TextIO, path: str, written: Writing) -> str:
    try:
        return file.read(_BLOCK)
    except UnicodeError:
        raise BadInput(Mistake(path, f"expected {written.encoding} text; found other bytes")) from None
    except BROKEN:
        raise _otherwise_packed(path) from None


def _otherwise_packed(path: str) -> BadInput:
    return BadInput(Mistake(path, f"expected a file packed as {Path(path).suffix} is; found another"))


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def line_of(path: str, delimiter: str, record: int, written: Writing = PLAIN) -> int:
    """The line on which a record starts: a quoted cell may run over several lines."""
    with _opened(path, written) as file:
        reader = csv.reader(file, delimiter=delimiter)
        try:
            for _ in range(record - 1):
                next(reader, None)
        except (csv.Error, *BROKEN):
            return record
        return reader.line_num + 1


def _opened(path: str, written: Writing = PLAIN) -> TextIO:
    """Bytes that are not UTF-8 pass where that is expected, so that whoever reads that far can say where they are."""
    encoding, errors = ("utf-8-sig", "surrogateescape") if written.is_utf8 else (written.encoding, "strict")
    return io.TextIOWrapper(_unpacked(path), encoding, errors, newline="")


def _unpacked(path: str) -> BinaryIO:
    """The bytes of a file, whatever it is packed with."""
    packed = Path(path).suffix.lower()
    if packed == ".gz":
        return cast(BinaryIO, gzip.open(path))
    if packed == ".zst":
        import pyarrow as pa

        return cast(BinaryIO, pa.input_stream(path, compression="zstd"))
    return open(path, "rb")
