"""The example folder, and two ways to call the program: in this process, and as it is installed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from deniable.cli import run
from deniable.examples import write_examples

PROGRAM = Path(sys.executable).with_name("deniable")


@dataclass(frozen=True)
class Outcome:
    status: int
    out: str
    err: str


Call = Callable[..., Outcome]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def examples(folder: Path) -> Path:
    """A fresh folder with the built-in examples."""
    write_examples(folder)
    return folder


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
