"""One stable sort for all kernels that publish: numba takes seconds to compile its own, for each type of keys."""

from __future__ import annotations

import numpy as np

from deniable.kernels import kernel

_RUN = 16  # places that are sorted by insertion before runs are merged


@kernel()
def _insert(keys, order, first, last):  # type: ignore[no-untyped-def]
    for i in range(first + 1, last):
        place, j = order[i], i
        while j > first and keys[order[j - 1]] > keys[place]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = place


@kernel()
def _merge(keys, order, spare, first, middle, last):  # type: ignore[no-untyped-def]
    """spare[first:last] = the two sorted halves of order[first:last] as one."""
    i, j = first, middle
    for to in range(first, last):
        if i < middle and (j == last or keys[order[i]] <= keys[order[j]]):
            spare[to] = order[i]
            i += 1
        else:
            spare[to] = order[j]
            j += 1


@kernel()
def stable_order(keys):  # type: ignore[no-untyped-def]
    """The places of some floats, none of them NaN, the least first; equal ones stay as they are."""
    n = len(keys)
    order, spare = np.empty(n, np.int64), np.empty(n, np.int64)
    for i in range(n):
        order[i] = i
    for first in range(0, n, _RUN):
        _insert(keys, order, first, min(first + _RUN, n))
    width = _RUN
    while width < n:
        for first in range(0, n, 2 * width):
            _merge(keys, order, spare, first, min(first + width, n), min(first + 2 * width, n))
        order, spare = spare, order
        width *= 2
    return order
