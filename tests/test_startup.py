"""`deniable --help` stays light: it imports next to nothing, and starts about as fast as click does."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deniable.examples import write_examples

PROGRAM = Path(sys.executable).with_name("deniable")
RUNS = 8
ALLOWED = 1.5

# What help may import of ours. A longer list is a slower start: import in the command instead.
OURS = [
    "deniable",
    "deniable.cli",
    "deniable.cli.attack",
    "deniable.cli.base",
    "deniable.cli.commands",
    "deniable.cli.groups",
    "deniable.cli.history",
    "deniable.cli.repair",
    "deniable.cli.stopping",
    "deniable.cli.streams",
    "deniable.cli.views",
    "deniable.effort",
    "deniable.errors",
    "deniable.frozen",
    "deniable.report",
    "deniable.report.progress",
]
HEAVY = {"duckdb", "flint", "numba", "numpy", "pandas", "polars", "pyarrow", "pydantic", "rich", "sqlglot", "yaml"}

DUMP = """
import sys
from deniable.cli import run
try:
    run({arguments!r})
finally:
    sys.stderr.write("\\n".join(sys.modules))
"""

BARE = """
import click

@click.group()
def main():
    pass

@main.command()
def only():
    '''The only command.'''

main()
"""


def imported(*arguments: str) -> set[str]:
    script = DUMP.format(arguments=list(arguments))
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "Usage: deniable" in done.stdout
    return set(done.stderr.split())


@pytest.mark.parametrize("arguments", [["--help"], ["breach", "--help"]], ids=" ".join)
def test_help_imports_little(arguments: list[str]) -> None:
    modules = imported(*arguments)
    assert HEAVY & modules == set()
    assert sorted(name for name in modules if name.partition(".")[0] == "deniable") == OURS


def seconds(*command: str | Path) -> float:
    """Of the processor: others who use it make a process wait, but hardly work more."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_help_starts_about_as_fast_as_click(tmp_path: Path) -> None:
    """The best of several runs, taken in turns, so that a busy machine slows both."""
    bare = tmp_path / "bare.py"
    bare.write_text(BARE)
    ours, clicks = [], []
    for _ in range(RUNS):
        ours.append(seconds(PROGRAM, "--help"))
        clicks.append(seconds(sys.executable, bare, "--help"))
    assert min(ours) <= ALLOWED * min(clicks)


ASKED = {"databases": 1, "queries": 16, "texts": 260}  # at most, by an audit of five rows

SMALL = (
    ["audit", "patients.yaml"],
    ["breach", "pair.yaml"],
    ["crowds", "obesity.yaml", "--method", "restricted"],
    ["linkage", "ward.yaml"],
    ["bucketize", "ward.yaml", "--r", "1.05", "--out", "bucketized"],
    ["republish", "quarter1.yaml", "--out", "first", "--begin"],
    ["explain", "quarter1.yaml", "--who", "Alice"],
    ["attack", "past.yaml", "--known", "past-known.csv"],
    ["attack", "past.yaml", "--hazard", "leaving.csv"],
    ["crowds", "clinic.yaml", "--method", "exact"],  # last, since the solver brings pandas
)
IN_TURN = """
import json, sys
from deniable.cli import run
for arguments in json.loads(sys.argv[1]):
    try:
        run(arguments)
    except SystemExit as stopped:
        answered = stopped.code in (0, 1) and "deniable.api" in sys.modules
        heavy = sorted({"numba", "ortools", "pandas"} & set(sys.modules))
        sys.stderr.write(json.dumps([arguments, answered, heavy]) + "\\n")
"""


def test_small_tables_are_answered_without_a_compiler(tmp_path: Path) -> None:
    """One process for all commands: what the first of them may not import, none of them did before."""
    write_examples(tmp_path)
    (tmp_path / "leaving.csv").write_text("disease,times\nAIDS,3\n")
    command = [sys.executable, "-c", IN_TURN, json.dumps(SMALL)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    *light, exact = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("[[")]
    assert light == [[arguments, True, []] for arguments in SMALL[:-1]]
    assert exact[:2] == [SMALL[-1], True]
    assert "numba" not in exact[2]


