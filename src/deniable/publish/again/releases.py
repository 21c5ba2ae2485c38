"""What re-publication takes and gives: the table, the releases before it, and the groups of the next one.

The signature of a group is its set of private values (Riboni & Bettini, section 2.1; Xiao & Tao 2007).
A person keeps one signature for life; who was in which group is kept person by person, release after release.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise

import numpy as np

from deniable.frozen import frozen
from deniable.worlds.arrays import Floats, Int32s, Int64s


@frozen(eq=False)
class Table:
    """The current table: a number, quasi-identifier codes and a private value code for each person, all from 0 on."""

    person: Int64s
    columns: tuple[Int32s, ...]
    values: Int32s

    def __len__(self) -> int:
        return len(self.values)


def coordinates(table: Table) -> tuple[Int32s, Floats]:
    """The quasi-identifiers side by side, one row for each person, and what makes their ranges comparable."""
    columns = table.columns or (np.zeros(len(table), np.int32),)  # distances need one
    codes = np.empty((len(table), len(columns)), np.int32)
    for place, column in enumerate(columns):
        codes[:, place] = column
    ranges = [int(column.max(initial=0)) - int(column.min(initial=0)) for column in columns]
    return codes, 1.0 / np.maximum(np.array(ranges), 1)


def steps(table: Table) -> int:
    """How many steps of kernels it takes to put the rows into buckets and to halve these."""
    return 5 * len(table) * (len(table.columns) + 1)


def check(table: Table, signatures: Signatures, m: int) -> None:
    """Refuse what no release can be made from."""
    if m < 2:
        raise ValueError(f"The 'm' parameter must be an int in [2, inf). Got {m} instead.")
    shortest = int(signatures.sizes().min(initial=m))
    if shortest < m:
        raise ValueError(f"The 'm' parameter must be an int in [2, {shortest}], as published before. Got {m} instead.")
    if table.person.min(initial=0) < 0 or np.bincount(table.person).max(initial=0) > 1:
        raise ValueError("every person must be in the table once, with a number from 0 on")


@frozen(eq=False)
class Signatures:
    """Sets of values: signature s is values[starts[s]:starts[s + 1]], ascending."""

    starts: Int64s
    values: Int32s

    def __len__(self) -> int:
        return len(self.starts) - 1

    def sets(self) -> list[tuple[int, ...]]:
        """Every signature, by number."""
        flat, ends = self.values.tolist(), self.starts.tolist()
        return [tuple(flat[first:last]) for first, last in pairwise(ends)]

    def sizes(self) -> Int64s:
        """How many values each has."""
        return np.diff(self.starts)

    def extended(self, more: Sequence[tuple[int, ...]]) -> Signatures:
        """The same numbers, then new ones."""
        sizes = np.array([len(values) for values in more], np.int64)
        starts = np.concatenate([self.starts, self.starts[-1] + np.cumsum(sizes)])
        return Signatures(starts, np.concatenate([self.values, np.array(list(chain(*more)), np.int32)]))


@frozen(eq=False)
class Grouping:
    """The next release: the group of each row (-1: not placed), and per group its signature and counterfeit values.

    Group g has the counterfeits counterfeits[counterfeit_starts[g]:counterfeit_starts[g + 1]]. Numbers follow the
    values and the quasi-identifiers, so a writer renumbers the groups at random. `unplaced` are rows of newcomers.
    """

    group: Int32s
    signature: Int32s
    counterfeit_starts: Int64s
    counterfeits: Int32s
    signatures: Signatures
    unplaced: Int64s


@frozen(eq=False)
class Memberships:
    """Who was in which group of the releases so far: groups[person, release] (-1: absent), and each person's signature.

    The signature is -1 for people who never were in a release.
    """

    groups: Int32s
    signature: Int32s
    signatures: Signatures

    @staticmethod
    def empty() -> Memberships:
        """Before the first release."""
        nothing = Signatures(np.zeros(1, np.int64), np.zeros(0, np.int32))
        return Memberships(np.zeros((0, 0), np.int32), np.zeros(0, np.int32), nothing)

    @property
    def people(self) -> int:
        """Person numbers below this may have been published."""
        return int(self.groups.shape[0])

    @property
    def releases(self) -> int:
        """How many there were."""
        return int(self.groups.shape[1])

    def extended(self, table: Table, grouping: Grouping) -> Memberships:
        """With one release more."""
        people = max(self.people, int(table.person.max(initial=-1)) + 1)
        groups = np.full((people, self.releases + 1), -1, np.int32)
        groups[: self.people, :-1] = self.groups
        signature = np.full(people, -1, np.int32)
        signature[: self.people] = self.signature
        placed = np.flatnonzero(grouping.group >= 0)
        person, group = table.person[placed], grouping.group[placed]
        groups[person, -1] = group
        signature[person] = grouping.signature[group]
        return Memberships(groups, signature, grouping.signatures)
