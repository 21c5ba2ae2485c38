"""Conditions on the private column: for each person, the set of values that would satisfy it.

Computed once for each different combination of the public columns that the condition looks at,
never for each row; separable conditions by where thresholds fall among the values, others by
trying every combination with every value, up to a limit.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from deniable.analyses.crowds.plan import Plan, Seen
from deniable.arrow import arrow_table, column_ints, only
from deniable.engines.base import Engine
from deniable.errors import LimitExceeded
from deniable.sql import crowds as queries
from deniable.sql.build import as_text, select
from deniable.sql.conditions import Separated
from deniable.worlds.arrays import Int8s, Int64s
from deniable.worlds.crowds import selections as satisfying
from deniable.worlds.crowds.selections import Sets


def find_sets(plan: Plan, engine: Engine, limit: int) -> dict[int, Sets]:
    """The sets of every view whose condition mentions the private column, kept in the engine as well."""
    found = {}
    for view in plan.views:
        if not view.on_private:
            continue
        parts = plan.set_parts(view)
        engine.store("combinations", queries.combinations(parts))
        if view.separated is not None:
            sets = _by_order(plan, view, view.separated, engine, limit)
        else:
            sets = _by_listing(plan, view, engine, limit)
        found[view.number] = sets
        engine.put("found", arrow_table(h=np.arange(len(sets.of)), t=sets.of))
        engine.store(f"sets{view.number}", queries.with_sets(parts))
    return found


def _by_order(plan: Plan, view: Seen, parts: Separated, engine: Engine, limit: int) -> Sets:
    names = {plan.private: "p"}
    compared = queries.renamed(parts.compared, names)
    private = [queries.renamed(tree, names) for tree in parts.private]
    values = engine.fetch(queries.domain_truths(compared, private))
    domain = satisfying.Domain(column_ints(values, "position"), _truths(values, [f"z{i}" for i in range(len(private))]))
    truths, thresholds = view.parts[: len(parts.public)], view.parts[len(parts.public) :]
    for i, threshold in enumerate(thresholds):
        engine.store(f"ranks{i}", queries.ranks(compared, threshold))
    rows = engine.fetch(queries.ranked(truths, thresholds))
    combinations = satisfying.Combinations(
        _truths(rows, truths),
        _matrix(rows, [f"below{i}" for i in range(len(thresholds))]),
        _matrix(rows, [f"upto{i}" for i in range(len(thresholds))]),
    )
    sets = satisfying.by_order(parts.formula, domain, combinations, most=4 * limit)
    if sets is None:
        raise _too_many(view, limit)
    return sets


def _by_listing(plan: Plan, view: Seen, engine: Engine, limit: int) -> Sets:
    if view.condition is None:
        raise TypeError("a view without a condition selects everybody")
    combinations = int(only(engine.fetch(select("count(*) AS n").from_("combinations"))))
    values = int(only(engine.fetch(select("count(*) AS n").from_("domain_"))))
    if combinations * values > limit:
        raise _too_many(view, limit)
    names = {**plan.used, plan.private: "p"}
    rows = engine.fetch(queries.pairs(queries.renamed(as_text(view.condition, ()), names)))
    return satisfying.by_listing(column_ints(rows, "h"), column_ints(rows, "v"), combinations, values)


def _too_many(view: Seen, limit: int) -> LimitExceeded:
    return LimitExceeded(
        f"view {view.name}: its condition asks for more than {limit:,} combinations of public and private values "
        "to be tried; raise --limit, or write each comparison with the private column alone on one side"
    )


def _truths(rows: pa.Table, names: list[str] | tuple[str, ...]) -> Int8s:
    return _matrix(rows, names).astype(np.int8)


def _matrix(rows: pa.Table, names: list[str] | tuple[str, ...]) -> Int64s:
    found = np.zeros((rows.num_rows, len(names)), np.int64)
    for i, name in enumerate(names):
        found[:, i] = column_ints(rows, name)
    return found
