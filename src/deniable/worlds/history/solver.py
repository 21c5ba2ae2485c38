"""Literals that the search gave up on, decided by CP-SAT part by part.

Each model asks for a world with as many undecided literals as can be, and at least one; it shows them. When there is
none, all that are left are excluded. A model that runs out of time decides nothing.
"""

from __future__ import annotations

import time

import numpy as np

from deniable.worlds.history.choices import Choices
from deniable.worlds.history.search import EXCLUDED, GIVEN_UP, OPEN, SEEN, Status

_EACH = 0.2  # of the time left, at most so much for one part
_BUILDING = 3e-5  # seconds to hand one literal to the solver


def solve_parts(chosen_from: Choices, status: Status, deadline: float) -> None:
    """Decide what is undecided, small parts first, until the deadline (of time.monotonic)."""
    undecided = (status == OPEN) | (status == GIVEN_UP)
    part_of = chosen_from.part[chosen_from.owner]
    sizes = np.bincount(part_of, minlength=len(chosen_from.parts) - 1)  # in literals
    waiting = np.unique(part_of[undecided])
    for part in waiting[np.argsort(sizes[waiting], kind="stable")].tolist():
        left = deadline - time.monotonic()
        building = _BUILDING * int(sizes[part])
        if building >= left:
            return
        end = min(deadline, time.monotonic() + building + max(1.0, _EACH * left))
        _solve_part(chosen_from, status, part, end)


def _solve_part(chosen_from: Choices, status: Status, part: int, deadline: float) -> None:
    from ortools.sat.python import cp_model

    people = chosen_from.members(part)
    literals = [x for q in people for x in chosen_from.literals(q) if status[x] != EXCLUDED]
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
    undecided = [x for x in literals if status[x] != SEEN]
    while undecided and (left := deadline - time.monotonic()) > 0:
        model.add_bool_or([has[x] for x in undecided])
        model.maximize(sum(has[x] for x in undecided))
        solver = cp_model.CpSolver()
        solver.parameters.max_time_in_seconds = left
        solver.parameters.num_workers = 2
        found = solver.solve(model)
        if found == cp_model.INFEASIBLE:
            status[undecided] = EXCLUDED
            return
        if found not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return
        for x in literals:
            if solver.boolean_value(has[x]):
                status[x] = SEEN
        undecided = [x for x in undecided if status[x] != SEEN]
