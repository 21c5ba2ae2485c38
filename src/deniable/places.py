"""Where each part of a release was written, so that a mistake can point at it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Span:
    """The place of one value in a file: its first character, counted from 1."""

    line: int
    column: int
    indent: int = 0  # of the lines of a block scalar
    style: str = ""  # YAML's scalar style: "" plain, quotes, or | and >

    def moved(self, text: str, offset: int) -> tuple[int, int]:
        """The line and column of `text[offset]`, where the style lets us know it."""
        before = text[:offset]
        if self.style == "|":
            last = before.rsplit("\n", 1)[-1]
            return self.line + 1 + before.count("\n"), self.indent + len(last) + 1
        if self.style in ("", "'", '"') and "\n" not in text:
            return self.line, self.column + len(self.style) + offset
        return self.line, self.column


@dataclass(frozen=True)
class Places:
    """File positions by path: ("views", "people") -> line 6, column 11."""

    file: str = ""
    spans: Mapping[Path, Span] = field(default_factory=dict)

    def at(self, *path: str | int) -> str:
        """`file:line:column` of a value, or its dotted path when it came from Python."""
        span = self.spans.get(path)
        if span is None:
            dotted = ".".join(str(part) for part in path)
            return f"{self.file}: {dotted}" if self.file else dotted
        return f"{self.file}:{span.line}:{span.column}"

    def within(self, path: Path, text: str, offset: int) -> str:
        """The place of one character inside a value, such as a column inside a SELECT."""
        span = self.spans.get(path)
        if span is None:
            return self.at(*path)
        line, column = span.moved(text, offset)
        return f"{self.file}:{line}:{column}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` (did you mean name?)` for the known word that is closest, if any is close."""
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    if not close:
        lowered = {other.lower(): other for other in known}
        close = [lowered[word.lower()]] if word.lower() in lowered else []
    return f" (did you mean {close[0]}?)" if close else ""


def underline(text: str, start: int, end: int) -> str:
    """The line of `text` that holds [start, end), with the part marked beneath it."""
    first = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", start)
    line = text[first:] if stop < 0 else text[first:stop]
    width = max(1, min(end, first + len(line)) - start)
    return f"    {line}\n    {' ' * (start - first)}{'^' * width}"
