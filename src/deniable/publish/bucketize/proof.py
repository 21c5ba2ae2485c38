"""Is a group safe? The largest posterior in it, for both adversaries and every attribute set, proved.

`worst_in` is the judge: the exact posteriors of `worlds.groups.posteriors`, each at the upper end of its interval.
`strain` is what a search looks at first: c o_t / sum of o, o = p / (1 - p), times r. For a value that occurs once it is
what the marginal adversary thinks; for copies it is a little more. Above 1 it refuses, up to 1 it proves nothing.
Where statistics fitted to the groups are to be withstood (`fitted`), people who have the same signature cover each
other: c / (people of the signature) of a value with c copies, whatever the weights (docs/theory/linkage.md,
"Bounds that need no counting"), is what counts then, besides the posteriors.
A set of people is given as row numbers; all attribute sets share one stack of priors, `signs[row, set]` points into it.
"""

from __future__ import annotations

import numpy as np

from deniable.kernels import kernel
from deniable.worlds.groups.matchings import OK
from deniable.worlds.groups.posteriors import full_group, interval_group, marginal_group

STATES = 1 << 16  # of a group's dynamic program; a group that needs more is not published
ROOM = 2 * STATES + (1 << 13)


@kernel()
def strain(rows, signs, values, odds, r, stop):  # type: ignore[no-untyped-def]
    """The largest r c o_t / (sum of o) of a value with c copies; infinite if there is no world.

    Above `stop` nobody asks how much: the first that is found will do.
    """
    worst = 0.0
    for i in range(len(rows)):
        x = values[rows[i]]
        copies = first = 0
        for j in range(len(rows)):
            if values[rows[j]] == x:
                copies += 1
                first += j < i
        if first:
            continue  # a copy of a value that was looked at
        for s in range(signs.shape[1]):
            total, most = 0.0, 0.0
            for other in rows:
                o = odds[signs[other, s], x]
                total += o
                if o > most:
                    most = o
            if total == 0.0 or most == np.inf:
                return np.inf
            if not np.isnan(total):
                worst = max(worst, r * copies * most / total)
                if worst > stop:
                    return worst
    return worst


@kernel()
def _tally(codes, kinds, counts):  # type: ignore[no-untyped-def]
    """The different codes and how often each occurs; returns how many there are."""
    found = 0
    for code in codes:
        i = 0
        while i < found and kinds[i] != code:
            i += 1
        if i == found:
            kinds[i] = code
            counts[i] = 0
            found += 1
        counts[i] += 1
    return found


@kernel()
def _largest(sigs, people, kinds, copies, priors, out, upper, scratch):  # type: ignore[no-untyped-def]
    """The largest upper end for one attribute set; infinite where a world is missing or cannot be counted, or is not
    known."""
    worst = 0.0
    k, m = len(sigs), len(kinds)
    lower = scratch[: k * m].reshape((k, m))
    rest = scratch[k * m :]
    for is_full in (False, True):
        if is_full:
            status = full_group(sigs, people, kinds, copies, priors, out, rest)
        else:
            status = marginal_group(sigs, people, kinds, copies, priors, out, rest)
        if status != OK:
            return np.inf
        interval_group(sigs, people, kinds, copies, priors, out, is_full, lower, upper)
        for a in range(k):
            for x in range(m):
                worst = max(worst, upper[a, x])
    return worst


@kernel()
def _alike(sig, kinds, copies, people, priors):  # type: ignore[no-untyped-def]
    """The same where everybody has one signature: c / N, if there is a world; negative if that is not clear."""
    most = 0
    for x in range(len(kinds)):
        if not 0.0 < priors[sig, kinds[x]] < 1.0:
            return -1.0
        most = max(most, int(copies[x]))
    return most / people


@kernel()
def _uncovered(copies, people):  # type: ignore[no-untyped-def]
    """What is left to those whom fewest others of their signature cover, whatever is known."""
    most, least = 0, int(people[0])
    for x in range(len(copies)):
        most = max(most, int(copies[x]))
    for a in range(len(people)):
        least = min(least, int(people[a]))
    return most / least


