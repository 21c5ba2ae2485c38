"""Division, balancing and assignment of m-invariance (Xiao & Tao 2007, section 5): which bucket each row goes to.

Published people go to the bucket of their signature; newcomers fill up the rarer values, as long as the rest stays
m-eligible (no value above 1/m); the rest goes in full rounds to old signatures, then to new ones of m values or more.
A bucket of g rounds becomes g groups' worth of rows: what its values lack to g each is filled with counterfeits.
Taking t newcomers of v keeps the rest eligible iff t <= rest - m * (most of another value).
"""

from __future__ import annotations

import numpy as np

from deniable.frozen import frozen
from deniable.kernels import kernel
from deniable.publish.again.releases import Memberships, Signatures, Table
from deniable.worlds.arrays import Bools, Int32s, Int64s, expand

_NOWHERE = -1


@frozen(eq=False)
class Buckets:
    """The signature of each row (-1: not placed), its value's place in it, and the rounds of each signature."""

    signature: Int32s
    place: Int64s
    rounds: Int64s
    signatures: Signatures


def assign(table: Table, before: Memberships, m: int, least: int, cover: int, more: Int64s | None = None) -> Buckets:
    """Put rows into buckets; old buckets are brought to `least` rounds first if newcomers can do it.

    Up to `cover` counterfeits are spent on newcomers whose values are too frequent; the rest is not placed. Buckets get
    so many rounds `more` than the commonest value of their published rows needs.
    """
    old = division(table, before)
    signatures = before.signatures
    kinds = int(max(table.values.max(initial=-1), signatures.values.max(initial=-1))) + 1
    place = places(signatures, old, table.values, before)
    there = np.bincount(place[old >= 0], minlength=len(signatures.values))
    newcomers = np.flatnonzero(old < 0)
    pool = np.bincount(table.values[newcomers], minlength=kinds)
    held, take = pool.copy(), np.zeros(len(signatures.values), np.int64)
    begun = np.maximum.reduceat(there, signatures.starts[:-1]) if len(signatures) else there
    begun = begun + np.where(begun > 0, 0 if more is None else more, 0)
    share_out(signatures, there, pool, m, least, take, begun)
    known = np.zeros(kinds, np.bool_)
    known[table.values] = known[signatures.values] = True
    kept = capped(pool, m, cover if np.count_nonzero(known) >= m else 0)
    signatures, take = _with_new(signatures, take, new_signatures(padded(kept, known, m), m))
    dealt = deal(signatures, take, table.values[newcomers], held - pool + kept)
    old[newcomers] = dealt
    fresh = newcomers[dealt >= 0]
    place[fresh] = _find(signatures, old[fresh], table.values[fresh])
    counts = np.bincount(place[place >= 0], minlength=len(signatures.values))
    rounds = np.maximum.reduceat(counts, signatures.starts[:-1]) if len(signatures) else counts
    rounds[: len(begun)] = np.maximum(rounds[: len(begun)], begun)
    return Buckets(old, place - signatures.starts[np.maximum(old, 0)], rounds, signatures)


def division(table: Table, before: Memberships) -> Int32s:
    """The signature of each row's person, -1 for newcomers."""
    old = np.full(len(table), _NOWHERE, np.int32)
    known = table.person < before.people
    old[known] = before.signature[table.person[known]]
    return old


def places(signatures: Signatures, old: Int32s, values: Int32s, before: Memberships) -> Int64s:
    """Where each row's value stands among all signatures' values; refuses values outside of the signature."""
    place = np.full(len(old), _NOWHERE, np.int64)
    published = np.flatnonzero(old >= 0)
    place[published] = _find(signatures, old[published], values[published])
    changed = int(np.count_nonzero(place[published] < 0))
    if changed:
        what = f"{changed} people have a value outside of the signature they were published under"
        raise ValueError(f"{what} in the {before.releases} releases so far")
    return place


def _find(signatures: Signatures, signature: Int32s, values: Int32s) -> Int64s:
    place = np.empty(len(signature), np.int64)
    find_places(signatures.starts, signatures.values, signature, values, place)
    return place


@kernel("void(i8[::1], i4[::1], i4[::1], i4[::1], i8[::1])")
def find_places(starts, flat, signature, values, place):  # type: ignore[no-untyped-def]
    """place[i]: where values[i] stands in its signature, -1 if nowhere."""
    for i in range(len(signature)):
        s = int(signature[i])
        low, high = starts[s], starts[s + 1]
        end = high
        while low < high:
            middle = (low + high) // 2
            if flat[middle] < values[i]:
                low = middle + 1
            else:
                high = middle
        place[i] = low if low < end and flat[low] == values[i] else -1


