"""`repair`: what could be published instead, and the files that say it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import deniable
from deniable.report.repair import repairs_text
from tests.cli.conftest import Call

PATIENTS = "id,age,zip,job,problem\n" + "\n".join(
    f"n{i},{20 + i % 30},{i % 7 * 100:05d},{'xyz'[i % 3]},{'pqrst'[i * i % 5]}" for i in range(60)
)
SPEC = """# what we publish
table: t.csv
identifier: id
private: problem
types: {zip: text}   # codes
views:
  # two of them
  people: SELECT id, age, zip FROM t
  values: SELECT age, zip, job, problem FROM t
require:
  breach: {at_most: 0.5}
"""


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    (tmp_path / "t.csv").write_text(PATIENTS + "\n")
    (tmp_path / "r.yaml").write_text(SPEC)
    return tmp_path / "r.yaml"


def told(call: Call, spec: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(call("repair", str(spec), "--json").out)
    return found


def test_the_command_offers_several_and_writes_what_passes(call: Call, spec: Path) -> None:
    done = call("repair", str(spec), "--json", "--choose", "2", "--out", str(spec.parent / "second.yaml"))
    found = json.loads(done.out)
    assert done.status == 0
    kept = [one["kept"] for one in found["repairs"]]
    assert len(kept) >= 3
    assert kept == sorted(kept, reverse=True)
    assert found["now"]["verdict"] == "fail"
    assert all(check["verdict"] == "pass" for one in found["repairs"] for check in one["checks"])
    text = (spec.parent / "second.yaml").read_text()
    assert "types: {zip: text}   # codes" in text
    assert f"keeps {kept[1]:.1%}" in text
    assert call("audit", str(spec.parent / "second.yaml")).status == 0, text


def test_groups_that_would_keep_more_are_named_with_both_figures(call: Call, spec: Path) -> None:
    """Two jobs and ages of one person each: a column has to go, and groups would keep all of them."""
    rows = [f"n{i},{i},x,{'ab'[i % 2]},{'pqrs'[i % 4]}" for i in range(12)]
    (spec.parent / "t.csv").write_text("id,age,zip,job,problem\n" + "\n".join(rows) + "\n")
    spec.write_text(SPEC.replace("at_most: 0.5", "at_most: 0.25").replace("id, age, zip", "id, age, zip, job"))
    done = call("repair", str(spec), "--json")
    found = json.loads(done.out)
    assert found["groups"] == {"r": 4, "kept": round(1 - 1 / 10, 9)}  # id of ten things
    assert all(one["kept"] < found["groups"]["kept"] for one in found["repairs"])
    assert (
        "Groups keep more: `deniable bucketize --r 4` publishes every column but id as it is, 90.0%"
        in call("repair", str(spec)).out
    )


def test_the_same_bytes_every_time(spec: Path) -> None:
    spec.write_text(SPEC.replace("age, zip, job, problem", "age, problem").replace("id, age, zip", "id, age"))
    first, second = (repairs_text(deniable.repair(str(spec))) for _ in range(2))
    assert first == second


def test_mistakes_in_options_are_said_before_anything_is_tried(call: Call, spec: Path) -> None:
    for arguments, said in {
        ("--out", str(spec)): "expected a file that is not there yet",
        ("--out", "x.csv"): "expected a path that ends in .yaml",
        ("--out", "nowhere/x.yaml"): "expected a path in a folder that exists",
        ("--write-views", str(spec)): "--write-views: expected a folder",
    }.items():
        done = call("repair", str(spec), *arguments)
        assert (done.status, done.out) == (2, "")
        assert said in done.err


def test_a_release_file_in_another_folder_finds_its_table(call: Call, spec: Path) -> None:
    other = spec.parent / "other"
    other.mkdir()
    assert call("repair", str(spec), "--out", str(other / "r.yaml")).status == 0
    assert call("audit", str(other / "r.yaml")).status == 0
    assert "table: ../t.csv" in (other / "r.yaml").read_text()
    assert "expected a repair from 1 to" in call("repair", str(spec), "--choose", "99", "--out", "x.yaml").err


def test_views_are_published_in_the_order_of_their_cells(spec: Path) -> None:
    import duckdb

    found, folder = deniable.repair(str(spec)), spec.parent / "published"
    views = found.repairs[0].release.views
    for kind in ("csv", "parquet"):
        assert found.publish(folder / kind, kind=kind) == [f"{name}.{kind}" for name in views]
        for name in views:
            file = folder / kind / f"{name}.{kind}"
            orders = (f"SELECT * FROM '{file}' {order}" for order in ("", "ORDER BY ALL"))
            rows, again = (duckdb.connect().execute(query).fetchall() for query in orders)
            assert rows == again
            assert file.stat().st_mode & 0o044 == 0o044  # published
    found.close()


def test_a_release_that_passes_needs_nothing(call: Call, spec: Path) -> None:
    spec.write_text(SPEC.replace("SELECT age, zip, job, problem", "SELECT problem"))
    done = call("repair", str(spec), "--json", "--write-views", str(spec.parent / "published"))
    assert done.status == 0
    assert [(one["steps"], one["kept"]) for one in json.loads(done.out)["repairs"]] == [([], 1.0)]
    assert (spec.parent / "published" / "values.csv").exists()
    assert "passes as it is" in call("repair", str(spec)).out


def test_no_repair_is_exit_1(call: Call, spec: Path) -> None:
    (spec.parent / "t.csv").write_text("id,age,zip,job,problem\na,1,1,x,p\nb,1,1,x,p\n")
    done = call("repair", str(spec), "--out", str(spec.parent / "out.yaml"))
    assert done.status == 1
    assert "no repair was found" in done.out
    assert not (spec.parent / "out.yaml").exists()


def test_a_view_that_shows_who_has_what_is_split(call: Call, spec: Path) -> None:
    spec.write_text(
        SPEC.replace("  people: SELECT id, age, zip FROM t\n", "").replace(
            "SELECT age, zip, job", "SELECT id, age, zip, job"
        )
    )
    out = spec.parent / "out.yaml"
    best = json.loads(call("repair", str(spec), "--json", "--out", str(out)).out)["repairs"][0]
    assert best["steps"][0].startswith("split values into values_people")
    assert call("audit", str(out)).status == 0


def test_whole_groups_are_withheld_and_their_list_is_private(call: Call, spec: Path) -> None:
    """Forty join groups of three values, and one in which all three share one: three of 123 people go."""
    rows = [f"n{g}{v},{g},x,j,{'pqr'[v]}" for g in range(40) for v in range(3)]
    rows += ["a1,99,x,j,SECRET", "a2,99,x,j,SECRET", "a3,99,x,j,SECRET"]
    (spec.parent / "t.csv").write_text("id,age,zip,job,problem\n" + "\n".join(rows) + "\n")
    out = spec.parent / "out.yaml"
    done = call("repair", str(spec), "--json", "--out", str(out))
    best = json.loads(done.out)["repairs"][0]
    assert best["steps"] == ["withhold 3 people: publish nothing of them"]
    assert best["withheld"] == 3
    listed = spec.parent / "out-withheld.csv"
    assert listed.read_text() == "id\na1\na2\na3\n"
    assert listed.stat().st_mode & 0o777 == 0o600
    assert call("audit", str(out)).status == 0
    assert call("repair", str(out), "--write-views", str(spec.parent / "published")).status == 0
    assert "a1" not in (spec.parent / "published" / "people.csv").read_text()
    assert "SECRET" not in done.out + done.err + out.read_text()


def test_three_views_and_people_with_several_rows(call: Call, spec: Path) -> None:
    three = "  people: SELECT id, age FROM t\n  jobs: SELECT age, job FROM t\n  values: SELECT job, problem FROM t\n"
    start, end = SPEC.index("  # two"), SPEC.index("require")
    spec.write_text(SPEC[:start] + three + SPEC[end:])
    found = told(call, spec)
    assert all(check["verdict"] == "pass" for one in found["repairs"] for check in one["checks"])
    spec.write_text(SPEC)
    (spec.parent / "t.csv").write_text(PATIENTS + "\nn1,33,10001,x,p\nn2,34,10002,y,q\n")
    found = told(call, spec)
    assert all(check["verdict"] == "pass" for one in found["repairs"] for check in one["checks"])
