"""At a terminal long work says which step it is at, how far, and how long still; elsewhere it says nothing."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import termios
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import deniable
from deniable.cli import run
from deniable.report.progress import Watch
from deniable.report.sentences.progress import STEPS, duration, step_words
from deniable.steps import Step, reach, telling_steps, whole_step
from tests.cli.conftest import Call

SOURCE = Path(__file__).parents[2] / "src" / "deniable"


def test_every_step_has_its_words() -> None:
    """And each is told by somebody, by its name."""
    told: set[str] = set()
    for path in SOURCE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "from deniable.steps import " in text and path.parent.name != "report":
            named = re.findall(r'\b(?:reach|whole_step)\(\s*"([\w.]+)"', text)
            assert len(named) == len(re.findall(r"\b(?:reach|whole_step)\(", text)), path
            told |= set(named)
    assert told == set(STEPS)


class Clock:
    """A clock that goes on when it is told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_how_far_and_how_long_still() -> None:
    clock = Clock()
    watch = Watch(clock)
    assert watch.line(Step("crowd.exact", 0, 4_000)) == "proving who looks like whom, 0 of 4,000 people"
    clock.now = 0.05
    assert watch.line(Step("crowd.exact", 100, 4_000)) is None  # just said something
    clock.now = 0.5
    assert watch.line(Step("crowd.exact", 500, 4_000)) == "proving who looks like whom, 500 of 4,000 people"
    clock.now = 10.0
    said = watch.line(Step("crowd.exact", 1_000, 4_000))
    assert said == "proving who looks like whom, 1,000 of 4,000 people, ~30 s left"
    assert watch.line(Step("crowd.values")) == "looking for possible values"  # another step is said at once
    clock.now = 12.0
    assert watch.line(Step("repair.try", 0, share=0.0)) == "trying what could change"
    clock.now = 14.0
    said = watch.line(Step("repair.try", 7, share=0.25))
    assert said == "trying what could change, 7 releases, ~6 s left"


def test_a_line_fits_80_columns() -> None:
    """Beside the spinner and the time that has passed, a hundred thousand people and most of an hour."""
    assert [name for name in STEPS if len(step_words(name, 99_999, 100_000, 3_000)) > 80 - len("⠋ 0:00:00 ")] == []


@pytest.mark.parametrize(("seconds", "said"), [(0.2, "1 s"), (59, "59 s"), (90, "2 min"), (9_000, "2.5 h")])
def test_a_guess_is_round(seconds: float, said: str) -> None:
    assert duration(seconds) == said


def test_steps_inside_of_one_are_not_told() -> None:
    heard: list[Step] = []
    with telling_steps(heard.append):
        reach("read.table")
        with whole_step("repair.audit", 1, 4):
            reach("breach")
        reach("write")
    reach("breach")
    assert heard == [Step("read.table"), Step("repair.audit", 1, 4), Step("write")]


def test_people_in_several_join_groups_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Piece by piece: here a piece is one of them, of whom three have two rows."""
    rows = [f"{who},{x},{x}{k}" for who in "abc" for k, x in enumerate("uv")]
    (tmp_path / "t.csv").write_text("\n".join(["who,x,p", *rows, "d,u,u9"]) + "\n")
    release = deniable.Release(
        table=tmp_path / "t.csv",
        identifier="who",
        private="p",
        views={"one": "SELECT who, x FROM t", "two": "SELECT x, p FROM t"},
    )
    monkeypatch.setattr("deniable.analyses.breach.several_groups.ONE_BY_ONE", 0)
    monkeypatch.setattr("deniable.analyses.breach.several_groups._PIECE", 1)
    heard: list[Step] = []
    with telling_steps(heard.append):
        found = deniable.breach(release)
        assert {tally.associations for tally in found.tallies} == {7}
        found.close()
    told = [(step.done, step.of) for step in heard if step.name == "breach.several_groups"]
    assert told == [(place, len(told)) for place in range(len(told))]
    assert len(told) >= 3


@contextlib.contextmanager
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bytes]]:
    """A terminal instead of standard error, read as it is written to."""
    leader, follower = os.openpty()
    termios.tcsetwinsize(follower, (24, 120))
    read: list[bytes] = []

    def listen() -> None:
        with contextlib.suppress(OSError):
            while part := os.read(leader, 1 << 16):
                read.append(part)

    listening = threading.Thread(target=listen)
    listening.start()
    stream = os.fdopen(follower, "w")
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    try:
        yield read
    finally:
        stream.close()
        listening.join(5)
        os.close(leader)


# Each command, and the steps that somebody who watches sees, at sizes at which each lasts a moment.
COMMANDS = {
    "audit patients.yaml": ["breach"],
    "breach pair.yaml": ["read.table", "breach"],
    "crowds survey.yaml --method exact": ["crowd.exact", "crowd.values"],
    "linkage ward.yaml": ["linkage"],
    "repair patients.yaml": ["repair.try", "repair.audit"],
    "bucketize ward.yaml --r 1.05 --out made": ["groups.place", "groups.prove", "write"],
    "attack past.yaml --compromise 0.5 --repeat 3": ["history.run"],
    "republish quarter1.yaml --out first --begin": ["read.ledger", "history.group", "history.expose", "write"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_whoever_watches_is_told(command: str, examples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every step is shown, since the screen is drawn anew whenever one is told."""
    from rich.progress import Progress

    update = Progress.update

    def drawn(self: Progress, task: object, **given: object) -> None:
        update(self, task, **given)  # type: ignore[arg-type]
        self.refresh()

    monkeypatch.setattr(Progress, "update", drawn)
    monkeypatch.setattr("deniable.report.progress.OFTEN", 0.0)
    monkeypatch.setattr("deniable.report.progress.SOON", 0.0)
    with terminal(monkeypatch) as read, pytest.raises(SystemExit):
        run(command.split())
    screen = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", b"".join(read).decode())
    missing = [name for name in COMMANDS[command] if STEPS[name].words not in screen]
    assert missing == []
    if "exact" in command:
        assert re.search(r"proving who looks like whom, [1-8] of 9 people, ~\d+ s left", screen)


def test_nobody_else_is(examples: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """No listener, and nothing of rich is imported (tests/test_startup.py) or written."""
    heard: list[object] = []
    monkeypatch.setattr("deniable.report.progress.Watch", lambda: heard.append(0))
    assert call("repair", "patients.yaml").err == ""
    assert heard == []


def test_telling_nobody_costs_next_to_nothing() -> None:
    """So that it may stand in loops: less than a microsecond or two, beside pieces of work of a thousandth second."""
    began = time.process_time()
    for place in range(10_000):
        reach("crowd.exact", place, 10_000)
    assert time.process_time() - began < 0.1
