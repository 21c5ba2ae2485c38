"""The joint adversary: all releases at once, one unknown per person, one multiset inclusion per group.

`joint` gives the values that stay possible for each person and says for whom that is exact: propagation, then what is
left split into independent parts; a part whose worlds can be counted is decided by the count, the others by search and
then by CP-SAT, as far as time allows.
"""

from __future__ import annotations

import math

import numpy as np

from deniable import kernels
from deniable.frozen import frozen
from deniable.kernels import work
from deniable.steps import reach
from deniable.worlds.arrays import Bools, Int32s, Int64s, offsets
from deniable.worlds.history.choices import Choices, choices
from deniable.worlds.history.counting_plan import room, spread
from deniable.worlds.history.deadline import Deadline
from deniable.worlds.history.histories import NOTHING, History, KnownValues, NoWorld, Words, counts, from_lists, holds
from deniable.worlds.history.propagation import propagate
from deniable.worlds.history.search import EXCLUDED, SEEN, Status, begin, decide, list_worlds
from deniable.worlds.history.solver import solve_parts
from deniable.worlds.history.world_counts import WorldCounts, nothing_counted, state_room, tally

_TRIES = 20_000  # steps for one literal
_STEPS = 1_000_000  # between two looks at the clock; a fifth of a second or so
_COUNTING = 0.5  # of the time, at most so much to count
_SEARCHING = 0.5  # of what is left then, at most so much to search
_HEAVY = 8  # steps for each seat that a literal uses
_FEW_STATES, _FEW_TRANSITIONS, _FEW_STEPS = 300, 3_000, 10_000  # what is tried first: that costs no compiling


@frozen
class Spent:
    """How large a part may be to be counted: its states, or else its worlds and the steps to list them."""

    states: int
    worlds: int
    steps: int


QUICK, THOROUGH = Spent(4_000, 20_000, 500_000), Spent(50_000, 200_000, 3_000_000)


@frozen
class Possible:
    """What stays possible for each person."""

    words: Words  # one row of bits per person
    exact: Bools  # else the row may have values too many, never too few
    open: Choices  # what propagation left undecided
    status: Status  # of each literal of `open`
    counted: WorldCounts  # worlds of the parts that were counted
    has_world: bool  # whether a world is known

    @property
    def number(self) -> Int32s:
        """How many values each person may have."""
        return counts(self.words)


def joint(
    history: History, known: KnownValues = NOTHING, truth: Int32s | None = None, seconds: float = 10.0
) -> Possible:
    """The values that stay possible for each person.

    `truth`, where there is one, is a world to begin with (it saves work and changes no answer). `seconds` limits what
    follows propagation; what it leaves undecided stays possible and is not exact.
    """
    words, system = propagate(history, known)
    left = choices(system, words)
    deadline = Deadline(seconds)
    status = np.zeros(len(left.value), np.int8)
    has_world = truth is not None and _is_world(left, words, truth)
    if truth is not None and has_world:
        status[left.value == truth[left.person][left.owner]] = SEEN
    counted = nothing_counted(left)
    if seconds > 0 and len(status):
        count(left, counted, QUICK, has_world, deadline.part(_COUNTING))
        _mark(left, counted, status)
        waiting = np.flatnonzero(counted.totals == 0)
        if len(waiting):
            with deadline.put_off(), work(_HEAVY * len(left.uses)):
                spread(left, waiting, room(left), status)
            _search(left, status, deadline.part(_SEARCHING))
            solve_parts(left, status, deadline.end)
    return _possible(words, left, status, counted, has_world)


def with_counts(found: Possible) -> Possible:
    """What stays possible, with what was counted since."""
    status = found.status.copy()
    _mark(found.open, found.counted, status)
    return _possible(found.words.copy(), found.open, status, found.counted, found.has_world)


def _possible(words: Words, left: Choices, status: Status, counted: WorldCounts, has_world: bool) -> Possible:
    """Take what is excluded out of the rows of bits; who has an undecided literal is not exact."""
    gone = status == EXCLUDED
    at, value = left.person[left.owner[gone]], left.value[gone]
    np.bitwise_and.at(words, (at, value >> 6), ~(np.uint64(1) << (value & 63).astype(np.uint64)))
    exact = np.ones(len(words), np.bool_)
    exact[left.person[left.owner[(status != SEEN) & ~gone]]] = False
    exact |= counts(words) == 1
    return Possible(words, exact, left, status, counted, has_world)


def _is_small(left: Choices) -> bool:
    """Whether what takes few steps is to be looked for first."""
    return _HEAVY * len(left.uses) < kernels.LARGE


