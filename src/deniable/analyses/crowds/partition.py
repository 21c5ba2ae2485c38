"""People with equal keys: one GROUP BY. Always a refinement of the crowds; exact where that is proved.

Within a class any two people can swap in every world, so a member can have every value that some
member has now. Two classes whose selections look at public columns only are told apart by the
table as it stands unless both have one and the same value (Yao et al. 2005, proposition 5).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
from sqlglot import exp

from deniable.analyses.crowds.plan import Plan, plan
from deniable.analyses.crowds.sets import find_sets
from deniable.arrow import arrow_array, arrow_table, column_ints
from deniable.bind.views import Bound
from deniable.engines.base import Engine
from deniable.engines.dialect import ColumnType
from deniable.sql import crowds as queries
from deniable.sql.build import select
from deniable.sql.domain import domain
from deniable.worlds.arrays import Bools
from deniable.worlds.arrays import Int64s as Ints
from deniable.worlds.crowds.selections import Sets
from deniable.worlds.crowds.swaps import Answers, Instance, instance

DENSE = 20_000_000  # views × classes × values that are looked at one by one


@dataclass(frozen=True)
class Prepared:
    """The keys in the engine, the classes counted."""

    plan: Plan
    engine: Engine
    sets: dict[int, Sets]
    kind: ColumnType  # of the private column
    people: int
    classes: int
    k: int
    alike: int  # the most classes that have one value only, and the same
    least: int | None  # one view of everybody: the least number of values of a class
    constant: int  # people in classes that have one value only

    @property
    def keys(self) -> tuple[str, ...]:
        """The key columns."""
        return tuple(self.plan.keys)

    @property
    def on_public(self) -> bool:
        """Whether every selection looks at public columns only, and no view drops duplicates."""
        return not any(view.on_private or view.distinct for view in self.plan.views)

    @property
    def single(self) -> bool:
        """Whether one view shows everybody with their value: then a class's values are what it has."""
        return is_single(self.plan)

    def details(self) -> Details:
        """Number the classes and values, and count who has what."""
        release = self.plan.release
        ids, public = release.id_columns, self.plan.public
        parts = {view.number: self.plan.set_parts(view) for view in self.plan.views if view.on_private}
        everybody = _base(self.plan, ids, public).subquery("base", copy=False)
        self.engine.view("keyed", queries.keyed(ids, public, self.plan.keys, parts, everybody))
        self.engine.store("domain_", domain(self.plan.source, release.domain, release.private, self.kind))
        self.engine.store("numbered", queries.numbered(self.keys))
        self.engine.store("types", queries.types(self.keys))
        sizes = column_ints(self.engine.fetch(select("size").from_("numbered").order_by("a")), "size")
        found = column_ints(self.engine.fetch(queries.value_counts(self.single)), "found")
        values = self.engine.fetch(select("count(*) AS n").from_("domain_"))
        return Details(sizes, found, int(values.column(0)[0].as_py()))


@dataclass(frozen=True)
class Details:
    """Each class: its size, how many values it has now; and how many values there are."""

    sizes: Ints
    found: Ints
    values: int


@dataclass(frozen=True)
class Bounds:
    """For each crowd: its size, and between what the number of its possible values lies (-1: unknown)."""

    size: Ints
    low: Ints
    high: Ints

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


@dataclass(frozen=True)
class Partition:
    """Crowds, and what is known of them. `find_bounds` is asked when somebody wants to know of values."""

    prepared: Prepared
    k: int
    crowds: int
    exact: bool
    find_bounds: Callable[[], Bounds]
    crowd_of: Callable[[], Ints]  # of each class
    by_key: bool = False  # whether every class is a crowd of its own
    k_at_most: int | None = None
    undecided: int = 0

    @cached_property
    def bounds(self) -> Bounds:
        """Sizes and possible values, crowd by crowd."""
        return self.find_bounds()

    @property
    def exposed(self) -> int:
        """People who can have one value only."""
        if self.by_key and self.prepared.single:
            return self.prepared.constant
        return int(self.bounds.size[self.bounds.exposed].sum())

    @property
    def unsettled(self) -> int:
        """People of whom that is not known."""
        return int(self.bounds.size[self.bounds.unsettled].sum())

    @property
    def least_values(self) -> int | None:
        """The least number of possible values of a crowd."""
        if self.by_key and self.prepared.single:
            return self.prepared.least
        low, high = self.bounds.low, self.bounds.high
        least = int(low.min())
        return least if bool(np.any((low == least) & (high == least))) else None

    def between(self, low: int, high: int | None) -> tuple[int, int]:
        """How many crowds have so many people, and how many people those are."""
        size = self.bounds.size
        chosen = size[(size >= low) & (size <= (size.max() if high is None else high))]
        return len(chosen), int(chosen.sum())

    def fewer_than(self, least: int) -> int:
        """How many people stand in crowds of fewer people."""
        return self.between(0, least - 1)[1]

    def values_under(self, least: int) -> tuple[int, int]:
        """How many people surely have fewer possible values, and of how many that is not known."""
        bounds = self.bounds
        under = (bounds.high >= 0) & (bounds.high < least)
        perhaps = ~under & (bounds.low < least)
        return int(bounds.size[under].sum()), int(bounds.size[perhaps].sum())

    def answer(self, *, ordered: bool) -> exp.Select:
        """One row per person; the crowds are put into the engine."""
        bounds, crowd = self.bounds, self.crowd_of()
        place = arrow_table(a=np.arange(len(crowd)), crowd=crowd + 1)
        self.prepared.engine.put("crowds", with_bounds(place, crowd, bounds))
        return queries.answer(self.prepared.plan.public, self.prepared.keys, ordered=ordered)


