"""What a re-published release expects of COUNT queries, against a reader of its files that shares no code with it."""

from __future__ import annotations

import csv
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import deniable
from deniable.analyses import generalized
from deniable.engines import open_engine
from deniable.engines.scope import Scope
from tests.few import few
from tests.history.again import republish

AGES, ZIPS, DAYS = ("20", "30", "41", "7"), ("101", "102", "201", ""), ("2020-01-01", "2021-05-06")
LEVELS = "zip,region\n101,north\n102,north\n201,south\n,south\n"


@st.composite
def tables(draw: st.DrawFn) -> str:
    """Twelve to twenty people, every problem at most a third of them."""
    size = draw(st.integers(4, 7))
    lines = ["name,age,zip,day,kind,problem"]
    for k, problem in enumerate("abc" * size):
        kind = draw(st.sampled_from(["x", "y|z", "y\\", "", '"q"']))
        cells = [draw(st.sampled_from(AGES)), draw(st.sampled_from(ZIPS)), draw(st.sampled_from(DAYS)), kind]
        quoted = ['"' + cell.replace('"', '""') + '"' if cell in ("", '"q"') else cell for cell in cells]
        lines.append(",".join([f"p{k}", *quoted, problem]))
    return "\n".join(lines) + "\n"


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def parts(text: str) -> list[str]:
    """A set's members: split at every | that no backslash stands before."""
    marked = text.replace("\\\\", "\x00").replace("\\|", "\x01")
    return [part.replace("\x01", "|").replace("\x00", "\\") for part in marked.split("|")]


def judged(folder: Path, table: list[dict[str, str]], asked: dict[str, set[str]]) -> float:
    """The sum over rows of the chance that a person behind the row matches."""
    fakes = {row["group"]: int(row["count"]) for row in read_csv(folder / "counterfeits.csv")}
    rows = read_csv(folder / "release.csv")
    size = {row["group"]: sum(other["group"] == row["group"] for other in rows) for row in rows}
    total = 0.0
    for row in rows:
        share = 1 - fakes.get(row["group"], 0) / size[row["group"]]
        inside = {
            "age": {
                a for a in {t["age"] for t in table} if float(row["age_low"]) <= float(a) <= float(row["age_high"])
            },
            "day": {d for d in {t["day"] for t in table} if row["day_low"] <= d <= row["day_high"]},
            "kind": set(parts(row["kind"])),
            "zip": {
                z
                for z in {t["zip"] for t in table}
                for label in row["zip"].split("|")
                if label in (z, "north" if z in ("101", "102") else "south")
            },
        }
        for name, values in inside.items():
            share *= len(values & asked[name]) / len(values)
        total += share * (row["problem"] in asked["problem"])
    return total


@settings(max_examples=few(6, nightly=60))  # releases, of which several queries are asked
@given(text=tables(), data=st.data())
def test_expected_counts(text: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("release")
    (folder / "t.csv").write_text(text)
    (folder / "levels.csv").write_text(LEVELS.replace("\n,", '\n"",'))
    release = deniable.Release(
        table=str(folder / "t.csv"), identifier="name", quasi=["age", "zip", "day", "kind"], private="problem",
        republish={"m": 2, "n": 1}, ledger=str(folder / "l"), generalize={"zip": str(folder / "levels.csv")},
    )  # fmt: skip
    republish(release, folder / "out", audit=False, seed=1)
    table = read_csv(folder / "t.csv")
    engine = open_engine()
    found = generalized.read(release, folder / "out", Scope(engine))
    engine.close()
    names = ("age", "zip", "day", "kind", "problem")
    queries = [
        {
            name: set(data.draw(st.lists(st.sampled_from(sorted({t[name] for t in table})), min_size=1, unique=True)))
            for name in names
        }
        for _ in range(4)
    ]
    width = max(len(column.values) for column in found.columns)
    drawn = np.zeros((len(queries), len(names), width), np.bool_)
    for q, asked in enumerate(queries):
        for c, column in enumerate(found.columns):
            for code, value in enumerate(column.values):
                drawn[q, c, code] = value in asked[column.name]
    wanted = [judged(folder / "out", table, asked) for asked in queries]
    assert generalized.expected(found, drawn) == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("text", ["", "a", "a|b", "a\\|b", "\\\\|", "a\\\\\\|b|c"])
def test_sets_are_split_as_the_judge_does(text: str) -> None:
    assert generalized.split(text) == parts(text)


def test_every_set_is_read_back() -> None:
    for cells in product(["a", "|", "\\", "", "a|b\\"], repeat=3):
        text = "|".join(cell.replace("\\", "\\\\").replace("|", "\\|") for cell in cells)
        assert generalized.split(text) == list(cells)
