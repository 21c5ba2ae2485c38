"""A partition of the people into crowds, and the conservative one: every class is a crowd.

It is always a refinement of the crowds. Within a class any two people can swap in every world, so a member can have
every value that some member has now. Two classes whose selections look at public columns only are told apart by the
table as it stands unless both have one and the same value (Yao et al. 2005, proposition 5).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from deniable.analyses.crowds.classes import Classes
from deniable.analyses.crowds.instance import instance_of
from deniable.analyses.verdict import WorstCrowd
from deniable.arrow import arrow_array, arrow_table
from deniable.frozen import frozen
from deniable.sql import crowds as queries
from deniable.sql.crowds import Placed
from deniable.worlds.arrays import Bools, Int64s

if TYPE_CHECKING:
    from sqlglot import exp

_MANY = 100_000  # crowds


@frozen
class ValueBounds:
    """For each crowd: its size, and between what the number of its possible values lies (-1: unknown)."""

    size: Int64s
    low: Int64s
    high: Int64s

    @property
    def exposed(self) -> Bools:
        """Crowds that can have one value only."""
        return np.asarray(self.high == 1)

    @property
    def unsettled(self) -> Bools:
        """Crowds of which that is not known."""
        return np.asarray((self.low < 2) & (self.high != 1))

    @property
    def unknown(self) -> Bools:
        """Crowds whose number of possible values is not known exactly."""
        return np.asarray(self.low != self.high)


@frozen
class Partition:
    """Crowds, and what is known of them. `find_bounds` is asked when somebody wants to know of values."""

    classes: Classes
    k: int
    crowds: int
    exact: bool
    find_bounds: Callable[[], ValueBounds]
    crowd_of: Callable[[], Int64s]  # of each class
    by_key: bool = False  # whether every class is a crowd of its own
    k_at_most: int | None = None
    undecided: int = 0

    @cached_property
    def bounds(self) -> ValueBounds:
        """Sizes and possible values, crowd by crowd."""
        return self.find_bounds()

    @property
    def exposed(self) -> int:
        """People who can have one value only."""
        if self.by_key and self.classes.plan.is_single:
            return self.classes.totals.constant
        return int(self.bounds.size[self.bounds.exposed].sum())

    @property
    def unsettled(self) -> int:
        """People of whom that is not known."""
        return int(self.bounds.size[self.bounds.unsettled].sum())

    @property
    def least_values(self) -> int | None:
        """The least number of possible values of a crowd."""
        if self.by_key and self.classes.plan.is_single:
            return self.classes.totals.least
        low, high = self.bounds.low, self.bounds.high
        least = int(low.min())
        return least if bool(np.any((low == least) & (high == least))) else None

    def between(self, low: int, high: int | None) -> tuple[int, int]:
        """How many crowds have so many people, and how many people those are."""
        size = self.bounds.size
        chosen = size[(size >= low) & (size <= (size.max() if high is None else high))]
        return len(chosen), int(chosen.sum())

    def smallest(self, most: int) -> tuple[WorstCrowd, ...]:
        """The smallest crowds, those with the fewest possible values first, each kind with how many there are."""
        bounds = self.bounds
        kinds = np.stack([bounds.size, bounds.low, np.where(bounds.unknown, -1, bounds.low)])
        if kinds.shape[1] > _MANY:  # only the first are asked for
            kinds = kinds[:, bounds.size <= np.partition(bounds.size, most)[most]]
        found, counts = np.unique(kinds, axis=1, return_counts=True)
        return tuple(
            WorstCrowd(int(size), None if values < 0 else int(values), int(count))
            for (size, _, values), count in zip(found.T[:most], counts[:most], strict=True)
        )

    def fewer_than(self, least: int) -> int:
        """How many people stand in crowds of fewer people."""
        return self.between(0, least - 1)[1]

    def values_under(self, least: int) -> tuple[int, int]:
        """How many people surely have fewer possible values, and of how many that is not known."""
        bounds = self.bounds
        under = (bounds.high >= 0) & (bounds.high < least)
        perhaps = ~under & (bounds.low < least)
        return int(bounds.size[under].sum()), int(bounds.size[perhaps].sum())

    @cached_property
    def placed(self) -> Placed:
        """The crowds in the engine, beside the people and classes that stand in them."""
        crowds = self.classes.scope.put("crowds", self._places())
        return Placed(self.classes.keyed, self.classes.numbered, crowds)

    def _places(self) -> pa.Table:
        """Which class stands in which crowd."""
        crowd = self.crowd_of()
        return with_bounds(arrow_table(a=np.arange(len(crowd)), crowd=crowd + 1), crowd, self.bounds)

    def answer(self, *, ordered: bool) -> exp.Select:
        """One row per person."""
        plan = self.classes.plan
        return queries.answer(self.placed, plan.public, plan.keys.names, ordered=ordered)


def with_bounds(table: pa.Table, crowd: Int64s, bounds: ValueBounds) -> pa.Table:
    """A table of crowds, one row for each entry of `crowd`, with what is known of each."""
    table = table.append_column("size", arrow_array(bounds.size[crowd]))
    table = table.append_column("possible", arrow_array(bounds.low[crowd], bounds.unknown[crowd]))
    return table.append_column("exposed", arrow_array(bounds.exposed[crowd], bounds.unsettled[crowd]))


def conservative(classes: Classes) -> Partition:
    """Every class is a crowd."""
    totals = classes.totals
    apart = totals.classes == 1 or (classes.on_public and totals.alike <= 1)
    return Partition(
        classes,
        totals.k,
        totals.classes,
        exact=apart and not classes.plan.unknown,
        find_bounds=lambda: class_bounds(classes),
        crowd_of=lambda: np.arange(totals.classes),
        by_key=True,
    )


def class_bounds(classes: Classes) -> ValueBounds:
    """Possible values of each class: at least those it has now, at most those that every view allows."""
    views = classes.plan.views
    low, high = classes.found.copy(), np.full(len(classes.found), -1)
    if not views:
        low[:] = high[:] = classes.values
    elif len(views) == 1 and not views[0].on_private:
        selected = classes.cells(views[0]) > 0
        low = np.where(selected, low, classes.values)  # nothing is said of the others
        high = low.copy()
    elif (found := instance_of(classes)) is not None:
        high = found.candidates() @ found.weight
        free = np.all(found.answers == 0, axis=(0, 2))
        low = np.where(free, classes.values, low)
    return ValueBounds(classes.sizes, low, high)
