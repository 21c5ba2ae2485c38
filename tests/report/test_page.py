"""A page is one file that asks for nothing, runs nothing, names nobody unless asked to, and is the same every time."""

from __future__ import annotations

import json
import re
import stat
from base64 import b64encode
from hashlib import sha256
from html import unescape
from itertools import pairwise
from pathlib import Path

import pytest

import deniable
from deniable.examples import write_examples
from deniable.report.page.audit import audit_page
from tests.cli.conftest import Call, call, examples, folder  # noqa: F401
from tests.report.odd import BRACES, RIGHT, SCRIPT, WHAT, WHO, odd_verdict, page_of
from tests.report.test_markup import Read

MOST = 300_000  # bytes


def undated(page: str) -> str:
    return re.sub(r"<time[^>]*>[^<]*</time>", "", page)


@pytest.mark.parametrize("reveal", [False, True], ids=["masked", "revealed"])
def test_nothing_runs_and_nothing_is_asked_for(reveal: bool) -> None:
    page = page_of(odd_verdict(reveal=reveal))
    read = Read(page)
    assert {"script", "link", "img", "iframe", "object", "form", "base"} & set(read.tags) == set()
    assert not re.search(r"<[^>]+\s(style|on\w+|src|srcset)=", page)
    assert re.findall(r"url\(|@import|https?://", page.replace("http://www.w3.org/2000/svg", "")) == []
    assert all(target.startswith("#") for target in re.findall(r'href="([^"]*)"', page))


def test_the_policy_allows_this_style_and_nothing_else() -> None:
    page = page_of(odd_verdict(reveal=False))
    style = page[page.index("<style>") + 7 : page.index("</style>")]
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert f"default-src &#x27;none&#x27;; style-src &#x27;sha256-{digest}&#x27;" in page
    assert page.count("<style>") == 1


def test_names_and_values_are_there_only_if_they_are_asked_for() -> None:
    """Whole cells may be cut, so that of each its beginning is looked for."""
    masked, revealed = (unescape(page_of(odd_verdict(reveal=reveal))) for reveal in (False, True))
    beginnings = {cell[:8] for cell in (*WHO, *WHAT)}
    assert {cell for cell in beginnings if cell in masked} == set()
    assert len({cell for cell in beginnings if cell in revealed}) >= 6
    assert all(cell[:8] in revealed for cell in (SCRIPT, BRACES, RIGHT))
    assert "this page names people" in revealed


def test_every_target_of_a_link_is_there_once() -> None:
    page = page_of(odd_verdict(reveal=False))
    names = re.findall(r'\sid="([^"]*)"', page)
    assert len(names) == len(set(names))
    assert set(re.findall(r'href="#([^"]*)"', page)) <= set(names)
    assert {name for told in re.findall(r'aria-labelledby="([^"]*)"', page) for name in told.split()} <= set(names)


