"""Histories that others published: read from files, attacked, and refused with every mistake."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from deniable.analyses.history.attack import Attack, AttackOptions, attack_history
from deniable.analyses.history.named_history import NamedHistory, read_releases
from deniable.bind.releases import bind_releases
from deniable.engines import opened
from deniable.engines.scope import Scope
from deniable.errors import BadInput
from deniable.release import Release
from deniable.spec.locations import Locations

# The paper's Table 1, with a counterfeit (cancer) in group b of the second release.
R1 = """group,age,disease
1,31-35,cancer
1,31-35,bronchitis
1,31-35,AIDS
2,37-41,AIDS
2,37-41,bronchitis
2,37-41,cancer
"""
R2 = """group,age,disease
a,35-40,bronchitis
a,35-40,cancer
a,35-40,AIDS
b,41-42,AIDS
b,41-42,bronchitis
b,41-42,cancer
b,41-42,cancer
"""
POPULATION = """release,group,name,disease
1,1,Alice,cancer
1,1,Betty,bronchitis
1,1,Carl,AIDS
1,2,Doris,cancer
1,2,Erica,AIDS
1,2,Fiona,bronchitis
2,a,Carl,AIDS
2,a,Doris,cancer
2,a,Fiona,bronchitis
2,b,Erica,AIDS
2,b,Grace,bronchitis
2,b,Hanna,cancer
2,b,,cancer
"""
Write = Callable[..., Path]


def read(folder: Path, *releases: str, by: str | list[str] = "name") -> NamedHistory:
    release = Release(
        "none.csv",
        by,
        "disease",
        history={"releases": list(releases or ("r1.csv", "r2.csv")), "population": "population.csv"},
        locations=Locations(str(folder / "release.yaml")),
    )
    with opened() as engine:
        scope = Scope(engine)
        return read_releases(bind_releases(release, scope), scope)


def attack(history: NamedHistory, options: AttackOptions) -> Attack:
    with opened() as engine:
        return attack_history(history, options, Scope(engine))


def mistakes(folder: Path) -> list[str]:
    with pytest.raises(BadInput) as caught:
        read(folder)
    return [str(mistake) for mistake in caught.value.mistakes]


def test_the_papers_history_is_read_and_attacked(write: Write, tmp_path: Path) -> None:
    write(r1__csv=R1, r2__csv=R2, population__csv=POPULATION, known__csv="name,disease\nCarl,AIDS\n")
    found = read(tmp_path)
    assert found.names.people.column("name").to_pylist() == [
        "Alice", "Betty", "Carl", "Doris", "Erica", "Fiona", "Grace", "Hanna"
    ]  # fmt: skip
    assert (found.releases, found.history.groups, len(found.history.members)) == (2, 4, 12)
    assert found.truth is not None
    assert [found.names.values[v] for v in found.truth.tolist()] == [
        "cancer", "bronchitis", "AIDS", "cancer", "AIDS", "bronchitis", "bronchitis", "cancer"
    ]  # fmt: skip
    rows = attack(found, AttackOptions(known=tmp_path / "known.csv")).table.to_pylist()
    assert [row["name"] for row in rows if row["exposed"]] == ["Carl", "Erica"]


def test_the_truth_may_be_missing(write: Write, tmp_path: Path) -> None:
    without = "\n".join(line.rpartition(",")[0] for line in POPULATION.splitlines())
    write(r1__csv=R1, r2__csv=R2, population__csv=without)
    found = read(tmp_path)
    assert found.truth is None
    assert attack(found, AttackOptions()).table.column("probability").null_count == 8


def test_null_is_a_value_and_people_may_have_several_columns(write: Write, tmp_path: Path) -> None:
    write(r1__csv="group,disease\n1,\n1,flu\n", population__csv="release,group,name,no\n1,1,Ann,1\n1,1,Ann,\n1,1,,\n")
    found = read(tmp_path, "r1.csv", by=["name", "no"])
    assert found.names.people.to_pylist() == [{"name": "Ann", "no": "1"}, {"name": "Ann", "no": None}]
    assert found.names.values == ("flu", None)


def test_all_mistakes_are_told_at_once_and_no_value(write: Write, tmp_path: Path) -> None:
    population = POPULATION.replace("2,b,,cancer\n", "") + (
        "2,z,Ivan,cancer\n"  # no such group
        "2,a,Alice,bronchitis\n"  # another value than before, and one person too many
        "2,b,Alice,cancer\n"  # twice
        "3,a,Jane,cancer\n"  # no such release
        "2,,Kim,cancer\n"
    )
    write(r1__csv=R1 + ",31,AIDS\n", r2__csv=R2, population__csv=population)
    told = mistakes(tmp_path)
    assert told == [
        "r1.csv:8: expected a group in every row; found none",
        "population.csv:17: expected a release from 1 to 2; found another",
        "population.csv:18: expected a group for every person; found none",
        "population.csv:14: expected a group that the release has; found another",
        "population.csv:16: expected each person once in a release; found one again",
        "population.csv:8: expected no more people in a group than it has values; found 4 of them and 3 values",
        "population.csv:15: expected the same disease in all releases; found another than before",
    ]
    assert not any(value in line for line in told for value in ("cancer", "AIDS", "bronchitis"))


def test_a_value_that_the_group_has_not_is_a_mistake(write: Write, tmp_path: Path) -> None:
    write(r1__csv=R1, r2__csv=R2, population__csv=POPULATION.replace("Alice,cancer", "Alice,AIDS"))
    told = mistakes(tmp_path)
    assert told == [
        "population.csv:2: expected a disease that the group has, as often as its people have it; found another"
    ]


def test_files_and_columns_that_are_missing(write: Write, tmp_path: Path) -> None:
    write(r1__csv=R1.replace("disease", "desease"), population__csv=POPULATION.replace("group", "grp"))
    told = mistakes(tmp_path)
    assert told == [
        "r1.csv:1: expected the column disease; found group, age, desease (did you mean desease?)",
        "r2.csv: no such file; expected a csv, tsv or parquet file",
        "population.csv:1: expected the column group; found release, grp, name, disease (did you mean grp?)",
    ]
