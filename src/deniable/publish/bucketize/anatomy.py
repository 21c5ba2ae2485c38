"""Plain l-diverse bucketization: groups of l or l + 1 people, all with different private values.

What Xiao & Tao's Anatomy (2006) publishes: a table can be cut so if and only if no value has more than n // l rows
(eligibility). Their Anatomize takes any people; `bucketize` cuts by halving, so that quasi-identifiers are close inside
a group. Nothing here protects from background knowledge: that is `robust`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from deniable.errors import Unachievable
from deniable.publish.halving import halve
from deniable.worlds.arrays import Int32s, Int64s

_COUNTED = 1 << 16  # widest range of codes that is sorted by counting


def bucketize(columns: Sequence[Int32s], values: Int32s, l: int) -> Int32s:  # noqa: E741
    """A group number for each row; neighbours in the columns' codes share groups."""
    groups = eligible(values, l)
    records = as_records(columns, values, np.arange(len(values), dtype=np.int32))
    group_of = np.zeros(len(values), np.int32)
    cut(records, np.array([[0, len(values), groups, 0]]), group_of)
    return group_of


def eligible(values: Int32s, l: int) -> int:  # noqa: E741
    """How many groups there will be; refuses where a value has more rows than that."""
    if l < 1:
        raise ValueError(f"The 'l' parameter must be an int in [1, inf). Got {l} instead.")
    rows = len(values)
    most = int(np.bincount(values).max()) if rows else 0
    if most * l > rows:
        raise Unachievable(
            f"groups of {l} different values need that no value has more than {rows // l} of the {rows} rows; "
            f"one has {most}, so l = {rows // max(most, 1)} is the most that can be had"
        )
    return rows // l


def as_records(columns: Sequence[Int32s], values: Int32s, rows: Int32s) -> Int32s:
    """What `cut` takes: the codes, the value and the number of each of some rows, side by side."""
    columns = columns or [np.zeros(len(values), np.int32)]  # people of whom nothing is known are all alike
    records = np.empty((len(rows), len(columns) + 2), np.int32)
    everybody = len(rows) == len(values) and bool((np.diff(rows) == 1).all())
    for place, column in enumerate((*columns, values)):
        records[:, place] = column if everybody else column[rows]
    records[:, -1] = rows
    return records


def cut(records: Int32s, pieces: Int64s, group_of: Int32s) -> None:
    """Number the groups of each piece (first record, last, groups, first number) by halving; changes `records`."""
    if not len(records):
        return
    codes = records[:, :-2]
    ranges = codes.max(axis=0).astype(np.int64) - codes.min(axis=0)
    scale = 1.0 / np.maximum(ranges, 1)
    counted = int(min(ranges.max(initial=1) + 1, _COUNTED))
    halve(records, np.empty_like(records), pieces, scale, int(records[:, -2].max()) + 1, counted, group_of)
