"""Where each part of a release was written, so that a mistake can point at it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field

from deniable.frozen import frozen

Path = tuple[str | int, ...]

# How one visible character is written, by YAML's scalar style; an escape without a group is white space.
_WRITTEN = {
    "'": re.compile(r"(''|\S)"),
    '"': re.compile(r"\\[ntr\s]|(\\x..|\\u.{4}|\\U.{8}|\\.|\S)", re.DOTALL),
}
_PLAIN = re.compile(r"(\S)")


@frozen
class Span:
    """The place of one value in a file: its first character, counted from 1."""

    line: int
    column: int
    raw: str = ""  # a scalar as it was written, with its quotes and its indentation
    style: str = ""  # YAML's scalar style: "" plain, quotes, or | and >

    def moved(self, text: str, offset: int) -> tuple[int, int]:
        """The line and column of `text[offset]`, found again in what was written.

        YAML changes only white space and escapes, so counting the other characters finds it.
        """
        wanted = sum(not character.isspace() for character in text[:offset])
        for seen, at in enumerate(self._visible()):
            if seen == wanted:
                start = self.raw.rfind("\n", 0, at) + 1
                column = at - start + 1 if start else self.column + at
                return self.line + self.raw.count("\n", 0, at), column
        return self.line, self.column

    def _visible(self) -> Iterator[int]:
        opening = self.raw.find("\n") + 1 if self.style in ("|", ">") else len(self.style)
        for unit in _WRITTEN.get(self.style, _PLAIN).finditer(self.raw, opening):
            if unit.group(1):
                yield unit.start()


@frozen
class Locations:
    """File positions by path: ("views", "people") -> line 6, column 11."""

    file: str = ""
    spans: Mapping[Path, Span] = field(default_factory=dict)

    def at(self, *path: str | int) -> str:
        """`file:line:column` of a value, or its dotted path when it came from Python."""
        span = self.spans.get(path)
        if span is None:
            dotted = ".".join(str(part) for part in path if part != "<key>")
            return f"{self.file}: {dotted}" if self.file else dotted
        return f"{self.file}:{span.line}:{span.column}"

    def within(self, path: Path, text: str, offset: int) -> str:
        """The place of one character inside a value, such as a column inside a SELECT."""
        span = self.spans.get(path)
        if span is None:
            return self.at(*path)
        line, column = span.moved(text, offset)
        return f"{self.file}:{line}:{column}"
