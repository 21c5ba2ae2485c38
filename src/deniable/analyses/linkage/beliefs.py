"""How likely pairs of a person and a value are before and after a release is read, counted in squares."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from deniable.analyses.verdict import Belief
from deniable.worlds.arrays import Floats, Int64s

SQUARES = 25  # on each side


def _nothing() -> Floats:
    return np.zeros(SQUARES * SQUARES)


@dataclass(eq=False)
class BeliefCounts:
    """Sums over squares of prior and posterior; a square's pairs are then shown at their mean."""

    count: Floats = field(default_factory=_nothing)
    prior: Floats = field(default_factory=_nothing)
    posterior: Floats = field(default_factory=_nothing)

    def add(self, prior: Floats, posterior: Floats, pairs: Int64s) -> None:
        """So many pairs each; those of which a chance is not known are not counted."""
        known = ~(np.isnan(prior) | np.isnan(posterior))
        prior, posterior, weight = prior[known], posterior[known], pairs[known].astype(np.float64)
        row, column = (np.minimum((chance * SQUARES).astype(np.int64), SQUARES - 1) for chance in (posterior, prior))
        square = row * SQUARES + column
        self.count += np.bincount(square, weight, SQUARES * SQUARES)
        self.prior += np.bincount(square, weight * prior, SQUARES * SQUARES)
        self.posterior += np.bincount(square, weight * posterior, SQUARES * SQUARES)

    def beliefs(self) -> tuple[Belief, ...]:
        """The squares that have some."""
        filled = np.flatnonzero(self.count)
        means = (self.prior[filled] / self.count[filled], self.posterior[filled] / self.count[filled])
        return tuple(
            Belief(float(prior), float(posterior), int(count))
            for prior, posterior, count in zip(*means, self.count[filled], strict=True)
        )
