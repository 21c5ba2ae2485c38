"""Worlds counted exactly by inclusion and exclusion over clauses, one kind of clause after the other.

The number of assignments that cover every clause is the sum over sets S of clauses of (-1)^|S| times those that cover
none of S: 2^(variables that are in no clause of S). What the clauses seen so far leave of a variable is whether it is
alive, and what matters of alive variables is how many there are with the same clauses still to come. So a state is a
number for each such class, kept with the signed sum of all S that lead to it; j of a kind's `copies` clauses are chosen
in C(copies, j) ways, and leave (copies - j) of `copies` variables.

Some clauses that share no variable, the *leaves*, are never chosen from: once all other clauses of a leaf are behind,
it has n alive variables and is covered in 2^n - 1 ways, which closes it. A person's own clauses are leaves that stay
open, with a number for each value, so that one pass answers everything that is asked about the person
(docs/theory/many-views.md, "The exact count").
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, log2, prod

from deniable.frozen import frozen

LONG = 512  # bits: a step on longer numbers counts as several
_NONE = -1  # no leaf

Tag = tuple[int, int]  # the leaf, and the value if it is the person's own
Class = tuple[frozenset[int], Tag]  # the clauses still to come, and where the variables end
States = dict[int, int]


class TooWide(Exception):
    """More steps than were allowed."""


@frozen
class Field:
    """Where a state keeps the number of one class."""

    at: int
    mask: int

    @property
    def bits(self) -> int:
        """All its bits, in place."""
        return self.mask << self.at


class Frontier:
    """The pass. Holds what it changes: the states, and the classes that they count."""

    def __init__(
        self,
        copies: Sequence[int],
        bundles: Sequence[Sequence[int]],
        values: Sequence[int],
        own: Sequence[int],
        steps: int,
    ) -> None:
        self._copies, self._own, self._steps = copies, tuple(own), steps
        kept = _needed(copies, bundles, set(own))
        keys = [frozenset(kept.intersection(bundle)) for bundle in bundles]
        leaves = _leaves(copies, keys, own, kept)
        self._left = kept - leaves
        numbers = self._classes(keys, values, leaves)
        self._fields, first, bits = self._laid_out(numbers)
        self._states: States = {first: 1}
        tuples = sum(prod(copies[k] for k in bundle) for bundle in bundles)
        self._words = 1 + (bits + tuples) // LONG
        self._order = _Order(self._fields, copies, own)

    def count(self) -> list[tuple[list[dict[int, int]], int]]:
        """For each way to leave the person's own clauses (value -> alive variables, clause by clause), how many
        assignments of all other variables there are, by inclusion and exclusion."""
        self._close()
        while self._left:
            kind = self._order.next(self._left)
            self._left.discard(kind)
            self._pass(kind)
            self._close()
        place = {kind: i for i, kind in enumerate(self._own)}
        fields = [(place[leaf], value, field) for (_, (leaf, value)), field in self._fields.items()]
        self._spend(len(self._states) * 2 * len(fields))
        counted = []
        for state, weight in self._states.items():
            alive: list[dict[int, int]] = [{} for _ in self._own]
            for clause, value, field in fields:
                alive[clause][value] = state >> field.at & field.mask
            counted.append((alive, weight))
        return counted

    def _classes(self, keys: list[frozenset[int]], values: Sequence[int], leaves: set[int]) -> dict[Class, int]:
        """Bundles that no clause tells apart, with how many variables they have for each choice of clauses."""
        numbers: dict[Class, int] = {}
        for key, value in zip(keys, values, strict=True):
            leaf = next(iter(key & leaves), _NONE)
            found = key - leaves, (leaf, value if leaf in self._own else -1)
            numbers[found] = numbers.get(found, 0) + 1
        return numbers

    def _laid_out(self, numbers: dict[Class, int]) -> tuple[dict[Class, Field], int, int]:
        """Fields side by side, each wide enough for all variables with its tag; the first state; all bits."""
        most: dict[Tag, int] = {}
        for (key, tag), n in numbers.items():
            most[tag] = most.get(tag, 0) + n * prod(self._copies[k] for k in key)
        fields: dict[Class, Field] = {}
        at = state = 0
        for found, n in numbers.items():
            width = most[found[1]].bit_length()
            fields[found] = Field(at, (1 << width) - 1)
            state |= n << at
            at += width
        return fields, state, at

    def _spend(self, steps: int) -> None:
        self._steps -= steps * self._words
        if self._steps < 0:
            raise TooWide

    def _pass(self, kind: int) -> None:
        """Choose from one kind of clause: every state, for each number of its clauses that stay uncovered."""
        copies = self._copies[kind]
        mine = [found for found in self._fields if kind in found[0]]
        bits = sum(self._fields[found].bits for found in mine)
        moves = self._merge(kind, mine)
        self._spend(len(self._states) * (copies + 1 + copies * len(moves) // 2))
        alive = self._must_live({tag[0] for _, tag in mine})
        ways = [(copies - j, comb(copies, j) * (-1) ** j) for j in range(copies + 1)]
        states: States = {}
        for state, weight in self._states.items():
            part = state & bits
            rest = state ^ part
            for stay, sign in ways:
                after = rest + part * stay
                if stay:
                    for at, mask, to in moves:
                        n = after >> at & mask
                        after += (n << to) - (n << at)
                if all(map(after.__and__, alive)):
                    states[after] = states.get(after, 0) + weight * sign
        self._states = {state: weight for state, weight in states.items() if weight}

    def _merge(self, kind: int, mine: list[Class]) -> list[tuple[int, int, int]]:
        """Classes without the kind: where one is there already, its number takes up the other's."""
        moves = []
        for key, tag in mine:
            field = self._fields.pop((key, tag))
            to = self._fields.setdefault((key - {kind}, tag), field)
            if to is not field:
                moves.append((field.at, field.mask, to.at))
        return moves

    def _must_live(self, leaves: set[int]) -> list[int]:
        """The bits of each of these leaves: a leaf without variables is covered in no way."""
        bits = dict.fromkeys(leaves - {_NONE}, 0)
        for (_, (leaf, _)), field in self._fields.items():
            if leaf in bits:
                bits[leaf] |= field.bits
        return list(bits.values())

    def _close(self) -> None:
        """Take out of the states what no clause to come can change."""
        open_leaves = {tag[0] for key, tag in self._fields if key} | set(self._own)
        for found in list(self._fields):
            key, (leaf, _) = found
            if leaf == _NONE and not key:
                self._take_out(found, 0)
            elif leaf != _NONE and leaf not in open_leaves:
                self._take_out(found, self._copies[leaf])

    def _take_out(self, found: Class, leaves: int) -> None:
        """n variables that are free, or that cover a leaf, and each of its copies."""
        field = self._fields.pop(found)
        self._spend(len(self._states))
        states: States = {}
        for state, weight in self._states.items():
            n = state >> field.at & field.mask
            rest = state - (n << field.at)
            factor = ((1 << n) - 1) ** leaves if leaves else 1 << n
            states[rest] = states.get(rest, 0) + weight * factor
        self._states = {state: weight for state, weight in states.items() if weight}


