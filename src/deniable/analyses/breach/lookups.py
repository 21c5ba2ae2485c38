"""What the compiled kernels read: quadruples for every cell of every group, laid out for look-ups."""

from __future__ import annotations

import numpy as np

from deniable.errors import LimitExceeded, Reason
from deniable.frozen import frozen
from deniable.worlds.arrays import Bools, Floats, Int32s, Int64s
from deniable.worlds.views.quadruples import Quadruples, evaluate

MOST_INDEX = 500_000_000
MOST_DENSE = 100_000_000  # cells of a table of groups by values, 16 bytes each


@frozen
class GroupCells:
    """The groups' cells in order of group and value: tuples c and rows r of value v."""

    g: Int32s
    v: Int32s
    c: Int64s
    r: Int64s
    offsets: Int64s
    ordered: bool = True  # else offsets say nothing yet: sorting takes long, and few need it

    def in_order(self) -> GroupCells:
        """The same, sorted."""
        if self.ordered:
            return self
        order = np.lexsort((self.v, self.g))
        g = self.g[order]
        offsets = np.searchsorted(g, np.arange(len(self.offsets)))
        return GroupCells(g, self.v[order], self.c[order], self.r[order], offsets)

    def tuples(self, group: int) -> dict[int, int]:
        """value -> P-side tuples."""
        inside = slice(self.offsets[group], self.offsets[group + 1])
        return dict(zip(self.v[inside].tolist(), self.c[inside].tolist(), strict=True))


@frozen
class JoinGroups:
    """Join groups by number: both sides, and what is known of the people there."""

    m: Int64s
    n: Int64s
    rows: Int64s
    how: Int64s  # rows are counted: `product_kernel._rows`
    one_each: Bools  # everybody here has one ID-side tuple in all, and there are no more values' tuples than people


@frozen
class Lookups:
    """Quadruples for every cell and every a that occurs; `places` maps a to its row."""

    cells: GroupCells
    places: Int32s
    index: Int32s
    quads: Quadruples
    tuples: Int64s  # c of each of these
    dense: Floats | None


def look_up(cells: GroupCells, groups: JoinGroups, kinds: Int64s, most: int) -> Lookups:
    """For each number of tuples in `kinds`; `most` groups are multiplied for one person."""
    if len(kinds) * len(cells.v) > MOST_INDEX:
        raise LimitExceeded(Reason("views.too_many_lookups", kinds=len(kinds), cells=len(cells.v)))
    places = np.zeros(int(kinds[-1]) + 1, np.int32)
    places[kinds] = np.arange(len(kinds))
    index, quads, tuples = _index(cells, groups.m, groups.n, kinds)
    dense = _dense(cells, index, quads, most)
    if dense is None and not cells.ordered:
        cells = cells.in_order()
        index, quads, tuples = _index(cells, groups.m, groups.n, kinds)
    return Lookups(cells, places, index, quads, tuples, dense)


def _index(cells: GroupCells, m: Int64s, n: Int64s, kinds: Int64s) -> tuple[Int32s, Quadruples, Int64s]:
    """For each a in `kinds` and each cell, where its quadruple stands in one long table; and the c of each."""
    _, shape_of_group = np.unique(m * (int(n.max()) + 1) + n, return_inverse=True)
    first, inverse = _distinct(shape_of_group[cells.g] * (int(cells.c.max()) + 1) + cells.c)
    sizes_m, sizes_n, c = m[cells.g[first]], n[cells.g[first]], cells.c[first]
    index = np.empty((len(kinds), len(cells.g)), np.int32)
    tables = []
    for row, a in enumerate(kinds):
        # A group with fewer tuples than a is never looked up under this a.
        tables.append(evaluate(sizes_m, sizes_n, np.where(sizes_m >= a, a, 1), c))
        index[row] = inverse + row * len(first)
    inexact = [np.where(t.exact & (t.value < 1), np.nextafter(t.value, 0), t.lower) for t in tables]
    outwards = [np.where(t.exact & (t.value < 1), np.nextafter(t.value, 2), t.upper) for t in tables]
    quads = Quadruples(
        value=np.concatenate([t.value for t in tables]),
        lower=np.concatenate(inexact),
        upper=np.concatenate(outwards),
        exact=np.concatenate([t.exact for t in tables]),
        mantissa=np.concatenate([t.mantissa for t in tables]),
        exponent=np.concatenate([t.exponent for t in tables]),
    )
    return index, quads, np.tile(c, len(kinds))


def _dense(cells: GroupCells, index: Int32s, quads: Quadruples, most: int) -> Floats | None:
    """What `answer_dense` reads; None where that is too large or its numbers too wide.

    Up to `most` weights are multiplied for one person and must stay within a double's range.
    """
    from deniable.worlds.views.product_kernel import ROWS

    codes, groups = int(cells.v.max()) + 1, len(cells.offsets) - 1
    too_large = len(index) * codes * groups > MOST_DENSE
    too_wide = (int(np.abs(quads.exponent).max()) + 2) * most > 900
    if too_large or too_wide or int(cells.r.max()) >= 2**31 or len(quads.lower) + 1 >= ROWS:
        return None
    dense = np.empty((len(index), groups, 2, codes))  # NumPy asks for huge pages here, not with zeros
    dense.fill(0)
    weight = np.ldexp(quads.mantissa, quads.exponent)
    for row, quad in enumerate(index):
        dense[row, cells.g, 0, cells.v] = weight[quad]
        dense[row, cells.g, 1, cells.v] = cells.r * ROWS + quad + 1
    return dense


def _distinct(key: Int64s) -> tuple[Int64s, Int64s]:
    """One index of each distinct key, and which of them each entry is.

    By marking where the range allows it: sorting is slow.
    """
    top = int(key.max()) + 1
    if top > 4 * len(key) + 1000:
        _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
        return first, inverse
    first = np.full(top, -1, np.int64)
    first[key] = np.arange(len(key))
    distinct = np.flatnonzero(first >= 0)
    place = np.zeros(top, np.int64)
    place[distinct] = np.arange(len(distinct))
    return first[distinct], place[key]
