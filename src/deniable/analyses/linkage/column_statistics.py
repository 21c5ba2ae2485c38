"""What groups tell somebody who knows one column's statistics, as the table itself has them.

Groups that were made without knowledge promise something against people who know nothing. Whoever knows p(value | sex)
is the same adversary as in `linkage`, marginal and full; this counts whom they are sure of beyond a limit, from
integer codes alone, so that whoever publishes groups can ask before anything is written
(docs/theory/linkage.md, "Groups made without knowledge").
"""

from __future__ import annotations

import numpy as np

from deniable.frozen import frozen
from deniable.kernels import in_pieces, work
from deniable.publish.bucketize.proof import ends_of_all
from deniable.worlds.arrays import Bools, Floats, Int32s, Int64s, offsets

NOBODY = -1  # the code of a counterfeit, which has no cells
_STEPS = 1e9  # of counting worlds, for one column; groups beyond are bounded
_MOST_STATES = 1 << 16
_MOST_PEOPLE = 1024  # of a group that is looked at
_LARGEST = 1 << 26  # priors; beyond, nothing is decided


@frozen
class ColumnTells:
    """People who are above a limit for certain, by adversary and for one of them at least, and those not decided.

    Somebody's posterior is at least `worst`; none exceeds `worst_at_most`.
    """

    over: int
    over_marginal: int
    over_full: int
    undecided: int
    people: int
    worst: float
    worst_at_most: float


def column_tells(codes: Int32s, values: Int32s, group_of: Int32s, limit: float) -> ColumnTells:
    """For each row the column's code, the private value's and the group's (-1: in none, but in the statistics).

    Rows with the code NOBODY are counterfeits: they fill a group, with everybody's statistics for their own, and
    neither count as people nor in the statistics.
    """
    real = codes != NOBODY
    counted = real & (group_of >= 0)
    people = int(counted.sum())
    low, high = np.zeros((len(codes), 2)), np.ones((len(codes), 2))
    told = _priors(codes, values, real)
    if told is not None and people:
        _fill(*told, values, group_of, low, high)
    low, high = low[counted], high[counted]
    above: Bools = low > limit
    either = above.any(axis=1)
    return ColumnTells(
        int(either.sum()),
        int(above[:, 0].sum()),
        int(above[:, 1].sum()),
        int((~either & (high > limit).any(axis=1)).sum()),
        people,
        float(low.max(initial=0.0)),
        float(high.max(initial=0.0)),
    )


def _priors(codes: Int32s, values: Int32s, real: Bools) -> tuple[Int32s, Floats] | None:
    """Each row's signature, and what is known of each; the last one is everybody's. None: there are too many.

    Codes that one person has say what that person has, whoever it is: they are one signature for each value.
    """
    width, rows = int(values.max(initial=0)) + 1, int(codes.max(initial=0)) + 1
    often = np.bincount(codes[real], minlength=rows)
    several = np.flatnonzero(often > 1)
    kinds = len(several) + width
    if (kinds + 1) * width > _LARGEST:
        return None
    number = np.zeros(rows, np.int64)
    number[several] = np.arange(len(several))
    signatures = np.where(often[codes] == 1, len(several) + values.astype(np.int64), number[codes])
    counts = np.bincount(signatures[real] * width + values[real], minlength=kinds * width).reshape(kinds, width)
    counts = np.vstack([counts, counts.sum(axis=0)])
    priors: Floats = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return np.where(real, signatures, kinds).astype(np.int32), priors


def _fill(signatures: Int32s, priors: Floats, values: Int32s, group_of: Int32s, low: Floats, high: Floats) -> None:
    """The ends of everybody's largest posterior; those in groups that are too large stay as they are."""
    sizes = np.bincount(group_of[group_of >= 0])
    looked_at = (group_of >= 0) & (sizes[group_of] <= _MOST_PEOPLE)
    members = np.flatnonzero(looked_at).astype(np.int32)
    _, group, sizes = np.unique(group_of[members], return_inverse=True, return_counts=True)
    members = members[np.argsort(group, kind="stable")]
    group = np.sort(group).astype(np.int64)
    bits = np.minimum(_bits(group, signatures[members]), _bits(group, values[members]))
    steps = 4.0 * sizes * (2.0**bits + sizes)
    with work(float(steps.sum())):
        told = (members, signatures, values, priors, _states(bits, steps), low, high)
        in_pieces(ends_of_all, len(sizes), offsets(sizes), *told)


def _bits(group: Int64s, codes: Int32s) -> Floats:
    """How many bits the number of ways has to have used some of each code, for each group."""
    width = int(codes.max(initial=0)) + 1
    pairs, often = np.unique(group * width + codes, return_counts=True)
    bits: Floats = np.bincount(pairs // width, weights=np.log2(often + 1.0)).astype(np.float64)
    return bits


def _states(bits: Floats, steps: Floats) -> int:
    """How many states a group may have so that all groups up to it are counted in a few seconds."""
    order = np.argsort(bits, kind="stable")
    within = order[np.cumsum(steps[order]) <= _STEPS]
    return min(int(2.0 ** bits[within].max(initial=0.0)) + 1, _MOST_STATES)
