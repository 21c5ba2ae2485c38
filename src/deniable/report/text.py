"""Text in lines and columns, no wider than the terminal; and numbers as they read well."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections.abc import Sequence

_STEP = re.compile(r"\w+: +deniable ")  # what to type is copied as it stands
_LEAST = 8  # how narrow a column of a table may get


def width() -> int | None:
    """How wide lines may be: as the terminal is; None where there is none, and programs may read."""
    return max(shutil.get_terminal_size().columns, 40) if sys.stdout.isatty() else None


def columns(rows: Sequence[Sequence[str]], indent: str = "  ") -> str:
    """Rows in columns, each as wide as its widest cell; where the terminal is narrower, cells are broken."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    gap, most = 3, width()
    if most is not None and len(indent) + sum(widths) + gap * (len(widths) - 1) > most:
        gap = 2
        widths = _narrowed(rows, widths, most - len(indent) - gap * (len(widths) - 1))
    lines = []
    for row in rows:
        broken = [
            [cell] if len(cell) <= wide else textwrap.wrap(cell, wide) for cell, wide in zip(row, widths, strict=True)
        ]
        for k in range(max(map(len, broken))):
            cells = (part[k] if k < len(part) else "" for part in broken)
            line = (" " * gap).join(cell.ljust(wide) for cell, wide in zip(cells, widths, strict=True))
            lines.append(f"{indent}{line}".rstrip())
    return "\n".join(lines)


def _narrowed(rows: Sequence[Sequence[str]], widths: list[int], most: int) -> list[int]:
    """Columns that are so wide together: the widest give way first, and words are broken last."""
    words = [max((len(word) for row in rows for word in row[i].split()), default=0) for i in range(len(widths))]
    found = list(widths)
    for least in (words, [min(wide, _LEAST) for wide in widths]):
        while sum(found) > most and any(wide > low for wide, low in zip(found, least, strict=True)):
            wide = max(wide for wide, low in zip(found, least, strict=True) if wide > low)
            found[next(i for i, one in enumerate(found) if one == wide and one > least[i])] -= 1
    return found


def fitted(text: str) -> str:
    """Text with its lines broken where the terminal ends; what to type stays on one line."""
    most = width()
    if most is None:
        return text
    lines = []
    for line in text.splitlines():
        indent = line[: len(line) - len(line.lstrip())] + ("  " if not line.startswith("  ") else "")
        is_long = len(line) > most and not _STEP.match(line)
        lines += textwrap.wrap(line, most, subsequent_indent=indent) if is_long else [line]
    return "\n".join(lines)


def probability(value: float | None, at_most: float | None = None) -> str:
    """A probability as few digits as it reads well with; certainty is said in words, an interval as such."""
    if value is None:
        return "no world"
    if at_most is not None and f"{at_most:.4g}" != f"{value:.4g}":
        return f"{value:.4g} to {at_most:.4g}"
    return "1 (certain)" if value == 1 else f"{value:.4g}"
