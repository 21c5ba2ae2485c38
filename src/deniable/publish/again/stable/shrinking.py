"""Rounds of ghosts that are given up, by a group alone or by groups that merge for it, compiled.

A round is a ghost of each value, so what is told is that these people have each value once. A group goes on as the line
of one part that lost n seats; it keeps n of those who came last, who are thus n newcomers to every earlier state of the
line. Any other part, of k copies, bears K copies if n people are not of it, and if max(j, 1) + K - k >= n where it
lost j < n seats: the group's floor, which stands, as what a part lost only grows (docs/theory/stable.md, "What is
proved").
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from deniable.publish.again.stable.merging import Boxes, in_order, widening
from deniable.publish.again.stable.refilling import GHOST, SHED, SeatPlaces
from deniable.publish.again.stable.seats import Seats
from deniable.worlds.arrays import Int64s

_LOOKED_AT = 24  # groups of the signature that are compared for the next part of a run


@njit(cache=True)
def fewest(copies, size, lost, n):  # type: ignore[no-untyped-def]
    """The fewest copies of a whole that a part of so many copies of `size` values, which lost some seats, can bear."""
    if lost < n:
        return copies + n - max(lost, 1)  # whoever loses none now may lose one later
    return copies - (lost - n) // size


@njit(cache=True)
def _lines(starts, sizes, root, row, before, n):  # type: ignore[no-untyped-def]
    """For each root the part that goes on as its line, -1 if none; for each group what it needs as any other part.

    Of the parts that lost n seats it is the one that needs most copies. Groups that do not merge go on and need none.
    """
    line, needs, lost = np.full(len(root), -1), np.zeros(len(root), np.int64), np.zeros(len(root), np.int64)
    parts = np.bincount(root[root >= 0], minlength=len(root))
    for g in range(len(root)):
        if root[g] < 0 or parts[root[g]] == 1:
            line[g] = g
            continue
        first, last = starts[g], starts[g + 1]
        lost[g] = np.count_nonzero(row[first:last] != before[first:last])
        needs[g] = fewest((last - first) // sizes[g], sizes[g], lost[g], n)
        if lost[g] >= n and (line[root[g]] < 0 or needs[g] > needs[line[root[g]]]):
            line[root[g]] = g
    return line, needs


@njit(cache=True)
def limits(starts, sizes, root, row, before, floor, fresh, n):  # type: ignore[no-untyped-def]
    """The floor of each root after these merges, and the fresh seats; `sizes`: of each group's signature."""
    line, needs = _lines(starts, sizes, root, row, before, n)
    joined = (row >= 0) & (row != before)
    old, floor, fresh = floor, floor.copy(), fresh.copy()
    for g in range(len(root)):
        r, first, last = root[g], starts[g], starts[g + 1]
        if r < 0:
            continue
        is_line = line[r] == g
        floor[r] = max(floor[r], old[g], 0 if is_line else needs[g])
        if needs[g] > 0 or joined[first:last].any():
            for seat in range(first, last):
                fresh[seat] = line[r] >= 0 and (joined[seat] or not is_line)
    return floor, fresh


@njit(cache=True)
def _ghosts(run, places, fresh, n):  # type: ignore[no-untyped-def]
    """The ghosts of a run of groups that may be given up, in random order.

    A group alone keeps n of those who came last: of their ghosts only so many are here, whatever their values are.
    """
    room = 0
    for g in run:
        room += places.starts[g + 1] - places.starts[g]
    seats, found, spare = np.empty(room, np.int64), 0, -n
    for g in run:
        for seat in range(places.starts[g], places.starts[g + 1]):
            spare += fresh[seat]
            if places.row[seat] == GHOST:
                seats[found] = seat
                found += 1
    seats = seats[:found]
    seats = seats[np.argsort(places.lots[seats])]
    if len(run) > 1:
        return seats
    kept = 0
    for i in range(found):
        seat = seats[i]
        if fresh[seat]:
            spare -= 1
        if not fresh[seat] or spare >= 0:
            seats[kept] = seat
            kept += 1
    return seats[:kept]


