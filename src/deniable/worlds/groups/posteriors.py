"""What a published group says about each person to someone who knows the priors, compiled.

A group has k signatures with n[a] people each and m private values with c[x] copies each; p[a,x] is the prior.
A world hands the values to the people and weighs the product of their priors
(docs/theory/linkage.md, "How posteriors are counted").
`full`: the share of the weight in which a given person of signature a has x; exact by `matchings`, after
signatures and values whose priors do not differ inside the group have become one. `marginal`: the adversary
knows p[.,x] of one value alone. Who holds x is then a conditional Bernoulli draw: weight prod p over the c
holders, prod 1-p over the others.

With F[i,j] the chance that j of the first i people hold x, B likewise of the last ones: p F[i,j] B[i+1,c-1-j]
summed over j, over B[0,c]. All terms are positive. The odds are tilted by a power of two, which no conditional
chance notices, so that about c holders are expected and nothing underflows. A tilted chance has 3 roundings, a
step 2 more, so a posterior has at most 10 N + c + 10 (with c = 1: odds over their sum, fewer than N + 10).
"""

from __future__ import annotations

import numpy as np

from deniable.kernels import kernel
from deniable.worlds.groups.matchings import (
    LEAST,
    NO_WORLD,
    OK,
    TINY,
    TOO_MANY,
    UNKNOWN,
    merge,
    shares,
    states_of,
    total_of,
)

STATES = 1 << 20  # of the dynamic program; more are too many, unless the caller says otherwise
_UNIT = 2.0**-53 * 1.0001  # sum of many relative errors of 2^-53, with what their products add
_GROUP = "i4[::1], i4[::1], i4[::1], i4[::1], f8[:, ::1]"


@kernel()
def _gather(sig_codes, value_codes, priors, weights):  # type: ignore[no-untyped-def]
    """The group's own priors; False if one of them is not known."""
    known = True
    for a in range(len(sig_codes)):
        for x in range(len(value_codes)):
            weights[a, x] = priors[sig_codes[a], value_codes[x]]
            known &= not np.isnan(weights[a, x])
    return known


@kernel()
def _share_alike(weights, people, share):  # type: ignore[no-untyped-def]
    """Where nothing differs all are alike: 1 for everybody, whose number is that of all. False: nobody can have it."""
    size = total_of(people)
    for i in range(len(people)):
        people[i] = size
        for x in range(len(weights)):
            if weights[x, i] == 0.0:
                return False
            share[x, i] = 1.0
    return True


@kernel(f"i8({_GROUP}, f8[:, ::1], f8[::1])")
def full_group(sig_codes, sig_counts, value_codes, value_counts, priors, out, scratch):  # type: ignore[no-untyped-def]
    """Fill out[a,x] for the full adversary. Returns a status; `out` is NaN unless it is OK.

    The length of `scratch` decides what are too many states.
    """
    k, m = len(sig_codes), len(value_codes)
    cells = k * m
    head = 3 * cells + 2 * (k + m)
    out[:] = np.nan
    if head > len(scratch):
        return TOO_MANY
    ints = scratch[3 * cells : head].view(np.int64)
    kind, people, slot, copies = ints[:k], ints[k : 2 * k], ints[2 * k : 2 * k + m], ints[2 * k + m :]
    by_sig = scratch[:cells].reshape((k, m))
    if not _gather(sig_codes, value_codes, priors, by_sig):
        return UNKNOWN
    kinds = merge(by_sig, sig_counts, kind, people)
    by_value = scratch[cells : cells + m * kinds].reshape((m, kinds))
    for x in range(m):
        for i in range(kinds):
            by_value[x, i] = by_sig[i, x]
    slots = merge(by_value, value_counts, slot, copies)
    share = scratch[2 * cells : 2 * cells + slots * kinds].reshape((slots, kinds))
    if kinds == 1 or slots == 1:  # everybody alike, or every value: no prior matters
        if not _share_alike(by_value[:slots], people[:kinds], share):
            return NO_WORLD
    else:
        status = shares(copies[:slots], people[:kinds], by_value[:slots], share, scratch[head:])
        if status != OK:
            return status
    for a in range(k):
        i = kind[a]
        for x in range(m):
            c = np.float64(value_counts[x])
            # Exchangeable people have equal chances, and so have exchangeable values.
            out[a, x] = min(c * share[slot[x], i], c / max(people[i], copies[slot[x]]))
    return OK


