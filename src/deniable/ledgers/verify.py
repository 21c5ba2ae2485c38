"""Does a ledger keep what re-publication promises? Every invariant again, from the ledger alone, without the code that
made it: one signature for life, weak m-invariance, hc-safety of degree n, and files that say what the seats say.

Each check is a query that counts what is wrong; nothing is repaired. Messages hold counts, never a cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING
from zipfile import BadZipFile

import duckdb
import numpy as np

from deniable.arrow import column_numbers
from deniable.ledgers.chain import broken
from deniable.ledgers.file import Ledger, fetch, number
from deniable.ledgers.outbox import FILES, read_files
from deniable.ledgers.schema import id_cells, quasi_cells
from deniable.ledgers.state import unpack
from deniable.publish.again.algorithm import ALGORITHMS
from deniable.publish.spreadsheets import as_before
from deniable.steps import reach

if TYPE_CHECKING:
    import pyarrow as pa

_COUNTS = {
    "releases are not numbered from 1 on": """
        SELECT count(*) FROM (SELECT release, row_number() OVER (ORDER BY release) AS place FROM releases)
        WHERE release <> place""",
    "people are in the ledger twice": """
        SELECT count(*) - count(DISTINCT person) FROM people""",
    "seats are of a release that is not there": """
        SELECT count(*) FROM seats ANTI JOIN releases USING (release)""",
    "people have no seat": """
        SELECT count(*) FROM people ANTI JOIN seats USING (person)""",
    "seats are of nobody in the ledger": """
        SELECT count(*) FROM (FROM seats WHERE person >= 0) ANTI JOIN people USING (person)""",
    "seats have another value than their person": """
        SELECT count(*) FROM seats s JOIN people p USING (person) WHERE s.value IS DISTINCT FROM p.value""",
    "people are in a release more than once": """
        SELECT count(*) FROM
            (SELECT release, person FROM seats GROUP BY ALL HAVING count(*) > 1)""",
    "seats are in no group": """
        SELECT count(*) FROM seats ANTI JOIN groups USING (release, grp)""",
    "groups are in a release more than once": """
        SELECT count(*) FROM (SELECT release, grp FROM groups GROUP BY ALL HAVING count(*) > 1)""",
    "groups have no people": """
        SELECT count(*) FROM groups
        ANTI JOIN (FROM seats WHERE person >= 0 AND NOT ghost) USING (release, grp)""",
    "groups have values that are not equally often": """
        SELECT count(*) FROM (SELECT release, grp FROM often GROUP BY ALL HAVING min(n) <> max(n))""",
    "groups have fewer than m values": """
        SELECT count(*) FROM (SELECT release, grp, count(*) AS v FROM often GROUP BY ALL) JOIN releases USING (release)
        WHERE v < m""",
    "groups have other values than their signature": """
        WITH held AS (SELECT release, grp, list_sort(list(value)) AS v FROM often GROUP BY ALL),
             meant AS (SELECT signature, list_sort(list(value)) AS w FROM signatures GROUP BY ALL)
        SELECT count(*) FROM held JOIN groups USING (release, grp) LEFT JOIN meant USING (signature)
        WHERE v IS DISTINCT FROM w""",
    "people are under another signature than before": """
        SELECT count(DISTINCT person) FROM seats JOIN people p USING (person) JOIN groups g USING (release, grp)
        WHERE g.signature <> p.signature""",
}


def mismatches(ledger: Ledger) -> Iterator[str]:
    """Everything that is wrong, a line each."""
    at = ledger.connection
    try:
        at.execute(
            "CREATE OR REPLACE TEMP VIEW often AS SELECT release, grp, value, count(*) AS n FROM seats GROUP BY ALL"
        )
        cells = ", ".join(id_cells(ledger.layout))
        named = f"SELECT count(*) FROM (SELECT {cells} FROM people WHERE current GROUP BY ALL HAVING count(*) > 1)"
        for what, query in {**_COUNTS, "identifiers are of more than one person": named}.items():
            count = number(ledger, query)
            if count:
                yield f"{count:,} {what}"
        strange = "SELECT count(*) FROM releases WHERE NOT list_contains(?, algorithm)"
        ((count,),) = at.execute(strange, [list(ALGORITHMS)]).fetchall()
        if count:
            yield f"{count:,} releases are of an algorithm that is not known"
        promised = "SELECT release, n, algorithm FROM releases WHERE n IS NOT NULL ORDER BY release"
        for release, n, algorithm in at.execute(promised).fetchall():
            yield from _unsafe(ledger, release, n, algorithm)
        releases = at.execute("SELECT DISTINCT release FROM releases ORDER BY release").fetchall()
        for place, (release,) in enumerate(releases):
            reach("verify", place, len(releases))
            yield from _other_files(ledger, release)
        yield from _other_state(ledger)
        yield from (str(reason) for reason in broken(at, ledger.layout))
    except (duckdb.Error, OSError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        yield f"the ledger cannot be read to its end ({type(error).__name__})"


def _unsafe(ledger: Ledger, release: int, n: int, algorithm: str) -> Iterator[str]:
    """hcSafe (Riboni & Bettini, Figure 6). Where seats are kept, ghosts are the people whose seats they keep, and the
    promise begins with the groups that were taken over. Otherwise only who is there counts, in every earlier release.
    """
    given: list[int | str] = [release, n]
    if algorithm in _keepers():
        given.append(algorithm)
        first = "(SELECT coalesce(max(release), 0) FROM releases WHERE release < $1 AND algorithm <> $3)"
        compared = f"b.release >= {first}"
    else:
        compared = "NOT a.ghost AND NOT b.ghost"
    together = (
        "SELECT count(*) AS l, any_value(rows) AS q, a.grp, b.release FROM seats a JOIN seats b USING (person) "
        "JOIN (SELECT grp, count(*) AS rows FROM seats WHERE release = $1 GROUP BY grp) s ON s.grp = a.grp "
        f"WHERE a.release = $1 AND b.release < $1 AND {compared} GROUP BY a.grp, b.release, b.grp"
    )
    query = f"SELECT count(DISTINCT grp) FROM ({together}) WHERE l > q - $2 AND l < q"
    ((count,),) = ledger.connection.execute(query, given).fetchall()
    if count:
        yield f"release {release}: {count:,} groups are not hc-safe of degree {n}"


def _keepers() -> list[str]:
    """The algorithms that keep seats, and remember them in the ledger."""
    return [name for name, algorithm in ALGORITHMS.items() if algorithm.keeps_seats]


def _other_state(ledger: Ledger) -> Iterator[str]:
    """Whether what stable groups remember is what the last release's seats say."""
    query = (
        "SELECT count(*) FROM releases WHERE (state IS NOT NULL) <> list_contains(?, algorithm)"
        " AND release = (SELECT max(release) FROM releases)"
    )
    ((count,),) = ledger.connection.execute(query, [_keepers()]).fetchall()
    if count:
        yield "the last release does not say what its groups remember"
        return
    last = "release = (SELECT max(release) FROM releases WHERE state IS NOT NULL)"
    told = fetch(ledger, f"SELECT person, value, ghost::INTEGER AS ghost FROM seats WHERE {last} ORDER BY person")
    rows = ledger.connection.execute(f"SELECT state FROM releases WHERE {last}").fetchall()
    if not rows:
        return
    try:
        seats = unpack(rows[0][0])
    except (ValueError, KeyError, TypeError, OSError, BadZipFile):
        yield "what stable groups remember cannot be read"
        return
    order = np.argsort(seats.person)
    kept = np.stack([seats.person[order], seats.values[order], seats.ghost[order]])
    if not np.array_equal(kept, np.stack([column_numbers(told, name) for name in told.column_names])):
        yield "what stable groups remember is not what the last release's seats say"


