"""Every benchmark runs to its last line on tables as small as can be, without the real tables."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import chdir, redirect_stdout
from importlib import import_module
from io import StringIO
from pathlib import Path

import pytest
from benchmarks.__main__ import NAMES, main
from benchmarks.measure import Measured

from benchmarks import measure
from deniable.cli import run

ROOT = Path(__file__).parents[2]

GROWING = ("bare", "audit", "crowds", "linkage", "breach --out")

# How the lines begin that each of them promises, and which figure they hold.
PROMISED: dict[str, tuple[str, ...]] = {
    "start_up": ("start-up: .* ratio",),
    "first_answer": (
        "first answer, .*: .* ratio", "warm, .* ratio", "first bucketize of 80: .* compiling", "first breach of .*",
        "first republish of 60: .*", "first republish of 60 for the 3th time: .*", "first attack over 60 x 2: .*",
        *(f"audit of 30 rows of {kind} in 6 join groups: .* ratio" for kind in ("parquet", "csv")),
        *(f"{verb} of 6 columns of csv: .* MB" for verb in ("check", "audit")),
    ),
    "engines": (" *200 rows: bare .* rows fetched", " *breach --out .* rows fetched", " *crowds .* rows fetched"),
    "scale": (
        *(f"embedded, {rows} rows, {command}: CPU" for rows in (300, 600) for command in GROWING),
        *(f"postgresql, 300 rows, {command}: CPU .* rows fetched" for command in GROWING[1:]),
        *(f"postgresql, 600 rows, {command}: CPU .* rows fetched, .*: met" for command in GROWING[1:]),
    ),
    "breach_pairs": (
        "breach, 100 rows, identifiers unique: .* ratio", "breach, 100 rows, identifiers repeating: .* ratio",
        "breach --out, 400 rows .* ratio",
    ),
    "breach_many": (
        "chain of three, +10 rows: .* ratio", "chain of three, +30 rows: .* ratio", "slope -?[0-9.]+",
        *(f"workers, {shape}: .* 80 associations" for shape in ("chain", "overlap", "star", "cycle of four")),
    ),
    "crowds": (
        ".*generated, ages in bands of five: [0-9]+ ms", ".*adult, ages in bands of two: [0-9]+ ms",
        ".*adult, ages in bands of five: [0-9]+ ms", "five-view crowds of 300 rows: .* ratio",
        "60 rows, zip where charge > salary: [0-9.]+ s", "60 rows, zip where charge - salary > 1000 .*: [0-9.]+ s",
        "60 rows, zip where salary BETWEEN .*: [0-9.]+ s",
    ),
    "repair": ("repair, 40 rows: .* ratio .* the same bytes again", "repair, workers: .* ratio"),
    "reports": ("report, 40 rows: .* ratio .* kB .* the same bytes again but for the date",),
    "posteriors": ("posteriors of 8 groups of 4, all signatures distinct: .* thewalrus",),
    "bucketize": ("plain l = 4, 60 rows: .* ratio", "robust r = 4, gender and education: .* ratio"),
    "grouping": (
        "the grouping itself, 3 tables of 8 people at r = 2, by lot: .*%",
        "the grouping itself, 1 tables of 8 people at r = 2, searched: .*%",
    ),
    "history": (
        "release 3 of 60 rows: .* ratio", "release 3 beside release 2: ratio", "mean semiperimeter .* ratio",
        "counterfeits: [0-9.]+ %", "signatures [0-9]+", "the whole command: .* ratio",
    ),
    "attack": ("everybody regrouped: [0-9]+ people", "groups that stay: [0-9]+ people"),
    "stable": (
        *(f"60 people, {turnover}% exchanged, 3 releases: the last .* ratio" for turnover in (20, 33)),
        *(f"60 people, 20% exchanged, .* counterfeits at most {at_most}: " for at_most in (0.2, 0.08, 0.05)),
        *(f"60 people, 33% exchanged, .*{name}: query error" for name in ("m-invariance", "0.2", "0.08", "0.05")),
        "the whole command: .* with the audit .* ratio",
    ),
    "refill": (
        *(f"refill adversary, values {way}: .* points" for way in ("shuffled, ours", "skewed, nearest first")),
        *(f"refill adversary who knows the statistics, .* {way}: .* points" for way in ("ours", "nearest first")),
        "new groups of 60, values skewed: .* points",
    ),
}  # fmt: skip


in_a_process = measure.run


def here(
    *command: str,
    folder: Path | None = None,
    settings: Mapping[str, str] | None = None,
    statuses: Sequence[int] = (0,),
    out: Path | None = None,
) -> Measured:
    """What `measure.run` does, but in this process where that is possible: who measures nothing need not start one."""
    start = time.perf_counter()
    printed = StringIO()
    with chdir(folder or Path()), redirect_stdout(printed):
        if command[:3] == (sys.executable, "-m", "deniable"):
            with pytest.raises(SystemExit) as stopped:
                run(list(command[3:]))
            assert int(str(stopped.value.code)) in statuses, command
        elif command[:2] == (sys.executable, "-c"):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(sys, "argv", ["-c", *command[3:]])
                exec(command[2], {"__name__": "__main__"})
        else:
            return in_a_process(*command, folder=folder, settings=settings, statuses=statuses, out=out)
    if out is not None:
        out.write_text(printed.getvalue(), encoding="utf-8")
    return Measured(time.perf_counter() - start, 1.0, 1.0)


@pytest.mark.parametrize("name", NAMES)
def test_it_prints_what_it_promises(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import_module(f"benchmarks.{name}")
    for module in [module for known, module in sys.modules.items() if known.startswith("benchmarks.")]:
        if getattr(module, "run", None) is in_a_process:
            monkeypatch.setattr(module, "run", here)
    monkeypatch.setattr(sys, "argv", ["benchmarks", "--smallest", name])
    main()
    printed = capsys.readouterr().out
    for line in PROMISED[name]:
        assert any(re.match(line, one) for one in printed.splitlines()), f"not printed: {line}\n{printed}"
    assert "nan" not in printed


def test_a_process_is_measured(tmp_path: Path) -> None:
    """What the test above does without."""
    measured = measure.run(sys.executable, "-c", "print(sum(range(100_000)))", out=tmp_path / "printed")
    assert 0 < measured.cpu < 60
    assert measured.seconds > 0
    assert measured.peak_mb > 1
    assert (tmp_path / "printed").read_text() == "4999950000\n"
    with pytest.raises(RuntimeError, match="no such thing"):
        measure.run(sys.executable, "-c", "import sys; sys.exit('no such thing')")


def test_an_unknown_name_is_refused() -> None:
    command = [sys.executable, "-m", "benchmarks", "--smallest", "speeds"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "expected one of start_up, first_answer, breach_pairs" in done.stderr
