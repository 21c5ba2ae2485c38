"""Every command does what the reference says, with the words and columns it promises."""

from __future__ import annotations

import csv
import errno
import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import deniable
from deniable.cli import main
from deniable.cli.base import ORDER
from tests.cli.conftest import PROGRAM, Call

COLUMNS = ["adversary", "probability", "lower", "upper", "bound"]
ADVERSARIES = ["unrestricted", "restricted", "keyed", "counted", "bag"]
COMMANDS = sorted(main.commands, key=ORDER.index)
ROOT = Path(__file__).parents[2]


def read(path: str) -> tuple[list[str], list[dict[str, str]]]:
    with open(path, newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        rows = list(reader)
    return list(reader.fieldnames or []), rows


def require(limit: float, spec: str = "patients.yaml") -> None:
    text = Path(spec).read_text()
    Path(spec).write_text(text.replace("at_most: 0.5", f"at_most: {limit}"))


@pytest.mark.parametrize(
    ("limit", "status", "verdicts"), [(0.5, 1, ["fail"] * 3), (1, 0, ["pass"] * 3)], ids=["fails", "passes"]
)
def test_audit(limit: float, status: int, verdicts: list[str], examples: Path, call: Call) -> None:
    require(limit)
    told = call("audit", "patients.yaml", "--json")
    assert (told.status, told.err) == (status, "")
    document = json.loads(told.out)
    assert document["verdict"] == verdicts[0]
    assert [check["verdict"] for check in document["checks"]] == verdicts
    for check, adversary in zip(document["checks"], ["restricted", "keyed", "bag"], strict=True):
        assert {"check", "adversary", "verdict", "limit", "worst", "over", "of"} <= set(check)
        assert (check["check"], check["adversary"], check["limit"]) == ("breach", adversary, limit)
        assert (check["worst"], check["over"], check["of"]) == (1, 2 if limit == 0.5 else 0, 5)


def test_audit_text(examples: Path, program: Call, call: Call) -> None:
    told = program("audit", "patients.yaml")
    assert (told.status, told.err) == (1, "")
    assert told.out.startswith("patients: 5 people, published as people(name, age) and clinic(age, job, problem)")
    assert "2 people are certain" in told.out
    assert "FAIL" in told.out
    require(1)
    told = call("audit", "patients.yaml")
    assert told.status == 0
    assert "FAIL" not in told.out


def test_audit_and_breach_print_no_private_value(examples: Path, call: Call) -> None:
    for command in (["audit", "patients.yaml"], ["breach", "patients.yaml"], ["breach", "patients.yaml", "--json"]):
        told = call(*command).out
        assert [private for private in ("HIV", "Cold", "Diarrhea") if private in told] == []


def test_breach_files_agree(examples: Path, call: Call) -> None:
    for name in ("out.csv", "out.parquet"):
        told = call("breach", "hospital.yaml", "--out", name)
        assert (told.status, told.out, told.err) == (0, f"wrote {name}\n", "")
    columns, rows = read("out.csv")
    table = pq.read_table("out.parquet")
    assert columns == table.column_names == ["person", "diagnosis", *COLUMNS]
    assert len(rows) == table.num_rows == 4_000 * len(ADVERSARIES)
    numbers = ("probability", "lower", "upper")
    found = [{**row, **{name: float(row[name]) for name in numbers}} for row in rows]
    assert found == table.to_pylist()


def test_breach_associations(examples: Path, call: Call) -> None:
    call("breach", "patients.yaml", "--out", "out.csv")
    _, rows = read("out.csv")
    people = ["Alan", "Bill", "George", "John", "Sarah"]
    assert [(row["name"], row["adversary"]) for row in rows] == [(who, a) for who in people for a in ADVERSARIES]
    george = {row["adversary"]: row for row in rows if row["name"] == "George"}
    assert float(george["unrestricted"]["probability"]) == 161 / 265
    assert float(george["restricted"]["probability"]) == 1 / 3
    assert {row["problem"] for row in george.values()} == {"HIV"}
    assert {row["bound"] for row in rows} == {"exact"}


def test_breach_of_every_pair(examples: Path, call: Call) -> None:
    call("breach", "patients.yaml", "--pairs", "all", "--out", "out.csv")
    _, rows = read("out.csv")
    pairs = {(row["name"], row["problem"]) for row in rows}
    at_45 = {(who, what) for who in ("John", "George", "Sarah") for what in ("Diarrhea", "HIV", "Cold")}
    assert pairs == {("Bill", "Cold"), ("Alan", "Cold")} | at_45
    assert len(rows) == len(pairs) * len(ADVERSARIES)


def test_breach_of_a_secret(examples: Path, call: Call) -> None:
    with open("patients.yaml", "a") as file:
        file.write("secret: SELECT name, problem FROM patients WHERE problem = 'HIV'\n")
    call("breach", "patients.yaml", "--out", "out.csv")
    assert {(row["name"], row["problem"]) for row in read("out.csv")[1]} == {("George", "HIV")}


def test_breach_summary(examples: Path, call: Call) -> None:
    told = call("breach", "patients.yaml")
    assert (told.status, told.err) == (0, "")
    assert all(adversary in told.out for adversary in ADVERSARIES)
    document = json.loads(call("breach", "patients.yaml", "--out", "out.csv", "--json").out)
    assert document["people"] == 5
    assert [tally["adversary"] for tally in document["adversaries"]] == ADVERSARIES
    assert Path("out.csv").exists()


def test_breach_replaces_an_earlier_file(examples: Path, call: Call) -> None:
    Path("out.csv").write_text("an earlier answer, which is longer than the new one\n" * 1_000)
    call("breach", "patients.yaml", "--out", "out.csv")
    assert len(read("out.csv")[1]) == 5 * len(ADVERSARIES)
    assert [path.name for path in examples.glob(".*")] == []


NULLS = """\
name,age,problem
"",1,Cold
,1,""
Ann,1,
Ann,1,Flu
Bob,2,
"""


def test_nulls_and_empty_texts_stay_apart(folder: Path, call: Call) -> None:
    """An empty cell is null, a quoted empty text is a text; both are values like any other."""
    Path("t.csv").write_text(NULLS)
    Path("t.yaml").write_text(
        "table: t.csv\nidentifier: name\nprivate: problem\nviews:\n"
        "  a: SELECT DISTINCT name, age FROM t\n  b: SELECT age, problem FROM t\n"
    )
    call("breach", "t.yaml", "--out", "out.csv")
    call("breach", "t.yaml", "--out", "out.parquet")
    rows = pq.read_table("out.parquet").to_pylist()
    pairs = {(row["name"], row["problem"]) for row in rows}
    assert pairs == {("", "Cold"), (None, ""), ("Ann", None), ("Ann", "Flu"), ("Bob", None)}
    lines = Path("out.csv").read_text().splitlines()
    starts = {line.split(",unrestricted")[0] for line in lines if ",unrestricted" in line}
    assert starts == {'"",Cold', ',""', "Ann,", "Ann,Flu", "Bob,"}
    no_world = [row for row in rows if row["probability"] is None]
    assert no_world
    assert all(row["lower"] is None and row["upper"] is None for row in no_world)
    _, cells = read("out.csv")
    empty = [cell for cell in cells if cell["probability"] == ""]
    assert len(empty) == len(no_world)
    assert all(cell["lower"] == cell["upper"] == "" for cell in empty)


def test_explain(examples: Path, call: Call) -> None:
    told = call("explain", "patients.yaml", "--who", "George")
    assert (told.status, told.err) == (0, "")
    assert "161 of the 265 tables that fit your release give George the value HIV." in told.out
    assert "join group age = 45" in told.out
    assert "1/3 = 0.3333" in told.out


def test_explain_as_json(examples: Path, call: Call) -> None:
    told = call("explain", "patients.yaml", "--who", "George", "--json")
    assert (told.status, told.err) == (0, "")
    document = json.loads(told.out)
    assert (document["who"], document["true_values"], document["worlds"]) == (["George"], ["HIV"], 265)
    hiv = next(value for value in document["values"] if value["value"] == "HIV")
    assert hiv["worlds"] == 161
    assert hiv["unrestricted"] == {
        "probability": 161 / 265, "lower": 161 / 265, "upper": 161 / 265, "bound": "exact", "fraction": "161/265",
    }  # fmt: skip


def test_explain_lists_few_worlds(examples: Path, call: Call) -> None:
    told = call("explain", "pair.yaml", "--who", "a1")
    assert "the 7 tables that fit:" in told.out
    assert "5 of the 7 tables" in told.out


def test_explain_somebody_of_two_names(folder: Path, call: Call) -> None:
    Path("t.csv").write_text("first,last,age,problem\nAnn,Lee,30,Cold\nAnn,Poe,30,Flu\n")
    Path("t.yaml").write_text(
        "table: t.csv\nidentifier: [first, last]\nprivate: problem\nviews:\n"
        "  a: SELECT first, last, age FROM t\n  b: SELECT age, problem FROM t\n"
    )
    told = call("explain", "t.yaml", "--who", "Ann", "Poe")
    assert (told.status, told.err) == (0, "")
    assert "give Ann Poe the value Flu" in told.out
    assert call("explain", "t.yaml", "--who", "Ann", "--who", "Poe").out == told.out
    call("breach", "t.yaml", "--out", "out.csv")
    assert read("out.csv")[0] == ["first", "last", "problem", *COLUMNS]


def test_check(examples: Path, call: Call) -> None:
    told = call("check", "patients.yaml")
    columns = "name (varchar), age (bigint), job (varchar), problem (varchar)"
    assert (told.status, told.out, told.err) == (0, f"patients.yaml fits patients.csv: {columns}\n", "")
    document = json.loads(call("check", "patients.yaml", "--json").out)
    assert document["ok"] is True
    assert document["views"] == {"people": ["name", "age"], "clinic": ["age", "job", "problem"]}


def test_paths_start_at_the_release_file(examples: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    (examples / "elsewhere").mkdir()
    monkeypatch.chdir(examples / "elsewhere")
    assert call("check", "../patients.yaml").status == 0
    Path("../patients.csv").write_text("name,age,job,problem\nBill\n")
    assert call("check", "../patients.yaml").err == "../patients.csv:2: expected 4 cells in the row; found 1\n"


def test_demo_is_quick(folder: Path, program: Call) -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = program("demo")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 5  # however busy the machine is
    assert (told.status, told.err) == (0, "")
    assert told.out.startswith("hospital: 4,000 people")
    assert "354 people are certain" in told.out
    assert list(folder.iterdir()) == []


def test_demo_as_json_and_as_files(folder: Path, call: Call) -> None:
    assert json.loads(call("demo", "--json").out)["verdict"] == "fail"
    told = call("demo", "--to", "example")
    assert (told.status, told.out) == (0, "wrote example/hospital.yaml\n")
    assert call("audit", "example/hospital.yaml").status == 1


def test_examples_take_no_file_s_place(folder: Path, call: Call) -> None:
    Path("patients.csv").write_text("somebody's own\n")
    Path("pair.csv").symlink_to("nowhere.csv")
    before = set(folder.iterdir())
    told = call("demo", "--to", ".")
    assert (told.status, told.out) == (2, "")
    assert told.err == "".join(
        f"--to: expected a folder without other files of these names; found {name}\n"
        for name in ("pair.csv", "patients.csv")
    )
    assert set(folder.iterdir()) == before
    assert Path("patients.csv").read_text() == "somebody's own\n"


def test_examples_that_are_there_stay(folder: Path, call: Call) -> None:
    assert call("demo", "--to", "a/b").status == 0
    made = {path: path.stat().st_mtime_ns for path in Path("a/b").iterdir()}
    Path("a/b/ward.csv").unlink()
    assert call("demo", "--to", "a/b").status == 0
    again = {path: path.stat().st_mtime_ns for path in Path("a/b").iterdir()}
    assert {path for path in again if again[path] != made[path]} == {Path("a/b/ward.csv")}


def test_examples_are_all_there_or_none(folder: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    real, left = os.link, iter(range(5))

    def link(*names: Any, **keys: Any) -> None:
        if next(left, None) is None:
            raise OSError(errno.ENOSPC, "No space left on device", "a/b")
        real(*names, **keys)

    monkeypatch.setattr(os, "link", link)
    told = call("demo", "--to", "a/b")
    assert (told.status, told.err) == (3, "a/b: No space left on device\n")
    assert list(folder.iterdir()) == []


def test_help(call: Call) -> None:
    told = call("--help")
    assert told.status == 0
    listed = told.out.partition("Commands:")[2].splitlines()
    assert [line.split()[0] for line in listed if line.strip()] == COMMANDS
    for command in COMMANDS:
        assert f"deniable {command}" in call(command, "--help").out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_takes_an_engine_and_can_answer_in_json(name: str) -> None:
    options = {option for parameter in main.commands[name].params for option in parameter.opts}
    assert "--json" in options
    assert "--engine" in options or name == "demo"


def test_an_engine_that_there_is_not(examples: Path, call: Call) -> None:
    for command in ("ledger quarter1.yaml", "choose --m 6 --compromise 0.04 --lifespan 24 --threshold 0.1"):
        result = call(*command.split(), "--engine", "mysql")
        assert (result.status, result.err) == (
            2,
            "--engine: expected duckdb or postgresql:// or postgres:// "
            "or spark or spark:// or local[*] or local-cluster[*]; found mysql\n",
        )


def test_module_and_version(folder: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "deniable", "--version"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, f"deniable {deniable.__version__}\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_documented(command: str) -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    assert any(f"deniable {command}" in page.read_text(encoding="utf-8") for page in pages)


@pytest.mark.parametrize("command", [["audit", "patients.yaml"], ["explain", "patients.yaml", "--who", "George"]])
def test_a_reader_who_left_is_no_failed_requirement(command: list[str], examples: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([PROGRAM, *command], stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (3, b"")


def test_an_interrupt_is_no_failed_requirement(examples: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("deniable.api.audit", interrupted)
    told = call("audit", "patients.yaml")
    assert (told.status, told.out, told.err) == (3, "", "interrupted\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk(examples: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [PROGRAM, "audit", "patients.yaml"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (3, "the machine: No space left on device\n")