def _other_files(ledger: Ledger, release: int) -> Iterator[str]:
    """Whether what was published is what the seats say, and covers everybody who is in it."""
    at, private = ledger.connection, ledger.layout.private
    ((kinds,),) = at.execute("SELECT any_value(kinds) FROM releases WHERE release = ?", [release]).fetchall()
    places = _places(kinds)
    last = 1 + sum(map(len, places))
    try:
        files = read_files(ledger, release)
        if set(files) != set(FILES):
            yield f"release {release}: its files are missing"
            return
        said, fakes = _cells(files["release.csv"], last + 1), _cells(files["counterfeits.csv"], 2)
    except (ValueError, OSError):  # as Arrow says of bytes that are not what they were
        yield f"release {release}: its files cannot be read"
        return
    checks = {
        f"pairs of group and {private} are not as published": (
            f"WITH a AS (SELECT TRY_CAST(c0 AS INTEGER) AS grp, c{last} AS value, count(*) AS n FROM said "
            "GROUP BY ALL), b AS (SELECT grp, d.value, n FROM often JOIN domain d ON often.value = d.code "
            "WHERE release = ?) SELECT count(*) FROM a FULL JOIN b ON a.grp = b.grp "
            "AND a.value IS NOT DISTINCT FROM b.value WHERE a.n IS DISTINCT FROM b.n"
        ),
        "groups have other counterfeits than published": (
            "WITH a AS (SELECT TRY_CAST(c0 AS INTEGER) AS grp, TRY_CAST(c1 AS BIGINT) AS n FROM fakes), "
            "b AS (SELECT grp, count(*) AS n FROM seats WHERE release = ? AND (person < 0 OR ghost) GROUP BY grp) "
            "SELECT count(*) FROM a FULL JOIN b USING (grp) WHERE a.n IS DISTINCT FROM b.n"
        ),
        "people are not within what their group says": _outside(quasi_cells(ledger.layout), kinds, places),
    }
    at.register("fakes", fakes)
    told = _mismatches(at, release, checks, said)
    if told and _mismatches(at, release, checks, _as_before(said)):  # where it was not written for spreadsheets either
        yield from told
    at.unregister("fakes")