def with_bounds(table: pa.Table, crowd: Ints, bounds: Bounds) -> pa.Table:
    """A table of crowds, one row for each entry of `crowd`, with what is known of each."""
    table = table.append_column("size", arrow_array(bounds.size[crowd]))
    table = table.append_column("possible", arrow_array(bounds.low[crowd], bounds.unknown[crowd]))
    return table.append_column("exposed", arrow_array(bounds.exposed[crowd], bounds.unsettled[crowd]))


def prepare(bound: Bound, engine: Engine, limit: int) -> Prepared:
    """Compute everybody's keys and group by them."""
    made, release = plan(bound), bound.release
    kind = bound.columns[release.private]
    if any(view.on_private for view in made.views):
        engine.view("base", _base(made, (), ()))
        engine.store("domain_", domain(made.source, release.domain, release.private, kind))
    sets = find_sets(made, engine, limit)
    parts = {view.number: made.set_parts(view) for view in made.views if view.on_private}
    keys = made.keys
    people = queries.keyed((), (), keys, parts, _base(made, (), ()).subquery("base", copy=False))
    group = queries.classes_and_values if is_single(made) else queries.classes
    engine.store(queries.CLASS, group(list(keys), people.subquery("keyed", copy=False)))
    row = engine.fetch(queries.summary()).to_pylist()[0]
    found = (row[name] for name in ("people", "crowds", "k", "alike", "least", "constant"))
    return Prepared(made, engine, sets, kind, *found)


def _base(made: Plan, ids: Sequence[str], public: Sequence[str]) -> exp.Select:
    return queries.base(made.source, ids, public, made.used, made.private, made.further(), made.text)


def is_single(made: Plan) -> bool:
    """One view without a condition that publishes the private column."""
    return len(made.views) == 1 and made.views[0].condition is None


def conservative(prepared: Prepared) -> Partition:
    """Every class is a crowd."""
    apart = prepared.classes == 1 or (prepared.on_public and prepared.alike <= 1)
    return Partition(
        prepared,
        prepared.k,
        prepared.classes,
        exact=apart and not prepared.plan.unknown,
        find_bounds=lambda: class_bounds(prepared, prepared.details()),
        crowd_of=lambda: np.arange(prepared.classes),
        by_key=True,
    )


def class_bounds(prepared: Prepared, details: Details) -> Bounds:
    """Possible values of each class: at least those it has now, at most those that every view allows."""
    views = prepared.plan.views
    low, high = details.found.copy(), np.full(len(details.found), -1)
    if not views:
        low[:] = high[:] = details.values
    elif len(views) == 1 and not views[0].on_private:
        selected = cells_of(prepared, 0) > 0
        low = np.where(selected, low, details.values)  # nothing is said of the others
        high = low.copy()
    elif (found := dense(prepared, details)) is not None:
        high = found.candidates() @ found.weight
        free = np.all(found.answers == 0, axis=(0, 2))
        low = np.where(free, details.values, low)
    return Bounds(details.sizes, low, high)


def cells_of(prepared: Prepared, number: int) -> Ints:
    """Each class's cell in one view; 0 when it is never selected."""
    flag, shown = prepared.plan.cell(prepared.plan.views[number])
    return column_ints(prepared.engine.fetch(queries.cells(flag, shown)), "cell")


def dense(prepared: Prepared, details: Details) -> Instance | None:
    """The table as counts per class and value, unless that is too large to look at one by one."""
    views, classes, values = prepared.plan.views, len(details.sizes), details.values
    if len(views) * classes * values > DENSE:
        return None
    types = prepared.engine.fetch(select("a", "v", "n").from_("types"))
    world = np.zeros((classes, values), np.int64)
    world[column_ints(types, "a"), column_ints(types, "v")] = column_ints(types, "n")
    answers = []
    for view in views:
        cell = cells_of(prepared, view.number)
        held = np.broadcast_to((cell > 0)[:, None], world.shape)
        if view.on_private:
            number = select(f"{prepared.plan.set_column(view)} AS t").from_("numbered").order_by("a")
            held = prepared.sets[view.number].holds()[column_ints(prepared.engine.fetch(number), "t")]
        answers.append(Answers(cell, held, view.projects, view.distinct))
    return instance(world, answers)
