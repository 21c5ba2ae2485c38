"""What `linkage`, `bucketize` and `utility` read: all mistakes at once, and nothing computed twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import deniable
from deniable.analyses import linkage
from deniable.bind import groups
from deniable.bind.files import Mistakes
from deniable.effort import Effort
from deniable.engines import opened
from deniable.engines.duckdb import DuckDBEngine
from deniable.engines.scope import Scope
from deniable.report.json import linkage_json
from deniable.report.linkage import linkage_text

PEOPLE = "sex,age,group\nm,30,1\nf,40,1\nf,40,2\nm,50,2\n"
VALUES = "group,problem\n1,Flu\n1,Cold\n2,Flu\n2,Flu\n"
KNOWN = "sex,problem,probability\nm,Flu,0.5\nm,Cold,0.5\nf,Flu,0.25\nf,Cold,0.75\n"
TABLE = "sex,age,problem\nm,30,Flu\nf,40,Cold\nf,40,Flu\nm,50,Flu\n"
SPEC = """\
table: table.csv
quasi: [sex, age]
private: problem
published: {people: out/people.csv, values: out/values.csv, group: group}
knowledge:
  - {given: [sex], file: known.csv}
  - {given: [age], estimate: true}
"""
BUCKETIZE = SPEC.replace("published: {people: out/people.csv, values: out/values.csv, group: group}\n", "")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {"release.yaml": SPEC, "table.csv": TABLE, "known.csv": KNOWN}
    for name, text in {**files, "out/people.csv": PEOPLE, "out/values.csv": VALUES}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def scope() -> Iterator[Scope]:
    with opened() as engine:
        yield Scope(engine)


def load(text: str) -> deniable.Release:
    from deniable.spec import yaml

    Path("release.yaml").write_text(text)
    return yaml.load("release.yaml")


def test_the_worst_is_found_once_for_all_limits(folder: Path, scope: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    stored = []
    real = DuckDBEngine.store

    def store(self: DuckDBEngine, name: str, query: Any) -> None:
        stored.append(name.rpartition("_")[0])
        real(self, name, query)

    result = linkage.analyse(load(SPEC), scope, Effort())
    monkeypatch.setattr(DuckDBEngine, "store", store)
    text, document = linkage_text(result), linkage_json(result)
    assert stored == ["worst", "worst"]  # one for each attribute set
    assert (linkage_text(result), linkage_json(result)) == (text, document)
    assert stored == ["worst", "worst"]


def test_limits_and_sets(folder: Path, scope: Scope) -> None:
    """Whatever was asked before, an answer is that of a fresh result."""
    result = linkage.analyse(load(SPEC), scope, Effort())
    asked = [(limit, given) for given in (None, "sex", "age") for limit in (0.25, 0.5, 0.9)]
    told = [result.over(*one) for one in asked]
    for (limit, given), found in zip(asked, told, strict=True):
        assert linkage.analyse(load(SPEC), scope, Effort()).over(limit, given) == found
    rows = result.table.to_pylist()
    for (limit, given), found in zip(asked, told, strict=True):
        for one in found:
            over = {
                row["person"]
                for row in rows
                if row["adversary"] == one.adversary and given in (None, row["given"]) and (row["lower"] or 0) > limit
            }
            assert (one.over, one.people) == (len(over), 4)


def checked(release: deniable.Release, scope: Scope) -> list[str]:
    mistakes = Mistakes()
    groups.check(release, scope, mistakes, ())
    try:
        mistakes.insist()
    except deniable.BadInput as error:
        return str(error).splitlines()
    return []


def test_check_finds_nothing_wrong(folder: Path, scope: Scope) -> None:
    without_knowledge = SPEC.partition("knowledge:")[0]
    for text in (SPEC, BUCKETIZE, without_knowledge, "table: table.csv\n", "table: nowhere.csv\nquasi: [sex]\n"):
        assert checked(load(text), scope) == []


@pytest.mark.parametrize(
    ("text", "lost", "wanted"),
    [
        (
            SPEC,
            ["known.csv", "out/values.csv", "table.csv"],
            [
                "release.yaml:1:8: table.csv: no such file; expected a csv, tsv or parquet file",
                "release.yaml:4:45: out/values.csv: no such file; expected a csv, tsv or parquet file",
                "release.yaml:6:26: knowledge.file: no such file, known.csv; "
                "expected a csv file with sex, problem, probability",
            ],
        ),
        (
            SPEC.partition("knowledge:")[0].replace("group: group", "group: bucket"),
            ["out/values.csv"],
            [
                "release.yaml:4:21: published.people: unknown column bucket in out/people.csv; "
                "expected one of sex, age, group",
                "release.yaml:4:45: out/values.csv: no such file; expected a csv, tsv or parquet file",
            ],
        ),
        (
            BUCKETIZE.replace("quasi: [sex, age]", "quasi: [sex, agee]").replace("{given: [age]", "{given: [job]"),
            ["known.csv"],
            [
                "release.yaml:2:14: quasi: unknown column agee (did you mean age?); expected one of sex, age, problem",
                "release.yaml:5:26: knowledge.file: no such file, known.csv; "
                "expected a csv file with sex, problem, probability",
                "release.yaml:6:13: knowledge.given: expected quasi-identifiers, which are published; found job",
            ],
        ),
    ],
    ids=["linkage", "published only", "bucketize"],
)
def test_all_mistakes_at_once(folder: Path, scope: Scope, text: str, lost: list[str], wanted: list[str]) -> None:
    for name in lost:
        (folder / name).unlink()
    release = load(text)
    assert checked(release, scope) == wanted
    if release.knowledge:
        with pytest.raises(deniable.BadInput) as error:
            _ = deniable.linkage(release) if release.published else deniable.bucketize(release, "new", r=2)
        assert str(error.value).splitlines() == wanted
        assert not Path("new").exists()


def test_all_mistakes_of_utility(folder: Path) -> None:
    (folder / "out/people.csv").write_text("sex,group\nm,1\n")
    (folder / "out/values.csv").unlink()
    load(SPEC.replace("problem", "problme"))
    with pytest.raises(deniable.BadInput) as error:
        deniable.utility("release.yaml", "out")
    assert str(error.value).splitlines() == [
        "table.csv: unknown column problme (did you mean problem?); expected one of sex, age, problem",
        "out/people.csv: unknown column age; expected one of sex, group",
        "out/values.csv: no such file; expected a csv, tsv or parquet file",
    ]


def test_all_mistakes_of_a_republished_folder(folder: Path) -> None:
    (folder / "out/release.csv").write_text("group,sex,age_low,problem\n1,m,30,Flu\n")
    (folder / "out/counterfeits.csv").write_text("group,often\n1,1\n")
    (folder / "table.csv").unlink()
    with pytest.raises(deniable.BadInput) as error:
        deniable.utility("release.yaml", "out")
    assert str(error.value).splitlines() == [
        "out/release.csv: unknown column age (did you mean age_low?); expected one of group, sex, age_low, problem",
        "out/counterfeits.csv: unknown column count; expected one of group, often",
        "release.yaml:1:8: table.csv: no such file; expected a csv, tsv or parquet file",
    ]


def test_a_republished_folder_without_counterfeits(folder: Path) -> None:
    rows = "".join(f"1,{sex},{age},{age},{problem}\n" for sex, age, problem in [("m|f", 30, "Flu")] * 4)
    (folder / "out/release.csv").write_text(f"group,sex,age_low,age_high,problem\n{rows}")
    (folder / "out/counterfeits.csv").write_text("group,count\n")
    made = deniable.utility("release.yaml", "out", queries=5)
    assert (made.people, made.groups, made.mean_size) == (4, 1, 4)


@pytest.mark.parametrize("empty", ["people", "values"])
def test_published_tables_in_memory(empty: str) -> None:
    files = {"people": pa.table({"sex": ["m", "f"], "g": [1, 1]}), "values": pa.table({"g": [1, 1], "x": ["a", "b"]})}
    files[empty] = files[empty].slice(0, 0)
    knowledge = [{"given": ["sex"], "estimate": True}]
    table = pa.table({"sex": ["m", "f"], "x": ["a", "b"]})
    release = deniable.Release(table=table, private="x", published={**files, "group": "g"}, knowledge=knowledge)
    with pytest.raises(deniable.BadInput) as error:
        deniable.linkage(release)
    assert str(error.value) == f"published.{empty}: expected at least one row; found none"
