"""In a pipeline: JUnit's XML, and warnings before a limit is reached."""

from __future__ import annotations

import csv
import json
from collections import Counter
from itertools import permutations
from pathlib import Path
from xml.etree import ElementTree

import pytest

import deniable
from deniable.publish.whole_files import write_files
from deniable.report.junit import verdict_junit
from tests.cli.conftest import Call

NEAR = (
    "table: t.csv\nidentifier: who\nprivate: p\nviews:\n  a: SELECT who, x FROM t\n  b: SELECT x, p FROM t\n"
    "require:\n  breach: {at_most: 0.5, adversaries: [keyed]}\n  crowd: {at_least: 1}\n"
)


@pytest.fixture
def near(folder: Path) -> Path:
    """Three people of whom each has one of three values: to `keyed`, each has it with 1/3."""
    Path("t.csv").write_text("who,x,p\nann,1,flu\nbob,1,hiv\ncem,1,cold\n")
    Path("near.yaml").write_text(NEAR)
    return folder


def cases(file: str = "out.xml") -> dict[str, ElementTree.Element]:
    return {case.get("name", ""): case for case in ElementTree.parse(file).getroot().iter("testcase")}


def test_a_failed_requirement_is_written(examples: Path, call: Call) -> None:
    told = call("audit", "patients.yaml", "--junit", "out.xml")
    assert told.status == 1
    root = ElementTree.parse("out.xml").getroot()
    assert {name: root.get(name) for name in ("tests", "failures", "skipped")} == {
        "tests": "3", "failures": "3", "skipped": "0",
    }  # fmt: skip
    failure = cases()["breach, restricted"].find("failure")
    assert failure is not None
    assert failure.get("message") == "breach, restricted (fail): at most 0.5 was asked, worst 1, 2 of 5 people"
    shown = [line for line in (failure.text or "").splitlines()[1:] if line]
    assert shown
    assert all(line in told.out for line in shown), "the sentences of the terminal"
    values = {row["problem"] for row in rows("patients.csv")}
    assert [value for value in values if value in Path("out.xml").read_text()] == []


def test_what_passes_and_what_was_not_required(near: Path, call: Call) -> None:
    assert call("audit", "near.yaml", "--junit", "out.xml").status == 0
    assert {name: [child.tag for child in case] for name, case in cases().items()} == {"breach, keyed": [], "crowd": []}
    Path("open.yaml").write_text(NEAR.partition("require")[0])
    assert call("audit", "open.yaml", "--junit", "out.xml").status == 0
    assert {child.tag for case in cases().values() for child in case} == {"skipped"}


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("nowhere/out.xml", "expected a path in a folder that exists"),
        (".", "expected a file"),
        ("near.yaml", "expected a file that this command does not read"),
        ("t.csv", "expected a file that this command does not read"),
    ],
)
def test_a_path_that_cannot_be(file: str, said: str, near: Path, call: Call) -> None:
    before = {path: path.read_text() for path in near.iterdir()}
    told = call("audit", "near.yaml", "--junit", file)
    assert (told.status, told.out) == (2, "")
    assert told.err.startswith("--junit: ")
    assert said in told.err
    assert {path: path.read_text() for path in near.iterdir()} == before


def test_a_link_is_no_file_of_ours(near: Path, call: Call) -> None:
    Path("link.xml").symlink_to("t.csv")
    assert call("audit", "near.yaml", "--junit", "link.xml").status == 2
    assert Path("link.xml").is_symlink()


def test_two_reports_are_two_files(near: Path, call: Call) -> None:
    told = call("audit", "near.yaml", "--junit", "./report.html", "--html", "report.html")
    assert told.status == 2
    assert told.err == "--junit: expected another file than that of --html; found ./report.html\n"
    assert not Path("report.html").exists()
    assert call("audit", "near.yaml", "--junit", "report.xml", "--html", "report.html").status == 0
    assert Path("report.html").stat().st_mode & 0o777 == 0o600
    assert cases("report.xml").keys() == {"breach, keyed", "crowd"}


def test_nothing_is_left_where_nothing_was_decided(near: Path, call: Call) -> None:
    Path("near.yaml").write_text(NEAR.replace("SELECT x, p", "SELECT y, p"))
    assert call("audit", "near.yaml", "--junit", "out.xml").status == 2
    assert sorted(path.name for path in near.iterdir()) == ["near.yaml", "t.csv"]


