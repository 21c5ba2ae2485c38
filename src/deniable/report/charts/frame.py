"""What charts share: the place they have, axes, ticks, and how numbers are written on them.

A chart is a value with the numbers in it; its drawing is SVG with a title and a description, coloured by classes that
the page's style knows. It is as wide as a phone, so that its letters can be read there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from hashlib import sha256

from deniable.frozen import frozen
from deniable.report.markup import Child, Markup, clipped, element

WIDTH = 400.0
LETTER = 7.0  # how wide one is, about
_SAID = 600  # characters of what a chart says of itself


@frozen
class Frame:
    """The inside of a chart: from `left` to `right`, from `top` to `bottom`."""

    left: float
    right: float
    top: float
    bottom: float

    def x(self, share: float) -> float:
        """Where a share of the width is."""
        return self.left + share * (self.right - self.left)

    def y(self, share: float) -> float:
        """Where a share of the height is, counted from below."""
        return self.bottom - share * (self.bottom - self.top)


def drawing(title: str, told: str, height: float, *parts: Child, kind: str = "", width: float = WIDTH) -> Markup:
    """The whole: what it is and what it says can be read aloud."""
    title, told = clipped(title, _SAID), clipped(told, _SAID)
    said = "\0".join((title, told, f"{height:g}")).encode("utf-8", "replace")
    key = f"c{sha256(said).hexdigest()[:10]}"
    return element(
        "svg",
        element("title", title, id=f"{key}t"),
        element("desc", told, id=f"{key}d"),
        parts,
        class_=f"chart {kind}".strip(),
        view_box=f"0 0 {width:g} {height:g}",
        role="img",
        aria_labelledby=f"{key}t {key}d",
        xmlns="http://www.w3.org/2000/svg",
    )


def label(x: float, y: float, text: str, anchor: str = "start", class_: str = "") -> Markup:
    """Letters; `anchor`: start, middle or end."""
    return element("text", text, x=x, y=y, text_anchor=None if anchor == "start" else anchor, class_=class_ or None)


def rule(x1: float, y1: float, x2: float, y2: float, class_: str) -> Markup:
    """A line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def limit_across(frame: Frame, share: float, text: str) -> Markup:
    """An upright limit, and its name at the side where there is room."""
    x = frame.x(share)
    beside, anchor = (x + 4, "start") if share < 0.7 else (x - 4, "end")
    return Markup(
        rule(x, frame.top - 14, x, frame.bottom, "limit") + label(beside, frame.top - 4, text, anchor, "limit-name")
    )


def limit_along(frame: Frame, share: float, text: str) -> Markup:
    """A limit that lies."""
    y = frame.y(share)
    above = y - 5 if share < 0.85 else y + 14
    return Markup(rule(frame.left, y, frame.right, y, "limit") + label(frame.right, above, text, "end", "limit-name"))


def across(frame: Frame, ticks: Sequence[tuple[float, str]], name: str) -> Markup:
    """The axis below: places in the width with what they are called, and what is measured."""
    parts = [rule(frame.left, frame.bottom, frame.right, frame.bottom, "axis")]
    for share, text in ticks:
        x = frame.x(share)
        parts += [
            rule(x, frame.bottom, x, frame.bottom + 4, "axis"),
            label(x, frame.bottom + 17, text, "middle", "tick"),
        ]
    return Markup(
        "".join([*parts, label((frame.left + frame.right) / 2, frame.bottom + 35, name, "middle", "axis-name")])
    )


def upwards(frame: Frame, ticks: Sequence[tuple[float, str]], name: str) -> Markup:
    """The axis at the left, with lines across; its name stands above it."""
    parts = [label(4, 13, name, "start", "axis-name")]
    for share, text in ticks:
        y = frame.y(share)
        parts += [rule(frame.left, y, frame.right, y, "grid"), label(frame.left - 6, y + 4, text, "end", "tick")]
    return Markup("".join(parts))


CHANCES = tuple((k / 4, f"{k / 4:g}") for k in range(5))  # where a chance has ticks


def whole_ticks(most: float) -> tuple[float, list[tuple[float, str]]]:
    """The end of an axis of counts, and its ticks as shares of it: two to five, at round numbers."""
    top = max(most, 1.0)
    step = 10 ** math.floor(math.log10(top))
    step = next(one for one in (step / 5, step / 2, step, 2 * step, 5 * step) if top / one <= 4)
    step = max(step, 1.0)
    end = step * math.ceil(top / step)
    return end, [(k * step / end, short(k * step)) for k in range(round(end / step) + 1)]


def share_ticks(most: float) -> tuple[float, list[tuple[float, str]]]:
    """The same for shares of people, in per cent."""
    top = min(max(most, 1e-3), 1.0)
    step = 10 ** math.floor(math.log10(top))
    step = next(one for one in (step / 5, step / 2, step, 2 * step, 5 * step) if top / one <= 4)
    end = min(step * math.ceil(round(top / step, 9)), 1.0)
    return end, [(k * step / end, f"{100 * k * step:.4g} %") for k in range(int(round(end / step, 9)) + 1)]


def short(count: float) -> str:
    """12,000 as 12k, where it must be short."""
    for size, name in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if count >= size:
            return f"{count / (1e3 if name == 'k' else size):.3g}{name}"
    return f"{count:,.4g}" if count >= 1_000 else f"{count:.4g}"


def chance(value: float) -> str:
    """A probability, a limit or an end of an interval on a chart."""
    return f"{value:.3g}"


def interval_text(low: float, high: float | None) -> str:
    """One number, or from which to which."""
    return chance(low) if high is None or chance(high) == chance(low) else f"{chance(low)} to {chance(high)}"
