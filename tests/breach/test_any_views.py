"""Three to five views of every shape of join, end to end, against the judge that lists worlds."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import deniable
from deniable.analyses.breach import components, join_tuples, kinds
from deniable.report.breach import breach_text
from deniable.worlds.judges import views as worlds
from deniable.worlds.judges.views import Row
from deniable.worlds.views import blocks
from tests.breach.listing import listed
from tests.breach.test_two_views import agree, answers
from tests.few import few

SHAPES = {
    "chain": (("id", "a"), ("a", "b"), ("b", "p")),
    "chain with extras": (("id", "a", "y"), ("a", "b"), ("b", "x", "p")),
    "chain of four": (("id", "a"), ("a", "b"), ("b", "c"), ("c", "p")),
    "chain of five": (("id", "a"), ("a", "b"), ("b", "c"), ("c", "y"), ("y", "p")),
    "star": (("id", "a", "b"), ("a", "c"), ("b", "p")),
    "same columns": (("id", "a"), ("a", "b"), ("a", "p")),
    "same columns, four": (("id", "a"), ("a", "b"), ("a", "c"), ("a", "x", "p")),
    "cycle": (("id", "a"), ("a", "b"), ("b", "p"), ("a", "p")),
    "triangle": (("id", "a", "b"), ("b", "c"), ("a", "c", "p")),
    "overlap": (("id", "a", "b"), ("a", "b", "c"), ("b", "c", "p")),
    "two with the identifier": (("id", "a"), ("id", "b"), ("a", "b", "p")),
    "private in two": (("id", "a"), ("a", "b", "p"), ("b", "c", "p")),
    "apart": (("id", "a"), ("a", "p"), ("b", "c")),
    "all apart": (("id", "a"), ("p", "x"), ("b",)),
    "contained": (("id", "a"), ("a",), ("a", "p")),
    "twice": (("id", "a"), ("a", "b"), ("a", "b"), ("b", "p")),
    "open": (("id", "a", "p"), ("a", "b"), ("b", "p")),
    "alone": (("id", "a", "p"),),
}
CELLS = {
    "id": st.sampled_from(["ann", "bob", "cy", None]),
    "p": st.sampled_from(["HIV", "Cold", "Flu", None]),
    "a": st.sampled_from(["1", "2", None]),
    "b": st.sampled_from(["x", "y"]),
    "c": st.sampled_from(["u", "v", None]),
    "x": st.sampled_from(["0", "1"]),
    "y": st.sampled_from(["0", "1"]),
}
Case = tuple[list[Row], tuple[tuple[str, ...], ...]]


@st.composite
def cases(draw: st.DrawFn) -> Case:
    views = SHAPES[draw(st.sampled_from(sorted(SHAPES)))]
    columns = sorted({c for view in views for c in view})
    rows: list[Row] = draw(st.lists(st.fixed_dictionaries({c: CELLS[c] for c in columns}), min_size=1, max_size=5))
    if draw(st.booleans()):  # everybody once, as in most tables
        rows = [{**row, "id": str(i)} for i, row in enumerate(rows)]
    joined = worlds.join([set(worlds.project(rows, view)) for view in views])
    assume(len(joined) <= 12)
    return rows, views


def release_of(
    rows: list[Row], views: tuple[tuple[str, ...], ...], distinct: tuple[bool, ...] = ()
) -> deniable.Release:
    columns = sorted({c for view in views for c in view})
    table = pa.table({c: pa.array([r[c] for r in rows], pa.string()) for c in columns})
    said = ["DISTINCT " if once else "" for once in distinct or [False] * len(views)]
    named = {f"view{i}": f"SELECT {said[i]}{', '.join(view)} FROM t" for i, view in enumerate(views)}
    return deniable.Release(table=table, name="t", identifier="id", private="p", views=named)


def compare(case: Case) -> None:
    rows, views = case
    possible = list(worlds.set_worlds(rows, views))
    found = answers(release_of(rows, views), "all")
    joined = [dict(t) for t in worlds.join([set(worlds.project(rows, view)) for view in views])]
    assert set(found) == {(t["id"], t["p"]) for t in joined}
    for (person, value), row in found.items():
        assert {"unrestricted", "restricted", "bag"} <= set(row)
        agree_within(row["unrestricted"], worlds.unrestricted(possible, {"id": person}, "p", value))
        agree_within(row["restricted"], worlds.restricted(possible, {"id": person}, "p", value))


Counted = tuple[list[Row], tuple[tuple[str, ...], ...], tuple[bool, ...]]


@st.composite
def counted_cases(draw: st.DrawFn) -> Counted:
    """Views of which one at least keeps duplicates, in most of them all."""
    rows, views = draw(cases())
    every = (False,) * len(views)
    distinct = draw(st.just(every) | st.tuples(*(st.booleans() for _ in views)).filter(lambda once: not all(once)))
    return rows, views, distinct


THIRDS: Counted = (  # ann's two rows have a third each, whose sum is rounded below two thirds
    [
        {"id": "ann", "a": "1", "b": "y", "c": "u", "p": "Cold"},
        {"id": "bob", "a": "1", "b": "y", "c": "u", "p": "HIV"},
        {"id": "ann", "a": None, "b": "y", "c": "u", "p": "HIV"},
    ],
    (("id", "a", "b"), ("a", "c"), ("b", "p")),
    (False, False, False),
)


@settings(max_examples=few(12, nightly=1_000))
@example(THIRDS)
@given(counted_cases())
def test_rows_are_counted_in_any_views(case: Counted) -> None:
    """Exactly, within what was proved, or not answered: which no row of a join tree without repetition is."""
    rows, views, distinct = case
    possible = list(worlds.bag_worlds(rows, views, distinct))
    found = answers(release_of(rows, views, distinct), "all")
    for (person, value), row in found.items():
        answer, truth = row["bag"], worlds.in_bags(possible, {"id": person}, "p", value)
        if answer["bound"] == "exact":
            assert answer["probability"] == float(truth)
        elif answer["bound"] is not None:
            assert Fraction(answer["lower"]) <= truth <= Fraction(answer["upper"]), (answer, truth)


@pytest.mark.parametrize("shape", ["chain", "chain with extras", "chain of five", "star", "same columns", "overlap"])
def test_a_join_tree_of_counted_rows_is_answered(shape: str) -> None:
    rows: list[Row] = [
        {
            "id": str(i),
            "p": "HIV" if i % 3 else "Flu",
            "a": str(i % 2),
            "b": "xy"[i % 3 % 2],
            "c": "u",
            "x": "0",
            "y": "0",
        }
        for i in range(5)
    ]
    views = SHAPES[shape]
    possible = list(worlds.bag_worlds(rows, views, (False,) * len(views)))
    for (person, value), row in answers(release_of(rows, views), "all").items():
        truth = worlds.in_bags(possible, {"id": person}, "p", value)
        assert row["bag"]["bound"] is not None
        assert row["bag"]["probability"] == pytest.approx(float(truth), abs=1e-14)


def agree_within(row: dict[str, Any], truth: Fraction | None) -> None:
    """Exact rows as ever; proved ones hold the truth and are as narrow as was asked."""
    if row["bound"] == "exact":
        agree(row, truth)
    else:
        assert truth is not None
        assert Fraction(row["lower"]) <= truth <= Fraction(row["upper"]), (row, truth)
        assert row["upper"] - row["lower"] <= 1e-6


@settings(max_examples=few(12, nightly=1_000))
@given(cases())
def test_every_shape_is_what_the_judge_says(case: Case) -> None:
    compare(case)


EIGHT: list[Row] = [
    {"id": str(i), "a": row[0], "b": row[1], "p": row[2]}
    for i, row in enumerate(("123", "002", "223", "010", "112", "013", "200", "223"))
]
LARGER = CELLS | {
    "p": st.sampled_from(["HIV", "Cold", "Flu", "Gout"]),
    "b": st.sampled_from(["x", "y", "z"]),
    "y": st.sampled_from(["0", "1", None]),
}


@st.composite
def larger_cases(draw: st.DrawFn) -> Case:
    """Three to five views of six to nine rows; everybody once, or five people."""
    views = SHAPES[draw(st.sampled_from(sorted(set(SHAPES) - {"contained", "open", "alone"})))]
    columns = sorted({c for view in views for c in view})
    rows: list[Row] = draw(st.lists(st.fixed_dictionaries({c: LARGER[c] for c in columns}), min_size=6, max_size=9))
    people = draw(st.sampled_from([5, 9]))
    return [{**row, "id": str(i % people)} for i, row in enumerate(rows)], views


@settings(max_examples=few(3, nightly=200))
@given(larger_cases())
def test_tables_of_six_to_nine_rows_are_counted_or_bounded_as_narrowly_as_asked(case: Case) -> None:
    rows, views = case
    found = answers(release_of(rows, views), "all")
    for person in {row["id"] for row in rows}:
        for value, (either, single) in (listed(rows, views, person) or {}).items():
            agree_within(found[person, value]["unrestricted"], either)
            agree_within(found[person, value]["restricted"], single)


def test_eight_rows_in_a_cycle_of_four_views_get_a_number_instead_of_0_51_to_0_87() -> None:
    found = answers(release_of(EIGHT, SHAPES["cycle"]), "all")["0", "3"]
    agree(found["unrestricted"], Fraction(7, 8))
    agree(found["restricted"], Fraction(5, 7))


def test_a_count_that_is_given_up_leaves_an_interval_that_holds_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinds, "STEPS", 30)
    monkeypatch.setattr(kinds, "LEAST_STEPS", 30)
    monkeypatch.setattr(kinds, "WORK", 100)
    result = deniable.breach(release_of(EIGHT, SHAPES["cycle"]), pairs="all")
    answered = [row for row in result.table.to_pylist() if row["lower"] is not None]
    wide = {(row["id"], row["p"]) for row in answered if row["upper"] - row["lower"] > 1e-6}
    assert result.left_wide == len(wide)
    assert f"{len(wide)} associations have a proved interval only" in breach_text(result)
    found = answers(release_of(EIGHT, SHAPES["cycle"]), "all")["0", "3"]
    for name, truth in (("unrestricted", Fraction(7, 8)), ("restricted", Fraction(5, 7))):
        assert found[name]["bound"] == "proved"
        assert Fraction(found[name]["lower"]) <= truth <= Fraction(found[name]["upper"])


@pytest.mark.parametrize("shape", ["cycle", "chain of four", "star"])
def test_a_file_an_arrow_table_and_a_shuffled_copy_have_the_same_digits(
    shape: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Of intervals too, which depend on what is multiplied first: nothing is counted exactly here."""
    monkeypatch.setattr(kinds, "STEPS", 30)
    monkeypatch.setattr(kinds, "LEAST_STEPS", 30)
    monkeypatch.setattr(kinds, "WORK", 60)
    draw = random.Random(shape)
    columns = sorted({c for view in SHAPES[shape] for c in view})
    rows: list[Row] = [{c: f"{c}{draw.randrange(3)}" for c in columns} | {"id": str(i)} for i in range(7)]
    given = release_of(rows, SHAPES[shape])
    found = answers(given, "all")
    assert any(row[name]["bound"] == "proved" for row in found.values() for name in row)
    assert answers(release_of(draw.sample(rows, 7), SHAPES[shape]), "all") == found
    file = tmp_path / "t.csv"
    file.write_text("\n".join([",".join(columns), *(",".join(str(row[c]) for c in columns) for row in rows)]))
    assert answers(replace(given, table=str(file)), "all") == found


