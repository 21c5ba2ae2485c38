"""What the bytes of a release say: the groups and their values, and nothing about who has which of them."""

from __future__ import annotations

import csv
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from deniable.analyses.history.chosen_algorithm import choose_algorithm
from deniable.analyses.history.coded_table import CodedTable, code_table
from deniable.analyses.history.ledger_entry import entry_of
from deniable.analyses.history.ledger_history import layout_of
from deniable.analyses.history.next_groups import NextGroups, next_groups
from deniable.analyses.history.republish_options import RepublishOptions
from deniable.bind.table_rows import bind_table
from deniable.engines import opened
from deniable.engines.scope import Scope
from deniable.ledgers.file import ledger
from deniable.ledgers.store import match
from deniable.spec import yaml as spec
from tests.history.again import republish

RELEASE = """\
table: table.csv
identifier: name
quasi: [age, city]
private: problem
republish: {m: 3, n: 2, counterfeits: {at_most: 1}}
algorithm: cor-split
"""


def write(folder: Path, people: int, skewed: bool) -> Path:
    """People in the order of their ages, each age with its values in their order."""
    lines = ["name,age,city,problem\n"]
    for k in range(people):
        value = "x" if skewed and k % 2 else "uvwxyz"[k % 6]
        lines.append(f"p{k:05},{k},{'abc'[k % 3]},{value}\n")
    (folder / "table.csv").write_text("".join(lines))
    (folder / "release.yaml").write_text(RELEASE)
    return folder / "release.yaml"


def prepared(path: Path) -> tuple[CodedTable, NextGroups]:
    """The rows and the groups of a first release."""
    release = spec.load(str(path))
    with opened() as engine:
        scope = Scope(engine)
        rows = code_table(bind_table(release, scope), scope)
        with ledger(path.with_suffix(".ledger"), layout_of(release), create=True) as book:
            matched = match(book, rows.cells, rows.kinds)
            chosen = choose_algorithm(release)
            return rows, next_groups(release, rows, matched, book, chosen, RepublishOptions())


def swapped(made: NextGroups, rng: random.Random) -> NextGroups:
    """The same groups, where people of a group have exchanged their values."""
    values = made.table.values.copy()
    for g in range(len(made.grouping.signature)):
        inside = np.flatnonzero(made.grouping.group == g)
        order = list(range(len(inside)))
        rng.shuffle(order)
        values[inside] = values[inside][order]
    assert (values != made.table.values).any()
    return replace(made, table=replace(made.table, values=values))


@pytest.mark.parametrize("skewed", [False, True])
def test_values_swapped_inside_groups_leave_the_bytes(skewed: bool, tmp_path: Path) -> None:
    rows, made = prepared(write(tmp_path, 240, skewed))
    assert bool(len(made.grouping.counterfeits)) == skewed
    told = entry_of(rows, made, "problem", "", "", 5).files
    for k in range(10):
        assert entry_of(rows, swapped(made, random.Random(k)), "problem", "", "", 5).files == told
    assert entry_of(rows, made, "problem", "", "", 6).files["release.csv"] != told["release.csv"]


def test_values_swapped_between_groups_do_not(tmp_path: Path) -> None:
    rows, made = prepared(write(tmp_path, 240, skewed=False))
    told = entry_of(rows, made, "problem", "", "", 5).files
    values = made.table.values.copy()
    one, other = next(
        (i, j) for i in range(240) for j in range(i)
        if values[i] != values[j] and made.grouping.group[i] != made.grouping.group[j]
    )  # fmt: skip
    values[[one, other]] = values[[other, one]]
    changed = replace(made, table=replace(made.table, values=values))
    assert entry_of(rows, changed, "problem", "", "", 5).files != told


def test_the_same_seed_gives_the_same_bytes_and_no_seed_others(tmp_path: Path) -> None:
    rows, made = prepared(write(tmp_path, 60, skewed=False))
    seeded = [entry_of(rows, made, "problem", "", "", 1).files for _ in range(2)]
    assert seeded[0] == seeded[1]
    assert len({entry_of(rows, made, "problem", "", "", None).files["release.csv"] for _ in range(3)}) == 3


def rank_correlation(one: list[float], other: list[float]) -> float:
    first, second = (np.argsort(np.argsort(np.array(side), kind="stable")).astype(float) for side in (one, other))
    return float(np.corrcoef(first, second)[0, 1])


def releases(folder: Path, count: int) -> Iterator[list[dict[str, str]]]:
    """First releases of one table under different seeds."""
    path = write(folder, 1200, skewed=False)
    for seed in range(count):
        republish(path, folder / f"out{seed}", audit=False, seed=seed)
        for name in ("ledger", "ledger.journal"):
            path.with_suffix(f".{name}").unlink()
        with open(folder / f"out{seed}" / "release.csv", newline="", encoding="utf-8") as file:
            yield list(csv.DictReader(file))


def test_order_says_nothing(tmp_path: Path) -> None:
    """Ages rise with the rows of the table; neither the order of rows nor the number of a group follows them."""
    firsts: Counter[str] = Counter()
    groups = 0
    for rows in releases(tmp_path, 5):
        lows = [float(row["age_low"]) for row in rows]
        assert abs(rank_correlation(list(range(len(rows))), lows)) < 4 / len(rows) ** 0.5
        by_group = {row["group"]: float(row["age_low"]) for row in rows}
        numbers = [float(group) for group in by_group]
        assert abs(rank_correlation(numbers, list(by_group.values()))) < 4 / len(by_group) ** 0.5
        seen = {row["group"]: row["problem"] for row in reversed(rows)}  # the first row of each group
        whole: dict[str, list[str]] = {}
        for row in rows:
            whole.setdefault(row["group"], []).append(row["problem"])
        groups += len(whole)
        firsts.update(str(sorted(whole[group]).index(value) * 3 // len(whole[group])) for group, value in seen.items())
    assert groups > 1500
    for third in "012":  # the first row of a group has its lowest, middle or highest value equally often
        assert abs(firsts[third] - groups / 3) < 4 * (groups * 2 / 9) ** 0.5
