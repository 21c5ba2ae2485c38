"""Where each part of a release was written, so that a mistake can point at it."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

Path = tuple[str | int, ...]

# How one visible character is written, by YAML's scalar style; an escape without a group is white space.
_WRITTEN = {
    "'": re.compile(r"(''|\S)"),
    '"': re.compile(r"\\[ntr\s]|(\\x..|\\u.{4}|\\U.{8}|\\.|\S)", re.DOTALL),
}
_PLAIN = re.compile(r"(\S)")

# Quoted names, which are kept, then what SQL constants look like: text in all its quotes, and numbers.
_CONSTANT = re.compile(
    r"""("(?:[^"]|"")*")|\$(\w*)\$.*?(?:\$\2\$|\Z)|[eE]'(?:[^'\\]|\\.|'')*'?|'(?:[^']|'')*'?|(?<![\w.])\.?\d[\w.]*""",
    re.DOTALL,
)

_MOST = 80  # characters of a line that are shown before, in and after the part that is marked


@dataclass(frozen=True)
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
    known = list(known)
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    if not close:
        lowered = {other.lower(): other for other in known}
        close = [lowered[word.lower()]] if word.lower() in lowered else []
    return f" (did you mean {close[0]}?)" if close else ""


def underline(sql: str, start: int, end: int) -> str:
    """The line of `sql` that holds [start, end), with the part marked beneath it.

    Constants are shown as `?`, since they may be cells of the private column.
    """
    before, marked, after = (
        _CONSTANT.sub(lambda found: found.group(1) or "?", part).replace("\t", " ")
        for part in (sql[:start], sql[start:end], sql[end:])
    )
    before = before.rpartition("\n")[2]
    marked, broken, _ = marked.partition("\n")
    after = "" if broken else after.partition("\n")[0]
    if len(before) > _MOST:
        before = f"…{before[1 - _MOST :]}"
    marked, after = (part if len(part) <= _MOST else f"{part[: _MOST - 1]}…" for part in (marked, after))
    return f"    {before}{marked}{after}".rstrip() + f"\n    {' ' * len(before)}{'^' * max(1, len(marked))}"
