"""What the table itself says of people, as knowledge."""

from __future__ import annotations

import numpy as np

from deniable.publish.bucketize.robust import KnownPriors
from deniable.worlds.arrays import Int32s
from deniable.worlds.judges.groups import shares


def estimated(signatures: Int32s, values: Int32s) -> KnownPriors:
    """Knowledge of one attribute set as the table gives it."""
    return KnownPriors(signatures, np.array(shares(signatures.tolist(), values.tolist())))