@settings(max_examples=few(6, nightly=500))
@given(cases())
def test_blocks_counted_tuple_by_tuple(case: Case) -> None:
    """The closed form switched off: the same answers from the exact count."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "cheap", lambda *_: False)
        compare(case)


@settings(max_examples=few(6, nightly=500))
@given(cases())
def test_intervals_hold_the_truth(case: Case) -> None:
    """Closed forms and exact counts switched off: everything by the recursion."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "cheap", lambda *_: False)
        patch.setattr(components, "MOST_TUPLES", -1)
        compare(case)


@settings(max_examples=few(6, nightly=500))
@given(cases(), st.integers(0, 4))
def test_a_neighbourhood_cut_short_still_holds_the_truth(case: Case, small: int) -> None:
    """View tuples that are known by their size only: honest, if wide."""
    rows, views = case
    possible = list(worlds.set_worlds(rows, views))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "cheap", lambda *_: False)
        patch.setattr(components, "MOST_TUPLES", -1)
        patch.setattr(join_tuples, "SMALL", small)
        found = answers(release_of(rows, views), "all")
    for (person, value), row in found.items():
        for name, judge in (("unrestricted", worlds.unrestricted), ("restricted", worlds.restricted)):
            truth, answer = judge(possible, {"id": person}, "p", value), row[name]
            if answer["probability"] is None:
                assert truth is None
            elif truth is not None:
                if answer["bound"] == "exact":
                    assert answer["probability"] == float(truth)
                else:
                    assert Fraction(answer["lower"]) <= truth <= Fraction(answer["upper"])


