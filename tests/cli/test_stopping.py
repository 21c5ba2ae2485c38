"""What asks to stop is heard wherever it comes."""

from __future__ import annotations

import os
import signal
import time
import weakref

import pytest

from deniable.cli.stopping import stoppable


class _Passing:
    """Something that ends while a signal comes."""


def _wait() -> None:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        time.sleep(0.001)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
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
