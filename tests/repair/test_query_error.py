"""Counts read from a repaired release, beside counts that are read here from its published files."""

from __future__ import annotations

import csv
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings

import deniable
from deniable.analyses.coded import Column
from deniable.analyses.repair.query_error import QUERIES, SELECTIVITY
from deniable.analyses.utility import of_queries
from tests.few import few
from tests.repair.test_repairs import tables

PLAIN = {"people": "SELECT id, age FROM t", "values": "SELECT age, job, problem FROM t"}


def release(table: dict[str, list[Any]]) -> deniable.Release:
    return deniable.Release(
        table=pa.table(table), name="t", identifier="id", private="problem", views=PLAIN,
        require={"breach": {"at_most": 0.5}},
    )  # fmt: skip


def read(found: Any, number: int) -> list[dict[str, str]]:
    """The rows of the view with the private column, as they would be published."""
    with tempfile.TemporaryDirectory() as name:
        found.publish(name, number)
        with (Path(name) / "values.csv").open(encoding="utf-8") as file:
            return list(csv.DictReader(file))


def share(row: dict[str, str], column: str, asked: set[str], cells: list[str]) -> float:
    """Which part of what a row may stand for is asked about, if any cell of the column is as likely."""
    if column in row:
        return float(row[column] in asked)
    band = [name for name in row if name.startswith(f"{column}_")]
    if band:
        low, high = row[band[0]].split("-")
        cells = [cell for cell in cells if int(low) <= int(cell) <= int(high)]
    return sum(cell in asked for cell in cells) / len(cells)


def judged(table: dict[str, list[Any]], rows: list[dict[str, str]], people: int) -> float | None:
    names = ("age", "job", "problem")
    cells = {name: sorted({str(cell) for cell in table[name]}) for name in names}
    columns = [Column(name, tuple(cells[name]), name == "age") for name in names]
    true_rows = [{name: str(table[name][i]) for name in names} for i in range(len(table["id"]))]

    def answer(drawn: Any, truth: Any, told: Any) -> None:
        for q, query in enumerate(drawn):
            asked = {name: {cell for k, cell in enumerate(cells[name]) if query[c, k]} for c, name in enumerate(names)}
            truth[q] = sum(all(row[name] in asked[name] for name in names) for row in true_rows)
            parts = [np.prod([share(row, name, asked[name], cells[name]) for name in names]) for row in rows]
            told[q] = people / len(rows) * sum(parts)

    found = of_queries(columns, SELECTIVITY, QUERIES, np.random.default_rng(1), answer, len(true_rows))
    return found.median_error


@settings(max_examples=few(3, nightly=60))
@given(tables())
def test_what_is_read_from_the_published_views(table: dict[str, list[Any]]) -> None:
    found = deniable.repair(release(table))
    for number, one in enumerate(found.repairs, 1):
        if not one.steps:
            assert one.error is None
            continue
        withheld = 0 if one.withheld is None else one.withheld.num_rows
        expected = judged(table, read(found, number), len(table["id"]) - withheld)
        assert one.error is not None
        assert one.error.median_error == pytest.approx(expected, abs=1e-9)
    found.close()
