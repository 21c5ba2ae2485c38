"""Results name people: nobody else may read them, from their first byte on, and nothing of them stays behind a run that
was stopped."""

from __future__ import annotations

import fcntl
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlglot import exp, parse_one

from deniable.engines import opened
from deniable.engines.duckdb import DuckDBEngine
from deniable.private_folders import make_folder, private_folder, remove_folder, sweep_folders
from deniable.publish.private_files import save_people
from tests.cli.conftest import Call

ROWS = "SELECT range AS person, range * 7 AS problem FROM range({})"


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def select(text: str) -> exp.Select:
    query = parse_one(text, dialect="duckdb")
    assert isinstance(query, exp.Select)
    return query


def modes(folder: Path) -> set[tuple[str, int]]:
    """What kind of thing each entry is, and who may do what with it. Files come and go while we look."""
    found = set()
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            try:
                mode = os.lstat(os.path.join(place, name)).st_mode
            except FileNotFoundError:
                continue
            found.add(("folder" if stat.S_ISDIR(mode) else "file", stat.S_IMODE(mode)))
    return found


def watched(folder: Path, write: Callable[[], Any]) -> set[tuple[str, int]]:
    """Everything that is ever seen in a folder while something is written into it."""
    seen = set()
    thread = threading.Thread(target=write)
    thread.start()
    while thread.is_alive():
        seen |= modes(folder)
    thread.join()
    return seen | modes(folder)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_result_is_private_while_it_is_written(ending: str, folder: Path) -> None:
    def write() -> None:
        with opened() as engine:
            engine.save(select(ROWS.format(300_000)), folder / f"out.{ending}")

    assert watched(folder, write) == {("folder", 0o700), ("file", 0o600)}
    assert [path.name for path in folder.iterdir()] == [f"out.{ending}"]


def test_a_list_of_people_is_private_while_it_is_written(folder: Path) -> None:
    rows = [(f"p{i}",) for i in range(100_000)]
    seen = watched(folder, lambda: save_people(folder / "withheld.csv", ["name"], rows))
    assert seen == {("folder", 0o700), ("file", 0o600)}
    assert [path.name for path in folder.iterdir()] == ["withheld.csv"]


COMMANDS = {
    "breach": ["breach", "patients.yaml"],
    "crowds": ["crowds", "clinic.yaml"],
    "linkage": ["linkage", "ward.yaml"],
    "attack": ["attack", "past.yaml", "--known", "past-known.csv"],
    "ledger": ["ledger", "quarter1.yaml"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_what_a_command_writes_is_its_owners(command: str, examples: Path, call: Call) -> None:
    """Also where a file is there already that everybody may read."""
    Path("out.csv").write_text("older\n")
    Path("out.csv").chmod(0o644)
    if command == "ledger":
        assert call("republish", "quarter1.yaml", "--out", "first", "--begin", "--no-audit").status == 0
    told = call(*COMMANDS[command], "--out", "out.csv")
    assert (told.status, told.err) == (0, "")
    assert stat.S_IMODE(Path("out.csv").stat().st_mode) == 0o600
    assert [path.name for path in examples.iterdir() if path.name.startswith((".", "tmp"))] == []


def test_what_is_published_may_be_read(examples: Path, call: Call) -> None:
    """A release is made to be given away: its files have the mode that new files of the user's have."""
    assert call("republish", "quarter1.yaml", "--out", "first", "--begin", "--no-audit").status == 0
    assert {stat.S_IMODE(path.stat().st_mode) for path in Path("first").iterdir()} == {0o644}


@pytest.mark.parametrize("command", [["ledger"], ["ledger", "--verify"], ["republish", "--out", "next", "--dry-run"]])
def test_a_ledger_that_others_may_read_is_said(command: list[str], examples: Path, call: Call) -> None:
    assert call("republish", "quarter1.yaml", "--out", "first", "--begin", "--no-audit").err == ""
    (ledger,) = examples.glob("*.ledger")
    assert call(command[0], "quarter2.yaml", *command[1:]).err == ""
    ledger.chmod(0o640)
    told = call(command[0], "quarter2.yaml", *command[1:])
    said = f"{ledger.name}: others may read this ledger, which names everybody who was ever published (chmod 600)\n"
    assert (told.status, told.err) == (0, said)


def test_spilled_rows_are_private(folder: Path) -> None:
    with opened() as engine:
        assert isinstance(engine, DuckDBEngine)
        ((place,),) = engine._rows(select("SELECT current_setting('temp_directory')"))
    assert stat.S_IMODE(Path(place).stat().st_mode) == 0o700


SLOW = """\
import os, signal, sys
from pathlib import Path
from sqlglot import parse_one
from deniable.cli import run
from deniable.engines import opened
def command(**_):
    with opened() as engine:
        rows = "SELECT a.range AS person, b.range AS problem FROM range(100000000) AS a, range(10000) AS b"
        engine.save(parse_one(rows, dialect="duckdb"), Path(sys.argv[1]))
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
run([], command)
"""


@pytest.fixture
def slow(folder: Path) -> Iterator[Callable[[str], subprocess.Popen[str]]]:
    """A program that writes rows without end, and has begun to."""
    started = []

    def start(out: str) -> subprocess.Popen[str]:
        (folder / "temporary").mkdir(exist_ok=True)
        program = subprocess.Popen(
            [sys.executable, "-c", SLOW, out], cwd=folder, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "TMPDIR": str(folder / "temporary")},
        )  # fmt: skip
        started.append(program)
        deadline = time.monotonic() + 60
        while sum(path.stat().st_size > 0 for path in folder.glob(".deniable-*/result.csv")) < len(started):
            assert program.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.01)
        return program

    yield start
    for program in started:
        program.kill()
        program.communicate()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_leaves_nothing(
    number: signal.Signals, folder: Path, slow: Callable[[str], subprocess.Popen[str]]
) -> None:
    program = slow("out.csv")
    assert modes(folder / "temporary") == {("folder", 0o700), ("file", 0o600)}
    program.send_signal(number)
    program.send_signal(number)  # as a shell and the terminal do both
    _, err = program.communicate(timeout=60)
    assert (program.returncode, err) == (3, "interrupted\n")
    assert list(folder.rglob("*")) == [folder / "temporary"]


