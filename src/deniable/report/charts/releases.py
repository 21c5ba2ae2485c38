"""How many people all releases together expose, release by release, as far as that was decided."""

from __future__ import annotations

from deniable.frozen import frozen
from deniable.report.charts.frame import WIDTH, Frame, across, drawing, limit_along, rule, share_ticks, upwards
from deniable.report.markup import Markup, element

_FRAME = Frame(60, WIDTH - 14, 34, 178)
_MOST = 8  # releases with a name on the axis
_POINTS = 120  # of more, neighbours are drawn as one, the worst of them
_LISTED = 40  # in the table beside the chart


@frozen
class ExposedShare:
    """After a release: between which shares of the people are exposed."""

    release: int
    low: float
    high: float


@frozen
class OverReleases:
    """Shares of people who are exposed, over releases."""

    title: str
    shares: tuple[ExposedShare, ...]
    limit: float | None = None

    def told(self) -> str:
        """What is to be seen, in words."""
        last = self.shares[-1]
        limit = "" if self.limit is None else f" At most {100 * self.limit:g} % are allowed."
        return f"After release {last.release}, {_percent(last)} of the people are exposed.{limit}"

    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The numbers, with a heading."""
        return (("release", "exposed"), *((str(one.release), _percent(one)) for one in thinned(self.shares, _LISTED)))

    def svg(self) -> Markup:
        """The drawing."""
        frame = _FRAME
        end, ticks = share_ticks(max([one.high for one in self.shares] + [self.limit or 0.0]) * 1.05)
        last = max(one.release for one in self.shares)
        first = min(one.release for one in self.shares)
        parts = [upwards(frame, ticks, "people exposed"), self._limit(frame, end)]
        shown = thinned(self.shares, _POINTS)
        places = [(frame.x((one.release - first + 0.5) / (last - first + 1)), one) for one in shown]
        line = " ".join(f"{x:.1f},{frame.y(one.high / end):.1f}" for x, one in places)
        if len(places) > 1:
            parts.append(element("polyline", points=line, class_="course"))
        for x, one in places:
            kind = "over" if self.limit is not None and one.high > self.limit else "within"
            y1, y2 = frame.y(one.low / end), frame.y(one.high / end)
            if y1 - y2 >= 3:
                parts += [rule(x, y1, x, y2, f"mark end {kind}")]
            parts.append(element("circle", cx=x, cy=y2, r=4.5, class_=f"mark point {kind}"))
        named = places[:: max(1, -(-len(places) // _MOST))]
        names = [((x - frame.left) / (frame.right - frame.left), str(one.release)) for x, one in named]
        return drawing(self.title, self.told(), 226, parts, across(frame, names, "release"))

    def _limit(self, frame: Frame, end: float) -> Markup:
        if self.limit is None:
            return Markup()
        return limit_along(frame, min(1.0, self.limit / end), f"limit {100 * self.limit:g} %")


def thinned(shares: tuple[ExposedShare, ...], most: int) -> tuple[ExposedShare, ...]:
    """So many at the most, in which none is missing that is worse than its neighbours, nor the last."""
    if len(shares) <= most:
        return shares
    wide = -(-len(shares) // (most - 1))
    *before, last = shares
    parts = (before[k : k + wide] for k in range(0, len(before), wide))
    return (*(max(part, key=lambda one: (one.high, one.low)) for part in parts), last)


def _percent(one: ExposedShare) -> str:
    low, high = (f"{100 * share:.3g} %" for share in (one.low, one.high))
    return low if low == high else f"{low} to {high}"