def _look(left: Choices, counted: WorldCounts, effort: Spent, has_world: bool) -> None:
    """Count the parts that take few steps. What is counted does not depend on how."""
    with work(0):
        states, waiting = state_room(min(_FEW_STATES, effort.states)), _waiting(left, counted)
        tally(left, room(left), states, waiting, 0, _FEW_TRANSITIONS, has_world, 1, counted)
        waiting = _waiting(left, counted)
        if len(waiting) and not left.is_weighted:
            status, steps = np.zeros(len(left.value), np.int8), min(_FEW_STEPS, effort.steps)
            list_worlds(left, begin(left), status, waiting, 0, min(QUICK.worlds, effort.worlds), steps, steps, counted)


def _two_people() -> Choices:
    """Something to compile with, so that it costs nothing of anybody's time limit."""
    words, system = propagate(from_lists(2, 2, [[([0, 1], [0, 1])]]))
    return choices(system, words)


def count(left: Choices, counted: WorldCounts, effort: Spent, has_world: bool, deadline: Deadline) -> None:
    """Count the parts that are not counted yet, small ones first, until the deadline; before anything is
    compiled, those that take few steps. Worlds that weigh differently are not listed."""
    if _is_small(left) and deadline.left > 0 and len(_waiting(left, counted)):
        _look(left, counted, effort, has_world)
    with work(math.inf):
        waiting, place = _waiting(left, counted), 0
        if len(waiting):
            with deadline.put_off():
                two = _two_people()
                tally(two, room(two), state_room(8), np.arange(1), 0, 1, False, 2, nothing_counted(two))
            plan, states = room(left), state_room(effort.states)
            people = _people_before(left, waiting)
            while place < len(waiting) and deadline.left > 0:
                reach("history.count", int(people[place]), int(people[-1]))
                place = tally(left, plan, states, waiting, place, _STEPS // 8, has_world, 2, counted)
        waiting, place = _waiting(left, counted), 0
        if len(waiting) and deadline.left > 0 and not left.is_weighted:
            with deadline.put_off():
                two = _two_people()
                list_worlds(two, begin(two), np.zeros(4, np.int8), np.arange(1), 0, 1, 1, 1, nothing_counted(two))
            state, status = begin(left), np.zeros(len(left.value), np.int8)
            people = _people_before(left, waiting)
            while place < len(waiting) and deadline.left > 0:
                reach("history.count", int(people[place]), int(people[-1]))
                place = list_worlds(left, state, status, waiting, place, effort.worlds, effort.steps, _STEPS, counted)
    _insist(not np.any(counted.totals < 0))


def _people_before(left: Choices, parts: Int64s) -> Int64s:
    """How many people stand in the parts before each of these, and in all of them."""
    return offsets(np.diff(left.parts)[parts])


def _waiting(left: Choices, counted: WorldCounts) -> Int64s:
    waiting = np.flatnonzero(counted.totals == 0)
    return waiting[np.argsort(np.diff(left.parts)[waiting], kind="stable")]


def _mark(left: Choices, counted: WorldCounts, status: Status) -> None:
    """What was counted is decided."""
    done = (counted.totals > 0)[left.part[left.owner]]
    status[done] = np.where(counted.ways[done] > 0, SEEN, EXCLUDED)


def _search(left: Choices, status: Status, deadline: Deadline) -> None:
    """Try what is open, first whether that is a matter of a few steps; else anew, as if nobody had."""
    end = len(left.parts) - 1
    if _is_small(left):
        tried = status.copy()
        with work(0):
            part = decide(left, begin(left), tried, 0, _TRIES, _FEW_STEPS)
        _insist(part >= 0)
        if part == end:
            status[:] = tried
            return
    with work(math.inf):
        with deadline.put_off():
            two = _two_people()
            decide(two, begin(two), np.zeros(4, np.int8), 0, 1, 1)
        state, part = begin(left), 0
        while part < end and deadline.left > 0:
            reach("history.search", int(left.parts[part]), int(left.parts[-1]))
            part = decide(left, state, status, part, _TRIES, _STEPS)
            _insist(part >= 0)


def _insist(has_world: bool) -> None:
    if not has_world:
        raise NoWorld("no assignment of values fits all releases and what is known")


def _is_world(left: Choices, words: Words, truth: Int32s) -> bool:
    """Whether the true values are among those left, and take no seat too often."""
    if not holds(words, np.arange(len(words)), truth).all():
        return False
    taken = left.value == truth[left.person][left.owner]
    used = np.repeat(taken, np.diff(left.use_offsets))
    return bool(np.all(np.bincount(left.uses[used], minlength=len(left.left)) <= left.left))