def counted(asked: Counter[str], what: str, call: Callable[..., Any]) -> Callable[..., Any]:
    """The call, which is counted."""

    def counting(*arguments: Any, **options: Any) -> Any:
        asked[what] += 1
        return call(*arguments, **options)

    return counting


def test_a_small_audit_asks_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One database, few queries, and few texts that sqlglot has to parse: of five rows, these are the work."""
    import sqlglot

    import deniable
    from deniable.engines import duckdb

    asked: Counter[str] = Counter()
    write_examples(tmp_path)
    monkeypatch.setattr(duckdb, "_sealed", counted(asked, "databases", duckdb._sealed))
    monkeypatch.setattr(duckdb.DuckDBEngine, "fetch", counted(asked, "queries", duckdb.DuckDBEngine.fetch))
    monkeypatch.setattr(sqlglot, "parse_one", counted(asked, "texts", sqlglot.parse_one))
    deniable.audit(tmp_path / "patients.yaml")
    assert {what for what, limit in ASKED.items() if not 0 < asked[what] <= limit} == set(), asked


# A table that is read once, and at most so many queries and relations: what each costs, small tables are made of.
PLENTY = {"audit": {"attach": 1, "fetch": 26, "store": 18}, "repair": {"attach": 1, "fetch": 361, "store": 292}}


@pytest.mark.parametrize("verb", PLENTY)
def test_names_and_repairs_ask_little(verb: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worst groups by name are looked up at once (it was 6, 98 and 58), and what crowds turn down is not asked for
    breaches (461 and 516)."""
    import deniable
    from deniable.engines.duckdb import DuckDBEngine

    asked: Counter[str] = Counter()
    write_examples(tmp_path)
    for what in PLENTY[verb]:
        monkeypatch.setattr(DuckDBEngine, what, counted(asked, what, getattr(DuckDBEngine, what)))
    if verb == "audit":
        assert deniable.audit(tmp_path / "patients.yaml", reveal=True).named
    else:
        views = {"people": "SELECT person, age, postcode, sex FROM hospital",
                 "values": "SELECT age, postcode, sex, ward, diagnosis FROM hospital"}  # fmt: skip
        release = deniable.Release(
            table=str(tmp_path / "hospital.csv"), identifier="person", private="diagnosis", views=views,
            quasi=["age", "postcode", "sex", "ward"], require={"breach": {"at_most": 0.5}, "crowd": {"at_least": 3}},
        )  # fmt: skip
        assert deniable.repair(release)
    assert {what for what, most in PLENTY[verb].items() if not 0 < asked[what] <= most} == set(), asked


def test_the_program_leaves_nothing_to_say_at_its_end(tmp_path: Path) -> None:
    """Libraries that complain of objects which nobody removed do so where the program ends."""
    write_examples(tmp_path)
    done = subprocess.run([PROGRAM, "check", "patients.yaml"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stderr == ""


ENDING = """
import atexit, sys, threading
from deniable.cli import run
atexit.register(sys.stdout.write, "registered\\n")
over = threading.Event()
if sys.argv.pop(1) == "thread":
    threading.Thread(target=lambda: (over.wait(60), sys.stdout.write("thread\\n"))).start()
try:
    run()
finally:
    sys.stdout.write("here\\n")
    over.set()
"""


@pytest.mark.parametrize(("who", "after"), [("nobody", ["registered"]), ("thread", ["here", "thread", "registered"])])
def test_what_is_registered_for_the_end_is_done(who: str, after: list[str]) -> None:
    """The program ends without taking its modules apart, which nobody waits for, unless somebody is at work."""
    command = [sys.executable, "-c", ENDING, who, "choose", "--m", "3", "--compromise", "2", "--lifespan", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("Usage: deniable choose")
    assert done.stdout.splitlines() == after


def test_a_stream_that_nobody_hears_is_a_failure(tmp_path: Path) -> None:
    write_examples(tmp_path)
    command = [str(PROGRAM), "check", "patients.yaml"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 3
    assert b"Traceback" not in done.stderr
