"""RSIND: people who can swap the values they have now (see worlds.cliques).

Computed: a partition into cliques of the CSIND graph on types (class, current value), with the
private value collection that witnesses it: the values that the members of a crowd have now.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from sqlglot import exp

from deniable.analyses.crowds.partition import Bounds, Details, Partition, Prepared, class_bounds, dense, with_bounds
from deniable.arrow import arrow_table, column_ints
from deniable.sql import crowds as queries
from deniable.sql.build import select
from deniable.worlds.arrays import Bools
from deniable.worlds.arrays import Int64s as Ints
from deniable.worlds.crowds.rsind import Cliques, partition
from deniable.worlds.crowds.swaps import csind

TYPES = 4_000  # a graph on more types is not built
FEW = 200  # types in the smallest crowds, whose links bound k all the same


@dataclass(frozen=True)
class Types:
    """The different (class, value) that people have, and how many have each."""

    a: Ints
    v: Ints
    n: Ints


@dataclass(frozen=True)
class Restricted(Partition):
    """Crowds that may take some of the people of a class and value and leave others."""

    types: Types | None = None
    cliques: Cliques | None = None

    def answer(self, *, ordered: bool) -> exp.Select:
        """One row per person, with the collection of values beside each crowd."""
        engine, plan, types, found = self.prepared.engine, self.prepared.plan, self.types, self.cliques
        if types is None or found is None:
            raise TypeError("a restricted partition has its cliques")
        order = np.lexsort((found.clique, found.type))
        kind, crowd, people = found.type[order], found.clique[order], found.people[order]
        total = np.cumsum(people)
        start = np.r_[True, kind[1:] != kind[:-1]]
        after = total - people - np.maximum.accumulate(np.where(start, total - people, 0))
        place = arrow_table(a=types.a[kind], v=types.v[kind], after=after, upto=after + people, crowd=crowd + 1)
        engine.put("crowds", with_bounds(place, crowd, self.bounds))
        engine.store("names", queries.collections())
        return queries.answer_by_type(plan.public, self.prepared.keys, ordered=ordered)


def solve(prepared: Prepared, seconds: float) -> Restricted:
    """Partition the types; whether the best was proved is in `exact`."""
    details = prepared.details()
    rows = prepared.engine.fetch(select("a", "v", "n").from_("types").order_by("a", "v"))
    types = Types(column_ints(rows, "a"), column_ints(rows, "v"), column_ints(rows, "n"))
    found = _cliques(prepared, details, types, seconds)
    unknown = bool(prepared.plan.unknown)
    return Restricted(
        prepared,
        found.k,
        int(found.clique.max()) + 1,
        exact=found.k == found.at_most and not unknown,
        find_bounds=lambda: _bounds(prepared, details, types, found),
        crowd_of=lambda: np.arange(prepared.classes),
        k_at_most=found.at_most,
        types=types,
        cliques=found,
    )


def _cliques(prepared: Prepared, details: Details, types: Types, seconds: float) -> Cliques:
    if not any(view.on_private for view in prepared.plan.views):
        return Cliques(np.arange(len(types.a)), types.a, types.n, prepared.k, prepared.k)  # no link leaves a class
    table = dense(prepared, details)
    if table is None:
        return _inside_classes(prepared, types)
    everybody, cells = np.arange(len(types.a)), table.cell_of[types.v]
    if len(types.a) <= TYPES:
        return partition(csind(table, types.a, cells, everybody), types.n, seconds)
    found = _inside_classes(prepared, types)
    size = np.bincount(found.clique, types.n)[found.clique]
    few = np.argsort(size, kind="stable")[:FEW]  # nobody's crowd is larger than those they are linked to
    reach = csind(table, types.a, cells, few) @ types.n
    return replace(found, at_most=min(found.at_most, int(reach.min())))


def _inside_classes(prepared: Prepared, types: Types) -> Cliques:
    """Too large for a graph: people of one class whom no view without the value tells apart now."""
    group = types.a.copy()
    for view in prepared.plan.views:
        if view.projects or not view.on_private:
            continue
        number = select(f"{prepared.plan.set_column(view)} AS t").from_("numbered").order_by("a")
        t = column_ints(prepared.engine.fetch(number), "t")[types.a]
        sets = prepared.sets[view.number]
        slot, held = sets.slot[types.v], np.zeros(len(t), np.bool_)
        for column in sets.changes.T:
            held ^= (column[t] >= 0) & (column[t] <= slot)
        group = group * 2 + held
    _, group = np.unique(group, return_inverse=True)
    size = np.bincount(group, types.n).astype(np.int64)
    return Cliques(np.arange(len(types.a)), group, types.n, int(size.min()), prepared.people)


def _bounds(prepared: Prepared, details: Details, types: Types, found: Cliques) -> Bounds:
    """The values of a crowd's collection stay possible for each member; for `exposed` also what views allow."""
    classes = class_bounds(prepared, details)
    crowds = int(found.clique.max()) + 1
    size = np.bincount(found.clique, found.people, crowds).astype(np.int64)
    pairs = np.unique(found.clique * (details.values + 1) + types.v[found.type])
    collection = np.bincount(pairs // (details.values + 1), minlength=crowds).astype(np.int64)
    pinned = np.ones(crowds, np.bool_)
    np.logical_and.at(pinned, found.clique, classes.high[types.a[found.type]] == 1)
    return RestrictedBounds(size, collection, collection, pinned)


@dataclass(frozen=True)
class RestrictedBounds(Bounds):
    """Here the number of values is the collection's; a crowd is exposed when its members can have no other."""

    pinned: Bools

    @property
    def exposed(self) -> Bools:
        """Crowds that can have one value only."""
        return self.pinned

    @property
    def unsettled(self) -> Bools:
        """Crowds with a collection of one value that may have others."""
        return (self.low < 2) & ~self.pinned
