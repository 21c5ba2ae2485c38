"""Mistakes of the file, of the table and of every other file are said at once: by each command, by `check` for all."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

import deniable
from deniable.cli import run

TABLE = "name,age,town,problem\nAnn,40,Ulm,flu\nBob,41,Ulm,gout\nCid,42,Bonn,flu\nDan,43,Bonn,cold\n"
KEYS = "table: t.csv\nidentifier: name\nquasi: [age, town]\nprivate: problem\n"
VIEWS = "views:\n  one: SELECT name, age FROM t\n  two: SELECT age, problem FROM t\n"

COMMANDS = {
    "audit": "audit release.yaml",
    "breach": "breach release.yaml",
    "crowds": "crowds release.yaml",
    "linkage": "linkage release.yaml",
    "bucketize": "bucketize release.yaml --r 2 --out out",
    "utility": "utility release.yaml --release out",
    "republish": "republish release.yaml --out out --begin",
    "attack": "attack release.yaml",
    "ledger": "ledger release.yaml",
    "explain": "explain release.yaml --who Ann",
    "check": "check release.yaml",
}


def says(folder: Path, release: str, command: str, capfd: pytest.CaptureFixture[str]) -> list[str]:
    (folder / "t.csv").write_text(TABLE, encoding="utf-8")
    (folder / "release.yaml").write_text(release, encoding="utf-8")
    before = sorted(folder.iterdir())
    with pytest.raises(SystemExit) as stopped:
        run(shlex.split(command))
    assert stopped.value.code == 2
    assert sorted(folder.iterdir()) == before
    out, err = capfd.readouterr()
    assert out == ""
    return [str(line) for line in err.splitlines()]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_says_what_is_wrong_with_file_and_table_together(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    release = KEYS.replace("age, town", "agee, town") + "quasy: [age]\n" + VIEWS
    assert says(tmp_path, release, COMMANDS[name], capfd) == [
        "release.yaml:3:9: quasi: unknown column agee (did you mean age?); expected one of name, age, town, problem",
        "release.yaml:5:1: unknown key quasy (did you mean quasi?); expected one of table, name, identifier, quasi, "
        "private, public, domain, views, secret, published, knowledge, republish, ledger, history, algorithm, "
        "columns, generalize, rename, withhold, types, encoding, decimal, require",
    ]


WHOLE = (
    KEYS + VIEWS + "published: {people: p.csv, values: v.csv, group: group}\n"
    "knowledge:\n  - {given: [sex], file: k.csv}\n"
    "republish: {m: 2, n: 3}\n"
    "history: {releases: [r1.csv], population: who.csv}\n"
    "generalize: {town: levels.csv}\n"
)


def test_check_binds_everything_that_any_command_would_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    found = says(tmp_path, WHOLE, "check release.yaml", capfd)
    wanted = {
        "p.csv": "no such file",
        "v.csv": "no such file",
        "k.csv": "no such file",
        "r1.csv": "no such file",
        "who.csv": "no such file",
        "levels.csv": "no such file",
        "given": "sex",
        "republish.n": "expected n below m = 2",
    }
    for what, word in wanted.items():
        assert [line for line in found if what in line and word in line], (what, found)
    assert len(found) == len(set(found))


def test_check_in_python_gives_the_same_mistakes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(TABLE, encoding="utf-8")
    (tmp_path / "release.yaml").write_text(WHOLE, encoding="utf-8")
    with pytest.raises(deniable.BadInput) as from_file:
        deniable.check("release.yaml")
    release = deniable.Release(
        table="t.csv",
        identifier="name",
        quasi=["age", "town"],
        private="problem",
        views={"one": "SELECT name, age FROM t", "two": "SELECT age, problem FROM t"},
        published={"people": "p.csv", "values": "v.csv", "group": "group"},
        knowledge=[{"given": ["sex"], "file": "k.csv"}],
        republish={"m": 2, "n": 3},
        history={"releases": ["r1.csv"], "population": "who.csv"},
        generalize={"town": "levels.csv"},
    )
    with pytest.raises(deniable.BadInput) as from_python:
        deniable.check(release)
    told = [sorted(str(mistake.what) for mistake in refused.value.mistakes) for refused in (from_file, from_python)]
    assert told[0] == told[1]


def test_check_passes_what_is_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(TABLE, encoding="utf-8")
    (tmp_path / "release.yaml").write_text(KEYS + VIEWS + "republish: {m: 2, n: 1}\n", encoding="utf-8")
    assert list(deniable.check("release.yaml").columns) == ["name", "age", "town", "problem"]


ALONE = {
    "a view mistake does not hide an unknown given": (
        KEYS
        + VIEWS.replace("SELECT name, age", "SELECT name, agee")
        + "knowledge:\n  - {given: [sex], estimate: true}\n",
        ["unknown column agee", "knowledge.given: unknown column sex"],
    ),
    "what follows from a wrong algorithm is not said": (
        KEYS + "republish: {m: 2}\nalgorithm: m-invarince\n",
        ["algorithm: expected one of"],
    ),
    "what follows from a wrong name is not said": (KEYS + VIEWS + "name: [x]\n", ["name: expected text"]),
    "one role is said once": (
        KEYS.replace("age, town", "age, problem") + "republish: {m: 2, n: 1}\n",
        ["quasi: expected columns other than the private one; found problem"],
    ),
    "a ledger that is a folder": (
        KEYS + "republish: {m: 2, n: 1}\nledger: .\n",
        ["expected a ledger; found something that is not a file"],
    ),
}


@pytest.mark.parametrize("name", ALONE)
def test_each_mistake_once_and_nothing_that_follows_from_one(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    release, wanted = ALONE[name]
    found = [line for line in says(tmp_path, release, "check release.yaml", capfd) if not line.startswith("    ")]
    assert len(found) == len(wanted), found
    for line, what in zip(found, wanted, strict=True):
        assert what in line


def test_audit_says_what_views_and_published_files_have_wrong_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    release = WHOLE.replace("SELECT name, age", "SELECT name, agee")
    release += "require: {breach: {at_most: 0.5}, linkage: {at_most: 0.5}}\n"
    told = "\n".join(says(tmp_path, release, "audit release.yaml", capfd))
    for what in ("unknown column agee", "p.csv: no such file", "v.csv: no such file", "k.csv"):
        assert what in told


def test_republish_says_what_table_and_hierarchy_have_wrong_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    release = KEYS.replace("t.csv", "twice.csv") + "republish: {m: 2, n: 1}\ngeneralize: {town: levels.csv}\n"
    (tmp_path / "twice.csv").write_text(f"{TABLE}Ann,40,Ulm,flu\n", encoding="utf-8")
    told = "\n".join(says(tmp_path, release, "republish release.yaml --out out --begin", capfd))
    assert "found 1 identifier that is there more than once" in told
    assert "levels.csv: no such file" in told


def test_attack_says_what_options_and_files_have_wrong_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    told = "\n".join(says(tmp_path, WHOLE, "attack release.yaml --repeat 3", capfd))
    assert "--repeat: expected --compromise beside it" in told
    assert "r1.csv: no such file" in told
    assert "who.csv: no such file" in told
