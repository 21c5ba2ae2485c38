"""The chain of digests at sizes that ledgers of real tables have, and of numbers as large as they can be."""

from __future__ import annotations

import duckdb
import pytest

from deniable.ledgers import chain
from deniable.ledgers.schema import Layout, tables

LAYOUT = Layout(("id",), (), "p")


@pytest.fixture
def ledger() -> duckdb.DuckDBPyConnection:
    at = duckdb.connect()
    for statement in tables(LAYOUT):
        at.execute(statement)
    at.execute("INSERT INTO releases (release, algorithm) VALUES (1, 'stable')")
    at.execute("INSERT INTO domain VALUES (0, 'a'), (1, 'b')")
    return at


@pytest.mark.parametrize(("people", "first"), [(300_000, 300_000), (50, (1 << 31) - 60), (50, -(1 << 31))])
def test_a_link_holds_whatever_the_numbers(ledger: duckdb.DuckDBPyConnection, people: int, first: int) -> None:
    """Squares of 300,000 seats of late newcomers are more than 127 bits hold: the sum overflowed."""
    seats = f"SELECT 1, i // 6, {first} + i, i % 2, false FROM range({people}) t(i)"
    ledger.execute(f"INSERT INTO seats {seats}")
    ledger.execute(f"INSERT INTO groups SELECT 1, i, {(1 << 31) - 1} - i, i FROM range({people // 6 + 1}) t(i)")
    chain.add_link(ledger, LAYOUT, 1, 0, {"release.csv": b"x"})
    assert list(chain.broken(ledger, LAYOUT)) == []
    ledger.execute("UPDATE seats SET value = 1 - value WHERE person = ?", [first])
    assert len(list(chain.broken(ledger, LAYOUT))) == 1


def test_sums_are_those_of_squares(ledger: duckdb.DuckDBPyConnection) -> None:
    """As they were when one number held them: links that were made then hold."""
    ledger.execute("INSERT INTO seats VALUES (1, 7, 41, 1, true), (1, 8, -3, 0, false)")
    numbers = [((41 * 1000003 + 7) * 65537 + 1) * 2 + 1, ((-3 * 1000003 + 8) * 65537) * 2]
    query = f"SELECT {chain.SUMS} FROM {chain.halved(chain.PARTS['seats'], 'seats')}"
    ((count, *parts),) = ledger.execute(query).fetchall()
    assert (count, chain.total(parts)) == (len(numbers), str(sum(x * x for x in numbers)))
