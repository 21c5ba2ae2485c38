"""Cards of results that no command makes a page of: breach, crowds, linkage, utility."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deniable import words
from deniable.analyses.verdict import Band, Finding
from deniable.report.charts import Bar, Beliefs, Columns, Histogram, Rows
from deniable.report.page.cards import finding_reader
from deniable.report.page.model import Card, Fact, Figure, Page, Section
from deniable.report.text import probability

if TYPE_CHECKING:
    from deniable.analyses.breach import Breach
    from deniable.analyses.crowds import Crowds
    from deniable.analyses.linkage import Linkage
    from deniable.analyses.utility import Utility

_BANDS = 20
_HALF = 0.5


def breach_page(result: Breach) -> Page:
    """A card for each adversary."""
    cards = []
    for tally in result.tallies:
        name = tally.adversary
        bands = tuple(Band(k / _BANDS, (k + 1) / _BANDS, n) for k, n in enumerate(result.spread(name, _BANDS)))
        ends = None if tally.worst is None else (tally.worst, max(tally.worst, tally.worst_at_most or 0.0))
        chart = Histogram(f"How sure the {name} reader can be", "associations", bands, _HALF, ends)
        facts = (
            Fact("associations", f"{tally.associations:,}"),
            Fact("certain", f"{tally.certain:,}", bad=tally.certain > 0),
            Fact("over 1/2", f"{tally.over_half:,}"),
            Fact("worst", probability(tally.worst, tally.worst_at_most)),
            Fact("no world", f"{tally.no_world:,}"),
            Fact("not answered", f"{tally.unanswered:,}"),
        )
        about = finding_reader(Finding("breach", name, _HALF, tally.worst, 0, result.people))
        cards.append(Card(name, "", facts, (Figure(chart, chart.told()),), about))
    return _page("breach", result.release.title, f"{words.people(result.people)}.", cards)


def crowds_page(result: Crowds) -> Page:
    """The sizes of crowds."""
    bars = tuple(
        Bar(f"{low}+" if high is None else f"{low}" if low == high else f"{low}–{high}", result.between(low, high)[1])
        for low, high in result.sizes
    )
    chart = Columns("People by the size of their crowd", "people", "size of the crowd", bars)
    values = "not known" if result.least_values is None else f"{result.least_values:,}"
    facts = (
        Fact("smallest crowd", f"{result.k:,}"),
        Fact("crowds", f"{result.count:,}"),
        Fact("least values", values),
        Fact("people exposed", f"{result.exposed:,}", bad=result.exposed > 0),
    )
    about = finding_reader(Finding("crowd", None, 0, result.k, 0, result.people))
    card = Card(result.method, "", facts, (Figure(chart, chart.told()),), about)
    told = f"{words.people(result.people)} in {result.count:,} crowds of at least {result.k:,}."
    return _page("crowds", result.release.title, told, [card])


def linkage_page(result: Linkage) -> Page:
    """A card for each adversary."""
    cards = []
    for over in result.over(_HALF):
        chart = Beliefs(f"What the {over.adversary} reader believes", result.beliefs.get(over.adversary, ()), _HALF)
        facts = (
            Fact("worst", probability(over.worst, over.worst_at_most)),
            Fact("people over 1/2", f"{over.over:,} of {over.people:,}", bad=over.over > 0),
            Fact("undecided", f"{over.undecided:,}"),
            Fact("no world", f"{over.no_world:,}"),
        )
        about = finding_reader(Finding("linkage", over.adversary, _HALF, over.worst, over.over, over.people))
        cards.append(Card(over.adversary, "", facts, (Figure(chart, chart.told()),), about))
    told = f"{words.people(result.people)} in {words.count(result.groups, 'group')}."
    return _page("linkage", result.release.title, told, cards)


def utility_page(result: Utility) -> Page:
    """How far counts are off, by the share of people that a query is about."""
    errors = [(one.selectivity, one.median_error) for one in result.errors if one.median_error is not None]
    bars = tuple(
        Bar(f"queries about {share:g} of the people", error, "within", f"{error:.2%}") for share, error in errors
    )
    chart = Rows("Median relative error of counts", "error", bars, max((bar.count for bar in bars), default=1.0))
    facts = (
        Fact("people", f"{result.people:,}"),
        Fact("withheld", f"{result.withheld:,}"),
        Fact("groups", f"{result.groups:,}"),
        Fact("mean size", f"{result.mean_size:.3g}"),
    )
    card = Card("COUNT queries", "", facts, (Figure(chart, chart.told()),))
    told = f"{words.people(result.people)} in {words.count(result.groups, 'group')}."
    return _page("utility", result.release.title, told, [card])


def _page(kind: str, title: str, sentence: str, cards: list[Card]) -> Page:
    return Page(kind, title, "", sentence, (), None, (Section("found", "What was found", cards=tuple(cards)),))
