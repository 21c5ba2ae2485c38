"""A card for each finding of an audit: its figures, its chart, and the reader whom it is about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from deniable.analyses.verdict import Band, BreachPart, CrowdPart, Finding, HistoryPart, LinkagePart, Part
from deniable.report.charts import Bar, Beliefs, Chart, Columns, ExposedShare, Histogram, OverReleases
from deniable.report.page.model import Card, Fact, Figure, Reader
from deniable.report.sentences.audit import finding_name
from deniable.report.sentences.board import limit_words, over_words
from deniable.report.sentences.theorems import reader
from deniable.report.verdict import worst_words


def finding_card(part: Part, finding: Finding, notes: tuple[str, ...] = ()) -> Card:
    """A check, with everything that was found."""
    charts: Callable[[Any, Finding], tuple[Chart, ...]] = _CHARTS[type(part)]
    figures = tuple(Figure(chart, chart.told()) for chart in charts(part, finding))
    return Card(finding_name(finding), finding.verdict, finding_facts(finding), figures, finding_reader(finding), notes)


def finding_facts(finding: Finding) -> tuple[Fact, ...]:
    """Limit, worst, people over it, undecided, and what else is not nothing."""
    facts = [
        Fact("limit", limit_words(finding)),
        Fact("worst", worst_words(finding), bad=finding.verdict == "fail"),
        Fact(f"people {over_words(finding)}", f"{finding.over:,} of {finding.of:,}", bad=finding.over > 0),
        Fact("people undecided", f"{finding.undecided:,}", bad=finding.undecided > 0),
    ]
    others = {"certain": finding.certain, "without a world": finding.no_world, "not answered": finding.unanswered}
    return (*facts, *(Fact(f"people {name}", f"{count:,}") for name, count in others.items() if count))


def finding_reader(finding: Finding) -> Reader:
    """Whom the check is about."""
    name = finding.adversary or finding.check
    said = reader(name)
    return Reader(name, said.who, said.theorem, said.proof)


def _breach(part: BreachPart, finding: Finding) -> tuple[Chart, ...]:
    bands = part.spread.get(finding.adversary or "", ())
    title = f"How sure the {finding.adversary} reader can be, association by association"
    return (Histogram(title, "associations", bands, finding.limit, _ends(finding)),) if bands else ()


def _ends(finding: Finding) -> tuple[float, float] | None:
    if finding.worst is None:
        return None
    return finding.worst, finding.worst if finding.worst_at_most is None else max(finding.worst, finding.worst_at_most)


def _crowd(part: CrowdPart, finding: Finding) -> tuple[Chart, ...]:
    if finding.check != "crowd":
        return ()
    bars = tuple(Bar(_size(band), band.count, _beside(band, finding.limit)) for band in part.sizes)
    place = _place(part.sizes, finding.limit)
    return (
        Columns(
            "People by the size of their crowd",
            "people",
            "size of the crowd",
            bars,
            place,
            f"at least {finding.limit:g}",
        ),
    )


def _size(band: Band) -> str:
    if band.high is None:
        return f"{band.low:g}+"
    return f"{band.low:g}" if band.low == band.high else f"{band.low:g}–{band.high:g}"


def _beside(band: Band, least: float) -> str:
    if band.high is not None and band.high < least:
        return "over"
    return "within" if band.low >= least else "near"


def _place(sizes: tuple[Band, ...], least: float) -> float:
    """Where a size stands among bands beside each other."""
    for k, band in enumerate(sizes):
        if band.high is None or least <= band.high:
            wide = 1.0 if band.high is None else band.high - band.low + 1
            return k + min(0.9, max(0.0, (least - band.low) / wide))
    return float(len(sizes))


def _linkage(part: LinkagePart, finding: Finding) -> tuple[Chart, ...]:
    beliefs = part.beliefs.get(finding.adversary or "", ())
    title = f"What the {finding.adversary} reader believes before and after the release"
    return (Beliefs(title, beliefs, finding.limit),) if beliefs else ()


def _history(part: HistoryPart, finding: Finding) -> tuple[Chart, ...]:
    found = part.exposure
    earlier = {one.release: _share(one.release, one.exposed, one.undecided, one.people) for one in part.recorded}
    earlier[found.releases] = _share(found.releases, found.exposed, found.undecided, found.people)
    shares = tuple(earlier[number] for number in sorted(earlier))
    return (OverReleases("People whom all releases together expose", shares, finding.limit),)


def _share(release: int, exposed: int, undecided: int, people: int) -> ExposedShare:
    return ExposedShare(release, exposed / max(people, 1), (exposed + undecided) / max(people, 1))


_CHARTS: dict[type, Callable[[Any, Finding], tuple[Chart, ...]]] = {
    BreachPart: _breach,
    CrowdPart: _crowd,
    LinkagePart: _linkage,
    HistoryPart: _history,
}
