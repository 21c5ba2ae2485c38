"""Shares of worlds, from worlds drawn at random of which those that do not fit are thrown away.

Survivors are independent, whatever their number, and each was drawn with a chance proportional to its weight. What is
averaged over them lies in [0,1] and has the share wanted as its mean, so that Hoeffding's inequality in its sharp form
(1963, Theorem 1), P(mean >= b) <= exp(-n KL(b, share)), gives an interval. The risk of 0.1 % is divided among all
shares that are asked for at once, so that all their intervals hold together in 99.9 %.
Rounding. If the law of one drawn world is off by r 2^-53 in total variation, then given survival, of chance A, by
2 r 2^-53 / A at most, and the intervals are wider by that much. A is at least a quarter of the surviving share but for
a chance of 10^-5 (Chernoff, at least 20 survivors), which the risk includes.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from deniable.worlds.arrays import Floats

RISK = 0.001
_UNLIKELY = 1e-5  # that the chance of survival is below a quarter of the surviving share
_SURVIVORS = 20  # fewer say nothing, see above


class Trials(NamedTuple):
    """How many worlds were drawn and how many of them survived; r of the rounding above."""

    accepted: int
    tried: int
    roundings: int

    @property
    def enough(self) -> bool:
        """Whether they say anything."""
        return self.accepted >= _SURVIVORS

    def narrow(self, share: Floats, lower: Floats, upper: Floats) -> tuple[Floats, Floats, Floats]:
        """The shares among the survivors, all those asked for, and their intervals within proved bounds."""
        below, above = hoeffding(share, self.accepted, math.log(2 * share.size / (RISK - _UNLIKELY)))
        moved = 8 * self.roundings * 2.0**-53 * self.tried / self.accepted
        # Should an interval be one of the 0.1 % that fail and miss the proved one, the nearest proved end is left.
        low, high = np.maximum(lower, below - moved), np.minimum(upper, above + moved)
        low, high = np.minimum(low, upper), np.maximum(high, lower)
        return np.clip(share, low, high), low, high


def hoeffding(mean: Floats, draws: int, nats: float) -> tuple[Floats, Floats]:
    """Where draws * KL(mean, share) <= nats, by bisection, rounded outwards."""

    def excess(at: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            yes = np.where(mean > 0, mean * np.log(mean / at), 0.0)
            no = np.where(mean < 1, (1 - mean) * np.log((1 - mean) / (1 - at)), 0.0)
        far: Floats = draws * (yes + no) * (1 - 1e-9) - 1e-9
        return far

    ends = []
    for end in (np.zeros_like(mean), np.ones_like(mean)):
        outside, inside = end, mean.copy()
        for _ in range(60):
            middle = (outside + inside) / 2
            is_far = excess(middle) > nats
            outside, inside = np.where(is_far, middle, outside), np.where(is_far, inside, middle)
        ends.append(outside)
    return ends[0], ends[1]
