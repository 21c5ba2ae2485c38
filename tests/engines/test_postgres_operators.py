"""What whoever runs a PostgreSQL server sets up: types, roles, passwords, service files, encryption, time-outs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlglot import exp

import deniable
from deniable.engines import opened
from deniable.errors import BadInput, EngineError
from tests.engines import servers
from tests.engines.places import Place, engines
from tests.engines.test_postgres import PEOPLE, release, session

HERE = "postgresql"


@engines(HERE)
def test_types_that_a_database_made_itself(place: Place) -> None:
    """Domains are what they stand for; enums, uuid, json, bytes and addresses are their text."""
    assert place.server is not None
    place.server.run(
        "DROP TABLE IF EXISTS made; DROP DOMAIN IF EXISTS years, amount; DROP TYPE IF EXISTS mood, pair;"
        "CREATE DOMAIN years AS int CHECK (VALUE >= 0); CREATE DOMAIN amount AS numeric(6, 2);"
        "CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE TYPE pair AS (a int, b text);"
        "CREATE TABLE made AS SELECT 7::years AS d, 1.5::amount AS m, 'ok'::mood AS e, "
        "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'::uuid AS u, '{\"a\": 1}'::jsonb AS j, '\\x00ff'::bytea AS b, "
        "'10.0.0.1'::inet AS i, '1 day'::interval AS v, (1, 'x')::pair AS p, ARRAY['a', NULL] AS a, "
        "'12:00+02'::timetz AS t, 'x'::\"char\" AS c, B'101' AS bits, '<a/>'::xml AS x, 5::oid AS o;"
        f"GRANT SELECT ON made TO {servers.USER}"
    )
    names = ["d", "m", "e", "u", "j", "b", "i", "v", "p", "a", "t", "c", "bits", "x", "o"]
    with opened(place.engine) as engine:
        kinds = engine.attach("made", "made_1", text=(), types={}, folder=Path(), columns=names, own=True)
        texts = [exp.alias_(exp.cast(exp.column(name), "TEXT"), name) for name in names]
        (found,) = engine.fetch(exp.select(*texts).from_("made_1")).to_pylist()
        (shown,) = engine.fetch(exp.select("*").from_("made_1")).to_pylist()
    assert found == {
        "d": "7", "m": "1.50", "e": "ok", "u": "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "j": '{"a": 1}', "b": "\\x00ff",
        "i": "10.0.0.1/32", "v": "1 day", "p": "(1,x)", "a": "{a,NULL}", "t": "12:00:00+02", "c": "x", "bits": "101",
        "x": "<a/>", "o": "5",
    }  # fmt: skip
    assert (shown["d"], kinds["d"].is_number, kinds["e"].is_text) == (7, True, True)


@engines(HERE)
def test_names_are_found_where_the_role_would_find_them(place: Place) -> None:
    """By the role's own search path; a temporary-looking or hostile name in it is nothing to us."""
    assert place.server is not None
    table = place.load(PEOPLE).replace("public.", "").strip('"')
    role = f"found_{os.getpid()}"
    place.server.run(
        f'CREATE SCHEMA "Odd, one"; ALTER TABLE {table} SET SCHEMA "Odd, one"; CREATE ROLE {role} LOGIN;'
        f'GRANT USAGE ON SCHEMA "Odd, one" TO {role}; GRANT SELECT ON "Odd, one".{table} TO {role};'
        f'ALTER ROLE {role} SET search_path = \'no such\', "$user", "Odd, one"',
        place.database,
    )
    address = place.server.address(place.database, role)
    try:
        found = deniable.breach(release(table), engine=address)
        assert found.table.num_rows == len(PEOPLE) * len(found.adversaries)
        found.close()
        with opened(address) as engine:
            for missing in ("nowhere", table):  # a name that is none takes the path of the next with it
                if missing == table:
                    assert engine.header(missing, folder=Path(), own=True) == tuple(PEOPLE.column_names)
                else:
                    with pytest.raises(BadInput):
                        engine.header(missing, folder=Path(), own=True)
    finally:
        place.server.run(f'DROP SCHEMA "Odd, one" CASCADE; DROP ROLE {role}', place.database)


@engines(HERE)
def test_a_role_whose_statements_take_too_long(place: Place) -> None:
    slow = f"{place.engine}&options=-c%20statement_timeout%3D300"
    with opened(slow) as engine, pytest.raises(EngineError) as raised:
        engine._server.told("SELECT pg_sleep(20)::text AS slept")  # type: ignore[attr-defined]
    assert "cancelled on the server" in str(raised.value)


@engines(HERE)
def test_a_session_that_is_idle_for_too_long(place: Place) -> None:
    """The server ends it in the middle of the transaction: one line, no traceback, nothing to close."""
    assert place.server is not None
    for setting in ("idle_in_transaction_session_timeout", "idle_session_timeout"):
        with opened(f"{place.engine}&options=-c%20{setting}%3D1000") as engine:
            if setting == "idle_in_transaction_session_timeout":
                number = session(engine)  # type: ignore[arg-type]
                place.server.wait(f"SELECT (count(*) = 0)::int FROM pg_stat_activity WHERE pid = {number}")
                with pytest.raises(EngineError) as raised:
                    engine.fetch(exp.select("1 AS one"))
                assert len(str(raised.value).splitlines()) == 1