def test_stopped_while_the_engines_are_imported_it_says_nothing_else(examples: Path) -> None:
    """A module that is on its way has no functions yet for the thread that hears of signals first."""
    Path("early.py").write_text(
        "import signal, sys, time, types\n"
        "sys.modules['deniable.engines'] = types.ModuleType('deniable.engines')\n"
        "def check(*_, **__):\n    signal.raise_signal(signal.SIGTERM)\n    time.sleep(5)\n"
        "sys.modules['deniable.api'] = types.SimpleNamespace(check=check)\n"
        "from deniable.cli import run\nrun()\n"
    )
    program = [sys.executable, "early.py", "check", "patients.yaml"]
    done = subprocess.run(program, cwd=examples, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (3, "interrupted\n")


def test_a_program_that_is_about_to_end_is_not_stopped(examples: Path) -> None:
    """Its work is done: stopped there, it would leave a folder for nothing."""
    late = "import atexit, os, signal; atexit.register(lambda: os.kill(os.getpid(), signal.SIGTERM))"
    program = [sys.executable, "-c", f"{late}; from deniable.cli import run; run()", "check", "patients.yaml"]
    done = subprocess.run(program, cwd=examples, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_a_killed_run_left_goes_with_the_next(
    folder: Path, slow: Callable[[str], subprocess.Popen[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unlike that of a run which is still at work."""
    killed, running = slow("one.csv"), slow("two.csv")
    killed.kill()
    killed.wait()
    monkeypatch.setattr("tempfile.tempdir", str(folder / "temporary"))
    save_people(folder / "three.csv", ["name"], [])
    with private_folder():
        pass
    assert len(list(folder.glob(".deniable-*"))) == len(list((folder / "temporary").iterdir())) == 1
    assert running.poll() is None


def test_only_what_is_ours_is_swept(folder: Path) -> None:
    theirs = folder / f".deniable-{'0' * 16}"
    theirs.mkdir()
    (theirs / "thesis.txt").write_text("not ours: it has no lock")
    other = folder / "deniable-demo-1"
    other.mkdir()
    (folder / f".deniable-{'1' * 16}").symlink_to(theirs)
    (folder / f".deniable-{'2' * 16}").mkdir()  # killed before there was a lock
    before = make_folder(folder)
    sweep_folders(folder)
    assert {path.name for path in folder.iterdir()} == {theirs.name, other.name, f".deniable-{'1' * 16}", before.name}
    assert (theirs / "thesis.txt").exists()
    remove_folder(before)
    assert not before.exists()


def test_a_fork_leaves_its_parents_folder(folder: Path) -> None:
    with private_folder(folder) as mine:
        child = os.fork()
        if not child:
            remove_folder(mine)
            sweep_folders(folder)
            os._exit(0)
        os.waitpid(child, 0)
        assert mine.exists()
    assert not mine.exists()


@pytest.mark.parametrize("moment", ["mkdir", "open", "flock"])
def test_a_folder_goes_when_its_making_is_interrupted(
    moment: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = fcntl if moment == "flock" else os
    real = getattr(home, moment)

    def interrupted(*arguments: Any, **named: Any) -> None:
        real(*arguments, **named)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(home, moment, interrupted)
        with pytest.raises(KeyboardInterrupt):
            make_folder(folder)
    assert list(folder.iterdir()) == []


def test_interrupted_in_an_exec_it_still_ends_with_3(examples: Path) -> None:
    """Python remembers such an interruption of a module that it runs, and would end by a signal at last."""
    late = "deniable.api.check = lambda *_, **__: exec('signal.raise_signal(signal.SIGTERM)')"
    Path("late.py").write_text(f"import signal, deniable.api; {late}\nfrom deniable.cli import run; run()\n")
    program = [sys.executable, "-m", "late", "check", "patients.yaml"]
    done = subprocess.run(program, cwd=examples, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (3, "interrupted\n")


def test_a_folder_is_let_go_of_once_whenever_that_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stopped(BaseException):
        pass

    def stopped(handle: int) -> None:
        close(handle)
        raise Stopped

    close, folder = os.close, make_folder(tmp_path)
    monkeypatch.setattr(os, "close", stopped)
    with pytest.raises(Stopped):
        remove_folder(folder)
    monkeypatch.undo()
    remove_folder(folder)  # as at the end of the process
    assert list(tmp_path.iterdir()) == []
