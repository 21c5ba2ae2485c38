"""What a notebook shows of a value: the cards of its report, or a line and a table of counts; never a cell."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deniable.errors import BadInput, DeniableError, Mistake
from deniable.frozen import frozen
from deniable.report.brief import brief

if TYPE_CHECKING:
    from deniable.report.charts import Chart
    from deniable.report.page.model import Card, Page


def line(value: Any) -> str:
    """A value in a line."""
    return brief(value).line


def cards(value: Any) -> str:
    """Cards, with a style that holds inside of them only."""
    from deniable.report.markup import element
    from deniable.report.page.model import Table
    from deniable.report.page.render import badge, card, fragment, table

    told = brief(value)
    made = _page(value)
    title = element("p", element("strong", type(value).__name__), " ", told.line)
    if made is None:
        rows = tuple(told.rows())
        width = max(map(len, rows))
        padded = tuple((*row, *[""] * (width - len(row))) for row in rows)
        return fragment(title, table(Table(type(value).__name__, padded), headed=False))
    overview = None if made.overview is None else table(made.overview)
    sentence = element("p", badge(made.status) if made.status else None, " ", made.sentence)
    return fragment(title, sentence, overview, map(card, _cards_of(made)))


def page(value: Any) -> str:
    """The whole report. Raises BadInput where a value has none."""
    from deniable.report.page.render import html

    made = _page(value)
    if made is None:
        raise BadInput(Mistake(type(value).__name__, "expected a result that has a report; found one without"))
    return html(made)


@frozen(repr=False)
class Drawing:
    """A chart that a notebook shows."""

    drawn: Chart

    def __repr__(self) -> str:
        return f"<Drawing {self.drawn.title}: {self.drawn.told()}>"

    def _repr_svg_(self) -> str:
        from deniable.report.markup import Markup, element
        from deniable.report.page.style import ALONE

        svg = self.drawn.svg()
        place = svg.index(">") + 1
        style = element("style", Markup(ALONE))
        return svg[:place].replace('class="chart', 'class="deniable chart', 1) + style + svg[place:]

    def _repr_html_(self) -> str:
        from deniable.report.page.model import Figure
        from deniable.report.page.render import figure, fragment

        return fragment(figure(Figure(self.drawn, self.drawn.told())))

    def save(self, path: str | Path) -> None:
        """Write it as an .svg file."""
        Path(path).write_text(self._repr_svg_() + "\n", encoding="utf-8")


def chart(value: Any, number: int = 1) -> Drawing:
    """A chart of a value by its place, from 1. Raises BadInput if there is none."""
    found = list(_charts(value))
    if not isinstance(number, int) or not 1 <= number <= len(found):
        expected = f"expected a chart from 1 to {len(found)}" if found else "expected a result that has charts"
        raise BadInput(Mistake("chart", f"{expected}; found {number} of {type(value).__name__}"))
    return Drawing(found[number - 1])


def _charts(value: Any) -> Iterable[Chart]:
    made = _page(value)
    return [] if made is None else [figure.chart for one in _cards_of(made) for figure in one.figures]


def _cards_of(made: Page) -> list[Card]:
    return [one for section in made.sections for one in section.cards]


def _page(value: Any) -> Page | None:
    """The report of a value that has one; a result that was closed has none any more."""
    from deniable.report.page.of_results import PAGES

    make = PAGES.get(type(value).__name__)
    try:
        return make(value) if make else None
    except DeniableError:
        return None
