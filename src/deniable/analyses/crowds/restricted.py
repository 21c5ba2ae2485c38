"""RSIND: people who can swap the values they have now (`worlds.crowds.rsind`).

Computed: a partition into cliques of the CSIND graph on types (class, current value), with the
private value collection that witnesses it: the values that the members of a crowd have now.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from deniable.analyses.crowds.classes import Classes
from deniable.analyses.crowds.instance import instance_of
from deniable.analyses.crowds.partition import Partition, ValueBounds, class_bounds, with_bounds
from deniable.arrow import arrow_table, column_ints
from deniable.engines.scope import Relation
from deniable.frozen import frozen
from deniable.sql import crowds as queries
from deniable.worlds.arrays import Bools, Int64s, different
from deniable.worlds.crowds.rsind import Cliques, partition
from deniable.worlds.crowds.swaps import csind

if TYPE_CHECKING:
    from sqlglot import exp

TYPES = 4_000  # a graph on more types is not built
FEW = 200  # types in the smallest crowds, whose links bound k all the same


@frozen
class Types:
    """The different (class, value) that people have, and how many have each."""

    a: Int64s
    v: Int64s
    n: Int64s


@frozen(kw_only=True)
class Restricted(Partition):
    """Crowds that may take some of the people of a class and value and leave others."""

    types: Types
    cliques: Cliques

    def _places(self) -> pa.Table:
        """Which of the people of a class and value stand in which crowd: those after one number and up to another."""
        found, types = self.cliques, self.types
        order = np.lexsort((found.clique, found.type))
        kind, crowd, people = found.type[order], found.clique[order], found.people[order]
        total = np.cumsum(people)
        start = np.r_[True, kind[1:] != kind[:-1]]
        after = total - people - np.maximum.accumulate(np.where(start, total - people, 0))
        place = arrow_table(a=types.a[kind], v=types.v[kind], after=after, upto=after + people, crowd=crowd + 1)
        return with_bounds(place, crowd, self.bounds)

    @cached_property
    def _collections(self) -> Relation:
        """The values of each crowd."""
        domain = self.classes.tables.domain
        return self.classes.scope.store("collections", queries.collections(self.placed.crowds, domain))

    def answer(self, *, ordered: bool) -> exp.Select:
        """One row per person, with the collection of values beside each crowd."""
        plan, domain = self.classes.plan, self.classes.tables.domain
        return queries.answer_by_type(
            self.placed, domain, self._collections, plan.public, plan.keys.names, ordered=ordered
        )


def solve(classes: Classes, seconds: float) -> Restricted:
    """Partition the types; whether the best was proved is in `exact`."""
    rows = classes.scope.fetch(queries.counts(classes.types, ordered=True))
    types = Types(column_ints(rows, "a"), column_ints(rows, "v"), column_ints(rows, "n"))
    found = _cliques(classes, types, seconds)
    return Restricted(
        classes,
        found.k,
        int(found.clique.max()) + 1,
        exact=found.k == found.at_most and not classes.plan.unknown,
        find_bounds=lambda: _bounds(classes, types, found),
        crowd_of=lambda: np.arange(classes.totals.classes),
        k_at_most=found.at_most,
        types=types,
        cliques=found,
    )


def _cliques(classes: Classes, types: Types, seconds: float) -> Cliques:
    everybody, k = np.arange(len(types.a)), classes.totals.k
    if not any(view.on_private for view in classes.plan.views):
        return Cliques(everybody, types.a, types.n, k, k)  # no link leaves a class
    table = instance_of(classes)
    if table is None:
        return _inside_classes(classes, types)
    cells = table.cell_of[types.v]
    if len(types.a) <= TYPES:
        return partition(csind(table, types.a, cells, everybody), types.n, seconds)
    found = _inside_classes(classes, types)
    size = np.bincount(found.clique, types.n)[found.clique]
    few = np.argsort(size, kind="stable")[:FEW]  # nobody's crowd is larger than those they are linked to
    reach = csind(table, types.a, cells, few) @ types.n
    return replace(found, at_most=min(found.at_most, int(reach.min())))


def _inside_classes(classes: Classes, types: Types) -> Cliques:
    """Too large for a graph: people of one class whom no view without the value tells apart now."""
    group = types.a.copy()
    for view in classes.plan.views:
        if view.projects or not view.on_private:
            continue
        held = classes.selections[view.number].holds(classes.set_numbers(view)[types.a], types.v)
        group = group * 2 + held
    _, group = np.unique(group, return_inverse=True)
    size = np.bincount(group, types.n).astype(np.int64)
    return Cliques(np.arange(len(types.a)), group, types.n, int(size.min()), classes.totals.people)


def _bounds(classes: Classes, types: Types, found: Cliques) -> ValueBounds:
    """The values of a crowd's collection stay possible for each member; for `exposed` also what views allow."""
    allowed = class_bounds(classes).high
    crowds = int(found.clique.max()) + 1
    size = np.bincount(found.clique, found.people, crowds).astype(np.int64)
    pairs = different(found.clique * (classes.values + 1) + types.v[found.type])
    collection = np.bincount(pairs // (classes.values + 1), minlength=crowds).astype(np.int64)
    pinned = np.ones(crowds, np.bool_)
    np.logical_and.at(pinned, found.clique, allowed[types.a[found.type]] == 1)
    return RestrictedBounds(size, collection, collection, pinned)


@frozen
class RestrictedBounds(ValueBounds):
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
