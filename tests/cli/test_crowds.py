"""`deniable crowds`, and crowds in `audit` and `explain`: the words and columns they promise."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import deniable
from tests.cli.conftest import Call

PUBLIC = ["zip", "age", "race", "gender", "charge"]
ANSWERS = ["crowd", "size", "values", "exposed"]


@pytest.mark.parametrize(
    ("method", "k", "exact"), [("conservative", 1, False), ("exact", 1, True), ("restricted", 2, True)]
)
def test_json(method: str, k: int, exact: bool, examples: Path, call: Call) -> None:
    told = call("crowds", "obesity.yaml", "--method", method, "--json")
    assert (told.status, told.err) == (0, "")
    document = json.loads(told.out)
    assert (document["k"], document["crowds"], document["method"], document["exact"]) == (k, 3, method, exact)
    assert (document["people"], document["undecided"], document["exposed"]) == (12, 0, 0)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_the_table(ending: str, examples: Path, call: Call) -> None:
    told = call("crowds", "clinic.yaml", "--out", f"out.{ending}")
    assert (told.status, told.out) == (0, f"wrote out.{ending}\n")
    if ending == "parquet":
        rows = pq.read_table("out.parquet").to_pylist()
    else:
        with open("out.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    assert list(rows[0]) == [*PUBLIC, *ANSWERS]
    assert len(rows) == 12
    assert {str(row["size"]) for row in rows} == {"1", "3", "4"}
    alone = next(row for row in rows if str(row["age"]) == "53")
    assert (str(alone["values"]), str(alone["exposed"]).lower()) == ("1", "true")
    unknown = next(row for row in rows if str(row["age"]) == "52")
    assert unknown["values"] in (None, "")  # between what its crowd has and what the views allow


def test_restricted_names_the_collection(examples: Path, call: Call) -> None:
    assert call("crowds", "obesity.yaml", "--method", "restricted", "--out", "out.csv").status == 0
    with open("out.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == [*PUBLIC, *ANSWERS, "collection"]
    assert next(row for row in rows if row["age"] == "39")["collection"] == "AIDS|Cold"


def test_the_summary_says_no_private_value(examples: Path, call: Call) -> None:
    for method in ("conservative", "exact", "restricted"):
        for spec in ("clinic.yaml", "obesity.yaml", "zip.yaml"):
            told = call("crowds", spec, "--method", method)
            assert told.status == 0
            assert not any(value in told.out for value in ("Cold", "AIDS", "Obesity", "Chest", "Hyper"))


def test_a_generalized_table_alone(examples: Path, call: Call) -> None:
    told = call("crowds", "clinic.csv", "--private", "problem", "--quasi", "race,gender", "--json")
    document = json.loads(told.out)
    assert (document["k"], document["values"], document["crowds"]) == (1, 1, 5)


@pytest.mark.parametrize(("least", "status"), [(1, 0), (2, 1)])
def test_audit(least: int, status: int, examples: Path, call: Call) -> None:
    Path("clinic.yaml").write_text(Path("clinic.yaml").read_text().replace("at_least: 2", f"at_least: {least}"))
    told = call("audit", "clinic.yaml", "--json")
    assert told.status == status
    (check,) = json.loads(told.out)["checks"]
    assert (check["check"], check["adversary"], check["limit"]) == ("crowd", None, least)
    assert (check["worst"], check["over"], check["of"]) == (1, 2 if status else 0, 12)


def test_audit_of_values(examples: Path, call: Call) -> None:
    Path("clinic.yaml").write_text(Path("clinic.yaml").read_text().replace("at_least: 2", "at_least: 1, values: 2"))
    told = call("audit", "clinic.yaml", "--json")
    assert told.status == 1
    size, values = json.loads(told.out)["checks"]
    assert (size["verdict"], values["verdict"]) == ("pass", "fail")
    assert (values["check"], values["worst"], values["over"]) == ("values", 1, 2)


def test_audit_of_both(examples: Path, call: Call) -> None:
    text = Path("patients.yaml").read_text()
    Path("patients.yaml").write_text(text + "  crowd: {at_least: 2}\n")
    told = call("audit", "patients.yaml")
    assert told.status == 1
    assert "crowd                2       1             3 of 5   FAIL" in told.out
    assert "3 people are exposed" in told.out


def test_explain_shows_the_crowd(examples: Path, call: Call) -> None:
    told = call("explain", "patients.yaml", "--who", "George")
    assert "one of 2 who look the same" in told.out
    assert "also John" in told.out
    assert "clinic shows age = 45, job = Professor, their problem" in told.out


def test_explain_where_breach_has_no_answer(examples: Path, call: Call) -> None:
    Path("obesity.yaml").write_text("identifier: age\n" + Path("obesity.yaml").read_text())
    told = call("explain", "obesity.yaml", "--who", "39")
    assert told.status == 0
    assert "no probabilities: view none: expected the same WHERE in all views" in told.out
    assert "none would show their problem for 1 of 5 values of problem" in told.out
    document = json.loads(call("explain", "obesity.yaml", "--who", "50", "--json").out)
    assert document["crowds"][0]["size"] == 3
    assert document["crowds"][0]["says"][1] == "none would not select them, whatever their problem"


def test_a_limit_on_what_is_tried(examples: Path, call: Call) -> None:
    """A condition that no order of the values answers is tried value by value, up to the limit."""
    Path("t.csv").write_text("id,charge,salary\n" + "".join(f"{i},{i},{i}\n" for i in range(1, 30)))
    Path("t.yaml").write_text(
        "table: t.csv\nprivate: salary\nviews:\n  v: SELECT charge FROM t WHERE charge * salary > 50\n"
    )
    assert call("crowds", "t.yaml", "--json").status == 0
    told = call("crowds", "t.yaml", "--limit", "100", "--out", "out.csv")
    assert told.status == 3
    assert "more than 100 combinations" in told.err
    assert not Path("out.csv").exists()


def test_in_python(examples: Path) -> None:
    result = deniable.crowds("clinic.yaml")
    assert (result.k, result.count, result.people) == (1, 5, 12)
    assert result.fewer_than(3) == 2
    assert deniable.audit("clinic.yaml", crowd=1).verdict == "pass"
    result.close()
