"""A cluster on which tasks die and executors are lost in the middle of jobs: the answers are those of the embedded
engine, and what executors log has no cell."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.cli.conftest import Call, Outcome
from tests.docs.test_docs import ROOT
from tests.engines.losses import ILLNESS, PARTS, PAY, ROWS, VIEW, write_rows
from tests.engines.places import is_nightly, same
from tests.engines.test_same_answers import document, rows

ROLES = "name: t\nidentifier: name\nprivate: problem\n"
QUASI = "quasi: [age, zip, gender]\nknowledge:\n  - {given: [gender], estimate: true}\n"
SPECS = {
    "views": f"{ROLES}views:\n  people: SELECT name, age, zip FROM t\n  clinic: SELECT age, zip, problem FROM t\n",
    "crowds": f"{ROLES}public: [age, zip]\nviews:\n"
    "  a: SELECT age, problem FROM t WHERE zip <> '22003'\n  b: SELECT zip, problem FROM t\n",
    "groups": f"{ROLES}{QUASI}",
    "linkage": f"{ROLES}{QUASI}published: {{people: read/people.csv, values: read/values.csv, group: group}}\n",
}
OFTEN = "crowds crowds.yaml --out crowds.parquet"  # which asks least; all of them at night
COMMANDS = f"""
audit views.yaml
breach views.yaml --out associations.parquet
{OFTEN}
linkage linkage.yaml --out posteriors.parquet
breach views-files.yaml --out again.parquet
bucketize groups-files.yaml --r 2 --suppress --out published --seed 1
""".strip().splitlines()


def set_up(folder: Path, table: str, files: str) -> None:
    """Every release of the table, and once more of the files that it comes from."""
    folder.mkdir()
    for name, text in SPECS.items():
        (folder / f"{name}.yaml").write_text(f"table: {table}\n{text}", encoding="utf-8")
        (folder / f"{name}-files.yaml").write_text(f"table: {files}\n{text}", encoding="utf-8")


@pytest.mark.spark
def test_what_is_lost_changes_no_answer(
    spark: None, call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    commands = COMMANDS if is_nightly(request) else [OFTEN]
    write_rows(tmp_path)
    here, there = tmp_path / "here", tmp_path / "there"
    set_up(here, f"../{ROWS}*.parquet", f"../{ROWS}*.parquet")
    set_up(there, VIEW, f"../{ROWS}")
    monkeypatch.chdir(here)
    for folder in (here, there):  # which `linkage` reads, published by the embedded engine
        assert call("bucketize", str(here / "groups.yaml"), "--r", "2", "--suppress", "--seed", "2",
                    "--out", str(folder / "read")).status == 0  # fmt: skip
    wanted = [call(*command.split(), "--json") for command in commands]
    found = lost_on_the_way(tmp_path, commands)
    people = pq.read_table(tmp_path / ROWS).to_pylist()
    ages = Counter(one["age"] for one in people)
    assert found["kept"][0] == [
        {"place": place, "name": one["name"], "n": ages[one["age"]]} for place, one in enumerate(people, 1)
    ]
    for command, one, (status, out, err, lost) in zip(commands, wanted, found["said"], strict=True):
        assert (command, status, err) == (command, one.status, one.err)
        assert same(named(one), named(Outcome(status, out, err))), command
        assert {"task", "executor"} <= set(lost) or "all" in lost, (command, lost)
    made = [sorted(path.relative_to(folder) for path in folder.rglob("*.*")) for folder in (here, there)]
    assert made[0] == made[1]
    for path in made[0]:
        if path.suffix == ".parquet":
            assert same(*(sorted(rows(folder / path), key=str) for folder in (here, there))), path
        elif path.suffix == ".csv":
            assert (here / path).read_bytes() == (there / path).read_bytes(), path
    logs = [path.read_text() for path in (tmp_path / "spark" / "work").rglob("std*")]
    assert len(logs) >= PARTS
    said = found["kept"][1] + "".join(logs)
    assert (ILLNESS in said, PAY[:8] in said) == (False, False)


def lost_on_the_way(folder: Path, commands: list[str]) -> Any:
    program = [sys.executable, "-m", "tests.engines.losses", str(folder), *commands]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def named(outcome: Outcome) -> Any:
    """What a command said, whatever the table and the release file are called."""
    said = re.sub(rf"\.\./{ROWS}(\*\.parquet)?|\b{VIEW}\b|-files(?=\.yaml)", "", outcome.out)
    return document(replace(outcome, out=said))
