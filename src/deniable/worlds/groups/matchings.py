"""Shares of weighted matchings, compiled: the dynamic program under `posteriors` and `sampling`.

Items of k kinds, n[i] of each, are matched with as many slots of m kinds, c[j] of each; a matching weighs the
product of W[i,j] <= 1 over its pairs, so that all weight is a permanent. Slots are filled one by one; the state
u says how many items of each kind are used, their sum t which slot is next. With q[t,i] = W[i, kind of slot t]
/ (a power of two >= N-t):
    back[u] = sum_i (n_i - u_i) q[t,i] back[u+e_i]        fore[u+e_i] += (n_i - u_i) q[t,i] fore[u]
    share(a given item of kind i in slot t) = sum_u (n_i - u_i) q[t,i] fore[u] back[u+e_i] / (n_i Z),   Z = back[0].
Rows and columns may change places, so the side with fewer states is walked; k steps for each of prod(n_i + 1)
states.

Rounding. Nothing is subtracted, so relative errors only add up. A step of `back` or `fore` rounds two products
and at most k-1 sums: after t steps a factor (1+d)^(t(k+1)), |d| <= 2^-53. A share has t(k+1) of `fore`,
(N-t-1)(k+1) of `back`, three products and fewer sums than states, over Z with N(k+1), one product and one
division: (1+d)^(2N(k+1) + states + 6).
Underflow. A product that falls below 2^-1022 loses at most 2^-1074. As n_i - u_i and the power of two make
every layer of `fore` sum to at most 1 and every `back` at most 1, all these losses together change Z and every
numerator by less than 2^-1074 (2 states + N)(k+2) < 2^-1000 for every table that fits a machine. Z >= 2^-900 is
required, so that is 2^-100 of a share. Smaller Z: rows and columns are scaled by powers of two (exact, and
common to all matchings) until the heaviest matching has only weights in [1/2, 1) and no weight exceeds 1
(`balance`); this also decides exactly whether there is one.
"""

from __future__ import annotations

import math

import numpy as np

from deniable.kernels import kernel

OK, NO_WORLD, TOO_MANY, UNKNOWN = 0, 1, 2, 3
LANES = 64
LEAST = 2.0**-900
TINY = 2.0**-100
_CAP = 1 << 40
_FAR = 1 << 60  # more than any cost
_NEVER = 1 << 40  # the cost of a pair that cannot be
_MATCHED = 1000  # people up to which `balance` is tried: its time is cubic
# The place of a power of two below 2^63, by its remainder: 2 generates all remainders of 67.
_PLACE = np.array([next((i for i in range(63) if (1 << i) % 67 == rest), 0) for rest in range(67)], np.int64)


@kernel()
def states_of(counts):  # type: ignore[no-untyped-def]
    """How many ways there are to have used some of each kind; not followed beyond 2^40."""
    states = 1
    for i in range(len(counts)):
        states *= int(counts[i]) + 1
        if states > _CAP:
            return _CAP
    return states


@kernel()
def total_of(counts):  # type: ignore[no-untyped-def]
    """How many there are of all kinds."""
    total = 0
    for i in range(len(counts)):
        total += int(counts[i])
    return total


@kernel()
def merge(weights, counts, kind, sizes):  # type: ignore[no-untyped-def]
    """Give rows with equal weights one kind, moved to the front. Returns how many kinds there are."""
    kinds = 0
    for i in range(len(counts)):
        found = 0
        while found < kinds:
            j = 0
            while j < weights.shape[1] and weights[found, j] == weights[i, j]:
                j += 1
            if j == weights.shape[1]:
                break
            found += 1
        if found == kinds:
            if i != kinds:
                for j in range(weights.shape[1]):
                    weights[kinds, j] = weights[i, j]
            sizes[kinds] = 0
            kinds += 1
        kind[i] = found
        sizes[found] += counts[i]
    return kinds


@kernel()
def fill_steps(rows, columns, weights, turned, people, q):  # type: ignore[no-untyped-def]
    """q[t * k + i] for all slots t; columns one after the other."""
    k = len(rows)
    power = 1.0
    while power < people:
        power *= 2.0
    t = 0
    for j in range(len(columns)):
        for _ in range(columns[j]):
            while 0.5 * power >= people - t:
                power *= 0.5
            scale = 1.0 / power
            for i in range(k):
                q[t * k + i] = (weights[j, i] if turned else weights[i, j]) * scale
            t += 1


