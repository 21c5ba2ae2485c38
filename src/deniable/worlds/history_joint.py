"""The joint adversary: all releases at once, one unknown per person, one multiset inclusion per group.

`joint` gives the values that stay possible for each person (propagation, then search and CP-SAT for what is left) and
says for whom that is exact. `true_values` gives the share of worlds in which a person has their true value: counted
exactly where a part is small; elsewhere bounded by exchange: of r people in the same groups with the same values left,
at most c have value v on average when some group has c copies left for them, so p <= c/r each.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from deniable.worlds.histories import NOTHING, History, Ints, Knowledge, NoWorld, Small, Words, counts, holds
from deniable.worlds.history_choices import Bools, Choices, choices
from deniable.worlds.history_counts import Shape, shares
from deniable.worlds.history_search import EXCLUDED, SEEN, Status, begin, decide
from deniable.worlds.history_solver import solve_parts
from deniable.worlds.history_tally import tally
from deniable.worlds.propagate import propagate

_TRIES = 20_000  # steps for one literal
_STEPS = 1_000_000  # between two looks at the clock
_COUNTED = 200  # people in a part that is counted
_STATES = 50_000
_AT_ONCE = 2_000  # parts counted between two looks at the clock
_ODD = 0x9E3779B97F4A7C15


@dataclass(frozen=True)
class Possible:
    """What stays possible for each person."""

    words: Words  # one row of bits per person
    exact: Bools  # else the row may have values too many, never too few
    open: Choices  # what propagation left undecided
    status: Status  # of each literal of `open`

    @property
    def number(self) -> Small:
        """How many values each person may have."""
        return counts(self.words)


@dataclass(frozen=True)
class Beliefs:
    """The probability of each person's true value: low = high where it was counted."""

    low: NDArray[np.float64]  # rounded down
    high: NDArray[np.float64]  # rounded up
    counted: Bools
    exact: dict[int, Fraction]  # of the people who were open and counted


def joint(story: History, known: Knowledge = NOTHING, truth: Small | None = None, seconds: float = 10.0) -> Possible:
    """The values that stay possible for each person.

    `truth`, where there is one, is a world to begin with (it saves work and changes no answer). `seconds` limits the
    search after propagation; what it leaves undecided stays possible and is not exact.
    """
    words, system = propagate(story, known)
    left = choices(system, words)
    deadline = time.monotonic() + seconds
    status = np.zeros(len(left.value), np.int8)
    if truth is not None and _is_world(left, words, truth):
        status[left.value == truth[left.person][left.owner]] = SEEN
    if seconds > 0 and len(status):
        _search(left, status, deadline)
        solve_parts(left, status, deadline)
    gone = status == EXCLUDED
    at, value = left.person[left.owner[gone]], left.value[gone]
    np.bitwise_and.at(words, (at, value >> 6), ~(np.uint64(1) << (value & 63).astype(np.uint64)))
    exact = np.ones(story.people, np.bool_)
    exact[left.person[left.owner[(status != SEEN) & ~gone]]] = False
    exact |= counts(words) == 1
    return Possible(words, exact, left, status)


def true_values(story: History, found: Possible, truth: Small, seconds: float = 10.0, states: int = _STATES) -> Beliefs:
    """The probability of each person's true value; parts with more states than this are only bounded."""
    deadline = time.monotonic() + seconds
    everyone = np.arange(story.people)
    has = holds(found.words, everyone, truth)
    low, high = (has & (found.number == 1)).astype(np.float64), has.astype(np.float64)
    counted = low == high
    exact: dict[int, Fraction] = {}
    left = found.open
    _tallied(found, truth, states, deadline, low, high, counted, exact)
    cache: dict[Shape, list[list[Fraction]]] = {}
    bounded: list[int] = []
    waiting = np.flatnonzero(~counted[left.person[left.order[left.parts[:-1]]]])
    for part in waiting[np.argsort(np.diff(left.parts)[waiting], kind="stable")].tolist():
        people = left.members(part)
        small = len(people) <= _COUNTED and time.monotonic() < deadline
        shares_of = shares(left, found.status, part, states, cache) if small else None
        if shares_of is None:
            bounded += people
            continue
        for q in people:
            p = int(left.person[q])
            true = [shares_of[x] for x in left.literals(q) if x in shares_of and left.value[x] == truth[p]]
            exact[p] = sum(true, Fraction(0))
            low[p], high[p], counted[p] = _down(exact[p]), _up(exact[p]), True
    _bound(left, found.status, bounded, truth, low, high)
    return Beliefs(low, high, counted, exact)


