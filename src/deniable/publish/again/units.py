"""Buckets cut into m-unique units, which have every value of the signature once, and units put together to groups.

Partition by halving (Xiao & Tao 2007, section 5): a bucket of g rounds becomes g units of neighbours, none of which
has a value twice; what a unit lacks is a counterfeit. Weak m-uniqueness (Riboni & Bettini, Definition 5) lets a
group have several units of one bucket, or a round of counterfeits beside its unit.
"""

from __future__ import annotations

import numpy as np

from deniable.frozen import frozen
from deniable.publish.again.assignment import Buckets
from deniable.publish.again.releases import Grouping, Table
from deniable.publish.bucketize.anatomy import as_records, cut
from deniable.worlds.arrays import Int32s, Int64s, expand, offsets

_TOGETHER = 256  # units among which Cor-Partition exchanges and merges


@frozen(eq=False)
class Units:
    """Unit u has slots[starts[u]:starts[u + 1]], the row for each value of its signature, -1 for a counterfeit."""

    slots: Int32s
    starts: Int64s
    signature: Int64s


def halved(table: Table, buckets: Buckets) -> Units:
    """Cut every bucket into units."""
    rounds = buckets.rounds
    rows = _by_signature(buckets)
    counts = np.bincount(buckets.signature[rows], minlength=len(rounds))
    last, first = np.cumsum(counts), np.cumsum(rounds) - rounds
    used = np.flatnonzero(rounds)
    pieces = np.ascontiguousarray(np.stack([last - counts, last, rounds, first], axis=1)[used])
    unit_of = np.zeros(len(table), np.int32)
    columns = table.columns or (np.zeros(len(table), np.int32),)  # halving needs one to halve by
    cut(as_records(columns, table.values, rows), pieces, unit_of)
    signature = np.repeat(np.arange(len(rounds)), rounds)
    starts = offsets(buckets.signatures.sizes()[signature])
    slots = np.full(starts[-1], -1, np.int32)
    slots[starts[unit_of[rows]] + buckets.place[rows]] = rows
    return Units(slots, starts, signature)


def _by_signature(buckets: Buckets) -> Int32s:
    """The rows that have a place, signature by signature."""
    placed = np.flatnonzero(buckets.signature >= 0).astype(np.int32)
    short = np.int16 if len(buckets.rounds) < 1 << 15 else np.int32  # 16 bits are sorted by counting
    order: Int32s = placed[np.argsort(buckets.signature[placed].astype(short), kind="stable")]
    return order


def segments(units: Units, buckets: Buckets) -> Int64s:
    """Runs of units of one bucket: first slot, units, values per unit, first unit."""
    rounds, sizes = buckets.rounds, buckets.signatures.sizes()
    parts = -(-rounds // _TOGETHER)
    signature = np.repeat(np.arange(len(rounds)), parts)
    part = expand(0, parts)
    first = (np.cumsum(rounds) - rounds)[signature]
    low, high = (rounds[signature] * (part + more) // parts[signature] for more in (0, 1))
    parts_of = (units.starts[first + low], high - low, sizes[signature], first + low)
    return np.ascontiguousarray(np.stack(parts_of, axis=1))


def grouping(table: Table, buckets: Buckets, units: Units, links: Int64s) -> Grouping:
    """Groups of the units that `links` makes rings of; -1 is a unit alone with a round of counterfeits."""
    alone = np.arange(len(links))
    with_more = links < 0
    ring = np.where(with_more, alone, links)
    twice = ring[ring]
    root = np.minimum(np.minimum(alone, ring), np.minimum(twice, ring[twice]))
    is_root = root == alone
    number = (np.cumsum(is_root) - 1)[root].astype(np.int32)
    unit = np.repeat(alone, np.diff(units.starts))
    real = units.slots >= 0
    group = np.full(len(table), -1, np.int32)
    group[units.slots[real]] = number[unit[real]]
    false = np.concatenate([np.flatnonzero(~real), np.flatnonzero(with_more[unit])])
    false = false[np.argsort(number[unit[false]], kind="stable")]
    unit = unit[false]
    place = buckets.signatures.starts[units.signature[unit]] + false - units.starts[unit]
    values = buckets.signatures.values[place]
    counts = np.bincount(number[unit], minlength=int(is_root.sum()))
    return Grouping(
        group, units.signature[is_root].astype(np.int32), offsets(counts), values,
        buckets.signatures, np.flatnonzero(buckets.signature < 0),
    )  # fmt: skip
