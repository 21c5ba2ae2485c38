"""Two views, end to end through the engine, against the judge that lists worlds."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import deniable
from deniable.analyses.breach import lookups, several_groups
from deniable.analyses.breach.adversaries import ADVERSARIES
from deniable.examples import write_examples
from deniable.worlds.judges import views as worlds
from deniable.worlds.judges.views import Row, judged
from tests.few import few

# Each case runs the whole pipeline several times, so the ordinary run takes fewer of them.
some = settings(max_examples=few(8, nightly=600))

IDENTIFIERS = ["ann", "bob", "cy", None]
COLUMNS = {
    "id": st.sampled_from(IDENTIFIERS),
    "no": st.integers(1, 2),
    "j": st.sampled_from([1, 2, None]),
    "k": st.sampled_from(["x", "y"]),
    "y": st.integers(0, 1),
    "x": st.sampled_from(["u", "v", None]),
    "p": st.sampled_from(["HIV", "Cold", "Flu", None]),
}
VIEWS = [
    (("id", "j"), ("j", "p")),
    (("id", "j"), ("j", "x", "p")),
    (("id", "j", "y"), ("j", "x", "p")),
    (("id", "j", "k"), ("j", "k", "p")),
    (("id", "y"), ("x", "p")),
    (("j", "x", "p"), ("id", "j")),
    (("id", "no", "j"), ("j", "p")),
    (("id", "j", "p"), ("j", "x")),
    (("id", "p"), ("id", "p", "x")),
    (("id", "j", "p"), ("id", "j")),
]
TYPES = {"no": pa.int64(), "j": pa.int64(), "y": pa.int64()}


Case = tuple[list[Row], tuple[tuple[str, ...], ...], tuple[str, ...], tuple[bool, ...]]
ROWS_KEPT = (False, False)  # DISTINCT or not


@st.composite
def tables(draw: st.DrawFn) -> Case:
    views = draw(st.sampled_from(VIEWS))
    identifier: tuple[str, ...] = ("id", "no") if "no" in views[0] else ("id",)
    columns = sorted({c for view in views for c in view})
    rows: list[Row] = draw(st.lists(st.fixed_dictionaries({c: COLUMNS[c] for c in columns}), min_size=1, max_size=6))
    joined = worlds.join([set(worlds.project(rows, view)) for view in views])
    assume(len(joined) <= 11)
    return rows, views, identifier, draw(st.tuples(st.booleans(), st.booleans()))


def release_of(
    rows: list[Row],
    views: tuple[tuple[str, ...], ...],
    identifier: tuple[str, ...],
    distinct: tuple[bool, ...] = ROWS_KEPT,
) -> deniable.Release:
    columns = sorted({c for view in views for c in view})
    table = pa.table({c: pa.array([r[c] for r in rows], TYPES.get(c, pa.string())) for c in columns})
    said = ["DISTINCT " if once else "" for once in distinct]
    named = {f"view{i}": f"SELECT {said[i]}{', '.join(view)} FROM t" for i, view in enumerate(views)}
    return deniable.Release(table=table, name="t", identifier=identifier, private="p", views=named)


def answers(release: deniable.Release, pairs: Any) -> dict[tuple[Hashable, ...], dict[str, dict[str, Any]]]:
    result = deniable.breach(release, pairs=pairs)
    table = result.table.to_pylist()
    result.close()
    found: dict[tuple[Hashable, ...], dict[str, dict[str, Any]]] = {}
    for row in table:
        key = tuple(row[c] for c in (*release.id_columns, "p"))
        assert row["adversary"] not in found.get(key, {}), "an association twice"
        found.setdefault(key, {})[row["adversary"]] = row
    return found


WIDE = ("counted", "bag")  # whose intervals may say little


def agree(row: dict[str, Any], truth: Fraction | None) -> None:
    """An exact row is the fraction, rounded once; a proved one holds it."""
    if truth is None or (row["adversary"] == "bag" and row["bound"] is None):
        assert (row["probability"], row["lower"], row["upper"]) == (None, None, None), row
    elif row["bound"] == "exact":
        assert row["probability"] == row["lower"] == row["upper"] == float(truth), (row, truth)
    else:
        assert row["bound"] == "proved"
        assert Fraction(row["lower"]) <= truth <= Fraction(row["upper"]), (row, truth)
        assert row["lower"] <= row["probability"] <= row["upper"]
        assert row["adversary"] in WIDE or row["upper"] - row["lower"] < 1e-12


def text(key: tuple[Hashable, ...]) -> tuple[Hashable, ...]:
    """Identifiers come back as text; the value as it is."""
    return (*(None if part is None else str(part) for part in key[:-1]), key[-1])


def compare(case: Case, *, exactly: bool = False) -> None:
    rows, views, identifier, distinct = case
    truth = {text(key): found for key, found in judged(rows, views, identifier, "p", distinct).items()}
    release = release_of(rows, views, identifier, distinct)
    everything = answers(release, "all")
    assert set(everything) == set(truth)
    for key, found in everything.items():
        assert set(found) == set(truth[key]) == set(ADVERSARIES) - ({"bag"} if all(distinct) else set())
        for adversary in found:
            agree(found[adversary], truth[key][adversary])
            assert not exactly or found[adversary]["bound"] == "exact"
    secret = answers(release, "secret")
    assert set(secret) == {text(tuple(r[c] for c in (*identifier, "p"))) for r in rows}
    for key, found in secret.items():
        assert {a: (r["probability"], r["bound"]) for a, r in found.items()} == {
            a: (r["probability"], r["bound"]) for a, r in everything[key].items()
        }


@some
@given(tables())
def test_every_adversary_is_what_the_judge_says(case: Any) -> None:
    compare(case, exactly=len(set(map(frozenset, case[1]))) > 1 and not contained(case))


def contained(case: Case) -> bool:
    """Whether one view has the other's columns, and only the other is counted: then counts are spread over both."""
    (_, (one, two), _, (once, twice)) = case
    return (set(one) <= set(two) and twice and not once) or (set(two) <= set(one) and once and not twice)


