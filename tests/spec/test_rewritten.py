"""A release file with some keys changed."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from deniable.release import Coarser
from deniable.spec.rewritten import coarser_keys, rewritten

SAME = Path(), Path()
TEXT = """# ours
table: "data/t.csv"   # the table
views:
  # two
  a: SELECT x FROM t
  b: >
    SELECT y
    FROM t
# and what we ask
require:
  breach: {at_most: 0.5}
generalize: {zip: levels.csv}
knowledge:
  - {given: [x], file: k.csv}
"""


def test_what_is_not_changed_stays_as_it_was_written() -> None:
    text = rewritten(TEXT, {"views": {"a": "SELECT z FROM t"}, "withhold": "w.csv", "columns": None}, ["new"], SAME)
    assert text == "# new\n" + TEXT.replace(
        TEXT[TEXT.index("views") : TEXT.index("# and")], "views:\n  a: SELECT z FROM t\n"
    ) + "withhold: w.csv\n"  # fmt: skip


def test_paths_start_from_the_new_folder() -> None:
    text = rewritten(TEXT, {}, [], (Path("x"), Path("x/y")))
    found = yaml.safe_load(text)
    assert found["table"] == "../data/t.csv"
    assert found["generalize"] == {"zip": "../levels.csv"}
    assert found["knowledge"] == [{"given": ["x"], "file": "../k.csv"}]
    assert "# the table" in text


def test_a_key_is_taken_away_and_braces_are_opened() -> None:
    assert rewritten("table: t\nwithhold: w\nname: n\n", {"withhold": None}, [], SAME) == "table: t\nname: n\n"
    told = rewritten('{"table": "t", "views": {"a": "b"}}', {"withhold": "w"}, [], SAME)
    assert yaml.safe_load(told) == {"table": "t", "views": {"a": "b"}, "withhold": "w"}


@pytest.mark.parametrize(
    "text",
    [
        "  table: t\n  views:\n    a: b\n",
        "table: t\n? views\n: a: b\n",
        "table: t\nviews: {a: b}\n...\n",
        "table: t\nviews: &v {a: b}\nsecret: *v\n",
        "table: &t t\nname: *t\nviews: {a: b}\n",
        "--- {table: t, views: {a: b}}\n",
        "{table: t, views: {a: b}, domain: [x, null, 'null', ~, 007, '']}",
        "table: t\n'views': !!map\n  a: b\n",
    ],
    ids=[
        "indented",
        "explicit key",
        "ended",
        "alias of views",
        "alias of a path",
        "on the first line",
        "nulls",
        "tagged",
    ],
)
@pytest.mark.parametrize("moved", [SAME, (Path("x"), Path("x/y"))])
def test_however_it_is_written(text: str, moved: tuple[Path, Path]) -> None:
    before = yaml.safe_load(text)
    columns = {"c": {"of": "a", "width": 10}}
    found = yaml.safe_load(rewritten(text, {"views": {"a": "c"}, "columns": columns}, ["new"], moved))
    paths = {key: f"../{before[key]}" for key in ("table",) if moved != SAME}
    assert found == {**before, **paths, "views": {"a": "c"}, "columns": columns}


def test_a_remark_stays_on_its_line() -> None:
    text = rewritten("table: t\n", {}, ["leave a\nname: x\u2028y\x1b\0 out"], SAME)
    assert yaml.safe_load(text) == {"table": "t"}
    assert len(text.splitlines()) == 2


def test_paths_behind_links(tmp_path: Path) -> None:
    (tmp_path / "far" / "away").mkdir(parents=True)
    (tmp_path / "near").symlink_to(tmp_path / "far" / "away")
    found = yaml.safe_load(rewritten("table: t.csv\n", {}, [], (tmp_path, tmp_path / "near")))
    (tmp_path / "t.csv").touch()
    assert (tmp_path / "near" / found["table"]).is_file()


words = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=12)


@given(st.dictionaries(words, words, min_size=1, max_size=3), words)
def test_whatever_the_names(views: dict[str, str], name: str) -> None:
    text = rewritten(TEXT, {"views": views, "withhold": name}, [], SAME)
    found = yaml.safe_load(text)
    assert (found["views"], found["withhold"]) == (views, name)
    assert found["require"] == {"breach": {"at_most": 0.5}}


@pytest.mark.parametrize(
    ("one", "told"),
    [
        (Coarser("a", width=Decimal(10), start=Decimal(5)), {"of": "a", "width": 10, "from": 5}),
        (Coarser("a", width=Decimal("0.5")), {"of": "a", "width": 0.5}),
        (Coarser("a", hierarchy="l.csv", level=2), {"of": "a", "hierarchy": "../l.csv", "level": 2}),
        (Coarser("a", part="year"), {"of": "a", "part": "year"}),
    ],
)
def test_coarser_columns_as_a_file_has_them(one: Coarser, told: dict[str, object]) -> None:
    assert coarser_keys({"b": one}, (Path("x"), Path("x/y"))) == {"b": told}
    assert coarser_keys({}, SAME) is None
