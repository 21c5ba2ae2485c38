"""What stable groups remember from one release to the next, as plain arrays.

A group has a seat for each published row. A seat is held by a person, or it is a ghost: a counterfeit that keeps the
value of the person who held it last, or of nobody (a number below 0). A lineage is a group through all releases;
groups that merge become one lineage.
"""

from __future__ import annotations

import numpy as np

from deniable.frozen import frozen
from deniable.publish.again.releases import Grouping, Memberships, Signatures, Table
from deniable.worlds.arrays import Bools, Int32s, Int64s, offsets


@frozen(eq=False)
class Seats:
    """The last release: group g has the seats starts[g]:starts[g + 1], and what must be kept beside it.

    `published` is the signature of each person number, -1 for people who never were in a release. `gone_person` and
    `gone_lineage` are pairs: this person was in that lineage, and the seat is no longer theirs. `foreign` groups
    have members who were in another lineage before. `floor` is the fewest copies of a value that a group may come to
    have, for the sake of the groups that merged into it; `fresh` seats are held by those who came last since it was
    founded or merged. `lineages` and `nobodies` are how many there were so far.
    """

    starts: Int64s
    person: Int64s
    values: Int32s
    ghost: Bools
    lineage: Int64s
    signature: Int32s
    foreign: Bools
    floor: Int64s
    fresh: Bools
    signatures: Signatures
    published: Int32s
    gone_person: Int64s
    gone_lineage: Int64s
    lineages: int
    nobodies: int

    @staticmethod
    def empty() -> Seats:
        """Before the first release."""
        long, short, yes = np.zeros(0, np.int64), np.zeros(0, np.int32), np.zeros(0, np.bool_)
        start = np.zeros(1, np.int64)
        none = Signatures(start, short)
        return Seats(start, long, short, yes, long, short, yes, long, yes, none, short, long, long, 0, 0)

    def __len__(self) -> int:
        return len(self.lineage)

    @property
    def group(self) -> Int64s:
        """The group of each seat."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    @property
    def copies(self) -> Int64s:
        """How often each group has each value."""
        return np.asarray(np.diff(self.starts) // self.signatures.sizes()[self.signature])


@frozen(eq=False)
class StableGrouping:
    """The next release, the seats to keep for the one after it, and what was done.

    `batches` are seats of `seats` that newcomers took over from ghosts, batch after batch between `batch_starts`.
    """

    grouping: Grouping
    seats: Seats
    batch_starts: Int64s
    batches: Int64s
    merged: int


def adopted(table: Table, grouping: Grouping, memberships: Memberships) -> Seats:
    """The last release of another algorithm as seats; `memberships` include it. Its counterfeits are nobodies.

    Whoever was published and is not in it counts as gone from one and the same lineage, so that few of them meet again.
    """
    groups = len(grouping.signature)
    sizes = grouping.signatures.sizes()[grouping.signature]
    real, false = np.flatnonzero(grouping.group >= 0), len(grouping.counterfeits)
    counts = np.diff(grouping.counterfeit_starts)
    group = np.concatenate([grouping.group[real].astype(np.int64), np.repeat(np.arange(groups), counts)])
    order = np.argsort(group, kind="stable")
    away = np.ones(memberships.people, np.bool_)
    away[table.person[real]] = False
    gone = np.flatnonzero(away & (memberships.signature >= 0))
    return Seats(
        offsets(np.bincount(group, minlength=groups)),
        np.concatenate([table.person[real], -1 - np.arange(false)])[order],
        np.concatenate([table.values[real], grouping.counterfeits])[order],
        (np.arange(len(group)) >= len(real))[order],
        np.arange(groups),
        grouping.signature,
        np.zeros(groups, np.bool_),
        np.bincount(group, minlength=groups) // sizes,  # its earlier states are not known
        np.zeros(len(group), np.bool_),
        grouping.signatures,
        memberships.signature.copy(),
        gone,
        np.full(len(gone), groups),
        groups + 1,
        false,
    )


def find_rows(table: Table, seats: Seats, people: int) -> tuple[Int64s, Bools, int]:
    """The row of each seat's person, -1 if there is none; which rows have no seat; how many have another value."""
    row_of = np.full(people + 1, -1, np.int64)  # the last one is that of nobody
    row_of[table.person] = np.arange(len(table))
    row = row_of[np.where(seats.person >= 0, seats.person, people)]
    held = np.flatnonzero(row >= 0)
    unseated = np.ones(len(table), np.bool_)
    unseated[row[held]] = False
    changed = int(np.count_nonzero(table.values[row[held]] != seats.values[held]))
    return row, unseated, changed


def seat_people(
    rows: Int64s, group: Int64s, people: Int64s, signature: Int32s, holder: Int64s, published: Int32s
) -> None:
    """Enter who holds each seat that a row has, and under which signature they are published."""
    held = np.flatnonzero(rows >= 0)
    who = people[rows[held]]
    holder[held] = who
    published[who] = signature[group[held]]


def leave(seats: Seats, root: Int64s, row: Int64s, before: Int64s) -> tuple[Int64s, Int64s]:
    """Who was in which lineage and has a seat there no longer: those before, and the people whose seat is taken now."""
    sizes = np.diff(seats.starts)
    lost = np.flatnonzero((seats.person >= 0) & ((row != before) | np.repeat(root < 0, sizes)))
    people = np.concatenate([seats.gone_person, seats.person[lost]])
    return people, np.concatenate([seats.gone_lineage, np.repeat(seats.lineage, sizes)[lost]])


def groups_of_rows(rows: Int64s, group: Int64s, total: int) -> Int32s:
    """The group of each row, -1 for none."""
    found = np.full(total, -1, np.int32)
    held = np.flatnonzero(rows >= 0)
    found[rows[held]] = group[held]
    return found