def _tallied(
    found: Possible,
    truth: Small,
    states: int,
    deadline: float,
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    counted: Bools,
    exact: dict[int, Fraction],
) -> None:
    """Enter what compiled code can count."""
    left = found.open
    if not states or not len(left.person):
        return
    ways, totals = np.zeros(len(left.value), np.int64), np.zeros(len(left.parts) - 1, np.int64)
    widest = int(np.diff(left.offsets).max())
    for begin_at in range(0, len(totals), _AT_ONCE):
        if time.monotonic() < deadline:
            end_at = min(begin_at + _AT_ONCE, len(totals))
            tally(left, found.status, begin_at, end_at, states, widest, ways, totals)
    worlds = np.zeros(len(left.person), np.int64)
    worlds[left.order] = np.repeat(totals, np.diff(left.parts))
    mine = left.value == truth[left.person][left.owner]
    true = np.zeros(len(left.person), np.int64)
    true[left.owner[mine]] = ways[mine]
    done = np.flatnonzero(worlds)
    people, true, worlds = left.person[done], true[done], worlds[done]
    common = np.gcd(true, worlds)
    share, reduced = (true // common) / (worlds // common), worlds // common  # at most three roundings
    whole = ((reduced & (reduced - 1)) == 0) & (reduced < 1 << 53)  # a power of two below: none
    low[people] = np.where(whole, share, share * (1 - 2.0**-50))
    high[people] = np.where(whole, share, np.minimum(share * (1 + 2.0**-50), 1.0))
    counted[people] = True
    exact.update((p, Fraction(t, w)) for p, t, w in zip(people.tolist(), true.tolist(), worlds.tolist(), strict=True))


def _search(left: Choices, status: Status, deadline: float) -> None:
    state, part = begin(left), 0
    while part < len(left.parts) - 1 and time.monotonic() < deadline:
        part = decide(left, state, status, part, _TRIES, _STEPS)
        if part < 0:
            raise NoWorld("no assignment of values fits all releases and what is known")


def _is_world(left: Choices, words: Words, truth: Small) -> bool:
    """Whether the true values are among those left, and take no seat too often."""
    if not holds(words, np.arange(len(words)), truth).all():
        return False
    taken = np.flatnonzero(left.value == truth[left.person][left.owner])
    used = np.repeat(np.isin(np.arange(len(left.value)), taken, assume_unique=True), np.diff(left.use_offsets))
    return bool(np.all(np.bincount(left.uses[used], minlength=len(left.left)) <= left.left))


def _bound(
    left: Choices,
    status: Status,
    people: list[int],
    truth: Small,
    low: NDArray[np.float64],
    high: NDArray[np.float64],
) -> None:
    """Bounds by exchange, for people whose part was not counted. Alone of one's kind, it says nothing."""
    _, same, often = np.unique(_kinds(left, status)[people], return_inverse=True, return_counts=True)
    people = [q for q, several in zip(people, (often[same] > 1).tolist(), strict=True) if several]
    start, uses, value, gone = left.use_offsets.tolist(), left.uses.tolist(), left.value.tolist(), status == EXCLUDED
    alike = {
        q: tuple((value[x], tuple(uses[start[x] : start[x + 1]])) for x in left.literals(q) if not gone[x])
        for q in people
    }
    size = Counter(alike.values())
    limits = {
        kind: {v: min([Fraction(int(left.left[s]), many) for s in seats], default=Fraction(1)) for v, seats in kind}
        for kind, many in size.items()
    }
    for q in people:
        most = limits[alike[q]]
        p = int(left.person[q])
        own = min(most.get(int(truth[p]), Fraction(0)), Fraction(1))
        rest = sum((min(x, Fraction(1)) for v, x in most.items() if v != truth[p]), Fraction(0))
        high[p] = min(high[p], _up(own))
        low[p] = max(low[p], _down(max(Fraction(0), 1 - rest)))


def _kinds(left: Choices, status: Status) -> NDArray[np.uint64]:
    """A number for each open person, the same for people with the same literals and seats (and rarely for others)."""
    of_seat = np.random.default_rng(0).integers(0, 2**63, len(left.left), np.uint64)
    literal = _sums(of_seat[left.uses], left.use_offsets) + left.value.astype(np.uint64) * np.uint64(_ODD)
    literal = (literal ^ (literal >> np.uint64(29))) * np.uint64(_ODD)
    literal[status == EXCLUDED] = 0
    return _sums(literal, left.offsets)


def _sums(numbers: NDArray[np.uint64], offsets: Ints) -> NDArray[np.uint64]:
    """Sums between offsets, modulo 2^64."""
    total = np.concatenate([np.zeros(1, np.uint64), np.cumsum(numbers, dtype=np.uint64)])
    return np.asarray(total[offsets[1:]] - total[offsets[:-1]], np.uint64)


def _down(x: Fraction) -> float:
    near = float(x)
    return near if Fraction(near) <= x else float(np.nextafter(near, 0.0))


def _up(x: Fraction) -> float:
    near = float(x)
    return near if Fraction(near) >= x else float(np.nextafter(near, 2.0))
