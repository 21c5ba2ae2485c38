"""The queries of a two-view breach. In order: rows -> cells -> groups -> shapes -> answers.

rows    one per row of the narrowed table: i* identifier, j* join columns, y* further
        ID-side columns, x* further P-side columns, p0 the private value, s secret or not
values_ p0 -> v, a number for each private value
cells   (j*, v): c P-side tuples with the value, r rows, s secret rows
hist    (j*, c): how many values of the group have c tuples
groups  j* -> g, with n tuples and k values on the P side
sides   g -> the ID side: m tuples
shapes  hist with everything that decides a probability; shape_answers: and what it is
answers (g, v): the same for each value, with what depends on its rows
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from deniable.engines.dialect import same
from deniable.engines.scope import Relation
from deniable.frozen import frozen
from deniable.sql.adversaries import Columns, fields_of
from deniable.sql.build import numbered, of, ordinal, select
from deniable.worlds.views.quadruples import WEIGHT_ERROR

BITS = 62  # so many different x* or fewer are counted as bits of a number
_SECRET = "count(*) FILTER (WHERE s)"
SOME = 200_000  # rows that are looked at first: a repetition among them settles the question


@frozen
class ColumnNames:
    """The names of the columns of `rows`, by role."""

    ids: list[str]
    joins: list[str]  # at least one, since none at all is the constant 0
    owns: list[str]
    others: list[str]

    @classmethod
    def counted(cls, ids: int, joins: int, owns: int = 0, others: int = 0) -> ColumnNames:
        """So many of each."""
        return cls(numbered("i", ids), numbered("j", max(1, joins)), numbered("y", owns), numbered("x", others))


def repeats(rows: Relation, ids: Sequence[str], limit: int | None) -> exp.Select:
    """Whether an identifier stands in two rows (of the first `limit`)."""
    if len(ids) == 1:  # to count what is different is quicker than to count each
        (one,) = ids
        found = f"count(*) > count({one}) + 1 OR count({one}) > count(DISTINCT {one})"
        return select(f"{found} AS found").from_(_first(rows, limit))
    counted = select("count(*) AS k").from_(_first(rows, limit)).group_by(*ids).subquery("b")
    return select("coalesce(max(k), 0) > 1 AS found").from_(counted)


def has_several(rows: Relation, ids: Sequence[str], tuple_columns: Sequence[str], limit: int | None) -> exp.Select:
    """Whether an identifier has two different ID-side tuples (in the first `limit` rows)."""
    distinct = select(*ids, *tuple_columns).distinct().from_(_first(rows, limit)).subquery("c")
    counted = select("count(*) AS k").from_(distinct).group_by(*ids).subquery("b")
    return select("coalesce(max(k), 0) > 1 AS found").from_(counted)


def _first(rows: Relation, limit: int | None) -> exp.Expr:
    return select("*").from_(rows.as_("rows")).limit(limit).subquery("a") if limit else rows.as_("rows")


def count_people(rows: Relation, ids: Sequence[str]) -> exp.Select:
    """How many different identifiers there are."""
    return select("count(*) AS k").from_(select(*ids).distinct().from_(rows.as_("rows")).subquery("d"))


def count_rows(relation: Relation) -> exp.Select:
    """How many rows a relation has."""
    return select("count(*) AS n").from_(relation.as_("a"))


def value_numbers(rows: Relation, private: str = "p0") -> exp.Select:
    """A number for each private value, null included."""
    value = "p0" if private == "p0" else f"{private} AS p0"
    distinct = select(value).distinct().from_(rows.as_("rows")).subquery("d")
    return select("p0", ordinal("v", "p0")).from_(distinct)


def few_others(rows: Relation, others: Sequence[str]) -> exp.Select:
    """The different x*, as long as there are few; one more than BITS says there are many."""
    return select(*others).distinct().from_(rows.as_("rows")).limit(BITS + 1)


def numbered_others(few: Relation, others: Sequence[str]) -> exp.Select:
    """A bit for each of the few different x*."""
    bit = "CAST(1 AS BIGINT) << CAST(row_number() OVER () - 1 AS INT) AS bit"
    return select(*others, bit).from_(few.as_("few_others"))


def cells(
    rows: Relation, values: Relation, names: ColumnNames, *, bits: Relation | None = None, all_secret: bool
) -> exp.Select:
    """Per join group and value: P-side tuples, rows, secret rows. `bits` are those of the x*, if these are few.

    Values get their numbers last, when they stand in cells instead of rows.
    """
    joins, others = names.joins, names.others
    tuples, sums = "CAST(1 AS BIGINT) AS c", ("count(*) AS r", f"{'count(*)' if all_secret else _SECRET} AS s")
    read = select(*of("rows", *joins, "p0", "s"), *of("rows", *others)).from_(rows.as_("rows"))
    if bits:
        read = read.select("bit").join(bits.as_("other_bits"), on=same(others, "rows", "other_bits"))
        tuples = "CAST(bit_count(bit_or(bit)) AS BIGINT) AS c"
    elif others:
        each = select(*joins, "p0", *others, *sums).from_(read.subquery("t")).group_by(*joins, "p0", *others)
        tuples, sums = "count(*) AS c", ("CAST(sum(r) AS BIGINT) AS r", "CAST(sum(s) AS BIGINT) AS s")
        read = each
    counted = select(*joins, "p0", tuples, *sums).from_(read.subquery("t")).group_by(*joins, "p0")
    query = select(*of("t", *joins), "v", *of("t", "c", "r", "s")).from_(counted.subquery("t"))
    return query.join(values.as_("values_"), on=same(["p0"], "t", "values_"))


def rows_with_values(rows: Relation, values: Relation, columns: Sequence[str]) -> exp.Select:
    """Rows with the number of their private value."""
    query = select(*of("rows", *columns), "rows.s", "v").from_(rows.as_("rows"))
    return query.join(values.as_("values_"), on=same(["p0"], "rows", "values_"))


def histogram(cells: Relation, joins: Sequence[str]) -> exp.Select:
    """How many values of a join group have c tuples, and their rows."""
    sums = ("count(*) AS vals", "CAST(sum(r) AS BIGINT) AS r", "CAST(sum(s) AS BIGINT) AS s")
    return select(*joins, "c", *sums).from_(cells.as_("cells")).group_by(*joins, "c")


def groups(histogram: Relation, joins: Sequence[str]) -> exp.Select:
    """Join groups with what the P side alone tells of them."""
    return (
        select(
            *joins,
            "CAST(row_number() OVER () - 1 AS INT) AS g",
            "CAST(sum(vals) AS BIGINT) AS k",
            "CAST(sum(c * vals) AS BIGINT) AS n",
            "CAST(sum(r) AS BIGINT) AS rows",
            "min(c) AS least",
            "max(c) AS most",
        )
        .from_(histogram.as_("hist"))
        .group_by(*joins)
    )


def bare_groups(cells: Relation, joins: Sequence[str]) -> exp.Select:
    """Join groups with their number and the size of their P side, no more."""
    sums = ("CAST(sum(c) AS BIGINT) AS n", "CAST(sum(r) AS BIGINT) AS rows")
    return select(*joins, ordinal("g", *joins), *sums).from_(cells.as_("cells")).group_by(*joins)


def coded_cells(cells: Relation, groups: Relation, joins: Sequence[str]) -> exp.Select:
    """Cells with the number of their group."""
    query = select(*of("cells", "v", "c", "r", "s"), "groups.g", *of("groups", *joins)).from_(cells.as_("cells"))
    return query.join(groups.as_("groups"), on=same(joins, "cells", "groups"))


# The ID side. When every identifier stands in one row, it is the group's rows.


def sides_once(groups: Relation) -> exp.Select:
    """Every row is one person with one ID-side tuple."""
    return select("g", "rows AS m").from_(groups.as_("groups"))


# When identifiers repeat, but each in one ID-side tuple, it is the group's people.


def single_pairs(rows: Relation, values: Relation, groups: Relation, names: ColumnNames) -> exp.Select:
    """Everybody's secret associations, each once: i*, g, v."""
    coded = rows_with_values(rows, values, [*names.ids, *names.joins]).where("rows.s").subquery("c")
    query = select(*of("c", *names.ids), "g", "v").distinct().from_(coded)
    return query.join(groups.as_("groups"), on=same(names.joins, "c", "groups"))


