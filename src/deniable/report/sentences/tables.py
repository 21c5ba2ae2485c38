"""What is said of how a table was read."""

from __future__ import annotations

_MANY = {
    "integer": "whole numbers",
    "number": "numbers",
    "date": "dates",
    "timestamp": "timestamps",
    "boolean": "booleans",
}


def read_as_text(column: str, kind: str, merged: int) -> str:
    """Cells that look like something else, and would not come back from it as they were written."""
    equal = f", and {_different(merged)}" if merged else ""
    return (
        f"{column} is read as text: as {_MANY[kind]} its cells would not all be written the same way again{equal} "
        f"(types: {{{column}: {kind}}} reads them as {_MANY[kind]} all the same)"
    )


def read_as_told(column: str, kind: str, merged: int) -> str:
    """Cells that `types` makes equal."""
    return f"{column} is read as {_MANY[kind]}, since types says so: {_different(merged)}"


def decimal_commas(column: str) -> str:
    """Numbers as much of the world writes them."""
    return f'{column} is read as text: its numbers have decimal commas (decimal: "," reads them as numbers)'


def _different(merged: int) -> str:
    """How many come to equal others."""
    are, become = ("is", "becomes") if merged == 1 else ("are", "become")
    return f"{merged:,} that {are} written differently {become} equal"
