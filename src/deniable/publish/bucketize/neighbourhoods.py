"""An order of signatures in which neighbours have similar priors, as a tree of ever smaller neighbourhoods.

The distance of two signatures is Hellinger's, |sqrt p - sqrt q|, added up over the attribute sets; each set's roots are
first projected on their few main directions, which drops most of the noise of estimated priors.
A neighbourhood is split along the direction with the largest variance, where the two parts' means differ most (Ward).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deniable.kernels import kernel
from deniable.publish.sorting import stable_order
from deniable.worlds.arrays import Floats, Int32s, Int64s, offsets

_DIRECTIONS = 6


def features(priors: Floats, people: Int64s) -> Floats:
    """Signatures x main directions of the roots of their priors, weighted by how many people have them."""
    roots = np.sqrt(np.nan_to_num(priors))
    weights = people / max(people.sum(), 1)
    centred = roots - weights @ roots
    _, directions = np.linalg.eigh(centred.T @ (centred * weights[:, None]))
    projected: Floats = centred @ directions[:, ::-1][:, :_DIRECTIONS]
    return projected


def of_cells(priors: Sequence[Floats], signatures: Sequence[Int32s], people: Int64s) -> tuple[Floats, Int64s]:
    """Features of cells, each given by its signature in every attribute set, and where each set's begin."""
    parts = []
    for matrix, codes in zip(priors, signatures, strict=True):
        everybody = np.bincount(codes, weights=people, minlength=len(matrix)).astype(np.int64)
        parts.append(features(matrix, everybody)[codes])
    return np.ascontiguousarray(np.hstack(parts)), offsets([part.shape[1] for part in parts])


@kernel()
def _direction(points, order, first, last):  # type: ignore[no-untyped-def]
    """The column with the largest variance among some points."""
    best, found = -1.0, 0
    for column in range(points.shape[1]):
        total = squares = 0.0
        for i in range(first, last):
            at = points[order[i], column]
            total += at
            squares += at * at
        variance = squares - total * total / (last - first)
        if variance > best:
            best, found = variance, column
    return found


@kernel()
def _ward(keys):  # type: ignore[no-untyped-def]
    """Where to cut sorted keys so that the two means differ most, weighted by the parts' sizes.

    No part is smaller than an eighth, which keeps the tree low.
    """
    n = len(keys)
    total = 0.0
    for i in range(n):
        total += keys[i]
    front = best = 0.0
    cut = n // 2
    for i in range(1, n):
        front += keys[i - 1]
        if not n // 8 <= i <= n - n // 8:
            continue
        apart = front / i - (total - front) / (n - i)
        gain = i * (n - i) * apart * apart
        if gain > best:
            best, cut = gain, i
    return cut


@kernel()
def _split(points, order, first, last):  # type: ignore[no-untyped-def]
    """Sort one neighbourhood along its direction; returns the size of its first part."""
    column = _direction(points, order, first, last)
    n = last - first
    keys, ordered, before = np.empty(n), np.empty(n), np.empty(n, np.int64)
    for i in range(n):
        before[i] = order[first + i]
        keys[i] = points[before[i], column]
    ranks = stable_order(keys)
    for i in range(n):
        order[first + i], ordered[i] = before[ranks[i]], keys[ranks[i]]
    return _ward(ordered)


@kernel("Tuple((i8[::1], i8[:, ::1]))(f8[:, ::1])")
def neighbourhoods(points):  # type: ignore[no-untyped-def]
    """The order, and the neighbourhoods [first, last) in it of two cells and more, smaller ones before larger."""
    cells = len(points)
    order = np.empty(cells, np.int64)
    for i in range(cells):
        order[i] = i
    parts = np.empty((max(cells - 1, 0), 2), np.int64)
    stack = np.empty((cells + 2, 2), np.int64)
    stack[0, 0], stack[0, 1] = 0, cells
    depth, left = 1, cells - 1  # so many splits, the largest neighbourhood at the end
    while depth:
        depth -= 1
        first, last = stack[depth, 0], stack[depth, 1]
        if last - first < 2:
            continue
        left -= 1
        parts[left, 0], parts[left, 1] = first, last
        cut = first + _split(points, order, first, last)
        stack[depth, 0], stack[depth, 1] = first, cut
        stack[depth + 1, 0], stack[depth + 1, 1] = cut, last
        depth += 2
    return order, parts
