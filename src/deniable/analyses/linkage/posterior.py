"""Posteriors of every group for one attribute set: groups of equal shape once, exact where they fit.

A shape is the group's signatures and values with their counts. Both adversaries are answered by
`worlds.groups`; what has too many states by proved bounds, then by worlds drawn at random.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from deniable.arrow import arrow_array, arrow_words
from deniable.frozen import frozen
from deniable.sql import linkage as words
from deniable.steps import reach
from deniable.worlds.arrays import Bools, Floats, Int8s, Int64s, expand, offsets
from deniable.worlds.groups.batches import Groups, Posteriors, full, intervals, marginal
from deniable.worlds.groups.matchings import NO_WORLD, TOO_MANY, UNKNOWN
from deniable.worlds.groups.sampling import large_group

EXACT, PROVED, SAMPLED, NONE = range(4)
BOUNDS = ("exact", "proved", "sampled", None)
REASONS = {NO_WORLD: words.NO_WORLD, UNKNOWN: words.NOT_KNOWN, TOO_MANY: words.TOO_LARGE}


@frozen
class Counts:
    """(group, code, how many), ordered by group and code."""

    group: Int64s
    code: Int64s
    n: Int64s


@frozen
class PosteriorCells:
    """For each shape, signature and value of one adversary: the posterior, its bounds, and what they are."""

    shape: Int64s
    s: Int64s
    v: Int64s
    probability: Floats
    lower: Floats
    upper: Floats
    bound: NDArray[np.int8]
    reason: NDArray[np.int8]  # 0, or why there is no answer

    def table(self, adversary: str) -> pa.Table:
        """As the engine is given it."""
        missing = np.isnan(self.probability)
        unbounded = np.isnan(self.lower)
        whys = [None, *(REASONS[code] for code in sorted(REASONS))]
        reasons = arrow_words(np.searchsorted([0, *sorted(REASONS)], self.reason), whys)
        return pa.table(
            {
                "shape": arrow_array(self.shape),
                "s": arrow_array(self.s),
                "v": arrow_array(self.v),
                "adversary": arrow_words(np.zeros(len(self.s)), [adversary]),
                "probability": arrow_array(self.probability, missing),
                "lower": arrow_array(self.lower, unbounded),
                "upper": arrow_array(self.upper, unbounded),
                "bound": arrow_words(self.bound, BOUNDS),
                "reason": reasons,
            }
        )


def shapes(signatures: Counts, values: Counts, groups: int) -> tuple[Int64s, Groups]:
    """The shape of each group, and the different shapes as groups to evaluate."""
    sig_at = np.searchsorted(signatures.group, np.arange(groups + 1))
    value_at = np.searchsorted(values.group, np.arange(groups + 1))
    shape = np.full(groups, -1, np.int64)
    first: list[NDArray[np.int64]] = []
    count = 0
    sizes = np.stack([np.diff(sig_at), np.diff(value_at)], axis=1)
    for k, m in np.unique(sizes, axis=0):
        chosen = np.flatnonzero((sizes[:, 0] == k) & (sizes[:, 1] == m))
        rows = [a[at[chosen, None] + np.arange(width)] for at, width, parts in (
            (sig_at, k, signatures), (value_at, m, values)) for a in (parts.code, parts.n)]  # fmt: skip
        key = np.ascontiguousarray(np.concatenate(rows, axis=1))
        void = key.view(np.dtype((np.void, key.itemsize * key.shape[1]))).reshape(-1)
        _, index, inverse = np.unique(void, return_index=True, return_inverse=True)
        shape[chosen] = inverse + count
        first.append(chosen[index])
        count += len(index)
    kept = np.concatenate(first)
    s_at, s_pick = _picked(sig_at, kept)
    v_at, v_pick = _picked(value_at, kept)
    return shape, Groups(
        s_at,
        signatures.code[s_pick].astype(np.int32),
        signatures.n[s_pick].astype(np.int32),
        v_at,
        values.code[v_pick].astype(np.int32),
        values.n[v_pick].astype(np.int32),
    )


def _picked(at: Int64s, kept: Int64s) -> tuple[Int64s, Int64s]:
    """Offsets and positions of some rows of a ragged array."""
    widths = (at[1:] - at[:-1])[kept]
    return offsets(widths), expand(at[:-1][kept], widths)


def people_of(groups: Groups) -> Int64s:
    """For each cell, how many people of a group of its shape have its signature."""
    return np.repeat(groups.people, np.repeat(np.diff(groups.value_offsets), np.diff(groups.signature_offsets)))


def evaluate(groups: Groups, priors: Floats, adversary: str, states: int) -> PosteriorCells:
    """Both the posterior and its interval for every shape; large groups are drawn where bounds do not settle."""
    is_full = adversary == "full"
    found = full(groups, priors, states) if is_full else marginal(groups, priors, states)
    lower, upper = intervals(found, priors, is_full)
    lower[np.isnan(found.value)] = upper[np.isnan(found.value)] = np.nan
    shape, s, v = _coordinates(groups)
    bound = np.full(len(found.value), EXACT, np.int8)  # counted in full; the interval holds the rounding
    reason = found.status[shape].astype(np.int8)
    if not is_full:
        reason[:] = _of_each_value(found, priors, shape, s, v)
        large = np.flatnonzero(reason == TOO_MANY)
        lower[large], upper[large], bound[large] = 0.0, _at_most(groups, shape, large), PROVED
    cells = PosteriorCells(shape, s, v, found.value.copy(), lower, upper, bound, reason)
    large = np.flatnonzero(found.status == TOO_MANY) if is_full else np.zeros(0, np.int64)
    for place, g in enumerate(large.tolist()):
        reach("linkage.large", place, len(large))
        _draw(groups, priors, g, states, cells)
    bound[np.isnan(lower)] = NONE
    cells.reason[~np.isnan(cells.probability)] = 0
    return cells


def _places(groups: Groups, shape: Int64s, cells: Int64s) -> tuple[Int64s, Int64s]:
    """Where the signature and the value of some cells stand in the groups' arrays."""
    inside, width = cells - groups.offsets[shape[cells]], np.diff(groups.value_offsets)[shape[cells]]
    return groups.signature_offsets[shape[cells]] + inside // width, groups.value_offsets[shape[cells]] + inside % width


