"""Groups of newcomers from blocks of neighbours, chosen so that the choice says nothing.

Blocks are cut by quasi-identifiers alone. Inside a block of n people whose commonest value c of them have there are
g = max(n // m, c) groups; values come in an order drawn by lot, the people of a value too, and all are dealt to the
groups in turn. So each group has each value at most once, and any exchange of values inside a block leads to this
release with the same probability. Where people are fewer than m g, counterfeits stand for the others, and g gets some
more by lot: or as many groups as a value has people would tell it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deniable.publish.again.assignment import capped
from deniable.publish.again.releases import Signatures, Table, coordinates
from deniable.publish.again.stable.founded import Founded
from deniable.worlds.arrays import Bools, Floats, Int32s, Int64s, different, expand, offsets

PEOPLE = 48  # of a block at least: guesses from quasi-identifiers gain little from any size from 12 to 192
_MOST = 16  # times as many; where not even these need few counterfeits, signatures that many groups share do
_SHARE = 0.25  # of the counterfeits allowed that founding may take; else blocks are twice as large, and so on


def found_in_blocks(
    table: Table,
    rows: Int64s,
    signatures: Signatures,
    m: int,
    at_most: float,
    cover: int | None,
    rng: np.random.Generator,
) -> Founded | None:
    """Groups of newcomers, who come in random order; None where blocks would need too many counterfeits.

    `cover` limits the counterfeits spent on too frequent values: whoever they do not suffice for is not placed.
    """
    kinds = int(max(table.values.max(initial=-1), signatures.values.max(initial=-1))) + 1
    known = np.zeros(kinds, np.bool_)
    known[table.values] = known[signatures.values] = True
    most = (m * len(rows) if cover is None else cover) if np.count_nonzero(known) >= m else 0
    rows, unplaced = _placed(table.values, rows, m, most, kinds)
    blocks = _smallest(table, rows, m, min(most, int(_SHARE * at_most * len(rows))), kinds)
    if blocks is None:
        return None
    groups = blocks.groups(m)
    groups = groups + _more(blocks, groups, m, most, rng)
    starts, who, values = _dealt(blocks, groups, _counterfeits(blocks, groups, np.flatnonzero(known), m, rng), rng)
    numbers, extended = numbered(signatures, starts, values)
    row = np.where(who >= 0, rows[who] if len(rows) else -1, -1)
    return Founded(starts, row, values, numbers, extended, unplaced, np.zeros(len(numbers), np.bool_)).with_people()


def _placed(values: Int32s, rows: Int64s, m: int, cover: int, kinds: int) -> tuple[Int64s, Int64s]:
    """The rows that so many counterfeits suffice for, the first of each value, and the others."""
    order = np.argsort(values[rows], kind="stable")
    counts = np.bincount(values[rows], minlength=kinds)
    stay = np.zeros(len(rows), np.bool_)
    stay[order] = expand(0, counts) < np.repeat(capped(counts, m, cover), counts)
    return rows[stay], rows[~stay]


class _Blocks(NamedTuple):
    """Blocks of people: of each pair of a block and a value in it, how many; the pair of each person."""

    block: Int64s
    value: Int64s
    people: Int64s
    pair: Int64s

    @property
    def size(self) -> Int64s:
        """How many people each block has."""
        return np.bincount(self.block, weights=self.people).astype(np.int64)

    def groups(self, m: int) -> Int64s:
        """How many groups each block makes at least."""
        if not len(self.block):
            return np.zeros(0, np.int64)
        commonest = np.maximum.reduceat(self.people, np.flatnonzero(np.diff(self.block, prepend=-1)))
        return np.asarray(np.maximum(self.size // m, commonest))

    def lack(self, groups: Int64s, m: int) -> Int64s:
        """How many counterfeits each block needs for so many groups."""
        return np.asarray(np.maximum(m * groups - self.size, 0))


def _smallest(table: Table, rows: Int64s, m: int, limit: int, kinds: int) -> _Blocks | None:
    """The smallest blocks that need no more counterfeits than the limit, those by lot included; else one, if small."""
    size = PEOPLE
    while True:
        blocks = _pairs(neighbours(table, rows, size) * kinds + table.values[rows], kinds)
        if size >= len(rows) or 2 * int(blocks.lack(blocks.groups(m), m).sum()) <= limit:
            return blocks
        if size >= PEOPLE * _MOST:
            return None
        size *= 2


def _pairs(keys: Int64s, kinds: int) -> _Blocks:
    """People by block and value."""
    order = np.argsort(keys, kind="stable")
    first = np.flatnonzero(np.diff(keys[order], prepend=-1))
    counts = np.diff(np.append(first, len(keys)))
    pair = np.empty(len(keys), np.int64)
    pair[order] = np.repeat(np.arange(len(first)), counts)
    found = keys[order[first]]
    return _Blocks(found // kinds, found % kinds, counts, pair)


def neighbours(table: Table, rows: Int64s, size: int) -> Int64s:
    """The block of each row: all are cut in two again and again, to blocks of less than twice the size, or alike.

    A cut is along the column in which the block is widest, between two of its codes, so near the middle as may be;
    where no cut leaves both parts large enough, along the next column; people who are alike are cut by lot: as they
    come.
    """
    some = Table(rows, tuple(column[rows] for column in table.columns), table.values[rows])
    codes, scale = coordinates(some)
    block, begun = np.zeros(len(rows), np.int64), 1
    waiting = [np.arange(len(rows))] if len(rows) >= 2 * size else []
    while waiting:
        people = waiting.pop()
        goes = _cut(codes[people], scale, size)
        parts = people[~goes], people[goes]
        block[parts[1]] = begun
        begun += 1
        waiting += [part for part in parts if len(part) >= 2 * size]
    return block


def _cut(codes: Int32s, scale: Floats, size: int) -> Bools:
    """Who goes to the second part of a block; both have so many people at least."""
    least = codes.min(axis=0)
    widths = (codes.max(axis=0) - least) * scale
    half = len(codes) // 2
    for column in np.argsort(-widths, kind="stable").tolist():
        if widths[column] == 0:
            break
        below = np.cumsum(np.bincount(codes[:, column] - least[column]))[:-1]
        best = int(np.argmin(np.abs(below - half)))
        if min(below[best], len(codes) - below[best]) >= size:
            return np.asarray(codes[:, column] > least[column] + best)
    return np.arange(len(codes)) >= half


def _more(blocks: _Blocks, groups: Int64s, m: int, cover: int, rng: np.random.Generator) -> Int64s:
    """Groups by lot for blocks that need counterfeits: none with chance 1/2, one with 1/4, ..., as far as they last."""
    lack = blocks.lack(groups, m)
    more = np.where(lack > 0, rng.geometric(0.5, len(lack)) - 1, 0)
    turn = rng.permutation(len(lack))
    spent = np.cumsum(m * more[turn]) - m * more[turn]
    left = np.maximum(cover - int(lack.sum()) - spent, 0)
    more[turn] = np.minimum(more[turn], left // m)
    return more


class _Pairs(NamedTuple):
    """Blocks and values, those of people first, and how many counterfeits there are of each."""

    block: Int64s
    value: Int64s
    false: Int64s


def _counterfeits(blocks: _Blocks, groups: Int64s, known: Int64s, m: int, rng: np.random.Generator) -> _Pairs:
    """By lot, of what the values of the block lack to one for each group; then of other values, drawn by lot too."""
    lack = blocks.lack(groups, m)
    block, value = blocks.block, blocks.value
    room = np.where(lack[block] > 0, groups[block] - blocks.people, 0)
    for b in np.flatnonzero(np.bincount(block, weights=room, minlength=len(lack)) < lack).tolist():
        others = rng.permutation(np.setdiff1d(known, value[block == b], assume_unique=True))
        others = others[: m - np.count_nonzero(block == b)]
        block, value = np.append(block, np.full(len(others), b)), np.append(value, others)
        room = np.append(room, np.full(len(others), groups[b]))
    pair = np.repeat(np.arange(len(block)), room)
    pair = pair[np.lexsort((rng.random(len(pair)), block[pair]))]
    taken = pair[expand(0, np.bincount(block[pair], minlength=len(lack))) < lack[block[pair]]]
    return _Pairs(block, value, np.bincount(taken, minlength=len(block)))


def _dealt(blocks: _Blocks, groups: Int64s, pairs: _Pairs, rng: np.random.Generator) -> tuple[Int64s, Int64s, Int32s]:
    """Deal the people of each block, and -1 for counterfeits, to its groups: where these start, who, their values."""
    pair = np.concatenate([blocks.pair, np.repeat(np.arange(len(pairs.block)), pairs.false)])
    who = np.concatenate([np.arange(len(blocks.pair)), np.full(len(pair) - len(blocks.pair), -1)])
    turn = rng.permutation(len(pairs.block))
    order = np.lexsort((rng.random(len(pair)), turn[pair], pairs.block[pair]))
    pair, who = pair[order], who[order]
    block, value = pairs.block[pair], pairs.value[pair]
    place = expand(0, np.bincount(block, minlength=len(groups)))
    group = (np.cumsum(groups) - groups)[block] + place % groups[block]
    order = np.lexsort((value, group))
    sizes = np.bincount(group, minlength=int(groups.sum()))
    return offsets(sizes), who[order], value[order].astype(np.int32)


def numbered(signatures: Signatures, starts: Int64s, values: Int32s) -> tuple[Int32s, Signatures]:
    """The signature of each group, whose values ascend; those that were never used get the next numbers.

    Sets are found by a sum that they alone are likely to have, and compared.
    """
    old, flat = len(signatures), np.concatenate([signatures.values, values])
    every = np.concatenate([signatures.starts, signatures.starts[-1] + starts[1:]])
    of_value = np.random.default_rng(0).integers(0, 2**63, int(flat.max(initial=0)) + 1, np.uint64)
    sums = np.add.reduceat(of_value[flat], every[:-1])
    order = np.argsort(sums, kind="stable")
    is_other = np.ones(len(order), np.bool_)
    is_other[1:] = sums[order[1:]] != sums[order[:-1]]
    first = np.empty(len(order), np.int64)
    first[order] = order[is_other][np.cumsum(is_other) - 1]
    alone = np.flatnonzero(~_equal(first, every, flat))
    first[alone] = alone
    first = first[old:]
    new = different(first[first >= old])
    number = np.where(first < old, first, old + np.searchsorted(new, first)).astype(np.int32)
    sizes = np.diff(every)[new]
    more = flat[expand(every[new], sizes)]
    extended = Signatures(
        np.concatenate([signatures.starts, signatures.starts[-1] + np.cumsum(sizes)]),
        np.concatenate([signatures.values, more]),
    )
    return number, extended


def _equal(first: Int64s, starts: Int64s, values: Int32s) -> Bools:
    """Whether each set is the one that it is taken for."""
    sizes = np.diff(starts)
    same: Bools = sizes == sizes[first]
    lengths = np.where(same, sizes, 0)
    differs = values[expand(starts[:-1], lengths)] != values[expand(starts[first], lengths)]
    wrong = np.repeat(np.arange(len(sizes)), lengths)[differs]
    same[wrong] = False
    return same
