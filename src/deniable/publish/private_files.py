"""Lists of people for the publisher alone: a file that nobody else may read, all of it or nothing."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from deniable.private_folders import private_folder


def people_text(names: Sequence[str], rows: Iterable[Sequence[str | None]]) -> str:
    """What is in such a file."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(["" if cell is None else cell for cell in row] for row in rows)
    return text.getvalue()


def save_people(path: str | Path, names: Sequence[str], rows: Sequence[Sequence[str | None]]) -> None:
    """Write a csv file, which its owner alone may read from its first byte on."""
    path = Path(path)
    with private_folder(path.parent) as folder:
        handle = os.open(folder / "people.csv", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", newline="", encoding="utf-8") as file:
            file.write(people_text(names, rows))
        os.replace(folder / "people.csv", path)