@kernel()
def _tilt(p, n, c):  # type: ignore[no-untyped-def]
    """The power of two by which to multiply all odds so that about c holders are expected."""
    tilt, before = 1.0, 0
    while True:
        expected = 0.0
        for a in range(len(p)):
            expected += n[a] * (tilt * p[a] / ((1.0 - p[a]) + tilt * p[a]))
        way = 1 if expected < c else -1
        if way + before == 0 or not 2.0**-1000 < tilt < 2.0**1000:
            return tilt
        before = way
        tilt *= 2.0 if way > 0 else 0.5


@kernel()
def _bernoulli(p, n, c, chance, scratch):  # type: ignore[no-untyped-def]
    """Fill chance[a] for 2 <= c copies of one value; there is a world, and somebody is uncertain."""
    people, width = total_of(n), c + 1
    if 2 * (people + 1) * width > len(scratch):
        return TOO_MANY
    fore = scratch[: (people + 1) * width].reshape((people + 1, width))
    back = scratch[(people + 1) * width : 2 * (people + 1) * width].reshape((people + 1, width))
    tilt = _tilt(p, n, c)
    fore[0] = 0.0
    fore[0, 0] = 1.0
    back[people] = 0.0
    back[people, 0] = 1.0
    i, last = 0, people
    for a in range(len(p)):
        b = len(p) - 1 - a
        sure = (1.0 - p[a]) + tilt * p[a]
        has, lacks = tilt * p[a] / sure, (1.0 - p[a]) / sure
        for _ in range(n[a]):
            fore[i + 1, 0] = lacks * fore[i, 0]
            for j in range(1, width):
                fore[i + 1, j] = lacks * fore[i, j] + has * fore[i, j - 1]
            i += 1
        sure = (1.0 - p[b]) + tilt * p[b]
        has, lacks = tilt * p[b] / sure, (1.0 - p[b]) / sure
        for _ in range(n[b]):
            back[last - 1, 0] = lacks * back[last, 0]
            for j in range(1, width):
                back[last - 1, j] = lacks * back[last, j] + has * back[last, j - 1]
            last -= 1
    if not back[0, c] >= LEAST:
        return TOO_MANY
    i = 0
    for a in range(len(p)):
        total = 0.0
        for j in range(c):
            total += fore[i, j] * back[i + 1, c - 1 - j]
        sure = (1.0 - p[a]) + tilt * p[a]
        chance[a] = total * (tilt * p[a] / sure) / back[0, c]
        i += n[a]
    return OK


@kernel()
def _holders(p, n, c, chance, scratch):  # type: ignore[no-untyped-def]
    """Fill chance[a] of holding a value with c copies."""
    people = certain = possible = 0
    total = 0.0
    for a in range(len(p)):
        if np.isnan(p[a]):
            return UNKNOWN
        people += int(n[a])
        certain += int(n[a]) if p[a] == 1.0 else 0
        possible += int(n[a]) if p[a] > 0.0 else 0
    if certain > c or possible < c:
        return NO_WORLD
    if c in (certain, possible):
        for a in range(len(p)):
            chance[a] = 1.0 if p[a] == 1.0 or (p[a] > 0.0 and possible == c) else 0.0
        return OK
    if c == 1:  # nobody is certain here
        for a in range(len(p)):
            chance[a] = p[a] / (1.0 - p[a])
            total += n[a] * chance[a]
        for a in range(len(p)):
            chance[a] /= total
    elif _bernoulli(p, n, c, chance, scratch) == TOO_MANY:
        return TOO_MANY
    for a in range(len(p)):
        alike = 0
        for b in range(len(p)):
            alike += int(n[b]) if p[a] == p[b] else 0
        chance[a] = c / people if alike == people else min(chance[a], c / alike, 1.0)
    return OK


