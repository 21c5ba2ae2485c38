"""Cells: people whose signatures agree in every attribute set.

They are exchangeable, so a group of N >= r of them with different values has posteriors 1/N for both adversaries,
whatever the priors, as long as none is 0 or 1 (docs/theory/linkage.md, "Groups that stay safe").
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deniable.kernels import kernel
from deniable.worlds.arrays import Int32s, Int64s

_DENSE = 1 << 24  # cells that are numbered by counting instead of sorting


def number(signatures: Sequence[Int32s]) -> tuple[Int64s, list[Int32s]]:
    """The cell of each row, and the signature in each set of each cell that occurs."""
    sizes = [int(codes.max(initial=0)) + 1 for codes in signatures]
    cells = float(np.prod(np.array(sizes, float)))
    if cells >= 2.0**62:
        raise ValueError("the attribute sets have too many signatures to be combined")
    joint = signatures[0].astype(np.int64)
    for codes, size in zip(signatures[1:], sizes[1:], strict=True):
        joint *= size
        joint += codes
    if cells <= min(_DENSE, 8 * len(joint) + 1024):
        there = np.bincount(joint, minlength=int(cells)) > 0
        found = np.flatnonzero(there)
        cell: Int64s = (np.cumsum(there) - 1)[joint]
    else:
        found, cell = np.unique(joint, return_inverse=True)
    parts: list[Int32s] = []
    for size in reversed(sizes):
        parts.append((found % size).astype(np.int32))
        found = found // size
    return cell, parts[::-1]


@kernel("Tuple((i8[::1], i4[::1]))(i8[::1], i8)")
def rows_by(codes, size):  # type: ignore[no-untyped-def]
    """Where each code's rows start, and the rows code by code; rows with a negative code are left out."""
    offsets = np.zeros(size + 1, np.int64)
    for code in codes:
        if code >= 0:
            offsets[code + 1] += 1
    at = np.empty(size, np.int64)
    for code in range(size):
        at[code] = offsets[code]
        offsets[code + 1] += offsets[code]
    rows = np.empty(offsets[size], np.int32)
    for row in range(len(codes)):
        code = codes[row]
        if code >= 0:
            rows[at[code]] = row
            at[code] += 1
    return offsets, rows
