"""The next release's groups, from the table and the ledger, and the entry that the ledger will keep of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from deniable.analyses.history.content import counterfeits_csv, group_numbers, release_csv
from deniable.analyses.history.extents import extents
from deniable.analyses.history.parameters import Parameters
from deniable.analyses.history.rows import Rows
from deniable.arrow import arrow_array, arrow_table
from deniable.errors import BadInput, Mistake, Unachievable
from deniable.ledgers.file import Ledger
from deniable.ledgers.schema import id_cells
from deniable.ledgers.state import pack, read_seats
from deniable.ledgers.store import Entry, Matched, last_nobody, last_person, read_memberships, read_signatures
from deniable.publish.again.algorithm import Before, Wanted, find
from deniable.publish.again.releases import Grouping, Signatures, Table
from deniable.publish.again.stable.seats import Seats
from deniable.release import Release
from deniable.worlds.arrays import Int32s as Ints
from deniable.worlds.arrays import Int64s as Longs

if TYPE_CHECKING:
    import pyarrow as pa

Bools = NDArray[np.bool_]


class Wishes(Protocol):
    """What may be done for people who changed or cannot be placed."""

    @property
    def withhold(self) -> bool:
        """Keep newcomers who cannot be placed for the next release."""

    @property
    def new_episode(self) -> bool:
        """Publish people whose cells changed as somebody new."""

    @property
    def seed(self) -> int | None:
        """For tests only."""


@dataclass(frozen=True, eq=False)
class Made:
    """Groups of the table's rows, and each row's number in the ledger (-1: withheld)."""

    parameters: Parameters
    table: Table
    grouping: Grouping
    person: Longs
    is_new: Bools
    replaced: Longs
    domain: tuple[str | None, ...]
    withheld: tuple[tuple[str | None, ...], ...]
    nobodies: int  # before this release
    seats: Seats | None  # to go on from, of an algorithm that keeps them

    @property
    def newcomers(self) -> int:
        """People who are published for the first time."""
        return int(np.count_nonzero(self.is_new & (self.person >= 0)))


def next_groups(
    release: Release, rows: Rows, matched: Matched, book: Ledger, chosen: Parameters, wishes: Wishes
) -> Made:
    """Run the algorithm. Raises BadInput where people changed, Unachievable where newcomers cannot be placed."""
    changed = np.flatnonzero(matched.changed)
    if len(changed) and not wishes.new_episode:
        raise BadInput(Mistake(release.title, _told_changed(release, len(changed))))
    _same_m(release, read_signatures(book), chosen)
    _same_n(release, book, chosen)
    old = np.where(matched.changed, -1, matched.person)
    table = Table(numbered(old, last_person(book)), rows.codes, matched.value)
    cover = 0 if wishes.withhold else int(chosen.counterfeits * len(rows))
    before = Before(lambda: read_memberships(book), lambda: read_seats(book))
    wanted = Wanted(chosen.m, chosen.n, chosen.counterfeits, cover, wishes.seed)
    made = find(chosen.algorithm).next_release(table, before, wanted)
    grouping = made.grouping
    waits = grouping.group < 0
    if waits.any() and not wishes.withhold:
        raise Unachievable(_told_unplaced(release, table.values, waits, old < 0, chosen))
    if not len(grouping.signature):
        raise Unachievable(f"nobody could be placed in a group of {chosen.m} values, so nothing is published")
    person = numbered(np.where(waits, -2, old), last_person(book))
    listed = rows.cells.filter(arrow_array(waits)).select(id_cells(book.layout))
    withheld = tuple(zip(*(column.to_pylist() for column in listed.columns), strict=True)) if waits.any() else ()
    replaced = matched.person[matched.changed & ~waits]
    kept = renumbered(made.seats, table.person, person) if made.seats is not None else None
    return Made(chosen, table, grouping, person, old < 0, replaced, matched.domain, withheld, last_nobody(book), kept)


def numbered(person: Longs, last: int) -> Longs:
    """Numbers after the last one for those who have none (-1); -2 becomes nobody."""
    found = person.copy()
    fresh = np.flatnonzero(person == -1)
    found[fresh] = last + 1 + np.arange(len(fresh))
    found[person == -2] = -1
    return found


def renumbered(seats: Seats, before: Longs, after: Longs) -> Seats:
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


def _same_m(release: Release, signatures: Signatures, chosen: Parameters) -> None:
    shortest = int(signatures.sizes().min(initial=chosen.m))
    if shortest < chosen.m:
        what = f"republish.m: expected at most {shortest}, as people were published before; found {chosen.m}"
        raise BadInput(Mistake(release.locations.at("republish", "m"), what))


def _same_n(release: Release, book: Ledger, chosen: Parameters) -> None:
    """Groups that keep their seats are safe for one n, from their first release on."""
    if not find(chosen.algorithm).keeps_seats:
        return
    query = "SELECT DISTINCT n FROM releases WHERE algorithm = ?"
    before = [n for (n,) in book.connection.execute(query, [chosen.algorithm]).fetchall()]
    if before and chosen.n not in before:
        name = chosen.algorithm
        what = f"republish.n: expected {before[0]}, as {name} groups were published before; found {chosen.n}"
        raise BadInput(Mistake(release.locations.at("republish", "n"), what))


def _told_changed(release: Release, count: int) -> str:
    who = "1 person has" if count == 1 else f"{count:,} people have"
    return (
        f"expected everybody's {release.private} and quasi-identifiers to be those of earlier releases; {who} others "
        "now; --new-episode publishes them as somebody new"
    )


def _told_unplaced(release: Release, values: Ints, waits: Bools, is_new: Bools, chosen: Parameters) -> str:
    """How many cannot be placed, and the share among newcomers of the value that most of them have."""
    count = int(np.count_nonzero(waits))
    binding = int(np.argmax(np.bincount(values[waits])))
    share = np.count_nonzero(values[is_new] == binding) / np.count_nonzero(is_new)
    return (
        f"{count:,} of {np.count_nonzero(is_new):,} newcomers cannot be placed in groups of {chosen.m} values, "
        f"counterfeits for {chosen.counterfeits:.3g} of the rows allowed: one {release.private} has {share:.1%} of the "
        f"newcomers, where 1/{chosen.m} needs none; --withhold keeps them for the next release"
    )


def entry_of(rows: Rows, made: Made, private: str, mark: str, folder: str, seed: int | None) -> Entry:
    """What the ledger keeps, the published bytes among it."""
    import pyarrow as pa

    rng = np.random.default_rng(seed)
    grouping, placed = made.grouping, np.flatnonzero(made.grouping.group >= 0)
    group = grouping.group[placed].astype(np.int64)
    groups = len(grouping.signature)
    numbers = group_numbers(groups, rng)
    fakes = np.diff(grouping.counterfeit_starts)
    seat_group = np.concatenate([group, np.repeat(np.arange(groups), fakes)])
    values = np.concatenate([made.table.values[placed], grouping.counterfeits]).astype(np.int32)
    shown: dict[str, pa.Array] = {}
    for scale, codes in zip(rows.scales, rows.codes, strict=True):
        shown |= extents(scale, codes[placed], group, groups)
    domain = pa.array(made.domain, pa.string())
    files = {
        "release.csv": release_csv(numbers, shown, private, seat_group, values, domain, rng),
        "counterfeits.csv": counterfeits_csv(numbers, fakes),
    }
    chosen, kept = made.parameters, made.seats
    columns = (numbers, grouping.signature, kept.lineage if kept else np.arange(groups))
    return Entry(
        chosen.algorithm, chosen.m, chosen.n, mark, rows.kinds, folder,
        people=_newcomers(rows, made),
        seats=_kept_seats(kept, numbers) if kept else _seats(made, placed, numbers[seat_group], values),
        groups=pa.table([arrow_array(column) for column in columns], ["grp", "signature", "lineage"]),
        signatures=grouping.signatures, domain=made.domain, files=files, replaced=made.replaced,
        state=pack(kept) if kept else b"",
    )  # fmt: skip


def _newcomers(rows: Rows, made: Made) -> pa.Table:
    """People for the ledger: numbers, cells, value and signature."""
    fresh = np.flatnonzero(made.is_new & (made.person >= 0))
    cells = rows.cells.drop_columns(["row", "x"]).take(arrow_array(fresh))
    signature = made.grouping.signature[made.grouping.group[fresh]]
    numbers = arrow_table(person=made.person[fresh], value=made.table.values[fresh], signature=signature)
    for name in numbers.column_names:
        cells = cells.append_column(name, numbers.column(name))
    return cells


def _seats(made: Made, placed: Longs, group: Longs, values: Ints) -> pa.Table:
    """Who holds each row: people, then nobodies with numbers of their own."""
    fakes = len(group) - len(placed)
    person = np.concatenate([made.person[placed], -(made.nobodies + 1 + np.arange(fakes))])
    return _seat_table(group, person, values, np.zeros(len(group), np.bool_))


def _kept_seats(seats: Seats, numbers: Longs) -> pa.Table:
    """Who holds each row of stable groups, and held those of ghosts."""
    return _seat_table(numbers[seats.group], seats.person, seats.values, seats.ghost)


def _seat_table(group: Longs, person: Longs, values: Ints, ghost: Bools) -> pa.Table:
    import pyarrow as pa

    columns = (arrow_array(column) for column in (group, person, values, ghost))
    return pa.table(list(columns), ["grp", "person", "value", "ghost"])
