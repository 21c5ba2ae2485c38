"""What asks to stop is heard wherever it comes."""

from __future__ import annotations

import os
import signal
import time
import weakref
from collections.abc import Iterator

import pytest

from deniable.cli.stopping import stoppable


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


def test_what_else_goes_wrong_in_passing_is_told_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[object] = []
    monkeypatch.setattr("sys.unraisablehook", lambda lost: told.append(lost.exc_type))
    with stoppable():
        passing = _Passing()
        reference = weakref.ref(passing, lambda _: 1 / 0)
        del passing
        assert reference() is None
    assert told == [ZeroDivisionError]
