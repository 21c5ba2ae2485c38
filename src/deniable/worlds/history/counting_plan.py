"""How a part of a history is counted: which values are alike, who chooses when, and where a state keeps each seat.

Two values are alike when the same people may have them and every seat of one has its counterpart in the same group
with as many copies left: exchanging them maps worlds to worlds, so everybody is equally likely to have either. A state
is one column of copies left for each value; columns of values that are alike may be sorted. Everything is exact.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from deniable.worlds.arrays import Bools, Int32s, Int64s
from deniable.worlds.history.choices import Choices

PEOPLE, VALUES = 400, 64  # in a part that is counted
_BITS = 62  # of a column


class CountingPlan(NamedTuple):
    """Room for the plan of one part at a time. Values are numbered by class: those alike are neighbours."""

    number: Int32s  # of each value in the part, or -1
    starts: Int64s  # of each numbered value's literals
    literals: Int32s
    kind: Int32s  # class of each numbered value
    first: Int64s  # where each class starts among the columns
    sizes: Int64s  # [people, values, classes]
    order: Int32s  # people, by turn
    takes: Int64s  # units that a turn takes from the column of a class; -1: the person has no such value
    adds: Int64s  # added to a column, it carries into all of `guards` if no seat is empty
    guards: Int64s
    opened: Int64s  # copies of seats first used in a turn
    closed: Int64s  # fields of seats last used in a turn
    early: Int32s  # of each seat: its first turn
    late: Int32s
    ends: Int32s  # of each group: its last turn
    width: Int32s
    at: Int32s  # bit at which the group's field starts, or -1
    begins: Int32s  # its first turn, for the sampler
    active: Bools  # seats that count; the sampler leaves some out


def room(choices: Choices) -> CountingPlan:
    """Room for any part; all seats count."""
    seats, groups = len(choices.left), int(choices.group.max(initial=-1)) + 1
    values = int(choices.value.max(initial=-1)) + 1
    takes, adds, guards, opened, closed = np.zeros((5, PEOPLE, VALUES), np.int64)
    ends, width, at, begins = np.zeros((4, groups), np.int32)
    literals = int(np.bincount(choices.part[choices.owner]).max(initial=0))
    return CountingPlan(
        np.full(values, -1, np.int32),
        np.zeros(VALUES + 2, np.int64),
        np.zeros(literals, np.int32),
        np.zeros(VALUES + 1, np.int32),
        np.zeros(VALUES + 1, np.int64),
        np.zeros(3, np.int64),
        np.zeros(PEOPLE, np.int32),
        takes,
        adds,
        guards,
        opened,
        closed,
        np.zeros(seats, np.int32),
        np.zeros(seats, np.int32),
        ends,
        width,
        at,
        begins,
        np.ones(seats, np.bool_),
    )


@njit(cache=True)
def _numbered(c, first, last, plan):  # type: ignore[no-untyped-def]
    """Number the values of a part and list their literals; how many values, VALUES + 1 if too many."""
    many = 0
    for turn in range(first, last):
        q = c.order[turn]
        for x in range(c.offsets[q], c.offsets[q + 1]):
            v = c.value[x]
            if plan.number[v] < 0:
                if many == VALUES:
                    return VALUES + 1
                plan.number[v] = many
                plan.starts[many + 1] = 0
                many += 1
            plan.starts[plan.number[v] + 1] += 1
    plan.starts[0] = 0
    for k in range(many):
        plan.starts[k + 1] += plan.starts[k]
    filled = plan.starts[:many].copy()
    for turn in range(first, last):
        q = c.order[turn]
        for x in range(c.offsets[q], c.offsets[q + 1]):
            k = plan.number[c.value[x]]
            plan.literals[filled[k]] = x
            filled[k] += 1
    return many


@njit(cache=True)
def _alike(c, k, other, plan):  # type: ignore[no-untyped-def]
    """Whether two numbered values are had by the same people, from seats in the same groups with the same copies."""
    if plan.starts[k + 1] - plan.starts[k] != plan.starts[other + 1] - plan.starts[other]:
        return False
    for i in range(plan.starts[k + 1] - plan.starts[k]):
        x, y = plan.literals[plan.starts[k] + i], plan.literals[plan.starts[other] + i]
        if c.owner[x] != c.owner[y]:
            return False
        a, b = c.use_offsets[x], c.use_offsets[y]
        while True:
            while a < c.use_offsets[x + 1] and not plan.active[c.uses[a]]:
                a += 1
            while b < c.use_offsets[y + 1] and not plan.active[c.uses[b]]:
                b += 1
            if a == c.use_offsets[x + 1] or b == c.use_offsets[y + 1]:
                break
            s, t = c.uses[a], c.uses[b]
            if c.group[s] != c.group[t] or c.left[s] != c.left[t]:
                return False
            a, b = a + 1, b + 1
        if a < c.use_offsets[x + 1] or b < c.use_offsets[y + 1]:
            return False
    return True


@njit(cache=True)
def forget(c, first, last, plan):  # type: ignore[no-untyped-def]
    """Clean up behind `classify`."""
    for turn in range(first, last):
        q = c.order[turn]
        for x in range(c.offsets[q], c.offsets[q + 1]):
            plan.number[c.value[x]] = -1


@njit(cache=True)
def classify(c, first, last, plan):  # type: ignore[no-untyped-def]
    """Number the values of a part by class; False if there are too many. To be followed by `forget`."""
    many = _numbered(c, first, last, plan)
    if many > VALUES:
        return False
    kind, leader = np.full(many, -1, np.int64), np.empty(many, np.int64)
    classes = 0
    for k in range(many):
        for a in range(classes):
            if _alike(c, leader[a], k, plan):
                kind[k] = a
                break
        if kind[k] < 0:
            kind[k], leader[classes] = classes, k
            classes += 1
    old, lists = plan.starts[: many + 1].copy(), plan.literals[: plan.starts[many]].copy()
    place, filled = 0, 0
    for a in range(classes):
        plan.first[a] = place
        for k in range(many):
            if kind[k] == a:
                plan.kind[place] = a
                plan.starts[place] = filled
                plan.number[c.value[lists[old[k]]]] = place
                for i in range(old[k], old[k + 1]):
                    plan.literals[filled] = lists[i]
                    filled += 1
                place += 1
    plan.first[classes], plan.starts[many] = place, filled
    plan.sizes[0], plan.sizes[1], plan.sizes[2] = last - first, many, classes
    return True


@njit(cache=True)
def spread(c, parts, plan, status):  # type: ignore[no-untyped-def]
    """What is decided (status > 0) of somebody's one value is so of their values that are alike."""
    for part in parts:
        if classify(c, c.parts[part], c.parts[part + 1], plan):
            for k in range(plan.sizes[1]):
                leader = plan.first[plan.kind[k]]
                for i in range(plan.starts[k + 1] - plan.starts[k]):
                    x, y = plan.literals[plan.starts[leader] + i], plan.literals[plan.starts[k] + i]
                    status[x] = max(status[x], status[y])
            for k in range(plan.sizes[1]):
                leader = plan.first[plan.kind[k]]
                for i in range(plan.starts[k + 1] - plan.starts[k]):
                    status[plan.literals[plan.starts[k] + i]] = status[plan.literals[plan.starts[leader] + i]]
        forget(c, c.parts[part], c.parts[part + 1], plan)


