"""Two views: count in the engine, decide per distinct count, join the answers back.

The *connectivity graph* of Yao et al. falls apart into join groups: with two views the worlds of one are the covers of
a complete bipartite graph, so an association's probability depends only on (m, n, a, c), and for the restricted
adversary also on how many values of the group have which c (docs/theory/two-views.md, "The graph").
Most identifiers stand in one row or in one ID-side tuple (a = 1): those people are never listed, only counted. Who
stands in several groups is answered in `several_groups`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from deniable.analyses.breach.adversaries import Adversary
from deniable.analyses.breach.answers import Answers
from deniable.analyses.breach.engine_answers import EachOnce, EngineAnswers
from deniable.analyses.breach.plan import TwoViews
from deniable.arrow import arrow_array, arrow_table, arrow_texts, arrow_words, column_ints, only
from deniable.bind.views import Bound
from deniable.engines.scope import Relation, Scope
from deniable.frozen import frozen
from deniable.sql import associations, build, repeating, two_views
from deniable.sql.adversaries import FIELDS, Columns, Kept, fields_of
from deniable.sql.two_views import ColumnNames, Packing
from deniable.worlds.views import covers
from deniable.worlds.views.own_counts import OwnCounts, Small
from deniable.worlds.views.quadruples import evaluate

if TYPE_CHECKING:
    from sqlglot import exp

    from deniable.analyses.breach.several_groups import SeveralGroups

_EXACT_SHAPES = 5_000  # more distinct shapes of small groups than this are summed by the engine
_SMALL_GROUP = 40  # rows of a group in which repeating people are counted exactly


@frozen
class TwoViewCounts:
    """The rows of the views, and what was counted of their values."""

    scope: Scope
    names: ColumnNames
    all_secret: bool
    rows: Relation
    values: Relation
    cells: Relation
    others: Relation | None  # the different further columns of the P side, if these are few


def solve(bound: Bound, plan: TwoViews, adversaries: Sequence[Adversary], *, everything: bool) -> Answers:
    """Count both sides of every join group, and answer whoever stands there.

    Three cases, from cheap to dear: every identifier in one row (people are rows), every
    identifier in one ID-side tuple (people are counted by the engine), or people who
    stand in several (their rows go to compiled code).
    """
    scope = bound.scope
    names = ColumnNames.counted(len(bound.release.id_columns), len(plan.join), len(plan.own), len(plan.other))
    secret = bound.secret.condition if bound.secret else None
    roles = {
        "i": bound.release.id_columns,
        "j": plan.join,
        "y": plan.own,
        "x": plan.other,
        "p": (bound.release.private,),
    }
    rows = scope.view("rows", build.narrowed(bound.source, roles, plan.condition, secret, bound.text_columns))
    repeats, several = _repetitions(scope, rows, names)
    if several:
        from deniable.analyses.breach.listed_answers import ListedAnswers
        from deniable.analyses.breach.several_groups import begin

        begin(only(scope.fetch(two_views.count_rows(rows))))
    counted = _count(scope, names, rows, all_secret=secret is None)
    if several:
        people = _in_several_groups(counted, plan, adversaries, everything=everything)
        return ListedAnswers(scope, names.ids, counted.values, people)
    if repeats:
        return _each_in_one_tuple(counted, plan, adversaries, everything=everything)
    columns = {adversary.name: adversary.columns(plan.kept) for adversary in adversaries}
    return _each_in_one_row(counted, columns, everything=everything)


def _repetitions(scope: Scope, rows: Relation, names: ColumnNames) -> tuple[bool, bool]:
    """Whether an identifier stands in two rows, and whether one has two ID-side tuples."""

    def found(soon: exp.Query, at_all: exp.Query) -> bool:
        """In some rows, which proves it, or else in all."""
        return bool(only(scope.fetch(soon)) or only(scope.fetch(at_all)))

    ids, columns, some = names.ids, [*names.joins, *names.owns], two_views.SOME
    if not found(two_views.repeats(rows, ids, some), two_views.repeats(rows, ids, None)):
        return False, False
    several = two_views.has_several(rows, ids, columns, some), two_views.has_several(rows, ids, columns, None)
    return True, found(*several)


def _count(scope: Scope, names: ColumnNames, rows: Relation, *, all_secret: bool) -> TwoViewCounts:
    """The P side, cell by cell."""
    values = scope.store("values", two_views.value_numbers(rows))
    bits = others = None
    if names.others:
        few = scope.store("few_others", two_views.few_others(rows, names.others))
        if only(scope.fetch(two_views.count_rows(few))) <= two_views.BITS:
            others = few
            bits = scope.store("other_bits", two_views.numbered_others(few, names.others))
    cells = scope.store("cells", two_views.cells(rows, values, names, bits=bits, all_secret=all_secret))
    return TwoViewCounts(scope, names, all_secret, rows, values, cells, others)


def _each_in_one_row(counted: TwoViewCounts, columns: Mapping[str, Columns], *, everything: bool) -> EngineAnswers:
    """Rows are people: the histogram of the cells says all."""
    scope, joins = counted.scope, counted.names.joins
    histogram, groups, coded = _groups(counted)
    sides = scope.view("sides", two_views.sides_once(groups))
    shapes = scope.store("shapes", two_views.shapes_once(histogram, groups, sides, joins))
    found = _answer(counted, shapes, coded, groups, sides, columns)
    answers = found.answers
    listed = two_views.wide_once(
        counted.rows, counted.values, answers, counted.names, list(columns), everything=everything
    )
    return found.relations(listed, everything, None if everything else EachOnce(answers, groups))


def _each_in_one_tuple(
    counted: TwoViewCounts, plan: TwoViews, adversaries: Sequence[Adversary], *, everything: bool
) -> EngineAnswers:
    """People are counted: identifiers repeat, each in one ID-side tuple, and how often may matter."""
    scope, names = counted.scope, counted.names
    columns = {adversary.name: adversary.columns(plan.kept) for adversary in adversaries if not adversary.own}
    _, groups, coded = _groups(counted)
    pairs = scope.view("single_pairs", two_views.single_pairs(counted.rows, counted.values, groups, names))
    persons = scope.store("persons", repeating.persons(counted.rows, groups, names))
    owns = scope.store("owns", repeating.owns(persons))
    sides = scope.store("sides", repeating.sides(owns))
    cells = scope.store("cells_of_settled", two_views.cells_of_settled(coded, pairs))
    shapes = scope.store("shapes", two_views.shapes(cells, groups, sides))
    found = _answer(counted, shapes, cells, groups, sides, columns)
    secrets = scope.view("own_pairs", repeating.pairs(pairs, persons, names.ids))
    tuples = scope.view("value_tuples", repeating.value_tuples(counted.rows, counted.values, groups, names))
    own_cells = repeating.own_cells(owns, tuples, secrets, groups, sides, cells, _SMALL_GROUP)
    stored = scope.store("own_cells", own_cells)
    by_own = [adversary for adversary in adversaries if adversary.own]
    keys = scope.store("keys", repeating.keys(stored))
    own_answers = scope.put("own_answers", _own_answers(scope.fetch(associations.everything(keys)), by_own, plan.kept))
    query = repeating.answers(stored, keys, own_answers, found.answers, list(columns), [a.name for a in by_own])
    answers = scope.store("all_answers", query)
    asked = tuple(adversary.name for adversary in adversaries)
    people = persons if everything else secrets
    return EngineAnswers(
        scope,
        asked,
        names.ids,
        counted.rows,
        counted.values,
        ((answers, asked),),
        weight="everybody" if everything else "s",
        listed=repeating.wide(people, answers, names.ids, fields_of(*asked), values=not everything),
        shapes=(found.per_shape, tuple(name for name, made in columns.items() if not made.per_cell)),
        repeats=True,
    )


def _own_answers(keys: pa.Table, adversaries: Sequence[Adversary], kept: Kept) -> pa.Table:
    """What each adversary makes of each different set of counts, for the engine to join."""
    known = [_own_counts(row, kept) for row in keys.to_pylist()]
    table = arrow_table(key=column_ints(keys, "key"))
    for adversary in adversaries:
        found = [adversary.own(who) if adversary.own else None for who in known]
        missing = np.array([answer is None for answer in found], np.bool_)
        for field in FIELDS[:3]:
            numbers = np.array([0.0 if answer is None else getattr(answer, field) for answer in found])
            table = table.append_column(f"{adversary.name}_{field}", arrow_array(numbers, missing))
        proved = np.array([int(answer is not None and answer.exact is None) for answer in found], np.int64)
        table = table.append_column(f"{adversary.name}_bound", arrow_words(proved, ("exact", "proved"), missing))
    return table


def _own_counts(row: Mapping[str, Any], kept: Kept) -> OwnCounts:
    ids, values, mine = (_sizes(row[name]) for name in repeating.SHAPES)
    small = Small(ids, values, mine) if ids else None
    counts = {name: int(row[name]) for name in repeating.COUNTS}
    ids_kept, values_kept = kept.told or (False, False)
    return OwnCounts(**counts, ids_kept=ids_kept, values_kept=values_kept, small=small)


def _sizes(text: str) -> dict[int, int]:
    return {int(size): int(many) for size, many in (part.split(":") for part in text.split())}


def _groups(counted: TwoViewCounts) -> tuple[Relation, Relation, Relation]:
    """The histogram of the cells, the groups, and the cells with their group's number."""
    scope, joins = counted.scope, counted.names.joins
    histogram = scope.store("histogram", two_views.histogram(counted.cells, joins))
    groups = scope.store("groups", two_views.groups(histogram, joins))
    return histogram, groups, scope.view("coded_cells", two_views.coded_cells(counted.cells, groups, joins))


