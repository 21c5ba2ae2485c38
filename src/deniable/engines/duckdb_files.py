"""How DuckDB is told to read and write files, and what its complaints about them come to. No user's name is in it but
those of columns, and no cell."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sqlglot import exp

from deniable.engines.tables import TableFiles, Writing, insist_whole, recode
from deniable.private_folders import private_folder

_COUNTS = re.compile(r"Expected Number of Columns: (\d+) Found: (\d+)")
# In a statement more columns than these take long; beside it, the driver would take `key` and `value` for a map.
_MANY = 100
_RECORD = re.compile(r"CSV Error on Line: (\d+)")


def text_source(
    files: TableFiles, links: Sequence[str], chosen: Collection[str]
) -> tuple[str, dict[str, dict[str, str]]]:
    """Text files with the cells of the chosen columns as text, and what is said beside the statement.

    The others are said to have no type: each name of a type is parsed, which takes longer than all else where columns
    are many.
    """
    read = frozenset(chosen)
    columns = {name: "VARCHAR" if name in read else "NULL" for name in files.columns}
    beside = {"columns": columns} if len(columns) > _MANY else {}
    written = "$columns" if beside else f"{{{', '.join(f'{_text(name)}: {_text(columns[name])}' for name in columns)}}}"
    source = (
        f"read_csv({_list(links)}, header = TRUE, delim = {_text(files.delimiter)}, quote = '\"', escape = '\"', "
        f"columns = {written}, allow_quoted_nulls = FALSE, auto_detect = FALSE, hive_partitioning = FALSE)"
    )
    return source, beside


def parquet_source(links: Sequence[str]) -> str:
    """Parquet files with the types that they have."""
    return f"read_parquet({_list(links)}, hive_partitioning = FALSE)"


def whole_file(files: TableFiles, link: str) -> tuple[str, dict[str, dict[str, str]]]:
    """A query that reads every cell of one of these files."""
    source, beside = text_source(files, [link], files.columns) if files.kind == "csv" else (parquet_source([link]), {})
    return f"SELECT bit_xor(hash(COLUMNS(*))) FROM {source}", beside


def parquet_fields(link: str) -> str:
    """A query for the fields of a Parquet file, each before those that it is made of, all behind the whole."""
    return f"SELECT name, num_children FROM parquet_schema({_text(link)})"


def parquet_rows(links: Sequence[str]) -> str:
    """A query for how many rows Parquet files say that they have."""
    return f"SELECT coalesce(sum(num_rows), 0) FROM parquet_file_metadata({_list(links)})"


def outermost(fields: Sequence[tuple[str, int | None]]) -> list[str]:
    """Of these fields the columns."""
    names, inside = [], 0
    for name, children in fields[1:]:
        if inside:
            inside += (children or 0) - 1
        else:
            names.append(name)
            inside = children or 0
    return names


def selected(columns: Sequence[str]) -> str:
    """Columns by name, for a SELECT."""
    return ", ".join(f'"{name.replace(chr(34), 2 * chr(34))}"' for name in columns)


def _list(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(_text, texts))}]"


def _text(text: str) -> str:
    return f"'{text.replace(chr(39), 2 * chr(39))}'"


def copy_into(query: exp.Query, pipe: Path) -> exp.Copy:
    """COPY into a pipe that is there: of its own accord the database would write to a file beside it first."""
    chosen = {"FORMAT": exp.var(pipe.suffix[1:]), "USE_TMP_FILE": exp.false()}
    if pipe.suffix == ".csv":
        chosen["HEADER"] = exp.true()
    return exp.Copy(
        this=query.subquery(),
        kind=False,
        files=[exp.Literal.string(str(pipe))],
        params=[exp.CopyParameter(this=exp.var(name), expression=value) for name, value in chosen.items()],
    )


def record_of(text: str) -> int | None:
    """Which record of a text file a complaint is about, the header being the first."""
    found = _RECORD.search(text)
    return int(found.group(1)) if found else None


def complaint(text: str, files: TableFiles | None) -> str:
    """What was expected and what was found, in our words."""
    counts = _COUNTS.search(text)
    if counts:
        return f"expected {counts.group(1)} cells in the row; found {counts.group(2)}"
    if "unterminated quote" in text:
        return "expected a closing quote at the end of the cell; found none"
    if "not utf-8" in text:
        return "expected UTF-8 text; found other bytes"
    if "line size" in text:
        return "expected lines of at most 2,000,000 bytes; found a longer one"
    if "state machine" in text:
        return "expected lines that all end alike, and quotes only around whole cells; found others"
    kind = f"a {files.kind} file" if files else "a frame, an Arrow table or a DuckDB relation"
    return f"expected {kind}; found something else"


@contextmanager
def as_utf8(files: TableFiles, written: Writing) -> Iterator[list[str]]:
    """The paths of text files as the engine reads them: for as long as that takes, copies in a private folder."""
    if written.is_utf8:
        yield list(files.paths)
        insist_whole(files.paths)
        return
    with private_folder() as folder:
        yield recode(files.paths, written, folder)
