"""Where a test runs: `@engines(...)` runs it once for each of the places that it names.

A place is an engine as `--engine` names it, and a way to bring a table there.
"""

from __future__ import annotations

import fcntl
import gc
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from sqlglot import exp

from deniable.engines.duckdb import DuckDBEngine
from deniable.engines.postgres_rows import for_server, sql_type
from tests.engines import servers, sparks

ALL = ("duckdb", "postgresql", "postgresql-language", "postgresql-bare", "spark")
OTHERS = ALL[1:4]  # those of PostgreSQL
SERVER = "DENIABLE_TEST_SERVER"
_NUMBERS = count()


@dataclass(frozen=True)
class Place:
    """An engine, and the server behind it if there is one."""

    name: str
    server: servers.Server | None = None
    folder: Path | None = None  # of tables in files, where there is no server

    @property
    def engine(self) -> str:
        """What `--engine` is given."""
        if self.server is None:
            return sparks.MASTER if self.name == "spark" else self.name
        return self.server.address(self.database, servers.BARE if self.name.endswith("bare") else servers.USER)

    @property
    def database(self) -> str:
        """`bytes`, or the one that is ordered as a language is."""
        return "language" if self.name.endswith("language") else "bytes"

    def load(self, rows: pa.Table, name: str | None = None) -> str:
        """A table as the release file names it there; its rows are in the order that they have here."""
        if self.folder is not None:
            return sparks.written(rows, self.folder / f"{name or f'loaded_{next(_NUMBERS)}'}.parquet")
        assert self.server is not None
        from adbc_driver_postgresql import dbapi

        rows = for_server(rows)
        name = name or f"loaded_{os.getpid()}_{next(_NUMBERS)}"
        with dbapi.connect(self.server.address(self.database)) as connection, connection.cursor() as cursor:
            quoted = exp.to_identifier(name, quoted=True).sql("postgres")
            cursor.execute("SET lock_timeout = '10s'")  # an engine that was not closed holds what it has read
            cursor.execute(f"DROP TABLE IF EXISTS {quoted}")
            kinds = (
                (exp.to_identifier(one.name, quoted=True).sql("postgres"), sql_type(one.type)) for one in rows.schema
            )
            cursor.execute(f"CREATE TABLE {quoted} ({', '.join(' '.join(kind) for kind in kinds)})")
            cursor.adbc_ingest(name, rows, mode="append")
            cursor.execute(f"GRANT SELECT ON {quoted} TO {servers.USER}, {servers.BARE}")
            connection.commit()
        return f"public.{quoted}"

    def load_file(self, path: Path) -> str:
        """A text file as a table, its columns in the types that the embedded engine reads in it."""
        return self.load(read_file(path), f"{path.stem}_{os.getpid()}_{next(_NUMBERS)}")

    def moved(self, folder: Path, names: str = "*.yaml") -> None:
        """Release files of a folder with their tables in the database, under the name that they had."""
        for file in sorted(folder.glob(names)):
            text = file.read_text(encoding="utf-8")
            table = re.search(r"^table: (\S+\.csv)(?: +#.*)?$", text, re.MULTILINE)
            if table is None:
                continue
            there = self.load_file(folder / table[1])
            named = "" if re.search(r"^name:", text, re.MULTILINE) else f"\nname: {Path(table[1]).stem}"
            file.write_text(text.replace(table[0], f"table: {there}{named}"), encoding="utf-8")


def read_file(path: Path) -> pa.Table:
    """The rows of a text file, in its order and with its types."""
    engine = DuckDBEngine([str(path)])
    engine.attach(str(path), "read", text=[], types={}, folder=Path(), row="place in the file")
    rows = engine.fetch(exp.select("*").from_("read").order_by('"place in the file"'))
    engine.close()
    return rows.drop_columns(["place in the file"])


def is_nightly(request: pytest.FixtureRequest) -> bool:
    """Whether there is time for everything."""
    return bool(request.config.getoption("--hypothesis-profile") == "nightly")


def nightly_alone(place: Place, request: pytest.FixtureRequest) -> None:
    """On Spark, where everything takes seconds, this test is one of the night."""
    if place.name == "spark" and not is_nightly(request):
        pytest.xfail("on Spark in `make nightly` alone")


def engines(*names: str) -> pytest.MarkDecorator:
    """Run a test at each of these places, as its argument `place`."""
    marked = [pytest.param(name, marks=pytest.mark.spark) if name == "spark" else name for name in names or ALL]
    return pytest.mark.parametrize("place", marked, indirect=True)


@pytest.fixture
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    """The place of this test. Results keep their transaction while they are there, and so what they have read."""
    name = str(request.param)
    if name == "duckdb":
        yield Place(name)
        return
    if name == "spark":
        request.getfixturevalue("spark")
        yield Place(name, folder=request.getfixturevalue("tmp_path_factory").mktemp("tables"))
        gc.collect()
        return
    server = request.getfixturevalue("postgres")
    if name.endswith("language") and not server.has_languages:
        pytest.skip("this PostgreSQL was built without ICU")
    yield Place(name, server)
    gc.collect()


@pytest.fixture(scope="session")
def postgres() -> servers.Server:
    """The server of this run, which the first of all workers starts; see `tests.conftest`."""
    if servers.programs() is None:
        pytest.skip("there is no PostgreSQL: make test installs one")
    folder = Path(os.environ[SERVER])
    with open(f"{folder}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "ready").exists():
            made = servers.start(folder)
            (folder / "ready").write_text("icu" if made.has_languages else "")
    found = servers.programs()
    assert found is not None
    return servers.Server(folder, found, (folder / "ready").read_text() == "icu")


@pytest.fixture(scope="session")
def spark(request: pytest.FixtureRequest) -> None:
    """The Spark of this run, which the first engine starts: only one worker runs these tests."""
    lacks = sparks.lacking()
    if lacks:
        pytest.skip(f"there is no {lacks}: make test installs it")
    sparks.prepare(compiled=is_nightly(request))


def same(one: Any, other: Any) -> bool:
    """Whether two documents are the same, but for the last digits of numbers with a point."""
    if isinstance(one, float) or isinstance(other, float):
        return one is not None and other is not None and float(one) == pytest.approx(float(other), rel=1e-9, abs=1e-300)
    if isinstance(one, dict):
        return isinstance(other, dict) and list(one) == list(other) and all(same(one[k], other[k]) for k in one)
    if isinstance(one, list):
        return isinstance(other, list) and len(one) == len(other) and all(map(same, one, other))
    return bool(one == other)
