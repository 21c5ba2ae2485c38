"""The example folder, and two ways to call the program: in this process, and as it is installed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from deniable.cli import run
from deniable.examples import write_examples
from tests.once import made_once

PROGRAM = Path(sys.executable).with_name("deniable")


@dataclass(frozen=True)
class Outcome:
    status: int
    out: str
    err: str


Call = Callable[..., Outcome]
Copied = Callable[[str, Callable[[], None]], None]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def examples(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh folder with the built-in examples."""
    shutil.copytree(made_once(tmp_path_factory, "examples", every_example), folder, dirs_exist_ok=True)
    return folder


def every_example() -> None:
    write_examples(Path())


@pytest.fixture
def copied(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Copied:
    """Fill the fresh folder with what was made once for all tests that begin with it; output paths are the maker's."""

    def copy(name: str, make: Callable[[], None]) -> None:
        shutil.copytree(made_once(tmp_path_factory, name, make), folder, dirs_exist_ok=True)

    return copy


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str]) -> Call:
    """Run a command in this process, which is what the installed program does, only faster."""

    def caller(*arguments: str) -> Outcome:
        with pytest.raises(SystemExit) as stopped:
            run(list(arguments))
        out, err = capfd.readouterr()
        return Outcome(int(str(stopped.value.code)), out, err)

    return caller


@pytest.fixture
def program(folder: Path) -> Call:
    """Run the installed program."""

    def caller(*arguments: str) -> Outcome:
        done = subprocess.run([PROGRAM, *arguments], cwd=folder, capture_output=True, text=True, check=False)
        return Outcome(done.returncode, done.stdout, done.stderr)

    return caller
