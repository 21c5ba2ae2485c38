"""What a ledger says of its releases, read for those who ask what all of them give away."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np

from deniable.arrow import arrow_texts, column_numbers
from deniable.frozen import frozen
from deniable.ledgers.file import Ledger, fetch, number
from deniable.ledgers.private import damaged
from deniable.ledgers.schema import has_table, id_cells
from deniable.worlds.arrays import Int64s

if TYPE_CHECKING:
    import pyarrow as pa


@frozen
class CountedRelease:
    """What is in a release."""

    people: int
    counterfeits: int
    groups: int


@frozen
class DatedRelease:
    """A release in the ledger: its number, when it was made, and the digest of its table."""

    number: int
    made: datetime
    digest: str


def dated_releases(ledger: Ledger) -> tuple[DatedRelease, ...]:
    """Every release, the first one first."""
    query = "SELECT release, made, digest FROM releases ORDER BY release"
    rows = ledger.connection.execute(query).fetchall()
    _insist_dates(ledger, (made for _, made, _ in rows))
    return tuple(DatedRelease(*row) for row in rows)


def _insist_dates(ledger: Ledger, dates: Iterable[object]) -> None:
    """What the database has of other days than ours (there are years of six digits) comes as text, and was not ours."""
    if not all(isinstance(made, datetime) for made in dates):
        raise damaged(ledger.path)


def recorded_exposures(ledger: Ledger) -> tuple[tuple[int, str], ...]:
    """What was found of each release before it was published, as it was written down; "" where nobody asked."""
    rows = ledger.connection.execute("SELECT release, exposure FROM releases ORDER BY release").fetchall()
    return tuple((int(release), str(told or "")) for release, told in rows)


@frozen
class ListedRelease:
    """A release as the ledger lists it: who was in it, who was new or gone since the one before, and where it went."""

    release: int
    made: datetime
    people: int
    new: int
    gone: int
    folder: str
    written: bool
    digest: str  # SHA-256 of release.csv


def list_releases(ledger: Ledger) -> tuple[ListedRelease, ...]:
    """Every release, the first one first."""
    from deniable.ledgers.outbox import read_files

    query = """
        WITH here AS (SELECT release, person FROM seats WHERE person >= 0 AND NOT ghost),
        often AS (SELECT release, count(*) AS n FROM here GROUP BY release),
        first AS (SELECT min(release) AS release FROM here GROUP BY person),
        fresh AS (SELECT release, count(*) AS n FROM first GROUP BY release),
        gone AS (SELECT a.release + 1 AS release, count(*) AS n FROM here a
                 ANTI JOIN here b ON a.person = b.person AND b.release = a.release + 1 GROUP BY 1)
        SELECT r.release, r.made, coalesce(o.n, 0), coalesce(f.n, 0), coalesce(g.n, 0), r.folder, r.written
        FROM releases r LEFT JOIN often o USING (release) LEFT JOIN fresh f USING (release)
        LEFT JOIN gone g USING (release) ORDER BY r.release"""
    rows = ledger.connection.execute(query).fetchall()
    _insist_dates(ledger, (row[1] for row in rows))
    digests = (hashlib.sha256(read_files(ledger, row[0]).get("release.csv", b"")).hexdigest() for row in rows)
    return tuple(ListedRelease(*told) for told in ((*row, digest) for row, digest in zip(rows, digests, strict=True)))


def people_of(ledger: Ledger, release: int) -> Int64s:
    """Who was in a release."""
    query = f"SELECT person::BIGINT AS person FROM seats WHERE release = {release:d} AND person >= 0 AND NOT ghost"
    return column_numbers(fetch(ledger, query), "person")


def groups_of(ledger: Ledger, person: int) -> dict[int, int]:
    """By release, the group that a person was in, as it was numbered when it was published."""
    query = "SELECT release, grp FROM seats WHERE person = ? AND NOT ghost ORDER BY release"
    return dict(ledger.connection.execute(query, [person]).fetchall())


@frozen(eq=False)
class KeptBack:
    """People who were kept back before they were first published, and identifiers of those who still wait."""

    people: Int64s
    waiting: pa.Table


def read_kept_back(ledger: Ledger) -> KeptBack:
    """Whom a release kept back: appearing late, or not at all, tells that their value was too frequent."""
    import pyarrow as pa

    cells = id_cells(ledger.layout)
    if not has_table(ledger.connection, "withheld"):
        return KeptBack(np.zeros(0, np.int64), pa.table([arrow_texts(())] * len(cells), names=cells))
    same = " AND ".join(f"p.{cell} IS NOT DISTINCT FROM w.{cell}" for cell in cells)
    late = (
        "(SELECT p.*, first FROM people p JOIN (SELECT person, min(release) AS first FROM seats WHERE NOT ghost "
        "GROUP BY person) f USING (person)) p"
    )
    found = f"SELECT DISTINCT p.person::BIGINT AS person FROM withheld w JOIN {late} ON {same} AND p.first > w.release"
    waits = (
        f"SELECT DISTINCT {', '.join(f'w.{cell}' for cell in cells)} FROM withheld w WHERE NOT EXISTS "
        f"(SELECT 1 FROM {late} WHERE {same} AND p.first > w.release) ORDER BY ALL"
    )
    return KeptBack(column_numbers(fetch(ledger, f"{found} ORDER BY person"), "person"), fetch(ledger, waits))


def count_people(ledger: Ledger) -> int:
    """How many people were ever published."""
    return number(ledger, "SELECT count(*) FROM people")


def count_values(ledger: Ledger) -> int:
    """How many different private values there are."""
    return number(ledger, "SELECT count(*) FROM domain")


def last_kinds(ledger: Ledger) -> tuple[str, ...]:
    """The kind of each quasi-identifier in the last release (number, date, category, hierarchy), if there is one."""
    rows = ledger.connection.execute("SELECT kinds FROM releases ORDER BY release DESC LIMIT 1").fetchall()
    return tuple(rows[0][0]) if rows else ()


def count_release(ledger: Ledger, release: int) -> CountedRelease:
    """The people, counterfeits and groups of a release."""
    query = (
        "SELECT count(*) FILTER (person >= 0 AND NOT ghost), count(*) FILTER (person < 0 OR ghost), "
        "count(DISTINCT grp) FROM seats WHERE release = ?"
    )
    ((people, counterfeits, groups),) = ledger.connection.execute(query, [release]).fetchall()
    return CountedRelease(people, counterfeits, groups)


def read_all_seats(ledger: Ledger, *, identified: bool) -> pa.Table:
    """Every seat by release, group (grp) and person: a ghost has none (-1) unless ghosts are `identified`.

    Then it is the person whose seat it keeps; nobodies among ghosts are numbered behind all people.
    """
    ghost = f"CASE WHEN person < 0 THEN {count_people(ledger) - 1} - person ELSE person END" if identified else "-1"
    return fetch(
        ledger,
        f"SELECT release, grp, CASE WHEN ghost THEN {ghost} ELSE person END AS person, value FROM seats "
        "ORDER BY release, grp, person",
    )


def read_truth(ledger: Ledger) -> pa.Table:
    """Everybody's value."""
    return fetch(ledger, "SELECT value FROM people ORDER BY person")


