"""The next release's groups, from the table and the ledger."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from deniable.analyses.history.chosen_algorithm import ChosenAlgorithm
from deniable.analyses.history.coded_table import CodedTable
from deniable.analyses.history.republish_options import RepublishOptions
from deniable.arrow import arrow_array
from deniable.errors import BadInput, Mistake, Reason, Unachievable
from deniable.frozen import frozen
from deniable.ledgers.file import Ledger
from deniable.ledgers.read import degrees_of
from deniable.ledgers.schema import id_cells
from deniable.ledgers.state import read_seats
from deniable.ledgers.store import Matched, last_nobody, last_person, read_memberships, read_signatures
from deniable.publish.again.algorithm import Before, Wanted, find
from deniable.publish.again.releases import Grouping, Signatures, Table
from deniable.publish.again.stable.seats import Seats
from deniable.release import Release
from deniable.worlds.arrays import Bools, Int32s, Int64s


@frozen(eq=False)
class NextGroups:
    """Groups of the table's rows, and each row's number in the ledger (-1: withheld)."""

    chosen: ChosenAlgorithm
    table: Table
    grouping: Grouping
    person: Int64s
    is_new: Bools
    replaced: Int64s
    domain: tuple[str | None, ...]
    withheld: tuple[tuple[str | None, ...], ...]
    changed: tuple[tuple[str | None, ...], ...]  # identifiers of people with new cells, and in which columns
    nobodies: int  # before this release
    seats: Seats | None  # to go on from, of an algorithm that keeps them

    @property
    def newcomers(self) -> int:
        """People who are published for the first time."""
        return int(np.count_nonzero(self.is_new & (self.person >= 0)))


def next_groups(
    release: Release,
    rows: CodedTable,
    matched: Matched,
    book: Ledger,
    chosen: ChosenAlgorithm,
    options: RepublishOptions,
) -> NextGroups:
    """Run the algorithm. Raises BadInput where people changed, Unachievable where newcomers cannot be placed."""
    if matched.changed.any() and not options.new_episode:
        raise BadInput(Mistake(release.title, _changed(release, matched, book)))
    _same_m(release, read_signatures(book), chosen)
    _same_n(release, book, chosen)
    old = np.where(matched.changed, -1, matched.person)
    table = Table(numbered(old, last_person(book)), rows.codes, matched.value)
    cover = 0 if options.withhold else int(chosen.counterfeits * len(rows))
    before = Before(lambda: read_memberships(book), lambda: read_seats(book))
    wanted = Wanted(chosen.m, chosen.n, chosen.counterfeits, cover, options.seed)
    made = find(chosen.algorithm).next_release(table, before, wanted)
    waits = made.grouping.group < 0
    if waits.any() and not options.withhold:
        less = find(chosen.algorithm).next_release(table, before, replace(wanted, cover=0)).grouping
        kept_back = int(np.count_nonzero(less.group < 0)) if len(less.signature) else None
        raise Unachievable(_unplaced(release, table.values, waits, old < 0, chosen, kept_back))
    if not len(made.grouping.signature):
        raise Unachievable(Reason("history.nobody_placed", m=chosen.m))
    person = numbered(np.where(waits, -2, old), last_person(book))
    return NextGroups(
        chosen,
        table,
        made.grouping,
        person,
        is_new=old < 0,
        replaced=matched.person[matched.changed & ~waits],
        domain=matched.domain,
        withheld=_listed(rows, book, waits),
        changed=_with_columns(_listed(rows, book, matched.changed), release, matched, book),
        nobodies=last_nobody(book),
        seats=renumbered(made.seats, table.person, person) if made.seats is not None else None,
    )


def numbered(person: Int64s, last: int) -> Int64s:
    """Numbers after the last one for those who have none (-1); -2 becomes nobody."""
    found = person.copy()
    fresh = np.flatnonzero(person == -1)
    found[fresh] = last + 1 + np.arange(len(fresh))
    found[person == -2] = -1
    return found


def renumbered(seats: Seats, before: Int64s, after: Int64s) -> Seats:
    """The seats with the numbers that people have in the ledger; whoever waits has none there."""
    if np.array_equal(before, after):
        return seats
    place = np.full(max(len(seats.published), int(before.max(initial=-1)) + 1), -1, np.int64)
    place[: len(seats.published)] = np.arange(len(seats.published))
    place[before] = after
    held = np.where(seats.person >= 0, place[np.maximum(seats.person, 0)], seats.person)
    published = np.full(max(len(seats.published), int(after.max(initial=-1)) + 1), -1, np.int32)
    moved = np.flatnonzero(place[: len(seats.published)] >= 0)
    published[place[moved]] = seats.published[moved]
    return replace(seats, person=held, published=published)


def _same_m(release: Release, signatures: Signatures, chosen: ChosenAlgorithm) -> None:
    shortest = int(signatures.sizes().min(initial=chosen.m))
    if shortest < chosen.m:
        what = Reason("history.larger_m", most=shortest, m=chosen.m)
        raise BadInput(Mistake(release.locations.at("republish", "m"), what))


def _same_n(release: Release, book: Ledger, chosen: ChosenAlgorithm) -> None:
    """Groups that keep their seats are safe for one n, from their first release on."""
    if not find(chosen.algorithm).keeps_seats:
        return
    before = degrees_of(book, chosen.algorithm)
    if before and chosen.n not in before:
        what = Reason("history.another_n", algorithm=chosen.algorithm, before=before[0], n=chosen.n)
        raise BadInput(Mistake(release.locations.at("republish", "n"), what))


def _listed(rows: CodedTable, book: Ledger, who: Bools) -> tuple[tuple[str | None, ...], ...]:
    """The identifiers of some rows."""
    listed = rows.cells.filter(arrow_array(who)).select(id_cells(book.layout))
    return tuple(zip(*(column.to_pylist() for column in listed.columns), strict=True)) if who.any() else ()


def _with_columns(
    people: tuple[tuple[str | None, ...], ...], release: Release, matched: Matched, book: Ledger
) -> tuple[tuple[str | None, ...], ...]:
    """Beside each identifier the columns in which the person has another cell than before."""
    names = np.array([release.private, *book.layout.quasi], object)
    found = matched.differs[:, matched.changed].T
    return tuple((*who, ", ".join(names[one])) for who, one in zip(people, found, strict=True))


def _changed(release: Release, matched: Matched, book: Ledger) -> Reason:
    """How many people have others cells than before, and in which columns."""
    names = (release.private, *book.layout.quasi)
    counts = np.count_nonzero(matched.differs, axis=1).tolist()
    told = {name: count for name, count in zip(names, counts, strict=True) if count}
    return Reason(
        "history.people_changed", private=release.private, count=int(np.count_nonzero(matched.changed)), columns=told
    )


def _unplaced(
    release: Release, values: Int32s, waits: Bools, is_new: Bools, chosen: ChosenAlgorithm, kept_back: int | None
) -> Reason:
    """How many cannot be placed, the share among newcomers of the value that most of them have, and how many would
    have to wait (None: everybody, which is no release)."""
    binding = int(np.argmax(np.bincount(values[waits])))
    newcomers = int(np.count_nonzero(is_new))
    return Reason(
        "history.newcomers_unplaced",
        count=int(np.count_nonzero(waits)),
        newcomers=newcomers,
        m=chosen.m,
        counterfeits=chosen.counterfeits,
        private=release.private,
        share=np.count_nonzero(values[is_new] == binding) / newcomers,
        kept_back=kept_back,
    )