@njit(cache=True)
def _arrange(c, first, last, by_arrival, plan):  # type: ignore[no-untyped-def]
    """Who came first chooses first, and of those who leaves first: by the first and the last group; or as parts are."""
    n = last - first
    plan.order[:n] = c.order[first:last]
    if not by_arrival:
        return
    keys = np.zeros(n, np.int64)
    for turn in range(n):
        q = plan.order[turn]
        low, high = np.int64(1 << 30), np.int64(0)
        for i in range(c.use_offsets[c.offsets[q]], c.use_offsets[c.offsets[q + 1]]):
            g = np.int64(c.group[c.uses[i]])
            low, high = min(low, g), max(high, g)
        keys[turn] = (low << 31) | high
    plan.order[:n] = plan.order[:n][np.argsort(keys, kind="mergesort")]


@njit(cache=True)
def _field(used, wide):  # type: ignore[no-untyped-def]
    """The lowest place for so many bits among those not used; -1: none."""
    mask = (np.int64(1) << wide) - 1
    for at in range(_BITS - wide + 1):
        if not used & (mask << at):
            return at
    return -1


@njit(cache=True)
def _turn(c, q, turn, plan):  # type: ignore[no-untyped-def]
    """What one person's choice does to the columns, class by class: read off one value of each."""
    plan.opened[turn, : plan.sizes[2]] = plan.closed[turn, : plan.sizes[2]] = 0
    for x in range(c.offsets[q], c.offsets[q + 1]):
        a = plan.kind[plan.number[c.value[x]]]
        if plan.first[a] != plan.number[c.value[x]]:
            continue
        plan.takes[turn, a] = plan.adds[turn, a] = plan.guards[turn, a] = 0
        for i in range(c.use_offsets[x], c.use_offsets[x + 1]):
            seat = c.uses[i]
            if not plan.active[seat]:
                continue
            at, wide = plan.at[c.group[seat]], plan.width[c.group[seat]]
            field = ((np.int64(1) << wide) - 1) << at
            plan.takes[turn, a] += np.int64(1) << at
            plan.adds[turn, a] += ((np.int64(1) << (wide - 1)) - 1) << at
            plan.guards[turn, a] += np.int64(1) << (at + wide - 1)
            if plan.early[seat] == turn:
                plan.opened[turn, a] += np.int64(c.left[seat]) << at
            if plan.late[seat] == turn:
                plan.closed[turn, a] |= field


