"""Lists of people for the publisher alone: a file that nobody else may read, all of it or nothing."""

from __future__ import annotations

import csv
import os
import secrets
from collections.abc import Sequence
from pathlib import Path


def save_people(path: str | Path, names: Sequence[str], rows: Sequence[Sequence[str | None]]) -> None:
    """Write a csv file, which its owner alone may read from its first byte on."""
    path = Path(path)
    part = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(names)
            writer.writerows(["" if cell is None else cell for cell in row] for row in rows)
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
