"""Probabilities as a histogram, the limit drawn in, and the worst one as the interval that is proved of it."""

from __future__ import annotations

from collections.abc import Sequence

from deniable.analyses.verdict import Band
from deniable.frozen import frozen
from deniable.report.charts.frame import (
    CHANCES,
    WIDTH,
    Frame,
    across,
    drawing,
    interval_text,
    label,
    limit_across,
    rule,
    upwards,
    whole_ticks,
)
from deniable.report.markup import Markup, element

_HEIGHT = 236.0
_FRAME = Frame(46, WIDTH - 12, 40, 168)
_LEAST = 2.5  # a bar that is there is seen


@frozen
class Histogram:
    """How many `things` have a probability in each band; `worst` has both ends of what is proved of the largest."""

    title: str
    things: str
    bands: tuple[Band, ...]
    limit: float
    worst: tuple[float, float] | None = None
    axis: str = "chance that it is true"
    limit_name: str = "limit"

    def told(self) -> str:
        """What is to be seen, in words."""
        over = sum(band.count for band in self.bands if band.low > self.limit)
        total = sum(band.count for band in self.bands)
        near = sum(b.count for b in self.bands if b.low <= self.limit < (1.0 if b.high is None else b.high))
        around = f"; {near:,} in the band that begins at it or holds it (pale)" if near else ""
        name = " the limit of" if self.limit_name else ""
        worst = "" if self.worst is None else f" The largest is {interval_text(*self.worst)}."
        return f"{total:,} {self.things}: {over:,} in bands above{name} {self.limit:g}{around}.{worst}"

    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The numbers, with a heading."""
        filled = (band for band in self.bands if band.count)
        return (("from", "to below", self.things), *((f"{b.low:g}", f"{b.high:g}", f"{b.count:,}") for b in filled))

    def svg(self) -> Markup:
        """The drawing."""
        frame = _FRAME
        end, ticks = whole_ticks(max((band.count for band in self.bands), default=0))
        parts = [element("rect", x=frame.x(self.limit), y=frame.top, width=frame.x(1) - frame.x(self.limit),
                         height=frame.bottom - frame.top, class_="beyond")]  # fmt: skip
        parts += [upwards(frame, ticks, f"{self.things}"), *bars(frame, self.bands, self.limit, end)]
        parts += [
            limit_across(frame, self.limit, f"{self.limit_name} {self.limit:g}".strip()),
            across(frame, CHANCES, self.axis),
        ]
        return drawing(self.title, self.told(), _HEIGHT, parts, self._worst(frame))

    def _worst(self, frame: Frame) -> list[Markup]:
        """A mark below the axis: a point, or where the truth lies between two ends."""
        if self.worst is None:
            return []
        low, high = self.worst
        x1, x2, y = frame.x(low), frame.x(high), frame.bottom + 50
        text = f"worst {interval_text(low, high)}"
        beside, anchor = (x1 - 10, "end") if (low + high) / 2 > 0.5 else (x2 + 10, "start")
        return [*interval(x1, x2, y, over=high > self.limit), label(beside, y + 4, text, anchor, "value")]


def bars(frame: Frame, bands: Sequence[Band], limit: float, end: float) -> list[Markup]:
    """A bar for each band from 0 to 1: beyond the limit, within it, or around it."""
    found = []
    for band in bands:
        if band.count:
            x1, x2 = frame.x(band.low), frame.x(1.0 if band.high is None else band.high)
            height = max(_LEAST, (frame.bottom - frame.top) * band.count / end)
            kind = "over" if band.low > limit else "near" if band.high is None or band.high > limit else "within"
            found.append(
                element("rect", x=x1 + 0.8, y=frame.bottom - height, width=x2 - x1 - 1.6, height=height,
                        class_=f"mark {kind}")
            )  # fmt: skip
    return found


def interval(x1: float, x2: float, y: float, *, over: bool) -> list[Markup]:
    """An interval as such, with its ends; where both are one, a point."""
    kind = "over" if over else "within"
    if x2 - x1 < 3:
        return [element("circle", cx=(x1 + x2) / 2, cy=y, r=4.5, class_=f"mark point {kind}")]
    return [
        element("rect", x=x1, y=y - 2.5, width=x2 - x1, height=5, class_=f"mark span {kind}"),
        rule(x1, y - 6, x1, y + 6, f"end {kind}"),
        rule(x2, y - 6, x2, y + 6, f"end {kind}"),
    ]
