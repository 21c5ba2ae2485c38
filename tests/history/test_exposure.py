"""What republish says of exposure, against all worlds: small ledgers of stable groups, whoever is known."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from deniable.analyses.history.exposure import exposed_to
from deniable.analyses.history.ledger_history import read_ledger_history
from deniable.ledgers.file import ledger
from tests.few import few
from tests.history.books import SEVERAL, Books


def groups_of(path: Path) -> tuple[list[int], list[tuple[list[int], list[int]]]]:
    """Everybody's value, and each group's holders, ghosts among them, with its values; nobodies are below 0."""
    with duckdb.connect(str(path), read_only=True) as book:
        truth = [value for (value,) in book.execute("SELECT value FROM people ORDER BY person").fetchall()]
        rows = book.execute(
            "SELECT list(person) FILTER (person >= 0 OR ghost), list(value) FROM seats GROUP BY release, grp"
        ).fetchall()
    return truth, [(who or [], values) for who, values in rows]


def worlds(truth: list[int], groups: list[tuple[list[int], list[int]]], known: list[int]) -> NDArray[np.int8]:
    """Every assignment of values to real people that nobodies can be given values beside, once."""
    nobodies = sorted({p for who, _ in groups for p in who if p < 0})
    people = [*range(len(truth)), *nobodies]
    place = {p: k for k, p in enumerate(people)}
    tried = np.array(list(product(*([truth[p]] if p in known else [0, 1, 2] for p in people))), np.int8)
    for who, values in groups:
        inside = tried[:, [place[p] for p in who]]
        fits = [(inside == value).sum(axis=1) <= values.count(value) for value in (0, 1, 2)]
        tried = tried[np.all(fits, axis=0)]
    return np.unique(tried[:, : len(truth)], axis=0)


def exposed(truth: list[int], groups: list[tuple[list[int], list[int]]], known: list[int]) -> int:
    """How many of the others have one value in all worlds."""
    fits = worlds(truth, groups, known)
    return sum(len(np.unique(fits[:, p])) == 1 for p in range(len(truth)) if p not in known)


@pytest.mark.parametrize("algorithm", ["stable", "cor-split", "m-invariance"])
@settings(max_examples=few(3, nightly=250))
@given(data=st.data())
def test_exposure(algorithm: str, data: st.DataObject, books: Books) -> None:
    releases = [[0, 1, 2, 3, 4, 5], [2, 3, 4, 5, 6, 7]]
    if data.draw(st.booleans()):
        releases.append(data.draw(st.sampled_from([[4, 5, 6, 7], [2, 3, 6, 7], [0, 1, 4, 5, 6, 7]])))
    folder = books.of(releases, algorithm)
    known = sorted(data.draw(st.sets(st.integers(0, 7), max_size=4)))
    with ledger(folder / "r.ledger", None) as book:
        told = read_ledger_history(book, identified=True)
    found = exposed_to(told, np.array(known, np.int32), 10.0, (2,))
    truth, groups = groups_of(folder / "r.ledger")
    assert found.undecided == 0
    assert found.exposed == exposed(truth, groups, known)
    assert found.exposed <= found.over[0].people


@settings(max_examples=few(3, nightly=200))
@given(data=st.data())
def test_exposure_with_several_copies(data: st.DataObject, books: Books) -> None:
    """A group of two copies, refilled, perhaps again, perhaps after some of those who left have returned too late."""
    releases = [[0, 1, 2, 3, 4, 5], [2, 3, 4, 5, 6, 7]]
    last = [[], [4, 5, 6, 7, 8, 9], [2, 3, 5, 6, 7], [0, 1, 2, 5, 6, 7], [0, 1, 2, 3, 4, 5, 6, 7]]
    releases += [here for here in [data.draw(st.sampled_from(last))] if here]
    folder = books.of(releases, "stable", SEVERAL)
    known = sorted(data.draw(st.sets(st.sampled_from(sorted({p for here in releases for p in here})), max_size=5)))
    with ledger(folder / "r.ledger", None) as book:
        told = read_ledger_history(book, identified=True)
    assert np.diff(told.history.member_offsets).max() == 6
    found = exposed_to(told, np.array(known, np.int32), 10.0, (2,))
    assert found.undecided == 0
    assert found.exposed == exposed(*groups_of(folder / "r.ledger"), known)
    assert found.exposed <= found.over[0].people
