"""What the audit leaves to everybody of a small history that the program published."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise, permutations

import numpy as np
from benchmarks.experiments.republication.algorithms import read_seats

from deniable.analyses.history.exposure import left_to
from deniable.analyses.history.ledger_history import LedgerHistory
from deniable.worlds.history.histories import KnownValues
from deniable.worlds.judges.source import World
from tests.source.scenarios import Kept


def left(kept: Kept, people: int, known: Mapping[int, int]) -> list[int]:
    """How many values are left to everybody, by number."""
    told, truth, _ = read_seats(kept.releases, people)
    audited = LedgerHistory(told, truth, len(kept.releases), people)
    who = np.array(sorted(known), np.int32)
    number, decided = left_to(audited, KnownValues(who, truth[who]), 5.0)
    assert decided[:people][truth[:people] >= 0].all()
    return [int(one) for one in number[:people]]


def likely(kept: Kept, people: int, worlds: Sequence[World]) -> list[World]:
    """The worlds of the audit, each of which counts once: nobodies and ghosts keep their values from release to
    release, and every group has exactly the values that it has."""
    told, _, _ = read_seats(kept.releases, people)
    ends = zip(pairwise(told.member_offsets.tolist()), pairwise(told.value_offsets.tolist()), strict=True)
    groups = [(told.members[a:b].tolist(), told.codes[c:d].tolist()) for (a, b), (c, d) in ends]
    return [world for world in worlds if _fits(dict(enumerate(world)), groups)]


def _fits(value: dict[int, int], groups: Sequence[tuple[list[int], list[int]]]) -> bool:
    """Whether those without a value can be given one such that each group has its values."""
    if not groups:
        return True
    (members, values), *others = groups
    rest = Counter(values)
    rest.subtract(value[who] for who in members if who in value)
    if any(count < 0 for count in rest.values()):
        return False
    open_ = [who for who in members if who not in value]
    left_over = sorted(rest.elements())
    return any(
        _fits({**value, **dict(zip(open_, order, strict=True))}, others) for order in set(permutations(left_over))
    )
