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

from collections.abc import Sequence

from sqlglot import exp

from deniable.engines.dialect import same
from deniable.sql.build import numbered, of, select
from deniable.worlds.views.quadruples import WEIGHT_ERROR

ANSWERS = ("unrestricted", "restricted", "keyed", "bag")
SHAPE_ANSWERS = ANSWERS[:3]  # these depend on (g, c) only
FIELDS = ("value", "lower", "upper", "bound")
BITS = 62  # so many different x* or fewer are counted as bits of a number


def joins_of(count: int) -> list[str]:
    """The join columns' names: at least one, since none at all is the constant 0."""
    return numbered("j", max(1, count))


SOME = 200_000  # rows that are looked at first: a repetition among them settles the question


def repeats(ids: Sequence[str], limit: int | None) -> exp.Select:
    """Whether an identifier stands in two rows (of the first `limit`)."""
    counted = select("count(*) AS k").from_(_rows(limit)).group_by(*ids).subquery("b")
    return select("coalesce(max(k), 0) > 1 AS found").from_(counted)


def roams(ids: Sequence[str], tuple_columns: Sequence[str], limit: int | None) -> exp.Select:
    """Whether an identifier has two different ID-side tuples (in the first `limit` rows)."""
    distinct = select(*ids, *tuple_columns).distinct().from_(_rows(limit)).subquery("c")
    counted = select("count(*) AS k").from_(distinct).group_by(*ids).subquery("b")
    return select("coalesce(max(k), 0) > 1 AS found").from_(counted)


def _rows(limit: int | None) -> exp.Expr:
    return select("*").from_("rows").limit(limit).subquery("a") if limit else exp.to_table("rows")


def count_people(ids: Sequence[str]) -> exp.Select:
    """How many different identifiers there are."""
    return select("count(*) AS k").from_(select(*ids).distinct().from_("rows").subquery("d"))


def values() -> exp.Select:
    """A number for each private value, null included."""
    distinct = select("p0").distinct().from_("rows").subquery("d")
    return select("p0", "CAST(row_number() OVER () - 1 AS INT) AS v").from_(distinct)


def few_others(others: Sequence[str]) -> exp.Select:
    """The different x*, as long as there are few; one more than BITS says there are many."""
    return select(*others).distinct().from_("rows").limit(BITS + 1)


def numbered_others(others: Sequence[str]) -> exp.Select:
    """A bit for each of the few different x*."""
    return select(*others, "CAST(1 AS BIGINT) << CAST(row_number() OVER () - 1 AS INT) AS bit").from_("few_others")


def cells(joins: Sequence[str], others: Sequence[str], *, few: bool, all_secret: bool) -> exp.Select:
    """Per join group and value: P-side tuples, rows, secret rows."""
    secret = "count(*)" if all_secret else "count(*) FILTER (WHERE s)"
    coded = rows_with_values([*joins, *others])
    if not others:
        grouped = select(*joins, "v", "CAST(1 AS BIGINT) AS c", "count(*) AS r", f"{secret} AS s")
        return grouped.from_(coded.subquery("t")).group_by(*joins, "v")
    if few:
        marked = coded.select("bit").join("other_bits", on=same(others, "rows", "other_bits"))
        tuples = "CAST(bit_count(bit_or(bit)) AS BIGINT) AS c"
        grouped = select(*joins, "v", tuples, "count(*) AS r", f"{secret} AS s")
        return grouped.from_(marked.subquery("t")).group_by(*joins, "v")
    each = select(*joins, "v", *others, "count(*) AS r", f"{secret} AS s")
    each = each.from_(coded.subquery("t")).group_by(*joins, "v", *others)
    sums = ("count(*) AS c", "CAST(sum(r) AS BIGINT) AS r", "CAST(sum(s) AS BIGINT) AS s")
    return select(*joins, "v", *sums).from_(each.subquery("t")).group_by(*joins, "v")


def rows_with_values(columns: Sequence[str]) -> exp.Select:
    """Rows with the number of their private value."""
    query = select(*of("rows", *columns), "rows.s", "v").from_("rows")
    return query.join("values_", on=same(["p0"], "rows", "values_"))


def hist(joins: Sequence[str]) -> exp.Select:
    """How many values of a join group have c tuples, and their rows."""
    sums = ("count(*) AS vals", "CAST(sum(r) AS BIGINT) AS r", "CAST(sum(s) AS BIGINT) AS s")
    return select(*joins, "c", *sums).from_("cells").group_by(*joins, "c")


def groups(joins: Sequence[str]) -> exp.Select:
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
        .from_("hist")
        .group_by(*joins)
    )


def bare_groups(joins: Sequence[str]) -> exp.Select:
    """Join groups with their number and the size of their P side, no more."""
    number = "CAST(row_number() OVER () - 1 AS INT) AS g"
    sums = ("CAST(sum(c) AS BIGINT) AS n", "CAST(sum(r) AS BIGINT) AS rows")
    return select(*joins, number, *sums).from_("cells").group_by(*joins)


