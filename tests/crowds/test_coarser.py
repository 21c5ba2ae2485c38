"""Crowds where views show bands, of public columns and of the private one, against the judge that lists every table.

The judge swaps the private values themselves; what a view shows of them it computes row by row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

import deniable
from deniable.analyses.crowds import Method
from deniable.worlds.judges.crowds import Judge, JudgedView, Row
from tests.crowds.test_crowds import blocks

VALUES = [0, 1, 2, 3, 5, None]
COLUMNS = {"a2": ("a", 2), "p2": ("p", 2), "p4": ("p", 4)}
CONDITIONS = {
    "": lambda row: True,
    "a2 = '0-1'": lambda row: row["a2"] == "0-1",
    "p2 = '2-3'": lambda row: row["p2"] == "2-3",
    "p4 <> '0-3'": lambda row: row["p4"] not in ("0-3", None),
    "p >= 2": lambda row: row["p"] is not None and row["p"] >= 2,
    "p2 = '0-1' OR a > 1": lambda row: row["p2"] == "0-1" or (row["a"] is not None and row["a"] > 1),
}


def with_bands(row: Row) -> Row:
    made = dict(row)
    for name, (of, width) in COLUMNS.items():
        low = None if row[of] is None else row[of] // width * width
        made[name] = None if low is None else f"{low}-{low + width - 1}"
    return made


class BandView(JudgedView):
    """A view of rows with their bands."""

    def shown(self, row: Row) -> tuple[Any, ...] | None:
        return super().shown(with_bands(row))


@dataclass(frozen=True)
class Case:
    rows: list[Row]
    domain: list[int | None]
    views: list[tuple[tuple[str, ...], str, bool]]

    @property
    def private(self) -> str:
        """The finest that is mentioned of the private column."""
        said = " ".join([*(c for columns, _, _ in self.views for c in columns), *(where for _, where, _ in self.views)])
        return next((name for name in ("p", "p2", "p4") if name in said.replace("(", " ").split()), "p")

    def release(self) -> deniable.Release:
        cells = {c: pa.array([row[c] for row in self.rows], pa.int64()) for c in ("a", "p")}
        table = pa.table({"id": pa.array(range(len(self.rows)), pa.int64()), **cells})
        views = {}
        for i, (columns, where, distinct) in enumerate(self.views):
            said = f"SELECT {'DISTINCT ' if distinct else ''}{', '.join(columns)} FROM t"
            views[f"view{i}"] = f"{said} WHERE {where}" if where else said
        bands = {name: {"of": of, "width": width} for name, (of, width) in COLUMNS.items()}
        return deniable.Release(
            table=table, name="t", private="p", views=views, domain=self.domain, columns=bands, public=["id", "a"]
        )

    def judge(self) -> Judge:
        views = [BandView(columns, distinct, CONDITIONS[where]) for columns, where, distinct in self.views]
        return Judge(self.rows, self.domain, views)

    def possible(self, judge: Judge, i: int) -> int:
        """What the views could have been told of a person."""
        return len({with_bands({"a": None, "p": world[i]})[self.private] for world in judge.worlds})


@st.composite
def cases(draw: st.DrawFn) -> Case:
    row = st.fixed_dictionaries({"a": st.sampled_from([0, 1, 2, None]), "p": st.sampled_from(VALUES)})
    rows: list[Row] = draw(st.lists(row, min_size=1, max_size=4))
    present = {r["p"] for r in rows}
    domain = [value for value in VALUES if value in present or draw(st.booleans())]
    shown = st.lists(st.sampled_from(["a", "a2", "p", "p2", "p2", "p4", "p4"]), min_size=1, max_size=2, unique=True)
    view = st.tuples(
        shown.map(tuple), st.sampled_from(["", "", *sorted(CONDITIONS)]), st.sampled_from([False] * 3 + [True])
    )
    return Case(rows, domain, draw(st.lists(view, min_size=1, max_size=3)))


def found(case: Case, method: Method) -> tuple[Any, list[dict[str, Any]]]:
    result = deniable.crowds(case.release(), method=method)
    try:
        return result, sorted(result.table.to_pylist(), key=lambda row: row["id"])
    finally:
        result.close()


@settings(max_examples=settings().max_examples // 4)
@given(cases())
def test_exact_is_what_the_judge_says(case: Case) -> None:
    judge = case.judge()
    result, rows = found(case, "exact")
    assert result.exact
    assert blocks(rows) == judge.crowds()
    assert [row["values"] for row in rows] == [case.possible(judge, i) for i in range(len(rows))]


@settings(max_examples=settings().max_examples // 4)
@given(cases())
def test_conservative_is_a_refinement(case: Case) -> None:
    judge = case.judge()
    result, rows = found(case, "conservative")
    truth = judge.crowds()
    assert all(any(crowd <= whole for whole in truth) for crowd in blocks(rows))
    assert not result.exact or blocks(rows) == truth
    for i, row in enumerate(rows):
        assert row["values"] in (None, case.possible(judge, i))
        assert row["exposed"] in (None, case.possible(judge, i) == 1)


@settings(max_examples=settings().max_examples // 8)
@given(cases())
def test_restricted_swaps_what_people_have(case: Case) -> None:
    judge = case.judge()
    result, rows = found(case, "restricted")
    assert result.exact
    assert all(judge.is_restricted(sorted(crowd)) for crowd in blocks(rows))


def test_who_differs_within_a_band_is_not_told_apart() -> None:
    """A view of bands beside one of values: classes that differ only where bands are shown need not be crowds."""
    rows: list[Row] = [{"a": 0, "p": 0}, {"a": 1, "p": 1}]
    case = Case(rows, [0, 1], [(("a2", "p"), "", False), (("a", "p2"), "", False)])
    result, found_rows = found(case, "conservative")
    assert len(blocks(found_rows)) == 2
    assert not result.exact
    assert blocks(found(case, "exact")[1]) == case.judge().crowds() == {frozenset([0, 1])}
