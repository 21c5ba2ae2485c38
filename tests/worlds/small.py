"""Knowledge and rows of bits as plain numbers, for small histories."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from deniable.worlds.history.histories import KnownValues, Words


def knowing(values: Mapping[int, int]) -> KnownValues:
    """Knowledge as a mapping from people to values."""
    return KnownValues(np.array(list(values), np.int32), np.array(list(values.values()), np.int32))


def values_of(words: Words, person: int) -> list[int]:
    """The values in one row of bits."""
    bits = np.unpackbits(words[person].astype("<u8").view(np.uint8), bitorder="little")
    return [int(v) for v in np.flatnonzero(bits)]
