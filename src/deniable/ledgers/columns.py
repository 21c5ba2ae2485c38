"""Columns that change from one release to the next: other names, and quasi-identifiers that are new.

A ledger's columns keep their places (q0, q1, …), so that what earlier releases said of them stays where it was: another
name is a new word for the same place, a new column comes behind the others. Since when there is a column is told by how
many kinds the releases have. `columns_before` holds what a release that changed them found, for it may be taken back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from deniable.errors import Reason
from deniable.frozen import frozen
from deniable.ledgers.schema import Layout, has_table, quasi_cells

if TYPE_CHECKING:
    import duckdb


@frozen
class ColumnChanges:
    """What a release has under another name (new: old), and what it has that earlier ones had not."""

    renamed: Mapping[str, str] = field(default_factory=dict)
    added: tuple[str, ...] = ()


def read_layout(at: duckdb.DuckDBPyConnection) -> Layout:
    """The columns of the last release."""
    (identifier, quasi, private), *_ = at.execute("SELECT identifier, quasi, private FROM about").fetchall()
    return Layout(tuple(identifier), tuple(quasi), private)


def continued(wanted: Layout, found: Layout) -> tuple[Layout, list[Reason]]:
    """The ledger's columns as the next release has them, in the ledger's order; or what is wrong with them."""
    ids, private = wanted.identifier, (wanted.private,)
    wrong = [
        *_differences("identifier", wanted, ids, found.identifier),
        *_differences("quasi", wanted, wanted.quasi, found.quasi),
        *_differences("private", wanted, private, (found.private,)),
    ]
    before = _before(wanted, wanted.quasi, found.quasi)
    now = {old: name for name, old in before.items()}
    kept = [now.get(old, old) for old in found.quasi]
    added = [name for name, old in before.items() if old not in found.quasi]
    return Layout(ids, (*kept, *added), wanted.private), wrong


def changes(before: Layout, now: Layout) -> ColumnChanges:
    """From the columns of the last release to those of the next one."""
    was, is_ = ((*one.identifier, one.private, *one.quasi) for one in (before, now))
    renamed = {name: old for name, old in zip(is_, was, strict=False) if name != old}
    return ColumnChanges(renamed, now.quasi[len(before.quasi) :])


def _before(wanted: Layout, names: Sequence[str], was: Sequence[str]) -> dict[str, str]:
    """What each column is called in the ledger; a name that it has already is not renamed again."""
    return {name: name if name in was else wanted.rename.get(name, name) for name in names}


def _differences(role: str, wanted: Layout, names: Sequence[str], was: Sequence[str]) -> list[Reason]:
    before = _before(wanted, names, was)
    unknown = [old for name, old in before.items() if old != name and old not in was]
    if unknown:
        return [Reason("again.no_earlier_name", role=role, was=was, found=old) for old in unknown]
    lost = [old for old in was if old not in before.values()]
    if not lost and (role == "quasi" or tuple(before.values()) == tuple(was)):
        return []
    fresh = [name for name, old in before.items() if old not in was]
    return [Reason("again.other_columns", role=role, was=was, found=names, lost=lost, fresh=fresh)]


def since(at: duckdb.DuckDBPyConnection, layout: Layout) -> dict[str, int | None]:
    """For each quasi-identifier, as the ledger calls it, the first release that has it; None if that is yet to come."""
    rows = at.execute("SELECT len(kinds), min(release) FROM releases GROUP BY 1").fetchall()
    return {
        cell: min((first for columns, first in rows if columns > k), default=None)
        for k, cell in enumerate(quasi_cells(layout))
    }


def late_cells(at: duckdb.DuckDBPyConnection, layout: Layout) -> list[str]:
    """The quasi-identifiers that the first release had not."""
    return [cell for cell, first in since(at, layout).items() if first != 1]


def change_columns(at: duckdb.DuckDBPyConnection, layout: Layout, release: int) -> None:
    """From this release on the ledger has these columns."""
    before = read_layout(at)
    if before == layout:
        return
    for cell in quasi_cells(layout)[len(before.quasi) :]:
        at.execute(f"ALTER TABLE people ADD COLUMN {cell} VARCHAR")
    at.execute(
        "CREATE TABLE IF NOT EXISTS columns_before "
        "(release INTEGER, identifier VARCHAR[], quasi VARCHAR[], private VARCHAR)"
    )
    at.execute("INSERT INTO columns_before SELECT ?, identifier, quasi, private FROM about", [release])
    _write_layout(at, layout)


def change_back(at: duckdb.DuckDBPyConnection, release: int) -> None:
    """The columns as they were before this release."""
    if not has_table(at, "columns_before"):
        return
    query = "SELECT identifier, quasi, private FROM columns_before WHERE release = ?"
    for identifier, quasi, private in at.execute(query, [release]).fetchall():
        before = Layout(tuple(identifier), tuple(quasi), private)
        for cell in quasi_cells(read_layout(at))[len(quasi) :]:
            at.execute(f"ALTER TABLE people DROP COLUMN {cell}")
        _write_layout(at, before)
    at.execute("DELETE FROM columns_before WHERE release = ?", [release])


def _write_layout(at: duckdb.DuckDBPyConnection, layout: Layout) -> None:
    told = [list(layout.identifier), list(layout.quasi), layout.private]
    at.execute("UPDATE about SET identifier = ?, quasi = ?, private = ?", told)
