"""What republish and attack read: refused before anything is done, everything that is wrong at once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import deniable
from deniable.bind.releases import bind_releases
from deniable.bind.table_rows import check_republish
from deniable.engines import opened
from deniable.engines.scope import Scope
from deniable.errors import BadInput
from deniable.release import Release
from deniable.spec import yaml

TABLE = "name,age,job,problem\nBill,30,Engineer,flu\nJohn,45,Professor,cold\n"
RELEASE = "table: t.csv\nidentifier: name\nquasi: [age, job]\nprivate: problem\nrepublish: {m: 2, n: 1}\n"


def said(work: Callable[[], object]) -> list[str]:
    with pytest.raises(BadInput) as caught:
        work()
    return str(caught.value).splitlines()


def written(folder: Path, release: str, **files: str) -> Path:
    for name, text in {"t.csv": TABLE, **{name.replace("__", "."): text for name, text in files.items()}}.items():
        (folder / name).write_text(text)
    (folder / "r.yaml").write_text(release)
    return folder / "r.yaml"


def checked(path: Path, check: Callable[[Release, Scope], object]) -> None:
    with opened() as engine:
        check(yaml.load(str(path)), Scope(engine))


def test_an_unknown_algorithm_publishes_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, RELEASE)
    before = sorted(tmp_path.rglob("*"))
    wanted = ["algorithm: expected one of m-invariance, cor-split or stable; found corsplit (did you mean cor-split?)"]
    assert said(lambda: deniable.republish(path, tmp_path / "out", begin=True, algorithm="corsplit")) == wanted
    assert sorted(tmp_path.rglob("*")) == before
    (tmp_path / "t.csv").unlink()  # it is not even read
    assert said(lambda: deniable.republish(path, tmp_path / "out", begin=True, algorithm="corsplit")) == wanted


MANY = RELEASE.replace("n: 1", "n: 2").replace("[age, job]", "[age, job, age, agee]") + (
    "generalize: {job: levels.csv, problem: none.csv}\n"
)
SAID = [
    "r.yaml:3:19: quasi: expected every column once; found age twice",
    "r.yaml:3:24: quasi: unknown column agee (did you mean age?); expected one of name, age, job, problem",
    "r.yaml:5:22: republish.n: expected n below m = 2, since n = m can never be published; found 2",
    "r.yaml:6:19: levels.csv: no such file; expected a csv, tsv or parquet file",
    "r.yaml:6:31: generalize: expected a quasi-identifier; found problem",
]


def test_keys_table_and_hierarchies_at_once(tmp_path: Path) -> None:
    path = written(tmp_path, MANY)
    wanted = [f"{tmp_path}/{line}" for line in SAID]
    assert said(lambda: deniable.republish(path, tmp_path / "out", begin=True)) == wanted
    assert said(lambda: checked(path, check_republish)) == wanted
    assert not (tmp_path / "r.ledger").exists()


def test_rows_at_once(tmp_path: Path) -> None:
    """Somebody twice, and labels that are missing."""
    table = TABLE + "Bill,31,Writer,gout\n"
    path = written(
        tmp_path, f"{RELEASE}generalize: {{job: levels.csv}}\n", t__csv=table, levels__csv="job,kind\nEngineer,office\n"
    )
    assert said(lambda: deniable.republish(path, tmp_path / "out", begin=True)) == [
        f"{path}:1:8: t.csv: expected every identifier once; found 1 identifier that is there more than once",
        f"{path}:6:19: generalize.job: expected every job in the first column of levels.csv; 2 values are not there",
    ]


def test_a_table_that_is_not_there_hides_no_other_mistake(tmp_path: Path) -> None:
    path = written(tmp_path, MANY.replace(", agee", ""))
    (tmp_path / "t.csv").unlink()
    assert said(lambda: deniable.republish(path, tmp_path / "out", begin=True)) == [
        f"{path}:1:8: t.csv: no such file; expected a csv, tsv or parquet file",
        *(f"{tmp_path}/{line}" for line in SAID if "agee" not in line),
    ]


def test_what_fits_is_checked_without_a_ledger(tmp_path: Path) -> None:
    checked(written(tmp_path, RELEASE), check_republish)
    assert not (tmp_path / "r.ledger").exists()


def test_an_algorithm_without_n_is_content_with_m(tmp_path: Path) -> None:
    path = written(tmp_path, RELEASE.replace("n: 1", "n: 7"))
    assert (
        deniable.republish(path, tmp_path / "out", begin=True, algorithm="m-invariance", audit=False).parameters.n
        is None
    )


def test_the_files_of_a_history_at_once(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "table: t.csv\nidentifier: name\nprivate: problem\nhistory: {releases: [a.csv, b.csv], population: p.csv}\n",
        a__csv="group,problm\n1,flu\n",
        p__csv="release,grp,name\n1,1,Bill\n",
    )
    wanted = [
        "a.csv:1: expected the column problem; found group, problm (did you mean problm?)",
        "b.csv: no such file; expected a csv, tsv or parquet file",
        "p.csv:1: expected the column group; found release, grp, name (did you mean grp?)",
    ]
    assert said(lambda: checked(path, bind_releases)) == wanted
    assert said(lambda: deniable.attack(path)) == wanted


def test_values_of_the_population_are_read_as_those_of_releases(tmp_path: Path) -> None:
    """They look like numbers, and are text."""
    path = written(
        tmp_path,
        "table: t.csv\nidentifier: name\nprivate: problem\nhistory: {releases: [a.csv], population: p.csv}\n",
        a__csv="group,problem\n1,1.50\n1,2.0\n",
        p__csv="release,group,name,problem\n1,1,Bill,1.50\n1,1,John,2.0\n",
    )
    assert deniable.attack(path).table.column("probability").to_pylist() == [0.5, 0.5]
