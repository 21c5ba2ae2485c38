"""The table as counts per class and value, with every view's answers: what is looked at one by one where it fits."""

from __future__ import annotations

import numpy as np

from deniable.analyses.crowds.classes import Classes
from deniable.arrow import column_ints
from deniable.sql import crowds as queries
from deniable.worlds.crowds.swaps import Instance, ViewAnswers, instance

LARGEST = 20_000_000  # views × classes × values that are looked at one by one


def instance_of(classes: Classes) -> Instance | None:
    """The table, unless it is too large to look at."""
    views, shape = classes.plan.views, (len(classes.sizes), classes.values)
    if len(views) * shape[0] * shape[1] > LARGEST:
        return None
    types = classes.scope.fetch(queries.counts(classes.types, ordered=False))
    world = np.zeros(shape, np.int64)
    world[column_ints(types, "a"), column_ints(types, "v")] = column_ints(types, "n")
    answers = []
    for view in views:
        cell = classes.cells(view)
        held = np.broadcast_to((cell > 0)[:, None], shape)
        if view.on_private:
            held = classes.selections[view.number].sets.holds()[classes.set_numbers(view)]
        answers.append(ViewAnswers(cell, held, view.projects, view.distinct, classes.told(view)))
    return instance(world, answers)
