"""Bounds for the probability of a value where the worlds of a part were not counted; proved.

Exchange of people: of r people in the same groups who may have the same values, with the same weights, at most c have
value v when some group has c copies left for them, and all are equally likely to, so p <= c / r. Exchange of values: v
and the k - 1 values that are alike (`counting_plan`) are equally likely, so p <= 1 / k. From below: 1 - the bounds of
all other values.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deniable.kernels import kernel, work
from deniable.worlds.arrays import Floats, Int64s, UInt64s
from deniable.worlds.history.choices import Choices
from deniable.worlds.history.counting_plan import CountingPlan, classify, forget
from deniable.worlds.history.search import EXCLUDED, Status

_ODD = 0x9E3779B97F4A7C15
_HEAVY = 8  # steps for each seat that a literal uses


class BeliefBounds(NamedTuple):
    """The probability of each literal is from `low` to `high`."""

    low: Floats
    high: Floats


def bounds(left: Choices, status: Status, parts: Int64s, plan: CountingPlan) -> BeliefBounds:
    """Lower and upper bounds for each literal of these parts; 0 and 1 elsewhere."""
    high = np.ones(len(left.value))
    high[status == EXCLUDED] = 0.0
    kinds = _kinds(left)
    people = np.flatnonzero(np.isin(left.part, parts))
    by_kind = people[np.argsort(kinds[people], kind="stable")]
    low, ratio = np.zeros(len(left.value)), np.full(len(left.value), np.inf)
    with work(_HEAVY * len(left.uses)):
        _exchange(left, kinds, by_kind, parts, plan, ratio)
        high = np.minimum(high, np.nextafter(ratio, 2.0))
        _from_below(left, people, high, low)
    return BeliefBounds(low, high)


def _kinds(left: Choices) -> UInt64s:
    """A number for each open person, the same for people with the same literals, seats and weights (and rarely for
    others)."""
    of_seat = np.random.default_rng(0).integers(0, 2**63, len(left.left), np.uint64)
    literal = _sums(of_seat[left.uses], left.use_offsets) + left.value.astype(np.uint64) * np.uint64(_ODD)
    literal = (literal ^ (literal >> np.uint64(29)) ^ left.weight.view(np.uint64)) * np.uint64(_ODD)
    return _sums(literal, left.offsets)


def _sums(numbers: UInt64s, offsets: Int64s) -> UInt64s:
    """Sums between offsets, modulo 2^64."""
    total = np.concatenate([np.zeros(1, np.uint64), np.cumsum(numbers, dtype=np.uint64)])
    return np.asarray(total[offsets[1:]] - total[offsets[:-1]], np.uint64)


@kernel()
def _same(c, q, other):  # type: ignore[no-untyped-def]
    """Whether two people may have the same values from the same seats."""
    start, shift, use_offsets = c.offsets[q], c.offsets[other] - c.offsets[q], c.use_offsets
    if c.offsets[other + 1] - c.offsets[q + 1] != shift:
        return False
    for x in range(start, c.offsets[q + 1]):
        y = x + shift
        first, second = use_offsets[x], use_offsets[y]
        if (
            c.value[x] != c.value[y]
            or c.weight[x] != c.weight[y]
            or use_offsets[x + 1] - first != use_offsets[y + 1] - second
        ):
            return False
        for j in range(use_offsets[x + 1] - first):
            if c.uses[first + j] != c.uses[second + j]:
                return False
    return True


@kernel()
def _exchange_people(c, kinds, people, ratio):  # type: ignore[no-untyped-def]
    """`people` in the order of their kinds: compare each with the first of its run."""
    first = 0
    while first < len(people):
        last, r = first, 0
        while last < len(people) and kinds[people[last]] == kinds[people[first]]:
            if _same(c, people[first], people[last]):
                r += 1
            last += 1
        for i in range(first, last):
            q = people[i]
            if r == 1 or not _same(c, people[first], q):
                continue
            for x in range(c.offsets[q], c.offsets[q + 1]):
                for j in range(c.use_offsets[x], c.use_offsets[x + 1]):
                    copies = c.left[c.uses[j]]
                    if copies < r:
                        ratio[x] = min(ratio[x], copies / r)
        first = last


@kernel()
def _exchange(c, kinds, people, parts, plan, ratio):  # type: ignore[no-untyped-def]
    """What the exchange of people and that of values allow at most, but for rounding."""
    _exchange_people(c, kinds, people, ratio)
    for part in parts:
        if classify(c, c.parts[part], c.parts[part + 1], plan):
            for k in range(plan.sizes[1]):
                a = plan.kind[k]
                alike = plan.first[a + 1] - plan.first[a]
                for i in range(plan.starts[k], plan.starts[k + 1]):
                    x = plan.literals[i]
                    if alike > 1:
                        ratio[x] = min(ratio[x], 1.0 / alike)
        forget(c, c.parts[part], c.parts[part + 1], plan)


@kernel()
def _from_below(c, people, high, low):  # type: ignore[no-untyped-def]
    """One of the person's values is the one: 1 - all others, with room for rounding."""
    for q in people:
        total, many = 0.0, c.offsets[q + 1] - c.offsets[q]
        for x in range(c.offsets[q], c.offsets[q + 1]):
            total += high[x]
        for x in range(c.offsets[q], c.offsets[q + 1]):
            low[x] = max(0.0, 1.0 - (total - high[x]) - (many + 2) * (total + 1.0) * 2.0**-52)
            high[x] = max(high[x], low[x])