@kernel()
def walk_back(n, people, q, back, stride, used):  # type: ignore[no-untyped-def]
    """Fill `back` and `stride`; returns the number of states. `used` is a counter in mixed radix."""
    k = len(n)
    states = 1
    for i in range(k):
        stride[i] = states
        states *= n[i] + 1
        used[i] = n[i]
    t = people
    back[states - 1] = 1.0
    for u in range(states - 2, -1, -1):
        i = 0
        while used[i] == 0:
            used[i] = n[i]
            t += n[i]
            i += 1
        used[i] -= 1
        t -= 1
        total = 0.0
        for i in range(k):
            free = n[i] - used[i]
            if free > 0:
                total += free * q[t * k + i] * back[u + stride[i]]
        back[u] = total
    return states


@kernel()
def _walk(n, people, q, back, fore, sums, stride, used):  # type: ignore[no-untyped-def]
    """Both directions; sums[t * k + i] are the numerators of the shares, times n_i."""
    k = len(n)
    states = walk_back(n, people, q, back, stride, used)
    fore[:states] = 0.0
    fore[0] = 1.0
    sums[:] = 0.0
    used[:] = 0
    t = 0
    for u in range(states - 1):
        f = fore[u]
        if f > 0.0:
            for i in range(k):
                free = n[i] - used[i]
                if free > 0:
                    w = free * f * q[t * k + i]
                    v = u + stride[i]
                    fore[v] += w
                    sums[t * k + i] += w * back[v]
        i = 0
        while used[i] == n[i]:
            used[i] = 0
            t -= n[i]
            i += 1
        used[i] += 1
        t += 1


@kernel()
def _ones(s):  # type: ignore[no-untyped-def]
    """How many bits of s < 2^32 are set."""
    s -= (s >> 1) & 0x55555555
    s = (s & 0x33333333) + ((s >> 2) & 0x33333333)
    return (((s + (s >> 4)) & 0x0F0F0F0F) * 0x01010101 & 0xFFFFFFFF) >> 24


@kernel()
def _walk_sets(people, q, back, fore, sums):  # type: ignore[no-untyped-def]
    """The same where all items differ: states are sets, as bits."""
    full = (1 << people) - 1
    back[full] = 1.0
    for s in range(full - 1, -1, -1):
        at = _ones(s) * people
        rest = full ^ s
        total = 0.0
        while rest:
            low = rest & -rest
            rest ^= low
            total += q[at + _PLACE[low % 67]] * back[s | low]
        back[s] = total
    fore[: full + 1] = 0.0
    fore[0] = 1.0
    sums[:] = 0.0
    for s in range(full):
        at = _ones(s) * people
        rest = full ^ s
        f = fore[s]
        while rest:
            low = rest & -rest
            rest ^= low
            step = at + _PLACE[low % 67]
            fore[s | low] += f * q[step]
            sums[step] += f * back[s | low]
    for step in range(people * people):
        sums[step] *= q[step]


# On rows of this fixed length the loop becomes wide instructions; shorter ones are unrolled into single steps.
@kernel()
def _add_product(into, one, other):  # type: ignore[no-untyped-def]
    for lane in range(LANES):
        into[lane] += one[lane] * other[lane]


@kernel()
def walk_lanes(people, q, back, fore, sums):  # type: ignore[no-untyped-def]
    """`_walk_sets` for LANES groups of equal size at once: every number is a row of LANES numbers."""
    full = (1 << people) - 1
    back[full] = 1.0
    for s in range(full - 1, -1, -1):
        at = _ones(s) * people
        back[s] = 0.0
        for i in range(people):
            if not (s >> i) & 1:
                _add_product(back[s], q[at + i], back[s | 1 << i])
    fore[:] = 0.0
    fore[0] = 1.0
    sums[:] = 0.0
    for s in range(full):
        at = _ones(s) * people
        for i in range(people - 1, -1, -1):  # the order in which `_walk_sets` adds them up
            if (s >> i) & 1:
                _add_product(fore[s], q[at - people + i], fore[s ^ 1 << i])
        for i in range(people):
            if not (s >> i) & 1:
                _add_product(sums[at + i], fore[s], back[s | 1 << i])
    for step in range(people * people):
        for lane in range(LANES):
            sums[step, lane] *= q[step, lane]


