"""What somebody believed before and after: prior and posterior, as circles whose area is how many."""

from __future__ import annotations

import math

from deniable.analyses.verdict import Belief
from deniable.frozen import frozen
from deniable.report.charts.frame import CHANCES, WIDTH, Frame, across, drawing, label, limit_along, rule, upwards
from deniable.report.markup import Markup, element

_FRAME = Frame(46, WIDTH - 14, 30, 330)
_LARGEST = 13.0
_LEAST = 2.2


@frozen
class Beliefs:
    """Pairs of a person and a value, by how likely they were before the release and are after it."""

    title: str
    beliefs: tuple[Belief, ...]
    limit: float

    def told(self) -> str:
        """What is to be seen, in words."""
        total = sum(one.count for one in self.beliefs)
        above = sum(one.count for one in self.beliefs if one.posterior > self.limit)
        more = sum(one.count for one in self.beliefs if one.posterior > one.prior)
        return (
            f"{total:,} pairs of a person and a value of their group: {more:,} are likelier after the release than "
            f"before, {above:,} in bands above the limit of {self.limit:g}."
        )

    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The numbers, with a heading."""
        ordered = sorted(self.beliefs, key=lambda one: (-one.posterior, -one.prior))[:40]
        lines = ((f"{one.prior:.3g}", f"{one.posterior:.3g}", f"{one.count:,}") for one in ordered)
        return (("before, about", "after, about", "pairs"), *lines)

    def svg(self) -> Markup:
        """The drawing."""
        frame = _FRAME
        most = max((one.count for one in self.beliefs), default=1)
        parts = [
            element("rect", x=frame.left, y=frame.top, width=frame.right - frame.left,
                    height=frame.y(self.limit) - frame.top, class_="beyond"),
            upwards(frame, CHANCES, "chance after the release"),
            rule(frame.x(0), frame.y(0), frame.x(1), frame.y(1), "even"),
            label(frame.x(0.985), frame.y(0.83), "nothing learnt", "end", "tick"),
        ]  # fmt: skip
        for one in sorted(self.beliefs, key=lambda one: -one.count):
            radius = max(_LEAST, _LARGEST * math.sqrt(one.count / most))
            kind = "over" if one.posterior > self.limit else "within"
            parts.append(
                element(
                    "circle", cx=frame.x(one.prior), cy=frame.y(one.posterior), r=radius, class_=f"mark bubble {kind}"
                )
            )
        parts += [limit_along(frame, self.limit, f"limit {self.limit:g}")]
        return drawing(self.title, self.told(), 376, parts, across(frame, CHANCES, "chance before the release"))