@engines(HERE)
def test_a_lock_that_somebody_holds(place: Place) -> None:
    """Whoever holds the table makes us wait as long as lock_timeout says, and no longer."""
    assert place.server is not None
    table = place.load(PEOPLE)
    holding = f"BEGIN; LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(60)"
    holder = subprocess.Popen(place.server.psql(holding, place.database), stderr=subprocess.DEVNULL)
    held = f"pg_locks WHERE granted AND mode = 'AccessExclusiveLock' AND relation = '{table}'::regclass"
    place.server.wait(f"SELECT count(*) FROM {held}", place.database)
    with pytest.raises(EngineError) as raised:
        deniable.breach(release(table), engine=f"{place.engine}&options=-c%20lock_timeout%3D200")
    assert len(str(raised.value).splitlines()) == 1
    place.server.run(f"SELECT pg_terminate_backend(pid) FROM {held}", place.database)
    holder.wait()


@engines(HERE)
def test_ctrl_c_stops_the_query_on_the_server(place: Place, tmp_path: Path) -> None:
    """The program ends with one line, and the server is at nothing any more."""
    assert place.server is not None
    view = f"slow_{os.getpid()}"
    place.server.run(
        f"CREATE VIEW {view} AS SELECT 'ann' || pg_sleep(30)::text AS name, 1 AS age, 'Flu' AS problem;"
        f"GRANT SELECT ON {view} TO {servers.USER}",
        place.database,
    )
    file = tmp_path / "slow.yaml"
    file.write_text(
        f"table: {view}\nname: t\nidentifier: name\nprivate: problem\nviews:\n"
        "  a: SELECT name, age FROM t\n  b: SELECT age, problem FROM t\n"
    )
    command = [sys.executable, "-m", "deniable", "breach", str(file), "--out", "out.csv", "--engine", place.engine]
    started = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    busy = f"state = 'active' AND query LIKE '%{view}%' AND pid <> pg_backend_pid()"
    asked = f"SELECT count(*) FROM pg_stat_activity WHERE {busy}"
    place.server.wait(asked)
    started.send_signal(signal.SIGINT)
    _, said = started.communicate(timeout=25)
    assert (said, started.returncode) == ("interrupted\n", 3)
    assert place.server.run(asked).strip() == "0"
    assert [path.name for path in tmp_path.iterdir()] == ["slow.yaml"]
    place.server.run(f"DROP VIEW {view}", place.database)


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[servers.Server, int]]:
    """A server that asks for a password and listens on a port of this machine, without encryption."""
    if servers.programs() is None:
        pytest.skip("there is no PostgreSQL: make test installs one")
    folder = servers.short_folder(f"guarded-{os.getpid()}")
    server, port = servers.start_guarded(folder)
    yield server, port
    servers.stop(folder)


def test_credentials_and_encryption(
    guarded: tuple[servers.Server, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, port = guarded
    where, password = f"127.0.0.1:{port}/postgres", servers.PASSWORD

    def rows(address: str) -> int:
        with opened(address) as engine:
            return int(engine.fetch(exp.select("1 AS one")).num_rows)

    def refused(address: str) -> str:
        with pytest.raises(EngineError) as raised:
            rows(address)
        said = str(raised.value)
        assert password not in said
        assert "wrong-one" not in said
        assert len(said.splitlines()) == 1
        return said

    for key in [key for key in os.environ if key.startswith("PG")]:
        monkeypatch.delenv(key)
    assert rows(f"postgresql://postgres:{password}@{where}") == 1
    assert "the password is wrong" in refused(f"postgresql://postgres:wrong-one@{where}")
    assert "no password was given" in refused(f"postgresql://postgres@{where}")
    assert "the password is wrong" in refused(f"postgresql://nobody:wrong-one@{where}")
    assert "no such database" in refused(f"postgresql://postgres:{password}@127.0.0.1:{port}/nowhere")
    assert "cannot be encrypted" in refused(f"postgresql://postgres:{password}@{where}?sslmode=require")
    assert "cannot be encrypted" in refused(f"postgresql://postgres:{password}@{where}?sslmode=verify-full")
    assert "nobody listens" in refused(f"postgresql://postgres:{password}@127.0.0.1:1/postgres")
    refused(f"postgresql://postgres:{password}@{where}?sslmode=nonsense")
    refused(f"postgresql://postgres:{password}@{where}?application_nam=x")
    # A password file, the environment, a service file.
    passwords = tmp_path / "passwords"
    passwords.write_text(f"127.0.0.1:{port}:*:postgres:{password}\n")
    passwords.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(passwords))
    assert rows(f"postgresql://postgres@{where}") == 1
    monkeypatch.delenv("PGPASSFILE")
    monkeypatch.setenv("PGPASSWORD", password)
    assert rows(f"postgresql://postgres@{where}") == 1
    monkeypatch.delenv("PGPASSWORD")
    services = tmp_path / "services"
    services.write_text(f"[clinic]\nhost=127.0.0.1\nport={port}\ndbname=postgres\nuser=postgres\npassword={password}\n")
    monkeypatch.setenv("PGSERVICEFILE", str(services))
    assert rows("postgresql:///?service=clinic") == 1
    assert "no such service" in refused("postgresql:///?service=elsewhere")
