"""What stands on a page: values only, no markup. Whoever makes one decides what may be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deniable.frozen import frozen

if TYPE_CHECKING:
    from deniable.analyses.provenance import Provenance
    from deniable.report.charts import Chart


@frozen
class Fact:
    """A figure with its name."""

    name: str
    value: str
    bad: bool = False


@frozen
class Table:
    """Rows below a heading; columns from `numbers` on hold numbers."""

    caption: str
    rows: tuple[tuple[str, ...], ...]
    numbers: int = 1


@frozen
class Figure:
    """A chart, and what it says in a sentence."""

    chart: Chart
    caption: str


@frozen
class Reader:
    """Who reads the release: two sentences, and the theorem by which they are answered."""

    name: str
    who: str
    theorem: str
    proof: str


@frozen
class Card:
    """One check, repair or run: how it stands (pass, fail, or another word), figures, charts, who is asked."""

    title: str
    status: str
    facts: tuple[Fact, ...]
    figures: tuple[Figure, ...] = ()
    reader: Reader | None = None
    notes: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()  # what to do, one after the other


@frozen
class Section:
    """Part of a page, with a heading of its own."""

    key: str
    title: str
    text: tuple[str, ...] = ()
    cards: tuple[Card, ...] = ()
    graphs: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    items: tuple[str, ...] = ()
    commands: tuple[tuple[str, str], ...] = ()  # what for, and what to type


@frozen
class Page:
    """The whole: the verdict in a sentence first, then everything by which it can be checked."""

    kind: str  # the command
    title: str
    status: str
    sentence: str
    facts: tuple[Fact, ...]
    overview: Table | None
    sections: tuple[Section, ...]
    provenance: Provenance | None = None
    revealed: bool = False
