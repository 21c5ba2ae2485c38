"""What is PostgreSQL's own: names, types, roles, credentials, what is refused, and what happens when it goes away."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from datetime import date
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pytest
from sqlglot import exp

import deniable
from deniable.engines import open_engine, opened
from deniable.engines.postgres import PostgresEngine
from deniable.engines.postgres_connection import Connection
from deniable.engines.postgres_errors import masked
from deniable.errors import BadInput, EngineError, UnfitQuery, Unsupported
from tests.cli.conftest import Call
from tests.engines import servers
from tests.engines.places import OTHERS, Place, engines

PEOPLE = pa.table({"name": ["ann", "bob", "cid"], "age": [1, 1, 2], "problem": ["Flu", "HIV", "Flu"]})
VIEWS = {"people": "SELECT name, age FROM t", "clinic": "SELECT age, problem FROM t"}


def release(table: str, **more: object) -> deniable.Release:
    given = {"identifier": "name", "private": "problem", "views": VIEWS, "name": "t", **more}
    return deniable.Release(table=table, **given)  # type: ignore[arg-type]


@engines(*OTHERS)
def test_names_in_quotes_views_and_parts(place: Place) -> None:
    assert place.server is not None
    place.server.run('DROP TABLE IF EXISTS "Mixed Case" CASCADE', place.database)
    place.load(PEOPLE, "Mixed Case")
    schema = f"s_{place.database}_{place.name.replace('-', '_')}"
    both = f"{servers.USER}, {servers.BARE}"
    place.server.run(
        f"DROP SCHEMA IF EXISTS {schema} CASCADE; CREATE SCHEMA {schema}; GRANT USAGE ON SCHEMA {schema} TO {both};"
        f'CREATE VIEW {schema}.seen AS SELECT * FROM "Mixed Case"; GRANT SELECT ON {schema}.seen TO {both};'
        f"CREATE TABLE {schema}.whole (name text, age int, problem text) PARTITION BY LIST (age);"
        f"CREATE TABLE {schema}.one PARTITION OF {schema}.whole FOR VALUES IN (1);"
        f"CREATE TABLE {schema}.rest PARTITION OF {schema}.whole DEFAULT;"
        f'INSERT INTO {schema}.whole SELECT * FROM "Mixed Case"; GRANT SELECT ON {schema}.whole TO {both}',
        place.database,
    )
    wanted = deniable.breach(release(PEOPLE)).table.sort_by("name").to_pylist()
    for name in ('"Mixed Case"', 'public."Mixed Case"', f"{schema}.seen", f"{schema}.whole"):
        found = deniable.breach(release(name), engine=place.engine).table.sort_by("name").to_pylist()
        assert sorted(map(str, found)) == sorted(map(str, wanted))


@engines("postgresql")
@pytest.mark.parametrize("name", ["nowhere", "public.Mixed", "a.b.c.d", "'; DROP TABLE x", "", "pg_catalog.now"])
def test_a_table_that_is_none(place: Place, name: str) -> None:
    with pytest.raises(BadInput) as raised:
        deniable.breach(release(name or "missing"), engine=place.engine)
    assert len(str(raised.value).splitlines()) == 1


@engines("postgresql")
def test_a_table_that_may_not_be_read(place: Place) -> None:
    assert place.server is not None
    place.server.run(
        "DROP TABLE IF EXISTS secret_one; CREATE TABLE secret_one AS SELECT 1 AS name, 2 AS age, 3 AS problem"
    )
    with pytest.raises(BadInput, match="no permission"):
        deniable.breach(release("secret_one"), engine=place.engine)


@engines("postgresql")
def test_types_are_read_as_what_they_are_or_refused_by_name(place: Place) -> None:
    assert place.server is not None
    place.server.run(
        "DROP TABLE IF EXISTS typed; CREATE TABLE typed AS SELECT 'x'::char(3) AS c, 1.50::numeric(10, 2) AS d, "
        "0.1::real AS r, 12345678901234567890.125::numeric AS n, '{1,2}'::int[] AS a, '$5'::money AS m, "
        "'[1,3)'::int4range AS g, '2020-01-01 12:00+02'::timestamptz AS z, 'infinity'::timestamp AS i, "
        "'NaN'::numeric AS bad, true AS b, 1e15::float8 AS f; GRANT SELECT ON typed TO deniable_reader"
    )
    with opened(place.engine) as engine:

        def attach(*names: str) -> list[dict[str, object]]:
            engine.attach("typed", "t", text=(), types={}, folder=Path(), columns=names, own=True)
            texts = [exp.alias_(exp.cast(exp.column(name), "TEXT"), name) for name in names]
            return list(engine.fetch(exp.select(*texts).from_("t")).to_pylist())

        found = attach("c", "d", "r", "n", "a", "m", "g", "z", "b", "f")
        assert found == [{
            "c": "x", "d": "1.50", "r": "0.1", "n": "12345678901234567890.125", "a": "{1,2}", "m": "$5.00",
            "g": "[1,3)", "z": "2020-01-01 10:00:00", "b": "true", "f": "1000000000000000.0",
        }]  # fmt: skip
        for name in ("i", "bad"):
            with pytest.raises(BadInput, match=rf"{name} \("):
                attach(name)


@engines("postgresql", "postgresql-bare")
def test_what_is_put_comes_back(place: Place) -> None:
    table = pa.table({
        "i": pa.array([1, None], pa.int32()), "t": ["é'\\", None], "f": [float("nan"), None], "b": [True, None],
        "d": pa.array([Decimal("1.50"), None], pa.decimal128(38, 2)), "day": [date(2020, 2, 29), None],
    })  # fmt: skip
    with opened(place.engine) as engine:
        engine.put("put", table)
        engine.put("none", table.slice(0, 0))
        assert str(engine.fetch(exp.select("*").from_("put")).to_pylist()) == str(table.to_pylist())
        assert engine.fetch(exp.select("*").from_("none")).schema == table.schema


@engines("postgresql")
def test_a_refused_query_takes_nothing_with_it_and_quotes_no_cell(place: Place) -> None:
    with opened(place.engine) as engine:
        engine.put("kept", pa.table({"x": ["Mary's illness"]}))
        with pytest.raises(UnfitQuery) as raised:
            engine.fetch(exp.select("CAST(x AS BIGINT) AS n").from_("kept"))
        assert "Mary" not in str(raised.value)
        assert raised.value.__cause__ is None
        assert engine.fetch(exp.select("x").from_("kept")).num_rows == 1


def test_addresses_are_masked() -> None:
    assert masked("postgresql://me:sesame@host:5432/db?password=sesame") == "postgresql://me@host:5432/db"
    assert "sesame" not in masked("postgresql://me:ses@me@sesame@host/db")
    assert masked("postgresql://[sesame") == "postgresql://…"


@pytest.mark.parametrize("address", ["postgresql://me:sesame@/x?host=/nowhere", "postgres://me:sesame@localhost:1/x"])
def test_nobody_there(address: str, call: Call, examples: Path) -> None:
    outcome = call("audit", "patients.yaml", "--engine", address)
    assert outcome.status == 3
    assert len(outcome.err.splitlines()) == 1
    assert "sesame" not in outcome.err


def test_another_scheme_is_not_echoed(call: Call, examples: Path) -> None:
    outcome = call("audit", "patients.yaml", "--engine", "postgre://me:sesame@host/x")
    assert outcome.status == 2
    assert "sesame" not in outcome.err


def test_without_the_driver_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deniable.engines.postgres.find_spec", lambda name: None)
    with pytest.raises(Unsupported, match=r"pip install 'deniable\[postgres\]'"):
        open_engine("postgresql://localhost/x")


def session(engine: PostgresEngine) -> int:
    """Its number on the server, where other workers have sessions of the same role."""
    return int(engine._server.told("SELECT pg_backend_pid() AS number")[0]["number"])


def slow(engine: PostgresEngine) -> None:
    engine._server.told("SELECT pg_sleep(20)::text AS slept")


@engines("postgresql")
def test_it_stops_on_the_server_when_told_to(place: Place) -> None:
    assert place.server is not None
    engine = PostgresEngine(place.engine)
    busy = f"pid = {session(engine)} AND state = 'active' AND query LIKE '%pg_sleep%'"
    asked, server = f"SELECT count(*) FROM pg_stat_activity WHERE {busy}", place.server

    def stop() -> None:
        server.wait(asked)
        engine.cancel()

    stopping = threading.Thread(target=stop)
    stopping.start()
    with pytest.raises(KeyboardInterrupt):
        slow(engine)
    stopping.join()
    assert server.run(asked).strip() == "0"
    engine.close()


@engines("postgresql")
@pytest.mark.parametrize("end", ["pg_cancel_backend", "pg_terminate_backend"])
def test_a_time_out_and_a_server_that_goes_away(place: Place, end: str) -> None:
    server = place.server
    assert server is not None
    engine = PostgresEngine(place.engine)
    number = session(engine)
    ending = threading.Timer(0.7, lambda: server.run(f"SELECT {end}({number})"))
    ending.start()
    with pytest.raises(EngineError) as raised:
        slow(engine)
    assert len(str(raised.value).splitlines()) == 1
    ending.join()
    engine.close()


@engines("postgresql")
@pytest.mark.parametrize(
    ("command", "when"),
    [
        ("breach patients.yaml --out out.csv", 5),
        ("crowds zip.yaml --out out.parquet", 1),
        ("linkage ward.yaml --out out.csv", 1),
        ("bucketize groups.yaml --r 2 --out published", 1),
        ("republish quarter2.yaml --out second", 1),
    ],
)
def test_nothing_is_left_when_it_goes_away_in_the_middle(
    place: Place, call: Call, examples: Path, monkeypatch: pytest.MonkeyPatch, command: str, when: int
) -> None:
    """One line, no half a file, a ledger as it was."""
    server = place.server
    assert server is not None
    (examples / "groups.yaml").write_text("table: ward.csv\nquasi: [gender, age]\nprivate: disease\n")
    if command.startswith("republish"):
        assert call("republish", "quarter1.yaml", "--out", "first", "--begin", "--seed", "1").status == 0
    place.moved(examples)
    before = {path: path.read_bytes() for path in examples.rglob("*") if path.is_file()}
    made, seen = PostgresEngine._sent, []

    def gone(engine: PostgresEngine, query: exp.Query) -> pa.Table:
        seen.append(query)
        if len(seen) == when:
            server.run(f"SELECT pg_terminate_backend({session(engine)})")
        return made(engine, query)

    monkeypatch.setattr(PostgresEngine, "_sent", gone)
    outcome = call(*command.split(), "--engine", place.engine)
    assert (outcome.status, len(outcome.err.splitlines())) == (3, 1), outcome.err
    assert servers.PASSWORD not in outcome.err
    assert {path: path.read_bytes() for path in examples.rglob("*") if path.is_file()} == before


@engines("postgresql")
@pytest.mark.parametrize(("ending", "said"), [(".csv", "the server w"), (".parquet", "the query failed")])
def test_nothing_is_left_when_it_ends_while_a_file_is_written(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, said: str
) -> None:
    """The server is shut down, or has a row that it cannot compute, after some hundred thousand went out."""
    server = place.server
    assert server is not None
    rows, shut = 500_000, ending == ".csv"
    cell = "i" if shut else f"CASE WHEN i = {rows} THEN 1 / (i - {rows}) ELSE i END"
    number, name = f"generate_series(1, {rows}) AS i", f"many{ending.replace('.', '_')}"
    server.run(f"CREATE OR REPLACE VIEW {name} AS SELECT 'Mary''s illness' AS x, {cell} AS y FROM {number}")
    server.run(f"GRANT SELECT ON {name} TO {servers.USER}")
    stream, path = Connection.stream, tmp_path / f"out{ending}"

    def cut(connection: Connection, sql: str, title: str = "") -> object:
        found = stream(connection, sql, title)
        if shut:
            server.run(f"SELECT pg_terminate_backend({pid})")
        return found

    with opened(place.engine) as engine:
        assert isinstance(engine, PostgresEngine)
        engine.attach(name, "many", text=(), types={}, folder=Path(), own=True)
        pid = session(engine)
        monkeypatch.setattr(Connection, "stream", cut)
        with pytest.raises(EngineError, match=said) as raised:
            engine.save(exp.select("x", "y").from_("many"), path)
        monkeypatch.undo()
    assert str(raised.value).startswith("postgresql: ")
    assert "Mary" not in str(raised.value)
    assert list(tmp_path.iterdir()) == []
    server.run(f"DROP VIEW {name}")


ASKED = """
audit patients.yaml
breach patients.yaml --out associations.csv
crowds zip.yaml --out crowds.csv
explain patients.yaml --who George
linkage ward.yaml --out posteriors.csv
bucketize groups.yaml --r 2 --out published --seed 1
republish quarter1.yaml --out first --begin --seed 1
attack quarter1.yaml --out attack.csv
""".strip().splitlines()
WRITES_NOTHING = {"BEGIN", "SET", "SELECT", "WITH", "SAVEPOINT", "RELEASE", "ROLLBACK"}


@engines("postgresql", "postgresql-bare")
def test_nothing_is_written_outside_the_temporary_schema(place: Place, call: Call, examples: Path) -> None:
    """Every kind of command, by the server's own log; the role has SELECT on the tables, and no other right."""
    server = place.server
    assert server is not None
    (examples / "groups.yaml").write_text("table: ward.csv\nquasi: [gender, age]\nprivate: disease\n")
    bare = place.name.endswith("bare")
    asked = [one for one in ASKED if not bare or one.split()[0] in ("audit", "breach", "crowds", "linkage")]
    place.moved(examples)
    role = servers.BARE if bare else servers.USER
    # Of this role alone: other workers load their tables into the same server meanwhile.
    outside = f"SELECT count(*) FROM pg_class WHERE relpersistence <> 't' AND relowner = '{role}'::regrole"
    before = server.run(outside)
    server.run(f"ALTER ROLE {role} SET log_statement = 'all'")
    log = server.folder / "log"
    start = log.stat().st_size
    for command in asked:
        outcome = call(*command.split(), "--engine", place.engine)
        assert outcome.status in (0, 1), outcome.err
    server.run(f"ALTER ROLE {role} RESET log_statement")
    assert before == server.run(outside)
    said = log.read_bytes()[start:].decode()
    sent = set(re.findall(r"LOG:  (?:statement|execute [^:]*):\s+(\w+)", said))
    assert {"SELECT", "COPY"} <= sent
    assert sent <= WRITES_NOTHING | {"COPY"} | (set() if bare else {"ANALYZE", "CREATE"})
    made = set(re.findall(r'CREATE TEMPORARY TABLE "(\w+)"', said))
    assert said.count("CREATE ") == said.count("CREATE TEMPORARY TABLE ")
    assert bool(made) != bare
    filled = re.findall(r"COPY (?!\()(.*?) *\(.*FROM STDIN", said)  # what is not the answer of a query
    assert {re.sub(r'^pg_temp *\. *|[" ]', "", one.replace('"', "")) for one in filled} <= made


def test_the_embedded_engine_imports_nothing_of_it() -> None:
    code = (
        "import sys, deniable.engines as e; e.open_engine(); "
        "print([m for m in sys.modules if 'adbc' in m or 'deniable.engines.postgres' in m])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