def test_headings_are_in_order() -> None:
    levels = [int(tag[1]) for tag in Read(page_of(odd_verdict(reveal=False))).tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_two_runs_give_the_same_page(examples: Path, call: Call) -> None:  # noqa: F811
    pages = []
    for _ in range(2):
        assert call("audit", "hospital.yaml", "--html", "report.html").status == 1
        pages.append(Path("report.html").read_text())
    assert undated(pages[0]) == undated(pages[1])
    assert "<time" in pages[0]
    assert len(pages[0].encode()) <= MOST


def test_a_report_is_a_private_file_and_beside_a_document(examples: Path, call: Call) -> None:  # noqa: F811
    Path("report.html").write_text("older")
    Path("report.html").chmod(0o644)
    told = call("audit", "patients.yaml", "--html", "report.html", "--json")
    assert told.status == 1
    assert json.loads(told.out)["verdict"] == "fail"
    assert stat.S_IMODE(Path("report.html").stat().st_mode) == 0o600
    assert "Do not publish patients.csv as it is" in Path("report.html").read_text()
    assert call("audit", "patients.yaml", "--html", "report.html").out.endswith("wrote report.html\n")


WRONG = {
    "audit patients.yaml --html report.txt": "expected a path that ends in .html",
    "audit patients.yaml --html nowhere/report.html": "expected a path in a folder that exists",
    "audit patients.yaml --reveal": "expected --html or --json beside it",
    "audit broken.yaml --html report.html": "expected",
    "audit here.html --html here.html": "expected a file that this command does not read",
    "republish quarter1.yaml --begin --out q1 --html q1/report.html": "outside of q1, which is published",
    "repair patients.yaml --write-views v --html v/report.html": "outside of v, which is published",
}


@pytest.mark.parametrize("command", WRONG)
def test_mistakes_leave_no_report(command: str, examples: Path, call: Call) -> None:  # noqa: F811
    Path("broken.yaml").write_text("table: patients.csv\nviews: 7\n")
    Path("here.html").write_text(Path("patients.yaml").read_text())
    Path("q1").mkdir()
    Path("v").mkdir()
    before = sorted(examples.rglob("*"))
    told = call(*command.split())
    assert told.status == 2
    assert WRONG[command] in told.err
    assert sorted(examples.rglob("*")) == before


def test_a_repair_that_is_not_found_leaves_no_report(folder: Path, call: Call) -> None:  # noqa: F811
    Path("t.csv").write_text("name,j,problem\na,1,x\nb,1,x\n")
    release = "table: t.csv\nidentifier: name\nprivate: problem\nviews: {v: 'SELECT name, problem FROM t'}\n"
    Path("r.yaml").write_text(f"{release}require: {{crowd: {{at_least: 5}}}}\n")
    assert call("repair", "r.yaml", "--html", "report.html").status == 1
    assert not Path("report.html").exists()


def test_where_it_comes_from(examples: Path, call: Call) -> None:  # noqa: F811
    call("audit", "patients.yaml", "--html", "report.html")
    text = Read(Path("report.html").read_text()).text
    for name in ("patients.yaml", "patients.csv"):
        assert sha256(Path(name).read_bytes()).hexdigest() in text
    assert deniable.__version__ in text
    assert "The table has 5 rows of 5 people." in text


def test_verdicts_in_one_sentence(tmp_path: Path) -> None:
    write_examples(tmp_path)
    said = {
        "patients.yaml": "whoever has the files can be more than half sure of the problem of 2 of 5 people, "
        "and certain of each.",
        "clinic.yaml": "somebody with a register finds 2 of 12 people in crowds of fewer than 2.",
        "ward.yaml": "somebody who knows the statistics can be more than half sure of the disease of 2 of 4 people.",
    }
    for name, sentence in said.items():
        found = audit_page(deniable.audit(tmp_path / name)).sentence
        assert found == f"Do not publish {name.replace('yaml', 'csv')} as it is: {sentence}"
    many = audit_page(deniable.audit(tmp_path / "patients.yaml", breach=0.5, crowd=5))  # all are in smaller crowds
    assert many.sentence == f"Do not publish patients.csv as it is: {said['patients.yaml']}"
    passing = audit_page(deniable.audit(tmp_path / "patients.yaml", breach={"at_most": 1, "adversaries": ["keyed"]}))
    assert (passing.status, passing.sentence) == (
        "pass",
        "The check of patients.csv passes: of 5 people, nobody is beyond a limit that was set, although 2 can be known "
        "beyond doubt: the limits allow it.",
    )  # fmt: skip


def test_the_exposure_over_releases_is_drawn(examples: Path, call: Call) -> None:  # noqa: F811
    for quarter, begin in (("1", ["--begin"]), ("2", [])):
        told = call("republish", f"quarter{quarter}.yaml", "--out", f"q{quarter}", "--html", "report.html", *begin)
        assert told.status == 0, told.err
    assert Path("report.html").read_text().count('class="mark point') == 2
    release = Path("quarter2.yaml").read_text()
    Path("again.yaml").write_text(f"{release}require: {{history: {{exposed_at_most: 0.5, known: 0}}}}\n")
    assert call("audit", "again.yaml", "--html", "audit.html").status == 0
    assert Path("audit.html").read_text().count('class="mark point') == 2
