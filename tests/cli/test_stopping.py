"""What asks to stop is heard wherever it comes."""

from __future__ import annotations

import os
import signal
import threading
import time
import weakref
from collections.abc import Iterator

import pytest

from deniable.cli import stopping
from deniable.cli.stopping import Stop, stoppable


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

    with pytest.raises(KeyboardInterrupt):
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

    with pytest.raises(KeyboardInterrupt):
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
