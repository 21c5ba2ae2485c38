"""The wheel has the program, its examples and its types, and nothing else."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from deniable.examples import PAPER_FILES
from tests.dist import ROOT, build


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    (made,) = build(tmp_path_factory.mktemp("dist"), "wheel")
    return zipfile.ZipFile(made)


def test_the_wheel_has_what_the_program_needs(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    assert {f"deniable/examples/{name}" for name in PAPER_FILES} <= names
    assert "deniable/py.typed" in names
    source = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src" / "deniable").rglob("*.py")}
    assert {name for name in names if name.endswith(".py")} == source


def test_the_wheel_has_nothing_else(wheel: zipfile.ZipFile) -> None:
    tops = {Path(name).parts[0] for name in wheel.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"deniable"}


def test_the_wheel_says_how_it_is_called(wheel: zipfile.ZipFile) -> None:
    (name,) = [name for name in wheel.namelist() if name.endswith("entry_points.txt")]
    entries = wheel.read(name).decode()
    assert "deniable = deniable.cli:run" in entries
    assert "[pytest11]\ndeniable = deniable.testing" in entries