def _mismatches(
    at: duckdb.DuckDBPyConnection, release: int, checks: Mapping[str, str], said: pa.Table
) -> list[str]:  # fmt: skip
    """What a release's rows, read as they are here, have against its seats."""
    at.register("said", said)
    counts = {what: at.execute(query, [release]).fetchall()[0][0] for what, query in checks.items()}
    at.unregister("said")
    return [f"release {release}: {count:,} {what}" for what, count in counts.items() if count]


def _as_before(said: pa.Table) -> pa.Table:
    """The rows of a release that was written with --excel-safe, as its groups and values are."""
    import pyarrow as pa

    return pa.table([as_before(column) for column in said.columns], names=said.column_names)


def _places(kinds: list[str]) -> list[list[str]]:
    """The published columns of each quasi-identifier: two ends of an interval, or one set or label."""
    found, at = [], 1
    for kind in kinds:
        width = 2 if kind in ("number", "date") else 1
        found.append([f"c{at + k}" for k in range(width)])
        at += width
    return found


def _outside(quasi: list[str], kinds: list[str], places: list[list[str]]) -> str:
    """How many people have a cell that their group does not cover; null is above every number and date."""
    wrong = ["false"]
    for cell, kind, names in zip(quasi, kinds, places, strict=False):  # columns that came later have no kind yet
        if kind in ("number", "date"):
            low, high = (f"TRY_CAST(g.{name} AS {'DOUBLE' if kind == 'number' else 'VARCHAR'})" for name in names)
            mine = f"TRY_CAST(p.{cell} AS {'DOUBLE' if kind == 'number' else 'VARCHAR'})"
            wrong.append(f"coalesce({mine} < {low}, p.{cell} IS NOT NULL AND g.{names[0]} IS NULL)")
            wrong.append(f"coalesce({mine} > {high}, p.{cell} IS NULL AND g.{names[1]} IS NOT NULL)")
        elif kind == "category":
            mine = f"replace(replace(coalesce(p.{cell}, ''), '\\', chr(1)), '|', chr(2))"
            said = f"replace(replace(coalesce(g.{names[0]}, ''), '\\\\', chr(1)), '\\|', chr(2))"
            wrong.append(f"NOT contains('|' || {said} || '|', '|' || {mine} || '|')")
    told = ", ".join(["c0", *(name for names in places for name in names)])
    return (
        f"SELECT count(*) FROM seats s JOIN people p USING (person) JOIN (SELECT DISTINCT {told} FROM said) g "
        f"ON TRY_CAST(g.c0 AS INTEGER) = s.grp WHERE s.release = ? AND NOT s.ghost AND ({' OR '.join(wrong)})"
    )


def _cells(content: bytes, columns: int) -> pa.Table:
    """A published file as text, c0 and so on."""
    import pyarrow as pa
    from pyarrow import csv

    names = [f"c{k}" for k in range(columns)]
    return csv.read_csv(
        pa.BufferReader(content),
        read_options=csv.ReadOptions(column_names=names, skip_rows_after_names=1),
        parse_options=csv.ParseOptions(newlines_in_values=True),
        convert_options=csv.ConvertOptions(
            column_types=dict.fromkeys(names, pa.string()), null_values=[""], strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )  # fmt: skip
