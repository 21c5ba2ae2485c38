"""republish: the next release of a table whose people come and go, safe beside the releases before it.

Computed: groups that keep everybody under one signature for life (m-invariance, Xiao & Tao 2007), hc-safe of degree n
against every earlier release (Cor-Split, Riboni & Bettini), checked before the ledger takes them; and what somebody
who reads all releases together would then know (docs/theory/history.md, "The joint adversary"). Committed first,
written out second.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from deniable.analyses.history.exposure import Exposure, insist, of_next
from deniable.analyses.history.grouped import Made, entry_of, next_groups
from deniable.analyses.history.parameters import Parameters, parameters
from deniable.analyses.history.recorded import layout_of, ledger_path
from deniable.analyses.history.rows import Rows, read_rows
from deniable.engines.base import Engine
from deniable.ledgers.file import Ledger, ledger, sweep
from deniable.ledgers.outbox import pending, sweep_out, write_out
from deniable.ledgers.store import digest, match, propose, settle, withdraw
from deniable.publish.again.algorithm import find
from deniable.release import Release

STEPS = ("read", "grouped", "proposed", "audited", "committed", "written")


@dataclass(frozen=True)
class Options:
    """How to publish: what may be done for people who cannot be placed, whether the adversary is asked first."""

    algorithm: str | None = None
    withhold: bool = False
    new_episode: bool = False
    dry_run: bool = False
    audit: bool = True
    seconds: float = 60.0
    seed: int | None = None


@dataclass(frozen=True)
class Republished:
    """A release: its number, what is in it, and how many people all releases together would expose.

    `finished` is a release that an earlier run had committed and this one wrote out; where the table was the same, that
    was all there was to do, and `number` is that release.
    """

    release: Release
    number: int
    parameters: Parameters
    people: int
    newcomers: int
    groups: int
    counterfeits: int
    withheld: tuple[tuple[str | None, ...], ...] = ()
    exposure: Exposure | None = None
    finished: int | None = None

    @property
    def exceeds(self) -> bool:
        """Whether there are more counterfeits than were asked for, all of them counted."""
        limit = self.parameters.counterfeits * (self.people + self.counterfeits)
        return find(self.parameters.algorithm).limits_all and self.counterfeits > limit


def publish(
    release: Release, folder: Path, engine: Engine, options: Options, reached: Callable[[str], None]
) -> Republished:
    """Publish into a folder; `reached` is told of every step. Raises Unachievable where no safe release exists."""
    chosen = parameters(release, options.algorithm)
    rows = read_rows(release, engine)
    path, layout = ledger_path(release), layout_of(release)
    reached("read")
    with ledger(path, layout, create=True) as book:
        result, is_new = _publish(book, release, rows, chosen, folder.resolve(), options, reached)
    if is_new:  # it was in memory, and is a file now
        with ledger(path, layout) as book:
            write_out(book, result.number, folder)
    reached("written")
    return result


def _publish(
    book: Ledger,
    release: Release,
    rows: Rows,
    chosen: Parameters,
    folder: Path,
    options: Options,
    reached: Callable[[str], None],
) -> tuple[Republished, bool]:
    """The release, and whether its ledger is new and it must still be written out."""
    matched = match(book, rows.cells, rows.kinds)
    mark = digest(book)
    waiting = None if options.dry_run else pending(book)
    if not options.dry_run:
        sweep(book)
    if waiting is not None:
        sweep_out(waiting.folder)
        write_out(book, waiting.release, folder if waiting.digest == mark else waiting.folder)
        if waiting.digest == mark:
            return _recorded(release, book, chosen, waiting.release), False
    made = next_groups(release, rows, matched, book, chosen, options)
    reached("grouped")
    entry = entry_of(rows, made, release.private, mark, str(folder), options.seed)
    number = propose(book, entry)
    reached("proposed")
    try:
        exposure = of_next(release, book, chosen, options.seconds) if options.audit else None
        insist(release, exposure)
        reached("audited")
    except BaseException:
        withdraw(book)
        raise
    result = _result(release, made, number, exposure, waiting.release if waiting else None)
    if options.dry_run:
        withdraw(book)
        return result, False
    settle(book, replace(entry, exposure=json.dumps(exposure.figures()) if exposure else ""))
    reached("committed")
    if not book.is_new:
        write_out(book, number, folder)
    return result, book.is_new


def _result(release: Release, made: Made, number: int, exposure: Exposure | None, finished: int | None) -> Republished:
    grouping = made.grouping
    return Republished(
        release,
        number,
        made.parameters,
        people=int((grouping.group >= 0).sum()),
        newcomers=made.newcomers,
        groups=len(grouping.signature),
        counterfeits=len(grouping.counterfeits),
        withheld=made.withheld,
        exposure=exposure,
        finished=finished,
    )


def _recorded(release: Release, book: Ledger, chosen: Parameters, number: int) -> Republished:
    """What the ledger says of a release that was committed earlier."""
    ((people, counterfeits, groups),) = book.connection.execute(
        "SELECT count(*) FILTER (person >= 0 AND NOT ghost), count(*) FILTER (person < 0 OR ghost), "
        "count(DISTINCT grp) FROM seats WHERE release = ?",
        [number],
    ).fetchall()
    return Republished(release, number, chosen, people, 0, groups, counterfeits, finished=number)
