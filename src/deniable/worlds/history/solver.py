"""Literals that the search gave up on, decided by CP-SAT part by part.

Each model asks for a world with as many undecided literals as can be, and at least one; it shows them. When there is
none, all that are left are excluded. A model that runs out of time decides nothing.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from deniable.worlds.arrays import different
from deniable.worlds.history.choices import Choices
from deniable.worlds.history.search import EXCLUDED, GIVEN_UP, OPEN, SEEN, Status

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, IntVar

_EACH = 0.2  # of the time left, at most so much for one part
_BUILDING = 3e-5  # seconds to hand one literal to the solver


def solve_parts(chosen_from: Choices, status: Status, deadline: float) -> None:
    """Decide what is undecided, small parts first, until the deadline (of time.monotonic)."""
    undecided = (status == OPEN) | (status == GIVEN_UP)
    part_of = chosen_from.part[chosen_from.owner]
    sizes = np.bincount(part_of, minlength=len(chosen_from.parts) - 1)  # in literals
    waiting = different(part_of[undecided])
    for part in waiting[np.argsort(sizes[waiting], kind="stable")].tolist():
        left = deadline - time.monotonic()
        building = _BUILDING * int(sizes[part])
        if building >= left:
            return
        end = min(deadline, time.monotonic() + building + max(1.0, _EACH * left))
        _solve_part(chosen_from, status, part, end)


def _solve_part(chosen_from: Choices, status: Status, part: int, deadline: float) -> None:
    """Ask for worlds of one part until all its literals are decided, or the time is over."""
    people = chosen_from.members(part)
    literals = [x for q in people for x in chosen_from.literals(q) if status[x] != EXCLUDED]
    model, has = _model(chosen_from, people, literals)
    undecided = [x for x in literals if status[x] != SEEN]
    while undecided and (left := deadline - time.monotonic()) > 0:
        world = _world(model, has, undecided, left)
        if world is None:
            return
        if not world:
            status[undecided] = EXCLUDED
            return
        status[world] = SEEN
        undecided = [x for x in undecided if status[x] != SEEN]


def _model(chosen_from: Choices, people: list[int], literals: list[int]) -> tuple[CpModel, dict[int, IntVar]]:
    """One value for each person, no seat taken more often than there are copies, tight ones exactly as often."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    has = {x: model.new_bool_var("") for x in literals}
    for q in people:
        model.add_exactly_one(has[x] for x in chosen_from.literals(q) if x in has)
    users: dict[int, list[int]] = {}
    for x in literals:
        for seat in chosen_from.seats(x):
            users.setdefault(seat, []).append(x)
    for seat, holders in users.items():
        taken, copies = sum(has[x] for x in holders), int(chosen_from.left[seat])
        model.add(taken == copies if chosen_from.tight[seat] else taken <= copies)
    return model, has


def _world(model: CpModel, has: dict[int, IntVar], undecided: list[int], seconds: float) -> list[int] | None:
    """The literals of a world with as many undecided ones as can be; [] if no world has any, None if time was over.

    The model asks for one of them from then on.
    """
    from ortools.sat.python import cp_model

    model.add_bool_or([has[x] for x in undecided])
    model.maximize(sum(has[x] for x in undecided))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = 2
    found = solver.solve(model)
    if found == cp_model.INFEASIBLE:
        return []
    if found not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    return [x for x in has if solver.boolean_value(has[x])]
