"""The calibrated adversary: statistics of this very table, with weights fitted to the groups that are published.

It needs the exact counts of the table: those that are estimated from it, or a file whose probabilities times the people
published are whole numbers. Published people who are fewer than the table's: the others are known by their signatures
(docs/theory/linkage.md, "Statistics fitted to the table").
"""

from __future__ import annotations

import numpy as np

from deniable.analyses.linkage.posterior import EXACT, NONE, PROVED, PosteriorCells
from deniable.analyses.linkage.priors import Priors
from deniable.worlds.arrays import Int64s
from deniable.worlds.groups.batches import Groups
from deniable.worlds.groups.calibrated import NO_FIT, Calibrated, Statistics, calibrate
from deniable.worlds.groups.matchings import UNKNOWN
from deniable.worlds.groups.shapes import coordinates

_WHOLE = 1e-6  # how near a count that a file tells must be to a whole number


def evaluate_fitted(groups: Groups, often: Int64s, known: Priors, states: int) -> PosteriorCells:
    """Posteriors and their intervals for every shape, of which so many groups are there."""
    repeated = np.repeat(often, np.diff(groups.signature_offsets))
    people = np.bincount(groups.signatures, groups.people * repeated, len(known.priors)).astype(np.int64)
    statistics = _statistics(known, people)
    shape, s, v = coordinates(groups)
    if isinstance(statistics, int):
        nothing = np.full(len(s), np.nan)
        status = np.full(len(groups), statistics, np.int8)
        found = Calibrated(nothing, nothing, nothing, status)
    else:
        found = calibrate(groups, often, statistics, states)
    told = ~np.isnan(found.lower)
    bound = np.where(told, np.where(found.lower == found.upper, EXACT, PROVED), NONE).astype(np.int8)
    reason = np.where(np.isnan(found.value), found.status[shape], 0).astype(np.int8)
    return PosteriorCells(shape, s, v, found.value, found.lower, found.upper, bound, reason)


def _statistics(known: Priors, people: Int64s) -> Statistics | int:
    """The counts to fit to, or why there are none."""
    if known.counts is not None:
        counts = np.where(people[:, None] > 0, known.counts, 0)
        apart = counts.sum(axis=1) - people
        return Statistics(counts, apart) if (apart >= 0).all() else NO_FIT
    if np.isnan(known.priors[people > 0]).any():
        return UNKNOWN
    told = np.where(people[:, None] > 0, np.nan_to_num(known.priors), 0.0) * people[:, None]
    whole = np.round(told)
    if (np.abs(told - whole) > _WHOLE).any() or (whole.sum(axis=1) != people).any():
        return NO_FIT
    return Statistics(whole.astype(np.int64), np.zeros_like(people))
