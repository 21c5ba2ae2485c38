"""`withhold`: people whom no view shows."""

from __future__ import annotations

from pathlib import Path

import pytest

import deniable
from tests.cli.conftest import Call

TABLE = "id,a,p\nann,1,HIV\nbob,1,Flu\ncy,2,Flu\n007,2,Cold\ndi,3,Flu\n"
SPEC = """table: t.csv
identifier: id
private: p
withhold: out.csv
views:
  people: SELECT id, a FROM t
  values: SELECT a, p FROM t
require:
  breach: {at_most: 0.5}
  crowd: {at_least: 2}
"""


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    (tmp_path / "t.csv").write_text(TABLE)
    (tmp_path / "r.yaml").write_text(SPEC)
    return tmp_path / "r.yaml"


def test_withheld_people_are_in_no_view(call: Call, spec: Path) -> None:
    out = spec.parent / "out.csv"
    out.write_text("id\n")
    assert call("audit", str(spec)).status == 1  # di is alone
    out.write_text("id\ndi\n")
    done = call("audit", str(spec))
    assert done.status == 0, done.out + done.err
    assert "4 people" in done.out
    result = deniable.breach(str(spec))
    assert sorted(set(result.table.column("id").to_pylist())) == ["007", "ann", "bob", "cy"]
    out.write_text("id\ndi\n007\n")  # identifiers are text
    assert sorted(set(deniable.breach(str(spec)).table.column("id").to_pylist())) == ["ann", "bob", "cy"]


def test_a_stranger_on_the_list_is_refused_and_not_named(call: Call, spec: Path) -> None:
    (spec.parent / "out.csv").write_text("id\ndi\n7\nSECRET\n")
    for command in ("audit", "check", "breach", "crowds"):
        done = call(command, str(spec))
        assert done.status == 2
        assert "r.yaml:4:11: withhold: expected people whom t.csv has; found 2 people whom it has not" in done.err
        assert "SECRET" not in done.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name\ndi\n", "expected the column id"),
        ("id\ndi\nann\nbob\ncy\n007\n", "expected somebody who is not withheld; found nobody"),
        (None, "no such file"),
    ],
)
def test_a_list_that_cannot_be_is_one_line(call: Call, spec: Path, text: str | None, said: str) -> None:
    if text is not None:
        (spec.parent / "out.csv").write_text(text)
    done = call("audit", str(spec))
    assert (done.status, done.out) == (2, "")
    assert said in done.err