def _at_most(groups: Groups, shape: Int64s, cells: Int64s) -> Floats:
    """Copies of the value over people with the signature: they are exchangeable."""
    row, column = _places(groups, shape, cells)
    bound: Floats = np.minimum(1.0, np.nextafter(groups.copies[column] / groups.people[row], 2.0))
    return bound


def _of_each_value(found: Posteriors, priors: Floats, shape: Int64s, s: Int64s, v: Int64s) -> Int8s:
    """Why the marginal adversary has no answer, value by value: a group has the worst of its values' reasons only."""
    reason = np.where(np.isnan(found.value), TOO_MANY, 0).astype(np.int8)
    lost = np.flatnonzero(reason)
    if not len(lost):
        return reason
    groups, prior = found.groups, priors[s[lost], v[lost]]
    row, column = _places(groups, shape, lost)
    people = groups.people[row]

    def who(chosen: Bools) -> Int64s:
        """How many people of the group, for each value of it."""
        return np.bincount(column[chosen], people[chosen], len(groups.values)).astype(np.int64)[column]

    copies = groups.copies[column]
    contradicted = (who(prior == 1.0) > copies) | (who(prior > 0.0) < copies)
    reason[lost] = np.where(who(np.isnan(prior)) > 0, UNKNOWN, np.where(contradicted, NO_WORLD, TOO_MANY))
    return reason


def _draw(groups: Groups, priors: Floats, g: int, states: int, cells: PosteriorCells) -> None:
    """One group with too many states: its cells are bounded, or estimated from worlds drawn at random."""
    sig = slice(*groups.signature_offsets[g : g + 2])
    val = slice(*groups.value_offsets[g : g + 2])
    block = slice(*groups.offsets[g : g + 2])
    own = np.ascontiguousarray(priors[np.ix_(groups.signatures[sig], groups.values[val])])
    estimate = large_group(groups.people[sig], groups.copies[val], own, states=states, seed=g)
    cells.lower[block], cells.upper[block] = estimate.lower.ravel(), estimate.upper.ravel()
    cells.probability[block] = estimate.value.ravel()
    cells.bound[block] = SAMPLED if estimate.draws else PROVED
    cells.reason[block] = estimate.status


def _coordinates(groups: Groups) -> tuple[Int64s, Int64s, Int64s]:
    """The shape, signature and value of each cell."""
    widths, heights = np.diff(groups.value_offsets), np.diff(groups.signature_offsets)
    cells = widths * heights
    shape = np.repeat(np.arange(len(groups)), cells)
    inside = np.arange(int(cells.sum())) - np.repeat(groups.offsets[:-1], cells)
    width = widths[shape]
    s = groups.signatures[groups.signature_offsets[:-1][shape] + inside // width]
    v = groups.values[groups.value_offsets[:-1][shape] + inside % width]
    return shape, s.astype(np.int64), v.astype(np.int64)
