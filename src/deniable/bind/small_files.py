"""Csv files of a few lines that tell what an adversary knows: read line by line, every mistake with its line.

The cells are text; an empty one is nothing. Where the file is not as it should be, its mistakes are collected beside
the numbers of their lines, and the lines that have some are left out.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from deniable.bind.files import lacks
from deniable.engines.tables import read_header
from deniable.errors import BadInput, Mistake
from deniable.words import named

Cells = tuple[str | None, ...]
Wrong = list[tuple[int, Mistake]]


def lines_of(
    path: Path, file: str, wanted: Sequence[str], wrong: Wrong, gone: Callable[[], Mistake]
) -> Iterator[tuple[int, Cells]]:
    """The number of each line, and its cells of the wanted columns. `gone` is the mistake of a file that is not there;
    `file` is what messages call it."""
    if not path.is_file():
        wrong.append((0, gone()))
        return
    try:
        columns, delimiter = read_header(str(path))
    except BadInput as error:
        wrong += [(1, mistake) for mistake in error.mistakes]
        return
    missing = [(1, lacks(file)(name, named(columns, wanted))) for name in wanted if name not in columns]
    if missing:
        wrong += missing
        return
    at = [columns.index(name) for name in wanted]
    try:
        with path.open(newline="", encoding="utf-8-sig") as text:
            reader = csv.reader(text, delimiter=delimiter)
            next(reader)
            for cells in filter(None, reader):
                if len(cells) == len(columns):
                    yield reader.line_num, tuple(cells[i] or None for i in at)
                else:
                    what = f"expected {len(columns)} cells in the row; found {len(cells)}"
                    wrong.append((reader.line_num, Mistake(f"{file}:{reader.line_num}", what)))
    except UnicodeDecodeError:
        wrong.append((1, Mistake(file, "expected UTF-8 text; found other bytes")))
    except csv.Error:
        wrong.append((1, Mistake(file, "expected rows of cells; found a line that cannot be read")))


def number_found(cell: str | None) -> str:
    """A cell that should be a number: one that is none may be of another column, and is not shown."""
    try:
        return f"{float(cell):g}" if cell is not None else "nothing"
    except ValueError:
        return "text"
