"""Statistics fitted to the very table: published groups end to end, and groups that withstand it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deniable
from deniable.report.bucketize import bucketize_text
from deniable.report.linkage import linkage_text
from deniable.worlds.judges import calibrated as judge
from tests.few import few

ASKED = {"linkage": {"at_most": 0.5, "adversaries": ["marginal", "full", "calibrated"]}}


def release_of(
    table: list[tuple[str, str]], people: list[tuple[str, str]], values: list[tuple[str, str]], **known: Any
) -> deniable.Release:  # fmt: skip
    def columns(rows: list[tuple[str, str]], *names: str) -> pa.Table:
        return pa.table({name: pa.array([row[i] for row in rows], pa.string()) for i, name in enumerate(names)})

    return deniable.Release(
        table=columns(table, "sex", "disease"),
        quasi=["sex"],
        private="disease",
        published={
            "people": columns(people, "sex", "bucket"),
            "values": columns(values, "bucket", "disease"),
            "group": "bucket",
        },
        knowledge=[{"given": ["sex"], **(known or {"estimate": True})}],
        require=ASKED,
    )


def rows_of(release: deniable.Release) -> list[dict[str, Any]]:
    result = deniable.linkage(release)
    rows: list[dict[str, Any]] = result.table.to_pylist()
    result.close()
    return [row for row in rows if row["adversary"] == "calibrated"]


@given(st.lists(st.tuples(st.integers(-1, 3), st.sampled_from("mf"), st.sampled_from("xyz")), min_size=4, max_size=12))
@settings(max_examples=few(15, nightly=300))
def test_posteriors_are_those_of_the_judge(table: list[tuple[int, str, str]]) -> None:
    inside = [row for row in table if row[0] >= 0]
    names = sorted({row[0] for row in inside})
    if not inside:
        return
    release = release_of(
        [(sex, value) for _, sex, value in table],
        [(sex, str(group)) for group, sex, _ in inside],
        [(str(group), value) for group, _, value in inside],
    )
    groups = [
        (["mf".index(sex) for g, sex, _ in inside if g == name], ["xyz".index(x) for g, _, x in inside if g == name])
        for name in names
    ]
    present = {sex for _, sex, _ in inside}  # statistics of others are about nobody here
    counts = {
        (s, x): sum((sex, value) == ("mf"[s], "xyz"[x]) for _, sex, value in table if sex in present)
        for s in range(2)
        for x in range(3)
    }
    apart = {s: sum(g < 0 and sex == "mf"[s] for g, sex, _ in table if sex in present) for s in range(2)}
    truth = judge.fitted(groups, counts, {s: n for s, n in apart.items() if n})
    assert truth is not None
    for row in rows_of(release):
        group, sex, _ = inside[row["person"] - 1]
        mine = truth[names.index(group)].get(("mf".index(sex), "xyz".index(row["disease"])), 0.0)
        assert row["lower"] - 1e-15 <= mine <= row["upper"] + 1e-15
        assert row["bound"] in ("exact", "proved")
        assert (row["probability"] is None) == (row["reason"] == "not fitted")


TWO = [("m", "x"), ("m", "y"), ("f", "y"), ("m", "y"), ("f", "y"), ("f", "y")]
PEOPLE = [(sex, str(i // 3)) for i, (sex, _) in enumerate(TWO)]
VALUES = [(str(i // 3), value) for i, (_, value) in enumerate(TWO)]


def test_exact_counts_say_what_shares_do_not() -> None:
    """No woman has x, so it is one of two men; and y of the third one nobody doubts."""
    told = {(row["person"], row["disease"]): row for row in rows_of(release_of(TWO, PEOPLE, VALUES))}
    assert told[1, "x"]["probability"] == 0.5
    assert told[3, "y"]["probability"] == 1
    assert told[1, "x"]["bound"] == "exact"


def test_a_file_must_have_the_tables_own_counts(tmp_path: Path) -> None:
    """Somebody who knows another table's statistics is not the one who was asked for: nobody is answered."""
    own, other = tmp_path / "own.csv", tmp_path / "other.csv"
    own.write_text("sex,disease,probability\nm,x,0.33333333\nm,y,0.66666667\nf,y,1\n")
    other.write_text("sex,disease,probability\nm,x,0.4\nm,y,0.6\nf,y,1\n")
    found = rows_of(release_of(TWO, PEOPLE, VALUES, file=str(own)))
    assert {row["bound"] for row in found} == {"exact"}
    found = rows_of(release_of(TWO, PEOPLE, VALUES, file=str(other)))
    assert {(row["bound"], row["reason"], row["probability"]) for row in found} == {(None, "not fitted", None)}
    verdict = deniable.audit(release_of(TWO, PEOPLE, VALUES, file=str(other)))
    check = next(one for part in verdict.parts for one in part.findings if one.adversary == "calibrated")
    assert (check.verdict, check.undecided) == ("fail", 6)
    assert "no weights were proved to fit" in str(verdict)


def test_it_is_answered_only_where_it_is_asked_for() -> None:
    release = release_of(TWO, PEOPLE, VALUES)
    asked = deniable.linkage(release)
    assert "calibrated: " in linkage_text(asked)
    asked.close()
    plain = deniable.Release(
        table=release.table, quasi=["sex"], private="disease", knowledge=[{"given": ["sex"], "estimate": True}],
        published=release.published,
    )  # fmt: skip
    silent = deniable.linkage(plain)
    assert "calibrated" not in linkage_text(silent)
    assert {row["adversary"] for row in silent.table.to_pylist()} == {"marginal", "full"}
    silent.close()


@pytest.mark.parametrize("seed", range(4))
def test_groups_that_withstand_it_pass_their_own_audit(tmp_path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    sex, age = rng.choice(["m", "f"], 80), rng.choice(["30", "40", "50"], 80)
    disease = [
        rng.choice(list("uvwxyz"), p=np.roll([0.3, 0.2, 0.2, 0.1, 0.1, 0.1], len(a + s) + (a == "50")))
        for a, s in zip(age, sex, strict=True)
    ]
    table = pa.table({"sex": sex.tolist(), "age": age.tolist(), "disease": disease})
    told = {
        "table": table,
        "quasi": ["sex", "age"],
        "private": "disease",
        "knowledge": [{"given": ["sex"], "estimate": True}, {"given": ["age"], "estimate": True}],
    }
    made = deniable.bucketize(deniable.Release(**told, require=ASKED), tmp_path / "out", r=3, suppress=True, seed=1)
    assert made.fitted
    assert made.people > 40
    published = {"people": tmp_path / "out/people.csv", "values": tmp_path / "out/values.csv", "group": "group"}
    published = {name: str(value) for name, value in published.items()}
    asked = {"linkage": {**ASKED["linkage"], "at_most": 1 / 3}}
    verdict = deniable.audit(deniable.Release(**told, published=published, require=asked))
    assert verdict, str(verdict)
    assert "calibrated" in bucketize_text(made, "out")
