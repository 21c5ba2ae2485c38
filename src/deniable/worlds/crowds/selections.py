"""Which private values satisfy a view's condition, for each combination of public values.

Computed: sets of values, numbered so that equal sets have equal numbers (0: no value). People
with equal sets and equal projections are indistinguishable (Yao et al. 2005, section 3.1).
A set is kept as the slots at which it starts and ends, never as one bit for each value: with
the values in order, a comparison of the two sides splits them at two places only.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np

from deniable.frozen import frozen
from deniable.worlds.arrays import Bools, Int8s, Int64s

FALSE, UNKNOWN, TRUE = 0, 1, 2  # SQL's three truth values: AND is the least, OR the greatest


@frozen
class Domain:
    """The private values as one condition sees them, by number.

    `position` counts the smaller different results of the compared side (-1: it is null);
    `truths` has a column for each part of the condition that is about the private value alone.
    """

    position: Int64s
    truths: Int8s


@frozen
class Combinations:
    """What the public columns decide, one row for each different combination.

    `below` and `upto` say how many different positions lie under a threshold, without and with
    the one that equals it (-1: the threshold is null).
    """

    truths: Int8s
    below: Int64s
    upto: Int64s


@frozen
class Sets:
    """For each combination the number of its set, and each set as the slots where it changes."""

    of: Int64s
    changes: Int64s  # one row a set, ascending, -1 where there are no more
    slot: Int64s  # of each private value

    def holds(self) -> Bools:
        """One row for each set, one column for each private value: is it in?"""
        held = np.zeros((len(self.changes), len(self.slot)), np.bool_)
        for column in self.changes.T:
            held ^= (column >= 0)[:, None] & (column[:, None] <= self.slot)
        return held


def by_order(formula: tuple[Any, ...], domain: Domain, combinations: Combinations, most: int) -> Sets | None:
    """The sets of a separable condition. None when there are more than `most` pieces to look at."""
    slots = _Slots.of(domain)
    static = slots.breaks()
    pieces = len(static) + 2 * combinations.below.shape[1]
    if pieces * len(combinations.truths) > most:
        return None
    below = slots.at(combinations.below)
    upto = slots.at(combinations.upto)
    count = len(combinations.truths)
    starts = np.sort(np.concatenate([np.broadcast_to(static, (count, len(static))), below, upto], axis=1), axis=1)
    columns = []
    for j in range(pieces):
        where = np.minimum(starts[:, j], slots.count - 1)
        columns.append(_truth(formula, combinations, slots, where, below, upto) == TRUE)
    return _numbered(starts, columns, slots.count, slots.number)


def by_listing(combination: Int64s, value: Int64s, combinations: int, values: int) -> Sets:
    """The sets of any condition, from the list of (combination, value) pairs that satisfy it."""
    held = np.zeros((values, combinations), np.bool_)
    held[value, combination] = True
    starts = np.broadcast_to(np.arange(values), (combinations, values))
    return _numbered(starts, list(held), values, np.arange(values))


@frozen
class _Slots:
    """The values in order; those that no part of the condition tells apart share a slot."""

    number: Int64s  # of each value
    position: Int64s  # of each slot, null last
    truths: Int8s  # of each slot
    null: int  # the first slot whose compared side is null

    @classmethod
    def of(cls, domain: Domain) -> _Slots:
        top = int(domain.position.max(initial=-1)) + 1
        position = np.where(domain.position < 0, top, domain.position)
        _, first, number = np.unique(position, return_index=True, return_inverse=True)
        for column in domain.truths.T:
            _, first, number = np.unique(number * 3 + column, return_index=True, return_inverse=True)
        null = int(np.searchsorted(position[first], top))
        return cls(number, position[first], domain.truths[first], null)

    @property
    def count(self) -> int:
        return len(self.position)

    def breaks(self) -> Int64s:
        """The slots at which the private parts change for everybody alike."""
        changed = np.any(self.truths[1:] != self.truths[:-1], axis=1)
        places = {0, *(np.flatnonzero(changed) + 1).tolist()}
        return np.array(sorted(places | ({self.null} if self.null < self.count else set())), np.int64)

    def at(self, positions: Int64s) -> Int64s:
        """The first slot that is not under so many positions; 0 for a null, which splits nothing."""
        return np.searchsorted(self.position, np.maximum(positions, 0)).astype(np.int64)


def _truth(
    formula: tuple[Any, ...], combinations: Combinations, slots: _Slots, where: Int64s, below: Int64s, upto: Int64s
) -> Int8s:
    """The truth of the formula for each combination, at one slot each."""
    word, *rest = formula
    if word in ("and", "or"):
        parts = (_truth(part, combinations, slots, where, below, upto) for part in rest)
        return reduce(np.minimum if word == "and" else np.maximum, parts)
    if word == "not":
        return (TRUE - _truth(rest[0], combinations, slots, where, below, upto)).astype(np.int8)
    if word == "public":
        return np.asarray(combinations.truths[:, rest[0]])
    if word == "private":
        return np.asarray(slots.truths[where, rest[0]])
    operator, i = rest
    threshold_null, value_null = combinations.below[:, i] < 0, where >= slots.null
    less, equal = where < below[:, i], (where >= below[:, i]) & (where < upto[:, i])
    known = ~threshold_null & ~value_null
    if operator in ("is", "is not"):
        same = (known & equal) | (threshold_null & value_null)
        return _two_valued(same if operator == "is" else ~same)
    found = {"<": less, "<=": less | equal, ">": ~(less | equal), ">=": ~less, "=": equal, "<>": ~equal}[operator]
    return np.where(known, _two_valued(found), np.int8(UNKNOWN))


def _two_valued(found: Bools) -> Int8s:
    return np.where(found, np.int8(TRUE), np.int8(FALSE))


def _numbered(starts: Int64s, held: list[Bools], slots: int, number: Int64s) -> Sets:
    """Number the sets that hold the slots of these pieces, one row of pieces for each combination."""
    count, pieces = starts.shape
    changes = np.full((count, pieces), -1, np.int64)
    used = np.zeros(count, np.int64)
    inside = np.zeros(count, np.bool_)
    for j in range(pieces):
        end = starts[:, j + 1] if j + 1 < pieces else slots
        changed = np.flatnonzero((starts[:, j] < end) & (held[j] != inside))
        changes[changed, used[changed]] = starts[changed, j]
        used[changed] += 1
        inside[changed] = held[j][changed]
    codes = np.zeros(count, np.int64)
    for column in changes[:, : int(used.max(initial=0))].T:
        _, codes = np.unique(codes * (slots + 1) + column + 1, return_inverse=True)
    _, first, codes = np.unique(codes, return_index=True, return_inverse=True)
    rows = changes[first, : int(used.max(initial=0))]
    empty = np.flatnonzero(np.all(rows < 0, axis=1))
    order = np.arange(1, len(rows) + 1)
    if len(empty):  # the empty set is number 0, whether anybody has it or not
        order[empty[0] + 1 :] -= 1
        order[empty[0]] = 0
    table = np.full((int(order.max(initial=0)) + 1, rows.shape[1]), -1, np.int64)
    table[order] = rows
    return Sets(order[codes].astype(np.int64), table, number)