@frozen
class Found:
    """The answers per shape, per cell, and all together."""

    counted: TwoViewCounts
    columns: Mapping[str, Columns]
    per_shape: Relation
    per_cell: Relation
    answers: Relation

    def relations(self, listed: exp.Query, everything: bool, once: EachOnce | None) -> EngineAnswers:
        """As a result."""
        sources = []
        for source, per_cell in ((self.per_shape, False), (self.per_cell, True)):
            names = tuple(name for name, made in self.columns.items() if made.per_cell == per_cell)
            sources += [(source, names)] if names else []
        counted = self.counted
        return EngineAnswers(
            counted.scope,
            tuple(self.columns),
            counted.names.ids,
            counted.rows,
            counted.values,
            tuple(sources),
            weight="everybody" if everything else "s",
            listed=listed,
            once=once,
            shapes=(self.per_shape, tuple(name for name, made in self.columns.items() if not made.per_cell)),
        )


def _answer(
    counted: TwoViewCounts, shapes: Relation, cells: Relation, groups: Relation, sides: Relation,
    columns: Mapping[str, Columns],
) -> Found:  # fmt: skip
    scope = counted.scope
    quads, restricted = _evaluate_shapes(scope, shapes)
    per_shape = scope.store("shape_answers", two_views.shape_answers(shapes, quads, restricted, columns))
    per_cell = scope.store("cell_answers", two_views.cell_answers(cells, groups, sides, columns))
    query = two_views.answers(per_cell, per_shape, groups, columns, counted.names.joins)
    return Found(counted, columns, per_shape, per_cell, scope.view("answers", query))


