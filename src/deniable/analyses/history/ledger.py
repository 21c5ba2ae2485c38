"""ledger: the private history as a table, and whether it keeps what it promises."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from deniable.analyses.history.ledger_history import layout_of, ledger_path
from deniable.bind.files import need
from deniable.engines import save_table
from deniable.frozen import frozen
from deniable.ledgers.file import ledger
from deniable.ledgers.read import ListedRelease, count_people, list_releases
from deniable.ledgers.schema import Layout
from deniable.ledgers.store import count_releases, members
from deniable.ledgers.verify import mismatches
from deniable.release import Release
from deniable.shown import Shown

if TYPE_CHECKING:
    import pyarrow as pa


@frozen(eq=False, repr=False)
class Exported(Shown):
    """`release`, `group`, the identifier's columns and the private one; a counterfeit has no identifier."""

    table: pa.Table
    releases: int
    path: Path
    people: int  # ever published
    layout: Layout
    listed: tuple[ListedRelease, ...]

    def save(self, path: str | Path) -> None:
        """Write the table to a .csv or .parquet file."""
        save_table(self.table, path)


@frozen(repr=False)
class Verified(Shown):
    """How many releases the ledger has, and what is wrong with them."""

    path: Path
    releases: int
    mismatches: tuple[str, ...]


def check(release: Release) -> None:
    """Whether the ledger that `republish` would go on from is one, and about these columns. Raises BadInput if not."""
    path = ledger_path(release)
    if path.exists():
        with ledger(path, layout_of(release), reading=True):
            pass


def export(release: Release) -> Exported:
    """Everybody's place in every release."""
    need(release, "ledger", "identifier", "quasi", "private")
    path = ledger_path(release)
    with ledger(path, layout_of(release), reading=True) as book:
        found = list_releases(book)
        return Exported(members(book), len(found), path, count_people(book), book.layout, found)


def verify(release: Release) -> Verified:
    """Check every invariant of the whole history."""
    need(release, "ledger", "identifier", "quasi", "private")
    path = ledger_path(release)
    with ledger(path, layout_of(release), reading=True) as book:
        return Verified(path, count_releases(book), tuple(mismatches(book)))
