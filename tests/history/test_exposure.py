"""What republish says of exposure, against all worlds: small ledgers of stable groups, whoever is known."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deniable.analyses.history.exposure import exposed_to
from deniable.analyses.history.ledger_history import read_ledger_history
from deniable.ledgers.file import ledger
from tests.history.again import republish

SPEC = "table: t.csv\nidentifier: name\nquasi: age\nprivate: problem\nrepublish: "
ONE, SEVERAL = "{m: 2, n: 1}", "{m: 3, n: 2, counterfeits: {at_most: 0.1}}"  # copies of each value in a stable group


def publish(folder: Path, releases: list[list[int]], algorithm: str, dial: str = ONE) -> None:
    for number, here in enumerate(releases, 1):
        rows = "".join(f"p{k},{20 + k * 7 % 11},{'abc'[k % 3]}\n" for k in here)
        (folder / "t.csv").write_text(f"name,age,problem\n{rows}")
        (folder / "r.yaml").write_text(SPEC + dial + "\n")
        republish(folder / "r.yaml", folder / f"out{number}", algorithm=algorithm, audit=False, seed=number)


def groups_of(path: Path) -> tuple[list[int], list[tuple[list[int], list[int]]]]:
    """Everybody's value, and each group's holders, ghosts among them, with its values; nobodies are below 0."""
    with duckdb.connect(str(path), read_only=True) as book:
        truth = [value for (value,) in book.execute("SELECT value FROM people ORDER BY person").fetchall()]
        rows = book.execute(
            "SELECT list(person) FILTER (person >= 0 OR ghost), list(value) FROM seats GROUP BY release, grp"
        ).fetchall()
    return truth, [(who or [], values) for who, values in rows]


def exposed(truth: list[int], groups: list[tuple[list[int], list[int]]], known: list[int]) -> int:
    """How many of the others have one value in all worlds."""
    nobodies = sorted({p for who, _ in groups for p in who if p < 0})
    people = [*range(len(truth)), *nobodies]
    place = {p: k for k, p in enumerate(people)}
    choices = [[truth[p]] if p in known else [0, 1, 2] for p in people]
    seen: list[set[int]] = [set() for _ in truth]
    inside = [([place[p] for p in who], values) for who, values in groups]
    for world in product(*choices):
        if all(all(values.count(v) >= sum(world[k] == v for k in who) for v in (0, 1, 2)) for who, values in inside):
            for p in range(len(truth)):
                seen[p].add(world[p])
    return sum(len(values) == 1 for p, values in enumerate(seen) if p not in known)


@pytest.mark.parametrize("algorithm", ["stable", "cor-split", "m-invariance"])
@settings(max_examples=settings().max_examples // 8)
@given(data=st.data())
def test_exposure(algorithm: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("book")
    releases = [[0, 1, 2, 3, 4, 5], [2, 3, 4, 5, 6, 7]]
    if data.draw(st.booleans()):
        releases.append(data.draw(st.sampled_from([[4, 5, 6, 7], [2, 3, 6, 7], [0, 1, 4, 5, 6, 7]])))
    publish(folder, releases, algorithm)
    known = sorted(data.draw(st.sets(st.integers(0, 7), max_size=4)))
    with ledger(folder / "r.ledger", None) as book:
        told = read_ledger_history(book, identified=True)
    found = exposed_to(told, np.array(known, np.int32), 10.0, (2,))
    truth, groups = groups_of(folder / "r.ledger")
    assert found.undecided == 0
    assert found.exposed == exposed(truth, groups, known)
    assert found.exposed <= found.over[0].people


@settings(max_examples=settings().max_examples // 10)
@given(data=st.data())
def test_exposure_with_several_copies(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A group of two copies, refilled, perhaps again, perhaps after some of those who left have returned too late."""
    folder = tmp_path_factory.mktemp("book")
    releases = [[0, 1, 2, 3, 4, 5], [2, 3, 4, 5, 6, 7]]
    last = [[], [4, 5, 6, 7, 8, 9], [2, 3, 5, 6, 7], [0, 1, 2, 5, 6, 7], [0, 1, 2, 3, 4, 5, 6, 7]]
    releases += [here for here in [data.draw(st.sampled_from(last))] if here]
    publish(folder, releases, "stable", SEVERAL)
    known = sorted(data.draw(st.sets(st.sampled_from(sorted({p for here in releases for p in here})), max_size=5)))
    with ledger(folder / "r.ledger", None) as book:
        told = read_ledger_history(book, identified=True)
    assert np.diff(told.history.member_offsets).max() == 6
    found = exposed_to(told, np.array(known, np.int32), 10.0, (2,))
    assert found.undecided == 0
    assert found.exposed == exposed(*groups_of(folder / "r.ledger"), known)
    assert found.exposed <= found.over[0].people