def _evaluate_shapes(scope: Scope, shapes: Relation) -> tuple[Relation, Relation]:
    """Answer every distinct quadruple and every uneven group shape; put them in as tables."""
    found = scope.fetch(two_views.quadruples(shapes))
    m, n, c = (column_ints(found, name) for name in ("m", "n", "c"))
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
    quads = scope.put("quads", arrow_table(**columns))
    uneven = scope.store("uneven_small", two_views.uneven_small(shapes, covers.EXACT_EDGES))
    distinct = scope.fetch(two_views.uneven_shapes(uneven))
    if distinct.num_rows > _EXACT_SHAPES:
        return quads, scope.store("restricted", two_views.restricted_summed(shapes, quads, 0))
    exact = scope.put("exact_shapes", _exact_shapes(distinct))
    both = two_views.restricted_both(uneven, exact, shapes, quads, covers.EXACT_EDGES)
    return quads, scope.store("restricted", both)


def _exact_shapes(shapes: pa.Table) -> pa.Table:
    """The exact restricted probability of each c in each small group shape."""
    found: list[tuple[int, str, int, float]] = []
    for row in shapes.to_pylist():
        nodes = {int(c): int(k) for c, k in (part.split(":") for part in row["shape"].split(" "))}
        for c in nodes:
            answer = covers.restricted(row["m"], 1, nodes, c)
            if answer is not None:
                found.append((row["m"], row["shape"], c, answer.value))
    columns = list(zip(*found, strict=True)) or [(), (), (), ()]
    m, small, value = np.array(columns[0], np.int64), np.array(columns[2], np.int64), np.array(columns[3], np.float64)
    return arrow_table(m=m, c=small, value=value).append_column("shape", arrow_texts(columns[1]))


def _in_several_groups(
    counted: TwoViewCounts, plan: TwoViews, adversaries: Sequence[Adversary], *, everything: bool
) -> SeveralGroups:
    """Everybody's rows, packed, out of the engine."""
    from deniable.analyses.breach.several_groups import PackedRows, read_people

    scope, names = counted.scope, counted.names
    groups = scope.store("groups", two_views.bare_groups(counted.cells, names.joins))
    coded = scope.view("coded_cells", two_views.coded_cells(counted.cells, groups, names.joins))
    values = only(scope.fetch(two_views.count_rows(counted.values)))
    tuples = scope.store("tuples", two_views.tuples(counted.rows, groups, names)) if names.owns else None
    homes = tuples or groups
    numbers, others = None, 1
    if names.others:
        different = counted.others or scope.store("others", two_views.many_others(counted.rows, names.others))
        numbers = scope.store("other_numbers", two_views.other_numbers(different, names.others))
        others = only(scope.fetch(two_views.count_rows(numbers)))
    packing = Packing(values, others, counted.all_secret, small=False)
    # Half the memory is half the time.
    packing = replace(packing, small=only(scope.fetch(two_views.count_rows(homes))) * packing.codes < 2**31)
    rows = scope.fetch(two_views.packed_rows(counted.rows, counted.values, homes, numbers, names, packing))
    sizes = scope.fetch(two_views.group_sizes(groups))
    homes_of = scope.fetch(two_views.groups_of_tuples(tuples)) if tuples else None
    cells = scope.fetch(two_views.cell_counts(coded))
    return read_people(
        PackedRows(rows, sizes, homes_of, cells, packing),
        tuple(adversaries),
        kept=plan.kept,
        everything=everything,
    )
