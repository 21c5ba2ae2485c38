"""The chain of digests: what each release entered in the ledger, tied to all that was entered before it.

Computed, for release k: link_k = SHA-256(link_{k-1}, its row, its seats and groups, its newcomers, its files). Rows
have no order, so they are summed: each is one number x, and sum(x * x) changes with any of them. Tables that grow
(`domain`, `signatures`) and what stable groups remember are told by `whole`, which holds for the last release only.

A link that does not hold says that something was changed by accident; whoever changes a ledger on purpose can make
links too. Releases of versions that made none have none, and the chain begins behind them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from deniable.errors import Reason
from deniable.frozen import frozen
from deniable.ledgers.schema import Layout, files_table, has_table, id_cells

if TYPE_CHECKING:
    import duckdb

_TABLE = (
    "CREATE TABLE IF NOT EXISTS links (release INTEGER, first INTEGER, last INTEGER, published VARCHAR, "
    "link VARCHAR, whole VARCHAR)"
)
PARTS = {
    "seats": "((person * 1000003::HUGEINT + grp) * 65537 + value) * 2 + ghost::INTEGER",
    "groups": "(grp * 1000003::HUGEINT + signature) * 65537 + lineage",
}


_HALF = 1 << 40
# How many there are and the sum of x * x, in three parts (`total`): as one it may be more than the engine can hold.
SUMS = "count(*), sum(h * h), sum(h * l), sum(l * l)"


@frozen
class Linked:
    """A release in the chain: its newcomers' first and last number, and the digest of what was published."""

    release: int
    first: int
    last: int
    published: str
    link: str
    whole: str


def digest_files(files: Mapping[str, bytes]) -> str:
    """What was published, as one digest."""
    return _digest({name: hashlib.sha256(content).hexdigest() for name, content in sorted(files.items())})


def read_links(at: duckdb.DuckDBPyConnection) -> tuple[Linked, ...]:
    """The chain, the first link first."""
    if not has_table(at, "links"):
        return ()
    return tuple(Linked(*row) for row in at.execute("SELECT * FROM links ORDER BY release").fetchall())


def add_link(
    at: duckdb.DuckDBPyConnection, layout: Layout, release: int, first: int, files: Mapping[str, bytes]
) -> None:
    """Tie the release that was entered last to those before; `first` is the number of its first newcomer."""
    at.execute(_TABLE)
    before = read_links(at)
    ((last,),) = at.execute("SELECT coalesce(max(person), -1) FROM people").fetchall()
    made = Linked(release, first, last, digest_files(files), "", _whole(at))
    told = _told(at, layout, [made])[release]
    link = _link(before[-1].link if before else "", made, told)
    at.execute("INSERT INTO links VALUES (?, ?, ?, ?, ?, ?)", [release, first, last, made.published, link, made.whole])


def remove_link(at: duckdb.DuckDBPyConnection, release: int) -> None:
    """The release is taken back."""
    if has_table(at, "links"):
        at.execute("DELETE FROM links WHERE release = ?", [release])


def broken(at: duckdb.DuckDBPyConnection, layout: Layout) -> Iterator[Reason]:
    """What is not as it was entered. Every block of the file is read, and its own checksum with it."""
    names = [name.replace('"', '""') for name in _tables(at)]
    at.execute(" UNION ALL ".join(f'SELECT bit_xor(hash(t)) FROM "{name}" t' for name in names)).fetchall()
    links = read_links(at)
    told, before = _told(at, layout, links), ""
    ((last,),) = at.execute("SELECT coalesce(max(release), 0) FROM releases").fetchall()
    for one in links:
        as_entered = one.link == _link(before, one, told[one.release])
        if not as_entered or (one.release == last and one.whole != _whole(at)):
            yield Reason("again.link_broken", release=one.release)
        before = one.link


def _link(before: str, made: Linked, told: object) -> str:
    return _digest([before, made.release, made.first, made.last, made.published, told])


def _told(at: duckdb.DuckDBPyConnection, layout: Layout, links: Sequence[Linked]) -> dict[int, list[object]]:
    """What the ledger has of each release, in few numbers."""
    numbers = [one.release for one in links]
    found: dict[int, list[object]] = {release: [] for release in numbers}
    query = (
        "SELECT release, made::VARCHAR, algorithm, m, n, digest, kinds FROM releases WHERE list_contains(?, release)"
    )
    _enter(found, at.execute(query, [numbers]).fetchall())
    for table, x in PARTS.items():
        sums = f"SELECT release, {SUMS} FROM {halved(x, table)} WHERE list_contains(?, release) GROUP BY release"
        rows = at.execute(sums, [numbers]).fetchall()
        _enter(found, [(release, count, total(parts)) for release, count, *parts in rows])
    cells = ", ".join(f"coalesce('=' || {cell}, '')" for cell in id_cells(layout))
    tables = _tables(at)
    mixed = f"md5_number_lower(concat_ws(chr(31), person, value, signature, {cells}))"
    for one in links:
        sums = f"SELECT {one.release:d}, count(*), sum({mixed}::HUGEINT)::VARCHAR FROM people"
        _enter(found, at.execute(f"{sums} WHERE person BETWEEN ? AND ?", [one.first, one.last]).fetchall())
        files = f"SELECT name, size, sha256(content) FROM {files_table(one.release)} ORDER BY name"
        found[one.release].append(at.execute(files).fetchall() if files_table(one.release) in tables else [])
    return found


def halved(x: str, table: str) -> str:
    """The rows of a table with the halves h and l of a number x, which is written once: each writing is bound anew."""
    return f"(SELECT *, x // {_HALF} AS h, x % {_HALF} AS l FROM (SELECT *, {x} AS x FROM {table}))"


def total(parts: Sequence[int | None]) -> str | None:
    """The sum of x * x itself; None where there is nothing to be summed."""
    high, mixed, low = parts
    if high is None or mixed is None or low is None:
        return None
    return str(high * _HALF * _HALF + 2 * mixed * _HALF + low)


def _tables(at: duckdb.DuckDBPyConnection) -> set[str]:
    return {name for (name,) in at.execute("SELECT table_name FROM duckdb_tables()").fetchall()}


def _enter(found: dict[int, list[object]], rows: list[Any]) -> None:
    for release, *told in rows:
        found[release].append(told)


def _whole(at: duckdb.DuckDBPyConnection) -> str:
    """The tables that grow, and what stable groups remember."""
    used = "SELECT max(value) FROM (SELECT value FROM seats UNION ALL SELECT value FROM signatures)"  # as undo has it
    values = (
        "SELECT count(*), sum(md5_number_lower(code || coalesce('=' || value, ''))::HUGEINT)::VARCHAR FROM domain "
        f"WHERE code <= ({used})"
    )
    x = "signature * 1000003::HUGEINT + value"
    ((count, *parts),) = at.execute(f"SELECT {SUMS} FROM {halved(x, 'signatures')}").fetchall()
    sets = [(count, total(parts))]
    state = "SELECT release, sha256(state) FROM releases WHERE release = (SELECT max(release) FROM releases)"
    return _digest([at.execute(values).fetchall(), sets, at.execute(state).fetchall()])


def _digest(told: object) -> str:
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
