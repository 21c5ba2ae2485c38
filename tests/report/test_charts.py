"""Charts have a mark for each number, at its place, and say in words what they draw."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from deniable.analyses.verdict import Band, Belief
from deniable.report.charts import (
    Bar,
    Beliefs,
    Chart,
    Columns,
    ExposedShare,
    Forest,
    Graph,
    Histogram,
    Interval,
    OverReleases,
    Rows,
)
from deniable.report.charts.releases import thinned

SVG = "{http://www.w3.org/2000/svg}"
BANDS = tuple(Band(k / 20, (k + 1) / 20, count) for k, count in enumerate([0] * 6 + [30, 0, 0, 2, 5, 0, 1] + [0] * 7))

CHARTS: dict[str, tuple[Chart, int]] = {  # and how many marks it has
    "histogram": (Histogram("h", "associations", BANDS, 0.5, (0.62, 0.64)), 5),
    "histogram, exact": (Histogram("h", "associations", BANDS, 0.5, (0.62, 0.62)), 5),
    "histogram, none": (Histogram("h", "associations", (), 0.5), 0),
    "columns": (
        Columns("c", "people", "size", (Bar("1", 3, "over"), Bar("2", 0), Bar("3+", 1e6)), 1.0, "at least 2"),
        2,
    ),
    "rows": (Rows("r", "people", (Bar("a", 1), Bar("b" * 90, 4)), 4), 2),
    "beliefs": (Beliefs("b", (Belief(0.1, 0.9, 4), Belief(0.2, 0.2, 40)), 0.5), 2),
    "forest": (Forest("f", "chance", (Interval("a", 0.1, 0.4, 0.5), Interval("b", 0.7, 0.7, 0.5, 1.0))), 2),
    "releases": (OverReleases("o", (ExposedShare(1, 0, 0), ExposedShare(2, 0.01, 0.05)), 0.001), 3),
    "graph": (Graph("g", 3, 40), 9),
    "graph, not counted": (Graph("g", 1, None), 2),
}


def marks(svg: str) -> list[ElementTree.Element]:
    return [one for one in ElementTree.fromstring(svg).iter() if "mark" in one.get("class", "").split()]


@pytest.mark.parametrize("name", CHARTS)
def test_every_number_has_its_mark(name: str) -> None:
    chart, expected = CHARTS[name]
    svg = chart.svg()
    assert len(marks(svg)) == expected
    tree = ElementTree.fromstring(svg)
    assert tree.findtext(f"{SVG}title") == chart.title
    assert tree.findtext(f"{SVG}desc") == chart.told()
    assert tree.get("role") == "img"
    assert all(one.get("style") is None for one in tree.iter())


@pytest.mark.parametrize("name", CHARTS)
def test_nothing_is_drawn_outside(name: str) -> None:
    svg = CHARTS[name][0].svg()
    _, _, width, height = map(float, str(ElementTree.fromstring(svg).get("viewBox")).split())
    for x, y in places(svg):
        assert -1 <= x <= width + 1, (name, x)
        assert -1 <= y <= height + 1, (name, y)


def places(svg: str) -> Iterator[tuple[float, float]]:
    for one in ElementTree.fromstring(svg).iter():
        number = {key: float(value) for key, value in one.items() if key in PLACES}
        if "width" in number and "x" in number:
            yield from [(number["x"], number["y"]), (number["x"] + number["width"], number["y"] + number["height"])]
        for x, y in (("x1", "y1"), ("x2", "y2"), ("cx", "cy")):
            if x in number:
                yield number[x], number[y]


PLACES = {"x", "y", "width", "height", "x1", "x2", "y1", "y2", "cx", "cy"}


def test_bars_are_as_high_as_their_numbers_and_stand_beside_the_limit() -> None:
    bars = [one for one in marks(CHARTS["histogram"][0].svg()) if one.get("y") and "span" not in str(one.get("class"))]
    heights = [float(str(one.get("height"))) for one in bars]
    assert heights[0] == pytest.approx(6 * heights[2], rel=0.02)  # 30 and 5
    assert [str(one.get("class")).split()[-1] for one in bars] == ["within", "within", "near", "over"]


def test_an_interval_is_drawn_as_one_and_a_point_as_one() -> None:
    wide, exact = (marks(CHARTS[name][0].svg())[-1] for name in ("histogram", "histogram, exact"))
    assert (wide.tag, exact.tag) == (f"{SVG}rect", f"{SVG}circle")
    scale = (400 - 12 - 46) * 0.02
    assert float(str(wide.get("width"))) == pytest.approx(scale, abs=0.1)


def test_a_graph_has_a_line_for_each_pair() -> None:
    svg = Graph("g", 2, 3, ("Ann", "<b>"), ("flu",)).svg()
    assert len(list(ElementTree.fromstring(svg).iter(f"{SVG}line"))) == 6
    told = [one.text for one in ElementTree.fromstring(svg).iter(f"{SVG}text")]
    assert told == ["Ann", "<b>", "flu", "value 2", "value 3"]


def test_numbers_are_listed_beside_a_chart() -> None:
    assert CHARTS["histogram"][0].rows()[1] == ("0.3", "0.35", "30")
    assert CHARTS["forest"][0].rows()[1:] == (("a", "0.1 to 0.4", "0.5"), ("b", "0.7", "0.5"))
    assert "1 % to 5 %" in CHARTS["releases"][0].told()


def test_of_many_releases_the_worst_and_the_last_are_drawn() -> None:
    shares = tuple(ExposedShare(k, k % 97 / 1000, k % 97 / 1000) for k in range(1, 10_001))
    shown = thinned(shares, 120)
    assert len(shown) <= 120
    assert shown[-1] == shares[-1]
    assert max(one.high for one in shown) == 0.096
    assert [one.release for one in shown] == sorted({one.release for one in shown})
    chart = OverReleases("o", shares)
    assert len(chart.svg()) + len(str(chart.rows())) < 20_000


def test_a_chart_stays_small_whatever_it_is_about() -> None:
    """Of a square of beliefs, 25 by 25; of names without end."""
    beliefs = tuple(Belief(k / 25, j / 25, 1 + k * j) for k in range(25) for j in range(25))
    assert len(Beliefs("b", beliefs, 0.5).svg()) < 60_000
    assert len(Graph("g", 10**6, 10**6, ("x" * 10**5,) * 6, ("y" * 10**5,) * 6).svg()) < 10_000
    assert len(Rows("r", "people", tuple(Bar("z" * 10**4, 1) for _ in range(5)), 1).svg()) < 60_000
