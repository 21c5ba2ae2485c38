"""No false comfort: what an audit of views says must be safe to act on. Each test is something that was seen."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import deniable
from deniable.analyses.verdict import BreachPart, Finding, Verdict
from deniable.cli import run
from deniable.report.verdict import verdict_json
from deniable.worlds.judges import views as worlds
from tests.few import few

PAIR = ("SELECT id, j FROM t", "SELECT j, p FROM t")
DISTINCT = tuple(sql.replace("SELECT", "SELECT DISTINCT") for sql in PAIR)


def released(rows: list[tuple[str, int, str]], views: tuple[str, ...] = PAIR, **more: Any) -> deniable.Release:
    ids, joins, values = zip(*rows, strict=True)
    table = pa.table({"id": list(ids), "j": list(joins), "p": list(values)})
    named = {f"view{i}": sql for i, sql in enumerate(views)}
    return deniable.Release(table=table, name="t", identifier="id", private="p", views=named, **more)


def audited(rows: list[tuple[str, int, str]], limit: float, views: tuple[str, ...] = PAIR, **more: Any) -> Verdict:
    return deniable.audit(released(rows, views, require={"breach": {"at_most": limit, **more}}))


def by_adversary(verdict: Verdict) -> dict[str, Finding]:
    return {str(finding.adversary): finding for finding in verdict.findings}


MANY = [(f"p{i}", i // 500, "HIV" if i % 500 > 1 else "Flu") for i in range(1000)]


def test_counting_the_rows_of_the_published_file_is_enough() -> None:
    """1,000 people, 996 with HIV, two views without DISTINCT: 0.996 for whoever counts rows, and keyed alone passes."""
    verdict = audited(MANY, 0.5)
    assert verdict.verdict == "fail"
    found = by_adversary(verdict)
    assert set(found) == {"restricted", "keyed", "bag"}
    assert (found["bag"].verdict, found["bag"].worst, found["bag"].over) == ("fail", 0.996, 996)
    assert found["keyed"].verdict == "pass"
    assert "With SELECT DISTINCT in view0, view1 nobody could count rows" in str(verdict)


def test_distinct_hides_the_counts() -> None:
    verdict = audited(MANY, 0.5, DISTINCT)
    assert verdict.verdict == "pass"
    assert set(by_adversary(verdict)) == {"restricted", "keyed"}


def test_one_view_without_distinct_is_enough() -> None:
    assert "bag" in by_adversary(audited(MANY, 0.5, (DISTINCT[0], PAIR[1])))


def test_three_views_are_counted_too() -> None:
    """(id, j), (j, k), (k, p): every row once, so that whoever counts rows multiplies shares."""
    table = pa.table({"id": list("abcdef"), "j": [1] * 6, "k": [1] * 6, "p": ["HIV"] * 5 + ["Flu"]})
    views = {"one": "SELECT id, j FROM t", "two": "SELECT j, k FROM t", "three": "SELECT k, p FROM t"}
    release = deniable.Release(table=table, name="t", identifier="id", private="p", views=views)
    found = by_adversary(deniable.audit(release, breach=0.6))
    assert found["bag"].worst == pytest.approx(5 / 6)
    assert found["bag"].verdict == "fail"
    assert found["restricted"].verdict == "pass"


def test_what_was_not_answered_is_undecided_and_fails() -> None:
    """Rows are counted inside a DISTINCT view only: that view is not redundant, and nobody knows what it tells."""
    views = (*DISTINCT, "SELECT p FROM t")
    verdict = audited([("A", 1, "x"), ("B", 1, "y"), ("B", 1, "y")], 0.9, views)
    bag = by_adversary(verdict)["bag"]
    assert (bag.unanswered, bag.undecided, bag.no_world, bag.verdict) == (2, 2, 0, "fail")
    assert verdict.verdict == "fail"
    assert "bag: not answered for 2 people" in str(verdict)
    assert "the other checks pass" in str(verdict)


def test_the_table_itself_fits() -> None:
    """Rows A,1,x; A,1,x; B,1,x; C,1,y: P(A,x) = 1 by enumeration, and 'no table fits' was said."""
    rows = [("A", 1, "x"), ("A", 1, "x"), ("B", 1, "x"), ("C", 1, "y")]
    verdict = audited(rows, 0.1, adversaries=["bag"])
    bag = by_adversary(verdict)["bag"]
    assert (bag.verdict, bag.worst, bag.certain, bag.no_world) == ("fail", 1.0, 1, 0)


CROSSED = [("A", 1, "x"), ("B", 1, "y"), ("A", 2, "z"), ("B", 2, "w")]


def test_no_world_is_no_pass() -> None:
    """restricted and keyed have no world for A and B; whoever knows how many rows they have, believes 1/2."""
    verdict = audited(CROSSED, 0.01, DISTINCT)
    found = by_adversary(verdict)
    assert (found["counted"].worst, found["counted"].verdict) == (0.5, "fail")
    assert not verdict


def test_every_required_adversary_without_a_world_is_undecided() -> None:
    verdict = audited(CROSSED, 0.6, DISTINCT, adversaries=["restricted", "keyed"])
    for finding in verdict.findings:
        assert (finding.no_world, finding.undecided, finding.unanswered, finding.verdict) == (2, 2, 0, "fail")
    assert verdict.verdict == "fail"


def test_a_check_in_which_nobody_has_a_world_says_so() -> None:
    """Another adversary decides for them all."""
    verdict = audited(CROSSED, 0.6, DISTINCT)
    found = by_adversary(verdict)
    assert (found["keyed"].verdict, found["keyed"].no_world, found["keyed"].undecided) == ("no world", 2, 0)
    assert found["counted"].verdict == "pass"
    assert verdict.verdict == "pass"
    told = {check["adversary"]: check for check in verdict_json(verdict)["checks"]}
    assert told["keyed"]["verdict"] == "no world"
    assert told["keyed"]["no_world"] == 2
    assert "NO WORLD" in str(verdict)


def test_keys_mean_what_the_words_say() -> None:
    """`certain` counts people with an association that is certain, as the reason does."""
    verdict = audited([("A", 1, "x"), ("B", 2, "y"), ("C", 3, "x"), ("D", 3, "y")], 0.5, DISTINCT)
    told = verdict_json(verdict)
    assert [check["certain"] for check in told["checks"]] == [2, 2]
    assert told["reasons"][0].startswith("2 people are certain")


def test_the_audit_names_whom_it_did_not_consider() -> None:
    verdict = audited(MANY, 0.6, adversaries=["restricted"])
    assert verdict.verdict == "pass"
    assert "Not considered: keyed, bag, who read the same files" in str(verdict)


def run_audit(folder: Path, text: str, capsys: pytest.CaptureFixture[str]) -> tuple[Any, int]:
    (folder / "t.csv").write_text("id,j,p\nA,1,x\nB,1,y\n")
    spec = folder / "release.yaml"
    spec.write_text(f"table: t.csv\nname: t\nidentifier: id\nprivate: p\n{text}")
    with pytest.raises(SystemExit) as left:
        run(["audit", str(spec), "--json"])
    return json.loads(capsys.readouterr().out), int(str(left.value.code))


def test_nothing_required_is_neither_pass_nor_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    views = "views:\n  one: SELECT id, j FROM t\n  two: SELECT j, p FROM t\n"
    told, code = run_audit(tmp_path, views, capsys)
    assert (told["verdict"], code) == ("not required", 0)
    assert {check["check"] for check in told["checks"]} == {"breach", "crowd"}
    assert {check["limit"] for check in told["checks"]} == {0.5, 3}
    assert {check["verdict"] for check in told["checks"] if check["check"] == "crowd"} == {"fail"}


def test_nothing_required_is_falsy_and_said() -> None:
    verdict = deniable.audit(released([("A", 1, "x"), ("B", 1, "y")]))
    assert isinstance(verdict.parts[0], BreachPart)
    assert not verdict
    assert "Nothing was required" in str(verdict)


def test_what_the_release_does_not_allow_is_named() -> None:
    """Crowds are answered; probabilities are not, and why."""
    release = released([("A", 1, "x"), ("B", 1, "y")], ("SELECT j, p FROM t",))
    verdict = deniable.audit(release)
    assert {finding.check for finding in verdict.findings} == {"crowd"}
    assert "breach was not checked: no view publishes id" in str(verdict)


def test_a_secret_that_selects_nobody_is_no_pass() -> None:
    """`hiv` for `HIV`: nothing is secret, and nothing was audited."""
    rows = [("A", 1, "HIV"), ("B", 1, "Flu")]
    with pytest.raises(deniable.BadInput, match="secret: expected a condition that some rows meet"):
        deniable.audit(released(rows, secret="SELECT id, p FROM t WHERE p = 'hiv'"), breach=0.5)


# No default audit passes while somebody who reads the same files is above the limit.

SHAPES = [
    (("id", "j"), ("j", "p")),
    (("id", "j", "k"), ("j", "k", "p")),
    (("id", "j"), ("j", "k", "p")),
    (("id", "j"), ("j", "p"), ("p",)),
    (("id", "j"), ("j", "p"), ("id",)),
    (("id", "j"), ("j", "k"), ("k", "p")),
    (("id", "j"), ("id", "k"), ("j", "k", "p")),
]
CELLS = {
    "id": st.sampled_from("ABC"),
    "j": st.sampled_from("12"),
    "k": st.sampled_from("uv"),
    "p": st.sampled_from("xyz"),
}


@settings(max_examples=few(12, nightly=1_000))
@given(st.sampled_from(SHAPES), st.data(), st.sampled_from([0.3, 0.5, 0.7]))
def test_no_default_audit_passes_while_a_reader_of_the_files_is_above_the_limit(
    views: tuple[tuple[str, ...], ...], data: st.DataObject, limit: float
) -> None:
    rows = data.draw(st.lists(st.fixed_dictionaries(CELLS), min_size=1, max_size=5))
    if data.draw(st.booleans()):
        rows = [{**row, "id": str(i)} for i, row in enumerate(rows)]
    assume(len(worlds.join([set(worlds.project(rows, view)) for view in views])) <= 10)
    distinct = [data.draw(st.booleans()) for _ in views]
    said = ["DISTINCT " if once else "" for once in distinct]
    named = {f"view{i}": f"SELECT {said[i]}{', '.join(view)} FROM t" for i, view in enumerate(views)}
    table = pa.table({column: [row[column] for row in rows] for column in CELLS})
    release = deniable.Release(table=table, name="t", identifier="id", private="p", views=named)
    if deniable.audit(release, breach=limit).verdict == "pass":
        for (person, value), believed in beliefs(rows, views, distinct).items():
            assert believed <= Fraction(limit), (person, value)


def beliefs(
    rows: list[dict[str, str]], views: tuple[tuple[str, ...], ...], distinct: list[bool]
) -> dict[tuple[str, str], Fraction]:
    """The most that anybody who reads the files believes of each true association, by listing worlds."""
    pairs = {(row["id"], row["p"]) for row in rows}
    sets = list(worlds.set_worlds(rows, views))
    bags = [] if all(distinct) else list(worlds.bag_worlds(rows, views, distinct))
    two = [view for i, view in enumerate(views) if not any(set(view) < set(other) for other in views)]
    found = {}
    for person, value in pairs:
        answers = [worlds.restricted(sets, {"id": person}, "p", value)]
        if bags:
            answers.append(worlds.in_bags(bags, {"id": person}, "p", value))
        if len(two) == 2:
            judged = worlds.judged(rows, two, ["id"], "p", [True, True])[person, value]
            answers += [judged["keyed"], judged["counted"]]
        found[person, value] = max(answer for answer in answers if answer is not None) if any(answers) else Fraction(1)
    return found
