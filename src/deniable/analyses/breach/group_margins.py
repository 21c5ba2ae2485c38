"""How often the tuples of join groups are published, read off everybody's packed rows."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable.frozen import frozen
from deniable.sql.adversaries import Kept
from deniable.sql.two_views import Packing
from deniable.worlds.arrays import Int32s, Int64s
from deniable.worlds.views.margins import People
from deniable.worlds.views.products import Rows


@frozen
class AsOften:
    """Per group and number of rows, how many ID-side tuples have so many or more."""

    keys: Int64s  # group * top + rows, ascending
    tuples: Int64s
    top: int

    @classmethod
    def of(cls, groups: Int32s, sizes: Int32s) -> AsOften:
        """From the group and the rows of every ID-side tuple."""
        top = int(sizes.max()) + 1
        keys, counts = np.unique(groups.astype(np.int64) * top + sizes, return_counts=True)
        total = np.cumsum(counts[::-1])[::-1]
        ends = np.searchsorted(keys, (keys // top + 1) * top)
        return cls(keys, total - np.append(total, 0)[ends], top)

    def at_least(self, groups: Int32s, sizes: Int32s) -> Int64s:
        """How many, for sizes that occur."""
        return self.tuples[np.searchsorted(self.keys, groups.astype(np.int64) * self.top + sizes)]


@frozen
class GroupMargins:
    """By group: the rows of its ID-side tuples, of its P-side tuples by value, and what its people have."""

    ids: dict[int, Counter[int]]
    values: dict[int, dict[int, tuple[int, ...]]]
    have: dict[int, Counter[tuple[int, int]]]
    own: dict[tuple[int, int], tuple[int, ...]]  # by group and person

    def people(self, group: int) -> People:
        """How many people have how many ID-side and joined tuples."""
        return tuple(sorted(self.have[group].items()))

    def rows(self, group: int, person: int, kept: Kept) -> Rows | None:
        """What is known of rows; None where it is nothing, or too much to put together."""
        if kept.told is None:
            return None
        return Rows.told(self.ids[group], self.own[group, person], self.values[group], kept.told)


def read_margins(offsets: Int64s, packed: NDArray[Any], packing: Packing, group_of_tuple: Int64s) -> GroupMargins:
    """For few people: one pass over sorted rows."""
    person = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    tuples, codes = np.divmod(packed.astype(np.int64), packing.codes)
    groups, sides = group_of_tuple[tuples], codes // 2
    own: dict[tuple[int, int], list[int]] = {}
    ids: dict[int, Counter[int]] = {}
    for (who, one), size in Counter(zip(person.tolist(), tuples.tolist(), strict=True)).items():
        group = int(group_of_tuple[one])
        own.setdefault((group, who), []).append(size)
        ids.setdefault(group, Counter())[size] += 1
    values: dict[int, dict[int, tuple[int, ...]]] = {}
    for (group, side), size in Counter(zip(groups.tolist(), sides.tolist(), strict=True)).items():
        of = values.setdefault(group, {})
        of[side // packing.others] = (*of.get(side // packing.others, ()), size)
    joined = Counter(
        (who, group)
        for who, group, _, _ in set(zip(*(x.tolist() for x in (person, groups, tuples, sides)), strict=True))
    )
    have: dict[int, Counter[tuple[int, int]]] = {}
    for (who, group), number in joined.items():
        have.setdefault(group, Counter())[len(own[group, who]), number] += 1
    return GroupMargins(ids, values, have, {key: tuple(sizes) for key, sizes in own.items()})
