"""What a ledger remembers, as arrays; and one more release, in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from deniable.arrow import arrow_array, arrow_bytes, arrow_table, arrow_texts, column_numbers
from deniable.frozen import frozen
from deniable.ledgers.chain import add_link
from deniable.ledgers.columns import change_columns, late_cells, since
from deniable.ledgers.file import Ledger, fetch, keep, make_file, number
from deniable.ledgers.receipts import make_key
from deniable.ledgers.schema import files_table, id_cells, quasi_cells, withheld_table
from deniable.publish.again.releases import Memberships, Signatures
from deniable.worlds.arrays import Int32s, Int64s, offsets

if TYPE_CHECKING:
    import pyarrow as pa


@frozen(eq=False)
class Matched:
    """The rows of a table beside the people of a ledger."""

    person: Int64s  # -1: new
    differs: NDArray[np.bool_]  # for the private value and each quasi-identifier: who has another one than before
    value: Int32s  # codes of the domain, new values after the old ones
    domain: tuple[str | None, ...]

    @property
    def changed(self) -> NDArray[np.bool_]:
        """Who has another cell than before."""
        return np.asarray(self.differs.any(axis=0))


@frozen(eq=False)
class Entry:
    """One release, as the ledger keeps it. Arrow tables have the columns of the ledger's tables, without `release`."""

    algorithm: str
    m: int
    n: int | None
    digest: str
    kinds: tuple[str, ...]
    folder: str
    people: pa.Table  # newcomers
    seats: pa.Table
    groups: pa.Table
    signatures: Signatures
    domain: tuple[str | None, ...]
    files: Mapping[str, bytes]
    withheld: pa.Table | None = None  # identifiers of people who are kept for the next release
    state: bytes = b""  # what an algorithm remembers until the next release
    replaced: Int64s = field(default_factory=lambda: np.zeros(0, np.int64))  # people who go on as somebody new
    stayed: pa.Table | None = None  # people of earlier releases, with their cells in columns that came later


def match(ledger: Ledger, rows: pa.Table, kinds: tuple[str, ...]) -> Matched:
    """Who in the table (columns row, i0…, q0…, x) is who in the ledger, and whose cells are not what they were."""
    at = ledger.connection
    at.register("rows", rows)
    fresh = "SELECT DISTINCT x FROM rows WHERE NOT EXISTS (FROM domain WHERE value IS NOT DISTINCT FROM x) ORDER BY x"
    old = [value for (value,) in at.execute("SELECT value FROM domain ORDER BY code").fetchall()]
    domain = (*old, *(value for (value,) in at.execute(fresh).fetchall()))
    at.register("codes", _coded(domain))
    same = " AND ".join(f"p.{cell} IS NOT DISTINCT FROM r.{cell}" for cell in id_cells(ledger.layout))
    other = ["p.value IS DISTINCT FROM c.code"]
    for (cell, first), kind in zip(since(at, ledger.layout).items(), kinds, strict=True):
        if first is None:  # nobody had one before
            other.append("false")
            continue
        differs = f"p.{cell} IS DISTINCT FROM r.{cell}"
        if kind == "number":  # 30 and 30.0 are the same age; two whole numbers beyond 2^53 are not
            same_size = f"TRY_CAST(p.{cell} AS DOUBLE) = TRY_CAST(r.{cell} AS DOUBLE)"
            differs += f" AND ({same_size} AND regexp_matches(p.{cell} || r.{cell}, '[.e]')) IS NOT TRUE"
        if first is not None and first > 1:  # of others no cell is known yet
            differs += f" AND p.person IN (SELECT person FROM seats WHERE NOT ghost AND release >= {first:d})"
        other.append(f"({differs})")
    columns = [f"(p.person IS NOT NULL AND {one})::INTEGER AS d{k}" for k, one in enumerate(other)]
    found = fetch(
        ledger,
        f"SELECT coalesce(p.person, -1)::BIGINT AS person, c.code, {', '.join(columns)} "
        f"FROM rows r LEFT JOIN people p ON p.current AND {same} "
        "JOIN codes c ON c.value IS NOT DISTINCT FROM r.x ORDER BY r.row",
    )
    at.unregister("codes")
    at.unregister("rows")
    person, value = (column_numbers(found, name) for name in ("person", "code"))
    changes = np.stack([column_numbers(found, f"d{k}").astype(np.bool_) for k in range(len(other))])
    return Matched(person.astype(np.int64), changes, value.astype(np.int32), domain)