@njit(cache=True)
def _tally(waiting, places, fresh, values, value_starts, signature, n):  # type: ignore[no-untyped-def]
    """How many ghosts of each value of the signature each waiting group has, and may give up alone."""
    most = 0
    for g in waiting:
        most = max(most, value_starts[signature[g] + 1] - value_starts[signature[g]])
    together, alone = np.zeros((len(waiting), most), np.int64), np.zeros((len(waiting), most), np.int64)
    at = np.zeros(values.max() + 1, np.int64)
    for i in range(len(waiting)):
        g = waiting[i]
        first = value_starts[signature[g]]
        for p in range(first, value_starts[signature[g] + 1]):
            at[values[p]] = p - first
        for seat in range(places.starts[g], places.starts[g + 1]):
            if places.row[seat] == GHOST:
                together[i, at[places.values[seat]]] += 1
        for seat in _ghosts(waiting[i : i + 1], places, fresh, n):
            alone[i, at[places.values[seat]]] += 1
    return together, alone


@njit(cache=True)
def _next_part(i, is_free, waiting, signature, size, spare, people, together, alive):  # type: ignore[no-untyped-def]
    """Which of the free groups after i leaves the least share of ghosts with the run, if all rounds are given up."""
    best, found, seen = np.inf, -1, 0
    for j in range(i + 1, len(waiting)):
        if seen == _LOOKED_AT or signature[waiting[j]] != signature[waiting[i]]:
            break
        if not is_free[j]:
            continue
        seen += 1
        least, total = spare[0] + together[j, 0], 0
        for p in range(size):
            least = min(least, spare[p] + together[j, p])
            total += spare[p] + together[j, p]
        left = total - size * least
        share = left / (left + people + alive[j])
        if share < best:
            best, found = share, j
    return found


@njit(cache=True)
def _share(spare, size, rounds, people):  # type: ignore[no-untyped-def]
    """The share of ghosts after so many rounds were given up."""
    left = spare[:size].sum() - size * rounds
    return left / (left + people)


@njit(cache=True)
def _plan(i, run, is_free, waiting, signature, size, tallies, copies, floor, n, cap, target):  # type: ignore[no-untyped-def]
    """Gather a run for group i (places into run): how many groups, how many rounds they can give up, 0 if none."""
    together, alone, alive = tallies
    g = waiting[i]
    run[0], count, rounds = i, 1, min(alone[i, :size].min(), copies[g] - floor[g])
    best, best_count, best_rounds = np.inf, 1, 0
    if rounds > 0:
        best, best_rounds = _share(together[i], size, rounds, alive[i]), rounds
    spare, people, whole = together[i].copy(), alive[i], copies[g]
    bound = max(floor[g], fewest(copies[g], size, together[i].sum(), n))
    while is_free[i] and best > target and whole - spare[:size].min() <= cap:
        j = _next_part(i, is_free, waiting, signature, size, spare, people, together, alive)
        if j < 0:
            break
        run[count], is_free[j], h = j, False, waiting[j]
        count += 1
        spare += together[j]
        people, whole = people + alive[j], whole + copies[h]
        bound = max(bound, floor[h], fewest(copies[h], size, together[j].sum(), n))
        rounds = min(spare[:size].min(), whole - bound)
        if rounds > 0 and _share(spare, size, rounds, people) < best:
            best, best_count, best_rounds = _share(spare, size, rounds, people), count, rounds
    for c in range(1, count):
        is_free[run[c]] = c >= best_count or best_rounds == 0
    return best_count, best_rounds


