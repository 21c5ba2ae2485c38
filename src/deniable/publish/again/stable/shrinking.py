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

from deniable.kernels import kernel
from deniable.publish.again.stable.merging import Boxes, in_order, widening
from deniable.publish.again.stable.refilling import GHOST, SHED, SeatPlaces, insert
from deniable.publish.again.stable.seats import Seats
from deniable.worlds.arrays import Bools, Int64s, first_from

_LOOKED_AT = 24  # groups of the signature that are compared for the next part of a run


@kernel()
def fewest(copies, size, lost, n):  # type: ignore[no-untyped-def]
    """The fewest copies of a whole that a part of so many copies of `size` values, which lost some seats, can bear."""
    if lost < n:
        return copies + n - max(lost, 1)  # whoever loses none now may lose one later
    return copies - (lost - n) // size


def limits(
    starts: Int64s, sizes: Int64s, root: Int64s, row: Int64s, before: Int64s, floor: Int64s, fresh: Bools, n: int
) -> tuple[Int64s, Bools]:
    """The floor of each root after these merges, and the fresh seats; `sizes`: of each group's signature."""
    old, floor, fresh = floor, floor.copy(), fresh.copy()
    parts = np.bincount(root[root >= 0], minlength=len(root))
    if parts.max(initial=0) > 1 or (row != before).any():
        line, needs = np.full(len(root), -1, np.int64), np.zeros(len(root), np.int64)
        _limit(starts, sizes, root, parts, row, before, n, line, needs, old, floor, fresh)
    return floor, fresh


@kernel()
def _limit(starts, sizes, root, parts, row, before, n, line, needs, old, floor, fresh):  # type: ignore[no-untyped-def]
    """Raise the floor of each root, and note who is fresh; `line` is -1 and `needs` 0 before."""
    _lines(starts, sizes, root, parts, row, before, n, line, needs)
    for g in range(len(root)):
        r, first, last = root[g], starts[g], starts[g + 1]
        if r < 0:
            continue
        is_line = line[r] == g
        floor[r] = max(floor[r], old[g], 0 if is_line else needs[g])
        is_new = needs[g] > 0
        for seat in range(first, last):
            is_new = is_new or _has_joined(row[seat], before[seat])
        if is_new:
            for seat in range(first, last):
                fresh[seat] = line[r] >= 0 and (not is_line or _has_joined(row[seat], before[seat]))


@kernel()
def _has_joined(row, before):  # type: ignore[no-untyped-def]
    """Whether a newcomer has the seat."""
    return row >= 0 and row != before


