"""Whatever nobody foresaw ends in one line, exit status 3 and a report without a cell; and what once was unforeseen."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import deniable
from deniable import api
from tests.cli.conftest import Call

RELEASE = """\
table: t.parquet
identifier: name
private: problem
views:
  people: SELECT name, age FROM t
  clinic: SELECT age, job, problem FROM t{where}
"""
COLUMNS = {
    "name": ["Bill", "John", "George", "Alan"],
    "age": [30, 45, 45, 30],
    "job": ["Engineer", "Professor", "Professor", "Engineer"],
    "problem": ["SECRET1", "SECRET2", "SECRET3", "SECRET1"],
}


def write(columns: dict[str, object], where: str = "", more: str = "") -> None:
    pq.write_table(pa.table({**COLUMNS, **columns}), "t.parquet")
    Path("release.yaml").write_text(RELEASE.format(where=where) + more)


@pytest.fixture
def failing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that fails in a way that is no error of ours, inside of a library, with a cell in its message."""
    write({})
    (folder / "reports").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder / "reports"))

    def fail(*_: object, **__: object) -> None:
        try:
            int("SECRET1")
        except ValueError as error:
            raise KeyError("SECRET2") from error

    monkeypatch.setattr(api, "audit", fail)


@pytest.mark.usefixtures("failing")
def test_the_unforeseen_is_one_line_and_a_report(call: Call) -> None:
    outcome = call("audit", "release.yaml", "--tolerance=0.25", "--limit", "7777")
    assert (outcome.status, outcome.out) == (3, "")
    told = re.fullmatch(
        r"unforeseen: KeyError, which is a fault of deniable; (\S+) tells where it came from and holds no cell: "
        r"please send it\n",
        outcome.err,
    )
    assert told
    report = Path(told.group(1))
    assert stat.S_IMODE(report.stat().st_mode) == 0o600
    text = report.read_text()
    assert f"deniable {deniable.__version__}, Python 3." in text
    assert "\ncommand: audit --tolerance --limit\nbuiltins.KeyError\n" in text
    assert re.search(r"\n  deniable\.cli\.views:\d+:audit\n", text)
    assert "\nbuiltins.ValueError\n" in text
    assert not re.search("SECRET|release.yaml|7777|0.25|/", text)


@pytest.mark.usefixtures("failing")
def test_where_no_report_can_be_written_that_is_said(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("tempfile.mkstemp", full)
    outcome = call("audit", "release.yaml")
    assert (outcome.status, outcome.out) == (3, "")
    assert outcome.err == ("unforeseen: KeyError, which is a fault of deniable; no report of it could be written\n")


@pytest.mark.usefixtures("failing")
def test_in_python_exceptions_stay_exceptions() -> None:
    with pytest.raises(KeyError, match="SECRET2"):
        api.audit("release.yaml")


@pytest.mark.usefixtures("folder")
def test_a_column_of_nulls_beside_types(call: Call) -> None:
    write({"age": pa.nulls(4)}, more="types: {job: text}\n")
    assert call("check", "release.yaml").status == 0
    assert call("audit", "release.yaml").status == 0


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("names", [pa.nulls(4), pa.array([{"a": 1}, {"a": 1}, {"a": 2}, None])], ids=["null", "struct"])
def test_an_identifier_of_another_kind(call: Call, names: pa.Array) -> None:
    write({"name": names})
    assert call("breach", "release.yaml", "--pairs", "all").status == 0
    assert call("audit", "release.yaml").status == 0


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("cells", [[[1], [2], [1], None], [{"a": 1}, None, {"a": 2}, {"a": 3}]], ids=["list", "struct"])
def test_a_quasi_identifier_of_another_kind(call: Call, cells: list[object]) -> None:
    write({"age": cells}, more="quasi: [age, job]\nrepublish: {m: 2, n: 1}\n")
    assert call("republish", "release.yaml", "--begin", "--out", "first").status == 0


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("method", ["conservative", "exact", "restricted"])
def test_hundreds_of_conditions_in_a_row(call: Call, method: str) -> None:
    told = []
    for count in (2, 600):
        either = " OR ".join(f"problem = 'SECRET{i}'" for i in range(count))
        write({}, f" WHERE {either}")
        outcome = call("crowds", "release.yaml", "--method", method)
        assert outcome.status == 0, outcome.err
        told.append(outcome.out)
    assert "smallest crowd" in told[1]


@pytest.mark.usefixtures("folder")
def test_conditions_in_a_row_are_those_of_a_list(call: Call) -> None:
    both = []
    for where in (
        "age = 30 OR job = problem OR job = 'x' OR problem = 'SECRET3'",
        "problem IN (job, 'SECRET3') OR age = 30",
    ):
        write({}, f" WHERE {where}")
        both.append(call("crowds", "release.yaml", "--method", "restricted"))
    assert both[0] == both[1]
    assert both[0].status == 0


NOBODY = {
    "nobody reads what is wrong": ("check no.yaml 2>&1 | true; exit ${PIPESTATUS[0]}", 2),
    "nobody reads how it is used": ("republish 2>&1 | true; exit ${PIPESTATUS[0]}", (2, 3)),
    "no room for what is wrong": ("check no.yaml 2>/dev/full", 2),
    "no stream for what is wrong": ("check no.yaml 2>&-", 2),
    "no stream for an answer": ("check patients.yaml >&-", 0),
    "no stream at all": ("audit patients.yaml <&- >&- 2>&-", 1),
    "no room for an answer": ("check patients.yaml >/dev/full", 3),
    "nobody reads an answer": ("audit patients.yaml | true; exit ${PIPESTATUS[0]}", (1, 3)),
}


@pytest.mark.parametrize("case", NOBODY)
def test_nobody_who_hears(case: str, examples: Path) -> None:
    command, wanted = NOBODY[case]
    temporary = examples / "temporary"
    temporary.mkdir()
    told = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m deniable {command}"], cwd=examples, capture_output=True, text=True,
        env={**os.environ, "TMPDIR": str(temporary)}, check=False,
    )  # fmt: skip
    assert told.returncode in (wanted if isinstance(wanted, tuple) else (wanted,)), told.stderr
    assert "Traceback" not in told.stderr
    assert "unforeseen" not in told.stderr
    assert list(temporary.iterdir()) == []
