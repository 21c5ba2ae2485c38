"""What asks to stop is heard wherever it comes."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from deniable.cli import run, stopping
from deniable.cli.stopping import Stop, Stopped, stoppable
from deniable.engines.pipes import piped
from deniable.errors import EngineError


class _Passing:
    """Something that ends while a signal comes."""


def _wait() -> None:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        time.sleep(0.001)


@pytest.fixture
def hears(request: pytest.FixtureRequest) -> Iterator[None]:
    """Ctrl-C is heard, or not, however the tests were begun: a shell's background job does not hear it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler if request.param else signal.SIG_IGN)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(
    ("number", "hears"), [(signal.SIGINT, True), (signal.SIGTERM, True), (signal.SIGTERM, False)], indirect=["hears"]
)
@pytest.mark.usefixtures("hears")
def test_a_signal_in_the_end_of_an_object_is_not_swallowed(
    number: signal.Signals, capsys: pytest.CaptureFixture[str]
) -> None:
    def ended(_: object) -> None:
        os.kill(os.getpid(), number)
        _wait()  # where Python hears of it

    def command() -> None:
        with stoppable() as stop:
            passing = _Passing()
            reference = weakref.ref(passing, ended)
            del passing
            assert reference() is None
            assert stop.seen
            _wait()

    with pytest.raises(Stopped):
        command()
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("hears", [True], indirect=True)
@pytest.mark.usefixtures("hears")
def test_nor_is_one_that_comes_while_that_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def slowly(stop: Stop, told: int) -> None:
        say_again(stop, told)
        time.sleep(0.1)  # it comes while we are here

    def ended(_: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        _wait()

    say_again = stopping._say_again
    monkeypatch.setattr(stopping, "_say_again", slowly)
    threading.Timer(1, monkeypatch.setattr, (stopping, "_say_again", say_again)).start()

    def command() -> None:
        with stoppable():
            passing = _Passing()
            reference = weakref.ref(passing, ended)
            del passing
            assert reference() is None
            _wait()

    with pytest.raises(Stopped):
        command()
    assert capsys.readouterr() == ("", "")


def test_what_else_goes_wrong_in_passing_is_told_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[object] = []
    monkeypatch.setattr("sys.unraisablehook", lambda lost: told.append(lost.exc_type))
    with stoppable():
        passing = _Passing()
        reference = weakref.ref(passing, lambda _: 1 / 0)
        del passing
        assert reference() is None
    assert told == [ZeroDivisionError]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_module_that_is_being_imported_is_whole_before_a_signal_is_heard(
    number: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Libraries that are half imported leave locks behind, or end the process."""
    (tmp_path / "half_a_library.py").write_text(
        f"import os, time\nos.kill(os.getpid(), {int(number)})\ntime.sleep(0.1)\nis_whole = True\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "half_a_library", None)  # is forgotten at the end
    del sys.modules["half_a_library"]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(Stopped), stoppable():
            _wait() if import_module("half_a_library") else None
    finally:
        signal.signal(signal.SIGINT, before)
    assert sys.modules["half_a_library"].is_whole


def test_nor_is_the_file_left_by_which_python_finds_a_place_for_temporary_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The signal comes when that file is open, and before anybody would remove it."""
    really = os.open

    def opened(path: str, *flags: int) -> int:
        handle = really(path, *flags)
        if Path(path).parent == tmp_path:
            os.kill(os.getpid(), signal.SIGTERM)
        return handle

    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(os, "open", opened)
    with pytest.raises(Stopped), stoppable():
        _wait() if tempfile.gettempdir() else None
    assert list(tmp_path.iterdir()) == []


def test_nor_does_a_module_that_runs_a_command_keep_it_from_being_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "runs_a_command.py").write_text(
        "import os, signal, time\n"
        "from deniable.cli.stopping import Stopped, stoppable\n"
        "try:\n"
        "    with stoppable():\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
        "        time.sleep(30)\n"
        "    is_stopped = False\n"
        "except Stopped:\n"
        "    is_stopped = True\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    assert import_module("runs_a_command").is_stopped


def test_a_run_that_is_stopped_as_a_pipe_opens_does_not_wait_for_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = threading.Thread.start

    def stopped(thread: threading.Thread) -> None:
        start(thread)
        raise Stopped

    before = set(threading.enumerate())
    monkeypatch.setattr(threading.Thread, "start", stopped)
    with pytest.raises(Stopped), piped(tmp_path / "pipe", tmp_path / "file"):
        raise AssertionError("nothing was stopped")
    monkeypatch.undo()
    assert set(threading.enumerate()) <= before
    assert not (tmp_path / "pipe").exists()


def test_what_an_engine_says_of_being_stopped_is_no_news(capsys: pytest.CaptureFixture[str]) -> None:
    def command(**_: object) -> None:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
            _wait()
        except Stopped:
            raise EngineError("the query failed") from None

    with pytest.raises(SystemExit) as left:
        run([], command)
    assert left.value.code == 3
    assert capsys.readouterr() == ("", "interrupted\n")
