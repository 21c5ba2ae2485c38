"""Two views, from rows to associations. The table: three people in group 1, one of them twice, and one in group 2."""

from __future__ import annotations

import pytest

from deniable.engines.scope import Relation
from deniable.sql import adversaries, two_views
from deniable.sql.adversaries import Kept, fields_of
from deniable.sql.two_views import ColumnNames, Packing
from tests.sql.golden import Golden, table, uncovered

ROWS, VALUES, CELLS, HISTOGRAM, GROUPS, SIDES, SHAPES = (
    Relation(name) for name in ("rows_1", "values_2", "cells_3", "histogram_4", "groups_5", "sides_6", "shapes_7")
)
CODED, PAIRS, OTHERS, TUPLES, QUADS, UNEVEN, EXACT, RESTRICTED, PER_SHAPE, PER_CELL, ANSWERS, FEW, BITS = (
    Relation(name)
    for name in (
        "coded_cells_8", "single_pairs_9", "numbers_10", "tuples_11", "quads_12", "uneven_small_13", "exact_shapes_14",
        "restricted_15", "shape_answers_16", "cell_answers_17", "answers_18", "few_others_19", "other_bits_20",
    )
)  # fmt: skip
BARE = ColumnNames.counted(ids=1, joins=1)
FULL = ColumnNames.counted(ids=1, joins=1, owns=1, others=1)
KEPT = Kept(ids=True, values=True)
COLUMNS = {name: getattr(adversaries, name)(KEPT) for name in ("unrestricted", "restricted", "keyed", "bag")}
ONE = {name: COLUMNS[name] for name in ("keyed", "bag")}  # enough to read how answers are joined

rows = table(
    "i0 j0 y0 x0 p0 s",
    "ann 1 u red Flu true",
    "bob 1 u red HIV true",
    "bob 1 u blue Flu false",
    "cy 1 w red Flu true",
    "di 2 u red null true",
)
values = table("p0 v:int", "Flu 0", "HIV 1", "null 2")
cells = table("j0 v:int c:long r:long s:long", "1 0 2 3 2", "1 1 1 1 1", "2 2 1 1 1")
histogram = table("j0 c:long vals:long r:long s:long", "1 1 1 1 1", "1 2 1 3 2", "2 1 1 1 1")
groups = table("j0 g:int k:long n:long rows:long least:long most:long", "1 0 2 3 4 1 2", "2 1 1 1 1 1 1")
sides = table("g:int m:long", "0 3", "1 1")
coded = table("v:int c:long r:long s:long g:int j0", "0 2 3 2 0 1", "1 1 1 1 0 1", "2 1 1 1 1 2")
pairs = table("i0 g:int v:int", "ann 0 0", "bob 0 1", "cy 0 0", "di 1 2")
shapes = table(
    "c:long vals:long s:long g:int k:long n:long rows:long least:long most:long m:long everybody:long",
    "1 1 1 0 2 3 4 1 2 3 3",
    "2 1 2 0 2 3 4 1 2 3 3",
    "1 1 1 1 1 1 1 1 1 1 1",
)
quads = table(
    "m:long n:long c:long value lower upper exact mantissa exponent:long",
    "3 3 1 0.5 0.5 0.5 true 0.5 1",
    "3 3 2 0.75 0.7 0.8 false 0.75 2",
    "1 1 1 1.0 1.0 1.0 true 0.5 1",
)
uneven = table("g:int m:long shape", "0 3 '1:1 2:1'")
restricted = table("g:int c:long value lower upper bound", "0 1 0.25 0.25 0.25 exact", "0 2 0.75 0.75 0.75 exact")
tuples = table("j0 y0 g:int t:int", "1 u 0 0", "1 w 0 1", "2 u 1 2")
per_shape = table(
    "g:int c:long keyed_value keyed_lower keyed_upper keyed_bound",
    "0 1 0.25 0.25 0.25 exact", "0 2 0.5 0.5 0.5 exact", "1 1 1.0 1.0 1.0 exact",
)  # fmt: skip
per_cell = table(
    "g:int v:int c:long s:long bag_value bag_lower bag_upper bag_bound",
    "0 0 2 2 0.75 0.75 0.75 exact", "0 1 1 1 0.25 0.25 0.25 exact", "1 2 1 1 null null null null",
)  # fmt: skip
answers = table("g:int j0 v:int keyed_value keyed_lower keyed_upper keyed_bound", "0 1 0 0.5 0.5 0.5 exact",
                "0 1 1 0.25 0.25 0.25 exact", "1 2 2 1.0 1.0 1.0 exact")  # fmt: skip
found_keyed = "v:int keyed_value keyed_lower keyed_upper keyed_bound"
THIRD = 1 / 3

