"""Groups with copies of a value, for an r that is no whole number.

A group of N people bears floor(N / r) copies of a value: with r = 2.5 five people may have two copies of each of two
values, and three people no second copy. Whoever is left over by a search for different values is put together with
others left over and with whole groups near by: first among people of equal signatures, for whom c / N is the
posterior, then among neighbours, at last among equals again, up to all groups of the cell, beyond which nothing can be
had there. What is proposed is kept only if the exact posterior passes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np

from deniable.publish.bucketize.proof import worst_of_all
from deniable.publish.bucketize.search_state import People, most_people, smallest_size
from deniable.worlds.arrays import Int32s, Int64s

_NEAR = 64  # cells around one, in the order of similarity, that are looked at
_COMPARED = 32  # groups that are compared before one is taken
_MOST = 400  # people with equal signatures in one group
_PROOFS = 8  # for one person
_FAILS = 200  # kinds of people without a place, after whom nobody else is looked at beyond their cell


@dataclass
class _Places:
    """Who is left, by cell and value, and which groups there are, by cell and number; cells in order of similarity."""

    people: People
    cells: Int64s
    limit: float
    fitted: bool
    left: dict[int, dict[int, list[int]]]
    groups: dict[int, dict[int, list[int]]]
    made: int

    def is_safe(self, rows: list[int]) -> bool:
        """The exact verdict on a set of people."""
        worst, members = np.empty(1), np.array(rows, np.int32)
        told = (self.people.signs, self.people.values, self.people.priors, self.fitted, worst)
        worst_of_all(0, 1, np.array([0, len(rows)]), members, *told)
        return bool(worst[0] <= self.limit)

    def near_by(self, cell: int, is_wide: bool) -> list[int]:
        """The cell itself, or those around it, nearest first."""
        if not is_wide:
            return [cell]
        return sorted(range(cell - _NEAR, cell + _NEAR + 1), key=lambda other: abs(other - cell))

    def free(self, near: list[int]) -> dict[int, list[int]]:
        """Who is left in some cells, by value; the last ones of a list are of the first cells."""
        found: dict[int, list[int]] = {}
        for cell in reversed(near):
            for value, rows in self.left.get(cell, {}).items():
                found.setdefault(value, []).extend(rows[:_MOST])
        return found

    def offered(self, near: list[int], is_wide: bool) -> Iterator[tuple[int, int]]:
        """Groups by cell and number: of one cell those in which all are alike, of several all."""
        for cell in near:
            for number, rows in self.groups.get(cell, {}).items():
                if is_wide or (self.cells[rows] == cell).all():
                    yield cell, number


def is_whole(r: float) -> bool:
    """Whether copies never help: r different values make a group, and whoever is alike falls into such ones."""
    return 1.0 / smallest_size(r) == 1.0 / r


def place_equals(group_of: Int32s, people: People, cells: Int64s, r: float, fitted: bool) -> int:
    """Small groups of people of one cell for those without one; returns how many groups there are then."""
    places = _places(group_of, people, cells, r, fitted)
    _place(places, is_wide=False, most=2 * smallest_size(r) + 2)
    return _number(places, group_of)


def place_together(group_of: Int32s, people: People, cells: Int64s, r: float, fitted: bool) -> None:
    """Groups of neighbours for those without one, then larger ones of people of one cell."""
    places = _places(group_of, people, cells, r, fitted)
    _place(places, is_wide=True, most=most_people(r))
    _place(places, is_wide=False, most=_MOST)
    _number(places, group_of)


def _places(group_of: Int32s, people: People, cells: Int64s, r: float, fitted: bool) -> _Places:
    places = _Places(people, cells, 1.0 / r, fitted, {}, {}, int(group_of.max(initial=-1)) + 1)
    for row in np.flatnonzero(group_of < 0).tolist():
        places.left.setdefault(int(cells[row]), {}).setdefault(int(people.values[row]), []).append(row)
    order = np.argsort(group_of, kind="stable")
    order = order[group_of[order] >= 0]
    for rows in np.split(order, np.flatnonzero(np.diff(group_of[order])) + 1) if len(order) else ():
        places.groups.setdefault(int(cells[rows[0]]), {})[int(group_of[rows[0]])] = rows.tolist()
    return places


def _number(places: _Places, group_of: Int32s) -> int:
    """The way back."""
    made = [rows for groups in places.groups.values() for rows in groups.values()]
    group_of[:] = -1
    for number, rows in enumerate(made):
        group_of[rows] = number
    return len(made)


def _place(places: _Places, *, is_wide: bool, most: int) -> None:
    """Everybody who is left, frequent values first; whoever is like somebody who failed fails too."""
    fails = 0
    for cell, left in places.left.items():
        for value in sorted(left, key=lambda value: -len(left[value])):
            while left[value] and not (is_wide and fails >= _FAILS):
                if not _found(places, cell, value, is_wide, most):
                    fails += 1
                    break


def _found(places: _Places, cell: int, value: int, is_wide: bool, most: int) -> bool:
    """Whether a safe group around somebody of the cell with the value was found, and made."""
    near, values = places.near_by(cell, is_wide), places.people.values
    free = places.free(near)
    offered = places.offered(near, is_wide)
    window = dict.fromkeys(islice(offered, _COMPARED))
    taken: list[tuple[int, int]] = []
    rows, counts, proofs = [free[value].pop()], Counter([value]), 0
    while len(rows) <= most and proofs < _PROOFS:
        top = max(counts.values())
        if top <= len(rows) * places.limit:
            proofs += 1
            if places.is_safe(rows):
                _commit(places, cell, rows, taken)
                return True
        rarest = min((x for x in free if free[x]), key=lambda x: counts[x], default=None)
        if rarest is not None and counts[rarest] < top:
            more = [free[rarest].pop()]
        elif window:
            costs = {at: _lack(counts, values[places.groups[at[0]][at[1]]].tolist(), places.limit) for at in window}
            best = min(costs, key=lambda at: costs[at])
            more = places.groups[best[0]][best[1]]
            del window[best]
            window.update(dict.fromkeys(islice(offered, 1)))
            taken.append(best)
        else:
            return False
        rows = rows + more
        counts.update(values[more].tolist())
    return False


def _lack(counts: Counter[int], more: list[int], limit: float) -> float:
    """By how much the most frequent value would be too frequent if some joined, in people."""
    own = Counter(more)
    most = max(max(counts.values()), *(counts[x] + own[x] for x in own))
    return most - len(more) * limit


def _commit(places: _Places, cell: int, rows: list[int], taken: list[tuple[int, int]]) -> None:
    """The new group takes the place of those it took, and of people who were left."""
    inside = {row for other, number in taken for row in places.groups[other].pop(number)}
    for row in rows:
        if row not in inside:
            places.left[int(places.cells[row])][int(places.people.values[row])].remove(row)
    places.groups.setdefault(cell, {})[places.made] = rows
    places.made += 1
