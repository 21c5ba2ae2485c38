"""What a group says of its members' quasi-identifiers: an interval of numbers or dates, a set of categories, or the
lowest level of a hierarchy on which all members agree (where they agree on none: the set of the coarsest labels).

Cells are text in the order of their codes; null is the largest, so that an interval with somebody unknown in it has no
upper end. Every extent covers all members and is as small as it can be.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from deniable.arrow import arrow_array, arrow_text
from deniable.frozen import frozen
from deniable.worlds.arrays import Int32s, Int64s, different

if TYPE_CHECKING:
    import pyarrow as pa


@frozen(eq=False)
class Scale:
    """A quasi-identifier: its kind, its cells by code, and for a hierarchy the labels of each level by code."""

    name: str
    kind: str  # number, date, category or hierarchy
    cells: pa.Array
    levels: tuple[Int32s, ...] = ()  # finest first; codes of `labels`
    labels: tuple[pa.Array, ...] = ()


def headings(name: str, kind: str) -> tuple[str, ...]:
    """The published columns of a quasi-identifier."""
    return (f"{name}_low", f"{name}_high") if kind in ("number", "date") else (name,)


def extents(scale: Scale, codes: Int32s, group: Int64s, groups: int) -> dict[str, pa.Array]:
    """One or two published columns, a cell for each group; row i has codes[i] and is in group[i]."""
    names = headings(scale.name, scale.kind)
    if len(names) == 2:
        ends = _ends(codes, group, groups)
        return {name: _at(scale.cells, end) for name, end in zip(names, ends, strict=True)}
    if scale.kind == "category":
        return {names[0]: _sets(scale.cells, codes, group, groups)}
    return {names[0]: _common(scale, codes, group, groups)}


def _ends(codes: Int32s, group: Int64s, groups: int) -> tuple[Int64s, Int64s]:
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.arange(groups))
    inside = codes[order].astype(np.int64)
    return np.minimum.reduceat(inside, starts), np.maximum.reduceat(inside, starts)


def _sets(cells: pa.Array, codes: Int32s, group: Int64s, groups: int) -> pa.Array:
    """The different cells of each group, joined by |; one that holds a | or a backslash has a backslash before it."""
    import pyarrow as pa
    import pyarrow.compute as pc

    width = max(len(cells), 1)
    pairs = different(group * width + codes)
    offsets = np.searchsorted(pairs, np.arange(groups + 1) * width).astype(np.int32)
    inside = _at(_escaped(cells).fill_null(arrow_text("")), pairs % width)
    joined = pc.binary_join(pa.ListArray.from_arrays(arrow_array(offsets), inside), arrow_text("|"))
    first = _at(cells, pairs[offsets[:-1]] % width)
    only_null = pc.and_(arrow_array(np.diff(offsets) == 1), first.is_null())
    return pc.if_else(only_null, arrow_text(None), joined)


def _common(scale: Scale, codes: Int32s, group: Int64s, groups: int) -> pa.Array:
    """The label of the lowest level on which the members of a group agree."""
    import pyarrow.compute as pc

    found = _sets(scale.labels[-1], scale.levels[-1][codes], group, groups)
    for level, labels in zip(reversed(scale.levels), reversed(scale.labels), strict=True):
        low, high = _ends(level[codes], group, groups)
        found = pc.if_else(arrow_array(low == high), _at(_escaped(labels), low), found)
    return found


def _escaped(cells: pa.Array) -> pa.Array:
    import pyarrow.compute as pc

    return pc.replace_substring(pc.replace_substring(cells, "\\", "\\\\"), "|", "\\|")


def _at(cells: pa.Array, places: Int64s) -> pa.Array:
    return cells.take(arrow_array(places))
