"""Markup that cannot be broken by what it holds: text is escaped where it becomes markup, and nowhere else.

A text that was not made here is text, whatever is in it: `<script>`, `{{`, an escape sequence. Words that are written
from right to left are set apart, so that they do not turn what stands beside them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import TypeAlias

from deniable.words import visible

_VOID = {"meta", "br", "hr", "circle", "line", "rect", "path"}  # elements that hold nothing, or here never do
_DRAWN = {"text", "title", "desc", "tspan", "style"}  # that hold characters only
_RIGHT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
_TURNED = re.compile(f"[{_RIGHT}]+(?:[\\s\\d.,:;!?'\"()/-]*[{_RIGHT}]+)*")


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


Child: TypeAlias = "str | int | Iterable[Child] | None"


def element(name: str, /, *children: Child, **attributes: str | float | bool | None) -> Markup:
    """An element. `class_` is the attribute class, `aria_label` is aria-label; what is None or False is left out."""
    told = "".join(
        _attribute(key, value) for key, value in attributes.items() if value is not None and value is not False
    )
    if name in _VOID and not children:
        return Markup(f"<{name}{told}/>" if name not in ("meta", "br", "hr") else f"<{name}{told}>")
    return Markup(f"<{name}{told}>{joined(children, plain=name in _DRAWN)}</{name}>")


def joined(children: Child, *, plain: bool = False) -> Markup:
    """What several parts are together, each text escaped."""
    if children is None:
        return Markup()
    if isinstance(children, Markup):
        return children
    if isinstance(children, (str, int)):
        return _text(str(children), plain=plain)
    return Markup("".join(joined(child, plain=plain) for child in children))


def clipped(text: str, most: int) -> str:
    """A cell in a place that holds so many characters; of a longer one, how long it is is said."""
    if len(text) <= most:
        return text
    tail = f"… ({len(text):,} characters)"
    return f"{text[: max(8, most - len(tail))]}{tail}"


def _attribute(key: str, value: str | float | bool) -> str:
    name = "viewBox" if key == "view_box" else key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{_plain(_number(value))}"'


def _number(value: str | float) -> str:
    """As short as it reads: coordinates have a decimal at the most."""
    return value if isinstance(value, str) else f"{round(value, 1):g}" if abs(value) < 10_000 else f"{value:.0f}"


def _plain(text: str) -> str:
    whole = text.encode("utf-8", "replace").decode("utf-8")  # halves of characters have no bytes
    return escape(visible(whole))


def _text(text: str, *, plain: bool) -> Markup:
    if plain or text.isascii():
        return Markup(_plain(text))
    parts, end = [], 0
    for found in _TURNED.finditer(text):
        parts += [_plain(text[end : found.start()]), f"<bdi>{_plain(found[0])}</bdi>"]
        end = found.end()
    return Markup("".join([*parts, _plain(text[end:])]))
