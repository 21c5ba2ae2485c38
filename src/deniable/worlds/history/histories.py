"""A history of releases as arrays, and the constraints it puts on people's values.

Everyone has one private value, the same in all releases. A group with members R and values S (a multiset) says:
the members' values are contained in S; the |S| - |R| values left over are counterfeits. A world is an assignment of
values to people that satisfies every group and what the adversary knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from functools import cached_property

import numpy as np

from deniable.frozen import frozen
from deniable.worlds.arrays import Bools, Int32s, Int64s, Integers, UInt64s, offsets

Words = UInt64s  # rows of bits


class NoWorld(ValueError):
    """No assignment of values satisfies the history and what is known."""


@frozen
class History:
    """People 0..people-1, values 0..values-1; members and values of group g between its offsets."""

    people: int
    values: int
    release: Int32s  # of each group
    member_offsets: Int64s
    members: Int32s
    value_offsets: Int64s
    codes: Int32s  # the values of each group, sorted, as often as they occur

    @property
    def groups(self) -> int:
        """How many groups all releases have."""
        return len(self.release)

    @cached_property
    def memberships(self) -> tuple[Int64s, Int32s]:
        """Offsets of each person, and the groups they are in, in rising order."""
        group = np.repeat(np.arange(self.groups, dtype=np.int32), np.diff(self.member_offsets))
        order = np.argsort(self.members, kind="stable")
        return offsets(np.bincount(self.members, minlength=self.people)), group[order]

    @cached_property
    def distinct(self) -> tuple[Int64s, Int32s, Int32s]:
        """Offsets of each group, its different values in rising order, and how many copies of each."""
        group = np.repeat(np.arange(self.groups), np.diff(self.value_offsets))
        fresh = np.ones(len(self.codes), np.bool_)
        fresh[1:] = (self.codes[1:] != self.codes[:-1]) | (group[1:] != group[:-1])
        at = np.flatnonzero(fresh)
        copies = np.diff(np.append(at, len(self.codes)))
        return offsets(np.bincount(group[at], minlength=self.groups)), self.codes[at], copies.astype(np.int32)


@frozen
class KnownValues:
    """People whose value the adversary knows."""

    people: Int32s = field(default_factory=lambda: np.zeros(0, np.int32))
    values: Int32s = field(default_factory=lambda: np.zeros(0, np.int32))


NOTHING = KnownValues()


def history(
    people: int,
    values: int,
    release: Integers,
    member_offsets: Integers,
    members: Integers,
    value_offsets: Integers,
    codes: Integers,
) -> History:
    """A checked history: nobody twice in a release, no group with fewer values than members."""
    sizes, room = np.diff(member_offsets), np.diff(value_offsets)
    if not len(release) == len(sizes) == len(room) or min(sizes.min(initial=0), room.min(initial=0)) < 0:
        raise ValueError("offsets do not fit the groups")
    if len(members) != member_offsets[-1] or len(codes) != value_offsets[-1]:
        raise ValueError("offsets do not end where the members or values end")
    if members.min(initial=0) < 0 or members.max(initial=-1) >= people:
        raise ValueError("a member is not a person")
    if codes.min(initial=0) < 0 or codes.max(initial=-1) >= values:
        raise ValueError("a value is not among the values")
    if np.any(room < sizes):
        raise ValueError(f"group {int(np.argmax(room < sizes))} has fewer values than members")
    seats = np.sort(np.repeat(release, sizes).astype(np.int64) * max(people, 1) + members)
    if np.any(seats[1:] == seats[:-1]):
        raise ValueError("a person is twice in one release")
    group = np.repeat(np.arange(len(release), dtype=np.int64), room)
    by_group = np.sort(group * max(values, 1) + codes) - group * max(values, 1)
    return History(
        people,
        values,
        release.astype(np.int32),
        member_offsets.astype(np.int64),
        members.astype(np.int32),
        value_offsets.astype(np.int64),
        by_group.astype(np.int32),
    )


def part_of(history: History, people: Integers) -> History:
    """The groups of these people, who are numbered from 0 on as they are listed; nobody else may be in those groups."""
    sizes, rooms = np.diff(history.member_offsets), np.diff(history.value_offsets)
    place = np.full(history.people, -1, np.int32)
    place[people] = np.arange(len(people), dtype=np.int32)
    inside = place[history.members] >= 0
    kept = np.zeros(history.groups, np.bool_)
    kept[np.repeat(np.arange(history.groups), sizes)[inside]] = True
    members = place[history.members[np.repeat(kept, sizes)]]
    if members.min(initial=0) < 0:
        raise ValueError("somebody else is in a group of these people")
    return History(
        len(people),
        history.values,
        history.release[kept],
        offsets(sizes[kept]),
        members,
        offsets(rooms[kept]),
        history.codes[np.repeat(kept, rooms)],
    )


def from_lists(people: int, values: int, releases: Iterable[Iterable[tuple[Sequence[int], Sequence[int]]]]) -> History:
    """A small history: each release a list of (members, values)."""
    rows = [(r, m, v) for r, groups in enumerate(releases) for m, v in groups]
    return history(
        people,
        values,
        np.array([r for r, _, _ in rows], np.int32),
        offsets(np.array([len(m) for _, m, _ in rows], np.int64)),
        np.array([p for _, m, _ in rows for p in m], np.int32),
        offsets(np.array([len(v) for _, _, v in rows], np.int64)),
        np.array([x for _, _, v in rows for x in v], np.int32),
    )


def candidates(history: History, known: KnownValues) -> Words:
    """One row of bits per person: the values that all their groups have, and the known value of known people."""
    width = (history.values + 63) // 64
    full = np.zeros(width, np.uint64)
    _set_bits(full[None, :], np.zeros(history.values, np.int64), np.arange(history.values))
    starts, values, _ = history.distinct
    of_group = np.zeros((history.groups, width), np.uint64)
    _set_bits(of_group, np.repeat(np.arange(history.groups), np.diff(starts)), values)
    firsts, groups = history.memberships
    words = np.tile(full, (history.people, 1))
    present = np.flatnonzero(np.diff(firsts))
    if len(present):
        words[present] = np.bitwise_and.reduceat(of_group[groups], firsts[present], axis=0)
    certain = np.tile(full, (history.people, 1))
    certain[known.people] = 0
    _set_bits(certain, known.people, known.values)
    return words & certain


def counts(words: Words) -> Int32s:
    """How many values each row of bits has."""
    return np.asarray(np.bitwise_count(words).sum(axis=1), np.int32)


def holds(words: Words, people: Integers, values: Integers) -> Bools:
    """Whether each person's row has the value."""
    shifted = words[people, values >> 6] >> (values & 63).astype(np.uint64)
    return np.asarray(shifted & np.uint64(1), np.bool_)


def _set_bits(rows: Words, row: Integers, values: Integers) -> None:
    np.bitwise_or.at(rows, (row, values >> 6), np.uint64(1) << (values & 63).astype(np.uint64))