def test_all_reports_or_none(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "full").write_text("")
    with pytest.raises(OSError, match="folder"):
        write_files({tmp_path / "one": "text", tmp_path / "folder": "text"})
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_characters_that_xml_has_no_place_for(folder: Path) -> None:
    name = "x\x01\ufffe<&]]>\u202e"
    table = {"who": ["a", "b"], "q": ["1", "2"], "p": ["u", "v"]}
    import pandas as pd  # type: ignore[import-untyped]

    release = deniable.Release(
        table=pd.DataFrame(table).rename(columns={"q": name}),
        name="t",
        identifier="who",
        private="p",
        views={"a": f'SELECT who, "{name}" FROM t', "b": f'SELECT "{name}", p FROM t'},
    )
    text = verdict_junit(deniable.audit(release, breach=0.5))
    told = ElementTree.fromstring(text.encode()).findtext(".//failure") or ""
    assert "x\\x01\ufffd<&]]>\\u202e" in told


def test_a_warning_changes_no_status(near: Path, call: Call) -> None:
    told = call("audit", "near.yaml", "--warn-at", "0.3", "--junit", "out.xml")
    assert told.status == 0
    assert "PASS (warning)" in told.out
    said = "Warning: breach, keyed passes, but its worst, 0.3333, is not below 0.3 (the limit is 0.5)."
    assert said in told.out
    assert "No warning is given of crowd: less is worse there" in told.out
    assert cases()["breach, keyed"].findtext("system-out") == said
    assert cases()["crowd"].find("system-out") is None
    document = json.loads(call("audit", "near.yaml", "--warn-at", "0.3", "--json").out)
    assert (document["verdict"], document["warn_at"]) == ("pass", 0.3)
    assert [check["warning"] for check in document["checks"]] == [True, None]
    assert said in document["reasons"]


@pytest.mark.parametrize(("at", "warned"), [("0.34", False), ("0.3333333333333333", True), ("0.9", False)])
def test_from_where_on_it_warns(at: str, warned: bool, near: Path, call: Call) -> None:
    told = call("audit", "near.yaml", "--warn-at", at)
    assert told.status == 0
    assert ("(warning)" in told.out) is warned
    assert ("No warning can be given at 0.9" in told.out) is (at == "0.9")


def test_what_fails_is_not_warned_of(examples: Path, call: Call) -> None:
    told = call("audit", "patients.yaml", "--warn-at", "0", "--json")
    assert told.status == 1
    assert {check["warning"] for check in json.loads(told.out)["checks"]} == {False}


@pytest.mark.parametrize("at", ["-0.1", "1.1", "nan", "x"])
def test_a_threshold_is_a_share(at: str, near: Path, call: Call) -> None:
    told = call("audit", "near.yaml", "--warn-at", at, "--junit", "out.xml")
    assert told.status == 2
    assert "'--warn-at'" in told.err
    assert not Path("out.xml").exists()
    with pytest.raises(deniable.BadInput, match="warn_at: expected a number from 0 to 1"):
        deniable.audit("near.yaml", warn_at=2)


# Every view is 3-anonymous, and together they are not.

VIEWS = {"survey-by-age.csv": "age", "survey-by-district.csv": "district"}


def rows(file: str) -> list[dict[str, str]]:
    with open(file) as lines:
        return list(csv.DictReader(lines))


@pytest.mark.parametrize(("file", "quasi"), VIEWS.items())
def test_each_view_passes_a_test_of_its_own(file: str, quasi: str, examples: Path, call: Call) -> None:
    shown = sorted((row[quasi], row["result"]) for row in rows("survey.csv"))
    assert sorted((row[quasi], row["result"]) for row in rows(file)) == shown, "the file is the view"
    sizes = Counter(row[quasi] for row in rows(file))
    values = {value: {row["result"] for row in rows(file) if row[quasi] == value} for value in sizes}
    by_hand = min(sizes.values()), min(map(len, values.values()))
    found = json.loads(call("crowds", file, "--private", "result", "--quasi", quasi, "--json").out)
    assert (found["k"], found["values"]) == by_hand == (3, 3)


def test_the_views_together_do_not(examples: Path, call: Call) -> None:
    people = rows("survey.csv")
    where = [(row["age"], row["district"]) for row in people]
    alike = Counter(where)
    possible: dict[int, set[str]] = {i: set() for i in range(len(people))}
    published = {quasi: Counter((row[quasi], row["result"]) for row in rows(file)) for file, quasi in VIEWS.items()}
    for given in set(permutations(row["result"] for row in people[3:])):  # the others' results, by hand
        for first in permutations(row["result"] for row in people[:3]):
            world = (*first, *given)
            if (
                Counter((age, value) for (age, _), value in zip(where, world, strict=True)) == published["age"]
                and Counter((at, value) for (_, at), value in zip(where, world, strict=True)) == published["district"]
            ):
                for i, value in enumerate(world):
                    possible[i].add(value)
    exposed = [people[i]["name"] for i, values in possible.items() if len(values) == 1]
    found = json.loads(call("crowds", "survey.yaml", "--method", "exact", "--json").out)
    assert (found["k"], found["exposed"], found["exact"]) == (min(alike.values()), len(exposed), True)
    assert exposed == ["Ana"]
    assert call("audit", "survey.yaml").status == 1
