"""How the counts of signatures and values vary together over the worlds of groups, compiled.

K(s,x) is how many people of signature s have value x. Two people at a time: the chance that one of signature a has x
and another of signature b has y is the first one's posterior times the second one's in the group without that person
and that copy. From those come the covariances of all K, which the fit of `calibrated` follows, and a sum below them
in which nothing is subtracted, which `fit_error` proves with.

That sum: let two people i, j of a group exchange their values. It pairs the worlds, and by the law of total variance
the variance of f = sum h K is at least that inside of the pairs: with P1 the chance that i has x and j has y, and P2
that of the exchange, sum over x < y of P1 P2 / (P1 + P2) d^2, d = h(a,x) + h(b,y) - h(a,y) - h(b,x); the ratio of
the two worlds of a pair is that of the weights exchanged, always the same. For disjoint pairs of people the exchanges
are independent given what each pair has, and f is a sum over them, so they add up. All pairs of n people fall into
n - 1 rounds of disjoint ones (n if n is odd): one of these rounds, on average, has the sum over all pairs / rounds.
"""

from __future__ import annotations

import numpy as np

from deniable.kernels import kernel
from deniable.worlds.groups.matchings import OK, total_of
from deniable.worlds.groups.posteriors import full_group

_GROUPS = "i8[::1], i4[::1], i4[::1], i8[::1], i4[::1], i4[::1]"
_LOWERED = 1.0 - 1e-6  # of what is only needed from below: far more than all its roundings


@kernel()
def _without(codes, counts, place, some, left):  # type: ignore[no-untyped-def]
    """Codes and counts with one fewer at a place; returns how many codes there are then."""
    n = 0
    for i in range(len(codes)):
        count = int(counts[i]) - (1 if i == place else 0)
        if count > 0:
            some[n] = codes[i]
            left[n] = count
            n += 1
    return n


@kernel()
def _pairs_of_group(sigs, people, values, copies, weights, alone, out, ints, floats):  # type: ignore[no-untyped-def]
    """out[a m + x, b m + y]: a given person of a has x, and another given one of b has y. NaN where not known."""
    k, m = len(sigs), len(values)
    some, left = ints[0, :k], ints[1, :k]
    kinds, rest = ints[2, :m], ints[3, :m]
    for a in range(k):
        for x in range(m):
            row = out[a * m + x]
            row[:] = 0.0
            p = alone[a * m + x]
            if p == 0.0:
                continue
            k2, m2 = _without(sigs, people, a, some, left), _without(values, copies, x, kinds, rest)
            told = floats[: k2 * m2].reshape((k2, m2))
            if full_group(some[:k2], left[:k2], kinds[:m2], rest[:m2], weights, told, floats[k * m :]) != OK:
                row[:] = np.nan
                continue
            i = 0
            for b in range(k):
                if b == a and people[a] == 1:
                    continue
                j = 0
                for y in range(m):
                    if y == x and copies[x] == 1:
                        continue
                    row[b * m + y] = p * told[i, j]
                    j += 1
                i += 1


@kernel(f"void(i8, i8, {_GROUPS}, f8[:, ::1], i8[::1], i8[::1], f8[::1], i8, f8[::1])")
def pair_chances(begin, end, sig_at, sigs, people, value_at, values, copies, weights, at, offsets, alone, room, out):  # type: ignore[no-untyped-def]
    """Fill out[at[g] : at[g + 1]] for each group from `begin` to `end`; `alone` are all posteriors by `offsets`."""
    most = 1
    for g in range(begin, end):
        most = max(most, sig_at[g + 1] - sig_at[g], value_at[g + 1] - value_at[g])
    ints = np.empty((4, most), np.int32)
    floats = np.empty(room)
    for g in range(begin, end):
        first, last, low, high = sig_at[g], sig_at[g + 1], value_at[g], value_at[g + 1]
        cells = (last - first) * (high - low)
        _pairs_of_group(
            sigs[first:last], people[first:last], values[low:high], copies[low:high], weights,
            alone[offsets[g] : offsets[g + 1]], out[at[g] : at[g + 1]].reshape((cells, cells)), ints, floats,
        )  # fmt: skip


@kernel()
def _add_covariances(k, m, people, often, place, alone, pairs, into):  # type: ignore[no-untyped-def]
    for a in range(k):
        for x in range(m):
            i = place[a * m + x]
            if i < 0:
                continue
            for b in range(k):
                others = int(people[b]) - (1 if a == b else 0)
                for y in range(m):
                    j = place[b * m + y]
                    if j < 0:
                        continue
                    both = int(people[a]) * others * pairs[a * m + x, b * m + y]
                    if a == b and x == y:
                        both += int(people[a]) * alone[a * m + x]
                    into[i, j] += often * (both - int(people[a]) * alone[a * m + x] * int(people[b]) * alone[b * m + y])


@kernel()
def _add_exchanges(k, m, people, often, place, pairs, into, added):  # type: ignore[no-untyped-def]
    n = total_of(people)
    rounds = n - 1 if n % 2 == 0 else n
    for a in range(k):
        for b in range(a + 1, k):
            for x in range(m):
                for y in range(x + 1, m):
                    one, other = pairs[a * m + x, b * m + y], pairs[a * m + y, b * m + x]
                    if not (one > 0.0 and other > 0.0):
                        continue
                    share = one * (other / (one + other))
                    by = often * (int(people[a]) * int(people[b]) / rounds) * share * _LOWERED
                    up, down = place[a * m + x], place[b * m + y]
                    left, right = place[a * m + y], place[b * m + x]
                    for i in (up, down):
                        added[i] += 1
                        into[i, up] += by
                        into[i, down] += by
                        into[i, left] -= by
                        into[i, right] -= by
                    for i in (left, right):
                        added[i] += 1
                        into[i, up] -= by
                        into[i, down] -= by
                        into[i, left] += by
                        into[i, right] += by


@kernel(
    "void(i8[::1], i4[::1], i4[::1], i8[::1], i4[::1], i8[::1], i8[:, ::1], i8[::1], i8[::1], f8[::1], f8[::1], b1,"
    " f8[:, ::1], i8[::1])"
)
def add_up(sig_at, sigs, people, value_at, values, often, cell, at, offsets, alone, pairs, below, into, added):  # type: ignore[no-untyped-def]
    """Add the covariances of these groups to into[cell, cell], or (`below`) the exchanges, and to `added` how many
    times each row was added to. Each group counts `often` times; cell[s, x] < 0 is left out."""
    for g in range(len(often)):
        first, last, low, high = sig_at[g], sig_at[g + 1], value_at[g], value_at[g + 1]
        k, m = last - first, high - low
        place = np.empty(k * m, np.int64)
        for a in range(k):
            for x in range(m):
                place[a * m + x] = cell[sigs[first + a], values[low + x]]
        chances = pairs[at[g] : at[g + 1]].reshape((k * m, k * m))
        if below:
            _add_exchanges(k, m, people[first:last], often[g], place, chances, into, added)
        else:
            mine = alone[offsets[g] : offsets[g + 1]]
            _add_covariances(k, m, people[first:last], often[g], place, mine, chances, into)
