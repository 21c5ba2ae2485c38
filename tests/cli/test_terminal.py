"""At a terminal: Ctrl-C whenever it comes, old encodings, 80 columns."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import termios
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlglot import exp, parse_one

from deniable.cli import run
from deniable.engines import opened
from deniable.engines.base import Engine
from tests.cli.conftest import Call

LONG = "SELECT count(*) AS n FROM range(100000000) AS a, range(10000) AS b WHERE a.range * b.range = 7"
AT_WORK: dict[str, Callable[[Engine, exp.Select, Path], Any]] = {
    "fetch": lambda engine, query, _: engine.fetch(query),
    "store": lambda engine, query, _: engine.store("t", query),
    "save": lambda engine, query, folder: engine.save(query, folder / "out.csv"),
}


@pytest.fixture
def ctrl_c() -> Iterator[Callable[[float], None]]:
    """Press Ctrl-C a little later. A process in the background would not hear of it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timers: list[threading.Timer] = []

    def press(seconds: float) -> None:
        timers.append(threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)))
        timers[-1].start()

    yield press
    for timer in timers:
        timer.cancel()
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("at_work", AT_WORK)
def test_ctrl_c_while_the_engine_works(
    at_work: str, folder: Path, ctrl_c: Callable[[float], None], capfd: pytest.CaptureFixture[str]
) -> None:
    query = parse_one(LONG, dialect="duckdb")
    assert isinstance(query, exp.Select)

    def command(**_: object) -> None:
        with opened() as engine:
            ctrl_c(0.2)
            AT_WORK[at_work](engine, query, folder)

    with pytest.raises(SystemExit) as stopped:
        run([], command)
    assert stopped.value.code == 3
    assert capfd.readouterr().err == "interrupted\n"
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    "error", [KeyboardInterrupt(), RuntimeError("Query interrupted"), SystemExit(1), OSError(4, "x")]
)
def test_whatever_comes_of_ctrl_c_is_an_interruption(error: BaseException, ctrl_c: object, call: Call) -> None:
    def command(**_: object) -> None:
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            raise error from None

    with pytest.raises(SystemExit) as stopped:
        run([], command)
    assert stopped.value.code == 3


def test_ctrl_c_inside_a_command(examples: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def pressed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("deniable.api.audit", pressed)
    told = call("audit", "patients.yaml")
    assert (told.status, told.err) == (3, "interrupted\n")


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_characters_that_cannot_be_shown_are_replaced(
    encoding: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "t.csv").write_text("who,größe→,p\nann,1,x\nbob,1,y\n", encoding="utf-8")
    views = 'views:\n  a: SELECT who, "größe→" FROM t\n  b: SELECT "größe→", p FROM t\n'
    (folder / "t.yaml").write_text(
        f"table: t.csv\nidentifier: who\nprivate: p\n{views}require:\n  breach: {{at_most: 1}}\n", encoding="utf-8"
    )
    for arguments in (["audit", "t.yaml"], ["explain", "t.yaml", "--who", "ann"], ["check", "t→.yaml"]):
        out, err = io.BytesIO(), io.BytesIO()
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out, encoding, write_through=True))
        monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(err, encoding, write_through=True))
        with pytest.raises(SystemExit):
            run(arguments)
        assert b"gr" in out.getvalue() or b"no such file" in err.getvalue()
    out = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(out, encoding, write_through=True))
    with pytest.raises(SystemExit):
        run(["check", "t.yaml", "--json"])
    assert "größe→" in json.loads(out.getvalue().decode(encoding))["columns"]


COMMANDS = [
    ["audit", "patients.yaml"], ["breach", "patients.yaml"], ["crowds", "clinic.yaml"], ["linkage", "ward.yaml"],
    ["attack", "past.yaml"], ["attack", "past.yaml", "--compromise", "0.5", "--repeat", "2"],
    ["explain", "patients.yaml", "--who", "George"], ["check", "patients.yaml"], ["demo"],
    ["choose", "--m", "6", "--compromise", "0.04", "--lifespan", "20", "--threshold", "0.5"],
]  # fmt: skip


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: " ".join(arguments[:2]))
def test_nothing_is_wider_than_the_terminal(
    arguments: list[str], examples: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deniable.report.text.width", lambda: 80)
    told = call(*arguments)
    assert told.err == ""
    wide = [line for line in told.out.splitlines() if len(line) > 80 and ": deniable " not in line.replace("  ", "")]
    assert wide == []
    monkeypatch.setattr("deniable.report.text.width", lambda: None)
    whole = call(*arguments).out
    assert arguments[0] == "attack" or sorted(told.out.split()) == sorted(whole.split())  # which tells its seconds


def test_a_terminal_of_80_columns(examples: Path) -> None:
    """As somebody sees it who sits there."""
    leader, follower = os.openpty()
    termios.tcsetwinsize(follower, (24, 80))
    environment = {name: text for name, text in os.environ.items() if name not in ("COLUMNS", "LINES")}
    command = [sys.executable, "-m", "deniable", "audit", "patients.yaml"]
    subprocess.run(command, stdout=follower, stderr=subprocess.DEVNULL, env=environment, check=False)
    os.close(follower)
    lines = os.read(leader, 1 << 16).decode().splitlines()
    os.close(leader)
    assert lines[0].startswith("patients: 5 people, published as")
    assert max(map(len, lines[:4])) <= 80
