"""Worlds of a part that has too many states to be counted, drawn at random and independently.

Some groups are left out until the rest can be counted (`world_counts`). A world of the rest is drawn person by person,
each value with a chance proportional to the worlds behind it, so all are as likely as they weigh; one that a left-out
group does not allow is thrown away. So are survivors among the part's worlds, and `worlds.rejection` gives the
intervals; their risk of 0.1 % is shared by all literals of a part. Rounding: the chances of a path telescope, so errors
of the counts cancel; each of n turns among k values is off by at most (k k + 12 k + 4) 2^-53 in total variation,
weights included.
"""

from __future__ import annotations

import math
import time
from typing import NamedTuple

import numpy as np

from deniable.kernels import kernel, work
from deniable.worlds.arrays import Bools, Floats, Int64s
from deniable.worlds.history.belief_bounds import BeliefBounds, bounds
from deniable.worlds.history.choices import Choices, choices
from deniable.worlds.history.counting_plan import PEOPLE, CountingPlan, classify, forget, lay_out, room
from deniable.worlds.history.histories import from_lists
from deniable.worlds.history.propagation import propagate
from deniable.worlds.history.world_counts import LEAST, Room, backward, forward, least_weight, state_room
from deniable.worlds.rejection import Trials

_STATES = 4_000  # of what is counted
_DRAWS = 20_000
_TRIALS = 4_000  # between two looks at the clock
_COUNTED, _TOO_MANY, _HOPELESS = 0, 1, 2
_PROMISING = 1e-6  # share of survivors below which a part is given up


class Drawn(NamedTuple):
    """The share of drawn worlds in which each literal holds and its interval; drawn only where `done`."""

    share: Floats
    low: Floats
    high: Floats
    done: Bools


class _Draws(NamedTuple):
    """What is drawn from, how, and how often; the plan and the states are those of one part at a time."""

    left: Choices
    plan: CountingPlan
    states: Room
    rng: np.random.Generator
    draws: int


def sample(
    left: Choices,
    parts: Int64s,
    proved: BeliefBounds,
    deadline: float,
    *,
    seed: int = 0,
    draws: int = _DRAWS,
    states: int = _STATES,
) -> Drawn:
    """Draw worlds of these parts, small ones first, until the deadline; intervals are within what is proved."""
    found = Drawn(np.zeros(len(left.value)), proved.low.copy(), proved.high.copy(), np.zeros(len(left.value), np.bool_))
    if time.monotonic() >= deadline:
        return found
    given = _Draws(left, room(left), state_room(states), np.random.default_rng(seed), draws)
    with work(draws * len(left.person)):
        for part in parts[np.argsort(np.diff(left.parts)[parts], kind="stable")].tolist():
            if time.monotonic() >= deadline:
                break
            _sample_part(given, part, min(deadline, _share_of(deadline)), found)
    return found


def ready() -> None:
    """Compile, so that it costs nothing of anybody's time limit."""
    words, system = propagate(from_lists(2, 2, [[([0, 1], [0, 1])]]))
    left = choices(system, words)
    proved = bounds(left, np.zeros(len(left.value), np.int8), np.arange(1), room(left))
    with work(math.inf):
        sample(left, np.arange(1), proved, math.inf, draws=1)


def _share_of(deadline: float) -> float:
    """A part may take a tenth of the time left, or a second."""
    now = time.monotonic()
    return now + max(1.0, 0.1 * (deadline - now))


def _sample_part(given: _Draws, part: int, deadline: float, found: Drawn) -> None:
    """Draw worlds of one part and enter what they say."""
    left, plan = given.left, given.plan
    first, last = int(left.parts[part]), int(left.parts[part + 1])
    if last - first > PEOPLE or least_weight(left, first, last) < LEAST:
        return
    if not relax(left, first, last, plan, given.states, deadline):
        return
    hits, made = np.zeros(len(left.value)), np.zeros(2, np.int64)  # survivors, trials
    while made[0] < given.draws and time.monotonic() < deadline:
        draw(left, plan, given.states, given.rng, given.draws, _TRIALS, hits, made)
        if made[0] < _PROMISING * made[1] and made[1] > 1 / _PROMISING:
            break
    values = int(plan.sizes[1])
    plan.number[:] = -1
    trials = Trials(int(made[0]), int(made[1]), (last - first) * (values * values + 12 * values + 4))
    if not trials.enough:
        return
    people = left.order[first:last]
    literals = np.concatenate([np.arange(left.offsets[q], left.offsets[q + 1]) for q in people])
    share = hits[literals] / trials.accepted
    found.share[literals], found.low[literals], found.high[literals] = trials.narrow(
        share, found.low[literals], found.high[literals]
    )
    found.done[literals] = True


def relax(left: Choices, first: int, last: int, plan: CountingPlan, states: Room, deadline: float) -> bool:
    """Leave out groups of a part until what is left can be counted; then the plan and the states hold that."""
    found = _TOO_MANY
    while found == _TOO_MANY and time.monotonic() < deadline:
        found = _counted(left, first, last, plan, states)
    return found == _COUNTED


@kernel()
def _counted(c, first, last, plan, room):  # type: ignore[no-untyped-def]
    """Count a part without the groups that are left out, or else leave out another one."""
    if classify(c, first, last, plan):
        if lay_out(c, first, last, True, plan) and forward(plan, room) and backward(plan, room) > 0.0:
            return _COUNTED
        if _leave_out(c, plan):
            forget(c, first, last, plan)
            return _TOO_MANY
    forget(c, first, last, plan)
    return _HOPELESS