@kernel()
def worst_in(rows, signs, values, priors, fitted, limit, scratch, ints):  # type: ignore[no-untyped-def]
    """An upper bound of every posterior of the group; stops early, with some value above it, beyond `limit`.

    `scratch` has room for ROOM + 3 n n numbers and `ints` for 5 n, n = the people of the group.
    """
    n = len(rows)
    scratch = scratch[: ROOM + 3 * n * n]  # the verdict must not depend on who brings the memory
    kinds, copies = ints[:n], ints[n : 2 * n]
    sigs, people, codes = ints[2 * n : 3 * n], ints[3 * n : 4 * n], ints[4 * n : 5 * n]
    for i in range(n):
        codes[i] = values[rows[i]]
    m = _tally(codes, kinds, copies)
    worst = 0.0
    for s in range(signs.shape[1]):
        for i in range(n):
            codes[i] = signs[rows[i], s]
        k = _tally(codes, sigs, people)
        if fitted:
            worst = max(worst, _uncovered(copies[:m], people[:k]))
            if worst > limit:
                break
        largest = _alike(sigs[0], kinds[:m], copies[:m], n, priors) if k == 1 else -1.0
        if largest < 0.0:
            out, upper = scratch[: k * m].reshape((k, m)), scratch[k * m : 2 * k * m].reshape((k, m))
            rest = scratch[2 * k * m :]
            largest = _largest(sigs[:k], people[:k], kinds[:m], copies[:m], priors, out, upper, rest)
        worst = max(worst, largest)
        if worst > limit:
            break
    return worst


@kernel("void(i8, i8, i8[::1], i4[::1], i4[:, ::1], i4[::1], f8[:, ::1], b1, f8[::1])")
def worst_of_all(begin, end, offsets, members, signs, values, priors, fitted, worst):  # type: ignore[no-untyped-def]
    """`worst_in` of each group members[offsets[g]:offsets[g+1]]."""
    most = 0
    for g in range(begin, end):
        most = max(most, offsets[g + 1] - offsets[g])
    scratch = np.empty(ROOM + 3 * most * most)
    ints = np.empty(5 * most, np.int32)
    for g in range(begin, end):
        rows = members[offsets[g] : offsets[g + 1]]
        worst[g] = worst_in(rows, signs, values, priors, fitted, np.inf, scratch, ints)


@kernel("void(i8, i8, i8[::1], i4[::1], i4[::1], i4[::1], f8[:, ::1], i8, f8[:, ::1], f8[:, ::1])")
def ends_of_all(begin, end, offsets, members, signs, values, priors, states, low, high):  # type: ignore[no-untyped-def]
    """Between which ends the largest posterior of each row lies, for one attribute set: low and high[row, is full].

    Groups of more states are not counted: people with equal signatures are exchangeable, which is all that is said.
    """
    most = 0
    for g in range(begin, end):
        most = max(most, offsets[g + 1] - offsets[g])
    scratch = np.empty(2 * states + 8 * most * (most + 2))
    ints = np.empty(6 * most, np.int32)
    for g in range(begin, end):
        rows = members[offsets[g] : offsets[g + 1]]
        n = len(rows)
        kinds, copies, codes, place = ints[:n], ints[n : 2 * n], ints[4 * n : 5 * n], ints[5 * n : 6 * n]
        sigs, people = ints[2 * n : 3 * n], ints[3 * n : 4 * n]
        for i in range(n):
            codes[i] = values[rows[i]]
        m = _tally(codes, kinds, copies)
        for i in range(n):
            codes[i] = signs[rows[i]]
        k = _tally(codes, sigs, people)
        for i in range(n):
            a = 0
            while sigs[a] != codes[i]:
                a += 1
            place[i] = a
        cells = k * m
        out, lower = scratch[:cells].reshape((k, m)), scratch[cells : 2 * cells].reshape((k, m))
        upper = scratch[2 * cells : 3 * cells].reshape((k, m))
        rest = scratch[3 * cells : 3 * cells + 2 * states + 5 * n * (n + 2)]  # the answer must not depend on others
        for adversary in range(2):
            is_full = adversary == 1
            if is_full:
                full_group(sigs[:k], people[:k], kinds[:m], copies[:m], priors, out, rest)
            else:
                marginal_group(sigs[:k], people[:k], kinds[:m], copies[:m], priors, out, rest)
            interval_group(sigs[:k], people[:k], kinds[:m], copies[:m], priors, out, is_full, lower, upper)
            for i in range(n):
                least, largest = 0.0, 0.0
                for x in range(m):
                    is_known = not np.isnan(out[place[i], x])
                    least = max(least, lower[place[i], x] if is_known else 0.0)
                    bound = min(1.0, int(copies[x]) / int(people[place[i]]))
                    largest = max(largest, upper[place[i], x] if is_known else bound)
                low[rows[i], adversary], high[rows[i], adversary] = least, largest