@pytest.mark.parametrize("dense", [True, False])
@some
@given(case=tables())
def test_compiled_answers_are_what_the_judge_says(dense: bool, case: Any) -> None:
    """The same through the compiled kernels, which small tables do not reach by themselves."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(several_groups, "ONE_BY_ONE", 0)
        patch.setattr(lookups, "MOST_DENSE", 10**8 if dense else 0)
        patch.setattr(several_groups, "_PIECE", 2)
        compare(case)


@pytest.mark.parametrize("often", [("HIV", "Flu", "Flu", "Flu"), ("HIV", "HIV", "HIV", "Flu")])
def test_weights_of_different_sizes_are_summed(often: tuple[str, ...]) -> None:
    """Three tuples of a value weigh 49 times one, whichever of the values comes first in the sum."""
    sides: list[Row] = [{"id": who, "y": y} for who, y in (("ann", 0), ("ann", 1), ("bob", 0), ("bob", 0))]
    others: list[Row] = [{"x": x, "p": p} for x, p in zip(("u", "v", None, "u"), often, strict=True)]
    rows: list[Row] = [{**one, **two, "j": 1} for one, two in zip(sides, others, strict=True)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(several_groups, "ONE_BY_ONE", 0)
        patch.setattr(lookups, "MOST_DENSE", 0)
        compare((rows, (("id", "j", "y"), ("j", "x", "p")), ("id",), ROWS_KEPT))


@some
@given(tables())
def test_engine_sums_hold_the_truth(case: Any) -> None:
    """Groups summed in floating point by the engine, instead of exactly."""
    from deniable.analyses.breach import two_views
    from deniable.worlds.views import covers

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(two_views, "_EXACT_SHAPES", -1)
        patch.setattr(covers, "EXACT_EDGES", 0)
        covers.unrestricted.cache_clear()
        compare(case)
    covers.unrestricted.cache_clear()


@some
@given(tables(), st.sampled_from([0.5, 0.6, 0.75]))
def test_people_over_a_limit_are_counted(case: Any, limit: float) -> None:
    rows, views, identifier, distinct = case
    truth = judged(rows, views, identifier, "p", distinct)
    release = release_of(rows, views, identifier, distinct)
    result = deniable.breach(release)
    over = {found.adversary: found for found in result.over(limit)}
    assert result.people == len({tuple(r[c] for c in identifier) for r in rows})
    result_people = result.people
    result.close()
    for adversary, counted in over.items():
        people, missing = set(), set()
        for row in rows:
            key = tuple(row[c] for c in (*identifier, "p"))
            probability = truth[key][adversary]
            pinned = probability is None and truth[key]["unrestricted"] == 1
            if pinned or (probability is not None and probability > Fraction(limit)):
                people.add(key[:-1])
            if probability is None:
                missing.add(key[:-1])
        assert (counted.over, counted.undecided) == (len(people), 0)
        assert (counted.no_world, counted.asked) == (len(missing), result_people)


def by_file(path: Path) -> dict[tuple[Hashable, ...], dict[str, float]]:
    result = deniable.breach(path)
    rows = result.table.to_pylist()
    result.close()
    found: dict[tuple[Hashable, ...], dict[str, float]] = {}
    for row in rows:
        *key, adversary, probability, _, _, _ = row.values()
        found.setdefault(tuple(key), {})[adversary] = probability
    return found


def test_the_papers_running_examples(tmp_path: Path) -> None:
    write_examples(tmp_path)
    figure2 = by_file(tmp_path / "pair.yaml")
    half = dict.fromkeys(("restricted", "keyed", "counted", "bag"), 1 / 2)
    assert figure2["a1", "c1"] == {"unrestricted": 5 / 7, **half}
    figure1 = by_file(tmp_path / "patients.yaml")
    assert figure1["George", "HIV"]["unrestricted"] == 161 / 265
    assert figure1["George", "HIV"]["restricted"] == 1 / 3
    assert figure1["Bill", "Cold"] == dict.fromkeys(ADVERSARIES, 1.0)


def test_an_identifier_in_two_groups() -> None:
    """45/49 and 1/2 on two groups of 2 x 2; keyed has no world."""
    rows: list[Row] = [
        {"id": i, "j": j, "p": p} for i, j, p in [("a", 1, "p"), ("b", 1, "q"), ("a", 2, "q"), ("c", 2, "p")]
    ]
    found = answers(release_of(rows, (("id", "j"), ("j", "p")), ("id",)), "all")["a", "p"]
    assert found["unrestricted"]["probability"] == 45 / 49
    assert found["restricted"]["probability"] == 1 / 2
    assert found["keyed"]["probability"] is None


@pytest.mark.parametrize(
    ("people", "values", "distinct", "who", "truth"),
    [
        (("A", "B", "B"), ("p", "p", "q"), ROWS_KEPT, ("A", "p"), Fraction(1, 2)),
        (("A", "B", "B"), ("p", "p", "q"), (True, False), ("A", "p"), Fraction(3, 4)),
        (("A", "A", "B"), ("p", "q", "q"), (False, True), ("A", "p"), Fraction(3, 4)),
        (("A", "A", "B", "C"), ("x", "x", "x", "y"), ROWS_KEPT, ("A", "x"), Fraction(1)),
    ],
)
def test_rows_that_repeat_are_counted(
    people: tuple[str, ...], values: tuple[str, ...], distinct: tuple[bool, ...], who: tuple[str, str], truth: Fraction
) -> None:
    """{A,B,B} beside {p,p,q} is 1/2 and not 2/3; DISTINCT {A,B} beside it 3/4: as enumeration says."""
    rows: list[Row] = [{"id": i, "j": 1, "p": p} for i, p in zip(people, values, strict=True)]
    views = (("id", "j"), ("j", "p"))
    assert judged(rows, views, ("id",), "p", distinct)[who]["bag"] == truth
    found = answers(release_of(rows, views, ("id",), distinct), "all")[who]["bag"]
    assert (found["probability"], found["bound"]) == (float(truth), "exact")


def test_further_columns_make_values_tuples() -> None:
    """A twice, B once beside (nurse,p), (clerk,p), (cook,q): 3 worlds, P(A,q) = 2/3."""
    rows: list[Row] = [
        {"id": i, "j": 1, "x": x, "p": p} for i, x, p in [("A", "u", "p"), ("A", "v", "p"), ("B", None, "q")]
    ]
    found = answers(release_of(rows, (("id", "j"), ("j", "x", "p")), ("id",)), "all")
    assert found["A", "q"]["bag"]["probability"] == 2 / 3


def test_views_that_all_say_distinct_have_no_bag() -> None:
    rows: list[Row] = [{"id": "a", "j": 1, "p": "x"}, {"id": "b", "j": 1, "p": "y"}]
    found = answers(release_of(rows, (("id", "j"), ("j", "p")), ("id",), (True, True)), "all")
    assert set(found["a", "x"]) == {"unrestricted", "restricted", "keyed", "counted"}


def test_a_view_inside_a_distinct_one_tells_counts_all_the_same() -> None:
    """Its columns are published anyway, its rows are not: what they tell is not answered, and not forgotten."""
    table = pa.table({"id": ["a", "b", "b"], "j": [1, 1, 1], "p": ["x", "y", "y"]})
    views = {"one": "SELECT DISTINCT id, j FROM t", "two": "SELECT DISTINCT j, p FROM t", "three": "SELECT p FROM t"}
    found = answers(deniable.Release(table=table, name="t", identifier="id", private="p", views=views), "all")
    assert found["a", "x"]["bag"]["bound"] is None
    views["three"] = "SELECT DISTINCT p FROM t"
    found = answers(deniable.Release(table=table, name="t", identifier="id", private="p", views=views), "all")
    assert "bag" not in found["a", "x"]


def test_people_with_several_rows_have_the_adversary_they_need() -> None:
    """restricted and keyed have no world here; whoever knows how many rows everybody has, has two for each group."""
    rows: list[Row] = [
        {"id": i, "j": j, "p": p} for i, j, p in [("A", 1, "x"), ("B", 1, "y"), ("A", 2, "z"), ("B", 2, "w")]
    ]
    found = answers(release_of(rows, (("id", "j"), ("j", "p")), ("id",), (True, True)), "secret")
    assert found["A", "x"]["restricted"]["probability"] is None
    assert found["A", "x"]["counted"]["probability"] == 1 / 2


def test_a_condition_narrows_the_table() -> None:
    table = pa.table({"id": ["a", "b", "c"], "j": [1, 1, 1], "year": [2020, 2020, 2021], "p": ["x", "y", "z"]})
    views = {
        "one": "SELECT id, j FROM t WHERE year = 2020 AND j > 0",
        "two": "SELECT j, p FROM t WHERE j > 0 AND year = 2020",
    }
    found = answers(deniable.Release(table=table, name="t", identifier="id", private="p", views=views), "all")
    assert set(found) == {("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")}
    assert found["a", "x"]["unrestricted"]["probability"] == 5 / 7


def test_a_secret_query_chooses_associations() -> None:
    table = pa.table({"id": ["1", "2", "3"], "j": [1, 1, 2], "p": ["HIV", "Cold", "HIV"]})
    views = {"one": "SELECT id, j FROM t", "two": "SELECT j, p FROM t"}
    release = deniable.Release(
        table=table, name="t", identifier="id", private="p", views=views,
        secret="SELECT id, p FROM t WHERE p = 'HIV' AND id <> '3'",
    )  # fmt: skip
    assert set(answers(release, "secret")) == {("1", "HIV")}
    assert len(answers(release, "all")) == 5


@pytest.mark.parametrize("frame", ["arrow", "pandas", "polars", "relation"])
def test_tables_of_every_kind(frame: str) -> None:
    import duckdb
    import polars

    table = pa.table({"id": ["007", "008"], "j": [1, 1], "p": ["x", "y"]})
    made = {
        "arrow": lambda: table,
        "pandas": table.to_pandas,
        "polars": lambda: polars.from_arrow(table),
        "relation": lambda: duckdb.sql("SELECT * FROM (VALUES ('007', 1, 'x'), ('008', 1, 'y')) v(id, j, p)"),
    }[frame]()
    views = {"one": "SELECT id, j FROM t", "two": "SELECT j, p FROM t"}
    found = answers(deniable.Release(table=made, name="t", identifier="id", private="p", views=views), "secret")
    assert found["007", "x"]["unrestricted"]["probability"] == 5 / 7


def test_many_people_in_one_large_group_are_certified() -> None:
    """Two thousand people and sixty values, uneven: sums by the engine, and who holds them."""
    size = 2_000
    rows: list[Row] = [{"id": str(i), "j": 1, "x": str(i // 60 % (1 + i % 7)), "p": str(i % 60)} for i in range(size)]
    found = answers(release_of(rows, (("id", "j"), ("j", "x", "p")), ("id",)), "secret")
    tuples: dict[str, set[str]] = {}
    for row in rows:
        tuples.setdefault(str(row["p"]), set()).add(str(row["x"]))
    total = sum(2 ** len(xs) - 1 for xs in tuples.values())
    for (_, value), answer in found.items():
        share = Fraction(2 ** len(tuples[str(value)]) - 1, total)  # to within 2^-1900
        assert Fraction(answer["restricted"]["lower"]) <= share <= Fraction(answer["restricted"]["upper"])
        assert answer["restricted"]["bound"] == "proved"