@kernel()
def _peak(c, plan):  # type: ignore[no-untyped-def]
    """The turn at which most seats are open."""
    n, early, late = plan.sizes[0], plan.early, plan.late
    bits = np.zeros(n + 1)
    for turn in range(n):
        q = plan.order[turn]
        for i in range(c.use_offsets[c.offsets[q]], c.use_offsets[c.offsets[q + 1]]):
            seat = c.uses[i]
            if plan.active[seat] and early[seat] == turn:
                weight = math.log2(c.left[seat] + 1.0)
                bits[turn] += weight
                bits[late[seat] + 1] -= weight
    total, most, peak = 0.0, -1.0, 0
    for turn in range(n + 1):
        total += bits[turn]
        if total > most:
            most, peak = total, turn
    return peak


@kernel()
def _leave_out(c, plan):  # type: ignore[no-untyped-def]
    """Leave out the group that is open longest, of those open where most seats are; False: there is none."""
    offsets, use_offsets, uses, group, order = c.offsets, c.use_offsets, c.uses, c.group, plan.order
    begins, ends, active = plan.begins, plan.ends, plan.active
    n, peak = plan.sizes[0], _peak(c, plan)
    for turn in range(n - 1, -1, -1):
        q = order[turn]
        for i in range(use_offsets[offsets[q]], use_offsets[offsets[q + 1]]):
            begins[group[uses[i]]] = turn
    best, longest = -1, -1
    for turn in range(n):
        q = order[turn]
        for i in range(use_offsets[offsets[q]], use_offsets[offsets[q + 1]]):
            g = group[uses[i]]
            span = ends[g] - begins[g]
            if active[uses[i]] and begins[g] <= peak <= ends[g] and span > longest:
                best, longest = g, span
    for turn in range(n):
        q = order[turn]
        for i in range(use_offsets[offsets[q]], use_offsets[offsets[q + 1]]):
            if group[uses[i]] == best:
                active[uses[i]] = False
    return best >= 0


@kernel()
def _choose(rng, s, turn, plan, room, raw):  # type: ignore[no-untyped-def]
    """Draw a transition from a state, and one of the values that make it: where it leads, and the value."""
    behind, edge = room.behind, -1
    left = rng.random() * behind[s]
    for e in range(room.edges[s], room.edges[s + 1]):
        weight = room.times[e] * plan.weights[turn, room.kind[e]] * behind[room.into[e]]
        if weight > 0.0:
            edge = e
            left -= weight
            if left < 0.0:
                break
    a = room.kind[edge]
    skip = min(np.int64(rng.random() * room.times[edge]), room.times[edge] - 1)
    for k in range(plan.first[a], plan.first[a + 1]):
        if raw[k] + plan.opened[turn, a] == room.column[edge]:
            if skip == 0:
                return room.into[edge], k
            skip -= 1
    return -1, -1


@kernel()
def _step(c, q, k, turn, plan, raw):  # type: ignore[no-untyped-def]
    """Give the person value k: the columns behind that, and the literal."""
    for j in range(plan.sizes[1]):
        a = plan.kind[j]
        column = raw[j] + plan.opened[turn, a]
        if j == k:
            column -= plan.takes[turn, a]
        raw[j] = column & ~plan.closed[turn, a]
    for x in range(c.offsets[q], c.offsets[q + 1]):
        if plan.number[c.value[x]] == k:
            return x
    return -1


@kernel()
def _world(c, plan, room, rng, raw, spare, chosen):  # type: ignore[no-untyped-def]
    """Draw one world of what was counted; how many turns were made until a seat that was left out was overdrawn."""
    for k in range(plan.sizes[1]):
        raw[k] = 0
    s = 0
    for turn in range(plan.sizes[0]):
        s, k = _choose(rng, s, turn, plan, room, raw)
        chosen[turn] = _step(c, plan.order[turn], k, turn, plan, raw)
        fine = True
        for i in range(c.use_offsets[chosen[turn]], c.use_offsets[chosen[turn] + 1]):
            seat = c.uses[i]
            if not plan.active[seat]:
                spare[seat] -= 1
                fine = fine and spare[seat] >= 0
        if not fine:
            return turn + 1, False
    return plan.sizes[0], True


@kernel()
def draw(c, plan, room, rng, draws, trials, hits, made):  # type: ignore[no-untyped-def]
    """Draw worlds of what was counted; add those that the other seats allow to `hits` and `made`."""
    raw, chosen = np.zeros(plan.sizes[1], np.int64), np.zeros(plan.sizes[0], np.int64)
    spare = np.empty(len(c.left), np.int64)
    for seat in range(len(spare)):
        spare[seat] = c.left[seat]
    for _ in range(trials):
        if made[0] == draws:
            return
        turns, fine = _world(c, plan, room, rng, raw, spare, chosen)
        for t in range(turns):
            x = chosen[t]
            if fine:
                hits[x] += 1.0
            for i in range(c.use_offsets[x], c.use_offsets[x + 1]):
                spare[c.uses[i]] = c.left[c.uses[i]]
        if fine:
            made[0] += 1
        made[1] += 1
