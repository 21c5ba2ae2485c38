"""What the published bytes say: groups, and nothing else (docs/theory/linkage.md, "What is assumed").

Groups get random numbers and people a random order; the values of a group are listed by code, sorted, so that no order
ties them to people. The draws depend on the number of groups and rows only: two tables with the same groups that differ
by private values swapped inside a group give the same output under the same seed.
"""

from __future__ import annotations

import numpy as np

from deniable.frozen import frozen
from deniable.worlds.arrays import Int32s, Int64s


@frozen
class Shuffled:
    """Two tables to publish. People: `rows` of the original, each with its group. Values: each with its group.

    People who are withheld are in neither.
    """

    rows: Int64s
    group_of_row: Int32s
    values: Int32s
    group_of_value: Int32s


def shuffle(group_of: Int32s, values: Int32s, seed: int | None = None) -> Shuffled:
    """Random group numbers and row order, from the operating system's randomness unless a seed is given."""
    rng = np.random.default_rng(seed)
    rows = np.flatnonzero(group_of >= 0)
    _, old = np.unique(group_of[rows], return_inverse=True)
    group: Int32s = rng.permutation(int(old.max(initial=-1)) + 1).astype(np.int32)[old]
    order = rng.permutation(len(rows))
    told = values[rows]
    by_group = np.lexsort((told, group))
    return Shuffled(rows[order], group[order], told[by_group], group[by_group])
