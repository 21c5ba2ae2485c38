"""The judge who has the source, of `bucketize`: what lots say of people, and what a search says of those it places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
import pytest

from deniable.publish.bucketize.robust import KnownPriors, place
from deniable.worlds.arrays import Int32s
from deniable.worlds.judges.source import Group, Judged, Observed, World, judge


@dataclass(frozen=True)
class Table:
    """Everybody's age, signature and what is known of it; what was asked for."""

    ages: Sequence[int]
    signatures: Sequence[int]
    priors: Sequence[Sequence[float]]
    r: float
    search: bool = False

    def publish(self, number: int, world: World, kept: Any, rng: np.random.Generator) -> tuple[Observed, Any] | None:
        """What the judge runs."""
        del number, kept
        found = place(
            [np.array(self.ages, np.int32)], np.array(world, np.int32), [self.known()], self.r,
            search=self.search, seed=int(rng.integers(2**62)),
        )  # fmt: skip
        return observed(world, found.group_of), None

    def known(self) -> KnownPriors:
        return KnownPriors(np.array(self.signatures, np.int32), np.array(self.priors))

    def judged(self, truth: World, runs: int, seed: int = 0, given: Sequence[int] = ()) -> tuple[Judged, Observed]:
        """One release of the truth, and its worlds, each as likely as what is known makes it."""
        rng = np.random.default_rng(seed)
        made = self.publish(0, truth, None, rng)
        assert made is not None
        told = {who: truth[who] for who in given}
        found = judge(len(truth), len(self.priors[0]), self.publish, [made[0]], runs, rng, told)
        prior = [prod(self.priors[s][v] for s, v in zip(self.signatures, w, strict=True)) for w in found.worlds]
        return Judged(found.worlds, found.chances, prior), made[0]


def observed(world: World, group_of: Int32s) -> Observed:
    """Who shares a group, and its values; whoever is withheld is in none."""
    rows = [np.flatnonzero(group_of == g).tolist() for g in range(int(group_of.max(initial=-1)) + 1)]
    return frozenset(Group(frozenset(who), tuple(sorted(world[one] for one in who)), 0) for who in rows)


EVEN = [[0.25, 0.25, 0.25, 0.25]]


def test_groups_of_neighbours_by_lot_tell_nothing() -> None:
    """Ages 20, 30, 40, 60 with a, a, b, b: {20, 40}, {30, 60} were published, which two of four worlds give."""
    table = Table((20, 30, 40, 60), (0,) * 4, EVEN, 2.0)
    for given in ((), (0,)):
        found, seen = table.judged((0, 0, 1, 1), 150, given=given)
        assert len(seen) == 2
        (partner,) = (who for group in seen if 0 in group.members for who in group.members - {0})
        for who in range(4):
            expected = {0, 1} if not given else {0} if who == 0 else {1} if who == partner else {0, 1}
            assert found.possible(who) == expected
            if len(expected) == 2:
                assert all(one.low <= 0.5 <= one.high for one in found.posterior(who).values())


@pytest.mark.parametrize("seed", range(4))
def test_nobody_drawn_by_lot_is_likelier_than_promised(seed: int) -> None:
    """Values of withheld people are unknown: of whoever is published no value is proved to be likelier than 1/r, and
    the judge sees what the posterior says, a value's share of its group."""
    rng = np.random.default_rng(seed)
    signatures, priors = (0, 1, 0, 0, 1), rng.dirichlet(np.full(3, 3.0), 2)
    table = Table(range(5), signatures, priors.tolist(), 2.0)
    found, seen = table.judged(tuple(int(rng.choice(3, p=priors[s])) for s in signatures), 60)
    for group in seen:
        for who in group.members:
            for value, one in found.posterior(who).items():
                share = group.values.count(value) / len(group.values)
                assert one.low <= share <= one.high
                assert abs(one.value - share) < 0.15


def test_the_judge_sees_what_a_search_says() -> None:
    """Three of one sex have a, a, b: an a is left over, by lot, and finds a place with the others' b and c. That it
    could be c is what a posterior says; but with a, b and c the three would have been a group."""
    table = Table(range(5), (0, 0, 0, 1, 1), [[0.4, 0.3, 0.3], [0.4, 0.3, 0.3]], 2.0, search=True)
    found, seen = table.judged((0, 0, 1, 1, 2), 60)
    (group,) = (group for group in seen if {3, 4} <= group.members)
    (alone,) = group.members - {3, 4}
    assert group.values == (0, 1, 2)
    assert found.possible(alone) == {0, 1}


def test_blocks_that_stand_together_do_not_say_which_of_them_did_not_bear_its_values() -> None:
    """A block that took in the next one until both bore their values had too much of one: its people had the most
    frequent value of both 15 times of a hundred more often than their share. 300 cells of four blocks of 16."""
    rng = np.random.default_rng(1)
    cells, many = 300, 64
    cell, age = np.divmod(np.arange(cells * many, dtype=np.int32), many)
    values = rng.choice(4, len(cell), p=[0.44, 0.26, 0.2, 0.1]).astype(np.int32)
    known = KnownPriors(cell, np.tile([0.44, 0.26, 0.2, 0.1], (cells, 1)))
    found = place([age], values, [known], 2.0, search=False, seed=1)
    gains = []
    for one in range(cells):
        mine = slice(one * many, (one + 1) * many)
        groups = found.group_of[mine]
        if (groups < 0).any():
            continue
        rows = [np.flatnonzero(groups == g) for g in np.unique(groups)]
        gains += [
            gain for half in (0, 2) for gain in _gains([r for r in rows if r[0] // 32 == half // 2], values[mine])
        ]
    assert len(gains) > 300
    assert abs(np.mean(gains)) < 0.07


def _gains(groups: list[np.ndarray], values: Int32s) -> list[float]:
    """For each group of people of two blocks of 16, how much more often those of the first have the most frequent
    value of the run than all of them."""
    told = np.concatenate(groups)
    if max(told) // 16 - min(told) // 16 != 1 or not any(len(set((rows // 16).tolist())) == 2 for rows in groups):
        return []
    top = int(np.bincount(values[told]).argmax())
    own = [(rows[rows // 16 == min(told) // 16], rows) for rows in groups]
    return [
        float((values[first] == top).mean() - (values[rows] == top).mean())
        for first, rows in own
        if 0 < len(first) < len(rows) and (values[rows] == top).any()
    ]