def coded_cells(joins: Sequence[str]) -> exp.Select:
    """Cells with the number of their group."""
    query = select(*of("cells", "v", "c", "r", "s"), "groups.g", *of("groups", *joins)).from_("cells")
    return query.join("groups", on=same(joins, "cells", "groups"))


# The ID side. When every identifier stands in one row, it is the group's rows.


def sides_once() -> exp.Select:
    """Every row is one person with one ID-side tuple."""
    return select("g", "rows AS m").from_("groups")


# When identifiers repeat, but each in one ID-side tuple, it is the group's people.


def single_pairs(ids: Sequence[str], joins: Sequence[str]) -> exp.Select:
    """Everybody's secret associations, each once: i*, g, v."""
    coded = rows_with_values([*ids, *joins]).where("rows.s").subquery("c")
    query = select(*of("c", *ids), "g", "v").distinct().from_(coded)
    return query.join("groups", on=same(joins, "c", "groups"))


def settled(ids: Sequence[str], joins: Sequence[str]) -> exp.Select:
    """Everybody with their group."""
    distinct = select(*ids, *joins).distinct().from_("rows").subquery("c")
    return select(*of("c", *ids), "g").from_(distinct).join("groups", on=same(joins, "c", "groups"))


def sides_settled() -> exp.Select:
    """One ID-side tuple for each person."""
    return select("g", "count(*) AS m").from_("settled").group_by("g")


def cells_of_settled() -> exp.Select:
    """Coded cells in which s counts associations instead of rows."""
    counted = select("g", "v", "count(*) AS s").from_("single_pairs").group_by("g", "v").subquery("h")
    query = select(*of("coded_cells", "g", "v", "c", "r"), "coalesce(h.s, 0) AS s").from_("coded_cells")
    return query.join(counted, on="coded_cells.g = h.g AND coded_cells.v = h.v", join_type="left")


def shapes(cells_with_s: str) -> exp.Select:
    """Per group, how many values have c tuples, with the counts of both sides."""
    counted = select("g", "c", "count(*) AS vals", "CAST(sum(s) AS BIGINT) AS s")
    counted = counted.from_(cells_with_s).group_by("g", "c")
    return _with_sides(counted.subquery("h"), "h.g = groups.g")


def shapes_once(joins: Sequence[str]) -> exp.Select:
    """The same from hist, where rows are associations."""
    return _with_sides(exp.to_table("hist", alias="h"), same(joins, "h", "groups"))


def _with_sides(counted: exp.Expr, on: exp.Expr | str) -> exp.Select:
    query = select(
        *of("h", "c", "vals", "s"), *of("groups", "g", "k", "n", "rows", "least", "most"),
        "sides.m", "sides.m * h.vals AS everybody",
    ).from_(counted)  # fmt: skip
    return query.join("groups", on=on).join("sides", on="groups.g = sides.g")


# When somebody has several ID-side tuples, everybody's rows go to the compiled kernel.


def tuples(joins: Sequence[str], owns: Sequence[str]) -> exp.Select:
    """A number t for each ID-side tuple less its identifier, group by group."""
    distinct = select(*joins, *owns).distinct().from_("rows").subquery("d")
    query = select(*of("d", *joins, *owns), "g", "CAST(row_number() OVER (ORDER BY g) - 1 AS INT) AS t")
    return query.from_(distinct).join("groups", on=same(joins, "d", "groups"))


def packed_rows(
    ids: Sequence[str], joins: Sequence[str], owns: Sequence[str], codes: int, *, all_secret: bool, kind: str
) -> exp.Select:
    """Every row as tuple * codes + value, people together; `kind` is a type that holds it.

    A row whose association is no secret carries the value codes - 1, which no value has.
    """
    value = "v" if all_secret else f"CASE WHEN s THEN v ELSE {codes - 1} END"
    source, number = ("tuples", "t") if owns else ("groups", "g")
    coded = rows_with_values([*ids, *joins, *owns]).subquery("c")
    packed = f"CAST(CAST({number} AS BIGINT) * {codes} + {value} AS {kind}) AS packed"
    query = select(*of("c", *ids), packed).from_(coded)
    return query.join(source, on=same([*joins, *owns], "c", source)).order_by(*of("c", *ids))


# From shapes to probabilities.


def quadruples() -> exp.Select:
    """The quadruples (a = 1) that occur."""
    return select("m", "n", "c").distinct().from_("shapes")


def _uneven(size: str) -> exp.Select:
    """Groups whose values differ in their number of tuples."""
    return select("g", "m", "n", "k", "c", "vals").from_("shapes").where("least < most", "m > 1", size)


