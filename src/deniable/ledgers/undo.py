"""Taking back the last release of a ledger, as if it had never been made; only if its files never went out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from deniable.ledgers.chain import remove_link
from deniable.ledgers.columns import change_back
from deniable.ledgers.file import Ledger
from deniable.ledgers.outbox import read_files
from deniable.ledgers.schema import files_table, has_table, id_cells
from deniable.publish.again.algorithm import ALGORITHMS
from deniable.publish.staging import STAGING


def is_out(ledger: Ledger, release: int, folder: Path) -> bool:
    """Whether files of the release are in its folder although nobody noted it: a run was stopped right then."""
    files: Mapping[str, bytes] = read_files(ledger, release)
    if (folder / STAGING).exists():
        return True
    return any((folder / name).is_file() and (folder / name).read_bytes() == files[name] for name in files)


def remembers(ledger: Ledger, release: int) -> bool:
    """Whether the ledger has what the release before this one must go on from."""
    keepers = [name for name, algorithm in ALGORITHMS.items() if algorithm.keeps_seats]
    query = "SELECT count(*) FROM releases WHERE release = ? AND state IS NULL AND list_contains(?, algorithm)"
    ((lost,),) = ledger.connection.execute(query, [release - 1, keepers]).fetchall()
    return not lost


def remove(ledger: Ledger, release: int) -> None:
    """Take the last release out of the ledger, in one transaction."""
    at, ids = ledger.connection, id_cells(ledger.layout)
    same = " AND ".join(f"old.{cell} IS NOT DISTINCT FROM new.{cell}" for cell in ids)
    at.execute("BEGIN")
    try:
        at.execute(f"DELETE FROM seats WHERE release = {release:d}")
        at.execute(f"DELETE FROM groups WHERE release = {release:d}")
        lost = "SELECT person FROM people ANTI JOIN seats USING (person)"
        at.execute(
            "UPDATE people SET current = true WHERE person IN (SELECT max(old.person) FROM people old JOIN people new "
            f"ON old.person < new.person AND {same} WHERE new.person IN ({lost}) AND old.person NOT IN ({lost}) "
            "GROUP BY new.person)"
        )
        at.execute(f"DELETE FROM people WHERE person IN ({lost})")
        at.execute("DELETE FROM signatures WHERE signature > (SELECT coalesce(max(signature), -1) FROM groups)")
        used = "SELECT coalesce(max(value), -1) FROM (SELECT value FROM seats UNION ALL SELECT value FROM signatures)"
        at.execute(f"DELETE FROM domain WHERE code > ({used})")
        if has_table(at, "withheld"):
            at.execute(f"DELETE FROM withheld WHERE release = {release:d}")
        at.execute(f"DROP TABLE IF EXISTS {files_table(release)}")
        at.execute(f"DELETE FROM releases WHERE release = {release:d}")
        change_back(at, release)
        remove_link(at, release)
    except BaseException:
        at.execute("ROLLBACK")
        raise
    at.execute("COMMIT")
    at.execute("CHECKPOINT")
