"""What stable groups remember from one release to the next, as plain arrays.

A group has a seat for each published row. A seat is held by a person, or it is a ghost: a counterfeit that keeps the
value of the person who held it last, or of nobody (a number below 0). A lineage is a group through all releases;
groups that merge become one lineage.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit

from deniable.publish.again.releases import Grouping, Memberships, Signatures, Table
from deniable.worlds.arrays import Bools, Int32s, Int64s, offsets


@dataclass(frozen=True, eq=False)
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


@dataclass(frozen=True, eq=False)
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


@njit(cache=True)
def find_rows(person, values, seat_person, seat_values, people):  # type: ignore[no-untyped-def]
    """The row of each seat's person, -1 if there is none; which rows have no seat; how many have another value."""
    row_of, unseated = np.full(people, -1, np.int32), np.ones(len(person), np.bool_)
    for i in range(len(person)):
        row_of[person[i]] = i
    row, changed = np.empty(len(seat_person), np.int64), 0
    for seat in range(len(seat_person)):
        found = row_of[seat_person[seat]] if seat_person[seat] >= 0 else -1
        row[seat] = found
        if found >= 0:
            unseated[found] = False
            changed += values[found] != seat_values[seat]
    return row, unseated, changed


@njit(cache=True)
def seat_people(rows, group, person, signature, holder, published):  # type: ignore[no-untyped-def]
    """Enter who holds each seat that a row has, and under which signature they are published."""
    for seat in range(len(rows)):
        if rows[seat] >= 0:
            who = person[rows[seat]]
            holder[seat] = who
            published[who] = signature[group[seat]]


@njit(cache=True)
def place(home, new_starts, first_new, groups, row, new_row, values, new_values):  # type: ignore[no-untyped-def]
    """Old seats by their group (`home`, -1 for none), then new ones: where each was, starts, group, values and rows."""
    starts = np.zeros(groups + 1, np.int64)
    for g in home:
        if g >= 0:
            starts[g + 1] += 1
    for g in range(len(new_starts) - 1):
        starts[first_new + g + 1] = new_starts[g + 1] - new_starts[g]
    for g in range(groups):
        starts[g + 1] += starts[g]
    total, at = starts[groups], starts[:-1].copy()
    order, group = np.empty(total, np.int64), np.empty(total, np.int64)
    held, rows = np.empty(total, np.int32), np.empty(total, np.int64)
    for seat in range(len(home)):
        g = home[seat]
        if g >= 0:
            order[at[g]], group[at[g]], held[at[g]], rows[at[g]] = seat, g, values[seat], row[seat]
            at[g] += 1
    for g in range(len(new_starts) - 1):
        for seat in range(new_starts[g], new_starts[g + 1]):
            to = starts[first_new + g] + seat - new_starts[g]
            order[to], group[to], held[to], rows[to] = len(home) + seat, first_new + g, new_values[seat], new_row[seat]
    return order, starts, group, held, rows


@njit(cache=True)
def leave(gone_person, gone_lineage, person, lineage, starts, root, row, before):  # type: ignore[no-untyped-def]
    """Who was in which lineage and has a seat there no longer: those before, and the people whose seat is taken now."""
    lost = 0
    for g in range(len(lineage)):
        for seat in range(starts[g], starts[g + 1]):
            lost += person[seat] >= 0 and (row[seat] != before[seat] or root[g] < 0)
    at = len(gone_person)
    people, lineages = np.empty(at + lost, np.int64), np.empty(at + lost, np.int64)
    people[:at], lineages[:at] = gone_person, gone_lineage
    for g in range(len(lineage)):
        for seat in range(starts[g], starts[g + 1]):
            if person[seat] >= 0 and (row[seat] != before[seat] or root[g] < 0):
                people[at], lineages[at] = person[seat], lineage[g]
                at += 1
    return people, lineages


@njit(cache=True)
def groups_of_rows(rows, group, total):  # type: ignore[no-untyped-def]
    """The group of each row, -1 for none."""
    found = np.full(total, -1, np.int32)
    for seat in range(len(rows)):
        if rows[seat] >= 0:
            found[rows[seat]] = group[seat]
    return found