def cells_of_settled(coded_cells: Relation, single_pairs: Relation) -> exp.Select:
    """Coded cells in which s counts associations instead of rows."""
    counted = select("g", "v", "count(*) AS s").from_(single_pairs.as_("single_pairs")).group_by("g", "v")
    query = select(*of("coded_cells", "g", "v", "c", "r"), "coalesce(h.s, 0) AS s")
    on = "coded_cells.g = h.g AND coded_cells.v = h.v"
    return query.from_(coded_cells.as_("coded_cells")).join(counted.subquery("h"), on=on, join_type="left")


def shapes(cells_with_s: Relation, groups: Relation, sides: Relation) -> exp.Select:
    """Per group, how many values have c tuples, with the counts of both sides."""
    counted = select("g", "c", "count(*) AS vals", "CAST(sum(s) AS BIGINT) AS s")
    counted = counted.from_(cells_with_s.as_("cells")).group_by("g", "c")
    return _with_sides(counted.subquery("h"), "h.g = groups.g", groups, sides)


def shapes_once(histogram: Relation, groups: Relation, sides: Relation, joins: Sequence[str]) -> exp.Select:
    """The same from the histogram, where rows are associations."""
    return _with_sides(histogram.as_("h"), same(joins, "h", "groups"), groups, sides)


