"""The exact audit of stable groups: against all worlds of tiny histories, and against CP-SAT on larger ones."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pytest
from benchmarks.experiments.republication.algorithms import read_seats
from hypothesis import given, settings
from hypothesis import strategies as st

from deniable.publish.again.stable.next_release import Dial, stable
from deniable.publish.again.stable.seats import Seats
from deniable.worlds.arrays import Int32s
from deniable.worlds.history.histories import History, KnownValues, counts
from deniable.worlds.history.joint import joint
from deniable.worlds.history.lineage_chains import chained
from deniable.worlds.history.lineage_cycles import possible_values
from deniable.worlds.history.lineage_forest import forest
from deniable.worlds.history.propagation import propagate
from tests.history.tables import table_of
from tests.worlds.small import knowing, values_of


@dataclass(frozen=True)
class Kept:
    """A history as somebody reads it who takes ghosts for the people who left, and the truth (-1: never there)."""

    history: History
    truth: Int32s

    @property
    def people(self) -> int:
        return self.history.people


def groups_of(told: Kept) -> list[tuple[list[int], list[int]]]:
    read = told.history
    ends = itertools.pairwise(read.member_offsets.tolist())
    return [(read.members[first:last].tolist(), read.codes[first:last].tolist()) for first, last in ends]


def republished(
    seed: int, people: int, kinds: int, m: int, n: int, releases: int, back: float = 0.0, **dial: float
) -> tuple[Kept, int]:
    """Two fifths leave from release to release, new people come in their place; some return, `back` of those away."""
    rng = np.random.default_rng(seed)
    rows = {who: (int(rng.integers(9)), int(rng.integers(kinds))) for who in range(9 * people)}
    here, fresh, seats, kept = list(range(people)), people, Seats.empty(), []
    for _ in range(releases):
        seats = stable(table_of(rows, here), seats, m, n, Dial(**dial), seed=rng).seats  # type: ignore[arg-type]
        kept.append(seats)
        away = set(range(fresh)) - set(here)
        stay = [who for who in here if rng.random() < 0.6]
        stay += [who for who in sorted(away) if back and rng.random() < back]
        new = max(len(here) - len(stay), 0)
        here = stay + list(range(fresh, fresh + new))
        fresh += new
    read, truth, _ = read_seats(kept, fresh)
    return Kept(replace(read, values=kinds), truth), fresh


def all_worlds(told: Kept, known: dict[int, int]) -> list[tuple[int, ...]]:
    """Every assignment that gives each group exactly its values, person by person."""
    groups = groups_of(told)
    allowed: list[set[int]] = [{known[p]} if p in known else set() for p in range(told.people)]
    for people, values in groups:
        for p in people:
            allowed[p] = allowed[p] & set(values) if p in known else set(values)
    found = []
    for world in itertools.product(*(sorted(values) or [-1] for values in allowed)):
        if all(sorted(world[p] for p in people) == sorted(values) for people, values in groups):
            found.append(world)
    return found


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(2, 3), st.data())
def test_every_share_against_all_worlds(seed: int, m: int, data: st.DataObject) -> None:
    n = data.draw(st.integers(1, m - 1))
    told, people = republished(seed, m, m + 1, m, n, 4, at_most=0.0, rounds=1)
    everybody = [p for p in range(people) if told.truth[p] >= 0]
    if told.people > 9 or not everybody:
        return
    known = {p: int(told.truth[p]) for p in data.draw(st.lists(st.sampled_from(everybody), max_size=2))}
    worlds = all_worlds(told, known)
    found = chained(told.history, np.maximum(told.truth, 0).astype(np.int32), knowing(known))
    for p in np.flatnonzero(found.counted).tolist():
        often = Counter(world[p] for world in worlds)
        assert found.low[p] <= Fraction(often[int(told.truth[p])], len(worlds)) <= found.high[p]
        assert found.possible[p] == len(often)


def test_long_histories_agree_with_propagation_and_are_mostly_counted() -> None:
    told, people = republished(3, 1000, 20, 6, 3, 8, at_most=0.5)
    known = np.flatnonzero(np.random.default_rng(1).random(people) < 0.3).astype(np.int32)
    known = known[told.truth[known] >= 0]
    truth = np.maximum(told.truth, 0).astype(np.int32)
    found = chained(told.history, truth, KnownValues(known, truth[known]))
    words, _ = propagate(told.history, KnownValues(known, truth[known]))
    there = found.counted & (told.truth >= 0)
    assert there.sum() > 0.6 * (told.truth >= 0).sum()
    assert (found.possible[there] <= counts(words)[there]).all()
    assert (found.possible[there] == 1).sum() > len(known) * 0.6
    assert (found.low <= found.high).all()


def lineages(told: Kept) -> list[list[tuple[list[int], list[int]]]]:
    """Groups that are connected by people."""
    groups, part = groups_of(told), list(range(told.people))

    def top(p: int) -> int:
        while part[p] != p:
            part[p] = part[part[p]]
            p = part[p]
        return p

    for people, _ in groups:
        for p in people:
            part[top(p)] = top(people[0])
    inside: dict[int, list[tuple[list[int], list[int]]]] = {}
    for group in groups:
        inside.setdefault(top(group[0][0]), []).append(group)
    return list(inside.values())


def solved(told: Kept, known: dict[int, int]) -> list[set[int]]:
    """The values that CP-SAT finds a world for, one literal after the other, lineage by lineage."""
    from ortools.sat.python import cp_model

    possible: list[set[int]] = [set() for _ in range(told.people)]
    for groups in lineages(told):
        model, solver = cp_model.CpModel(), cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.cp_model_presolve = False  # of models this small, it takes longer than the search
        people, values = sorted({p for members, _ in groups for p in members}), sorted(set(groups[0][1]))
        has = {(p, v): model.new_bool_var("") for p in people for v in values}
        for p in people:
            model.add_exactly_one(has[p, v] for v in ([known[p]] if p in known else values))
            model.add_at_most_one(has[p, v] for v in values)
        for members, copies in groups:
            for v in values:
                model.add(sum(has[p, v] for p in members) == copies.count(v))
        for (p, v), literal in has.items():
            model.clear_assumptions()
            model.add_assumption(literal)
            if v not in possible[p] and solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE):
                for q, w in (key for key, other in has.items() if solver.value(other)):
                    possible[q].add(w)
    return possible


@pytest.mark.parametrize(("at_most", "back"), [(0.5, 0.0), (0.2, 0.0), (0.08, 0.0), (0.2, 0.3)])
def test_possible_values_are_those_of_a_solver(at_most: float, back: float) -> None:
    """Groups with one, two and three copies of each value; whoever returns too late is in two lineages."""
    # Fewer where somebody is in two lineages, which makes one problem of them, and where groups have many copies.
    most, returning, alike = (2000, 500, 666) if settings.get_current_profile_name() == "nightly" else (120, 50, 66)
    people = returning if back else alike if at_most < 0.1 else most
    told, everybody = republished(6, people, 12, 5, 3, 5, back, at_most=at_most)
    known = {p: int(told.truth[p]) for p in range(everybody) if told.truth[p] >= 0 and p % 3 == 0}
    truth = np.maximum(told.truth, 0).astype(np.int32)
    chains = chained(told.history, truth, knowing(known))
    cycles = possible_values(told.history, truth, knowing(known))
    quick = possible_values(told.history, truth, knowing(known), rounds=0)
    words, _ = propagate(told.history, knowing(known))
    every = joint(told.history, knowing(known), truth, seconds=300)
    expected = solved(told, known)
    there = [p for p in range(told.people) if told.truth[p] >= 0]
    for p in there:
        assert set(values_of(words, p)) >= expected[p]
        assert not every.exact[p] or set(values_of(every.words, p)) == expected[p]
        assert not chains.counted[p] or chains.possible[p] == len(expected[p])
        for found in (cycles, quick):
            assert set(values_of(found.seen, p)) <= expected[p] <= set(values_of(found.left, p))
    twice = ~forest(told.history).single[there]
    assert twice.any() == (back > 0)
    assert (quick.least[there][twice] > 1).sum() >= twice.sum() // 3
    if back == 0:
        assert sum(len(expected[p]) == 1 for p in there) > len(known)
        settled = cycles.least == cycles.most
        assert settled[there].mean() > 0.99
        assert (settled | chains.counted | every.exact)[there].all()
        decided = (quick.least > 1) == (quick.most > 1)
        assert decided[there].mean() > 0.99
        assert (decided | chains.counted | every.exact)[there].all()
