"""Stable groups: people come, go, return and are replaced in bursts; every release is judged without their code."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from deniable.ledgers.state import pack, unpack
from deniable.publish.again.cor_split import cor_split
from deniable.publish.again.releases import Memberships, Table
from deniable.publish.again.stable import next_release as plain
from deniable.publish.again.stable.next_release import Dial, stable
from deniable.publish.again.stable.seats import Seats, StableGrouping, adopted
from deniable.publish.again.stable.shrinking import limits
from tests.few import few
from tests.history.tables import table_of
from tests.history.test_stable_judge import Release, mistakes, pinned, read, same_twice

Row = tuple[int, int, int]


def counterfeits(seats: Seats) -> float:
    """The share of the published rows that are counterfeits."""
    return float(seats.ghost.mean()) if len(seats.ghost) else 0.0


class Releases(RuleBasedStateMachine):
    @initialize(m=st.integers(2, 4), kinds=st.integers(2, 7), data=st.data())
    def start(self, m: int, kinds: int, data: st.DataObject) -> None:
        self.m, self.kinds = m, max(kinds, m)
        self.n = data.draw(st.integers(1, m - 1))
        self.rounds = data.draw(st.sampled_from([None, 1, 2, 3]))
        self.rows: dict[int, Row] = {}
        self.here: set[int] = set()
        self.seats = Seats.empty()
        self.history: list[Release] = []

    def arrive(self, data: st.DataObject, count: int, skew: bool) -> None:
        values = st.integers(0, 1 if skew else self.kinds - 1)
        row = st.tuples(st.integers(0, 5), st.integers(0, 3), values)
        for drawn in data.draw(st.lists(row, min_size=count, max_size=count)):
            self.here.add(len(self.rows))
            self.rows[len(self.rows)] = drawn

    @rule(data=st.data(), count=st.integers(1, 25), skew=st.booleans())
    def come(self, data: st.DataObject, count: int, skew: bool) -> None:
        self.arrive(data, count, skew)

    @precondition(lambda self: self.here)
    @rule(data=st.data())
    def go(self, data: st.DataObject) -> None:
        self.here -= data.draw(st.sets(st.sampled_from(sorted(self.here)), max_size=8))

    @precondition(lambda self: len(self.here) > 1)
    @rule(data=st.data(), shuffle=st.randoms(use_true_random=False), skew=st.booleans())
    def half_is_replaced(self, data: st.DataObject, shuffle: np.random.Generator, skew: bool) -> None:
        leavers = sorted(self.here)
        shuffle.shuffle(leavers)
        leavers = leavers[len(leavers) // 2 :]
        self.here -= set(leavers)
        self.arrive(data, len(leavers), skew)

    @precondition(lambda self: len(self.rows) > len(self.here))
    @rule(data=st.data())
    def come_back(self, data: st.DataObject) -> None:
        gone = sorted(set(self.rows) - self.here)
        self.here |= data.draw(st.sets(st.sampled_from(gone), max_size=8))

    @precondition(lambda self: len(self.history) < 8)
    @rule(
        at_most=st.sampled_from([0.0, 0.05, 0.2, 0.5, 1.0]),
        cover=st.sampled_from([None, None, 0, 3]),
        seed=st.integers(0, 99),
        shuffle=st.randoms(use_true_random=False),
    )
    def publish(self, at_most: float, cover: int | None, seed: int, shuffle: np.random.Generator) -> None:
        people = sorted(self.here)
        shuffle.shuffle(people)
        table = table_of(self.rows, people) if people else table_of({}, ())
        made = stable(
            table, self.seats, self.m, self.n, Dial(at_most=at_most, rounds=self.rounds, cover=cover), seed=seed
        )
        assert same_twice(table, made)
        self.history.append(read(table, made))
        assert mistakes(self.history, self.m, self.n) == []
        if cover is None and len(set(table.values.tolist())) >= self.m:
            assert not len(made.grouping.unplaced)
        self.seats = made.seats


TestReleases = Releases.TestCase
TestReleases.settings = settings(max_examples=few(30, nightly=2_000), stateful_step_count=24)


def people(count: int, kinds: int, seed: int = 0) -> dict[int, Row]:
    rng = np.random.default_rng(seed)
    return {who: (int(rng.integers(60)), int(rng.integers(9)), int(rng.integers(kinds))) for who in range(count)}


def turning(
    m: int, n: int, rows: dict[int, Row], sizes: list[int], turnover: float, seed: int = 0, **dial: float
) -> tuple[list[Release], list[Seats], int]:
    """Releases of so many people each, of whom a share is replaced; all judged. Also how many groups were merged."""
    rng, waiting = np.random.default_rng(seed), iter(rows)
    here: list[int] = []
    history, kept, merged = [], [Seats.empty()], 0
    for size in sizes:
        here = rng.permutation(here)[: min(size, round(len(here) * (1 - turnover)))].tolist() if here else []
        here += [next(waiting) for _ in range(size - len(here))]
        table = table_of(rows, here)
        made = stable(table, kept[-1], m, n, Dial(**dial), seed=rng)  # type: ignore[arg-type]
        history.append(read(table, made))
        assert mistakes(history, m, n) == []
        kept.append(made.seats)
        merged += made.merged
    return history, kept[1:], merged


def shrinking(
    m: int, n: int, size: int, leave: float, new: float, back: float, releases: int, seed: int, **dial: float
) -> Iterator[tuple[list[Release], StableGrouping]]:
    """A table that gets smaller: of each release a share leaves, fewer come, and some of those who left return."""
    rng, seats, history, rows = np.random.default_rng(seed), Seats.empty(), [], people(6 * size, m + 1, seed)
    here: list[int] = []
    waiting = iter(rows)
    for release in range(releases):
        away = sorted(set(range(max(here, default=-1) + 1)) - set(here))
        here = rng.permutation(here)[: round(len(here) * (1 - leave))].astype(int).tolist()
        here += rng.permutation(away)[: round(len(away) * back)].astype(int).tolist()
        here += [next(waiting) for _ in range(round(len(here) * new) if release else size)]
        if not here:
            return
        table = table_of(rows, here)
        made = stable(table, seats, m, n, Dial(**dial), seed=rng)  # type: ignore[arg-type]
        seats = made.seats
        history.append(read(table, made))
        yield history, made


@settings(max_examples=few(30, nightly=2_000))
@given(data=st.data(), m=st.integers(2, 5), seed=st.integers(0, 10**6), rounds=st.sampled_from([None, 1, 2, 5]))
def test_any_two_states_of_a_shrinking_history_are_safe(
    data: st.DataObject, m: int, seed: int, rounds: int | None
) -> None:
    n, size = data.draw(st.integers(1, m - 1)), data.draw(st.integers(20, 120))
    leave, new = data.draw(st.sampled_from([0.05, 0.1, 0.2, 0.4])), data.draw(st.sampled_from([0, 0, 0.03, 0.1, 0.2]))
    back, at_most = data.draw(st.sampled_from([0, 0, 0.02, 0.1])), data.draw(st.sampled_from([0, 0.02, 0.1, 0.2]))
    dial = {"at_most": at_most} if rounds is None else {"at_most": at_most, "rounds": rounds}
    for history, made in shrinking(m, n, size, leave, new, back, 12, seed, **dial):
        assert mistakes(history, m, n) == []
        assert (made.seats.floor >= 1).all()
        assert (made.seats.floor <= made.seats.copies).all()


@settings(max_examples=few(12, nightly=500))
@given(seed=st.integers(0, 10**6), new=st.sampled_from([0, 0.1]), rounds=st.integers(1, 2), m=st.integers(3, 4))
def test_two_states_of_a_shrinking_history_pin_nobody_down_for_fewer_than_n(
    seed: int, new: float, rounds: int, m: int
) -> None:
    for history, _ in shrinking(m, m - 1, 16, 0.2, new, 0, 8, seed, at_most=0.05, rounds=rounds):
        now = [{who: value for who, value, _ in group} for group in history[-1].groups]
        for before in history[:-1]:
            for group in before.groups:
                one = {who: value for who, value, _ in group}
                for two in now:
                    if one.keys() & two.keys() and one != two and len(one | two) <= 9:
                        assert pinned(one, two, m - 1) == set()


def test_without_floors_or_without_those_who_came_last_the_judge_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong() -> set[str]:
        found: set[str] = set()
        for seed in range(6, 10):
            for history, _ in shrinking(4, 3, 60, 0.2, 0.1, 0, 12, seed, at_most=0.02):
                found |= {what.split(": ")[-1] for what in mistakes(history, 4, 3)}
        return found

    assert wrong() == set()
    with monkeypatch.context() as patch:
        patch.setattr(plain, "limits", lambda *given: (np.ones_like(given[5]), limits(*given)[1]))
        assert "few left" in wrong()
    monkeypatch.setattr(plain, "limits", lambda *given: (limits(*given)[0], np.zeros_like(given[6])))
    assert "few came" in wrong()


def least(made: StableGrouping) -> float:
    """The least share of counterfeits that any groups have whose people keep their signatures."""
    there: Counter[tuple[int, int]] = Counter()
    for signature, value, is_ghost in zip(
        made.seats.signature[made.seats.group].tolist(), made.seats.values.tolist(), made.seats.ghost, strict=True
    ):
        there[signature, value] += not is_ghost
    most: dict[int, int] = {}
    for (signature, _), often in there.items():
        most[signature] = max(often, most.get(signature, 0))
    sizes = made.seats.signatures.sizes()
    return 1 - sum(there.values()) / sum(int(sizes[signature]) * often for signature, often in most.items())


@pytest.mark.parametrize(("new", "at_most"), [(0.0, 0.2), (0.05, 0.2), (0.05, 0.1)])
def test_a_table_that_shrinks_to_a_third_keeps_to_the_counterfeits_allowed_or_nearly_to_the_fewest(
    new: float, at_most: float
) -> None:
    sizes = []
    for history, made in shrinking(5, 3, 2500, 0.1 + new, new, 0, 12, 1, at_most=at_most):
        assert mistakes(history, 5, 3) == []
        sizes.append(len(history[-1].table))
        assert counterfeits(made.seats) <= max(at_most, least(made)) + 0.05
    assert sizes[-1] < sizes[0] * 0.36


@pytest.mark.parametrize(("rounds", "copies"), [(1, [[3, 1], [3, 1], [3], [3]]), (5, [[4], [3], [2], [1]])])
def test_a_round_is_given_up_alone_but_a_merged_group_keeps_what_its_parts_need(
    rounds: int, copies: list[list[int]]
) -> None:
    rows = {who: (0, who % 4) for who in range(20)}
    seats = stable(table_of(rows, range(20)), Seats.empty(), 4, 3, Dial(rounds=rounds), seed=0).seats
    one_each = [np.roll(members, k) for k, members in enumerate(seats.person.reshape(5, 4))] if rounds == 1 else []
    who = np.transpose(one_each).ravel().tolist() if rounds == 1 else list(range(20))  # of other groups and values
    for left, often in zip((16, 12, 8, 4), copies, strict=True):
        seats = stable(table_of(rows, sorted(who[20 - left :])), seats, 4, 3, Dial(at_most=0.0), seed=0).seats
        assert seats.copies.tolist() == often


def test_the_last_person_of_a_table_is_published() -> None:
    rows = {who: (0, who % 4) for who in range(20)}
    seats = stable(table_of(rows, range(20)), Seats.empty(), 4, 3, Dial(rounds=5), seed=0).seats
    last = stable(table_of(rows, [7]), seats, 4, 3, Dial(at_most=0.0), seed=0).seats
    assert sorted(last.values.tolist()) == [0, 1, 2, 3]
    assert last.person[~last.ghost].tolist() == [7]


def test_seats_are_packed_and_those_of_a_version_without_floors_may_merge_but_not_give_up_alone() -> None:
    *_, (_, made) = shrinking(4, 3, 60, 0.2, 0.1, 0, 6, 8, at_most=0.02)
    seats, again = made.seats, unpack(pack(made.seats))
    arrays: dict[str, Any] = {
        field.name: getattr(seats, field.name) for field in fields(seats) if field.name != "signatures"
    }
    assert all(np.array_equal(array, getattr(again, name)) for name, array in arrays.items())
    kept = {name: array for name, array in arrays.items() if name not in {"floor", "fresh"}}
    buffer = io.BytesIO()
    sets: dict[str, Any] = {"set_starts": seats.signatures.starts, "set_values": seats.signatures.values}
    np.savez(buffer, merged=np.zeros(len(seats), np.bool_), **sets, **kept)
    older = unpack(buffer.getvalue())
    assert older.floor.tolist() == seats.copies.tolist()
    assert not older.fresh.any()


def test_who_leaves_is_kept_as_a_ghost_and_takes_the_seat_back() -> None:
    rows = people(60, 6)
    first = stable(table_of(rows, range(60)), Seats.empty(), 3, 2, seed=1)
    leavers = {int(first.seats.person[0]), int(first.seats.person[40])}
    stayed = [who for who in range(60) if who not in leavers]
    second = stable(table_of(rows, stayed), first.seats, 3, 2, seed=2)
    assert second.seats.person.tolist() == first.seats.person.tolist()
    assert set(second.seats.person[second.seats.ghost].tolist()) == leavers
    third = stable(table_of(rows, range(60)), second.seats, 3, 2, seed=3)
    assert third.seats.person.tolist() == first.seats.person.tolist()
    assert not third.seats.ghost[third.seats.person >= 0].any()


def test_ghosts_are_replaced_n_at_a_time_by_people_with_their_values() -> None:
    rows = {**people(6, 3), **{who: (1, 1, who % 3) for who in range(12)}}
    first = stable(table_of(rows, range(3)), Seats.empty(), 3, 2, seed=1)
    one = stable(table_of(rows, [1, 2, 3]), first.seats, 3, 2, Dial(at_most=0.0, rounds=1), seed=1)
    assert sorted(one.seats.person[one.seats.ghost].tolist())[-1] == 0
    assert len(one.seats) == 2
    two = stable(table_of(rows, [2, 3, 4, 6]), one.seats, 3, 2, Dial(at_most=0.0, rounds=1), seed=1)
    batch = two.seats.person[two.batches].tolist()
    assert sorted(rows[who][-1] for who in batch) == [0, 1]
    assert two.batch_starts.tolist() == [0, 2]


def test_whoever_finds_the_seat_taken_keeps_the_signature_and_meets_few_of_the_old_group() -> None:
    m, n = 4, 3
    rows = {who: (who % 5, 1, who % 4) for who in range(40)}
    first = table_of(rows, range(8))
    kept = stable(first, Seats.empty(), m, n, Dial(rounds=1, at_most=0.0), seed=1)
    history = [read(first, kept)]
    away = history[0].people[0]
    for here in (
        sorted(set(range(8, 16)) | (set(range(8)) - away)),  # the whole group leaves and is dropped
        sorted(set(range(16)) | {20}),  # all of them return at once
    ):
        table = table_of(rows, here)
        kept = stable(table, kept.seats, m, n, Dial(rounds=1, at_most=0.0), seed=1)
        history.append(read(table, kept))
        assert mistakes(history, m, n) == []
    homes = [history[-1].home[who] for who in away]
    assert max(homes.count(g) for g in homes) == m - n


@pytest.mark.parametrize(("at_most", "merges"), [(0.5, False), (0.2, True)])
def test_groups_merge_to_keep_to_the_counterfeits_allowed(at_most: float, merges: bool) -> None:
    _, kept, merged = turning(6, 3, people(6000, 12), [1800] * 8, 0.1, at_most=at_most, rounds=1)
    assert (merged > 10) == merges
    assert max(counterfeits(seats) for seats in kept) <= at_most
    assert any((seats.floor > 1).any() for seats in kept) == merges


def test_a_round_of_ghosts_is_given_up_when_newcomers_do_not_suffice() -> None:
    history, kept, merged = turning(3, 2, people(4000, 6), [600] * 6, 0.5, at_most=0.5, rounds=4)
    shrunk = sum(
        len(people) > len(after.people[after.home[who]])
        for before, after in pairwise(history)
        for people in before.people
        for who in people & after.home.keys()
    )
    assert shrunk > 10
    assert merged == 0
    assert max(counterfeits(seats) for seats in kept) < 0.2


@pytest.mark.parametrize(
    ("sizes", "turnover"), [([800, 700, 600, 450, 300, 150, 20], 0.05), ([100, 300, 900, 1500], 0.1), ([600] * 5, 0.5)]
)
@pytest.mark.parametrize("skew", [False, True])
def test_shrinking_growing_and_bursting_tables(sizes: list[int], turnover: float, skew: bool) -> None:
    rng = np.random.default_rng(7)
    chance = (1 / (3 + np.arange(12)) if skew else np.ones(12)) / sum(1 / (3 + np.arange(12)) if skew else np.ones(12))
    rows = {who: (int(rng.integers(60)), 1, int(rng.choice(12, p=chance))) for who in range(4000)}
    history, kept, _ = turning(4, 2, rows, sizes, turnover)
    for release, seats in zip(history, kept, strict=True):
        false = sum(ghost for group in release.groups for *_, ghost in group)
        assert counterfeits(seats) == false / sum(map(len, release.groups))
        assert len(release.left_out) == 0


def test_a_value_that_one_person_has() -> None:
    rows = people(600, 5)
    rows[7] = (1, 1, 99)
    history, _, _ = turning(4, 2, rows, [200] * 5, 0.2)
    assert sum(99 in {value for _, value, _ in group} for group in history[0].groups) == 1


def test_too_frequent_a_value_is_covered_or_left_out() -> None:
    rows = {who: (who, 0 if who < 8 else 1 + who % 2) for who in range(12)}
    table = table_of(rows, range(12))
    for seed in range(10):
        covered = stable(table, Seats.empty(), 3, 2, Dial(rounds=1), seed=seed)
        assert covered.seats.nobodies >= 12  # there are more groups by lot than the value needs
        assert covered.seats.nobodies % 3 == 0
    drawn = [stable(table, Seats.empty(), 3, 2, Dial(rounds=1), seed=seed).seats.nobodies for seed in range(40)]
    assert set(drawn) > {12, 15}
    assert stable(table, Seats.empty(), 3, 2, Dial(rounds=1, cover=13), seed=1).seats.nobodies == 12
    assert (covered.seats.person[covered.seats.ghost] < 0).all()
    short = stable(table, Seats.empty(), 3, 2, Dial(rounds=1, cover=0))
    assert len(short.grouping.unplaced) == 6
    assert mistakes([read(table, short)], 3, 2) == []


def test_the_same_seed_gives_the_same_release_and_no_seed_another() -> None:
    rows = people(3000, 8)
    first = stable(table_of(rows, range(1500)), Seats.empty(), 4, 2, seed=1)
    second = table_of(rows, range(500, 2000))
    one, two = (stable(second, first.seats, 4, 2, seed=3) for _ in range(2))
    assert (one.seats.person == two.seats.person).all()
    assert (one.grouping.group == two.grouping.group).all()
    free = [stable(second, first.seats, 4, 2).seats.person for _ in range(2)]
    assert len(free[0]) != len(free[1]) or (free[0] != free[1]).any()


def test_what_cannot_be_published_is_refused() -> None:
    rows = people(60, 6)
    made = stable(table_of(rows, range(60)), Seats.empty(), 3, 2, seed=1)
    changed = {**rows, 0: (1, 1, (rows[0][-1] + 1) % 6)}
    with pytest.raises(ValueError, match="1 people have another value"):
        stable(table_of(changed, range(60)), made.seats, 3, 2)
    with pytest.raises(ValueError, match="'m' parameter"):
        stable(table_of(rows, range(60)), made.seats, 5, 2)
    with pytest.raises(ValueError, match="'n' parameter"):
        stable(table_of(rows, range(60)), made.seats, 3, 3)
    with pytest.raises(ValueError, match="'at_most' parameter"):
        stable(table_of(rows, range(60)), made.seats, 3, 2, Dial(at_most=1.5))
    with pytest.raises(ValueError, match="once"):
        stable(table_of(rows, (0, 0, 1)), made.seats, 3, 2)


def test_nobody_and_no_columns() -> None:
    nobody = table_of({}, ())
    assert len(stable(nobody, Seats.empty(), 3, 2).seats) == 0
    plain = Table(np.arange(30), (), (np.arange(30) % 5).astype(np.int32))
    made = stable(plain, Seats.empty(), 3, 2)
    assert mistakes([read(plain, made)], 3, 2) == []
    assert len(stable(nobody, made.seats, 3, 2).seats) == 0


def test_another_algorithm_may_be_followed() -> None:
    m, n, rows, rng = 4, 2, people(3000, 8), np.random.default_rng(5)
    here, past, history = set(range(500)), Memberships.empty(), []
    for release in range(6):
        table = table_of(rows, sorted(here))
        if release < 3:
            grouping = cor_split(table, past, m, n)
            past = past.extended(table, grouping)
            seats = adopted(table, grouping, past)
        else:
            made = stable(table, seats, m, n, Dial(rounds=1, at_most=0.1), seed=release)
            seats = made.seats
        if release < 3:
            told = read(table, StableGrouping(grouping, seats, np.zeros(1, np.int64), np.zeros(0, np.int64), 0))
            later = 0 if release == 2 else 10_000 * (release + 1)  # the nobodies of each Cor-Split release are others
            groups = [[(who - later * (who < 0), value, ghost) for who, value, ghost in group] for group in told.groups]
            history.append(Release(told.table, groups, told.left_out))
        else:
            history.append(read(table, made))
            wrong = [what for what in mistakes(history, m, n) if "few left" not in what and "in somebody" not in what]
            assert wrong == []
        here -= set(rng.choice(sorted(here), 100, replace=False).tolist())
        here |= set(range(500 + 60 * release, 560 + 60 * release)) | set(rng.integers(0, 500, 40).tolist())
    assert len(made.batches) > 20