def _with_sides(counted: exp.Expr, on: exp.Expr | str, groups: Relation, sides: Relation) -> exp.Select:
    query = select(
        *of("h", "c", "vals", "s"), *of("groups", "g", "k", "n", "rows", "least", "most"),
        "sides.m", "sides.m * h.vals AS everybody",
    ).from_(counted)  # fmt: skip
    return query.join(groups.as_("groups"), on=on).join(sides.as_("sides"), on="groups.g = sides.g")


# When somebody has several ID-side tuples, everybody's rows go to the compiled kernel.


def tuples(rows: Relation, groups: Relation, names: ColumnNames) -> exp.Select:
    """A number t for each ID-side tuple less its identifier, group by group."""
    columns = [*names.joins, *names.owns]
    distinct = select(*columns).distinct().from_(rows.as_("rows")).subquery("d")
    query = select(*of("d", *columns), "g", "CAST(row_number() OVER (ORDER BY g) - 1 AS INT) AS t")
    return query.from_(distinct).join(groups.as_("groups"), on=same(names.joins, "d", "groups"))


def groups_of_tuples(tuples: Relation) -> exp.Select:
    """The group of each tuple, in the order of their numbers."""
    return select("t", "g").from_(tuples.as_("tuples")).order_by("t")


def group_sizes(groups: Relation) -> exp.Select:
    """P-side tuples and rows of each group, in the order of their numbers."""
    return select("n", "rows").from_(groups.as_("groups")).order_by("g")


def cell_counts(coded_cells: Relation) -> exp.Select:
    """Tuples and rows of each value in each group."""
    return select("g", "v", "c", "r").from_(coded_cells.as_("coded_cells"))


def many_others(rows: Relation, others: Sequence[str]) -> exp.Select:
    """The different x*, however many."""
    return select(*others).distinct().from_(rows.as_("rows"))


def other_numbers(different: Relation, others: Sequence[str]) -> exp.Select:
    """A number o for each of the different x*."""
    return select(*others, "row_number() OVER () - 1 AS o").from_(different.as_("different"))


@frozen
class Packing:
    """Rows as whole numbers, in 32 bits where that fits: tuple * codes + code, where a code says the P-side tuple,
    value * others + other, and in its last bit whether the association is secret."""

    values: int
    others: int
    all_secret: bool
    small: bool

    @property
    def codes(self) -> int:
        """How many there are."""
        return 2 * self.values * self.others


