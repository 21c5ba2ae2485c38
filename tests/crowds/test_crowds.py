"""Crowds of random tables and views, end to end, against the judge that lists every table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deniable
from deniable.analyses.crowds import Method, instance, restricted
from deniable.worlds.judges.crowds import Judge, JudgedView
from tests.crowds.conditions import Row, Said, conditions
from tests.few import few

VALUES = [0, 1, 2, None]
NUMBERS = st.sampled_from([0, 1, 2, None])


@dataclass(frozen=True)
class Case:
    rows: list[Row]
    domain: list[int | None]
    views: list[tuple[JudgedView, str]]

    def release(self) -> deniable.Release:
        table = pa.table(
            {
                "id": pa.array(range(len(self.rows)), pa.int64()),
                **{c: pa.array([row[c] for row in self.rows], pa.int64()) for c in ("a", "b", "p")},
                "c": pa.array([row["c"] for row in self.rows], pa.string()),
            }
        )
        views = {f"view{i}": sql for i, (_, sql) in enumerate(self.views)}
        return deniable.Release(table=table, name="t", private="p", views=views, domain=self.domain)

    def judge(self) -> Judge:
        return Judge(self.rows, self.domain, [view for view, _ in self.views])


@st.composite
def cases(draw: st.DrawFn) -> Case:
    row = st.fixed_dictionaries({"a": NUMBERS, "b": NUMBERS, "c": st.sampled_from(["x", "y"]), "p": NUMBERS})
    rows: list[Row] = draw(st.lists(row, min_size=1, max_size=5))
    present = {r["p"] for r in rows}
    domain = [value for value in VALUES if value in present or draw(st.booleans())]
    views = []
    for _ in range(draw(st.integers(1, 3))):
        columns = tuple(draw(st.lists(st.sampled_from(["a", "b", "c", "p", "p"]), min_size=1, max_size=2, unique=True)))
        said: Said | None = draw(st.one_of(st.none(), conditions(), conditions()))
        distinct = draw(st.sampled_from([False, False, False, True]))
        sql = f"SELECT {'DISTINCT ' if distinct else ''}{', '.join(columns)} FROM t"
        sql += f" WHERE {said.sql}" if said else ""
        views.append((JudgedView(columns, distinct, said.of if said else lambda _: True), sql))
    return Case(rows, domain, views)


def found(case: Case, method: Method) -> tuple[deniable.api.Crowds, list[dict[str, Any]]]:  # type: ignore[name-defined]
    result = deniable.crowds(case.release(), method=method)
    try:
        rows = result.table.to_pylist()
        assert result.exposed >= 0
    finally:
        result.close()
    return result, sorted(rows, key=lambda row: row["id"])


def blocks(rows: list[dict[str, Any]]) -> set[frozenset[int]]:
    numbers = {row["crowd"] for row in rows}
    return {frozenset(row["id"] for row in rows if row["crowd"] == number) for number in numbers}


def check_counts(result: Any, rows: list[dict[str, Any]]) -> None:
    crowds = blocks(rows)
    assert result.k == min(map(len, crowds))
    assert result.count == len(crowds)
    assert result.people == len(rows)
    for crowd in crowds:
        assert {rows[i]["size"] for i in crowd} == {len(crowd)}


@settings(max_examples=few(12, nightly=1_000))
@given(cases())
def test_exact_is_what_the_judge_says(case: Case) -> None:
    judge = case.judge()
    result, rows = found(case, "exact")
    assert result.exact
    assert blocks(rows) == judge.crowds()
    check_counts(result, rows)
    for i, row in enumerate(rows):
        assert row["values"] == judge.possible(i)
        assert row["exposed"] == (judge.possible(i) == 1)


@settings(max_examples=few(12, nightly=1_000))
@given(cases())
def test_conservative_is_a_refinement(case: Case) -> None:
    judge = case.judge()
    result, rows = found(case, "conservative")
    truth = judge.crowds()
    for crowd in blocks(rows):
        assert any(crowd <= whole for whole in truth)
    assert not result.exact or blocks(rows) == truth
    check_counts(result, rows)
    for i, row in enumerate(rows):
        assert row["values"] in (None, judge.possible(i))
        assert row["exposed"] in (None, judge.possible(i) == 1)


@settings(max_examples=few(12, nightly=1_000))
@given(cases())
def test_restricted_is_the_best_partition_into_cliques(case: Case) -> None:
    judge = case.judge()
    result, rows = found(case, "restricted")
    assert result.exact
    assert result.k == result.k_at_most == judge.best_cliques() <= judge.best_restricted()
    check_counts(result, rows)
    for crowd in blocks(rows):
        assert judge.is_restricted(sorted(crowd))
        values = {case.rows[i]["p"] for i in crowd}
        assert {rows[i]["values"] for i in crowd} == {len(values)}
        assert {rows[i]["collection"] for i in crowd} == {"|".join(named(values))}
    for i, row in enumerate(rows):
        assert row["exposed"] in (None, judge.possible(i) == 1)


def named(values: set[Any]) -> list[str]:
    return [str(value) for value in sorted(v for v in values if v is not None)] + [""] * (None in values)


@settings(max_examples=few(6, nightly=500))
@given(cases())
def test_tables_too_large_for_a_solver(case: Case) -> None:
    """Nothing looked at value by value: still a refinement, and never called exact wrongly."""
    judge = case.judge()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(instance, "LARGEST", 0)
        patch.setattr(restricted, "TYPES", 0)
        result, rows = found(case, "exact")
        limited, limited_rows = found(case, "restricted")
    truth = judge.crowds()
    assert all(any(crowd <= whole for whole in truth) for crowd in blocks(rows))
    assert not result.exact or blocks(rows) == truth
    assert result.exact == (result.undecided == 0)
    assert all(judge.is_restricted(sorted(crowd)) for crowd in blocks(limited_rows))
    assert limited.k <= judge.best_cliques() <= (limited.k_at_most or 0)
    for i, row in enumerate(rows):
        assert row["exposed"] in (None, judge.possible(i) == 1)
