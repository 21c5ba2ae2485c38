"""Which literals have a world: depth-first search with propagation.

For each literal not seen yet: take it, follow what that forces (one literal left to a person; as many holders left as
copies of a tight seat), branch on "this literal or not". A world found shows all its literals; a search that ends
without one excludes the literal. Searches are cut at a number of steps, and then nothing is concluded.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from deniable.kernels import kernel
from deniable.worlds.arrays import Bools, Floats, Int8s, Int64s
from deniable.worlds.history.choices import Choices

OPEN, SEEN, EXCLUDED, GIVEN_UP = 0, 1, 2, 3
_CAREFUL = 256  # people in a part up to which the person with the fewest literals is branched on
_HOPELESS = 20  # literals given up one after the other, after which the rest of the part is
_ANY = 1 << 62  # instead of a number of worlds
Status = Int8s


class State(NamedTuple):
    """Where a search stands."""

    blocked: Bools  # of each literal
    chosen: Int64s  # literal of each open person, or -1
    options: Int64s  # literals not blocked, of each open person
    left: Int64s  # copies of each seat
    rivals: Int64s  # literals of each seat that are not blocked and whose owner has not chosen
    trail: Int64s  # literals blocked (2l) and taken (2l + 1)
    agenda: Int64s  # people (2q) and seats (2s + 1) to look at
    levels: Int64s  # three rows: trail length before, literal, place in the part
    tops: Int64s  # lengths of trail and agenda, steps made
    ways: Floats  # worlds of each literal of the part that is listed


def begin(chosen_from: Choices) -> State:
    """Nothing chosen yet."""
    literals, people = len(chosen_from.value), len(chosen_from.person)
    return State(
        np.zeros(literals, np.bool_),
        np.full(people, -1, np.int64),
        np.diff(chosen_from.offsets),
        chosen_from.left.copy(),
        np.diff(chosen_from.holder_offsets),
        np.empty(literals + people + 1, np.int64),
        np.empty(literals + len(chosen_from.uses) + 1, np.int64),
        np.empty((3, people + 1), np.int64),
        np.zeros(3, np.int64),
        np.zeros(literals),
    )


@kernel()
def _block(c, s, literal):  # type: ignore[no-untyped-def]
    """Close a literal; False if that leaves no world."""
    fine = True
    q = c.owner[literal]
    s.blocked[literal] = True
    s.trail[s.tops[0]] = 2 * literal
    s.tops[0] += 1
    s.tops[2] += 1
    s.options[q] -= 1
    if s.chosen[q] < 0 and s.options[q] <= 1:
        fine = s.options[q] == 1
        s.agenda[s.tops[1]] = 2 * q
        s.tops[1] += 1
    for i in range(c.use_offsets[literal], c.use_offsets[literal + 1]):
        seat = c.uses[i]
        s.rivals[seat] -= 1
        if c.tight[seat] and s.rivals[seat] <= s.left[seat]:
            fine = fine and s.rivals[seat] == s.left[seat]
            s.agenda[s.tops[1]] = 2 * seat + 1
            s.tops[1] += 1
    return fine


@kernel()
def _take(c, s, literal):  # type: ignore[no-untyped-def]
    """Give the owner this value; False if that leaves no world."""
    fine = True
    q = c.owner[literal]
    s.chosen[q] = literal
    s.trail[s.tops[0]] = 2 * literal + 1
    s.tops[0] += 1
    for i in range(c.use_offsets[literal], c.use_offsets[literal + 1]):
        s.left[c.uses[i]] -= 1
        s.rivals[c.uses[i]] -= 1
    for other in range(c.offsets[q], c.offsets[q + 1]):
        if other != literal and not s.blocked[other]:
            fine = _block(c, s, other) and fine
    for i in range(c.use_offsets[literal], c.use_offsets[literal + 1]):
        seat = c.uses[i]
        if s.left[seat] == 0:
            for j in range(c.holder_offsets[seat], c.holder_offsets[seat + 1]):
                other = c.holders[j]
                if not s.blocked[other] and s.chosen[c.owner[other]] < 0:
                    fine = _block(c, s, other) and fine
    return fine


@kernel()
def _follow(c, s):  # type: ignore[no-untyped-def]
    """Take what is forced until nothing is; False if that leaves no world."""
    fine, at = True, 0
    while fine and at < s.tops[1]:
        item = s.agenda[at]
        at += 1
        if item % 2 == 0:
            q = item // 2
            if s.chosen[q] < 0:
                for literal in range(c.offsets[q], c.offsets[q + 1]):
                    if not s.blocked[literal]:
                        fine = _take(c, s, literal)
                        break
            continue
        seat = item // 2
        if s.left[seat] == 0 or s.rivals[seat] != s.left[seat]:
            fine = s.left[seat] <= s.rivals[seat]
            continue
        for j in range(c.holder_offsets[seat], c.holder_offsets[seat + 1]):
            literal = c.holders[j]
            if fine and not s.blocked[literal] and s.chosen[c.owner[literal]] < 0:
                fine = _take(c, s, literal)
    s.tops[1] = 0
    return fine


@kernel()
def _undo(c, s, length):  # type: ignore[no-untyped-def]
    """Back to a trail of this length."""
    s.tops[1] = 0
    while s.tops[0] > length:
        s.tops[0] -= 1
        literal = s.trail[s.tops[0]] // 2
        if s.trail[s.tops[0]] % 2:
            s.chosen[c.owner[literal]] = -1
            for i in range(c.use_offsets[literal], c.use_offsets[literal + 1]):
                s.left[c.uses[i]] += 1
                s.rivals[c.uses[i]] += 1
        else:
            s.blocked[literal] = False
            s.options[c.owner[literal]] += 1
            for i in range(c.use_offsets[literal], c.use_offsets[literal + 1]):
                s.rivals[c.uses[i]] += 1


@kernel()
def _branch(c, s, status, first, last, place):  # type: ignore[no-untyped-def]
    """The place from which people are undecided, and the literal to branch on, one not seen before others; -1: none."""
    order, chosen, options = c.order, s.chosen, s.options
    while place < last and chosen[order[place]] >= 0:
        place += 1
    if place == last:
        return place, -1
    best = order[place]
    if last - first <= _CAREFUL:
        for i in range(place + 1, last):
            q = order[i]
            if chosen[q] < 0 and options[q] < options[best]:
                best = q
    choice = -1
    for literal in range(c.offsets[best], c.offsets[best + 1]):
        if not s.blocked[literal] and (choice < 0 or (status[choice] == SEEN and status[literal] != SEEN)):
            choice = literal
    return place, choice


@kernel()
def _worlds(c, s, status, first, last, most, limit):  # type: ignore[no-untyped-def]
    """List the worlds of a part, each literal's into `ways`; how many, -1 if more than `most` or too many steps.

    With most = _ANY one is looked for, and stays as it is chosen.
    """
    end, found = s.tops[2] + limit, 0
    depth, place = 0, first
    while True:
        place, literal = _branch(c, s, status, first, last, place)
        fine = literal >= 0
        if fine:
            s.levels[0, depth], s.levels[1, depth], s.levels[2, depth] = s.tops[0], literal, place
            depth += 1
            fine = _take(c, s, literal) and _follow(c, s)
        elif most == _ANY:
            return 1
        else:
            found += 1
            for i in range(first, last):
                s.ways[s.chosen[c.order[i]]] += 1.0
        while not fine:
            if depth == 0:
                return found
            if s.tops[2] > end or found > most:
                return -1
            depth -= 1
            _undo(c, s, s.levels[0, depth])
            place = s.levels[2, depth]
            fine = _block(c, s, s.levels[1, depth]) and _follow(c, s)


@kernel()
def list_worlds(c, s, status, parts, begin, most, limit, steps, counted):  # type: ignore[no-untyped-def]
    """As `world_counts.tally`, for parts with many states but few worlds: list them."""
    end, place = s.tops[2] + steps, begin
    while place < len(parts) and s.tops[2] <= end:
        part = parts[place]
        first, last = c.parts[part], c.parts[part + 1]
        found = _worlds(c, s, status, first, last, most, limit)
        _undo(c, s, 0)
        if found >= 0:
            counted.totals[part] = found if found else -1
        for i in range(first, last):
            for literal in range(c.offsets[c.order[i]], c.offsets[c.order[i] + 1]):
                counted.ways[literal] = s.ways[literal] if found >= 0 else 0.0
                s.ways[literal] = 0.0
        place += 1
    return place


@kernel()
def _show(c, s, status, first, last):  # type: ignore[no-untyped-def]
    for i in range(first, last):
        status[s.chosen[c.order[i]]] = SEEN


@kernel()
def _prepare(c, s, status, first, last, limit):  # type: ignore[no-untyped-def]
    """Block what is excluded already, and find one world if none is known; False if there is none."""
    fine, shown = True, False
    for i in range(first, last):
        for literal in range(c.offsets[c.order[i]], c.offsets[c.order[i] + 1]):
            shown = shown or status[literal] == SEEN
            if status[literal] == EXCLUDED and not s.blocked[literal]:
                fine = fine and _block(c, s, literal)
    if not (fine and _follow(c, s)):
        return False
    if shown:
        return True
    base = s.tops[0]
    found = _worlds(c, s, status, first, last, _ANY, limit)
    if found == 1:
        _show(c, s, status, first, last)
    _undo(c, s, base)
    return found != 0


@kernel()
def _try(c, s, status, literal, first, last, limit):  # type: ignore[no-untyped-def]
    """Look for a world with this literal; False if there is no world at all."""
    base, found = s.tops[0], 1
    if s.chosen[c.owner[literal]] != literal:
        found = 1 if _take(c, s, literal) and _follow(c, s) else 0
    if found:
        found = _worlds(c, s, status, first, last, _ANY, limit)
    if found == 1:
        _show(c, s, status, first, last)
    _undo(c, s, base)
    if found == -1:
        status[literal] = GIVEN_UP
    return found != 0 or (_block(c, s, literal) and _follow(c, s))


@kernel()
def _decide_part(c, s, status, first, last, limit, end):  # type: ignore[no-untyped-def]
    """Try every literal of one part that is open; False if there is no world at all."""
    if not _prepare(c, s, status, first, last, limit):
        return False
    hopeless = 0
    for i in range(first, last):
        for literal in range(c.offsets[c.order[i]], c.offsets[c.order[i] + 1]):
            if status[literal] != OPEN or s.blocked[literal]:
                continue
            if hopeless == _HOPELESS:
                status[literal] = GIVEN_UP
                continue
            if s.tops[2] > end:
                return True
            if not _try(c, s, status, literal, first, last, limit):
                return False
            hopeless = hopeless + 1 if status[literal] == GIVEN_UP else 0
    return True


@kernel()
def decide(c, s, status, part, limit, steps):  # type: ignore[no-untyped-def]
    """Decide parts from this one on until the steps are used up. Returns the next part, or -1 if there is no world.

    A part that was left in the middle is the next one again; literals stay OPEN only in parts that were not finished.
    """
    end = s.tops[2] + steps
    while part < len(c.parts) - 1:
        first, last = c.parts[part], c.parts[part + 1]
        if s.tops[2] > end:
            return part
        if not _decide_part(c, s, status, first, last, limit, end):
            return -1
        unfinished = False
        for i in range(first, last):
            for literal in range(c.offsets[c.order[i]], c.offsets[c.order[i] + 1]):
                if s.blocked[literal] and status[literal] != SEEN:
                    status[literal] = EXCLUDED
                unfinished = unfinished or status[literal] == OPEN
        _undo(c, s, 0)
        if unfinished:
            return part
        part += 1
    return part
