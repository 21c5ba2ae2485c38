"""The page of an attack: who is exposed, how many values are left to the others, how likely the true one is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from deniable import words
from deniable.analyses.verdict import Band
from deniable.report.attack import attack_notes, run_rows
from deniable.report.charts import Bar, Chart, Columns, Forest, Histogram, Interval
from deniable.report.page.model import Card, Fact, Figure, Page, Reader, Section, Table
from deniable.report.sentences.board import attacked
from deniable.report.sentences.theorems import reader

if TYPE_CHECKING:
    from deniable.analyses.history.attack import Attack, Run
    from deniable.analyses.provenance import Provenance

_SIZES: tuple[tuple[int, int | None], ...] = ((2, 2), (3, 3), (4, 5), (6, 9), (10, None))
_BANDS = 20
_LISTED = 50  # runs
_NAMED = 20  # exposed people, where they are to be named


def attack_page(result: Attack, provenance: Provenance | None = None, *, reveal: bool = False) -> Page:
    """Everything that the adversary works out, in counts; with `reveal`, some of whom by name."""
    first, history = result.runs[0], result.history
    others = first.people - first.known
    facts = (
        Fact("people", f"{first.people:,}"),
        Fact("known to the adversary", f"{first.known:,}"),
        Fact("exposed", f"{first.exposed:,}", bad=first.exposed > 0),
        Fact("not decided", f"{first.undecided:,}", bad=first.undecided > 0),
    )
    exposed = [run.exposed for run in result.runs]
    sections = [Section("found", "What the adversary works out", cards=(_card(result),))]
    sections += [_people(result)] if reveal else []
    sections += [Section("assumed", "What was looked at and assumed", tuple(attack_notes(result)))]
    counted = tuple(row[:-1] for row in run_rows(result))  # but for the seconds, which are others every time
    counted = counted if len(counted) <= _LISTED else (*counted[: _LISTED - 1], counted[-1])  # which is the mean
    runs = Table("Every run", counted, numbers=0 if len(result.runs) == 1 else 1)
    status = "exposed" if any(exposed) else "nobody exposed"
    title = "the releases" if provenance is None or provenance.release is None else provenance.release.name
    sentence = attacked(exposed, others, history.releases)
    return Page("attack", title, status, sentence, facts, runs, tuple(sections), provenance, revealed=reveal)


def _card(result: Attack) -> Card:
    run, said = result.runs[0], reader(result.adversary)
    facts = [Fact("exposed of the others", f"{100 * run.share:.3g} %", bad=run.exposed > 0)]
    facts += [Fact(f"people above 1/{one.one_in}", _between(one.people, one.undecided)) for one in run.over]
    if result.promised is not None:
        facts.append(Fact("promised for pairs", f"at most {100 * result.promised:.3g} %"))
    figures = tuple(Figure(chart, chart.told()) for chart in _charts(result, run))
    told = Reader(result.adversary, said.who, said.theorem, said.proof)
    return Card(
        f"the {result.adversary} adversary", "exposed" if run.exposed else "nobody exposed", tuple(facts), figures, told
    )


def _between(low: int, more: int) -> str:
    return f"{low:,}" if not more else f"{low:,} to {low + more:,}"


def _charts(result: Attack, run: Run) -> list[Chart]:
    values = result.answer.values
    bars = [Bar("known", run.known), Bar("1", run.exposed, "over")]
    for low, high in _SIZES:
        count = int(np.count_nonzero((values >= low) & (values <= (np.iinfo(np.int32).max if high is None else high))))
        bars.append(Bar(f"{low}+" if high is None else f"{low}" if low == high else f"{low}–{high}", count))
    charts: list[Chart] = [Columns("Values that are left to people", "people", "private values left", tuple(bars))]
    if result.answer.probability is not None:
        charts.append(Histogram("How likely the true value is", "people", _spread(result, run), 0.5, limit_name=""))
    others = max(run.people - run.known, 1)
    over = [
        Interval(f"above 1/{one.one_in}", one.people / others, (one.people + one.undecided) / others)
        for one in run.over
    ]
    if over:
        charts.append(Forest("Who has a likely true value", "share of the people who are not known", tuple(over)))
    return charts


def _spread(result: Attack, run: Run) -> tuple[Band, ...]:
    """People by the probability of their true value; those who are known, of whom it is 1, are left out."""
    known = result.answer.probability
    found = np.zeros(0) if known is None else known[~np.isnan(known)]
    counts = np.bincount(np.minimum((found * _BANDS).astype(np.int64), _BANDS - 1), minlength=_BANDS)
    counts[-1] = max(0, counts[-1] - run.known)
    return tuple(Band(k / _BANDS, (k + 1) / _BANDS, int(count)) for k, count in enumerate(counts))


def _people(result: Attack) -> Section:
    """Some who have one value left, by name."""
    table = result.table
    ids = table.column_names[: table.column_names.index("values")]
    chosen = table.filter(table.column("exposed")).slice(0, _NAMED).select(ids).to_pylist()
    rows = tuple(tuple(words.cell(None if cell is None else str(cell)) for cell in row.values()) for row in chosen)
    text = "The first who have one value left, those among them whom the adversary knew beforehand."
    tables = (Table("People with one value left", (tuple(ids), *rows), numbers=len(ids)),) if rows else ()
    return Section("who", "Who", (text,), tables=tables)
