"""republish: the next release of a table whose people come and go, safe beside the releases before it.

Computed: groups that keep everybody under one signature for life (m-invariance, Xiao & Tao 2007), hc-safe of degree n
against every earlier release (Cor-Split, Riboni & Bettini), checked before the ledger takes them; and what somebody
who reads all releases together would then know (docs/theory/history.md, "The joint adversary"). Committed first,
written out second.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from deniable.analyses.history.chosen_algorithm import ChosenAlgorithm, choose_algorithm
from deniable.analyses.history.coded_table import CodedTable, code_table
from deniable.analyses.history.exposure import Exposure, insist, of_next
from deniable.analyses.history.ledger_entry import entry_of
from deniable.analyses.history.ledger_history import insist_on_whole, layout_of, ledger_path
from deniable.analyses.history.next_groups import NextGroups, next_groups
from deniable.analyses.history.next_table import (
    insist_on_begin,
    insist_on_counterfeits,
    insist_on_folder,
    insist_on_usual,
    missing_ledger,
)
from deniable.analyses.history.republish_options import RepublishOptions
from deniable.analyses.history.told_by_columns import told_by_columns
from deniable.bind.degree import algorithm_of
from deniable.bind.files import Mistakes
from deniable.bind.table_rows import bind_table
from deniable.engines.scope import Scope
from deniable.errors import BadInput, EngineError, Mistake, Reason
from deniable.frozen import frozen
from deniable.ledgers.columns import ColumnChanges, changes, late_cells, read_layout
from deniable.ledgers.file import Ledger, ledger, renew_journal, sweep
from deniable.ledgers.outbox import Pending, is_free, sweep_out, unwritten, write_out
from deniable.ledgers.private import journal_of
from deniable.ledgers.read import DatedRelease, count_release, dated_releases, last_kinds
from deniable.ledgers.receipts import folders_with_receipts, insist_on_receipts
from deniable.ledgers.store import digest, match, propose, settle, withdraw
from deniable.publish.again.algorithm import find
from deniable.publish.private_files import save_people
from deniable.publish.spreadsheets import count_formulas
from deniable.release import Release
from deniable.shown import Shown
from deniable.steps import reach

if TYPE_CHECKING:
    from deniable.analyses.linkage.column_statistics import ColumnTells

STEPS = ("read", "grouped", "proposed", "audited", "committed", "journaled", "written")


@frozen(repr=False)
class Republished(Shown):
    """A release: its number, what is in it, and how many people all releases together would expose.

    `last` is the release that the ledger had before this run. `finished` is a release that an earlier run had committed
    and this one wrote out; where the table was the same, that was all there was to do, and `number` is that release.
    `withheld` and `changed` list people, chosen by their value: as private as the table. `columns`: what somebody
    learns from this release who knows the statistics of one quasi-identifier, as the table has them. `formulas`: how
    many cells of the table a spreadsheet would compute, were they published as they are, which `excel_safe` prevents.
    """

    release: Release
    number: int
    parameters: ChosenAlgorithm
    people: int
    newcomers: int
    groups: int
    counterfeits: int
    last: DatedRelease | None = None
    withheld: tuple[tuple[str | None, ...], ...] = field(default=(), repr=False)
    changed: tuple[tuple[str | None, ...], ...] = field(default=(), repr=False)
    exposure: Exposure | None = None
    finished: int | None = None
    columns: Mapping[str, ColumnTells] = field(default_factory=dict)
    formulas: int = 0
    excel_safe: bool = False
    columns_changed: ColumnChanges = field(default_factory=ColumnChanges)
    forwarded: int | None = None  # how many releases the ledger had before its journal brought it forward

    @property
    def ledger(self) -> Path:
        """The private history that the release was entered in."""
        return ledger_path(self.release)

    @property
    def journal(self) -> Path:
        """The copy of it from which one that is lost or older is brought forward."""
        return journal_of(self.ledger)

    def save_withheld(self, path: str | Path) -> None:
        """Write who is kept for the next release to a csv file that only its owner may read."""
        save_people(path, self.release.id_columns, self.withheld)

    def save_changed(self, path: str | Path) -> None:
        """Write who was published as somebody new, and in which columns they changed, to such a file."""
        save_people(path, (*self.release.id_columns, "columns"), self.changed)

    @property
    def tells_most(self) -> str | None:
        """The quasi-identifier whose statistics put most people above 1/m; None where none does, or none was asked."""
        ranked = [((one.over, one.undecided, one.worst), name) for name, one in self.columns.items()]
        return max(ranked, key=lambda rank: rank[0])[1] if any(rank[:2] > (0, 0) for rank, _ in ranked) else None

    @property
    def exceeds(self) -> bool:
        """Whether there are more counterfeits than were asked for, all of them counted."""
        limit = self.parameters.counterfeits * (self.people + self.counterfeits)
        return find(self.parameters.algorithm).limits_all and self.counterfeits > limit


@frozen(eq=False)
class _Run:
    """One run of republish: what is published, how, and where to; `reached` is told of every step."""

    release: Release
    rows: CodedTable
    chosen: ChosenAlgorithm
    folder: Path
    options: RepublishOptions
    reached: Callable[[str], None]
    warn: Callable[[Reason], None]


def publish(
    release: Release,
    folder: Path,
    scope: Scope,
    options: RepublishOptions,
    reached: Callable[[str], None] = lambda _: None,
    warn: Callable[[Reason], None] = lambda _: None,
) -> Republished:
    """Publish into a folder; `reached` is told of every step, `warn` of what must be said before anything is published.

    Raises Unachievable where no safe release exists.
    """
    algorithm_of(release, options.algorithm)  # one that is unknown is refused before anything is read
    reach("read.table")
    mistakes = Mistakes()
    chosen = mistakes.of(lambda: choose_algorithm(release, options.algorithm))
    mistakes += missing_ledger(release, begin=options.begin)
    table = bind_table(release, scope, mistakes)
    assert chosen is not None
    run = _Run(release, code_table(table, scope), chosen, folder.resolve(), options, reached, warn)
    path, layout = ledger_path(release), layout_of(release)
    reached("read")
    reach("read.ledger")
    with ledger(path, layout, create=options.begin, trying=options.dry_run) as book:
        insist_on_whole(book)
        insist_on_receipts(book, folders_with_receipts([run.folder.parent, *options.published]))
        result = replace(_publish(book, run), forwarded=book.forwarded)
        if result.finished != result.number and not options.dry_run:
            renew_journal(book)
            reached("journaled")
            write_out(book, result.number, folder)
    reached("written")
    return result


def _publish(book: Ledger, run: _Run) -> Republished:
    """The release, which must still be written out unless an earlier run had committed it."""
    release, options = run.release, run.options
    rows = run.rows.in_order(book.layout.quasi)
    _insist_kinds(book, release, rows)
    matched = match(book, rows.cells, rows.kinds)
    mark = digest(book, rows.cells)
    waiting, before = unwritten(book), dated_releases(book)
    mine = next((one for one in waiting if one.digest == mark), None)
    others = [one for one in waiting if one.digest != mark]
    if options.begin:
        insist_on_begin(book, mine)
    insist_on_folder(release, book, run.folder, mine, others)
    last = before[-1] if before else None
    if mine is not None:
        if not options.dry_run:
            sweep(book)
            _write_pending(book, mine, run.folder)
        return _recorded(run, book, mine.release, last)
    insist_on_usual(release, book, matched, mark, options.unusual)
    finished = None if options.dry_run else _finish(book, run, others)
    reach("history.group")
    made = next_groups(release, rows, matched, book, run.chosen, options)
    insist_on_counterfeits(
        release, made, options.unusual,
        lambda at_most: next_groups(release, rows, matched, book, replace(run.chosen, counterfeits=at_most), options),
    )  # fmt: skip
    told = told_by_columns(made, book.layout.quasi) if options.audit else {}
    run.reached("grouped")
    if made.withheld:
        run.warn(Reason("history.kept_back", count=len(made.withheld)))
    late = late_cells(book.connection, book.layout)
    columns_changed = changes(read_layout(book.connection), book.layout)
    safe = options.excel_safe
    entry = entry_of(rows, made, release.private, mark, str(run.folder), options.seed, late, excel_safe=safe)
    number = propose(book, entry)
    run.reached("proposed")
    try:
        exposure = of_next(release, book, run.chosen, options.seconds) if options.audit else None
        insist(release, exposure)
        run.reached("audited")
    except BaseException:
        withdraw(book)
        raise
    result = replace(
        _result(release, made, number, exposure, finished), last=last, columns=told, columns_changed=columns_changed,
        formulas=_formulas(rows), excel_safe=safe,
    )  # fmt: skip
    if options.dry_run:
        withdraw(book)
        return result
    reach("write")
    settle(book, json.dumps(exposure.figures()) if exposure else "")
    run.reached("committed")
    return result


def _finish(book: Ledger, run: _Run, waiting: Sequence[Pending]) -> int | None:
    """Write out what earlier runs had committed of other tables: the last of them. A folder that is gone, or that is
    used for something else now, keeps nobody from publishing."""
    sweep(book)
    finished = None
    for one in waiting:
        if is_free(one.folder):
            with suppress(EngineError):
                _write_pending(book, one, one.folder)
                finished = one.release
        if finished != one.release:
            run.warn(Reason("history.still_unwritten", release=one.release, folder=str(one.folder)))
    return finished


def _write_pending(book: Ledger, waiting: Pending, folder: Path) -> None:
    """Finish what an earlier run had committed."""
    sweep_out(waiting.folder)
    write_out(book, waiting.release, folder)


def _insist_kinds(book: Ledger, release: Release, rows: CodedTable) -> None:
    """Intervals stay intervals: one cell that is written otherwise would make a set of each of them."""
    before = last_kinds(book)
    lost = [
        Mistake(release.locations.at("table"), Reason("history.no_longer", column=scale.name, kind=was))
        for scale, was in zip(rows.scales, before, strict=False)
        if was in ("number", "date") and scale.kind == "category"
    ]
    if lost:
        raise BadInput(lost)


def _formulas(rows: CodedTable) -> int:
    """How many cells of published columns begin as a formula does."""
    text = [f"q{k}" for k, kind in enumerate(rows.kinds) if kind not in ("number", "date")]
    return sum(count_formulas(rows.cells.column(name)) for name in (*text, "x"))


def _result(
    release: Release, made: NextGroups, number: int, exposure: Exposure | None, finished: int | None
) -> Republished:
    grouping = made.grouping
    return Republished(
        release,
        number,
        made.chosen,
        people=int((grouping.group >= 0).sum()),
        newcomers=made.newcomers,
        groups=len(grouping.signature),
        counterfeits=len(grouping.counterfeits),
        withheld=made.withheld,
        changed=made.changed,
        exposure=exposure,
        finished=finished,
    )


def _recorded(run: _Run, book: Ledger, number: int, last: DatedRelease | None) -> Republished:
    """What the ledger says of a release that was committed earlier."""
    told = count_release(book, number)
    return Republished(
        run.release, number, run.chosen, told.people, 0, told.groups, told.counterfeits, last=last, finished=number
    )
