"""Coarser columns end to end, against the judge that lists the private tables over a small domain.

The column c is a small whole number, bands are 2, 3 and 4 wide, and the judge tries every c from -8 to 20, far enough
around what the tables hold. What each view tells is written down by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import deniable
from deniable.analyses.breach import cut_groups
from deniable.analyses.explain import Explanation
from deniable.worlds.judges.coarser import Judged, Published, TooMany, judged
from deniable.worlds.views.covers import exactly

some = settings(max_examples=settings().max_examples * 4 // 10)
Function = Callable[[Any], Hashable]
CELLS: dict[str, st.SearchStrategy[Hashable]] = {
    "id": st.sampled_from(["ann", "bob", "cy", None]),
    "c": st.sampled_from([0, 1, 2, 3, 4, 5, 7, None]),
    "z": st.sampled_from(["ab", "ac", "bb", "b", None]),
    "p": st.sampled_from([1, 2, 3, 5, None]),
    "y": st.sampled_from(["u", "v"]),
}
DOMAINS: dict[str, list[Hashable]] = {
    "c": [*range(-8, 21), None],
    "z": [one + two for one in ("a", "b", "d", "") for two in ("a", "b", "c", "") if one or not two] + [None],
    "p": [*range(-8, 21), None],
}
TYPES = {"c": pa.int64(), "p": pa.int64()}
LEVELS = "z,half,all\nab,A,x\nac,A,x\nbb,B,x\nb,C,y\nca,C,y\n"
LABELS = {"ab": ("A", "x"), "ac": ("A", "x"), "bb": ("B", "x"), "b": ("C", "y"), "ca": ("C", "y")}


def of(function: Function) -> Function:
    return lambda cell: None if cell is None else function(cell)


def band(width: int, start: int = 0) -> Function:
    def label(cell: int) -> str:
        low = (cell - start) // width * width + start
        return f"{low}-{low + width - 1}"

    return of(label)


# Each coarser column: as a release says it, and as the judge computes it.
COLUMNS: dict[str, tuple[dict[str, Any], Function]] = {
    "two": ({"of": "c", "width": 2}, band(2)),
    "odd": ({"of": "c", "width": 2, "from": 1}, band(2, 1)),
    "three": ({"of": "c", "width": 3}, band(3)),
    "four": ({"of": "c", "width": 4}, band(4)),
    "top": ({"of": "c", "cap": 4}, of(lambda cell: "4+" if cell >= 4 else str(cell))),
    "low": ({"of": "c", "cap": 2}, of(lambda cell: "2+" if cell >= 2 else str(cell))),
    "one": ({"of": "z", "prefix": 1}, of(lambda cell: cell[:1])),
    "half": ({"of": "z", "hierarchy": "levels.csv", "level": 1}, of(lambda cell: LABELS[cell][0])),
    "whole": ({"of": "z", "hierarchy": "levels.csv", "level": 2}, of(lambda cell: LABELS[cell][1])),
    "pay2": ({"of": "p", "width": 2}, band(2)),
    "pay4": ({"of": "p", "width": 4}, band(4)),
}


@dataclass(frozen=True)
class Shape:
    """Views, the columns that both of two tell, what stands for the private column, and how rows are chosen."""

    views: tuple[tuple[str, ...], ...]
    told: tuple[str, ...] = ()
    private: str = "p"
    where: str = ""
    meets: Callable[[Any], bool] = field(default=bool)


SHAPES = {
    "a column beside its band": Shape((("id", "c"), ("two", "p")), ("two",)),
    "a band beside its column": Shape((("id", "two"), ("c", "y", "p")), ("two",)),
    "a band of a band": Shape((("id", "two"), ("four", "p")), ("four",)),
    "a band of a band, the other way": Shape((("id", "four"), ("two", "p")), ("four",)),
    "a cap below a cap": Shape((("id", "top"), ("low", "p")), ("low",)),
    "a prefix": Shape((("id", "z"), ("one", "p")), ("one",)),
    "a level of a level": Shape((("id", "half"), ("whole", "p")), ("whole",)),
    "a column beside a level": Shape((("id", "whole"), ("z", "p")), ("whole",)),
    "private, coarser": Shape((("id", "two"), ("two", "pay2")), ("two",), "pay2"),
    "private, and a band of it": Shape((("id", "pay4"), ("y", "p")), ("pay4",)),
    "private, two bands of it": Shape((("id", "pay4"), ("pay2", "y")), ("pay4",), "pay2"),
    "private, read off": Shape((("id", "pay2", "c"), ("four", "y")), ("four",), "pay2"),
    "both bands in one view": Shape((("id", "two", "three"), ("four", "two", "p")), ("four", "two")),
    "a condition on the column": Shape(
        (("id", "two"), ("four", "p")), ("four",), "p", "c > 1", lambda row: (row["c"] or 0) > 1
    ),
    "a condition beside the column": Shape(
        (("id", "c"), ("two", "p")), ("two",), "p", "c <> 3", lambda row: row["c"] not in (3, None)
    ),
    "bands that overlap": Shape((("id", "two"), ("three", "p"))),
    "bands that overlap, and more": Shape((("id", "two", "y"), ("three", "y", "p")), ("y",)),
    "bands moved by half": Shape((("id", "two"), ("odd", "p"))),
    "a band and a cap": Shape((("id", "three"), ("top", "p"))),
    "overlapping under a condition": Shape(
        (("id", "two"), ("three", "p")), (), "p", "c < 2 OR c >= 5",
        lambda row: row["c"] is not None and (row["c"] < 2 or row["c"] >= 5),
    ),
    "a prefix and a level": Shape((("id", "one"), ("half", "p"))),
    "overlapping, read off": Shape((("id", "two", "p"), ("three", "y"))),
    "overlapping, private coarser": Shape((("id", "two"), ("three", "pay2")), (), "pay2"),
    "overlapping, with the identifier": Shape((("id", "two"), ("id", "three", "p")), ("id",)),
    "three views": Shape((("id", "two"), ("four", "y"), ("y", "p"))),
    "three that overlap": Shape((("id", "two"), ("odd", "y"), ("three", "p"))),
    "three, one in between": Shape((("id", "two"), ("c", "y"), ("three", "p"))),
    "contained": Shape((("id", "c"), ("two",), ("four", "p")), ("four",)),
}  # fmt: skip


def release_of(rows: list[dict[str, Any]], shape: Shape, distinct: tuple[bool, ...], folder: Path) -> deniable.Release:
    names = sorted({name for row in rows for name in row})
    table = pa.table({name: pa.array([row[name] for row in rows], TYPES.get(name, pa.string())) for name in names})
    where = f" WHERE {shape.where}" if shape.where else ""
    said = ["DISTINCT " if once else "" for once in distinct]
    views = {f"v{i}": f"SELECT {said[i]}{', '.join(view)} FROM t{where}" for i, view in enumerate(shape.views)}
    used = {name for view in shape.views for name in view}
    columns = {
        name: {key: str(folder / cell) if key == "hierarchy" else cell for key, cell in told.items()}
        for name, (told, _) in COLUMNS.items()
        if name in used
    }
    return deniable.Release(table=table, name="t", identifier="id", private="p", views=views, columns=columns)


def truth(rows: list[dict[str, Any]], shape: Shape, distinct: tuple[bool, ...]) -> Judged:
    used = {name for view in shape.views for name in view}
    functions = {name: (told["of"], function) for name, (told, function) in COLUMNS.items() if name in used}
    names = sorted({name for row in rows for name in row})
    domains = {name: DOMAINS.get(name) or list(dict.fromkeys(row[name] for row in rows)) for name in names}
    if {"half", "whole"} & used:
        domains["z"] = [*LABELS, None]
    release = Published(
        rows, domains, functions, shape.views, "id", shape.private, shape.meets, distinct, shape.told
    )  # fmt: skip
    return judged(release)


def answers(release: deniable.Release, private: str) -> Mapping[tuple[Hashable, Hashable], dict[str, dict[str, Any]]]:
    found: dict[tuple[Hashable, Hashable], dict[str, dict[str, Any]]] = {}
    for row in deniable.breach(release, pairs="all").table.to_pylist():
        found.setdefault((row["id"], row[private]), {})[row["adversary"]] = row
    return found


def agree(row: dict[str, Any], wanted: Fraction | None, *, certainly: bool) -> None:
    """The exact number, or an interval that holds it; not answered only where it need not be."""
    if row["bound"] is None:
        assert not certainly
    elif wanted is None:
        assert row["probability"] is None
    elif row["bound"] == "exact":
        assert row["probability"] == float(wanted)
    else:
        assert Fraction(row["lower"]) <= wanted <= Fraction(row["upper"])


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, list[dict[str, Any]], tuple[bool, ...]]:
    name = draw(st.sampled_from(sorted(SHAPES)))
    shape = SHAPES[name]
    used = {COLUMNS[c][0]["of"] if c in COLUMNS else c for view in shape.views for c in view} | {"p"}
    used |= {"c"} if "c" in shape.where else set()
    rows = draw(st.lists(st.fixed_dictionaries({c: CELLS[c] for c in sorted(used)}), min_size=1, max_size=5))
    if draw(st.booleans()):  # everybody once, as in most tables
        rows = [{**row, "id": str(i)} for i, row in enumerate(rows)]
    assume(any(shape.meets(row) for row in rows))
    return name, rows, draw(st.tuples(*(st.booleans() for _ in shape.views)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("levels")
    (made / "levels.csv").write_text(LEVELS)
    return made


def compare(name: str, rows: list[dict[str, Any]], distinct: tuple[bool, ...], folder: Path) -> None:
    shape = SHAPES[name]
    try:
        wanted = truth(rows, shape, distinct)
    except TooMany:
        assume(False)
    found = answers(release_of(rows, shape, distinct, folder), shape.private)
    assert set(found) == set(wanted)
    for pair, row in found.items():
        for adversary, probability in wanted[pair].items():
            if adversary in row:
                agree(row[adversary], probability, certainly=len(shape.views) == 2 or adversary != "bag")
        assert {"unrestricted", "restricted"} <= set(row)
        if len(shape.views) == 2:
            assert {"keyed", "counted"} <= set(row)


@some
@given(cases())
def test_every_adversary_is_the_judges(folder: Path, case: tuple[str, list[dict[str, Any]], tuple[bool, ...]]) -> None:
    compare(*case, folder)


def of_table(columns: dict[str, Any], views: dict[str, str], cells: dict[str, Any], **more: Any) -> deniable.Release:
    return deniable.Release(
        table=pa.table(cells), name="t", identifier="id", private="p", views=views, columns=columns, **more
    )


TENS = {"ten": {"of": "c", "width": 10}, "fifteen": {"of": "c", "width": 15}}
OVERLAPPING = {"people": "SELECT id, ten FROM t", "values": "SELECT fifteen, p FROM t"}


def chance(release: deniable.Release, person: str, value: Hashable, adversary: str, private: str = "p") -> Any:
    row = answers(release, private)[person, value][adversary]
    return row["probability"], row["bound"]


def test_bands_that_overlap_rule_out_what_no_value_has() -> None:
    """A in [0,10) and B in [10,20) beside p in [0,15) and q in [15,30): the closed form would say 1/2."""
    release = of_table(TENS, OVERLAPPING, {"id": ["A", "B"], "c": [5, 17], "p": ["p", "q"]})
    assert chance(release, "B", "q", "keyed") == (1.0, "exact")
    assert chance(release, "B", "p", "keyed") == (0.0, "exact")
    assert ("A", "q") not in answers(release, "p")
    shown = deniable.explain(release, "B")
    assert isinstance(shown, Explanation)
    explained = shown.probabilities
    assert explained["q"]["keyed"] == explained["q"]["restricted"] == exactly(Fraction(1))
    assert explained["p"]["unrestricted"] is not None
    assert explained["p"]["unrestricted"].exact == Fraction(1, 2)


def test_bands_moved_by_half_tell_less_than_both() -> None:
    """2 and 3 are in one band of two, and apart in bands that begin at 1: who shows the one does not tell the other."""
    columns = {name: COLUMNS[name][0] for name in ("two", "odd")}
    views = {"people": "SELECT id, two FROM t", "values": "SELECT odd, p FROM t"}
    release = of_table(columns, views, {"id": ["A", "B"], "c": [2, 3], "p": ["p", "q"]})
    assert set(answers(release, "p")) == {("A", "p"), ("A", "q"), ("B", "p"), ("B", "q")}
    assert chance(release, "A", "q", "keyed") == (0.5, "exact")


def test_a_cap_tells_lower_ones_only() -> None:
    columns = {name: COLUMNS[name][0] for name in ("top", "low")}
    views = {"people": "SELECT id, top FROM t", "values": "SELECT low, p FROM t"}
    cells = {"id": ["A", "B", "C"], "c": [2, 3, 1], "p": ["p", "q", "r"]}
    found = {("A", "p"), ("A", "q"), ("B", "p"), ("B", "q"), ("C", "r")}
    assert set(answers(of_table(columns, views, cells), "p")) == found


def test_a_condition_says_which_values_there_are() -> None:
    """[10,20) meets [0,15) from 10 to 14 only, which the condition shuts out."""
    cells = {"id": ["A", "B", "C"], "c": [5, 17, 16], "p": ["p", "q", "q"]}
    only_13 = "c NOT BETWEEN 10 AND 12 AND c <> 14"
    shut = "c NOT BETWEEN 10 AND 12 AND c NOT IN (13, 14)"
    for where, possible in (("c <> 12", True), ("c < 10 OR c > 14", False), (only_13, True), (shut, False)):
        views = {name: f"{sql} WHERE {where}" for name, sql in OVERLAPPING.items()}
        assert (("B", "p") in answers(of_table(TENS, views, cells), "p")) is possible, where


def test_whole_numbers_have_nothing_between_them() -> None:
    """[2.5,5) and [4.2,8.4) meet, but in no whole number below 5 beside 4, which is below 4.2."""
    bands = {"ten": {"of": "c", "width": 2.5}, "fifteen": {"of": "c", "width": 4.2}}
    cells: dict[str, Any] = {"id": ["A", "B"], "c": [3, 6], "p": ["p", "q"]}
    assert ("A", "q") not in answers(of_table(bands, OVERLAPPING, cells), "p")
    cells["c"] = [3.0, 6.0]
    assert ("A", "q") in answers(of_table(bands, OVERLAPPING, cells), "p")
    cells["c"] = pa.array([Decimal("3.0"), Decimal("6.0")], pa.decimal128(5, 1))
    assert ("A", "q") in answers(of_table(bands, OVERLAPPING, cells), "p")  # 4.2 itself


def test_a_week_is_in_two_months_or_in_one() -> None:
    days = [date(2024, 1, 30), date(2024, 2, 14), date(2024, 2, 28)]
    parts = {"ten": {"of": "c", "part": "week"}, "fifteen": {"of": "c", "part": "month"}}
    found = answers(of_table(parts, OVERLAPPING, {"id": ["A", "B", "C"], "c": days, "p": ["p", "q", "r"]}), "p")
    assert {pair for pair in found if pair[0] == "A"} == {
        ("A", "p"),
        ("A", "q"),
        ("A", "r"),
    }  # 29 January to 4 February
    assert {pair for pair in found if pair[0] == "B"} == {("B", "q"), ("B", "r")}
    moments = [datetime(2024, 1, 30, 5), datetime(2024, 2, 14, 6), datetime(2024, 2, 28, 7)]
    year = {"ten": {"of": "c", "part": "hour"}, "fifteen": {"of": "c", "part": "month"}}
    release = of_table(year, OVERLAPPING, {"id": ["A", "B", "C"], "c": moments, "p": ["p", "q", "r"]})
    assert deniable.breach(release).plan.join == ("fifteen",)  # an hour says its month
    assert set(answers(release, "p")) == {("A", "p"), ("B", "q"), ("B", "r"), ("C", "q"), ("C", "r")}


def test_doubles_are_in_the_bands_that_people_write() -> None:
    tenths = {"ten": {"of": "c", "width": 0.1}, "fifteen": {"of": "c", "width": 0.3}}
    cells = {"id": ["A", "B", "C"], "c": [0.3, 0.6, 0.9], "p": ["p", "q", "r"]}
    release = of_table(tenths, OVERLAPPING, cells)
    assert deniable.breach(release).plan.join == ("fifteen",)
    assert set(answers(release, "p")) == {("A", "p"), ("B", "q"), ("C", "r")}


def test_the_private_column_is_answered_as_it_is_published() -> None:
    views = {"people": "SELECT id, y FROM t", "values": "SELECT y, pay4, pay2 FROM t"}
    cells = {"id": ["A", "B"], "y": ["u", "u"], "p": [1, 6]}
    columns = {name: COLUMNS[name][0] for name in ("pay2", "pay4")}
    release = of_table(columns, views, cells, secret="SELECT id, p FROM t WHERE p > 5")
    table = deniable.breach(release).table
    assert table.column_names[:3] == ["id", "pay2", "adversary"]
    assert {(row["id"], row["pay2"]) for row in table.to_pylist()} == {("B", "6-7")}
    assert deniable.audit(release).findings[0].of == 2


def test_a_join_that_is_cut_and_large_is_answered_where_that_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is told a number that was not counted: keyed stays open for most, and so does the audit."""
    monkeypatch.setattr(cut_groups, "ALL_STEPS", cut_groups.ALL_STEPS // 30)  # it is given up all the same, but sooner
    ages = [17 + i * 7 % 70 for i in range(400)]
    cells = {"id": [f"P{i}" for i in range(400)], "c": ages, "p": [f"v{i * 13 % 11}" for i in range(400)]}
    release = of_table(TENS, OVERLAPPING, cells, require={"breach": {"at_most": 0.9, "adversaries": ["keyed"]}})
    result = deniable.breach(release)
    tallies = {tally.adversary: tally for tally in result.tallies}
    assert tallies["restricted"].unanswered == tallies["unrestricted"].unanswered == 0
    assert tallies["keyed"].unanswered > 300
    verdict = deniable.audit(release)
    assert not verdict
    assert verdict.findings[0].undecided == tallies["keyed"].unanswered
    shown = deniable.explain(release, "P3")
    assert isinstance(shown, Explanation)
    assert shown.unanswered == {"keyed", "counted", "bag"}
    assert "keyed, not answered: views show bands" in str(shown)
    assert "no world" not in str(shown)


def test_how_many_rows_people_have_is_faced_where_they_repeat() -> None:
    cells: dict[str, Any] = {"id": ["A", "B", "A"], "c": [5, 17, 5], "p": ["p", "q", "r"]}
    assert "counted" in deniable.breach(of_table(TENS, OVERLAPPING, cells)).facing
    cells["id"] = ["A", "B", "C"]
    assert "counted" not in deniable.breach(of_table(TENS, OVERLAPPING, cells)).facing


def test_a_hierarchy_lists_its_values() -> None:
    """No value of the file begins with b and is an A, so nobody in A has what those with b have."""
    cells = {"id": ["A", "B"], "z": ["ab", "bb"], "p": ["p", "q"]}
    views = {"people": "SELECT id, one FROM t", "values": "SELECT half, p FROM t"}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "levels.csv"
        path.write_text(LEVELS)
        columns = {"one": COLUMNS["one"][0], "half": {**COLUMNS["half"][0], "hierarchy": str(path)}}
        assert set(answers(of_table(columns, views, cells), "p")) == {("A", "p"), ("B", "q")}
        path.write_text(f"{LEVELS}ad,B,x\n")  # now one does
        assert ("A", "q") in answers(of_table(columns, views, cells), "p")
