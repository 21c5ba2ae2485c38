"""What it tells who left when, to somebody who knows that people with some values leave more often than others.

Whoever is in a release is in the next one, or leaves before it. With h(v) how many times as often people with v leave,
and a chance b, leaving weighs b h(v) and staying 1 - b h(v); a world weighs the product over people and releases. b is
such that as many are expected to leave as left, with values distributed as each release publishes them: sum over
releases of b |people| mean(h) = how many left. All of it is exact; each weight is rounded once. docs/theory/history.md,
"Who leaves".
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from deniable.frozen import frozen
from deniable.worlds.arrays import Floats, Int32s, Int64s
from deniable.worlds.history.histories import History


class TooOften(ValueError):
    """People with some value would leave with a chance of one or more. `most`: how many times as often that is."""

    def __init__(self, most: Fraction) -> None:
        super().__init__("a value says more of who leaves than can be")
        self.most = most


@frozen(eq=False)
class Leaving:
    """People of one kind left, and stayed, equally often. weight[kind, value] is over 0, the largest of a kind is 1."""

    chance: Fraction  # b
    kind: Int32s  # of each person
    weight: Floats

    def with_others(self, people: int) -> Leaving:
        """The same, where people from some number on are nobody: their values weigh nothing."""
        kinds, others = len(self.weight), people - len(self.kind)
        weight = np.concatenate([self.weight, np.ones((1, self.weight.shape[1]))])
        return Leaving(self.chance, np.concatenate([self.kind, np.full(others, kinds, np.int32)]), weight)


def leaving(history: History, releases: int, times: Sequence[Fraction]) -> Leaving:
    """`releases`: how many there are, the last may have nobody. `times`: h of each value, over 0. Raises TooOften where
    no chance b fits."""
    left, stayed = _left_and_stayed(history, releases - 1)
    chance = _fitted(history, releases - 1, times, int(left.sum()))
    if chance * max(times) >= 1:
        raise TooOften(max(times))
    pairs, kind = np.unique(np.stack([left, stayed]), axis=1, return_inverse=True)
    weight = [_weights(int(gone), int(there), chance, times) for gone, there in pairs.T]
    table = np.array(weight) if weight else np.ones((0, len(times)))
    return Leaving(chance, kind.reshape(-1).astype(np.int32), table)


def _left_and_stayed(history: History, last: int) -> tuple[Int64s, Int64s]:
    """How often each person was in a release and not in the next one, and how often in both."""
    release = np.repeat(history.release.astype(np.int64), np.diff(history.member_offsets))
    times = np.bincount(history.members[release < last], minlength=history.people)
    seats = np.sort(history.members.astype(np.int64) * (last + 2) + release)
    again = seats[:-1][np.diff(seats) == 1] // (last + 2)  # nobody's last release is next to somebody's first
    stayed = np.bincount(again, minlength=history.people)
    return times - stayed, stayed


def _fitted(history: History, last: int, times: Sequence[Fraction], left: int) -> Fraction:
    if not left:
        return Fraction(0)
    expected = Fraction(0)
    for release in range(last):
        groups = history.release == release
        people = int(np.diff(history.member_offsets)[groups].sum())
        codes = history.codes[np.repeat(groups, np.diff(history.value_offsets))]
        counts = np.bincount(codes, minlength=len(times)).tolist()
        if people:
            expected += people * sum((n * h for n, h in zip(counts, times, strict=True) if n), Fraction(0)) / len(codes)
    return left / expected


def _weights(left: int, stayed: int, chance: Fraction, times: Sequence[Fraction]) -> list[float]:
    """Of one kind of people."""
    of = {h: (chance * h) ** left * (1 - chance * h) ** stayed for h in set(times)}
    most = max(of.values())
    return [float(of[h] / most) for h in times]
