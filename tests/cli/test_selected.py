"""Conditions that select nobody, or not the person who is asked for, and conditions that no analysis evaluates."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

import deniable
from tests.breach.test_two_views import answers
from tests.cli.conftest import Call

TABLE = "id,a,b,n,p\nann,1,x,3,HIV\nbob,1,x,4,Flu\ncy,2,y,5,Flu\ndi,2,y,6,Cold\n"
VIEWS = {
    "two views": ("id, a", "a, p"),
    "two views, somebody twice": ("id, b", "b, p"),
    "a view that reveals": ("id, a, p", "a, p"),
    "three views": ("id, a", "a, b", "b, p"),
    "three views on one column": ("id, a", "a, b", "a, p"),
}


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    (tmp_path / "t.csv").write_text(TABLE)
    return tmp_path / "release.yaml"


def written(spec: Path, views: tuple[str, ...], where: str, more: str = "") -> str:
    lines = [f"  v{i}: SELECT {columns} FROM t {where}" for i, columns in enumerate(views)]
    spec.write_text("\n".join(["table: t.csv", "identifier: id", "private: p", "views:", *lines, more]))
    return str(spec)


@pytest.mark.parametrize("views", VIEWS.values(), ids=VIEWS)
def test_a_where_that_selects_nobody_is_one_line_and_exit_2(call: Call, spec: Path, views: tuple[str, ...]) -> None:
    if views == VIEWS["two views, somebody twice"]:
        (spec.parent / "t.csv").write_text(TABLE + "ann,2,y,5,Flu\n")
    path = written(spec, views, "WHERE n > 100", "require: {breach: {at_most: 0.5}}")
    for arguments in (
        ["audit", path],
        ["breach", path],
        ["breach", path, "--pairs", "all"],
        ["breach", path, "--json"],
    ):
        done = call(*arguments)
        assert done.status == 2
        assert "view v0: expected a WHERE that some row meets; found none, so nobody is published" in done.err
        assert done.out == ""


def test_explain_says_that_the_views_leave_somebody_out(call: Call, spec: Path) -> None:
    path = written(spec, VIEWS["two views"], "WHERE n > 3")
    shown = call("explain", path, "--who", "ann").out
    assert "no probabilities: the views' WHERE selects no row of ann" in shown
    assert "nobody in t.csv is called ana" in call("explain", path, "--who", "ana").err
    path = written(spec, VIEWS["two views"], "WHERE n > 100")
    assert (
        "no probabilities: view v0: expected a WHERE that some row meets" in call("explain", path, "--who", "ann").out
    )


def test_crowds_of_an_empty_answer_are_answered_since_it_says_that_nobody_was_meant(call: Call, spec: Path) -> None:
    assert "4 people in 1 crowds" in call("crowds", written(spec, ("a, p",), "WHERE n > 100")).out


@pytest.mark.parametrize("views", VIEWS.values(), ids=VIEWS)
def test_all_pairs_are_all_that_the_join_allows_whatever_is_secret(views: tuple[str, ...]) -> None:
    rows = [line.split(",") for line in TABLE.split()]
    table = pa.table(dict(zip(rows[0], zip(*rows[1:], strict=True), strict=True)))
    named = {f"v{i}": f"SELECT {columns} FROM t" for i, columns in enumerate(views)}

    def release(secret: str | None) -> deniable.Release:
        return deniable.Release(table=table, name="t", identifier="id", private="p", views=named, secret=secret)

    some = release("SELECT id, p FROM t WHERE p = 'HIV'")
    assert answers(some, "all") == answers(release(None), "all")
    assert set(answers(some, "secret")) == {("ann", "HIV")}


@pytest.mark.parametrize("method", ["conservative", "exact", "restricted"])
def test_crowds_refuse_a_comparison_of_text_and_number_in_every_statement_as_check_does(
    call: Call, spec: Path, method: str
) -> None:
    """Even where it is in a view that tells nothing of the private column, or in the secret query: neither is used."""
    for views, where, more in (
        (("id, a",), "WHERE b > n", "  w: SELECT a, p FROM t"),
        (("a, p",), "", "secret: SELECT id, p FROM t WHERE b > n"),
        (("a, p",), "WHERE p > n", ""),
    ):
        path = written(spec, views, where, more)
        said = call("check", path).err
        assert "expected one type on both sides of a comparison" in said
        done = call("crowds", path, "--method", method)
        assert (done.status, done.out, done.err) == (2, "", said)