def digest(ledger: Ledger, rows: pa.Table) -> str:
    """A number that the rows of a table have in common with the same rows in another order."""
    cells = ", ".join([*id_cells(ledger.layout), *quasi_cells(ledger.layout), "x"])
    at = ledger.connection
    at.register("rows", rows)
    ((count, mixed),) = at.execute(f"SELECT count(*), bit_xor(hash({cells})) FROM rows").fetchall()
    at.unregister("rows")
    return f"{count}:{mixed}"


def last_person(ledger: Ledger) -> int:
    """The largest number of a person, -1 before the first."""
    return number(ledger, "SELECT coalesce(max(person), -1) FROM people")


def last_nobody(ledger: Ledger) -> int:
    """How many nobodies there were: their numbers go from -1 down."""
    return number(ledger, "SELECT coalesce(-min(person), 0) FROM seats WHERE person < 0")


def read_memberships(ledger: Ledger) -> Memberships:
    """Who was in which group, release by release, without the counterfeits."""
    people, releases = last_person(ledger) + 1, count_releases(ledger)
    if not releases:
        return Memberships.empty()
    seats = fetch(ledger, "SELECT person, release, grp FROM seats WHERE person >= 0 AND NOT ghost")
    person, release, group = (column_numbers(seats, name) for name in ("person", "release", "grp"))
    groups = np.full((people, releases), -1, np.int32)
    groups[person, release - 1] = group
    signature = fetch(ledger, "SELECT signature FROM people ORDER BY person")
    return Memberships(groups, column_numbers(signature, "signature").astype(np.int32), read_signatures(ledger))


def read_signatures(ledger: Ledger) -> Signatures:
    """Every signature that was used."""
    rows = fetch(ledger, "SELECT signature, value FROM signatures ORDER BY signature, value")
    of, values = (column_numbers(rows, name) for name in ("signature", "value"))
    sizes = np.bincount(of) if len(of) else np.zeros(0, np.int64)
    return Signatures(offsets(sizes), values.astype(np.int32))


def count_releases(ledger: Ledger) -> int:
    """How many releases the ledger has."""
    return number(ledger, "SELECT count(*) FROM releases")


def members(ledger: Ledger) -> pa.Table:
    """`release`, `group`, identifier, private value: one row for each seat; only people have an identifier."""
    layout = ledger.layout
    shown = "".join(f"CASE WHEN NOT s.ghost THEN p.{cell} END AS {cell}, " for cell in id_cells(layout))
    found = fetch(
        ledger,
        f"SELECT s.release, s.grp, {shown}d.value AS x FROM seats s LEFT JOIN people p ON s.person = p.person "
        "JOIN domain d ON d.code = s.value ORDER BY s.release, s.grp, s.ghost OR s.person < 0, s.person, s.value",
    )
    return found.rename_columns(["release", "group", *layout.identifier, layout.private])


def propose(ledger: Ledger, entry: Entry) -> int:
    """Begin a transaction that adds the release; its number. `settle` or `withdraw` ends it."""
    ledger.connection.execute("BEGIN")
    try:
        return _add(ledger, entry)
    except BaseException:
        withdraw(ledger)
        raise


def withdraw(ledger: Ledger) -> None:
    """Forget what was proposed."""
    ledger.connection.execute("ROLLBACK")