def share_out(
    signatures: Signatures, there: Int64s, pool: Int64s, m: int, least: int, take: Int64s, begun: Int64s
) -> None:
    """Balance the old buckets, bring the small ones to `least` rounds, then give each all it can get.

    `there` counts the published rows of each signature's values; newcomers leave `pool` and are noted in `take`. Each
    signature has `begun` rounds at least.
    """
    if len(signatures):
        core = capped(pool, m, 0)
        memory = begun.copy(), np.zeros_like(pool)
        _share_out(signatures.starts, signatures.values, there, pool, core, m, least, take, *memory)


@kernel()
def _total_and_most(pool):  # type: ignore[no-untyped-def]
    """How many newcomers there are, and how many of the commonest value."""
    total, most = 0, 0
    for value in range(len(pool)):
        total += pool[value]
        most = max(most, pool[value])
    return total, most


@kernel()
def _rounds_for(first, last, flat, pool, m):  # type: ignore[no-untyped-def]
    """How many full rounds of some values, in ascending order, may leave the pool."""
    total, top, others, at = 0, 0, 0, first
    fewest, most = pool[flat[first]], pool[flat[first]]
    for value in range(len(pool)):
        count = pool[value]
        total += count
        top = max(top, count)
        if at < last and flat[at] == value:
            fewest, most = min(fewest, count), max(most, count)
            at += 1
        else:
            others = max(others, count)
    bound, size = max(total, m * top), last - first  # a pool that is not eligible may not get worse
    rounds = min(fewest, (bound - m * others) // size)
    if size > m:
        rounds = min(rounds, (bound - m * most) // (size - m))
    return max(rounds, 0)


@kernel()
def _stays_eligible(need, pool, core, m):  # type: ignore[no-untyped-def]
    """Whether the core may give what is needed of all values beyond the other newcomers of the pool."""
    total, most = 0, 0
    for value in range(len(core)):
        beyond = max(need[value] - (pool[value] - core[value]), 0)
        rest = core[value] - min(beyond, core[value])
        total += rest
        most = max(most, rest)
    return m * most <= total


@kernel()
def _lack(first, last, flat, there, goal, need):  # type: ignore[no-untyped-def]
    """Add to need[value] what one bucket lacks to `goal` rows of each value."""
    for at in range(first, last):
        need[flat[at]] += goal - there[at]


@kernel()
def _commonest_first(first, last, flat, core, order):  # type: ignore[no-untyped-def]
    """The places from first to last, those first whose values the core has most of."""
    for at in range(first, last):
        i = at - first
        while i > 0 and core[flat[order[i - 1]]] < core[flat[at]]:
            order[i] = order[i - 1]
            i -= 1
        order[i] = at


@kernel()
def _fill(first, last, flat, pool, core, m, need, take, order):  # type: ignore[no-untyped-def]
    """Give one bucket what it needs of each value, as far as newcomers go: all at once, else the commonest first."""
    is_open = _stays_eligible(need, pool, core, m)
    _commonest_first(first, last, flat, core, order)
    for i in range(last - first):
        at = order[i]
        value = flat[at]
        given = min(need[value], pool[value] - core[value])
        own = core[value]
        more = min(need[value] - given, own)
        if more > 0 and not is_open:
            core[value] = 0
            total, most = _total_and_most(core)
            more = max(min(more, own + total - m * most), 0)
        core[value] = own - more
        pool[value] -= given + more
        take[at] += given + more


@kernel("void(i8[::1], i4[::1], i8[::1], i8[::1], i8[::1], i8, i8, i8[::1], i8[::1], i8[::1])")
def _share_out(starts, flat, there, pool, core, m, least, take, rounds, need):  # type: ignore[no-untyped-def]
    """`core`, a part of the pool, is m-eligible and stays so; the others cannot be placed anywhere else.

    `rounds` are those that are begun, and `need` is 0 before.
    """
    buckets, order = len(starts) - 1, np.empty(len(pool), np.int64)
    for b in range(buckets):
        for at in range(starts[b], starts[b + 1]):
            rounds[b] = max(rounds[b], there[at])
        _lack(starts[b], starts[b + 1], flat, there, rounds[b], need)
    if _stays_eligible(need, pool, core, m):
        for value in range(len(core)):
            core[value] = 0
    for b in range(buckets):
        for value in range(len(need)):
            need[value] = 0
        _lack(starts[b], starts[b + 1], flat, there, rounds[b], need)
        if _total_and_most(need)[1] > 0:
            _fill(starts[b], starts[b + 1], flat, pool, core, m, need, take, order)
    for is_last in range(2):
        for b in range(buckets):
            if rounds[b] == 0 or (not is_last and rounds[b] >= least):
                continue
            more = _rounds_for(starts[b], starts[b + 1], flat, pool, m)
            if not is_last:
                more = min(more, least - rounds[b])
            for at in range(starts[b], starts[b + 1]):
                take[at] += more
                pool[flat[at]] -= more
            rounds[b] += more


def capped(pool: Int64s, m: int, cover: int) -> Int64s:
    """The most newcomers that are m-eligible with `cover` counterfeits: at most k of a value, k as large as can be.

    m k - sum of min(c, k) counterfeits are needed; that is convex in k and 0 at 0, so bisection finds the largest k.
    """
    low, high = 0, int(pool.max(initial=0))
    while low < high:
        k = (low + high + 1) // 2
        if m * k - int(np.minimum(pool, k).sum()) <= cover:
            low = k
        else:
            high = k - 1
    return np.minimum(pool, low)


def padded(kept: Int64s, known: Bools, m: int) -> Int64s:
    """Add counterfeits until m-eligible, to the commonest values that are not full, so that few signatures arise."""
    full = kept.copy()
    most = int(kept.max(initial=0))
    lack = m * most - int(kept.sum())
    for value in np.argsort(-kept, kind="stable"):
        if lack <= 0:
            break
        if known[value]:
            more = min(lack, most - int(kept[value]))
            full[value] += more
            lack -= more
    return full


def new_signatures(pool: Int64s, m: int) -> list[tuple[tuple[int, ...], int]]:
    """(values, rounds) that use up an m-eligible pool: each time the least number of values with the most rounds."""
    pool, found = pool.copy(), []
    total = int(pool.sum())
    while total:
        order = np.argsort(-pool, kind="stable")
        counts = np.append(pool[order], 0)
        sizes = np.arange(m, len(pool) + 1)
        rounds = np.minimum(counts[m - 1 : -1], (total - m * counts[m:]) // sizes)
        rounds[1:] = np.minimum(rounds[1:], (total - m * counts[0]) // (sizes[1:] - m))
        best = int(np.argmax(rounds))
        chosen = order[: m + best]
        pool[chosen] -= rounds[best]
        total -= int(rounds[best]) * len(chosen)
        found.append((tuple(sorted(chosen.tolist())), int(rounds[best])))
    return found


def _with_new(
    signatures: Signatures, take: Int64s, new: list[tuple[tuple[int, ...], int]]
) -> tuple[Signatures, Int64s]:
    """Append signatures that were never used, and take what the rounds of all need."""
    numbers = {values: s for s, values in enumerate(signatures.sets())} if new else {}
    fresh = [values for values in dict(new) if values not in numbers]
    numbers.update((values, len(signatures) + i) for i, values in enumerate(fresh))
    extended = signatures.extended(fresh)
    take = np.concatenate([take, np.zeros(len(extended.values) - len(take), np.int64)])
    for values, more in new:
        s = numbers[values]
        take[extended.starts[s] : extended.starts[s + 1]] += more
    return extended, take


def deal(signatures: Signatures, take: Int64s, values: Int32s, places_for: Int64s) -> Int32s:
    """The signature of each newcomer, -1 where there is none left; the first ones of a value go first.

    Of each value, `places_for` newcomers are placed; places beyond are counterfeits.
    """
    by_value = np.argsort(values, kind="stable")
    counts = np.bincount(values, minlength=len(places_for))
    rank = expand(0, counts)
    goes = rank < places_for[values[by_value]]
    at = np.argsort(signatures.values, kind="stable")
    bucket = np.repeat(np.arange(len(signatures), dtype=np.int32), signatures.sizes())
    tickets = np.repeat(bucket[at], take[at])
    ticket_values = np.repeat(signatures.values[at], take[at])
    offered = np.bincount(ticket_values, minlength=len(places_for))
    ticket_rank = expand(0, offered)
    dealt = np.full(len(values), _NOWHERE, np.int32)
    dealt[by_value[goes]] = tickets[ticket_rank < places_for[ticket_values]]
    return dealt
