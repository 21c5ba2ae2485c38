"""The paper's Table 1 and Examples 1 to 4: Carl is known, Erica must not follow from him."""

from __future__ import annotations

import numpy as np
import pytest

from deniable.publish.again.cor_split import cor_split
from deniable.publish.again.m_invariance import m_invariance
from deniable.publish.again.releases import Grouping, Memberships, Signatures, Table
from deniable.worlds.judges.again import Published, mistakes, unsafe
from tests.history.tables import (
    ALICE,
    BETTY,
    CARL,
    DORIS,
    ERICA,
    FIONA,
    FIRST,
    GRACE,
    HANNA,
    PATIENTS,
    SECOND,
    published,
    release,
    table_of,
)

PRIVATE = {who: row[-1] for who, row in PATIENTS.items()}
PAPER = [
    release(PRIVATE, (ALICE, BETTY, CARL), (DORIS, ERICA, FIONA)),
    release(PRIVATE, (CARL, DORIS, FIONA), (ERICA, GRACE, HANNA)),
]


def correlated_alone(history: list[Published], one: int, other: int) -> bool:
    """Whether two groups of different releases differ by these two people only (Definition 3 with R1, R2 of one)."""
    first, second = ([set(group.members) for group in part.groups if not group.counterfeits] for part in history)
    return any({frozenset(a - b), frozenset(b - a)} == {frozenset({one}), frozenset({other})}
               for a in first for b in second)  # fmt: skip


def paper_history() -> tuple[Table, Memberships]:
    """The first release as the paper groups it."""
    table = table_of(PATIENTS, FIRST)
    group = np.array([0, 0, 0, 1, 1, 1], np.int32)
    signatures = Signatures(np.array([0, 3]), np.array([0, 1, 2], np.int32))
    nothing = np.zeros(0, np.int32)
    made = Grouping(group, np.zeros(2, np.int32), np.zeros(3, np.int64), nothing, signatures, np.zeros(0, np.int64))
    return table, Memberships.empty().extended(table, made)


def test_the_papers_releases_are_m_invariant_but_unsafe() -> None:
    assert mistakes(PAPER, 3, once=True) == []
    assert correlated_alone(PAPER, CARL, ERICA)
    assert unsafe(PAPER, 2) == [(2, 0, 1)]


def test_m_invariance_makes_the_papers_first_release() -> None:
    table = table_of(PATIENTS, FIRST)
    made = published(table, m_invariance(table, Memberships.empty(), 3))
    assert {frozenset(group.members) for group in made.groups} == {frozenset(g.members) for g in PAPER[0].groups}


def test_m_invariance_repeats_the_papers_second_release() -> None:
    _, history = paper_history()
    table = table_of(PATIENTS, SECOND)
    made = published(table, m_invariance(table, history, 3))
    assert mistakes([PAPER[0], made], 3, once=True) == []
    assert {frozenset(group.members) for group in made.groups} == {frozenset(g.members) for g in PAPER[1].groups}
    assert correlated_alone([PAPER[0], made], CARL, ERICA)


def test_cor_split_does_not_tie_erica_to_carl() -> None:
    _, history = paper_history()
    table = table_of(PATIENTS, SECOND)
    made = published(table, cor_split(table, history, 3, 2))
    assert mistakes([PAPER[0], made], 3, n=2) == []
    assert not correlated_alone([PAPER[0], made], CARL, ERICA)


@pytest.mark.parametrize("n", [0, 3, 4])
def test_the_degree_is_less_than_m(n: int) -> None:
    table, history = paper_history()
    with pytest.raises(ValueError, match="'n' parameter"):
        cor_split(table, history, 3, n)
