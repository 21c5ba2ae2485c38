"""Several courses over one axis, each with the band that was not decided; and such drawings beside each other."""

from __future__ import annotations

import math
from collections.abc import Iterator

from deniable.frozen import frozen
from deniable.report.charts.frame import Frame, across, drawing, label, short, upwards, whole_ticks
from deniable.report.markup import Markup, element

_FRAME = Frame(46, 320, 46, 186)
_WIDE, _HIGH = 340.0, 232.0  # of one drawing
_KEY = 22.0  # a line of the legend
_NAME = 170.0  # what a name in the legend has


@frozen
class Place:
    """A number of a course, as an interval: where both ends are one, it is known exactly."""

    at: float
    low: float
    high: float


@frozen
class Course:
    """One line: `colour` from 0 to 6; what is dashed is not measured, or measured otherwise."""

    name: str
    places: tuple[Place, ...]
    colour: int
    dashed: bool = False


@frozen
class Lines:
    """Courses from 0 upwards; with `steep`, each step upwards is ten times as much, and 0 has no place."""

    title: str
    axis: str
    things: str
    courses: tuple[Course, ...]
    ticks: tuple[float, ...]  # on the axis below
    most: float | None = None
    steep: bool = False

    def told(self) -> str:
        """What is to be seen, in words: where each course ends."""
        ends = (
            f"{course.name} {_between(course.places[-1])} at {course.places[-1].at:.4g}"
            for course in self.courses
            if course.places
        )
        return f"{self.title}, {self.things}: {'; '.join(ends)}."

    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The numbers, with a heading."""
        listed = ((c.name, f"{p.at:.4g}", _between(p)) for c in self.courses for p in c.places)
        return (("", self.axis, self.things), *listed)

    def svg(self) -> Markup:
        """The drawing, with its legend."""
        return Panels(self.title, (self,)).svg()

    def parts(self) -> Iterator[Markup]:
        """What is drawn, without a legend."""
        yield label(4, 13, self.title, "start", "value")
        found = [p for course in self.courses for p in course.places if p.high > 0 or not self.steep]
        bottom, top, ticks = self._upright(found)
        yield element("g", upwards(_FRAME, ticks, self.things), transform="translate(0 16)")
        left, right = min(self.ticks), max(self.ticks)
        room = (right - left) or 1.0
        yield element(
            "g",
            across(_FRAME, [((tick - left) / room, short(tick)) for tick in self.ticks], self.axis),
            transform="translate(0 16)",
        )
        for course in self.courses:
            shown = [p for p in course.places if p.high > 0 or not self.steep]
            xs = [_FRAME.x((p.at - left) / room) for p in shown]
            ends = [
                [16 + _FRAME.y(self._share(value, bottom, top)) for value in values]
                for values in ([p.low for p in shown], [p.high for p in shown])
            ]
            yield from _course(course, xs, *ends)

    def _upright(self, found: list[Place]) -> tuple[float, float, list[tuple[float, str]]]:
        """Both ends of the axis at the left, and its ticks."""
        largest = max((p.high for p in found), default=1.0)
        if not self.steep:
            top, ticks = whole_ticks(self.most or largest)
            return 0.0, top, ticks
        least = min((p.low or p.high for p in found), default=1.0)
        first, last = math.floor(math.log10(least)), math.ceil(math.log10(self.most or largest))
        last = max(last, first + 1)
        return first, last, [((k - first) / (last - first), f"{10.0**k:g}") for k in range(first, last + 1)]

    def _share(self, value: float, bottom: float, top: float) -> float:
        if self.steep:
            value = math.log10(value) if value > 0 else bottom
        return min(1.0, max(0.0, (value - bottom) / (top - bottom)))


@frozen
class Panels:
    """Drawings that share one legend, so many in a row."""

    title: str
    panels: tuple[Lines, ...]
    beside: int = 1

    def told(self) -> str:
        """What is to be seen, in words."""
        return " ".join(panel.told() for panel in self.panels)

    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The numbers of all of them, with a heading."""
        listed = ((panel.title, *row) for panel in self.panels for row in panel.rows()[1:])
        return (("", "", self.panels[0].axis, "from to"), *listed)

    def svg(self) -> Markup:
        """The drawing."""
        names = {c.name: c for panel in self.panels for c in panel.courses if c.name}
        lines = -(-len(self.panels) // self.beside)
        width = _WIDE * self.beside
        row = max(1, int(width // _NAME))
        height = _HIGH * lines + _KEY * -(-len(names) // row) + 16
        parts = [element("rect", x=0, y=0, width=width, height=height, class_="paper")]
        for k, panel in enumerate(self.panels):
            moved = f"translate({_WIDE * (k % self.beside):g} {(_HIGH + 0) * (k // self.beside):g})"
            parts.append(element("g", list(panel.parts()), transform=moved))
        for k, course in enumerate(names.values()):
            x, y = 12 + _NAME * (k % row), _HIGH * lines + 14 + _KEY * (k // row)
            parts += _course(course, [x, x + 22], [y, y], [y, y])[:1]
            parts.append(label(x + 28, y + 4, course.name, "start", "tick"))
        return drawing(self.title, self.told(), height, parts, kind="lines", width=width)


def _course(course: Course, xs: list[float], lows: list[float], highs: list[float]) -> list[Markup]:
    """The line along the lower ends, the band up to the upper ones, and a mark at each place."""
    colour = f"colour{course.colour}"
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(xs, lows, strict=True))
    found = [element("polyline", points=line, class_=f"line {colour}{' dashed' if course.dashed else ''}")]
    if any(low - high >= 1 for low, high in zip(lows, highs, strict=True)):
        back = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(reversed(xs), reversed(highs), strict=True))
        found.append(element("polygon", points=f"{line} {back}", class_=f"band {colour}"))
    if not course.dashed:
        found += [
            element("circle", cx=x, cy=y, r=2.6, class_=f"mark dot {colour}") for x, y in zip(xs, lows, strict=True)
        ]
    return found


def _between(place: Place) -> str:
    low, high = f"{place.low:.3g}", f"{place.high:.3g}"
    return low if low == high else f"{low} to {high}"
