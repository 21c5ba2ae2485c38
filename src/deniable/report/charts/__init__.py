"""Charts: values with numbers in them, which draw themselves as SVG, tell themselves in words, and list themselves."""

from __future__ import annotations

from deniable.report.charts.bars import Bar, Columns, Rows
from deniable.report.charts.beliefs import Beliefs
from deniable.report.charts.forest import Forest, Interval
from deniable.report.charts.graph import Graph
from deniable.report.charts.histogram import Histogram
from deniable.report.charts.lines import Course, Lines, Panels, Place
from deniable.report.charts.releases import ExposedShare, OverReleases

__all__ = [
    "Bar",
    "Beliefs",
    "Chart",
    "Columns",
    "Course",
    "ExposedShare",
    "Forest",
    "Graph",
    "Histogram",
    "Interval",
    "Lines",
    "OverReleases",
    "Panels",
    "Place",
    "Rows",
]

Chart = Histogram | Columns | Rows | Beliefs | Forest | OverReleases | Graph | Lines | Panels