@kernel(f"i8({_GROUP}, f8[:, ::1], f8[::1])")
def marginal_group(sig_codes, sig_counts, value_codes, value_counts, priors, out, scratch):  # type: ignore[no-untyped-def]
    """Fill out[a,x] for the marginal adversary, value by value; NaN in the columns that have no answer.

    Returns the most serious status of a value: NO_WORLD before TOO_MANY before UNKNOWN before OK.
    """
    k = len(sig_codes)
    if 2 * k > len(scratch):
        out[:] = np.nan
        return TOO_MANY
    p, chance = scratch[:k], scratch[k : 2 * k]
    worst = OK
    for x in range(len(value_codes)):
        for a in range(k):
            p[a] = priors[sig_codes[a], value_codes[x]]
        status = _holders(p, sig_counts, int(value_counts[x]), chance, scratch[2 * k :])
        for a in range(k):
            out[a, x] = chance[a] if status == OK else np.nan
        if status != OK and (worst == OK or status < worst):
            worst = status
    return worst


@kernel()
def _alike(sig_codes, sig_counts, value_codes, priors, a, x, is_full):  # type: ignore[no-untyped-def]
    """How many people have the priors of a: for all values of the group, or for x alone."""
    alike = 0
    first, last = (0, len(value_codes)) if is_full else (x, x + 1)
    for b in range(len(sig_codes)):
        y = first
        while y < last and priors[sig_codes[a], value_codes[y]] == priors[sig_codes[b], value_codes[y]]:
            y += 1
        alike += int(sig_counts[b]) if y == last else 0
    return alike


@kernel()
def _alike_values(sig_codes, value_codes, value_counts, priors, x):  # type: ignore[no-untyped-def]
    """How many copies there are of values with the priors of x."""
    alike = 0
    for y in range(len(value_codes)):
        a = 0
        while a < len(sig_codes) and priors[sig_codes[a], value_codes[x]] == priors[sig_codes[a], value_codes[y]]:
            a += 1
        alike += int(value_counts[y]) if a == len(sig_codes) else 0
    return alike


@kernel(f"void({_GROUP}, f8[:, ::1], b1, f8[:, ::1], f8[:, ::1])")
def interval_group(sig_codes, sig_counts, value_codes, value_counts, priors, out, is_full, lower, upper):  # type: ignore[no-untyped-def]
    """Proved bounds around posteriors that one of the kernels above has filled in.

    A posterior that is a fraction for a reason (nobody differs, nobody can, all must) is the double nearest to it, and
    its own bound; so is an upper bound c / (people, or copies of values, with the same priors).
    """
    k, m = len(sig_codes), len(value_codes)
    people = total_of(sig_counts)
    states = min(states_of(sig_counts), states_of(value_counts))
    same = np.empty(k, np.int64)
    for x in range(m):
        c = int(value_counts[x])
        certain = possible = 0
        for a in range(k):
            p = priors[sig_codes[a], value_codes[x]]
            certain += int(sig_counts[a]) if p == 1.0 else 0
            possible += int(sig_counts[a]) if p > 0.0 else 0
            if x == 0 or not is_full:
                same[a] = _alike(sig_codes, sig_counts, value_codes, priors, a, x, is_full)
        slots = _alike_values(sig_codes, value_codes, value_counts, priors, x) if is_full else c
        roundings = 2 * people * (max(k, m) + 1) + states + 8 if is_full else 10 * people + c + 12
        error = roundings * _UNIT
        forced = slots == people or (not is_full and c in (certain, possible))
        for a in range(k):
            one = out[a, x]
            if forced or same[a] == people or priors[sig_codes[a], value_codes[x]] == 0.0:
                lower[a, x] = upper[a, x] = one
            else:
                lower[a, x] = max(0.0, one * (1.0 - error) - TINY)
                upper[a, x] = min(
                    one * (1.0 + error) + TINY, c / max(same[a], slots, 1)
                )  # unknown priors are like no other
