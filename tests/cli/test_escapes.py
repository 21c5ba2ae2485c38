"""The terminal obeys nothing that a table, a name or a file holds: escape sequences are shown as they are written."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deniable.words import cell, visible
from tests.cli.conftest import Call

RED, BELL, TURN = "\x1b[31m", "\x07", "\u202e"
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
RELEASE = """\
table: t.csv
identifier: name
private: problem
quasi: [age, job]
{more}"""
VIEWS = """\
views:
  people: SELECT name, age FROM t
  clinic: SELECT age, job, problem FROM t
"""
GROUPS = "published: {people: p.csv, values: v.csv, group: group}\nknowledge: [{given: [age], estimate: true}]\n"
HISTORY = "history: {releases: [r.csv], population: h.csv}\n"


def write(more: str = VIEWS) -> None:
    Path("release.yaml").write_text(RELEASE.format(more=more))
    rows = [f"Bill,30,{RED}job,{RED}HIV{BELL}", f'John,30,job,"{TURN}Cold\x9b31m\rflu\nnext"', "Ann,45,job,Cold"]
    Path("t.csv").write_text("\n".join(["name,age,job,problem", *rows]) + "\n", newline="")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("more", [VIEWS, GROUPS, HISTORY], ids=["views", "groups", "history"])
def test_explain_shows_escapes_as_they_are_written(call: Call, more: str) -> None:
    write(more)
    Path("p.csv").write_text(f"age,job,group\n30,{RED}job,1\n30,job,1\n")
    Path("v.csv").write_text(f"group,problem\n1,{RED}HIV{BELL}\n1,{TURN}Cold\n")
    Path("r.csv").write_text(f"group,problem\n1,{RED}HIV{BELL}\n1,{TURN}Cold\n")
    Path("h.csv").write_text(f"release,group,name,problem\n1,1,Bill,{RED}HIV{BELL}\n1,1,John,{TURN}Cold\n")
    shown = call("explain", "release.yaml", "--who", "Bill")
    assert shown.status == 0, shown.err
    assert not OBEYED.search(shown.out)
    assert "\\x1b[31mHIV\\x07" in shown.out
    told = call("explain", "release.yaml", "--who", "Bill", "--json")
    assert not OBEYED.search(told.out)
    assert "\\u001b[31mHIV\\u0007" in told.out
    assert json.loads(told.out)["who"] == ["Bill"]


@pytest.mark.usefixtures("folder")
def test_a_cell_stays_on_its_line(call: Call) -> None:
    write()
    shown = call("explain", "release.yaml", "--who", "John")
    assert "\\u202eCold\\x9b31m\\x0dflu\\nnext" in shown.out
    assert "\nnext" not in shown.out


@pytest.mark.usefixtures("folder")
def test_names_of_columns_keys_and_files(call: Call) -> None:
    write()
    Path("t.csv").write_text(f"name,{RED}age,job,problem\nBill,30,job,HIV\n")
    told = call("check", "release.yaml").err
    assert "unknown column age; expected a column" in told  # what has such a character may be no name
    assert not OBEYED.search(told)
    assert "31m" not in told
    Path("release.yaml").write_text(f'table: "{RED.encode("unicode_escape").decode()}.csv"\n"\\e[2J": x\n')
    told = call("check", "release.yaml").err
    assert not OBEYED.search(told)
    assert "unknown key \\x1b[2J" in told
    assert "\\x1b[31m.csv: no such file" in told
    assert not OBEYED.search(call("check", f"{RED}.yaml").err)


@given(st.text(st.characters(codec="utf-8", max_codepoint=0x2100)))
def test_whatever_is_shown_is_obeyed_by_nobody(text: str) -> None:
    assert not OBEYED.search(visible(text))
    assert len((cell(text) + "|").splitlines()) == 1


def test_plain_text_stays_as_it_is() -> None:
    assert visible("Zoë 😀\n\tß") == "Zoë 😀\n\tß"
    assert cell(None) == "(null)"
