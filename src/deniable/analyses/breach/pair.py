"""Two views: count in the engine, decide per distinct count, join the answers back.

Theorem (docs/theory/two-views.md, "The graph"): with two views the worlds of a join group are the covers of a
complete bipartite graph, so an association's probability depends only on (m, n, a, c), and for the restricted
adversary also on how many values of the group have which c. Most identifiers stand in one row or in one ID-side tuple
(a = 1): those people are never listed, only counted. The few who roam over several groups are in `roaming`.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from numpy.typing import NDArray
from sqlglot import exp

from deniable.analyses.breach.plan import Pair
from deniable.analyses.breach.relations import Relations
from deniable.analyses.breach.roaming import Roaming, find_roaming, preload
from deniable.arrow import arrow_table, column_ints, only
from deniable.bind.views import Bound
from deniable.engines.base import Engine
from deniable.sql import build, findings, pairs
from deniable.worlds.views import covers
from deniable.worlds.views.quadruples import evaluate

_EXACT_SHAPES = 5_000  # more distinct shapes of small groups than this are summed by the engine


def solve(bound: Bound, pair: Pair, engine: Engine, *, everything: bool) -> Relations:
    """Count both sides of every join group, and answer whoever stands there.

    Three cases, from cheap to dear: every identifier in one row (people are rows), every
    identifier in one ID-side tuple (people are counted by the engine), or people who
    stand in several (`roaming`: their rows go to compiled code).
    """
    release = bound.release
    ids = build.numbered("i", len(release.id_columns))
    joins = pairs.joins_of(len(pair.join))
    owns = build.numbered("y", len(pair.own))
    secret = bound.secret.condition if bound.secret else None
    roles = {
        "i": release.id_columns,
        "j": pair.join,
        "y": pair.own,
        "x": pair.other,
        "p": (release.private,),
    }
    engine.view("rows", build.narrowed(bound.source, roles, pair.condition, secret, bound.text_columns))
    repeats = _found(engine, pairs.repeats(ids, pairs.SOME), pairs.repeats(ids, None))
    tuple_columns = [*joins, *owns]
    roams = repeats and _found(
        engine, pairs.roams(ids, tuple_columns, pairs.SOME), pairs.roams(ids, tuple_columns, None)
    )
    if roams:
        preload()
    _count_values(engine, joins, build.numbered("x", len(pair.other)), all_secret=secret is None)
    if roams:
        engine.store("groups", pairs.bare_groups(joins))
        engine.view("coded_cells", pairs.coded_cells(joins))
        roaming = _roaming(engine, ids, joins, pair, all_secret=secret is None, everything=everything)
        return Relations(
            bound,
            engine,
            pairs.ANSWERS,
            ids,
            once=False,
            weight="",
            counted=(),
            wide=lambda: _put(engine, roaming, ids),
            roaming=roaming,
        )
    engine.store("hist", pairs.hist(joins))
    engine.store("groups", pairs.groups(joins))
    engine.view("coded_cells", pairs.coded_cells(joins))
    if repeats:
        engine.view("single_pairs", pairs.single_pairs(ids, joins))
        engine.view("settled", pairs.settled(ids, joins))
        engine.store("sides", pairs.sides_settled())
        engine.store("cells_of_settled", pairs.cells_of_settled())
        engine.store("shapes", pairs.shapes("cells_of_settled"))
    else:
        engine.view("sides", pairs.sides_once())
        engine.store("shapes", pairs.shapes_once(joins))
    _evaluate_shapes(engine)
    engine.store("shape_answers", pairs.shape_answers())
    listed = "cells_of_settled" if repeats else "coded_cells"
    engine.view("bag_answers", pairs.bag_answers(listed, pair.keeps_duplicates))
    engine.view("answers", pairs.answers(joins))
    return Relations(
        bound,
        engine,
        pairs.ANSWERS,
        ids,
        once=not repeats and not everything,
        weight="everybody" if everything else "s",
        counted=(("shape_answers", pairs.SHAPE_ANSWERS), ("bag_answers", ("bag",))),
        wide=lambda: (
            findings.wide_settled(ids, pairs.ANSWERS, everything)
            if repeats
            else findings.wide_once(ids, joins, pairs.ANSWERS, everything)
        ),
    )


def _count_values(engine: Engine, joins: list[str], others: list[str], *, all_secret: bool) -> None:
    """The P side, cell by cell."""
    engine.store("values_", pairs.values())
    few = False
    if others:
        engine.store("few_others", pairs.few_others(others))
        few = only(engine.fetch(build.select("count(*)").from_("few_others"))) <= pairs.BITS
    if few:
        engine.store("other_bits", pairs.numbered_others(others))
    engine.store("cells", pairs.cells(joins, others, few=few, all_secret=all_secret))


def _found(engine: Engine, soon: exp.Query, at_all: exp.Query) -> bool:
    """Whether a query finds something: in some rows, which proves it, or else in all."""
    return bool(only(engine.fetch(soon)) or only(engine.fetch(at_all)))


def _roaming(
    engine: Engine, ids: list[str], joins: list[str], pair: Pair, *, all_secret: bool, everything: bool
) -> Roaming:
    owns = build.numbered("y", len(pair.own))
    codes = only(engine.fetch(build.select("count(*)").from_("values_"))) + 1
    if owns:
        engine.store("tuples", pairs.tuples(joins, owns))
    tuples = only(engine.fetch(build.select("count(*)").from_("tuples" if owns else "groups")))
    kind = "INT" if tuples * codes < 2**31 else "BIGINT"  # half the memory is half the time
    rows = pairs.packed_rows(ids, joins, owns, codes, all_secret=all_secret, kind=kind)
    return find_roaming(engine, rows, codes, bool(owns), bags=pair.keeps_duplicates, everything=everything)


def _put(engine: Engine, roaming: Roaming, ids: list[str]) -> exp.Query:
    engine.put("roaming", roaming.table(pairs.ANSWERS))
    return findings.wide_roaming(ids, pairs.ANSWERS)


def _evaluate_shapes(engine: Engine) -> None:
    """Answer every distinct quadruple and every uneven group shape; put them in as tables."""
    shapes = engine.fetch(pairs.quadruples())
    m, n, c = (column_ints(shapes, name) for name in ("m", "n", "c"))
    answers = evaluate(m, n, m * 0 + 1, c)
    columns: dict[str, NDArray[Any]] = {
        "m": m,
        "n": n,
        "c": c,
        "value": answers.value,
        "lower": answers.lower,
        "upper": answers.upper,
    }
    columns |= {"exact": answers.exact, "mantissa": answers.mantissa, "exponent": answers.exponent}
    engine.put("quads", arrow_table(**columns))
    engine.store("uneven_small", pairs.uneven_small(covers.EXACT_EDGES))
    distinct = engine.fetch(build.select("m", "shape").distinct().from_("uneven_small"))
    if distinct.num_rows > _EXACT_SHAPES:
        engine.store("restricted", pairs.restricted_summed(0))
        return
    engine.put("exact_shapes", _exact_shapes(distinct))
    summed = pairs.restricted_summed(covers.EXACT_EDGES)
    engine.store("restricted", pairs.restricted_small().union(summed, distinct=False))


def _exact_shapes(shapes: pa.Table) -> pa.Table:
    """The exact restricted probability of each c in each small group shape."""
    found: list[tuple[int, str, int, float]] = []
    for row in shapes.to_pylist():
        nodes = {int(c): int(k) for c, k in (part.split(":") for part in row["shape"].split(" "))}
        for c in nodes:
            answer = covers.restricted(row["m"], 1, nodes, c)
            if answer is not None:
                found.append((row["m"], row["shape"], c, answer.value))
    types = [("m", pa.int64()), ("shape", pa.string()), ("c", pa.int64()), ("value", pa.float64())]
    columns = [pa.array([entry[i] for entry in found], kind) for i, (_, kind) in enumerate(types)]
    return pa.table(columns, schema=pa.schema(types))
