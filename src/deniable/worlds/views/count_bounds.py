"""Any number of views: what the number of join tuples behind each view tuple already proves.

A world is a set of join tuples in which every view tuple (a clause) keeps at least one.
Let a person's join tuples be A, those with value p be A_p (c of them), t_i the tuples of A
in a clause with w_i in all, and sigma the sum of 2^-(w_i - t_i) over the clauses that A
touches, the person's own ID-side clauses aside.

* A variable is 1 at least as often as 0, and 0 at least L/(1+L) of the time, where L is the
  product over its clauses of 1 - 2^-(others in it). So P(no tuple of A_p) lies between
  2^-c (2L/(1+L))^c and 2^-c, with L >= 1 - sigma - 2^-(own tuples with other values).
* The worlds in which the person has p only number Z0 * prod(2^(c_a) - 1) * [1 - sigma, 1],
  over the person's ID-side tuples a, Z0 the same for all p: the clauses that A touches are
  satisfied by others with probability at least prod(1 - 2^-(w_i - t_i)), because increasing
  events are positively correlated (Harris).
"""

from __future__ import annotations

import numpy as np

from deniable.frozen import frozen
from deniable.worlds.arrays import Bools, Floats, Int64s

_SLACK = 1e-14  # more than all roundings below together, relatively


@frozen
class Reach:
    """One row per (kind, value, ID-side tuple): c of its w join tuples have the value.

    Sorted by kind, then value. `times` identical tuples of the person count separately.
    """

    kind: Int64s
    value: Int64s
    times: Int64s
    c: Floats
    w: Floats


@frozen
class CountBounds:
    """Per (kind, value), in order: intervals for both adversaries; NaN: no world."""

    kind: Int64s
    value: Int64s
    c: Floats
    lower: Floats  # unrestricted
    upper: Floats
    single_lower: Floats  # restricted
    single_upper: Floats


def bounds(reach: Reach, sigma: Floats, tuples: Int64s) -> CountBounds:
    """Intervals from counts alone.

    Kinds are numbered from 0; per kind `sigma`, and the number of different ID-side tuples.
    """
    starts = _starts(reach.kind, reach.value)
    kind, value = reach.kind[starts], reach.value[starts]
    c = np.add.reduceat(reach.times * reach.c, starts)
    lower, upper = _any_value(reach, starts, c, sigma[kind])
    reached = np.diff(np.append(starts, len(reach.kind)))
    possible = reached == tuples[kind]
    fraction = np.add.reduceat(reach.times * np.log2(-np.expm1(-np.minimum(reach.c, 1e4) * np.log(2.0))), starts)
    single_lower, single_upper = _one_value(kind, possible, c, fraction, np.minimum(1.0, sigma * (1 + _SLACK)))
    return CountBounds(kind, value, c, lower, upper, single_lower, single_upper)


def _starts(*keys: Int64s) -> Int64s:
    changed = np.zeros(len(keys[0]), np.bool_)
    changed[0] = True
    for key in keys:
        changed[1:] |= key[1:] != key[:-1]
    return np.flatnonzero(changed)


def _any_value(reach: Reach, starts: Int64s, c: Floats, sigma: Floats) -> tuple[Floats, Floats]:
    """1 - P(no tuple of A_p)."""
    others = np.minimum(reach.w - reach.c, 1000.0)
    missing = sigma + np.add.reduceat(reach.times * np.exp2(-others), starts)
    certain = np.minimum.reduceat(others, starts) == 0
    floor = np.exp2(-np.minimum(c, 1000.0))
    low = np.maximum(0.0, 1.0 - missing * (1 + _SLACK))
    shrink = np.exp(c * np.log(np.maximum(2 * low / (1 + low), 1e-300)))
    lower = np.where(certain, 1.0, (1.0 - floor) * (1 - _SLACK))
    upper = np.where(certain, 1.0, np.minimum(1.0, 1.0 - floor * shrink * (1 - _SLACK) + 2.0**-52))
    return lower, upper


def _one_value(kind: Int64s, possible: Bools, c: Floats, fraction: Floats, slack: Floats) -> tuple[Floats, Floats]:
    """The share of weight 2^c * 2^fraction among the possible values of a kind.

    Each weight is known up to a factor in [1 - slack, 1], the same unknown for nobody else.
    """
    first = _starts(kind)
    place = np.searchsorted(kind[first], kind)
    top = np.maximum.reduceat(np.where(possible, c, -np.inf), first)[place]
    count = np.add.reduceat(possible.astype(np.int64), first)[place]
    with np.errstate(invalid="ignore", divide="ignore"):
        depth = np.where(possible, c - top, -np.inf)
        weight = np.exp2(np.maximum(depth, -1000.0) + fraction)
        weight[~possible] = 0.0
        share = weight / np.add.reduceat(weight, first)[place]
        least = np.maximum(0.0, 1.0 - slack[kind] - (count + 64) * 2.0**-51)
        lower = share * least / (share * least + (1 - share))
        upper = share / (share + (1 - share) * least)
    lower = np.where((depth < -1000) | (least == 0), 0.0, lower * (1 - _SLACK))
    upper = np.where(least == 0, 1.0, np.minimum(1.0, upper * (1 + _SLACK) + 1e-300))
    alone = possible & (count == 1) & (slack[kind] < 1)
    lower, upper = np.where(alone, 1.0, lower), np.where(alone, 1.0, upper)
    lower, upper = np.where(possible, lower, 0.0), np.where(possible, upper, 0.0)
    return np.where(count == 0, np.nan, lower), np.where(count == 0, np.nan, upper)