def packed_rows(
    rows: Relation, values: Relation, tuples: Relation, other_numbers: Relation | None, names: ColumnNames,
    packing: Packing,
) -> exp.Select:  # fmt: skip
    """Every row as one number, people together. `tuples` are groups where the ID side has no further columns."""
    secret = "1" if packing.all_secret else "CASE WHEN c.s THEN 1 ELSE 0 END"
    source, number = ("tuples", "t") if names.owns else ("groups", "g")
    kind = "INT" if packing.small else "BIGINT"
    others = names.others if other_numbers else []
    coded = rows_with_values(rows, values, [*names.ids, *names.joins, *names.owns, *others]).subquery("c")
    side = f"(CAST(v AS BIGINT) * {packing.others} + o)" if other_numbers else "CAST(v AS BIGINT)"
    packed = f"CAST(CAST({number} AS BIGINT) * {packing.codes} + 2 * {side} + {secret} AS {kind}) AS packed"
    query = select(*of("c", *names.ids), packed).from_(coded)
    on = same([*names.joins, *names.owns], "c", source)
    query = query.join(tuples.as_(source), on=on)
    if other_numbers:
        query = query.join(other_numbers.as_("numbers"), on=same(others, "c", "numbers"))
    return query.order_by(*of("c", *names.ids))


# From shapes to probabilities.


def quadruples(shapes: Relation) -> exp.Select:
    """The quadruples (a = 1) that occur."""
    return select("m", "n", "c").distinct().from_(shapes.as_("shapes"))


def _uneven(shapes: Relation, size: str) -> exp.Select:
    """Groups whose values differ in their number of tuples."""
    query = select("g", "m", "n", "k", "c", "vals").from_(shapes.as_("shapes"))
    return query.where("least < most", "m > 1", size)


def uneven_small(shapes: Relation, edges: int) -> exp.Select:
    """The small ones, with their shape as text: `c:values c:values …`."""
    text = "string_agg(concat(c, ':', vals), ' ' ORDER BY c) AS shape"
    small = _uneven(shapes, f"CAST(m AS DOUBLE) * n <= {edges}").subquery("u")
    return select("g", "m", text).from_(small).group_by("g", "m")


def uneven_shapes(uneven_small: Relation) -> exp.Select:
    """The different ones among these."""
    return select("m", "shape").distinct().from_(uneven_small.as_("uneven_small"))


def restricted_small(uneven_small: Relation, exact_shapes: Relation) -> exp.Select:
    """Small groups: the exact answers, joined back by shape."""
    query = select("uneven_small.g", "c", "value", "value AS lower", "value AS upper", "'exact' AS bound")
    return query.from_(uneven_small.as_("uneven_small")).join(exact_shapes.as_("exact_shapes"), using=["m", "shape"])


def restricted_summed(shapes: Relation, quads: Relation, edges: int) -> exp.Select:
    """Larger groups: weight over the sum of weights, the largest taken out, by the engine.

    Mantissas carry a relative error below WEIGHT_ERROR. Weights are summed as whole numbers, 60 bits of each in two
    parts, so that the sum is the same in whatever order the engine takes them: it lacks less than k 2^-60 for k values,
    and is at least 1/2. A few operations remain.
    A term that underflows is below 2^-1000 of the sum, hence the last summand of `upper`.
    """
    uneven = _uneven(shapes, f"CAST(m AS DOUBLE) * n > {edges}").subquery("u")
    weights = select(*of("u", "g", "k", "c", "vals"), "mantissa", "exponent").from_(uneven)
    weights = weights.join(quads.as_("quads"), on="u.m = quads.m AND u.n = quads.n AND u.c = quads.c")
    tops = select("*", "max(exponent) OVER (PARTITION BY g) AS top").from_(weights.subquery("w"))
    power = "pow(CAST(2 AS DOUBLE), CAST(greatest(exponent - top, -2000) AS DOUBLE))"
    scaled = select("*", f"mantissa * {power} AS weight").from_(tops.subquery("t"))
    high = "CAST(floor(weight * 1073741824) AS BIGINT)"
    parts = select("*", f"{high} AS high", f"CAST(floor((weight * 1073741824 - {high}) * 1073741824) AS BIGINT) AS low")
    sums = (f"CAST(sum(vals * {part}) OVER (PARTITION BY g) AS DOUBLE)" for part in ("high", "low"))
    total = "({} + {} / 1073741824) / 1073741824 AS total".format(*sums)
    totals = select("*", total).from_(parts.from_(scaled.subquery("s")).subquery("p"))
    error = f"(k + 16) * CAST({WEIGHT_ERROR!r} AS DOUBLE)"
    return select(
        "g", "c",
        "weight / total AS value",
        f"weight / total * (1 - {error}) AS lower",
        f"least(1, weight / total * (1 + {error}) + CAST(1e-300 AS DOUBLE)) AS upper",
        "'proved' AS bound",
    ).from_(totals.subquery("v"))  # fmt: skip


