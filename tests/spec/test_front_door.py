"""`Release(...)` in Python and release.yaml go through the same checks and give the same sentences."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped,unused-ignore]
import pyarrow as pa
import pytest
import yaml

import deniable
from deniable.release import Counterfeits, HistoryFiles, Knowledge, Published, Republish

RIGHT: dict[str, Any] = {"table": "t.csv", "identifier": "name", "quasi": ["age"], "private": "problem"}

WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "republish without m": ({"republish": {"n": 3}}, "republish.m is missing; expected a value"),
    "knowledge without given": (
        {"knowledge": [{"estimate": True}]},
        "knowledge.given is missing; expected a column or a list of columns",
    ),
    "m in words": ({"republish": {"m": "six"}}, "republish.m: expected a whole number; found six"),
    "an unknown algorithm": (
        {"algorithm": "corsplit"},
        "algorithm: expected one of m-invariance, cor-split or stable; found corsplit (did you mean cor-split?)",
    ),
    "an unknown adversary": (
        {"require": {"breach": {"at_most": 0.5, "adversaries": ["keyd"]}}},
        "require.breach.adversaries: expected one of unrestricted, restricted, keyed, counted or bag; found keyd "
        "(did you mean keyed?)",
    ),
    "an unknown part of a part": (
        {"republish": {"m": 6, "N": 3}},
        "unknown key N (did you mean n?); expected one of m, n, compromise, lifespan, threshold, counterfeits",
    ),
    "a share above one": (
        {"republish": {"m": 6, "counterfeits": {"at_most": 2}}},
        "republish.counterfeits.at_most: expected a number from 0 to 1; found 2",
    ),
    "a type that there is not": (
        {"types": {"age": "int"}},
        "types.age: expected one of text, integer, number, date, timestamp or boolean; found int "
        "(did you mean integer?)",
    ),
    "a list of lists": ({"quasi": [["age"]]}, "quasi: expected text; found a list"),
    "history without a population": ({"history": {"releases": "q1.csv"}}, "history.population is missing; expected"),
    "published without a group": (
        {"published": {"people": "p.csv", "values": "v.csv"}},
        "published.group is missing; expected",
    ),
    "a crowd of none": (
        {"require": {"crowd": {"at_least": 0}}},
        "require.crowd.at_least: expected a whole number of at least 1; found 0",
    ),
    "a secret that is no text": ({"secret": ["SELECT"]}, "secret: expected text; found a list"),
}


def from_file(folder: Path, data: dict[str, Any]) -> list[str]:
    path = folder / "release.yaml"
    path.write_text(yaml.safe_dump(data), encoding="utf-8")
    with pytest.raises(deniable.BadInput) as refused:
        deniable.load(path)
    return [str(mistake.what) for mistake in refused.value.mistakes]


@pytest.mark.parametrize("name", WRONG)
def test_the_same_mistake_has_the_same_sentence(tmp_path: Path, name: str) -> None:
    change, sentence = WRONG[name]
    with pytest.raises(deniable.BadInput) as refused:
        deniable.Release(**{**RIGHT, **change})
    found = [str(mistake.what) for mistake in refused.value.mistakes]
    assert found == from_file(tmp_path, {**RIGHT, **change})
    assert len(found) == 1
    assert found[0].startswith(sentence)


def test_all_mistakes_at_once() -> None:
    with pytest.raises(deniable.BadInput) as refused:
        deniable.Release(table="t.csv", republish={"n": 3}, knowledge=[{}], algorithm="fast")
    assert str(refused.value).splitlines() == [
        "knowledge.0: knowledge.given is missing; expected a column or a list of columns",
        "republish: republish.m is missing; expected a value",
        "algorithm: expected one of m-invariance, cor-split or stable; found fast",
    ]


def test_parts_have_types_whether_given_as_values_or_as_dicts() -> None:
    parts = {
        "published": ({"people": "p.csv", "values": "v.csv", "group": "g"}, Published("p.csv", "v.csv", "g")),
        "knowledge": ([{"given": "age", "estimate": True}], (Knowledge(("age",), estimate=True),)),
        "republish": ({"m": "6", "counterfeits": {"at_most": 0.2}}, Republish(6, counterfeits=Counterfeits(0.2))),
        "history": ({"releases": ["a.csv"], "population": "w.csv"}, HistoryFiles(("a.csv",), "w.csv")),
        "require": (
            {"breach": {"at_most": 0.5}},
            deniable.Requirements(breach=deniable.BreachLimit(0.5)),
        ),
    }
    for key, (plain, typed) in parts.items():
        for given in (plain, typed):
            release = deniable.Release(**{**RIGHT, key: given})
            assert getattr(release, key) == typed
            assert getattr(replace(release, private="other"), key) == typed


def test_one_name_is_a_list_of_one() -> None:
    assert deniable.Release(table="t.csv", quasi="age", public="zip").quasi == ("age",)


def test_a_frame_is_not_shown_in_a_message() -> None:
    with pytest.raises(deniable.BadInput) as refused:
        deniable.Release(table="t.csv", private=pa.table({"cell": ["HIV"]}))
    assert str(refused.value) == "private: expected text; found a Table"


def test_domains_in_python_may_be_numbers() -> None:
    assert deniable.Release(table="t.csv", domain=[1, 2.5, None, "x"]).domain == ("1", "2.5", None, "x")


@pytest.mark.parametrize("part", [deniable.BreachLimit(0.1), Republish(6, 3), pa.table({"cell": ["HIV"]}), "all"])
def test_a_part_of_another_kind_is_refused(part: Any) -> None:
    with pytest.raises(deniable.BadInput) as refused:
        deniable.Release(table="t.csv", require=part)
    assert "HIV" not in str(refused.value)


def test_files_may_be_paths() -> None:
    release = deniable.Release(
        table=Path("t.csv"),
        ledger=Path("a/l.ledger"),  # type: ignore[arg-type]
        history={"releases": [Path("q1.csv")], "population": Path("who.csv")},
        knowledge=[{"given": "age", "file": Path("k.csv")}],
        generalize={"zip": Path("levels.csv")},  # type: ignore[dict-item]
    )
    assert (release.ledger, release.generalize["zip"]) == ("a/l.ledger", "levels.csv")
    assert release.history == HistoryFiles(("q1.csv",), "who.csv")
    assert release.knowledge[0].file == "k.csv"


@pytest.mark.parametrize("table", [("t.csv",), {"t.csv"}, np.zeros(3), 5, None, b"t.csv"])
def test_what_is_no_table_is_refused(table: Any) -> None:
    with pytest.raises(
        deniable.BadInput, match="table: expected a path, a pandas or polars frame, an Arrow table or a relation"
    ):
        deniable.Release(table=table)


def test_frames_where_names_belong_are_refused() -> None:
    frame = pd.DataFrame({"cell": ["HIV"]})
    with pytest.raises(deniable.BadInput) as refused:
        deniable.Release(table="t.csv", name=frame, private=frame)
    assert str(refused.value).splitlines() == [
        "name: expected text; found a DataFrame",
        "private: expected text; found a DataFrame",
    ]


def test_no_repr_shows_a_cell() -> None:
    table = pa.table({"name": ["Ann"], "problem": ["HIV"]})
    release = deniable.Release(
        table=table,
        identifier="name",
        private="problem",
        domain=["HIV"],
        secret="SELECT name, problem FROM t WHERE problem = 'HIV'",
        published={"people": table, "values": table, "group": "g"},
    )
    assert "HIV" not in repr(release) + repr(release.published)


def test_mistakes_travel_between_processes(tmp_path: Path) -> None:
    (tmp_path / "release.yaml").write_text("table: t.csv\nquasy: age\n", encoding="utf-8")
    with pytest.raises(deniable.BadInput) as refused:
        deniable.load(tmp_path / "release.yaml")
    assert str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)


RELEASE = {"table": pa.table({"name": ["Ann"], "problem": ["HIV"]}), "identifier": "name", "private": "problem"}
CALLS: dict[str, tuple[Callable[[], object], str]] = {
    "pairs": (
        lambda: deniable.breach(deniable.Release(**RELEASE), pairs="al"),  # type: ignore[arg-type]
        "pairs: expected secret or all; found al (did you mean all?)",
    ),
    "method": (
        lambda: deniable.crowds(deniable.Release(**RELEASE), method="exct"),  # type: ignore[arg-type]
        "method: expected conservative, exact or restricted; found exct (did you mean exact?)",
    ),
    "algorithm": (
        lambda: deniable.republish("nowhere.yaml", "out", algorithm="corsplit"),
        "algorithm: expected one of m-invariance, cor-split or stable; found corsplit (did you mean cor-split?)",
    ),
    "an empty algorithm": (
        lambda: deniable.republish("nowhere.yaml", "out", algorithm=""),
        "algorithm: expected one of m-invariance, cor-split or stable; found ",
    ),
    "who": (lambda: deniable.explain(deniable.Release(**RELEASE), 5), "who: expected text; found 5"),  # type: ignore[arg-type]
    "r": (
        lambda: deniable.bucketize("nowhere.yaml", "out", r="x"),  # type: ignore[arg-type]
        "r: expected a number of at least 1; found x",
    ),
    "m and threshold": (
        lambda: deniable.choose(m="six", compromise=0.1, lifespan=3, threshold=float("nan")),  # type: ignore[arg-type]
        "m: expected a whole number of at least 2 and at most 1,000; found six\n"
        "threshold: expected a number from 0 to 1; found nan",
    ),
    "breach": (
        lambda: deniable.audit("nowhere.yaml", breach=2),
        "breach: expected a number from 0 to 1; found 2",
    ),
    "an engine's address": (
        lambda: deniable.breach(deniable.Release(**RELEASE), engine="duckdb:///there.db"),
        "engine: expected duckdb or postgresql:// or postgres:// "
        "or spark or spark:// or local[*] or local-cluster[*]; found duckdb://",
    ),
    "no engine": (
        lambda: deniable.breach(deniable.Release(**RELEASE), engine=None),  # type: ignore[arg-type]
        "engine: expected duckdb or postgresql:// or postgres:// "
        "or spark or spark:// or local[*] or local-cluster[*]; found None",
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_arguments_are_checked_before_anything_is_read(name: str) -> None:
    call, sentence = CALLS[name]
    with pytest.raises(deniable.BadInput) as refused:
        call()
    assert str(refused.value) == sentence
