"""New groups, as arrays, however they were founded."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from deniable.frozen import frozen
from deniable.publish.again.releases import Signatures
from deniable.worlds.arrays import Bools, Int32s, Int64s, offsets


@frozen(eq=False)
class Founded:
    """Seats of the new groups, group by group: the row that holds each, -1 for nobody; rows that found no place."""

    starts: Int64s
    row: Int64s
    values: Int32s
    signature: Int32s
    signatures: Signatures
    unplaced: Int64s
    foreign: Bools  # groups with somebody who was in another lineage before

    @staticmethod
    def none(signatures: Signatures) -> Founded:
        """No group."""
        long, short = np.zeros(0, np.int64), np.zeros(0, np.int32)
        return Founded(np.zeros(1, np.int64), long, short, short, signatures, long, np.zeros(0, np.bool_))

    def with_people(self) -> Founded:
        """Without groups of nobodies only."""
        if not len(self.signature):
            return self
        held = np.logical_or.reduceat(self.row >= 0, self.starts[:-1])
        sizes = np.diff(self.starts)
        seat = np.repeat(held, sizes)
        return replace(
            self, starts=offsets(sizes[held]), row=self.row[seat], values=self.values[seat],
            signature=self.signature[held], foreign=self.foreign[held],
        )  # fmt: skip

    def and_then(self, more: Founded) -> Founded:
        """These groups and those founded after them, which know the signatures of both."""
        return Founded(
            np.concatenate([self.starts, self.starts[-1] + more.starts[1:]]),
            np.concatenate([self.row, more.row]),
            np.concatenate([self.values, more.values]),
            np.concatenate([self.signature, more.signature]),
            more.signatures,
            np.concatenate([self.unplaced, more.unplaced]),
            np.concatenate([self.foreign, more.foreign]),
        )
