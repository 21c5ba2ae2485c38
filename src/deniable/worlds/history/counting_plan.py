"""How a part of a history is counted: which values are alike, who chooses when, and where a state keeps each seat.

Two values are alike when the same people may have them and every seat of one has its counterpart in the same group
with as many copies left, and everybody's weights for them are equal: exchanging them maps worlds to worlds of the same
weight, so everybody is equally likely to have either. A state
is one column of copies left for each value; columns of values that are alike may be sorted. Everything is exact.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deniable.kernels import kernel
from deniable.worlds.arrays import Bools, Floats, Int64s
from deniable.worlds.history.choices import Choices

PEOPLE, VALUES = 400, 64  # in a part that is counted
_BITS = 62  # of a column


class CountingPlan(NamedTuple):
    """Room for the plan of one part at a time. Values are numbered by class: those alike are neighbours."""

    number: Int64s  # of each value in the part, or -1
    starts: Int64s  # of each numbered value's literals
    literals: Int64s
    before: Int64s  # the same while they are put in order: starts, literals, the class of each value, one of each class
    listed: Int64s
    kinds: Int64s
    leader: Int64s
    kind: Int64s  # class of each numbered value
    first: Int64s  # where each class starts among the columns
    sizes: Int64s  # [people, values, classes]
    order: Int64s  # people, by turn
    weights: Floats  # of a turn and a class: what the choice makes a world weigh
    takes: Int64s  # units that a turn takes from the column of a class; -1: the person has no such value
    adds: Int64s  # added to a column, it carries into all of `guards` if no seat is empty
    guards: Int64s
    opened: Int64s  # copies of seats first used in a turn
    closed: Int64s  # fields of seats last used in a turn
    early: Int64s  # of each seat: its first turn
    late: Int64s
    ends: Int64s  # of each group: its last turn
    width: Int64s
    at: Int64s  # bit at which the group's field starts, or -1
    begins: Int64s  # its first turn, for the sampler
    active: Bools  # seats that count; the sampler leaves some out


def room(choices: Choices) -> CountingPlan:
    """Room for any part; all seats count."""
    seats, groups = len(choices.left), int(choices.group.max(initial=-1)) + 1
    values = int(choices.value.max(initial=-1)) + 1
    literals = int(np.bincount(choices.part[choices.owner]).max(initial=0))
    starts, before, kinds, leader, kind, first = np.zeros((6, VALUES + 2), np.int64)
    listed = np.zeros((2, literals), np.int64)
    takes, adds, guards, opened, closed = np.zeros((5, PEOPLE, VALUES), np.int64)
    early, late = np.zeros((2, seats), np.int64)
    ends, width, at, begins = np.zeros((4, groups), np.int64)
    return CountingPlan(
        np.full(values, -1, np.int64),
        starts,
        listed[0],
        before,
        listed[1],
        kinds,
        leader,
        kind,
        first,
        np.zeros(3, np.int64),
        np.zeros(PEOPLE, np.int64),
        np.ones((PEOPLE, VALUES)),
        takes,
        adds,
        guards,
        opened,
        closed,
        early,
        late,
        ends,
        width,
        at,
        begins,
        np.ones(seats, np.bool_),
    )


@kernel()
def _numbered(c, first, last, plan):  # type: ignore[no-untyped-def]
    """Number the values of a part and list their literals; how many values, VALUES + 1 if too many."""
    order, offsets, value, number, starts, filled = c.order, c.offsets, c.value, plan.number, plan.before, plan.leader
    many = 0
    for turn in range(first, last):
        q = order[turn]
        for x in range(offsets[q], offsets[q + 1]):
            v = value[x]
            if number[v] < 0:
                if many == VALUES:
                    return VALUES + 1
                number[v] = many
                starts[many + 1] = 0
                many += 1
            starts[number[v] + 1] += 1
    starts[0] = 0
    for k in range(many):
        filled[k] = starts[k]
        starts[k + 1] += starts[k]
    for turn in range(first, last):
        q = order[turn]
        for x in range(offsets[q], offsets[q + 1]):
            k = number[value[x]]
            plan.listed[filled[k]] = x
            filled[k] += 1
    return many


@kernel()
def _alike(c, k, other, plan):  # type: ignore[no-untyped-def]
    """Whether two numbered values are had by the same people, equally likely beforehand, from seats in the same groups
    with the same copies."""
    use_offsets, uses, starts, active = c.use_offsets, c.uses, plan.before, plan.active
    if starts[k + 1] - starts[k] != starts[other + 1] - starts[other]:
        return False
    for i in range(starts[k + 1] - starts[k]):
        x, y = plan.listed[starts[k] + i], plan.listed[starts[other] + i]
        if c.owner[x] != c.owner[y] or c.weight[x] != c.weight[y]:
            return False
        a, b, end, stop = use_offsets[x], use_offsets[y], use_offsets[x + 1], use_offsets[y + 1]
        while True:
            while a < end and not active[uses[a]]:
                a += 1
            while b < stop and not active[uses[b]]:
                b += 1
            if a == end or b == stop:
                break
            s, t = uses[a], uses[b]
            if c.group[s] != c.group[t] or c.left[s] != c.left[t]:
                return False
            a, b = a + 1, b + 1
        if a < end or b < stop:
            return False
    return True


@kernel()
def forget(c, first, last, plan):  # type: ignore[no-untyped-def]
    """Clean up behind `classify`."""
    for turn in range(first, last):
        q = c.order[turn]
        for x in range(c.offsets[q], c.offsets[q + 1]):
            plan.number[c.value[x]] = -1


@kernel()
def classify(c, first, last, plan):  # type: ignore[no-untyped-def]
    """Number the values of a part by class; False if there are too many. To be followed by `forget`."""
    many = _numbered(c, first, last, plan)
    if many > VALUES:
        return False
    kinds, leader, before, listed = plan.kinds, plan.leader, plan.before, plan.listed
    classes = 0
    for k in range(many):
        a = 0
        while a < classes and not _alike(c, leader[a], k, plan):
            a += 1
        kinds[k] = a
        if a == classes:
            leader[a] = k
            classes += 1
    place, filled = 0, 0
    for a in range(classes):
        plan.first[a] = place
        for k in range(many):
            if kinds[k] == a:
                plan.kind[place] = a
                plan.starts[place] = filled
                plan.number[c.value[listed[before[k]]]] = place
                for i in range(before[k], before[k + 1]):
                    plan.literals[filled] = listed[i]
                    filled += 1
                place += 1
    plan.first[classes], plan.starts[many] = place, filled
    plan.sizes[0], plan.sizes[1], plan.sizes[2] = last - first, many, classes
    return True


@kernel()
def spread(c, parts, plan, status):  # type: ignore[no-untyped-def]
    """What is decided (status > 0) of somebody's one value is so of their values that are alike."""
    starts, literals = plan.starts, plan.literals
    for part in parts:
        first, last = c.parts[part], c.parts[part + 1]
        if classify(c, first, last, plan):
            for k in range(plan.sizes[1]):
                leader = starts[plan.first[plan.kind[k]]]
                for i in range(starts[k + 1] - starts[k]):
                    x = literals[leader + i]
                    status[x] = max(status[x], status[literals[starts[k] + i]])
            for k in range(plan.sizes[1]):
                leader = starts[plan.first[plan.kind[k]]]
                for i in range(starts[k + 1] - starts[k]):
                    status[literals[starts[k] + i]] = status[literals[leader + i]]
        forget(c, first, last, plan)