def restricted_both(
    uneven_small: Relation, exact_shapes: Relation, shapes: Relation, quads: Relation, edges: int
) -> exp.Query:
    """Small groups exactly, larger ones summed."""
    return restricted_small(uneven_small, exact_shapes).union(restricted_summed(shapes, quads, edges), distinct=False)


def shape_answers(
    shapes: Relation, quads: Relation, restricted: Relation, adversaries: Mapping[str, Columns]
) -> exp.Select:
    """Every shape with the adversaries whom it decides; null where one has no world."""
    columns = [text for name, made in adversaries.items() if not made.per_cell for text in made.named(name)]
    query = select("h.*", *columns).from_(shapes.as_("h"))
    query = query.join(quads.as_("quads"), on="h.m = quads.m AND h.n = quads.n AND h.c = quads.c")
    on = "h.g = restricted.g AND h.c = restricted.c"
    return query.join(restricted.as_("restricted"), on=on, join_type="left")


def cell_answers(
    cells_with_s: Relation, groups: Relation, sides: Relation, adversaries: Mapping[str, Columns]
) -> exp.Select:
    """Every (group, value) with the adversaries for whom its rows matter."""
    columns = [text for name, made in adversaries.items() if made.per_cell for text in made.named(name)]
    query = select(*of("h", "g", "v", "c", "s"), "sides.m AS everybody", *columns).from_(cells_with_s.as_("h"))
    return query.join(groups.as_("groups"), on="h.g = groups.g").join(sides.as_("sides"), on="h.g = sides.g")


def answers(
    cell_answers: Relation, shape_answers: Relation, groups: Relation, adversaries: Mapping[str, Columns],
    joins: Sequence[str],
) -> exp.Select:  # fmt: skip
    """Every (group, value) with all of them."""
    shaped = of("h", *fields_of(*(name for name, made in adversaries.items() if not made.per_cell)))
    query = select("a.*", *shaped, *of("groups", *joins)).from_(cell_answers.as_("a"))
    query = query.join(shape_answers.as_("h"), on="a.g = h.g AND a.c = h.c")
    return query.join(groups.as_("groups"), on="a.g = groups.g")


# From answers to associations: one row each, adversaries side by side.


def wide_once(
    rows: Relation,
    values: Relation,
    answers: Relation,
    names: ColumnNames,
    adversaries: Sequence[str],
    *,
    everything: bool,
) -> exp.Select:
    """When every identifier stands in one row."""
    columns = of("answers", "v", *fields_of(*adversaries))
    query = select(*of("rows", *names.ids), *columns).from_(rows.as_("rows"))
    joined = same(names.joins, "rows", "answers")
    if everything:
        return query.join(answers.as_("answers"), on=joined)
    query = query.join(values.as_("values_"), on=same(["p0"], "rows", "values_"))
    on = exp.and_(joined, exp.column("v", "values_").eq(exp.column("v", "answers")))
    return query.join(answers.as_("answers"), on=on).where("rows.s")
