"""Where a row stands in its file."""

from __future__ import annotations

from pathlib import Path

from deniable.engines.tables import find_files, line_of


def place(path: str | Path, row: int, folder: Path = Path()) -> str:
    """`file:line` of a row, counted from 1 behind the header; its number where a file has no lines."""
    files = find_files(path, folder)
    if files.kind != "csv" or len(files.paths) > 1:
        return f"{path}: row {row}"
    return f"{path}:{line_of(files.paths[0], files.delimiter, row + 1)}"
