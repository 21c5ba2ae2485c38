"""Which classes are indistinguishable in every world, and which values stay possible (CP-SAT).

Two classes are not SIND iff some world gives a member of each a pair of values whose swap
changes an answer (Yao et al. 2005, proposition 4). Worlds are counts of people per class and
cell of values that add up to the published answers; the solver looks for one that tells two
classes apart, on the connected part of the table that the two stand in, or proves there is none.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from deniable.frozen import frozen
from deniable.kernels import work
from deniable.steps import reach
from deniable.worlds.arrays import Bools, Int64s, offsets
from deniable.worlds.components import components
from deniable.worlds.crowds.swap_kernel import first_untold
from deniable.worlds.crowds.swaps import Instance, totals_of

if TYPE_CHECKING:
    from ortools.sat.python import cp_model

KEPT_WORLDS = 64


@frozen
class Indistinct:
    """Classes by crowd, and what of it is proved."""

    crowd: Int64s  # of each class
    undecided: Bools  # classes that may belong together with another crowd's
    seen: Bools  # class by cell: possible, since some world has it
    open: Bools  # class by cell: not seen in any world, but not excluded either


def decide(instance: Instance, seconds: float) -> Indistinct:
    """Merge the classes that are proved indistinguishable; those that time leaves open stay apart."""
    deadline = time.monotonic() + seconds
    search = _Search(instance, deadline)
    count = len(instance.world)
    crowd = np.full(count, -1, np.int64)
    undecided = np.zeros(count, np.bool_)
    firsts: list[int] = []
    people = np.cumsum(instance.sizes)
    for a in range(count):
        reach("crowd.exact", int(people[a - 1]) if a else 0, int(people[-1]))
        if time.monotonic() > deadline:  # the rest was compared with nobody
            crowd[a:] = np.arange(len(firsts), len(firsts) + count - a)
            undecided[:] = True
            break
        others = np.array(firsts, np.int64)
        place = search.next_untold(a, others, 0)
        while place >= 0:
            together = search.together(a, firsts[place])
            if together:
                crowd[a] = crowd[firsts[place]]
                break
            if together is None:
                undecided[[a, firsts[place]]] = True
            place = search.next_untold(a, others, place + 1)
        if crowd[a] < 0:
            crowd[a] = len(firsts)
            firsts.append(a)
    undecided |= np.isin(crowd, crowd[undecided])
    reach("crowd.values")
    open_ = search.exhaust()
    return Indistinct(crowd, undecided, search.seen, open_)


class _Search:
    """The worlds that are known so far, and the solver that finds further ones."""

    def __init__(self, instance: Instance, deadline: float) -> None:
        self._instance = instance
        self._deadline = deadline
        self._candidates = instance.candidates()
        self._part = _parts(instance, self._candidates)
        self._worlds = instance.world[None]
        self._totals = instance.totals[None]
        self.seen = instance.world > 0

    def next_untold(self, a: int, others: Int64s, start: int) -> int:
        """The next class that no known world tells apart from a."""
        found = self._instance
        with work(len(others) * self._worlds.size):
            return int(first_untold(found.answers, self._totals, found.distinct, self._worlds, a, others, start))

    def together(self, a: int, b: int) -> bool | None:
        """Whether no world tells the two apart; None when time is up. A world that does is kept."""
        inside = np.flatnonzero((self._part == self._part[a]) | (self._part == self._part[b]))
        model = _Model(self._instance, self._candidates, inside)
        if not model.tell_apart(a, b):
            return True
        world = model.solve(self._deadline)
        if world is None:
            return None if model.stopped else True
        self._keep(inside, world)
        return False

    def exhaust(self) -> Bools:
        """Look for worlds with values not seen yet, part by part; what remains open at the deadline."""
        open_ = self._candidates & ~self.seen
        for part in np.unique(self._part[np.any(open_, axis=1)]):
            inside = np.flatnonzero(self._part == part)
            while np.any(open_[inside]):
                model = _Model(self._instance, self._candidates, inside)
                model.any_of(open_)
                world = model.solve(self._deadline)
                if world is None:
                    if model.stopped:
                        return open_
                    open_[inside] = False
                    break
                self._keep(inside, world)
                open_ &= ~self.seen
        return open_

    def _keep(self, inside: Int64s, world: Int64s) -> None:
        whole = self._instance.world.copy()
        whole[inside] = world
        self.seen |= whole > 0
        if len(self._worlds) < KEPT_WORLDS:
            self._worlds = np.concatenate([self._worlds, whole[None]])
            self._totals = np.concatenate([self._totals, totals_of(self._instance.answers, whole)[None]])


class _Model:
    """The worlds of some classes, as integer variables; one use each."""

    def __init__(self, instance: Instance, candidates: Bools, inside: Int64s) -> None:
        from ortools.sat.python import cp_model

        self.stopped = False
        self._instance, self._inside = instance, inside
        self._model = cp_model.CpModel()
        self._count: dict[tuple[int, int], cp_model.IntVar] = {}
        sizes = instance.sizes
        for a in inside.tolist():
            cells = np.flatnonzero(candidates[a]).tolist()
            for c in cells:
                self._count[a, c] = self._model.new_int_var(0, int(sizes[a]), "")
            self._model.add(sum(self._count[a, c] for c in cells) == int(sizes[a]))
        self._shown: dict[tuple[int, int], list[cp_model.IntVar]] = {}
        for (a, c), variable in self._count.items():
            for q in range(len(instance.answers)):
                if y := int(instance.answers[q, a, c]):
                    self._shown.setdefault((q, y), []).append(variable)
        for (q, y), variables in self._shown.items():
            total = int(instance.totals[q, y])
            self._model.add(sum(variables) >= 1 if instance.distinct[q] else sum(variables) == total)
        self._has: dict[tuple[int, int], cp_model.IntVar] = {}

    def _occurs(self, a: int, c: int) -> cp_model.IntVar:
        """A literal that makes some member of the class have the cell."""
        if (a, c) not in self._has:
            literal = self._model.new_bool_var("")
            self._model.add(self._count[a, c] >= 1).only_enforce_if(literal)
            self._has[a, c] = literal
        return self._has[a, c]

    def tell_apart(self, a: int, b: int) -> bool:
        """Ask for a world in which some swap between the two changes an answer; False if no pair could."""
        options = []
        for (_, one), (_, two) in self._pairs(a, b):
            always, losses = self._change(a, b, one, two)
            for enough in [None] if always else losses:
                chosen = self._model.new_bool_var("")
                self._model.add_implication(chosen, self._occurs(a, one))
                self._model.add_implication(chosen, self._occurs(b, two))
                if enough is not None:
                    q, y, loss = enough
                    self._model.add(sum(self._shown[q, y]) <= loss).only_enforce_if(chosen)
                options.append(chosen)
        if options:
            self._model.add_bool_or(options)
        return bool(options)

    def _pairs(self, a: int, b: int) -> list[tuple[tuple[int, int], tuple[int, int]]]:
        return [(x, y) for x in self._count if x[0] == a for y in self._count if y[0] == b and x[1] != y[1]]

    def _change(self, a: int, b: int, one: int, two: int) -> tuple[bool, list[tuple[int, int, int]]]:
        """Whether the swap changes a view in any world; else what must be rare for it to (view, answer, most)."""
        instance, losses = self._instance, []
        for q, numbers in enumerate(instance.answers):
            gone = [int(numbers[a, one]), int(numbers[b, two])]
            new = [int(numbers[a, two]), int(numbers[b, one])]
            if sorted(gone) == sorted(new):
                continue
            if not instance.distinct[q] or any(y and not instance.totals[q, y] for y in new):
                return True, []
            losses += [(q, y, gone.count(y) - new.count(y)) for y in set(gone) if y and gone.count(y) > new.count(y)]
        return False, losses

    def any_of(self, wanted: Bools) -> None:
        """Ask for a world with at least one of these (class, cell), and as many as can be."""
        literals = [self._occurs(a, c) for a, c in list(self._count) if wanted[a, c]]
        self._model.add_bool_or(literals)
        self._model.maximize(sum(literals))

    def solve(self, deadline: float) -> Int64s | None:
        """A world, as counts of the classes inside; None if there is none, or time is up (`stopped`)."""
        from ortools.sat.python import cp_model

        left = deadline - time.monotonic()
        if left <= 0:
            self.stopped = True
            return None
        solver = cp_model.CpSolver()
        solver.parameters.max_time_in_seconds = left
        solver.parameters.num_workers = 2
        status = solver.solve(self._model)
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            self.stopped = status != cp_model.INFEASIBLE
            return None
        place = {a: i for i, a in enumerate(self._inside.tolist())}
        world = np.zeros((len(self._inside), self._instance.world.shape[1]), np.int64)
        for (a, c), variable in self._count.items():
            world[place[a], c] = solver.value(variable)
        return world


def _parts(instance: Instance, candidates: Bools) -> Int64s:
    """The connected parts: classes that could give the same answer of a view stand in one."""
    views, width = instance.totals.shape
    view, person, cell = np.nonzero(candidates & (instance.answers > 0))
    answer = view * width + instance.answers[view, person, cell]
    ties = offsets(np.bincount(answer, minlength=views * width))
    with work(len(person) + len(candidates)):
        return np.asarray(components(ties, person[np.argsort(answer, kind="stable")], len(candidates)), np.int64)
