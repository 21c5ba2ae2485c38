"""The page of a release that was published again: what is in it, and what all releases together give away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deniable import words
from deniable.report.charts import Bar, ExposedShare, OverReleases, Rows
from deniable.report.page.model import Card, Fact, Figure, Page, Reader, Section, Table
from deniable.report.sentences.board import published_again
from deniable.report.sentences.theorems import assumed, reader
from deniable.report.told_by_columns import columns_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deniable.analyses.history.exposure import Exposure
    from deniable.analyses.history.republish import Republished
    from deniable.analyses.provenance import Provenance
    from deniable.analyses.verdict import RecordedExposure


_LISTED = 40  # columns


def republish_page(
    made: Republished, provenance: Provenance | None = None, recorded: Sequence[RecordedExposure] = (),
    *, dry_run: bool = False,
) -> Page:  # fmt: skip
    """What was published; `recorded` is what was found of earlier releases."""
    found = made.exposure
    facts = (
        Fact("people", f"{made.people:,}"),
        Fact("new", f"{made.newcomers:,}"),
        Fact("groups", f"{made.groups:,}"),
        Fact("counterfeits", f"{made.counterfeits:,}", bad=made.exceeds),
        Fact("exposed", "not asked" if found is None else f"{found.exposed:,}", bad=bool(found and found.exposed)),
    )
    sentence = published_again(
        made.number, made.people, None if found is None else found.exposed, found.undecided if found else 0, dry_run
    )
    cards = [_together(made, found, recorded)] if found is not None else []
    cards += [_columns(made)] if made.columns else []
    sections = (
        Section("found", "What the releases give away", cards=tuple(cards)),
        Section("assumed", "What was assumed", tuple(map(_sentence, columns_text(made))), items=assumed("history")),
    )
    overview = Table(
        "This release", (("algorithm", "m", "n", "people", "groups", "counterfeits"), _row(made)), numbers=1
    )
    status = "dry run" if dry_run else "published"
    return Page("republish", made.release.title, status, sentence, facts, overview, sections, provenance)


def _row(made: Republished) -> tuple[str, ...]:
    chosen = made.parameters
    degree = "" if chosen.n is None else str(chosen.n)
    return (chosen.algorithm, str(chosen.m), degree, f"{made.people:,}", f"{made.groups:,}", f"{made.counterfeits:,}")


def _together(made: Republished, found: Exposure, recorded: Sequence[RecordedExposure]) -> Card:
    """What somebody learns who keeps all releases."""
    shares = {one.release: _share(one.release, one.exposed, one.undecided, one.people) for one in recorded}
    shares[found.releases] = _share(found.releases, found.exposed, found.undecided, found.people)
    limit = made.release.require.history
    chart = OverReleases(
        "People whom all releases together expose",
        tuple(shares[number] for number in sorted(shares)),
        None if limit is None else limit.exposed_at_most,
    )
    facts = [
        Fact("exposed", f"{found.exposed:,} of {found.people:,}", bad=found.exposed > 0),
        Fact("not decided", f"{found.undecided:,}", bad=found.undecided > 0),
        Fact("known to the adversary", f"{found.drawn:,}"),
    ]
    facts += [Fact(f"perhaps above 1/{one.one_in}", f"{one.people:,}") for one in found.over]
    if found.promised is not None:
        facts.append(Fact("promised for pairs", f"at most {found.promised:.2%}"))
    notes = tuple(f"With {one.known:.3g} of the people known: {100 * one.share:.4g} % exposed." for one in found.others)
    said = reader("joint")
    told = Reader("joint", said.who, said.theorem, said.proof)
    status = "exposed" if found.exposed else "nobody exposed"
    return Card("all releases together", status, tuple(facts), (Figure(chart, chart.told()),), told, notes)


def _share(release: int, exposed: int, undecided: int, people: int) -> ExposedShare:
    return ExposedShare(release, exposed / max(people, 1), (exposed + undecided) / max(people, 1))


def _columns(made: Republished) -> Card:
    """Whom the statistics of each quasi-identifier would put above 1/m."""
    people = max(one.people for one in made.columns.values())
    bars = tuple(
        Bar(name, one.over + one.undecided, "over" if one.over else "within", f"{one.over:,}" + _open(one.undecided))
        for name, one in list(made.columns.items())[:_LISTED]
    )
    count, one_in = words.people(people), f"1/{made.parameters.m}"
    chart = Rows(
        f"People above {one_in} for somebody who knows how values are spread by a column", "people", bars, people
    )
    facts = (Fact("people", f"{people:,}"), Fact("tells most", made.tells_most or "none"))
    note = f"Each column alone: whoever knows how often each value occurs by it, and has this release of {count}."
    return Card(
        "what columns tell",
        "",
        facts,
        (Figure(chart, chart.told()),),
        notes=(note,),
    )


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def _open(undecided: int) -> str:
    return f" (and {undecided:,} not decided)" if undecided else ""