@njit(cache=True)
def _plans(waiting, places, fresh, may_merge, signature, values, value_starts, copies, floor, n, cap, target):  # type: ignore[no-untyped-def]
    """Runs of groups that can give up rounds of ghosts: (run starts, groups, rounds), neighbours of one signature.

    A run gets longer until the share of ghosts that it is left with is at most `target`, or it would have more copies
    than `cap`; each time the near group is added that has ghosts of the values that the others have few of.
    """
    together, alone = _tally(waiting, places, fresh, values, value_starts, signature, n)
    alive, is_free = np.empty(len(waiting), np.int64), np.empty(len(waiting), np.bool_)
    for i in range(len(waiting)):
        g = waiting[i]
        alive[i] = np.count_nonzero(places.row[places.starts[g] : places.starts[g + 1]] >= 0)
        is_free[i] = may_merge[g]
    starts, groups, rounds = [0], np.empty(len(waiting), np.int64), [0]
    run, done = np.empty(len(waiting), np.int64), np.zeros(len(waiting), np.bool_)
    for i in range(len(waiting)):
        if done[i]:
            continue
        size = value_starts[signature[waiting[i]] + 1] - value_starts[signature[waiting[i]]]
        count, given = _plan(
            i, run, is_free, waiting, signature, size, (together, alone, alive), copies, floor, n, cap, target
        )
        is_free[i], done[i] = False, True
        if given == 0:
            continue
        for c in range(count):
            groups[starts[-1] + c] = waiting[run[c]]
            done[run[c]] = True
        starts.append(starts[-1] + count)
        rounds.append(given)
    return np.array(starts), groups[: starts[-1]].copy(), np.array(rounds)[1:]


@njit(cache=True)
def _give_up(run, seats, places, size, floor, rounds, n):  # type: ignore[no-untyped-def]
    """Give up so many ghosts of each value, the first of `seats`; only if each part can bear the copies left."""
    need = np.full(places.values.max() + 1, rounds, np.int64)
    for seat in seats:
        if need[places.values[seat]] > 0:
            need[places.values[seat]] -= 1
            places.row[seat] = SHED
    left, bound = 0, 1
    for g in run:
        first, last = places.starts[g], places.starts[g + 1]
        lost = np.count_nonzero(places.row[first:last] == SHED)
        left += last - first - lost
        bound = max(bound, floor[g], fewest((last - first) // size, size, lost, n) if len(run) > 1 else 1)
    if left >= bound * size:
        return True
    for seat in seats:
        places.row[seat] = GHOST
    return False


@njit(cache=True)
def _carry_out(starts, groups, rounds, places, fresh, sizes, floor, n, wanted, root):  # type: ignore[no-untyped-def]
    """Give up rounds, run by run, until `wanted` seats are, and merge the groups of a run; sets root and places.row."""
    given = 0
    for r in range(len(rounds)):
        if given >= wanted:
            break
        run = groups[starts[r] : starts[r + 1]]
        size = sizes[run[0]]
        seats = _ghosts(run, places, fresh, n)
        for some in range(min(rounds[r], (wanted - given + size - 1) // size), 0, -1):
            if _give_up(run, seats, places, size, floor, some, n):
                root[run] = run[0]
                given += some * size
                break


class Terms(NamedTuple):
    """How ghosts are given up: n of hc-safety, and how many ghosts are wanted.

    A run of groups may be left with `cap` copies of a value, and gets longer until its share of ghosts is `at_most`.
    """

    n: int
    cap: int
    at_most: float
    wanted: int


def give_up(
    waiting: Int64s, places: SeatPlaces, seats: Seats, copies: Int64s, near: Boxes, root: Int64s, terms: Terms
) -> None:
    """Give up ghosts in rounds if that can be, those first that widen rows least; sets places.row and root."""
    sets, sizes = seats.signatures, seats.signatures.sizes()[seats.signature]
    starts, groups, rounds = _plans(
        waiting, places, seats.fresh, ~seats.foreign, seats.signature, sets.values, sets.starts, copies, seats.floor,
        terms.n, terms.cap, terms.at_most,
    )  # fmt: skip
    if len(rounds):
        cost = widening(starts, groups, copies, *near) / (rounds * sizes[groups[starts[:-1]]])
        starts, groups, order = in_order(starts, groups, cost)
        _carry_out(starts, groups, rounds[order], places, seats.fresh, sizes, seats.floor, terms.n, terms.wanted, root)