def read_lineages(ledger: Ledger) -> pa.Table:
    """The lineage of every group, by release and group."""
    return fetch(ledger, "SELECT lineage FROM groups ORDER BY release, grp")


def read_people(ledger: Ledger) -> pa.Table:
    """Everybody's identifier, under the names of its columns."""
    people = fetch(ledger, f"SELECT {', '.join(id_cells(ledger.layout))} FROM people ORDER BY person")
    return people.rename_columns(list(ledger.layout.identifier))


def read_values(ledger: Ledger) -> tuple[str | None, ...]:
    """The private values, by code."""
    return tuple(value for (value,) in ledger.connection.execute("SELECT value FROM domain ORDER BY code").fetchall())


def last_degrees(ledger: Ledger) -> tuple[int, int | None]:
    """m and n of the last release."""
    ((m, n),) = ledger.connection.execute("SELECT m, n FROM releases ORDER BY release DESC LIMIT 1").fetchall()
    return m, n


def degrees_of(ledger: Ledger, algorithm: str) -> list[int | None]:
    """Every n that an algorithm was run with."""
    query = "SELECT DISTINCT n FROM releases WHERE algorithm = ?"
    return [n for (n,) in ledger.connection.execute(query, [algorithm]).fetchall()]


def longest_stay(ledger: Ledger) -> int:
    """In how many releases somebody was, at most."""
    times = "SELECT count(*) AS times FROM seats WHERE person >= 0 AND NOT ghost GROUP BY person"
    return number(ledger, f"SELECT max(times) FROM ({times})")
