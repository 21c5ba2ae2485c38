"""A first release file: YAML that a person reads, with the reason of each line behind it. It holds no cell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from shlex import quote
from typing import TYPE_CHECKING

import yaml

from deniable import words
from deniable.words import visible

if TYPE_CHECKING:
    from deniable.analyses.init.draft import Draft

_PLAIN = re.compile(r"(\.{0,2}/)*[^\W\d][\w./-]*( [\w./-]+)*")
_WORDS = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"}  # that YAML takes for something else
_BREACH = "nobody who reads the views may be surer of somebody's value than of a coin"
_CROWD = "somebody who knows all other columns must take at least so many people for the same"


def text(draft: Draft) -> str:
    """The whole file."""
    return "\n".join((*_head(draft), "", *_table(draft), *_roles(draft), "", *_views(draft), "", *_require(draft), ""))


def scalar(value: str) -> str:
    """A name or a path: as it is where YAML takes it so, else in quotes."""
    is_plain = _PLAIN.fullmatch(value) and value.isprintable() and value.lower() not in _WORDS
    return value if is_plain else _quoted(value)


def _quoted(value: str) -> str:
    """Text in quotes, on one line; in single ones where it has the others."""
    style = "'" if '"' in value and value.isprintable() else '"'
    made = yaml.safe_dump(value, default_style=style, width=float("inf"), allow_unicode=value.isprintable())
    return str(made).rstrip("\n")


def _statement(sql: str) -> str:
    is_plain = sql.isprintable() and ": " not in sql and " #" not in sql and not sql.endswith(":")
    return sql if is_plain else _quoted(sql)


def _line(line: str, why: object = "") -> str:
    """A line with its reason, which stays on it whatever names it holds."""
    told = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in visible(str(why)))
    return f"{line}  # {told}" if told else line


def _head(draft: Draft) -> Iterator[str]:
    profile = draft.proposal.profile
    size = f"{words.count(profile.rows, 'row')}, {words.count(len(profile.columns), 'column')}"
    yield _line("#", f"A first release file for {profile.table} ({size}), as `deniable init` proposes it.")[3:]
    yield "# Behind # stands why a line is as it is; all of them are yours to change. Then ask again:"
    yield _line("#", f"deniable audit {quote(str(draft.place))}")[3:]


def _table(draft: Draft) -> Iterator[str]:
    written = draft.proposal.profile.written
    yield _line(f"table: {scalar(draft.table)}", "" if draft.table.startswith("/") else "paths begin at this file")
    if draft.has_own_name:
        yield _line(f"name: {scalar(draft.name)}", "what FROM calls it")
    if not written.is_utf8:
        yield _line(f"encoding: {scalar(written.encoding)}", "some of its bytes are no UTF-8 text")
    if draft.proposal.profile.decimal != ".":
        yield _line(f"decimal: {_quoted(draft.proposal.profile.decimal)}", "some of its numbers have decimal commas")


def _roles(draft: Draft) -> Iterator[str]:
    proposal = draft.proposal
    why = {part.column.name: part.why for part in proposal.parts}
    if len(proposal.identifier) == 1:
        yield _line(f"identifier: {scalar(proposal.identifier[0])}", why[proposal.identifier[0]])
    elif proposal.identifier:
        yield "identifier:"
        yield from (_line(f"  - {scalar(name)}", why[name]) for name in proposal.identifier)
    yield _line(f"private: {scalar(proposal.private)}", why[proposal.private])
    if proposal.quasi:
        yield _line("quasi:", "what others may know of people")
        yield from (_line(f"  - {scalar(name)}", why[name]) for name in proposal.quasi)
    if proposal.left_out or proposal.too_many:
        yield "# In no view:"
        yield from (
            _line("#", f"  {part.column.name}: {part.why}").replace("#  # ", "# ", 1) for part in proposal.left_out
        )
        if proposal.too_many:
            yield _line("#", f"  {proposal.too_many}").replace("#  # ", "# ", 1)
    if proposal.types:
        yield "types:"
        words = {"text": "a code is no size", "date": "every cell is a date, and no two become one"}
        yield from (_line(f"  {scalar(name)}: {kind}", words[kind]) for name, kind in proposal.types.items())


def _views(draft: Draft) -> Iterator[str]:
    yield _line("views:", "what would be published; nobody stands beside a value")
    for name, sql in draft.proposal.views(draft.name).items():
        yield f"  {name}: {_statement(sql)}"


def _require(draft: Draft) -> Iterator[str]:
    limits = draft.proposal.require
    yield _line("require:", "what `deniable audit` decides on: usual limits, until you set yours")
    if limits.breach:
        yield _line(f"  breach: {{at_most: {limits.breach.at_most:g}}}", _BREACH)
    if limits.crowd:
        yield _line(f"  crowd: {{at_least: {limits.crowd.at_least}}}", _CROWD)
