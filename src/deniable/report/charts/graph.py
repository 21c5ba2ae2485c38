"""Who could have what, as a graph: people at the left, values at the right, a line for each pair that could be true."""

from __future__ import annotations

from deniable.frozen import frozen
from deniable.report.charts.frame import LETTER, drawing, label, rule
from deniable.report.markup import Markup, element

FEW = 6  # nodes that are drawn on a side; the others are counted
_ROW = 26.0
_NODE = 6.0
_WIDTH = 330.0  # narrower than other charts: several stand beside each other
_LEFT = 124.0  # what names have


@frozen
class Graph:
    """A group in which every pair could be true: the names of its first nodes, and how many it has on each side.

    Where names are masked, nodes are called by their side and a number.
    """

    title: str
    people: int
    values: int | None  # None: not known how many
    people_names: tuple[str, ...] = ()
    values_names: tuple[str, ...] = ()
    left: str = "person"
    right: str = "value"
    over: bool = False

    def told(self) -> str:
        """What is to be seen, in words."""
        if self.values is None:
            return "How many values stay possible is not known exactly."
        if self.values == 1:
            return "One value is left: it is certain."
        return f"Each of the {self.people * self.values:,} pairs could be true."

    def rows(self) -> tuple[tuple[str, ...], ...]:
        """Nothing that is not drawn."""
        return ()

    def svg(self) -> Markup:
        """The drawing."""
        left = _side(self.people, self.people_names, self.left)
        right = _side(self.values, self.values_names, self.right)
        rows = max(len(left), len(right))
        height = rows * _ROW + 10
        x1, x2, kind = _LEFT, _WIDTH - _LEFT, "over" if self.over else "within"
        ys = {side: _places(len(names), height) for side, names in (("l", left), ("r", right))}
        lines = [rule(x1, one, x2, two, f"edge {kind}") for one in ys["l"] for two in ys["r"]]
        parts = []
        for y, (name, rest) in zip(ys["l"], left, strict=True):
            parts += [_node(x1, y, kind, rest=rest), label(x1 - 14, y + 4, _fitted(name), "end", "name")]
        for y, (name, rest) in zip(ys["r"], right, strict=True):
            parts += [_node(x2, y, kind, rest=rest), label(x2 + 14, y + 4, _fitted(name), "start", "name")]
        return drawing(self.title, self.told(), height, lines, parts, kind="graph", width=_WIDTH)


def _side(count: int | None, names: tuple[str, ...], called: str) -> list[tuple[str, bool]]:
    """The nodes of one side, and whether a node stands for several."""
    if count is None:
        return [("not counted", True)]
    shown = count if count <= FEW else FEW - 1
    told = [(names[k] if k < len(names) else f"{called} {k + 1}", False) for k in range(shown)]
    return told if shown == count else [*told, (f"{count - shown:,} more", True)]


def _places(count: int, height: float) -> list[float]:
    top = (height - (count - 1) * _ROW) / 2
    return [top + k * _ROW for k in range(count)]


def _fitted(name: str) -> str:
    """A name in the place that it has; a drawing has no room to say how long one is that was cut."""
    room = int((_LEFT - 16) / LETTER)
    return name if len(name) <= room else f"{name[: room - 1]}…"


def _node(x: float, y: float, kind: str, *, rest: bool) -> Markup:
    if rest:
        return element(
            "rect", x=x - _NODE, y=y - _NODE, width=2 * _NODE, height=2 * _NODE, rx=2, class_=f"mark node {kind}"
        )
    return element("circle", cx=x, cy=y, r=_NODE, class_=f"mark node {kind}")
