"""The part of a page that a script writes: between two marks, tables in Markdown."""

from __future__ import annotations

from collections.abc import Sequence

START, END = "<!-- measured -->", "<!-- end of what was measured -->"


def markdown(head: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    """A table."""
    lines = [head, ["---"] * len(head), *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def put_into(page: str, text: str) -> str:
    """The page with another text between its marks."""
    before, rest = page.split(START)
    _, after = rest.split(END)
    return f"{before}{START}\n\n{text}\n\n{END}{after}"