@kernel()
def _field(used, wide):  # type: ignore[no-untyped-def]
    """The lowest place for so many bits among those not used; -1: none."""
    mask = (np.int64(1) << wide) - 1
    for at in range(_BITS - wide + 1):
        if not used & (mask << at):
            return at
    return -1


@kernel()
def _turn(c, q, turn, plan):  # type: ignore[no-untyped-def]
    """What one person's choice does to the columns, class by class: read off one value of each."""
    for a in range(plan.sizes[2]):
        plan.takes[turn, a] = -1
        plan.opened[turn, a] = plan.closed[turn, a] = 0
    one = np.int64(1)
    for x in range(c.offsets[q], c.offsets[q + 1]):
        k = plan.number[c.value[x]]
        a = plan.kind[k]
        if plan.first[a] != k:
            continue
        plan.weights[turn, a] = c.weight[x]
        takes, adds, guards, opened, closed = 0, 0, 0, 0, 0
        for i in range(c.use_offsets[x], c.use_offsets[x + 1]):
            seat = c.uses[i]
            if not plan.active[seat]:
                continue
            g = c.group[seat]
            at, wide = plan.at[g], plan.width[g]
            takes += one << at
            adds += ((one << (wide - 1)) - 1) << at
            guards += one << (at + wide - 1)
            if plan.early[seat] == turn:
                opened += c.left[seat] << at
            if plan.late[seat] == turn:
                closed |= ((one << wide) - 1) << at
        plan.takes[turn, a], plan.adds[turn, a], plan.guards[turn, a] = takes, adds, guards
        plan.opened[turn, a], plan.closed[turn, a] = opened, closed


@kernel()
def _turns(c, plan):  # type: ignore[no-untyped-def]
    """First and last turns of seats, last turns of groups, and how many bits the field of a group needs."""
    offsets, use_offsets, uses, group, order = c.offsets, c.use_offsets, c.uses, c.group, plan.order
    for turn in range(plan.sizes[0]):
        q = order[turn]
        for i in range(use_offsets[offsets[q]], use_offsets[offsets[q + 1]]):
            plan.early[uses[i]] = plan.at[group[uses[i]]] = -1
            plan.width[group[uses[i]]] = 0
    for turn in range(plan.sizes[0]):
        q = order[turn]
        for i in range(use_offsets[offsets[q]], use_offsets[offsets[q + 1]]):
            seat = uses[i]
            if not plan.active[seat]:
                continue
            g = group[seat]
            if plan.early[seat] < 0:
                plan.early[seat] = turn
            plan.late[seat] = plan.ends[g] = turn
            wide = 1
            while c.left[seat] >> wide:
                wide += 1
            plan.width[g] = max(plan.width[g], wide + 1)


@kernel()
def lay_out(c, first, last, by_arrival, plan):  # type: ignore[no-untyped-def]
    """Order the people of a classified part and give the open groups places in the columns; False: they do not fit.

    Who came first chooses first, or else one after the other as parts are listed.
    """
    uses, group, active, at, width = c.uses, c.group, plan.active, plan.at, plan.width
    for turn in range(last - first):
        plan.order[turn] = c.arrival[first + turn] if by_arrival else c.order[first + turn]
    _turns(c, plan)
    used, one = np.int64(0), np.int64(1)
    for turn in range(last - first):
        q = plan.order[turn]
        start, end = c.use_offsets[c.offsets[q]], c.use_offsets[c.offsets[q + 1]]
        for i in range(start, end):
            g = group[uses[i]]
            if active[uses[i]] and at[g] < 0:
                at[g] = _field(used, width[g])
                if at[g] < 0:
                    return False
                used |= ((one << width[g]) - 1) << at[g]
        _turn(c, q, turn, plan)
        for i in range(start, end):
            g = group[uses[i]]
            if active[uses[i]] and plan.ends[g] == turn:
                used &= ~(((one << width[g]) - 1) << at[g])
    return True