@njit(cache=True)
def _turns(c, plan):  # type: ignore[no-untyped-def]
    """First and last turns of seats, last turns of groups, and how many bits the field of a group needs."""
    for turn in range(plan.sizes[0]):
        q = plan.order[turn]
        for i in range(c.use_offsets[c.offsets[q]], c.use_offsets[c.offsets[q + 1]]):
            plan.early[c.uses[i]] = plan.at[c.group[c.uses[i]]] = -1
            plan.width[c.group[c.uses[i]]] = 0
    for turn in range(plan.sizes[0]):
        q = plan.order[turn]
        for i in range(c.use_offsets[c.offsets[q]], c.use_offsets[c.offsets[q + 1]]):
            seat, g = c.uses[i], c.group[c.uses[i]]
            if not plan.active[seat]:
                continue
            if plan.early[seat] < 0:
                plan.early[seat] = turn
            plan.late[seat] = plan.ends[g] = turn
            wide = 1
            while c.left[seat] >> wide:
                wide += 1
            plan.width[g] = max(plan.width[g], wide + 1)


@njit(cache=True)
def lay_out(c, first, last, by_arrival, plan):  # type: ignore[no-untyped-def]
    """Order the people of a classified part and give the open groups places in the columns; False: they do not fit."""
    _arrange(c, first, last, by_arrival, plan)
    _turns(c, plan)
    plan.takes[: last - first, : plan.sizes[2]] = -1
    used = np.int64(0)
    for turn in range(last - first):
        q = plan.order[turn]
        start, end = c.use_offsets[c.offsets[q]], c.use_offsets[c.offsets[q + 1]]
        for i in range(start, end):
            g = c.group[c.uses[i]]
            if plan.active[c.uses[i]] and plan.at[g] < 0:
                plan.at[g] = _field(used, plan.width[g])
                if plan.at[g] < 0:
                    return False
                used |= ((np.int64(1) << plan.width[g]) - 1) << plan.at[g]
        _turn(c, q, turn, plan)
        for i in range(start, end):
            g = c.group[c.uses[i]]
            if plan.active[c.uses[i]] and plan.ends[g] == turn:
                used &= ~(((np.int64(1) << plan.width[g]) - 1) << plan.at[g])
    return True
