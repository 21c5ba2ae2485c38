"""Conditions on the private column: for each person, the set of values that would satisfy it.

Computed once for each different combination of the public columns that the condition looks at,
never for each row; separable conditions by where thresholds fall among the values, others by
trying every combination with every value, up to a limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import pyarrow as pa

from deniable.analyses.crowds.plan import CrowdPlan
from deniable.arrow import arrow_table, column_ints, only
from deniable.engines.scope import Relation, Scope
from deniable.errors import LimitExceeded, Reason
from deniable.frozen import frozen
from deniable.sql import crowds, selections
from deniable.sql import domain as domains
from deniable.sql import keys as people
from deniable.sql.conditions import Separated
from deniable.sql.keys import TellingView
from deniable.worlds.arrays import Bools, Int8s, Int64s
from deniable.worlds.crowds.selections import Combinations, Domain, Sets, by_listing, by_order


@frozen
class Tables:
    """The people and the values of a plan in an engine, each made when it is first asked for."""

    plan: CrowdPlan
    scope: Scope

    @cached_property
    def base(self) -> Relation:
        """Every person, with what decides their sets of values."""
        return self.scope.view("base", people.base(self.plan.source, self.plan.keys))

    @cached_property
    def domain(self) -> Relation:
        """The values that the private column can take, in their order."""
        release, keys = self.plan.release, self.plan.keys
        values = domains.domain(self.plan.source, release.domain, release.private, self.plan.kind)
        if self.plan.known is not None:
            values = domains.with_functions(values, self.plan.known, release.private, keys.functions)
        return self.scope.store("domain", values)


@frozen
class Selection:
    """What one view would select: sets of private values, and which combination of public columns has which."""

    sets: Sets
    relation: Relation

    def holds(self, number: Int64s, value: Int64s) -> Bools:
        """Whether a set has a value, for each of some pairs of a set's number and a value's."""
        slot, held = self.sets.slot[value], np.zeros(len(number), np.bool_)
        for column in self.sets.changes.T:
            held ^= (column[number] >= 0) & (column[number] <= slot)
        return held


def find_selections(tables: Tables, limit: int) -> dict[int, Selection]:
    """What every view selects whose condition mentions the private column, by the view's number."""
    return {view.number: _selection(tables, view, limit) for view in tables.plan.views if view.on_private}


def _selection(tables: Tables, view: TellingView, limit: int) -> Selection:
    scope, parts = tables.scope, tables.plan.keys.set_parts(view)
    combinations = scope.store("combinations", selections.combinations(tables.base, parts))
    if view.separated is not None:
        sets = _by_order(tables, view, view.separated, combinations, limit)
    else:
        sets = _by_listing(tables, view, combinations, limit)
    found = scope.put("found", arrow_table(h=np.arange(len(sets.of)), t=sets.of))
    return Selection(sets, scope.store("sets", selections.with_sets(combinations, found, parts)))


def _by_order(tables: Tables, view: TellingView, parts: Separated, combinations: Relation, limit: int) -> Sets:
    scope, private = tables.scope, tables.plan.keys.private
    values = scope.fetch(selections.values(tables.domain, parts, private))
    domain = Domain(column_ints(values, "position"), _truths(values, [f"z{i}" for i in range(len(parts.private))]))
    ranks = [
        scope.store("ranks", selections.ranks(tables.domain, combinations, parts, private, threshold))
        for threshold in view.thresholds
    ]
    rows = scope.fetch(selections.ranked(combinations, view, ranks))
    placed = Combinations(
        _truths(rows, view.truths),
        _matrix(rows, [f"below{i}" for i in range(len(ranks))]),
        _matrix(rows, [f"upto{i}" for i in range(len(ranks))]),
    )
    sets = by_order(parts.formula, domain, placed, most=4 * limit)
    if sets is None:
        raise _too_many(view, limit)
    return sets


def _by_listing(tables: Tables, view: TellingView, combinations: Relation, limit: int) -> Sets:
    scope = tables.scope
    count = int(only(scope.fetch(crowds.how_many(combinations))))
    values = int(only(scope.fetch(crowds.how_many(tables.domain))))
    if count * values > limit:
        raise _too_many(view, limit)
    rows = scope.fetch(selections.satisfying(combinations, tables.domain, tables.plan.keys, view))
    return by_listing(column_ints(rows, "h"), column_ints(rows, "v"), count, values)


def _too_many(view: TellingView, limit: int) -> LimitExceeded:
    return LimitExceeded(Reason("crowds.too_many_combinations", view=view.name, limit=limit))


def _truths(rows: pa.Table, names: Sequence[str]) -> Int8s:
    return _matrix(rows, names).astype(np.int8)


def _matrix(rows: pa.Table, names: Sequence[str]) -> Int64s:
    found = np.zeros((rows.num_rows, len(names)), np.int64)
    for i, name in enumerate(names):
        found[:, i] = column_ints(rows, name)
    return found
