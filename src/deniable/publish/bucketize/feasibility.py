"""How far r can go without withholding anyone, and what stands in the way.

`limit`: a group in which a value occurs once has o_holder <= (sum of o)/r for the marginal adversary, o = p / (1 - p);
summed over all groups, r <= sum of o over everybody / sum of o over the holders, for each value and attribute set. No
release that gives each value at most once to a group goes beyond it.
`bucketize` also looks, in a few builds, for the largest r at which it does place everybody: whole numbers first, then
between them. That one is proved by a release, but another way of grouping might go further, up to the limit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from deniable.frozen import frozen
from deniable.publish.bucketize.robust import Bucketized, KnownPriors, place
from deniable.steps import whole_step
from deniable.worlds.arrays import Bools, Int32s

_BUILDS = 5  # that are tried to name an r that can be had


@frozen
class Shortfall:
    """Why r cannot be had for everybody. Codes, not names: whether the value may be told is not decided here.

    The value `value` holds the share `share` of the rows of signature `signature` in attribute set `attribute_set`.
    `reachable` is the largest r for which a release of everybody was built, `limit` one that no release exceeds in
    which a value occurs once in a group. `withheld` people would be left out with suppress=True.
    """

    attribute_set: int
    signature: int
    value: int
    share: float
    reachable: float
    limit: float
    withheld: int


def bucketize(
    columns: Sequence[Int32s], values: Int32s, knowledge: Sequence[KnownPriors], r: float, *, suppress: bool = False,
    by_lot: bool = False, fitted: bool = False, seed: int | None = None,
) -> Bucketized | Shortfall:  # fmt: skip
    """Groups in which every posterior is at most 1/r; with `suppress` people may be withheld, as few as are found.

    `by_lot`: no group is searched for by the values of its people. `fitted`: for weights that somebody fits to the
    groups, too.
    """

    def build(wanted: float) -> Bucketized:
        return place(columns, values, knowledge, wanted, fitted=fitted, search=not by_lot, seed=seed)

    found = build(r)
    if suppress or not found.withheld:
        return found
    most = limit(values, knowledge)
    attribute_set, signature, value, share = _binding(found.group_of < 0, values, knowledge)
    reachable = _largest(build, values, r, most)
    return Shortfall(attribute_set, signature, value, share, reachable, most, found.withheld)


def limit(values: Int32s, knowledge: Sequence[KnownPriors]) -> float:
    """No r beyond this can be had for everybody with each value once in a group; infinite if nothing says so."""
    least = np.inf
    for known in knowledge:
        with np.errstate(divide="ignore"):
            odds = known.priors / (1.0 - known.priors)
        rows, width = odds.shape
        people = np.bincount(known.signatures, minlength=rows)
        holders = np.bincount(known.signatures.astype(np.int64) * width + values, minlength=rows * width)
        holders = holders.reshape(rows, width)
        # Only values that are known for everybody say something about the sums.
        usable = ~np.isnan(odds[people > 0]).any(axis=0)
        held = np.where(holders > 0, holders * np.nan_to_num(odds, posinf=np.inf), 0.0).sum(axis=0)
        total = np.where(people[:, None] > 0, people[:, None] * np.nan_to_num(odds, posinf=np.inf), 0.0).sum(axis=0)
        if np.isinf(held[usable]).any():
            return 1.0  # somebody is certain to have what they have
        ratios = total[usable & (held > 0)] / held[usable & (held > 0)]
        least = min(least, float(ratios.min(initial=np.inf)))
    return least


def _binding(withheld: Bools, values: Int32s, knowledge: Sequence[KnownPriors]) -> tuple[int, int, int, float]:
    """The attribute set, signature and value in which those withheld are most concentrated, and the value's share.

    Concentrated: many people, and many of the signature's (withheld^2 / rows).
    """
    best, found = -1.0, (0, 0, 0, 0.0)
    for s, known in enumerate(knowledge):
        rows, width = known.priors.shape
        keys = known.signatures.astype(np.int64) * width + values
        lost = np.bincount(keys[withheld], minlength=rows * width)
        people = np.bincount(known.signatures, minlength=rows)
        score = lost.astype(float) ** 2 / np.maximum(np.repeat(people, width), 1)
        key = int(score.argmax())
        if score[key] > best:
            signature, value = divmod(key, width)
            holders = int(np.bincount(keys, minlength=rows * width)[key])
            best, found = float(score[key]), (s, signature, value, holders / int(people[signature]))
    return found


def _largest(build: Callable[[float], Bucketized], values: Int32s, r: float, most: float) -> float:
    """The largest r below the one asked for that was tried and placed everybody; 1 asks for nothing.

    No groups at all go beyond everybody over the holders of the most frequent value: somebody in some group has it with
    at least that share.
    """
    low, high, end = 1.0, r, len(values) / int(np.bincount(values).max())
    for step in range(_BUILDS):
        probe = _rounded(min(most, end)) if step == 0 else 0.0
        if not low < probe < high:
            probe = _between(low, high, end)
        if not low < probe < high:
            break
        with whole_step("groups.smaller", step, _BUILDS):
            withheld = build(probe).withheld
        if withheld == 0:
            low = probe
        else:
            high = probe
    return low


def _between(low: float, high: float, end: float) -> float:
    """A number between, at most `end`, as round as there is one: whole, or in the middle; `low` if there is none."""
    first, last = math.floor(low) + 1, min(math.ceil(high) - 1, math.floor(end))
    if first <= last:
        return float(min(max(round(math.sqrt(low * high)), first), last))
    return max(low, _rounded((low + min(high, end)) / 2))


def _rounded(number: float) -> float:
    """Down, to what is printed in full."""
    return math.floor(number * 1000) / 1000 if math.isfinite(number) else 0.0
