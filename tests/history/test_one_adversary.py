"""`attack` on a ledger and the audit are one adversary, and brute force agrees with both."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deniable import api
from deniable.analyses.history.exposure import exposed_to
from deniable.analyses.history.ledger_history import read_ledger_history
from deniable.ledgers.file import ledger
from deniable.publish.again.releases import Table
from deniable.publish.again.stable.next_release import Dial, stable
from deniable.publish.again.stable.seats import Seats
from deniable.worlds.history.histories import history
from deniable.worlds.history.nobodies import unevenly_counted
from tests.few import few
from tests.history.books import ONE, SEVERAL, Books
from tests.history.test_exposure import groups_of, worlds

LATER = ([[2, 3, 4, 5, 6, 7]], [[2, 3, 4, 5], [0, 2, 3, 4, 5]], [[2, 3, 4, 5, 6, 7], [0, 1, 4, 5, 6, 7]])


@pytest.mark.parametrize("dial", [ONE, SEVERAL])
@settings(max_examples=few(3, nightly=50))
@given(data=st.data())
def test_attack_audit_and_brute_force(
    dial: str, data: st.DataObject, books: Books, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = books.of([[0, 1, 2, 3, 4, 5], *data.draw(st.sampled_from(LATER))], "stable", dial)
    truth, groups = groups_of(folder / "r.ledger")
    known = sorted(data.draw(st.sets(st.integers(0, len(truth) - 1), max_size=3)))
    file = tmp_path_factory.mktemp("known") / "known.csv"
    file.write_text("name,problem\n" + "".join(f"p{k},{'abc'[k % 3]}\n" for k in known))
    table = api.attack(folder / "r.yaml", known=file).table
    names = table.column("name").to_pylist()
    who = [names.index(f"p{k}") for k in known]
    with ledger(folder / "r.ledger", None) as book:
        found = exposed_to(read_ledger_history(book, identified=True), np.array(who, np.int32), 10.0)
    fits = worlds(truth, groups, who)
    left = [len(np.unique(fits[:, p])) for p in range(len(truth))]
    assert table.column("values").to_pylist() == left
    assert found.exposed == sum(one == 1 for p, one in enumerate(left) if p not in who)
    for p, row in enumerate(table.to_pylist()):
        share = float(np.mean(fits[:, p] == truth[p]))
        assert row["lower"] - 1e-9 <= share <= row["upper"] + 1e-9
        if row["bound"] == "exact":
            assert row["probability"] == pytest.approx(share)


def test_nobodies_whose_order_counts() -> None:
    """Two counterfeits beside one person, of a, a, b: with a for the person two orders are left, with b one."""
    group = (np.zeros(1, np.int64), np.array([0, 3]), np.array([0, 1, 2]), np.array([0, 3]))
    assert unevenly_counted(history(3, 2, *group, np.array([0, 0, 1])), 1).all()
    assert not unevenly_counted(history(3, 3, *group, np.array([0, 1, 2])), 1).any()


def test_returners_who_are_alone_are_drawn_by_lot() -> None:
    """P1 a, P2 b, P3 c and Q1 to Q3; the P leave and return: it was always P3 who got a group of their own."""
    alone: Counter[int] = Counter()
    for seed in range(180):
        seats = Seats.empty()
        for here in ([0, 1, 2, 3, 4, 5], [3, 4, 5], [0, 1, 2, 3, 4, 5]):
            table = Table(np.array(here), (np.array(here, np.int32),), np.array([k % 3 for k in here], np.int32))
            made = stable(table, seats, 3, 1, Dial(at_most=1.0, rounds=1), seed=seed)
            seats = made.seats
        sizes = np.bincount(made.grouping.group)
        alone.update(np.flatnonzero(sizes[made.grouping.group] == 1).tolist())
    assert set(alone) == {0, 1, 2}
    assert min(alone.values()) >= 8