@kernel()
def _lines(starts, sizes, root, parts, row, before, n, line, needs):  # type: ignore[no-untyped-def]
    """For each root the part that goes on as its line, -1 if none; for each group what it needs as any other part.

    Of the parts that lost n seats it is the one that needs most copies. Groups that do not merge go on and need none.
    """
    for g in range(len(root)):
        if root[g] < 0 or parts[root[g]] == 1:
            line[g] = g
            continue
        first, last, lost = starts[g], starts[g + 1], 0
        for seat in range(first, last):
            lost += int(row[seat] != before[seat])
        needs[g] = fewest((last - first) // sizes[g], sizes[g], lost, n)
        if lost >= n and (line[root[g]] < 0 or needs[g] > needs[line[root[g]]]):
            line[root[g]] = g


@kernel()
def _ghosts(first, last, groups, places, fresh, n, seats):  # type: ignore[no-untyped-def]
    """The ghosts of a run of groups that may be given up, in random order, written to `seats`; how many.

    A group alone keeps n of those who came last: of their ghosts only so many are here, whatever their values are.
    """
    found, spare = 0, -n
    for i in range(first, last):
        g = groups[i]
        for seat in range(places.starts[g], places.starts[g + 1]):
            spare += int(fresh[seat])
            if places.row[seat] == GHOST:
                insert(seat, places.lots, seats, found)
                found += 1
    if last - first > 1:
        return found
    kept = 0
    for i in range(found):
        seat = seats[i]
        if fresh[seat]:
            spare -= 1
        if not fresh[seat] or spare >= 0:
            seats[kept] = seat
            kept += 1
    return kept


class _Tallies(NamedTuple):
    """How many ghosts of each value of the signature each waiting group has, and may give up alone; its people."""

    together: Int64s
    alone: Int64s
    people: Int64s


@kernel()
def _tally(waiting, places, fresh, values, value_starts, signature, n, tallies, seats):  # type: ignore[no-untyped-def]
    """Count ghosts and people."""
    for i in range(len(waiting)):
        g = waiting[i]
        first, last = value_starts[signature[g]], value_starts[signature[g] + 1]
        for seat in range(places.starts[g], places.starts[g + 1]):
            if places.row[seat] == GHOST:
                tallies.together[i, _rank(values, first, last, places.values[seat])] += 1
            elif places.row[seat] >= 0:
                tallies.people[i] += 1
        for k in range(_ghosts(i, i + 1, waiting, places, fresh, n, seats)):
            tallies.alone[i, _rank(values, first, last, places.values[seats[k]])] += 1


@kernel()
def _rank(values, first, last, value):  # type: ignore[no-untyped-def]
    """Which of values[first:last], ascending, it is."""
    return first_from(values, first, last, value) - first


@kernel()
def _next_part(i, is_free, waiting, signature, size, spare, people, tallies):  # type: ignore[no-untyped-def]
    """Which of the free groups after i leaves the least share of ghosts with the run, if all rounds are given up."""
    best, found, seen = np.inf, -1, 0
    for j in range(i + 1, len(waiting)):
        if seen == _LOOKED_AT or signature[waiting[j]] != signature[waiting[i]]:
            break
        if not is_free[j]:
            continue
        seen += 1
        least, total = spare[0] + tallies.together[j, 0], 0
        for p in range(size):
            both = spare[p] + tallies.together[j, p]
            least = min(least, both)
            total += both
        share = _share(total, size, least, people + tallies.people[j])
        if share < best:
            best, found = share, j
    return found


@kernel()
def _share(ghosts, size, rounds, people):  # type: ignore[no-untyped-def]
    """The share of ghosts after so many rounds were given up."""
    left = ghosts - size * rounds
    return np.float64(left) / np.float64(left + people)


@kernel()
def _add(counts, j, size, spare):  # type: ignore[no-untyped-def]
    """Add counts[j] to `spare`; the least of the sums, their total, and what counts[j] has in all."""
    least, total, more = spare[0] + counts[j, 0], 0, 0
    for p in range(size):
        spare[p] += counts[j, p]
        least = min(least, spare[p])
        total += spare[p]
        more += counts[j, p]
    return least, total, more


@kernel()
def _plan(i, run, is_free, waiting, signature, size, tallies, spare, copies, floor, terms):  # type: ignore[no-untyped-def]
    """Gather a run for group i (places into run): how many groups, how many rounds they can give up, 0 if none."""
    g = waiting[i]
    for p in range(size):
        spare[p] = 0
    rounds = min(_add(tallies.alone, i, size, spare)[0], copies[g] - floor[g])
    for p in range(size):
        spare[p] = 0
    least, ghosts, lost = _add(tallies.together, i, size, spare)
    people, whole, count = tallies.people[i], copies[g], 1
    run[0], best, best_count, best_rounds = i, np.inf, 1, 0
    if rounds > 0:
        best, best_rounds = _share(ghosts, size, rounds, people), rounds
    bound = max(floor[g], fewest(copies[g], size, lost, terms.n))
    while is_free[i] and best > terms.at_most and whole - least <= terms.cap:
        j = _next_part(i, is_free, waiting, signature, size, spare, people, tallies)
        if j < 0:
            break
        run[count], is_free[j], h = j, False, waiting[j]
        count += 1
        least, ghosts, lost = _add(tallies.together, j, size, spare)
        people, whole = people + tallies.people[j], whole + copies[h]
        bound = max(bound, floor[h], fewest(copies[h], size, lost, terms.n))
        rounds = min(least, whole - bound)
        if rounds > 0 and _share(ghosts, size, rounds, people) < best:
            best, best_count, best_rounds = _share(ghosts, size, rounds, people), count, rounds
    for c in range(1, count):
        is_free[run[c]] = c >= best_count or best_rounds == 0
    return best_count, best_rounds


@kernel()
def _plans(waiting, places, fresh, is_free, signature, values, value_starts, copies, floor, terms, tallies, plans):  # type: ignore[no-untyped-def]
    """Runs of groups that can give up rounds of ghosts, neighbours of one signature, written to `plans`; how many.

    A run gets longer until the share of ghosts that it is left with is as wanted, or it would have more copies than may
    be; each time the near group is added that has ghosts of the values that the others have few of.
    """
    _tally(waiting, places, fresh, values, value_starts, signature, terms.n, tallies, plans.seats)
    run, spare = np.empty(len(waiting), np.int64), np.empty(tallies.together.shape[1], np.int64)
    done, found, filled = np.zeros(len(waiting), np.bool_), 0, 0
    for i in range(len(waiting)):
        if done[i]:
            continue
        size = value_starts[signature[waiting[i]] + 1] - value_starts[signature[waiting[i]]]
        count, given = _plan(i, run, is_free, waiting, signature, size, tallies, spare, copies, floor, terms)
        is_free[i], done[i] = False, True
        if given == 0:
            continue
        for c in range(count):
            plans.groups[filled] = waiting[run[c]]
            done[run[c]] = True
            filled += 1
        plans.rounds[found] = given
        found += 1
        plans.starts[found] = filled
    return found


@kernel()
def _give_up(first, last, groups, seats, found, places, size, floor, rounds, n, need):  # type: ignore[no-untyped-def]
    """Give up so many ghosts of each value, the first of `seats`; only if each part can bear the copies left."""
    for i in range(found):
        need[places.values[seats[i]]] = rounds
    for i in range(found):
        value = places.values[seats[i]]
        if need[value] > 0:
            need[value] -= 1
            places.row[seats[i]] = SHED
    left, bound = 0, 1
    for i in range(first, last):
        g, lost = groups[i], 0
        seats_of_g = places.starts[g + 1] - places.starts[g]
        for seat in range(places.starts[g], places.starts[g + 1]):
            lost += int(places.row[seat] == SHED)
        left += seats_of_g - lost
        bound = max(bound, floor[g], fewest(seats_of_g // size, size, lost, n) if last - first > 1 else 1)
    if left >= bound * size:
        return True
    for i in range(found):
        places.row[seats[i]] = GHOST
    return False


@kernel()
def _carry_out(plans, places, fresh, sizes, floor, n, wanted, need, root):  # type: ignore[no-untyped-def]
    """Give up rounds, run by run, until `wanted` seats are, and merge the groups of a run; sets root and places.row."""
    given, groups, seats = 0, plans.groups, plans.seats
    for r in range(len(plans.rounds)):
        if given >= wanted:
            break
        first, last = plans.starts[r], plans.starts[r + 1]
        size = sizes[groups[first]]
        found = _ghosts(first, last, groups, places, fresh, n, seats)
        for some in range(min(plans.rounds[r], (wanted - given + size - 1) // size), 0, -1):
            if _give_up(first, last, groups, seats, found, places, size, floor, some, n, need):
                for i in range(first, last):
                    root[groups[i]] = groups[first]
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


class _Plans(NamedTuple):
    """Run r is groups[starts[r]:starts[r + 1]] and gives up so many rounds of ghosts; `seats` is room for ghosts."""

    starts: Int64s
    groups: Int64s
    rounds: Int64s
    seats: Int64s


def give_up(
    waiting: Int64s, places: SeatPlaces, seats: Seats, copies: Int64s, near: Boxes, root: Int64s, terms: Terms
) -> None:
    """Give up ghosts in rounds if that can be, those first that widen rows least; sets places.row and root."""
    sets, sizes = seats.signatures, seats.signatures.sizes()[seats.signature]
    many, most = len(waiting), int(sizes[waiting].max(initial=0))
    tallies = _Tallies(np.zeros((many, most), np.int64), np.zeros((many, most), np.int64), np.zeros(many, np.int64))
    room = np.empty(len(places.row), np.int64)
    plans = _Plans(np.zeros(many + 1, np.int64), np.empty(many, np.int64), np.empty(many, np.int64), room)
    found = _plans(
        waiting, places, seats.fresh, ~seats.foreign[waiting], seats.signature, sets.values, sets.starts, copies,
        seats.floor, terms, tallies, plans,
    )  # fmt: skip
    if found:
        starts, rounds = plans.starts[: found + 1], plans.rounds[:found]
        cost = widening(starts, plans.groups, copies, *near) / (rounds * sizes[plans.groups[starts[:-1]]])
        starts, groups, order = in_order(starts, plans.groups, cost)
        need = np.zeros(int(places.values.max()) + 1, np.int64)
        plans = _Plans(starts, groups, rounds[order], room)
        _carry_out(plans, places, seats.fresh, sizes, seats.floor, terms.n, terms.wanted, need, root)
