"""New groups for newcomers that no group had a seat for, and for people who return and find their seat taken.

Assignment of m-invariance: full rounds of signatures in use first, so that there are few of them and groups find
partners, then new signatures of m values or more; halving then makes units of neighbours (Xiao & Tao 2007, section 5).
A group is some units that lie next to each other. People who return keep their signature.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from deniable.publish.again.assignment import assign, deal, share_out
from deniable.publish.again.releases import Memberships, Signatures, Table
from deniable.publish.again.stable.founded import Founded
from deniable.publish.again.units import halved
from deniable.worlds.arrays import Int32s, Int64s, expand, offsets


def found(
    table: Table,
    rows: Int64s,
    published: Int32s,
    signatures: Signatures,
    m: int,
    rounds: int,
    cover: int | None,
    rng: np.random.Generator,
) -> Founded:
    """Groups of the rows, each with every value of its signature `rounds` times; published: -1 or the signature kept.

    Rows come in random order, and the first of a value are dealt first. People who return get groups for the commonest
    of their values, and some more by lot: or whoever is not together would be known to have the same value.
    """
    some = Table(
        np.arange(len(rows)), tuple(np.ascontiguousarray(column[rows]) for column in table.columns), table.values[rows]
    )
    kept = _in_use(some.values, published, signatures, m)
    before = Memberships(np.zeros((len(rows), 0), np.int32), kept, signatures)
    more = rng.geometric(0.5, len(signatures)) - 1 if (published >= 0).any() else None
    buckets = assign(some, before, m, 1, m * len(rows) if cover is None else cover, more)
    units = halved(some, buckets)
    size = np.diff(units.starts)
    counts = buckets.rounds
    place = expand(0, counts)
    groups = np.maximum(counts // rounds, 1)  # the last one takes what does not make a group of its own
    first = np.cumsum(np.where(counts > 0, groups, 0)) - np.where(counts > 0, groups, 0)
    group = first[units.signature] + np.minimum(place // rounds, groups[units.signature] - 1)
    total = int(group[-1]) + 1 if len(group) else 0
    seats = np.bincount(group, weights=size, minlength=total).astype(np.int64)
    at = buckets.signatures.starts[np.repeat(units.signature, size)] + np.arange(units.starts[-1])
    values = buckets.signatures.values[at - np.repeat(units.starts[:-1], size)]
    row = np.where(units.slots >= 0, rows[units.slots] if len(rows) else -1, -1)
    signature = np.zeros(total, np.int32)
    signature[group] = units.signature
    unplaced = rows[buckets.signature < 0]
    made = Founded(offsets(seats), row, values, signature, buckets.signatures, unplaced, np.zeros(total, np.bool_))
    return made.with_people()


def _in_use(values: Int32s, published: Int32s, signatures: Signatures, m: int) -> Int32s:
    """The signature of people who have one, and of newcomers who make full rounds of signatures in use."""
    fresh = np.flatnonzero(published < 0)
    if not len(signatures) or not len(fresh):
        return published
    kinds = int(max(values.max(), signatures.values.max())) + 1
    pool = np.bincount(values[fresh], minlength=kinds)
    held, take = pool.copy(), np.zeros(len(signatures.values), np.int64)
    one_each = np.ones_like(take)  # as if each had a round: balanced, and open to more
    share_out(signatures, one_each, pool, m, 1, take, np.ones(len(signatures), np.int64))
    kept = published.copy()
    kept[fresh] = deal(signatures, take, values[fresh], held - pool)
    return kept


def apart(
    new: Founded, person: Int64s, gone_person: Int64s, gone_lineage: Int64s, n: int, rng: np.random.Generator
) -> Founded:
    """Keep people who were in one lineage apart: at most |signature| - n of them in a new group.

    Then the group and any earlier group of that lineage differ by n people or more, on both sides. Whoever is one too
    many gets a group of their own, with counterfeits for the other values; a counterfeit takes the seat. Who that is
    goes by lot: seats stand in the order of their values, and whoever is alone is seen to be.
    """
    held = np.where(new.row >= 0, person[new.row] if len(person) else -1, -1)
    back = np.flatnonzero(np.isin(held, gone_person)) if len(gone_person) else np.zeros(0, np.int64)
    if not len(back):
        return new
    back = rng.permutation(back)
    order = np.argsort(gone_person, kind="stable")
    first, last = (np.searchsorted(gone_person[order], held[back], side) for side in ("left", "right"))
    group = np.repeat(np.arange(len(new.signature)), np.diff(new.starts))[back]
    sizes = new.signatures.sizes()[new.signature]
    together: Counter[tuple[int, int]] = Counter()
    moved: list[int] = []
    for seat, g, low, high in zip(back.tolist(), group.tolist(), first.tolist(), last.tolist(), strict=True):
        met = [(g, lineage) for lineage in gone_lineage[order[low:high]].tolist()]
        if any(together[pair] >= sizes[g] - n for pair in met):
            moved.append(seat)
        else:
            together.update(set(met))
    foreign = new.foreign.copy()
    foreign[group] = True
    return _alone(replace(new, foreign=foreign), np.array(moved, np.int64))


def _alone(new: Founded, moved: Int64s) -> Founded:
    """The people in these seats each get a group of their own."""
    if not len(moved):
        return new
    signature = np.repeat(new.signature, np.diff(new.starts))[moved]
    sizes = new.signatures.sizes()[signature]
    values = new.signatures.values[expand(new.signatures.starts[signature], sizes)]
    owner = np.repeat(np.arange(len(moved)), sizes)
    row = np.where(values == new.values[moved][owner], new.row[moved][owner], -1)
    left = new.row.copy()
    left[moved] = -1
    return replace(
        new,
        starts=np.concatenate([new.starts, new.starts[-1] + np.cumsum(sizes)]),
        row=np.concatenate([left, row]),
        values=np.concatenate([new.values, values]),
        signature=np.concatenate([new.signature, signature]),
        foreign=np.concatenate([new.foreign, np.ones(len(moved), np.bool_)]),
    )
