"""The swap: bounds on posteriors of the full adversary that need no counting of worlds, for any copies.

Let v have x and u have y != x, and swap: the weight falls by at most the
factor
    theta_vu(x) = max over y != x of [p(v:x) p(u:y)] / [p(u:x) p(v:y)],
so P(v:x, u not) <= theta P(u:x, v not). If x occurs once, that is P(v:x) <= theta P(u:x). If it occurs more
often, adding P(both have x) to both sides gives P(v:x) <= max(1, theta) P(u:x) (without the 1 this is false).
Summed over u, the P(u:x) make c: P(v:x) <= c / (1 + sum over u of 1/theta_vu), and likewise P(v:x) >= c / (1 +
sum over u of theta_uv).
The bounds hold for priors with zeros; where no world is left they say nothing
(docs/theory/linkage.md, "How posteriors are counted").
"""

from __future__ import annotations

import numpy as np

from deniable.kernels import kernel, work
from deniable.worlds.arrays import Floats, Int32s

_UNIT = 2.0**-53 * 1.0001
_NONE = 2.0**-900  # more than what underflow can take from a bound
_GROUP = "i4[::1], i4[::1], i4[::1], i4[::1], f8[:, ::1]"


@kernel()
def _gains(sig_codes, value_codes, priors, v, u):  # type: ignore[no-untyped-def]
    """The two largest p(u:y) / p(v:y), and the y of the largest."""
    first, second, where = 0.0, 0.0, -1
    for y in range(len(value_codes)):
        gain = priors[sig_codes[u], value_codes[y]]
        if gain > 0.0:
            other = priors[sig_codes[v], value_codes[y]]
            gain = gain / other if other > 0.0 else np.inf
        if gain > first:
            first, second, where = gain, first, y
        elif gain > second:
            second = gain
    return first, second, where


@kernel()
def _theta(mine, yours, gain, c):  # type: ignore[no-untyped-def]
    """theta_vu(x) from p(v:x) > 0, p(u:x) and the largest gain elsewhere."""
    if gain == 0.0:
        theta = 0.0
    elif yours == 0.0:
        theta = np.inf
    else:
        theta = mine / yours * gain
    return max(theta, 1.0) if c > 1 else theta


@kernel(f"void({_GROUP}, f8[:, ::1])")
def swap_bound_group(sig_codes, sig_counts, value_codes, value_counts, priors, out):  # type: ignore[no-untyped-def]
    """Fill out[a,x] with the swap's upper bound, at most 1. Full adversary, any copies; k k m steps."""
    k, m = len(sig_codes), len(value_codes)
    for v in range(k):
        for x in range(m):
            out[v, x] = sig_counts[v]  # people like v, v included: theta is 1
        for u in range(k):
            if u == v:
                continue
            first, second, where = _gains(sig_codes, value_codes, priors, v, u)
            for x in range(m):
                mine = priors[sig_codes[v], value_codes[x]]
                if mine > 0.0:
                    yours = priors[sig_codes[u], value_codes[x]]
                    theta = _theta(mine, yours, second if where == x else first, value_counts[x])
                    out[v, x] += sig_counts[u] / theta if theta > 0.0 else np.inf
        for x in range(m):
            if priors[sig_codes[v], value_codes[x]] == 0.0:
                out[v, x] = 0.0
            else:
                out[v, x] = min(1.0, value_counts[x] / out[v, x] * (1.0 + (k + 16) * _UNIT) + _NONE)


@kernel(f"void({_GROUP}, f8[:, ::1])")
def swap_floor_group(sig_codes, sig_counts, value_codes, value_counts, priors, out):  # type: ignore[no-untyped-def]
    """Fill out[a,x] with the swap's lower bound. Full adversary, any copies, where there is a world."""
    k, m = len(sig_codes), len(value_codes)
    for v in range(k):
        for x in range(m):
            out[v, x] = sig_counts[v]
        for u in range(k):
            if u == v:
                continue
            first, second, where = _gains(sig_codes, value_codes, priors, u, v)
            for x in range(m):
                theirs = priors[sig_codes[u], value_codes[x]]
                if theirs > 0.0:
                    mine = priors[sig_codes[v], value_codes[x]]
                    theta = _theta(theirs, mine, second if where == x else first, value_counts[x])
                    out[v, x] += sig_counts[u] * theta
        for x in range(m):
            if priors[sig_codes[v], value_codes[x]] == 0.0:
                out[v, x] = 0.0
            else:
                floor = value_counts[x] / out[v, x] * (1.0 - (k + 16) * _UNIT) - _NONE
                out[v, x] = min(1.0, max(0.0, floor))


def swap_bound(people: Int32s, copies: Int32s, priors: Floats) -> Floats:
    """The swap's upper bound for one group whose own priors, signatures x values, are given. Full adversary."""
    out = np.empty(priors.shape)
    with work(_steps(priors)):
        swap_bound_group(_numbers(people), people, _numbers(copies), copies, priors, out)
    return out


def swap_floor(people: Int32s, copies: Int32s, priors: Floats) -> Floats:
    """The swap's lower bound for one group whose own priors are given. Full adversary."""
    out = np.empty(priors.shape)
    with work(_steps(priors)):
        swap_floor_group(_numbers(people), people, _numbers(copies), copies, priors, out)
    return out


def _steps(priors: Floats) -> int:
    return 4 * len(priors) * priors.size


def _numbers(counts: Int32s) -> Int32s:
    return np.arange(len(counts), dtype=np.int32)