@kernel()
def shares(kinds, slots, weights, share, scratch):  # type: ignore[no-untyped-def]
    """Fill share[i,j]: a given item of kind i has a given slot of kind j. Returns OK, NO_WORLD or TOO_MANY.

    TOO_MANY means that the tables do not fit into `scratch`, or (only with very small weights and very many people)
    that Z stays below 2^-900. `weights` are scaled in place where they must be.
    """
    turned = states_of(slots) < states_of(kinds)
    rows, columns = (slots, kinds) if turned else (kinds, slots)
    k, people, states = len(rows), total_of(rows), states_of(rows)
    steps = people * k
    if 2 * (steps + k + states) > len(scratch):
        return TOO_MANY
    q, sums = scratch[:steps], scratch[steps : 2 * steps]
    counters = scratch[2 * steps : 2 * (steps + k)].view(np.int64)
    tables = scratch[2 * (steps + k) :]
    back, fore = tables[:states], tables[states : 2 * states]
    for scaled in range(2):
        fill_steps(rows, columns, weights, turned, people, q)
        if k == people and people > 8:
            _walk_sets(people, q, back, fore, sums)
        else:
            _walk(rows, people, q, back, fore, sums, counters[:k], counters[k:])
        if back[0] >= LEAST:
            break
        if scaled or people > _MATCHED:
            return TOO_MANY
        if not balance(kinds, slots, weights):
            return NO_WORLD
    t = 0
    for j in range(len(columns)):
        for i in range(k):
            one = sums[t * k + i] / (rows[i] * back[0])
            if turned:
                share[j, i] = one
            else:
                share[i, j] = one
        t += columns[j]
    return OK


@kernel()
def _spread(counts, people):  # type: ignore[no-untyped-def]
    """The kind of each item, numbered from 1."""
    kind = np.empty(people + 1, np.int64)
    at = 1
    for i in range(len(counts)):
        for _ in range(counts[i]):
            kind[at] = i
            at += 1
    return kind


@kernel()
def _assign(cost, kind, slot, people):  # type: ignore[no-untyped-def]
    """The cheapest matching by shortest augmenting paths: who holds each slot, and the dual prices."""
    row_price, column_price = np.zeros(people + 1, np.int64), np.zeros(people + 1, np.int64)
    holder, way = np.zeros(people + 1, np.int64), np.zeros(people + 1, np.int64)
    least, seen = np.empty(people + 1, np.int64), np.empty(people + 1, np.bool_)
    for item in range(1, people + 1):
        holder[0] = item
        at = 0
        for j in range(people + 1):
            least[j], seen[j] = _FAR, False
        while holder[at] != 0:
            seen[at] = True
            row = holder[at]
            step, following = _FAR, 0
            for j in range(1, people + 1):
                if seen[j]:
                    continue
                excess = cost[kind[row], slot[j]] - row_price[row] - column_price[j]
                if excess < least[j]:
                    least[j], way[j] = excess, at
                if least[j] < step:
                    step, following = least[j], j
            for j in range(people + 1):
                if seen[j]:
                    row_price[holder[j]] += step
                    column_price[j] -= step
                else:
                    least[j] -= step
            at = following
        while at != 0:
            holder[at] = holder[way[at]]
            at = way[at]
    return holder, row_price, column_price


@kernel()
def balance(kinds, slots, weights):  # type: ignore[no-untyped-def]
    """Scale by powers of two as the module says; False: every matching has a pair of weight 0.

    The assignment problem with costs -floor(log2 W), in integers; its dual prices are the exponents. Equal items
    have equal prices: raising the lower of two would beat the optimum.
    """
    people = total_of(kinds)
    cost = np.empty(weights.shape, np.int64)
    for i in range(len(kinds)):
        for j in range(len(slots)):
            cost[i, j] = -math.frexp(weights[i, j])[1] if weights[i, j] > 0.0 else _NEVER
    kind, slot = _spread(kinds, people), _spread(slots, people)
    holder, row_price, column_price = _assign(cost, kind, slot, people)
    for j in range(1, people + 1):
        if cost[kind[holder[j]], slot[j]] == _NEVER:
            return False
    row_exponent, column_exponent = np.empty(len(kinds), np.int64), np.empty(len(slots), np.int64)
    for item in range(1, people + 1):
        row_exponent[kind[item]] = row_price[item]
        column_exponent[slot[item]] = column_price[item]
    for i in range(len(kinds)):
        for j in range(len(slots)):
            # A weight of 0 stays 0 whatever the shift; no other is raised above 1.
            shift = min(max(row_exponent[i] + column_exponent[j], -3000), 3000)
            weights[i, j] = math.ldexp(weights[i, j], int(shift))
    return True
