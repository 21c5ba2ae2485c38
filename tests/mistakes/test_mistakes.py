"""Every wrong input gets its exact words, exit status 2, and leaves nothing behind."""

from __future__ import annotations

import ctypes
import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from deniable.cli import run
from deniable.engines import opened
from deniable.private_folders import LOCK
from tests.mistakes import cases
from tests.mistakes.cases import RELEASE, TABLE, THE_FILE, THE_TABLE, Case
from tests.mistakes.coarser import COARSER
from tests.mistakes.crowds import CROWDS
from tests.mistakes.history import HISTORY
from tests.mistakes.hostile import HOSTILE
from tests.mistakes.linkage import LINKAGE

CASES = [*cases.CASES, *COARSER, *CROWDS, *LINKAGE, *HISTORY, *HOSTILE]

PROGRAM = Path(sys.executable).with_name("deniable")
ROOT = Path(__file__).parents[2]
Outcome = tuple[int, str, str]


def set_up(case: Case, folder: Path) -> None:
    for name, content in {"release.yaml": case.release, "patients.csv": case.table}.items():
        if content is not None:
            put(folder / name, content)
    for name, content in case.files.items():
        put(folder / name, content)


def put(path: Path, content: str | bytes | None) -> None:
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def listing(folder: Path) -> list[tuple[str, bytes]]:
    return sorted((str(path), path.read_bytes() if path.is_file() else b"") for path in folder.rglob("*"))


@pytest.fixture(scope="module", autouse=True)
def the_process_has_its_folder() -> None:
    """Which it makes when it first opens a database, and keeps: not among the files of one test, which go with it."""
    with opened():
        pass


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all cases: a database is sealed for the files that it may read, and these are the same in most."""
    return tmp_path_factory.mktemp("mistakes")


@pytest.fixture
def call(
    place: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Callable[[Case, str], Outcome]:
    """Run a command in this process, in an empty folder, and insist that it leaves no file behind."""

    def caller(case: Case, command: str) -> Outcome:
        folder, scratch = place / "work", place / "scratch"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        scratch.mkdir(exist_ok=True)
        set_up(case, folder)
        before = listing(folder)
        monkeypatch.chdir(folder)
        monkeypatch.setattr("tempfile.tempdir", str(scratch))
        with pytest.raises(SystemExit) as stopped:
            run(shlex.split(command))
        assert listing(folder) == before
        left = [path for path in scratch.rglob("*") if path.is_file()]
        assert [path for path in left if path.name != LOCK] == []  # a database that is kept for later holds its folder
        out, err = capfd.readouterr()
        return int(str(stopped.value.code)), out, err

    return caller


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_mistake(case: Case, call: Callable[[Case, str], Outcome]) -> None:
    assert call(case, case.command) == (2, "", case.wanted)


@pytest.mark.parametrize("case", [case for case in CASES if case.check], ids=lambda case: case.name)
def test_check_says_the_same(case: Case, call: Callable[[Case, str], Outcome]) -> None:
    assert call(case, "check release.yaml") == (2, "", case.wanted)


def test_the_release_is_right_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    set_up(Case("", ""), tmp_path)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stopped:
        run(["breach", "release.yaml", "--out", "out.csv"])
    assert stopped.value.code == 0
    assert capfd.readouterr() == ("wrote out.csv\n", "")
    assert "SECRETCELL" in Path("out.csv").read_text()


@pytest.mark.parametrize("case", [THE_FILE[0], THE_TABLE[16]], ids=lambda case: case.name)
def test_the_installed_program(case: Case, tmp_path: Path) -> None:
    set_up(case, tmp_path)
    before = listing(tmp_path)
    done = subprocess.run([PROGRAM, *shlex.split(case.command)], cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stdout.decode(), done.stderr.decode()) == (2, "", case.wanted)
    assert listing(tmp_path) == before


def test_no_message_quotes_a_private_cell() -> None:
    """The texts above are exact, so reading them is enough."""
    assert [case.name for case in CASES if "SECRETCELL" in case.wanted] == []
    assert sum("SECRETCELL" in str(case.table) for case in CASES) > 100
    assert sum("SECRETCELL" in str(case.release) for case in CASES) > 10


def test_names_differ() -> None:
    assert len({case.name for case in CASES}) == len(CASES)


def obey_permissions() -> None:
    """Root may read and write everything; take that away before the program starts."""
    libc = ctypes.CDLL(None, use_errno=True)
    drop_from_bounding_set = 24
    for capability in (1, 2):  # to override permissions, and to read in spite of them
        if libc.prctl(drop_from_bounding_set, capability, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "cannot give up the capability")


# One process that becomes each of the commands in turn: none of them can do what another one gave up.
IN_TURN = """
import json, os, sys, tempfile
from tests.imports import everything
everything()
for arguments in json.loads(sys.argv[1]):
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if not child:
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            from deniable.cli import run
            run(arguments)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        said = [os.pread(file.fileno(), 1 << 20, 0).decode() for file in (out, err)]
    print(json.dumps([status, *said]))
"""


def without_privileges(folder: Path, command: Sequence[str | Path]) -> subprocess.CompletedProcess[bytes]:
    obeying = obey_permissions if os.geteuid() == 0 else None
    try:
        return subprocess.run(command, cwd=folder, capture_output=True, check=False, preexec_fn=obeying)
    except subprocess.SubprocessError:
        pytest.skip("root that cannot give up its privileges")


def call_without_privileges(folder: Path, *arguments: str) -> Outcome:
    done = without_privileges(folder, [PROGRAM, *arguments])
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def calls_without_privileges(folder: Path, *commands: str) -> list[Outcome]:
    """Several commands, which one process imports everything for."""
    asked = json.dumps([shlex.split(command) for command in commands])
    script = f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{IN_TURN}"
    done = without_privileges(folder, [sys.executable, "-c", script, asked])
    assert done.returncode == 0, done.stderr.decode()
    return [(status, out, err) for status, out, err in map(json.loads, done.stdout.splitlines())]


MAY_NOT_READ = "expected a file that may be read; found no permission to"


@pytest.mark.parametrize(
    ("closed", "mode", "wanted"),
    [
        ("release.yaml", 0o000, f"release.yaml: {MAY_NOT_READ}\n"),
        ("patients.csv", 0o000, f"release.yaml:1:8: patients.csv: {MAY_NOT_READ}\n"),
        ("results", 0o555, "--out: expected a path in a folder that may be written to; found results/out.csv\n"),
    ],
    ids=["release", "table", "results"],
)
def test_permissions(closed: str, mode: int, wanted: str, tmp_path: Path) -> None:
    put(tmp_path / "release.yaml", RELEASE)
    put(tmp_path / "patients.csv", TABLE)
    put(tmp_path / "results", None)
    (tmp_path / closed).chmod(mode)
    names = sorted(tmp_path.rglob("*"))
    assert call_without_privileges(tmp_path, "breach", "release.yaml", "--out", "results/out.csv") == (2, "", wanted)
    assert sorted(tmp_path.rglob("*")) == names
