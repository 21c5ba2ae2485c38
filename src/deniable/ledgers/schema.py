"""The tables of a ledger. A user's names enter as data only: the identifier is i0, i1, …, quasi-identifiers q0, q1, ….

A seat is a row of a published group: of a person; of a *nobody*, a number below 0, if it is a counterfeit; or, with
stable groups, of a ghost, a counterfeit that keeps the seat of somebody who left or of the same nobody. Values are
codes of `domain`; people keep one value and one signature for life. `state` is what stable groups remember.
`files_1`, `files_2`, … hold what was published, byte for byte, compressed: a table for each release, since a table of
few large rows is written as a whole whenever one is added. `withheld` names whom a release kept back,
`columns_before` what the columns were before a release that changed them, `links` is the chain of digests, `identity`
the key of the receipts (ledgers of version 0.1.0 have none of these).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from deniable.frozen import frozen

if TYPE_CHECKING:
    import duckdb

FORMAT = "deniable ledger"
VERSION = 1
TABLES = ("about", "domain", "signatures", "people", "releases", "groups", "seats")  # of every version


@frozen
class Layout:
    """What the ledger is about: the columns of the table, by name; `rename` has earlier names of some (new: old)."""

    identifier: tuple[str, ...]
    quasi: tuple[str, ...]
    private: str
    rename: Mapping[str, str] = field(default_factory=dict, compare=False)


def id_cells(layout: Layout) -> list[str]:
    """The ledger's names of the identifier's columns."""
    return [f"i{k}" for k in range(len(layout.identifier))]


def quasi_cells(layout: Layout) -> list[str]:
    """The ledger's names of the quasi-identifiers."""
    return [f"q{k}" for k in range(len(layout.quasi))]


def tables(layout: Layout) -> Sequence[str]:
    """The statements that make an empty ledger."""
    cells = ", ".join(f"{name} VARCHAR" for name in (*id_cells(layout), *quasi_cells(layout)))
    return (
        "CREATE TABLE about (format VARCHAR, version INTEGER, identifier VARCHAR[], quasi VARCHAR[], private VARCHAR)",
        "CREATE TABLE domain (code INTEGER, value VARCHAR)",
        "CREATE TABLE signatures (signature INTEGER, value INTEGER)",
        f"CREATE TABLE people (person INTEGER, {cells}, value INTEGER, signature INTEGER, current BOOLEAN)",
        "CREATE TABLE releases (release INTEGER, made TIMESTAMP, algorithm VARCHAR, m INTEGER, n INTEGER, "
        "digest VARCHAR, kinds VARCHAR[], exposure VARCHAR, state BLOB, folder VARCHAR, written BOOLEAN)",
        "CREATE TABLE groups (release INTEGER, grp INTEGER, signature INTEGER, lineage INTEGER)",
        "CREATE TABLE seats (release INTEGER, grp INTEGER, person INTEGER, value INTEGER, ghost BOOLEAN)",
    )


def withheld_table(layout: Layout) -> str:
    """The statement that makes the table of people who were kept back, where there is none."""
    cells = ", ".join(f"{name} VARCHAR" for name in id_cells(layout))
    return f"CREATE TABLE IF NOT EXISTS withheld (release INTEGER, {cells})"


def files_table(release: int) -> str:
    """The name of the table of a release's files."""
    return f"files_{release}"


def has_table(at: duckdb.DuckDBPyConnection, name: str) -> bool:
    """Whether the ledger has a table that not all of them have."""
    return bool(at.execute("SELECT 1 FROM duckdb_tables() WHERE table_name = ?", [name]).fetchall())
