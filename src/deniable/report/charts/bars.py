"""Bars: how many people stand in crowds of which size, or fall into some other kind."""

from __future__ import annotations

from deniable.frozen import frozen
from deniable.report.charts.frame import LETTER, WIDTH, Frame, drawing, label, rule, upwards, whole_ticks
from deniable.report.markup import Markup, element

_FRAME = Frame(46, WIDTH - 12, 40, 168)
_HEIGHT = 216.0
_LEAST = 2.5
_ROW = 34.0


@frozen
class Bar:
    """One kind: what it is called, how many there are, and how that is beside the limit (over, near or within)."""

    name: str
    count: float
    kind: str = "within"
    text: str = ""  # how the number is written, where that is not plain


@frozen
class Columns:
    """Bars beside each other; the limit stands at `limit` bars from the left, a fraction inside of one."""

    title: str
    things: str
    axis: str
    bars: tuple[Bar, ...]
    limit: float | None = None
    limit_name: str = ""

    def told(self) -> str:
        """What is to be seen, in words."""
        over = sum(int(bar.count) for bar in self.bars if bar.kind == "over")
        beside = f", {over:,} of them beyond the limit ({self.limit_name})" if self.limit_name else ""
        return f"{sum(int(bar.count) for bar in self.bars):,} {self.things}{beside}."

    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The numbers, with a heading."""
        return ((self.axis, self.things), *((bar.name, f"{int(bar.count):,}") for bar in self.bars))

    def svg(self) -> Markup:
        """The drawing."""
        frame, count = _FRAME, max(len(self.bars), 1)
        end, ticks = whole_ticks(max((bar.count for bar in self.bars), default=0))
        wide = (frame.right - frame.left) / count
        parts = [upwards(frame, ticks, self.things), rule(frame.left, frame.bottom, frame.right, frame.bottom, "axis")]
        for k, bar in enumerate(self.bars):
            x = frame.left + k * wide
            if bar.count:
                height = max(_LEAST, (frame.bottom - frame.top) * bar.count / end)
                parts.append(
                    element("rect", x=x + 3, y=frame.bottom - height, width=wide - 6, height=height,
                            class_=f"mark {bar.kind}")
                )  # fmt: skip
            parts.append(label(x + wide / 2, frame.bottom + 17, bar.name, "middle", "tick"))
        parts.append(label((frame.left + frame.right) / 2, frame.bottom + 38, self.axis, "middle", "axis-name"))
        if self.limit is not None:
            x = frame.left + min(max(self.limit, 0.0), count) * wide
            beside, anchor = (x + 4, "start") if x < frame.x(0.6) else (x - 4, "end")
            parts += [rule(x, frame.top - 14, x, frame.bottom, "limit")]
            parts += [label(beside, frame.top - 4, self.limit_name, anchor, "limit-name")]
        return drawing(self.title, self.told(), _HEIGHT, parts)


@frozen
class Rows:
    """Bars below each other, from 0 to `most`, each with its name above and its number at the end."""

    title: str
    things: str
    bars: tuple[Bar, ...]
    most: float

    def told(self) -> str:
        """What is to be seen, in words."""
        return "; ".join(f"{bar.name}: {bar.text or f'{bar.count:g}'}" for bar in self.bars) + "."

    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The numbers, with a heading."""
        return (("", self.things), *((bar.name, bar.text or f"{bar.count:g}") for bar in self.bars))

    def svg(self) -> Markup:
        """The drawing."""
        wide = WIDTH - 24
        parts = []
        for k, bar in enumerate(self.bars):
            y, long = 16 + k * _ROW, max(_LEAST, wide * min(1.0, bar.count / (self.most or 1.0)))
            room = int((wide - 90) / LETTER)
            name = bar.name if len(bar.name) <= room else f"{bar.name[: room - 1]}…"
            parts += [
                label(12, y, name, "start", "name"),
                label(12 + wide, y, bar.text or f"{bar.count:g}", "end", "value"),
                element("rect", x=12, y=y + 5, width=wide, height=9, class_="track"),
                element("rect", x=12, y=y + 5, width=long, height=9, class_=f"mark {bar.kind}"),
            ]
        return drawing(self.title, self.told(), 12 + len(self.bars) * _ROW, parts)
