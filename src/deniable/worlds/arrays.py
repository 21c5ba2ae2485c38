"""The arrays that the mathematics works on, by what they hold, and how runs of them are laid out.

Lists of different lengths are kept in one array, one behind the other; list i is at starts[i]:starts[i + 1].
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deniable.kernels import kernel

Bools = NDArray[np.bool_]
Int8s = NDArray[np.int8]
Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Integers = NDArray[np.integer]  # of any width
UInt64s = NDArray[np.uint64]
Float32s = NDArray[np.float32]
Floats = NDArray[np.float64]
Kind = TypeVar("Kind", bound=np.integer)


def offsets(counts: ArrayLike) -> Int64s:
    """Where each of some runs of these lengths starts and the last one ends: 0 and the running sums."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])


def expand(starts: ArrayLike, lengths: Integers) -> Int64s:
    """Run by run, the places that it has: starts[i], starts[i] + 1, ..., lengths[i] of them.

    With 0 for all starts: the rank of each place in its run.
    """
    ends = np.cumsum(lengths, dtype=np.int64)
    total = int(ends[-1]) if len(ends) else 0
    return np.asarray(np.repeat(np.asarray(starts) - (ends - lengths), lengths) + np.arange(total), np.int64)


def different(values: NDArray[Kind]) -> NDArray[Kind]:
    """Each value once, in order. NumPy's own function would import its masked arrays for that: 30 ms."""
    ordered = np.sort(values)
    first = np.ones(len(ordered), np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


@kernel()
def first_from(values, low, high, wanted):  # type: ignore[no-untyped-def]
    """The first place of values[low:high], ascending, that has the wanted one or more; `high` if none has."""
    while low < high:
        middle = (low + high) // 2
        if values[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low