def _needed(copies: Sequence[int], bundles: Sequence[Sequence[int]], own: set[int]) -> set[int]:
    """The kinds of clauses that say something: one that contains another is covered whenever that one is."""
    inside: dict[int, set[int]] = {}
    for i, bundle in enumerate(bundles):
        for kind in bundle:
            inside.setdefault(kind, set()).add(i)
    kept = set(inside)
    for kind in sorted(inside, key=lambda kind: (-len(inside[kind]), kind)):
        if kind not in own and copies[kind] == 1:
            others = kept.intersection(k for i in inside[kind] for k in bundles[i]) - {kind}
            if any(inside[other] <= inside[kind] for other in others):
                kept.discard(kind)
    return kept


def _leaves(copies: Sequence[int], keys: Sequence[frozenset[int]], own: Sequence[int], kept: set[int]) -> set[int]:
    """The person's own clauses, and as many others as share no variable with these and each other, roughly."""
    near: dict[int, set[int]] = {kind: set() for kind in kept}
    for key in keys:
        for kind in key:
            near[kind] |= key
    leaves = set(own)
    blocked = set(own).union(*(near[kind] for kind in own))
    for kind in sorted(kept, key=lambda kind: (len(near[kind]) - copies[kind], kind)):
        if kind not in blocked:
            leaves.add(kind)
            blocked |= near[kind]
    return leaves


class _Order:
    """Which kind is next: the one after which the fewest choices are still felt, by what is tied to the same leaf.

    Holds, for each leaf (or class without one), the kinds to come and those behind.
    """

    def __init__(self, classes: dict[Class, Field], copies: Sequence[int], own: Sequence[int]) -> None:
        self._cost = [log2(n + 1) for n in copies]
        self._own = set(own)
        self._ahead: dict[object, set[int]] = {}
        self._behind: dict[object, set[int]] = {}
        self._ties: dict[int, set[object]] = {}
        self._weight: dict[int, int] = {}
        for key, tag in classes:
            tie = tag[0] if tag[0] != _NONE else key
            self._ahead.setdefault(tie, set()).update(key)
            self._behind[tie] = set()
            for kind in key:
                self._ties.setdefault(kind, set()).add(tie)
                self._weight[kind] = self._weight.get(kind, 0) + 1

    def next(self, left: set[int]) -> int:
        """The best of those left that are tied to what is begun, or of all."""
        begun = [tie for tie, behind in self._behind.items() if behind]
        near = set().union(*(self._ahead[tie] for tie in begun)) or left
        kind = min(near, key=lambda kind: (self._felt(kind), -self._weight[kind], kind))
        for tie in self._ties[kind]:
            self._ahead[tie].discard(kind)
            self._behind[tie].add(kind)
            if not self._ahead[tie] and tie not in self._own:
                del self._ahead[tie], self._behind[tie]
        for gone in self._ties:
            self._ties[gone] &= self._ahead.keys()
        return kind

    def _felt(self, kind: int) -> float:
        """How many more bits are open after this kind: its own, less those of the kinds whose last leaves it closes."""
        ties = self._ties[kind]
        closed = {tie for tie in ties if self._ahead[tie] == {kind} and tie not in self._own}
        freed = {k for tie in closed for k in self._behind[tie] if self._ties[k] <= closed}
        return (self._cost[kind] if ties - closed else 0.0) - sum(self._cost[k] for k in freed)