def settle(ledger: Ledger, exposure: str) -> None:
    """Make what was proposed last: from here on it is published. A new ledger becomes a file by this."""
    last = "release = (SELECT max(release) FROM releases)"
    ledger.connection.execute(f"UPDATE releases SET exposure = ? WHERE {last}", [exposure])
    ledger.connection.execute("COMMIT")
    if ledger.is_new:
        make_file(ledger)
    else:
        keep(ledger)


def _add(ledger: Ledger, entry: Entry) -> int:
    at, release, newcomer = ledger.connection, count_releases(ledger) + 1, last_person(ledger) + 1
    make_key(ledger)
    change_columns(at, ledger.layout, release)
    _learn(ledger, entry, release)
    starts, values = entry.signatures.starts, entry.signatures.values
    numbers = np.repeat(np.arange(len(entry.signatures), dtype=np.int32), np.diff(starts))
    after = int(starts[len(read_signatures(ledger))])
    fresh = entry.people.append_column("current", arrow_array(np.ones(len(entry.people), np.bool_)))
    arriving = {
        "domain": _coded(entry.domain).slice(number(ledger, "SELECT count(*) FROM domain")),
        "signatures": arrow_table(signature=numbers[after:], value=values[after:]),
        "people": fresh,
        "groups": _numbered(entry.groups, release),
        "seats": _numbered(entry.seats, release),
        files_table(release): _compressed(entry.files),
    }
    if entry.withheld is not None:
        at.execute(withheld_table(ledger.layout))
        arriving["withheld"] = _numbered(entry.withheld, release)
    at.execute(f"CREATE OR REPLACE TABLE {files_table(release)} (name VARCHAR, size BIGINT, content BLOB)")
    at.register("arriving", arrow_table(person=entry.replaced))
    at.execute("UPDATE people SET current = false WHERE person IN (SELECT person FROM arriving)")
    for name, table in arriving.items():
        at.register("arriving", table)
        at.execute(f"INSERT INTO {name} BY NAME FROM arriving")
    at.unregister("arriving")
    at.execute(f"UPDATE releases SET state = NULL WHERE release < {release - 1:d}")  # the last may be taken back
    at.execute(
        "INSERT INTO releases VALUES (?, now()::TIMESTAMP, ?, ?, ?, ?, ?, ?, ?, ?, false)",
        [
            release,
            entry.algorithm,
            entry.m,
            entry.n,
            entry.digest,
            list(entry.kinds),
            "",  # what is exposed is told when it is settled
            entry.state or None,
            entry.folder,
        ],
    )
    add_link(at, ledger.layout, release, newcomer, entry.files)
    return release


def _learn(ledger: Ledger, entry: Entry, release: int) -> None:
    """Enter the cells of people who were there before a column was, and are in no release that has it."""
    at, late = ledger.connection, late_cells(ledger.connection, ledger.layout)
    if entry.stayed is None or not late:
        return
    newest = max(first or release for first in since(at, ledger.layout).values())
    at.register("arriving", entry.stayed)
    at.execute(
        f"UPDATE people SET {', '.join(f'{cell} = a.{cell}' for cell in late)} FROM arriving a WHERE people.person = "
        f"a.person AND a.person NOT IN (SELECT person FROM seats WHERE NOT ghost AND release >= {newest:d})"
    )
    at.unregister("arriving")


def _coded(domain: tuple[str | None, ...]) -> pa.Table:
    import pyarrow as pa

    return pa.table([arrow_array(np.arange(len(domain), dtype=np.int32)), arrow_texts(domain)], ["code", "value"])


def _numbered(table: pa.Table, release: int) -> pa.Table:
    return table.append_column("release", arrow_array(np.full(len(table), release, np.int32)))


def _compressed(files: Mapping[str, bytes]) -> pa.Table:
    import pyarrow as pa

    packed = [pa.compress(content, codec="zstd", asbytes=True) for content in files.values()]
    sizes = np.array([len(content) for content in files.values()], np.int64)
    return pa.table([arrow_texts(files), arrow_array(sizes), arrow_bytes(packed)], ["name", "size", "content"])
