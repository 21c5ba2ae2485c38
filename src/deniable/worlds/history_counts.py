"""How many worlds give each open person each value: exact, part by part.

Parts are independent and a world counts once, whatever its counterfeits. Within a part people choose one after the
other; the state is how many copies are left of the seats that somebody still to come may use. With F the ways to
reach a state and B the ways to go on from it, p(literal) = sum over states of F * B behind the literal / all worlds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from deniable.worlds.history_choices import Choices
from deniable.worlds.history_search import EXCLUDED, Status

Shape = tuple[tuple[tuple[tuple[int, ...], ...], ...], tuple[int, ...]]  # each person's literals' seats; copies


@dataclass(frozen=True)
class _Step:
    """One person's turn: what each literal needs and takes from the state, and what is forgotten afterwards."""

    options: tuple[tuple[tuple[int, ...], int], ...]  # fields that must not be empty; their units
    kept: int

    def after(self, state: int, option: int, fields: Sequence[int]) -> int:
        """The next state, or -1 if a seat is full."""
        needs, units = self.options[option]
        for seat in needs:
            if not state & fields[seat]:
                return -1
        return (state - units) & self.kept


def shares(
    chosen_from: Choices, status: Status, part: int, states: int, cache: dict[Shape, list[list[Fraction]]]
) -> dict[int, Fraction] | None:
    """The share of worlds in which each literal of a part holds; None if there are more states than this in all."""
    people = chosen_from.members(part)  # neighbours near each other, so that few seats are open at a time
    literals = [[x for x in chosen_from.literals(q) if status[x] != EXCLUDED] for q in people]
    number: dict[int, int] = {}
    shape = tuple(
        tuple(tuple(number.setdefault(s, len(number)) for s in chosen_from.seats(x)) for x in own) for own in literals
    )
    key = shape, tuple(int(chosen_from.left[s]) for s in number)
    if key not in cache:
        counted = _count(key, states)
        if counted is None:
            return None
        cache[key] = counted
    return {
        x: share for own, found in zip(literals, cache[key], strict=True) for x, share in zip(own, found, strict=True)
    }


def _count(shape: Shape, states: int) -> list[list[Fraction]] | None:
    people, copies = shape
    fields, units, start, at = [], [], 0, 0
    for left in copies:
        width = left.bit_length()
        fields.append(((1 << width) - 1) << at)
        units.append(1 << at)
        start |= left << at
        at += width
    steps = _steps(people, fields, units)
    forward: list[dict[int, int]] = [{start: 1}]
    for step in steps:
        reached: dict[int, int] = {}
        for state, ways in forward[-1].items():
            for option in range(len(step.options)):
                after = step.after(state, option, fields)
                if after >= 0:
                    reached[after] = reached.get(after, 0) + ways
        states -= len(reached)
        if states < 0:
            return None
        forward.append(reached)
    return _back(steps, forward, fields)


def _back(steps: Sequence[_Step], forward: list[dict[int, int]], fields: Sequence[int]) -> list[list[Fraction]]:
    total = sum(forward[-1].values())
    behind = dict.fromkeys(forward[-1], 1)
    found: list[list[Fraction]] = []
    for step, states in zip(reversed(steps), reversed(forward[:-1]), strict=True):
        ways_of, here = [0] * len(step.options), {}
        for state, ways in states.items():
            on = [behind.get(step.after(state, option, fields), 0) for option in range(len(step.options))]
            here[state] = sum(on)
            ways_of = [w + ways * o for w, o in zip(ways_of, on, strict=True)]
        behind = here
        found.append([Fraction(w, total) for w in ways_of])
    return found[::-1]


def _steps(people: Sequence[Sequence[Sequence[int]]], fields: Sequence[int], units: Sequence[int]) -> list[_Step]:
    last = {seat: turn for turn, own in enumerate(people) for seats in own for seat in seats}
    kept = sum(fields)
    steps = []
    for turn, own in enumerate(people):
        kept &= ~sum(fields[seat] for seat, end in last.items() if end == turn)
        steps.append(_Step(tuple((tuple(seats), sum(units[s] for s in seats)) for seats in own), kept))
    return steps
