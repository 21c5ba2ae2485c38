"""Is this the run that the publisher means? A first release, a table that looks like the next one, a folder of its own.

Each accident that was seen in practice is noticed before anything is published: a ledger that was lost, the same table
twice, an old one, identifiers that are written differently, most of the people gone; and a release that would have
more counterfeits than were asked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from deniable.analyses.history.ledger_history import ledger_path
from deniable.analyses.history.next_groups import NextGroups
from deniable.errors import BadInput, Mistake, Reason, Unachievable
from deniable.frozen import frozen
from deniable.ledgers.file import Ledger
from deniable.ledgers.outbox import FILES, Pending, read_files
from deniable.ledgers.private import journal_of
from deniable.ledgers.read import DatedRelease, dated_releases, people_of
from deniable.ledgers.store import Matched
from deniable.publish.again.algorithm import find
from deniable.release import Release

COUNTERFEITS, ALL = "counterfeits", "all"
UNUSUAL = ("same-table", "old-table", "identifiers", "gone", COUNTERFEITS)
RECUR = 0.1  # of the last release's people, below which identifiers are probably written differently
GONE = 0.5  # of them, above which probably not everybody is in the table
SPARE = 0.02  # of the published rows may be counterfeits beyond the share that was asked for


@frozen
class Unusual:
    """What does not look like the next table: its word, and the sentence about it. `also` lets it through as well."""

    word: str
    reason: Reason
    also: str = ""


def missing_ledger(release: Release, *, begin: bool) -> list[Mistake]:
    """No ledger, and no word that this is the first release."""
    path = ledger_path(release)
    is_there = path.exists() or journal_of(path).exists()
    return [] if begin or is_there else [Mistake(str(path), Reason("again.no_ledger"))]


def insist_on_begin(book: Ledger, unfinished: Pending | None) -> None:
    """`--begin` is for a first release; where one was begun with this very table, the run goes on with it."""
    releases = dated_releases(book)
    if not releases or (len(releases) == 1 and unfinished is not None):
        return
    last = releases[-1]
    raise BadInput(Mistake(str(book.path), Reason("again.begun_before", release=last.number, made=last.made)))


def insist_on_folder(
    release: Release, book: Ledger, folder: Path, unfinished: Pending | None, others: Sequence[Pending]
) -> None:
    """What is published goes to a folder of its own, which holds nothing private and no other release.

    `unfinished` is this table's release that an earlier run committed, `others` are those of other tables.
    """
    found = {name: folder / name for name in FILES if (folder / name).exists()}
    if unfinished is not None:
        files = read_files(book, unfinished.release)
        found = {name: path for name, path in found.items() if path.read_bytes() != files.get(name)}
    for other in others:
        if unfinished is None and other.folder == folder:
            raise BadInput(Mistake(str(folder), Reason("again.folder_waits", release=other.release)))
    if found:
        raise BadInput(Mistake(str(folder), Reason("again.folder_taken", found=list(found))))
    tables = [release.folder / release.table] if isinstance(release.table, str) else []
    private = [ledger_path(release), *(path for path in tables if path.exists())]
    inside = [path.name for path in private if folder in path.resolve().parents]
    if inside:
        raise BadInput(Mistake(str(folder), Reason("again.folder_is_private", found=inside)))


def insist_on_usual(release: Release, book: Ledger, matched: Matched, mark: str, allowed: Sequence[str]) -> None:
    """Refuse a table that does not look like the next one, unless that is allowed. Raises BadInput."""
    releases = dated_releases(book)
    if not releases or ALL in allowed:
        return
    found = _unusual(book, releases, matched, mark)
    if found is not None and found.word not in allowed and found.also not in allowed:
        raise BadInput(Mistake(release.title, found.reason))


def insist_on_counterfeits(
    release: Release, made: NextGroups, allowed: Sequence[str], again: Callable[[float], NextGroups]
) -> None:
    """Refuse a release with more counterfeits than were asked for, unless that is allowed. Raises Unachievable.

    `again` makes the release for another limit: the next one that it keeps is told.
    """
    given = release.republish
    if given is None or given.counterfeits is None or ALL in allowed or COUNTERFEITS in allowed:
        return
    limit, share = given.counterfeits.at_most, _counterfeits(made)
    if not find(made.chosen.algorithm).limits_all or share <= limit + SPARE:
        return
    beside = 0
    if made.seats is not None:
        beside = int(np.count_nonzero(made.seats.ghost & made.seats.foreign[made.seats.group]))
    found, within = share, limit
    while found > within + SPARE:
        within = math.ceil(100 * (found - SPARE)) / 100
        found = _counterfeits(again(within))
    told = len(made.grouping.counterfeits)
    raise Unachievable(
        Reason(
            "again.too_many_counterfeits", counterfeits=told, share=share, limit=limit, beside=beside, reachable=within
        )
    )


def _counterfeits(made: NextGroups) -> float:
    """Their share of the published rows."""
    counterfeits, people = len(made.grouping.counterfeits), int(np.count_nonzero(made.grouping.group >= 0))
    return counterfeits / max(counterfeits + people, 1)


def _unusual(book: Ledger, releases: Sequence[DatedRelease], matched: Matched, mark: str) -> Unusual | None:
    """The first thing that is unusual: what comes later would follow from it."""
    last = releases[-1]
    same = [one for one in releases if one.digest == mark]
    if same:
        word = "same-table" if same[-1] == last else "old-table"
        what = Reason("again.published_before", word=word, release=same[-1].number, made=same[-1].made)
        return Unusual(word, what)
    before = people_of(book, last.number)
    recur = int(np.isin(before, matched.person).sum())
    fresh = int(np.count_nonzero(matched.person < 0))
    few, gone = recur < RECUR * len(before), len(before) - recur
    if few and fresh >= RECUR * len(before):
        what = Reason(
            "again.identifiers_differ",
            recur=recur,
            fresh=fresh,
            release=last.number,
            made=last.made,
            before=len(before),
        )
        return Unusual("identifiers", what)
    if gone > GONE * len(before):
        what = Reason("again.people_gone", gone=gone, release=last.number, made=last.made, before=len(before))
        return Unusual("gone", what, also="identifiers" if few else "")
    return None