CASES = [
    Golden("repeats", two_views.repeats(ROWS, ["i0"], None), {ROWS: rows}, table("found", "true")),
    Golden("repeats-soon", two_views.repeats(ROWS, ["i0"], 2), {ROWS: rows}, table("found", "false")),
    Golden(
        "has_several", two_views.has_several(ROWS, ["i0"], ["j0", "y0"], None), {ROWS: rows}, table("found", "false")
    ),
    Golden(
        "has_several-soon", two_views.has_several(ROWS, ["p0"], ["j0", "x0"], 3), {ROWS: rows}, table("found", "true")
    ),
    Golden("count_people", two_views.count_people(ROWS, ["i0"]), {ROWS: rows}, table("k", "4")),
    Golden("count_rows", two_views.count_rows(ROWS), {ROWS: rows}, table("n", "5")),
    Golden("value_numbers", two_views.value_numbers(ROWS), {ROWS: rows}, values, numbers=["v"]),
    Golden(
        "value_numbers-named",
        two_views.value_numbers(ROWS, "x0"),
        {ROWS: rows},
        table("p0 v", "red 0", "blue 1"),
        numbers=["v"],
    ),
    Golden("few_others", two_views.few_others(ROWS, ["x0"]), {ROWS: rows}, table("x0", "red", "blue")),
    Golden(
        "numbered_others",
        two_views.numbered_others(FEW, ["x0"]),
        {FEW: table("x0", "red", "blue")},
        table("x0 bit", "red 1", "blue 2"),
        numbers=["bit"],
    ),
    Golden(
        "rows_with_values",
        two_views.rows_with_values(ROWS, VALUES, ["j0"]),
        {ROWS: rows, VALUES: values},
        table("j0 s v", "1 true 0", "1 true 1", "1 false 0", "1 true 0", "2 true 2"),
    ),
    Golden("cells", two_views.cells(ROWS, VALUES, FULL, all_secret=False), {ROWS: rows, VALUES: values}, cells),
    Golden(
        "cells-few",
        two_views.cells(ROWS, VALUES, FULL, bits=BITS, all_secret=False),
        {ROWS: rows, VALUES: values, BITS: table("x0 bit:long", "red 1", "blue 2")},
        cells,
    ),
    Golden(
        "cells-bare",
        two_views.cells(ROWS, VALUES, BARE, all_secret=True),
        {ROWS: rows, VALUES: values},
        table("j0 v c r s", "1 0 1 3 3", "1 1 1 1 1", "2 2 1 1 1"),
    ),
    Golden("histogram", two_views.histogram(CELLS, ["j0"]), {CELLS: cells}, histogram),
    Golden("groups", two_views.groups(HISTOGRAM, ["j0"]), {HISTOGRAM: histogram}, groups, numbers=["g"]),
    Golden(
        "bare_groups",
        two_views.bare_groups(CELLS, ["j0"]),
        {CELLS: cells},
        table("j0 g n rows", "1 0 3 4", "2 1 1 1"),
        numbers=["g"],
    ),
    Golden("coded_cells", two_views.coded_cells(CELLS, GROUPS, ["j0"]), {CELLS: cells, GROUPS: groups}, coded),
    Golden("sides_once", two_views.sides_once(GROUPS), {GROUPS: groups}, table("g m", "0 4", "1 1")),
    Golden(
        "single_pairs",
        two_views.single_pairs(ROWS, VALUES, GROUPS, BARE),
        {ROWS: rows, VALUES: values, GROUPS: groups},
        pairs,
    ),
    Golden(
        "cells_of_settled",
        two_views.cells_of_settled(CODED, PAIRS),
        {CODED: coded, PAIRS: pairs},
        table("g v c r s", "0 0 2 3 2", "0 1 1 1 1", "1 2 1 1 1"),
    ),
    Golden("shapes", two_views.shapes(CODED, GROUPS, SIDES), {CODED: coded, GROUPS: groups, SIDES: sides}, shapes),
    Golden(
        "shapes_once",
        two_views.shapes_once(HISTOGRAM, GROUPS, SIDES, ["j0"]),
        {HISTOGRAM: histogram, GROUPS: groups, SIDES: sides},
        shapes,
    ),
    Golden("tuples", two_views.tuples(ROWS, GROUPS, FULL), {ROWS: rows, GROUPS: groups}, tuples, numbers=["t"]),
    Golden("groups_of_tuples", two_views.groups_of_tuples(TUPLES), {TUPLES: tuples}, table("t g", "0 0", "1 0", "2 1")),
    Golden("group_sizes", two_views.group_sizes(GROUPS), {GROUPS: groups}, table("n rows", "3 4", "1 1")),
    Golden(
        "cell_counts", two_views.cell_counts(CODED), {CODED: coded}, table("g v c r", "0 0 2 3", "0 1 1 1", "1 2 1 1")
    ),
    Golden(
        "packed_rows",
        two_views.packed_rows(ROWS, VALUES, GROUPS, None, BARE, Packing(3, 1, all_secret=True, small=True)),
        {ROWS: rows, VALUES: values, GROUPS: groups},
        table("i0 packed", "ann 1", "bob 1", "bob 3", "cy 1", "di 11"),
        numbers=["packed"],
    ),
    Golden(
        "packed_rows-tuples",
        two_views.packed_rows(ROWS, VALUES, TUPLES, OTHERS, FULL, Packing(3, 2, all_secret=False, small=False)),
        {ROWS: rows, VALUES: values, TUPLES: tuples, OTHERS: table("x0 o", "red 0", "blue 1")},
        table("i0 packed", "ann 1", "bob 2", "bob 5", "cy 13", "di 33"),
        numbers=["packed"],
    ),
    Golden("many_others", two_views.many_others(ROWS, ["x0"]), {ROWS: rows}, table("x0", "red", "blue")),
    Golden(
        "other_numbers",
        two_views.other_numbers(FEW, ["x0"]),
        {FEW: table("x0", "red", "blue")},
        table("x0 o", "red 0", "blue 1"),
        numbers=["o"],
    ),
    Golden("quadruples", two_views.quadruples(SHAPES), {SHAPES: shapes}, table("m n c", "3 3 1", "3 3 2", "1 1 1")),
    Golden("uneven_small", two_views.uneven_small(SHAPES, 400), {SHAPES: shapes}, uneven),
    Golden("uneven_shapes", two_views.uneven_shapes(UNEVEN), {UNEVEN: uneven}, table("m shape", "3 '1:1 2:1'")),
    Golden(
        "restricted_small",
        two_views.restricted_small(UNEVEN, EXACT),
        {UNEVEN: uneven, EXACT: table("m:long shape c:long value", "3 '1:1 2:1' 1 0.25", "3 '1:1 2:1' 2 0.75")},
        restricted,
    ),
    Golden(
        "restricted_summed",
        two_views.restricted_summed(SHAPES, QUADS, 0),
        {SHAPES: shapes, QUADS: quads},
        table("g c value lower upper bound", "0 1 0.25 0.25 0.25 proved", "0 2 0.75 0.75 0.75 proved"),
    ),
    Golden(
        "restricted_both",
        two_views.restricted_both(UNEVEN, EXACT, SHAPES, QUADS, 400),
        {UNEVEN: uneven, EXACT: table("m:long shape c:long value", "3 '1:1 2:1' 1 0.3"), SHAPES: shapes, QUADS: quads},
        table("g c value lower upper bound", "0 1 0.3 0.3 0.3 exact"),
    ),
    Golden(
        "shape_answers",
        two_views.shape_answers(SHAPES, QUADS, RESTRICTED, COLUMNS),
        {SHAPES: shapes.select(["g", "m", "n", "k", "c", "least", "most"]), QUADS: quads, RESTRICTED: restricted},
        table(
            "g m n k c least most " + " ".join(fields_of("unrestricted", "restricted", "keyed")),
            f"0 3 3 2 1 1 2 0.5 0.5 0.5 exact 0.25 0.25 0.25 exact {THIRD} {THIRD} {THIRD} exact",
            f"0 3 3 2 2 1 2 0.75 0.7 0.8 proved 0.75 0.75 0.75 exact {2 * THIRD} {2 * THIRD} {2 * THIRD} exact",
            "1 1 1 1 1 1 1 1.0 1.0 1.0 exact 1.0 1.0 1.0 exact 1.0 1.0 1.0 exact",
        ),
    ),
    Golden(
        "cell_answers",
        two_views.cell_answers(CODED, GROUPS, SIDES, COLUMNS),
        {CODED: coded, GROUPS: groups, SIDES: table("g m:long", "0 4", "1 2")},
        table(
            "g v c s everybody " + " ".join(fields_of("bag")),
            "0 0 2 2 4 0.75 0.75 0.75 exact",
            "0 1 1 1 4 0.25 0.25 0.25 exact",
            "1 2 1 1 2 0.5 0.5 0.5 exact",
        ),
    ),
    Golden(
        "answers",
        two_views.answers(PER_CELL, PER_SHAPE, GROUPS, ONE, ["j0"]),
        {PER_CELL: per_cell, PER_SHAPE: per_shape, GROUPS: groups},
        table(
            "g v c s " + " ".join(fields_of("bag", "keyed")) + " j0",
            "0 0 2 2 0.75 0.75 0.75 exact 0.5 0.5 0.5 exact 1",
            "0 1 1 1 0.25 0.25 0.25 exact 0.25 0.25 0.25 exact 1",
            "1 2 1 1 null null null null 1.0 1.0 1.0 exact 2",
        ),
    ),
    Golden(
        "wide_once",
        two_views.wide_once(ROWS, VALUES, ANSWERS, BARE, ["keyed"], everything=False),
        {ROWS: rows.slice(3), VALUES: values, ANSWERS: answers},
        table(f"i0 {found_keyed}", "cy 0 0.5 0.5 0.5 exact", "di 2 1.0 1.0 1.0 exact"),
    ),
    Golden(
        "wide_once-everything",
        two_views.wide_once(ROWS, VALUES, ANSWERS, BARE, ["keyed"], everything=True),
        {ROWS: rows.slice(3), VALUES: values, ANSWERS: answers},
        table(f"i0 {found_keyed}", "cy 0 0.5 0.5 0.5 exact", "cy 1 0.25 0.25 0.25 exact", "di 2 1.0 1.0 1.0 exact"),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_queries(case: Golden) -> None:
    case.check(two_views)


def test_every_query_is_here() -> None:
    assert uncovered(two_views, CASES) == []
