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
from deniable.worlds.arrays import Bools, Floats, Int8s, Int64s
from deniable.worlds.groups.batches import Groups, Posteriors, full, intervals, marginal
from deniable.worlds.groups.calibrated import NO_FIT
from deniable.worlds.groups.matchings import NO_WORLD, TOO_MANY, UNKNOWN
from deniable.worlds.groups.sampling import large_group
from deniable.worlds.groups.shapes import coordinates

EXACT, PROVED, SAMPLED, NONE = range(4)
BOUNDS = ("exact", "proved", "sampled", None)
REASONS = {
    NO_WORLD: words.NO_WORLD, UNKNOWN: words.NOT_KNOWN, TOO_MANY: words.TOO_LARGE, NO_FIT: words.NOT_FITTED,
}  # fmt: skip


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


def evaluate(groups: Groups, priors: Floats, adversary: str, states: int) -> PosteriorCells:
    """Both the posterior and its interval for every shape; large groups are drawn where bounds do not settle."""
    is_full = adversary == "full"
    found = full(groups, priors, states) if is_full else marginal(groups, priors, states)
    lower, upper = intervals(found, priors, is_full)
    lower[np.isnan(found.value)] = upper[np.isnan(found.value)] = np.nan
    shape, s, v = coordinates(groups)
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
