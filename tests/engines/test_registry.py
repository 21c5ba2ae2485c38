"""An engine is a file and a line in the registry: every verb and command then knows it by its name or address."""

from __future__ import annotations

from pathlib import Path

import pytest

import deniable
from deniable import engines
from deniable.cli import run
from deniable.examples import write_examples
from tests.engines import toy


@pytest.fixture
def examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(engines.ENGINES, "toy", "tests.engines.toy")
    monkeypatch.setitem(engines.ENGINES, "toys://", "tests.engines.toy")
    monkeypatch.setattr(toy, "ASKED", [])
    write_examples(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", ["toy", "toys://box/bear"])
def test_a_new_engine_gives_the_same_answers(examples: Path, name: str) -> None:
    for verb, spec in (
        (deniable.breach, "patients.yaml"),
        (deniable.crowds, "clinic.yaml"),
        (deniable.linkage, "ward.yaml"),
    ):
        ours, theirs = verb(examples / spec), verb(examples / spec, engine=name)
        assert theirs.table.to_pylist() == ours.table.to_pylist()
        ours.close()
        theirs.close()
    assert str(deniable.audit(examples / "patients.yaml", engine=name)) == str(
        deniable.audit(examples / "patients.yaml")
    )
    assert toy.ASKED[0] == name
    assert len(toy.ASKED) > 10


def test_the_command_line_takes_it(examples: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        run(["check", str(examples / "patients.yaml"), "--engine", "toy"])
    assert stopped.value.code == 0
    assert capfd.readouterr().err == ""
    with pytest.raises(SystemExit) as stopped:
        run(["check", str(examples / "patients.yaml"), "--engine", "teddy"])
    assert stopped.value.code == 2
    assert (
        capfd.readouterr().err == "--engine: expected duckdb or postgresql:// or postgres:// "
        "or spark or spark:// or local[*] or local-cluster[*] or toy or toys://; found teddy\n"
    )
