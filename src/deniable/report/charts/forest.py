"""Intervals below each other on one scale of chances, each beside its limit."""

from __future__ import annotations

from deniable.frozen import frozen
from deniable.report.charts.frame import (
    CHANCES,
    LETTER,
    WIDTH,
    Frame,
    across,
    chance,
    drawing,
    interval_text,
    label,
    rule,
)
from deniable.report.charts.histogram import interval
from deniable.report.markup import Markup, element

_ROW = 42.0


@frozen
class Interval:
    """What is proved of a chance, and the limit on it."""

    name: str
    low: float
    high: float
    limit: float | None = None
    before: float | None = None  # what it was before a change

    @property
    def is_over(self) -> bool:
        """Whether the limit is, or may be, exceeded."""
        return self.limit is not None and self.high > self.limit


@frozen
class Forest:
    """Intervals with names; a dashed line at each one's limit."""

    title: str
    axis: str
    intervals: tuple[Interval, ...]

    def told(self) -> str:
        """What is to be seen, in words."""
        return "; ".join(f"{one.name}: {interval_text(one.low, one.high)}{_limit(one)}" for one in self.intervals) + "."

    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The numbers, with a heading."""
        lines = ((one.name, interval_text(one.low, one.high), "" if one.limit is None else f"{one.limit:g}")
                 for one in self.intervals)  # fmt: skip
        return (("", self.axis, "limit"), *lines)

    def svg(self) -> Markup:
        """The drawing."""
        frame = Frame(14, WIDTH - 14, 8, 12 + len(self.intervals) * _ROW)
        parts = [rule(frame.x(share), frame.top, frame.x(share), frame.bottom, "grid") for share, _ in CHANCES]
        for k, one in enumerate(self.intervals):
            y = frame.top + 32 + k * _ROW
            room = int((frame.right - frame.left - 110) / LETTER)
            name = one.name if len(one.name) <= room else f"{one.name[: room - 1]}…"
            parts += [label(frame.left, y - 13, name, "start", "name")]
            parts += [label(frame.right, y - 13, interval_text(one.low, one.high), "end", "value")]
            parts += [rule(frame.left, y, frame.right, y, "axis")]
            if one.limit is not None:
                parts += [rule(frame.x(one.limit), y - 10, frame.x(one.limit), y + 8, "limit")]
            if one.before is not None:
                parts += [element("circle", cx=frame.x(one.before), cy=y, r=5, class_="ring")]
            parts += interval(frame.x(one.low), frame.x(one.high), y, over=one.is_over)
        return drawing(self.title, self.told(), frame.bottom + 44, parts, across(frame, CHANCES, self.axis))


def _limit(one: Interval) -> str:
    before = "" if one.before is None else f", before {chance(one.before)}"
    return before if one.limit is None else f"{before}, beside a limit of {one.limit:g}"
