"""Join tuples, listed around small view tuples only, for people whom counts alone do not settle.

A view tuple with many join tuples behind it is as good as covered and is known by its size;
the others are listed, all at once, by array arithmetic over the bundles that they are in.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from deniable.arrow import column_ints
from deniable.frozen import frozen
from deniable.worlds.arrays import Int64s, expand, offsets
from deniable.worlds.views.decay import Graph

SMALL = 64  # a view tuple with more join tuples than this is not looked into
MOST_OWN = 2_000  # a person with more join tuples than this is not listed
MOST = 60_000_000  # join tuples that are listed at most


@frozen
class Bundles:
    """The joined sides as arrays: u and mu per view, the value's number; sizes of clauses."""

    u: tuple[Int64s, ...]
    mu: tuple[Int64s, ...]
    v: Int64s
    sizes: tuple[Int64s, ...]  # per view: w of each u
    copies: tuple[Int64s, ...]  # per view: mu of each u

    @classmethod
    def read(cls, table: pa.Table, clauses: Sequence[pa.Table]) -> Bundles:
        """From the bundles and the sizes of each view's clauses, as the engine counts them."""
        sizes, copies = [], []
        for answer in clauses:
            order = np.argsort(column_ints(answer, "u"))
            sizes.append(column_ints(answer, "w")[order])
            copies.append(column_ints(answer, "mu")[order])
        views = range(len(clauses))
        u = tuple(column_ints(table, f"u{k}") for k in views)
        mu = tuple(column_ints(table, f"mu{k}") for k in views)
        return cls(u, mu, column_ints(table, "v"), tuple(sizes), tuple(copies))

    def through(self, view: int, u: int) -> Int64s:
        """The bundles that pass through one kind of view tuple."""
        return np.flatnonzero(self.u[view] == u)


@frozen
class Listed:
    """The graph of listed join tuples, and where each kind of person stands in it."""

    graph: Graph
    value: Int64s  # per variable
    home: Int64s  # per kind of ID-side tuple: the clause number of its first copy

    def own(self, members: Sequence[tuple[int, int]]) -> tuple[Int64s, Int64s] | None:
        """A person's ID-side clauses and join tuples; None when these are not all listed."""
        clauses = np.array([self.home[a] + copy for a, times in members for copy in range(times)], np.int64)
        mine = [self.graph.members(int(c)) for c in clauses]
        if any(len(found) != self.graph.sizes[c] for found, c in zip(mine, clauses, strict=True)):
            return None
        return clauses, np.concatenate(mine)


def list_tuples(bundles: Bundles, home: int, wanted: dict[int, int]) -> Listed | None:
    """List the join tuples in small clauses, and all those of the wanted ID-side tuples.

    `wanted` maps a kind of ID-side tuple to how many copies of it one person can have.
    None when that would be too many.
    """
    counts = np.prod(np.stack(bundles.mu), axis=0, dtype=np.int64)
    starts = offsets(counts)
    near = np.zeros(len(counts), np.bool_)
    for u, size in zip(bundles.u, bundles.sizes, strict=True):
        near |= size[u] <= SMALL
    reached = np.zeros(len(bundles.sizes[home]), np.int64)
    for a, times in wanted.items():
        if bundles.sizes[home][a] <= MOST_OWN:
            reached[a] = times
    own = np.minimum(reached[bundles.u[home]], bundles.mu[home])
    alone = counts // bundles.mu[home]
    if int(counts[near].sum()) + int((own * alone)[~near].sum()) > MOST:
        return None
    numbers = [expand(starts[:-1][near], counts[near])]
    extra = np.flatnonzero(~near & (own > 0))
    # The home view is the slowest-moving digit, so a person's copies come first.
    numbers.append(expand(starts[:-1][extra], (own * alone)[extra]))
    return _listed(bundles, home, np.sort(np.concatenate(numbers)), starts)


def _listed(bundles: Bundles, home: int, tuples: Int64s, starts: Int64s) -> Listed:
    """Decode join tuple numbers into one clause per view."""
    bundle = np.searchsorted(starts, tuples, side="right") - 1
    rest = tuples - starts[bundle]
    views = len(bundles.u)
    bases, total = [], 0
    for copies in bundles.copies:
        bases.append(total + offsets(copies)[:-1])
        total += int(copies.sum())
    of = np.empty((len(tuples), views), np.int64)
    digits = [home, *(k for k in range(views) if k != home)]
    for k in reversed(digits):
        mu = bundles.mu[k][bundle]
        of[:, k] = bases[k][bundles.u[k][bundle]] + rest % mu
        rest //= mu
    sizes = np.concatenate([np.repeat(w, c) for w, c in zip(bundles.sizes, bundles.copies, strict=True)])
    flat = of.ravel()
    order = np.argsort(flat, kind="stable")
    in_offsets = np.searchsorted(flat[order], np.arange(total + 1))
    graph = Graph(of, in_offsets, order // views, np.minimum(sizes, 2**31 - 1).astype(np.int32))
    return Listed(graph, bundles.v[bundle], bases[home])
