"""People come, go and return: after every release the whole history is judged, without the algorithms' code."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.experiments.republication.algorithms import unsafe_groups
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from deniable.publish.again.assignment import capped, new_signatures, padded
from deniable.publish.again.cor_split import cor_split
from deniable.publish.again.m_invariance import m_invariance
from deniable.publish.again.releases import Memberships, Signatures
from deniable.worlds.judges.again import Group, Published, mistakes, unsafe
from tests.few import few
from tests.history.tables import PATIENTS, counterfeits_of, published, table_of


class Releases(RuleBasedStateMachine):
    """One table, both algorithms, each with a history of its own."""

    @initialize(m=st.integers(2, 4), kinds=st.integers(2, 7), data=st.data())
    def start(self, m: int, kinds: int, data: st.DataObject) -> None:
        self.m, self.kinds = m, max(kinds, m)
        self.n = data.draw(st.integers(1, m - 1))
        self.rows: dict[int, tuple[int, int, int]] = {}
        self.here: set[int] = set()
        self.pasts = {"m": Memberships.empty(), "cor": Memberships.empty()}
        self.judged: dict[str, list[Published]] = {"m": [], "cor": []}

    @rule(data=st.data(), count=st.integers(1, 20), skew=st.booleans())
    def come(self, data: st.DataObject, count: int, skew: bool) -> None:
        values = st.integers(0, 1 if skew else self.kinds - 1)
        row = st.tuples(st.integers(0, 5), st.integers(0, 3), values)
        for drawn in data.draw(st.lists(row, min_size=count, max_size=count)):
            self.here.add(len(self.rows))
            self.rows[len(self.rows)] = drawn

    @precondition(lambda self: self.here)
    @rule(data=st.data())
    def go(self, data: st.DataObject) -> None:
        self.here -= data.draw(st.sets(st.sampled_from(sorted(self.here)), max_size=6))

    @precondition(lambda self: len(self.rows) > len(self.here))
    @rule(data=st.data())
    def come_back(self, data: st.DataObject) -> None:
        gone = sorted(set(self.rows) - self.here)
        self.here |= data.draw(st.sets(st.sampled_from(gone), max_size=6))

    @precondition(lambda self: len(self.judged["m"]) < 6)
    @rule(cover=st.sampled_from([0, 0, 3, 1000]), shuffle=st.randoms(use_true_random=False))
    def publish(self, cover: int, shuffle: np.random.Generator) -> None:
        people = sorted(self.here)
        shuffle.shuffle(people)
        table = table_of(self.rows, people) if people else table_of({}, ())
        for name, past in self.pasts.items():
            strict = name == "m"
            made = (
                m_invariance(table, past, self.m, cover=cover)
                if strict
                else cor_split(table, past, self.m, self.n, cover=cover)
            )
            self.judged[name].append(published(table, made))
            assert mistakes(self.judged[name], self.m, None if strict else self.n, once=strict) == []
            told = {g for release, g, _ in unsafe(self.judged[name], self.n) if release == len(self.judged[name])}
            assert set(unsafe_groups(table, past, made, self.n).tolist()) == told
            known = set(table.values.tolist()) | set(past.signatures.values.tolist())
            if cover == 1000 and len(known) >= self.m:
                assert not len(made.unplaced)
            self.pasts[name] = past.extended(table, made)


TestReleases = Releases.TestCase
TestReleases.settings = settings(max_examples=few(20, nightly=2_000), stateful_step_count=20)


@given(st.lists(st.integers(0, 30), min_size=2, max_size=9), st.integers(2, 5), st.integers(0, 20))
def test_new_signatures_use_up_what_is_eligible(counts: list[int], m: int, cover: int) -> None:
    pool = np.array(counts, np.int64)
    kept = capped(pool, m, cover if len(counts) >= m else 0)
    full = padded(kept, np.ones(len(pool), np.bool_), m)
    assert (kept <= pool).all()
    assert 0 <= (full - kept).sum() <= cover
    assert m * full.max() <= full.sum()
    used = np.zeros_like(pool)
    for values, rounds in new_signatures(full, m):
        assert len(values) >= m
        assert rounds >= 1
        used[list(values)] += rounds
    assert (used == full).all()
    if m * pool.max() <= pool.sum():
        assert (kept == pool).all()


def test_eligible_first_tables_need_no_counterfeits() -> None:
    rng = np.random.default_rng(3)
    rows = {who: (int(rng.integers(90)), int(rng.integers(9)), who % 7) for who in range(700)}
    table = table_of(rows, range(700))
    made = cor_split(table, Memberships.empty(), 5, 2)
    assert len(made.counterfeits) == len(made.unplaced) == 0


def test_a_value_that_is_too_frequent_is_reported_or_covered() -> None:
    rows = {who: (who, 0 if who < 8 else 1 + who % 2) for who in range(12)}
    table = table_of(rows, range(12))
    made = m_invariance(table, Memberships.empty(), 3)
    assert len(made.unplaced) == 6
    assert (table.values[made.unplaced] == 0).all()
    covered = m_invariance(table, Memberships.empty(), 3, cover=12)
    assert len(covered.unplaced) == 0
    assert len(covered.counterfeits) == 12
    assert mistakes([published(table, covered)], 3, once=True) == []


def test_whoever_is_withheld_may_come_later() -> None:
    rows = {0: (1, 0), 1: (2, 0), 2: (3, 1), 3: (4, 1)}
    first = table_of(rows, (0, 1, 2))
    made = m_invariance(first, Memberships.empty(), 2)
    assert len(made.unplaced) == 1
    past = Memberships.empty().extended(first, made)
    second = table_of(rows, (0, 1, 2, 3))
    again = m_invariance(second, past, 2)
    assert len(again.unplaced) == len(again.counterfeits) == 0
    assert mistakes([published(first, made), published(second, again)], 2, once=True) == []


def test_nobody_left_and_nobody_new() -> None:
    table = table_of(PATIENTS, range(6))
    past = Memberships.empty().extended(table, m_invariance(table, Memberships.empty(), 3))
    nobody = table_of({}, ())
    assert len(m_invariance(nobody, past, 3).signature) == 0
    assert len(cor_split(nobody, past, 3, 2).signature) == 0


def test_a_changed_value_is_refused_without_showing_it() -> None:
    table = table_of(PATIENTS, range(6))
    past = Memberships.empty().extended(table, m_invariance(table, Memberships.empty(), 3))
    changed = table_of({**PATIENTS, 0: (33, 0, 12, 7)}, range(6))
    with pytest.raises(ValueError, match="1 people have a value outside"):
        cor_split(changed, past, 3, 2)


def test_m_may_not_grow_and_people_are_there_once() -> None:
    table = table_of(PATIENTS, range(6))
    past = Memberships.empty().extended(table, m_invariance(table, Memberships.empty(), 3))
    with pytest.raises(ValueError, match="'m' parameter"):
        m_invariance(table, past, 4)
    with pytest.raises(ValueError, match="once"):
        m_invariance(table_of(PATIENTS, (0, 0, 1)), past, 3)


def test_the_same_input_gives_the_same_release() -> None:
    rng = np.random.default_rng(5)
    rows = {who: (int(rng.integers(50)), int(rng.integers(5)), int(rng.integers(9))) for who in range(4000)}
    first = table_of(rows, range(3500))
    past = Memberships.empty().extended(first, cor_split(first, Memberships.empty(), 4, 3))
    second = table_of(rows, range(400, 4000))
    one, two = (cor_split(second, past, 4, 3) for _ in range(2))
    assert (one.group == two.group).all()
    assert (one.counterfeits == two.counterfeits).all()


def test_a_table_without_quasi_identifiers() -> None:
    rows = {who: (who % 5 if who < 200 else 3,) for who in range(210)}
    table = table_of(rows, range(210))
    made = cor_split(table, Memberships.empty(), 5, 4)
    assert mistakes([published(table, made)], 5, 4) == []
    assert len(made.unplaced) == 10


def past_of(groups: list[int]) -> Memberships:
    """One release, in which person i was in groups[i], all under the signature {0, 1, 2}."""
    signatures = Signatures(np.array([0, 3]), np.array([0, 1, 2], np.int32))
    return Memberships(np.array(groups, np.int32).reshape(-1, 1), np.zeros(len(groups), np.int32), signatures)


def test_groups_that_no_exchange_makes_safe_are_merged() -> None:
    rows = {who: (who, value) for who, value in enumerate((0, 0, 1, 2, 1, 2, 0, 0))}
    table = table_of(rows, (2, 3, 4, 5, 6, 7))
    made = cor_split(table, past_of([0] * 6), 3, 2)
    assert made.group.tolist() == [0] * 6
    assert len(made.counterfeits) == 0


def test_a_merged_group_is_safe_by_all_its_rows() -> None:
    """Two who were together are too many among three rows, however four and two are split; not among six."""
    rows = {who: (who, value) for who, value in enumerate((0, 1, 2, 0, 1, 2))}
    made = cor_split(table_of(rows, range(6)), past_of([0, 0, 0, 0, 1, 1]), 3, 2)
    assert made.group.tolist() == [0] * 6
    assert len(made.counterfeits) == 0


def test_a_group_alone_gets_a_round_of_counterfeits() -> None:
    rows = {who: (who, value) for who, value in enumerate((0, 1, 2, 0))}
    table = table_of(rows, (1, 2, 3))
    past = past_of([0, 0, 0])
    made = cor_split(table, past, 3, 2)
    assert made.group.tolist() == [0] * 3
    assert sorted(counterfeits_of(made, 0)) == [0, 1, 2]
    assert len(unsafe_groups(table, past, made, 2)) == 0
    assert len(unsafe_groups(table, past, m_invariance(table, past, 3), 2)) == 1


@pytest.mark.parametrize(("m", "n", "kinds"), [(3, 2, 6), (4, 3, 4), (6, 3, 20), (6, 5, 9)])
def test_many_people_for_many_releases(m: int, n: int, kinds: int) -> None:
    rng = np.random.default_rng(m * n)
    rows = {who: (int(rng.integers(60)), int(rng.integers(9)), int(rng.integers(kinds))) for who in range(1500)}
    here, past, judged, plain = set(range(600)), Memberships.empty(), [], Memberships.empty()
    found = 0
    for release in range(6):
        table = table_of(rows, sorted(here))
        made, other = cor_split(table, past, m, n), m_invariance(table, plain, m)
        found += len(unsafe_groups(table, plain, other, n))
        judged.append(published(table, made))
        past, plain = past.extended(table, made), plain.extended(table, other)
        gone = rng.choice(sorted(here), 60, replace=False).tolist()
        here = (here - set(gone)) | set(rng.integers(0, 800 + 100 * release, 70).tolist())
    assert mistakes(judged, m, n) == []
    assert found > 20  # m-invariance alone would not do


def test_the_judge_sees_each_mistake() -> None:
    table = {0: 0, 1: 1, 2: 0, 3: 1}
    good = Published(table, [Group({0: 0, 1: 1}), Group({2: 0, 3: 1})])
    assert mistakes([good], 2, once=True) == []
    wrong = {
        "exactly one group": Published(table, [Group({0: 0, 1: 1})]),
        "not equally often": Published(table, [Group(table, (1,))]),
        "more than once": Published(table, [Group(table)]),
        "different values": Published({0: 0}, [Group({0: 0})]),
        "no people": Published({}, [Group({}, (0, 1))]),
        "changes somebody's value": Published(table, [Group({0: 1, 1: 0}), Group({2: 0, 3: 1})]),
    }
    for what, release in wrong.items():
        assert any(what in mistake for mistake in mistakes([release], 2, once=True)), what
    other = Published({0: 0, 1: 1}, [Group({0: 0}, (2,)), Group({1: 1}, (2,))])
    assert sum("another signature" in mistake for mistake in mistakes([good, other], 2)) == 2
    missing = Published(table, [Group({0: 0, 1: 1})], (2, 3))
    assert any("published before" in mistake for mistake in mistakes([good, missing], 2))