def uneven_small(edges: int) -> exp.Select:
    """The small ones, with their shape as text: `c:values c:values …`."""
    text = "string_agg(concat(c, ':', vals), ' ' ORDER BY c) AS shape"
    small = _uneven(f"CAST(m AS DOUBLE) * n <= {edges}").subquery("u")
    return select("g", "m", text).from_(small).group_by("g", "m")


def restricted_small() -> exp.Select:
    """Small groups: the exact answers, joined back by shape."""
    query = select("uneven_small.g", "c", "value", "value AS lower", "value AS upper", "'exact' AS bound")
    return query.from_("uneven_small").join("exact_shapes", using=["m", "shape"])


def restricted_summed(edges: int) -> exp.Select:
    """Larger groups: weight over the sum of weights, the largest taken out, by the engine.

    Mantissas carry a relative error below WEIGHT_ERROR; a sum of k positive terms adds at
    most k half-ulps in whatever order the engine takes them; a few operations remain.
    A term that underflows is below 2^-1000 of the sum, hence the last summand of `upper`.
    """
    uneven = _uneven(f"CAST(m AS DOUBLE) * n > {edges}").subquery("u")
    weights = select(*of("u", "g", "k", "c", "vals"), "mantissa", "exponent").from_(uneven)
    weights = weights.join("quads", on="u.m = quads.m AND u.n = quads.n AND u.c = quads.c")
    tops = select("*", "max(exponent) OVER (PARTITION BY g) AS top").from_(weights.subquery("w"))
    power = "pow(CAST(2 AS DOUBLE), CAST(greatest(exponent - top, -2000) AS DOUBLE))"
    scaled = select("*", f"mantissa * {power} AS weight").from_(tops.subquery("t"))
    totals = select("*", "sum(vals * weight) OVER (PARTITION BY g) AS total").from_(scaled.subquery("s"))
    error = f"(k + 16) * CAST({WEIGHT_ERROR!r} AS DOUBLE)"
    return select(
        "g", "c",
        "weight / total AS value",
        f"weight / total * (1 - {error}) AS lower",
        f"least(1, weight / total * (1 + {error}) + CAST(1e-300 AS DOUBLE)) AS upper",
        "'proved' AS bound",
    ).from_(totals.subquery("v"))  # fmt: skip


def shape_answers() -> exp.Select:
    """Every shape with three probabilities; null where an adversary has no world.

    A person here has one ID-side tuple (a = 1). Restricted: 1/k when all values have
    equally many tuples; nobody else in the group and two values leave no world.
    """
    even = "CASE WHEN h.least < h.most THEN {0} WHEN h.m > 1 OR h.k = 1 THEN {1} END"
    share = "CAST(1 AS DOUBLE) / h.k"
    fits = "h.n <= h.m"
    columns = [
        "quads.value AS unrestricted_value", "quads.lower AS unrestricted_lower",
        "quads.upper AS unrestricted_upper",
        "CASE WHEN quads.exact THEN 'exact' ELSE 'proved' END AS unrestricted_bound",
        *(f"{even.format(f'restricted.{field}', share)} AS restricted_{field}" for field in FIELDS[:3]),
        "coalesce(restricted.bound, 'exact') AS restricted_bound",
        *(f"CASE WHEN {fits} THEN CAST(h.c AS DOUBLE) / h.n END AS keyed_{field}" for field in FIELDS[:3]),
        "'exact' AS keyed_bound",
    ]  # fmt: skip
    query = select("h.*", *columns).from_("shapes AS h")
    query = query.join("quads", on="h.m = quads.m AND h.n = quads.n AND h.c = quads.c")
    return query.join("restricted", on="h.g = restricted.g AND h.c = restricted.c", join_type="left")


def bag_answers(cells_with_s: str, bags: bool) -> exp.Select:
    """Cells with what the adversary who sees duplicates makes of them: r of m rows."""
    kept = f"groups.rows = sides.m AND {str(bags).lower()}"
    share = f"CASE WHEN {kept} THEN CAST(h.r AS DOUBLE) / sides.m END"
    query = select(
        *of("h", "g", "v", "c", "s"), "sides.m AS everybody",
        *(f"{share} AS bag_{field}" for field in FIELDS[:3]),
        f"CASE WHEN {kept} THEN 'exact' END AS bag_bound",
    ).from_(f"{cells_with_s} AS h")  # fmt: skip
    return query.join("groups", on="h.g = groups.g").join("sides", on="h.g = sides.g")


def answers(joins: Sequence[str]) -> exp.Select:
    """Every (group, value) with all four."""
    shaped = [f"h.{name}_{field}" for name in SHAPE_ANSWERS for field in FIELDS]
    query = select("bag_answers.*", *shaped, *of("groups", *joins)).from_("bag_answers")
    query = query.join("shape_answers AS h", on="bag_answers.g = h.g AND bag_answers.c = h.c")
    return query.join("groups", on="bag_answers.g = groups.g")