def test_a_tuple_that_has_some_of_one_persons_joins_and_nobody_elses_counts() -> None:
    """(1, x) and (1, y) are joined by Ann alone, with some of her tuples each: that says something of her values."""
    where = [(b, p) for b in "xy" for p in ("HIV", "Flu")]
    people = [("ann", "1"), *((f"other {k}", "2") for k in range(6))]
    rows: list[Row] = [{"id": who, "a": a, "b": b, "p": p} for who, a in people for b, p in where]
    result = deniable.breach(release_of(rows, SHAPES["chain"]), pairs="all", tolerance=0.5)
    found = {(row["id"], row["p"], row["adversary"]): row for row in result.table.to_pylist()}
    for value, (either, single) in (listed(rows, SHAPES["chain"], "ann") or {}).items():
        for name, truth in (("unrestricted", either), ("restricted", single)):
            row = found["ann", value, name]
            assert truth is not None
            assert row["lower"] <= float(truth) <= row["upper"], (row, truth)


def test_a_join_that_would_explode_is_refused_before_it_is_made() -> None:
    table = pa.table({c: [str(i) for i in range(400)] for c in ("id", "a", "b", "p")} | {"k": ["1"] * 400})
    views = {
        "x": "SELECT id, k FROM t",
        "y": "SELECT k, a FROM t",
        "z": "SELECT a, b FROM t",
        "q": "SELECT b, p FROM t",
    }
    release = deniable.Release(table=table, name="t", identifier="id", private="p", views=views)
    with pytest.raises(deniable.LimitExceeded, match="more than 100 different combinations"):
        deniable.breach(release, limit=100)
