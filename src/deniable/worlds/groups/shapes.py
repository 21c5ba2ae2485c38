"""Groups that are alike: how many people of each signature, and how many copies of each value, they have."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from deniable.frozen import frozen
from deniable.worlds.arrays import Int32s, Int64s, Integers, expand, offsets
from deniable.worlds.groups.batches import Groups


@frozen
class Counts:
    """(group, code, how many), ordered by group and code."""

    group: Int64s
    code: Int64s
    n: Int64s


def counts_of(group_of: Integers, codes: Int32s) -> Counts:
    """How often each group has each code; rows in no group (-1) are left out."""
    inside = group_of >= 0
    width = int(codes.max(initial=0)) + 1
    keys, often = np.unique(group_of[inside].astype(np.int64) * width + codes[inside], return_counts=True)
    return Counts(keys // width, keys % width, often)


def shapes(signatures: Counts, values: Counts, groups: int) -> tuple[Int64s, Groups]:
    """The shape of each group, and the different shapes as groups to evaluate."""
    sig_at = np.searchsorted(signatures.group, np.arange(groups + 1))
    value_at = np.searchsorted(values.group, np.arange(groups + 1))
    shape = np.full(groups, -1, np.int64)
    first: list[NDArray[np.int64]] = []
    count = 0
    sizes = np.stack([np.diff(sig_at), np.diff(value_at)], axis=1)
    for k, m in np.unique(sizes, axis=0):
        chosen = np.flatnonzero((sizes[:, 0] == k) & (sizes[:, 1] == m))
        rows = [a[at[chosen, None] + np.arange(width)] for at, width, parts in (
            (sig_at, k, signatures), (value_at, m, values)) for a in (parts.code, parts.n)]  # fmt: skip
        key = np.ascontiguousarray(np.concatenate(rows, axis=1))
        void = key.view(np.dtype((np.void, key.itemsize * key.shape[1]))).reshape(-1)
        _, index, inverse = np.unique(void, return_index=True, return_inverse=True)
        shape[chosen] = inverse + count
        first.append(chosen[index])
        count += len(index)
    kept = np.concatenate(first) if first else np.zeros(0, np.int64)
    s_at, s_pick = _picked(sig_at, kept)
    v_at, v_pick = _picked(value_at, kept)
    return shape, Groups(
        s_at,
        signatures.code[s_pick].astype(np.int32),
        signatures.n[s_pick].astype(np.int32),
        v_at,
        values.code[v_pick].astype(np.int32),
        values.n[v_pick].astype(np.int32),
    )


def chosen(groups: Groups, which: Int64s) -> Groups:
    """Some of the groups, in the order given."""
    s_at, s_pick = _picked(groups.signature_offsets, which)
    v_at, v_pick = _picked(groups.value_offsets, which)
    return Groups(
        s_at, groups.signatures[s_pick], groups.people[s_pick], v_at, groups.values[v_pick], groups.copies[v_pick]
    )


def places(groups: Groups) -> tuple[Int64s, Int64s]:
    """For each cell, where its signature and its value stand in the groups' arrays."""
    widths, heights = np.diff(groups.value_offsets), np.diff(groups.signature_offsets)
    cells = widths * heights
    inside, width = expand(np.zeros(len(cells), np.int64), cells), np.repeat(widths, cells)
    row = np.repeat(groups.signature_offsets[:-1], cells) + inside // np.maximum(width, 1)
    return row, np.repeat(groups.value_offsets[:-1], cells) + inside % np.maximum(width, 1)


def coordinates(groups: Groups) -> tuple[Int64s, Int64s, Int64s]:
    """The shape, signature and value of each cell."""
    shape = np.repeat(np.arange(len(groups)), np.diff(groups.offsets))
    row, column = places(groups)
    return shape, groups.signatures[row].astype(np.int64), groups.values[column].astype(np.int64)


def people_of(groups: Groups) -> Int64s:
    """For each cell, how many people of a group of its shape have its signature."""
    people: Int64s = groups.people[places(groups)[0]].astype(np.int64)
    return people


def _picked(at: Int64s, kept: Int64s) -> tuple[Int64s, Int64s]:
    """Offsets and positions of some rows of a ragged array."""
    widths = (at[1:] - at[:-1])[kept]
    return offsets(widths), expand(at[:-1][kept], widths)
