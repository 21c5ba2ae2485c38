"""What is Spark's own: names, types, what is refused, what is written where, and what its logs do not say."""

from __future__ import annotations

import subprocess
import sys
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sqlglot import exp

import deniable
from deniable.engines import open_engine, opened
from deniable.engines.spark import SparkEngine
from deniable.errors import BadInput, EngineError, UnfitQuery, Unsupported
from tests.cli.conftest import Call
from tests.engines.places import Place, engines, is_nightly

PEOPLE = pa.table({"name": ["ann", "bob", "cid"], "age": [1, 1, 2], "problem": ["Flu", "HIV", "Flu"]})
VIEWS = {"people": "SELECT name, age FROM t", "clinic": "SELECT age, problem FROM t"}


def release(table: Any, **more: object) -> deniable.Release:
    given = {"identifier": "name", "private": "problem", "views": VIEWS, "name": "t", **more}
    return deniable.Release(table=table, **given)  # type: ignore[arg-type]


def session() -> Any:
    """The one that this process has."""
    from pyspark.sql import SparkSession

    return SparkSession._instantiatedSession


@engines("spark")
def test_tables_of_the_catalog_folders_and_sessions(place: Place, tmp_path: Path) -> None:
    with opened(place.engine):
        there = session()
    folder = tmp_path / "a b*[x]"
    folder.mkdir()
    pq.write_table(PEOPLE.slice(0, 2), folder / "1.parquet")
    pq.write_table(PEOPLE.slice(2), folder / "2.parquet")
    there.createDataFrame(PEOPLE).createOrReplaceTempView("seen")
    zone = there.conf.get("spark.sql.session.timeZone")
    for table, engine in ((f"{folder}/", place.engine), ("seen", there), (PEOPLE, "spark")):
        checked = deniable.check(release(table), engine=engine)
        assert list(checked.columns) == ["name", "age", "problem"]
        with opened(engine) as opened_:
            opened_.attach(table, "t", text=(), types={}, folder=Path(), row="n", own=True)
            rows = opened_.fetch(exp.select("*").from_("t").order_by("n"))
        assert rows.drop_columns(["n"]).to_pylist() == PEOPLE.to_pylist()
        assert rows["n"].to_pylist() == [1, 2, 3]
    assert there.conf.get("spark.sql.session.timeZone") == zone
    assert there.sql("SHOW VIEWS").toArrow()["viewName"].to_pylist() == ["seen"]
    there.catalog.dropTempView("seen")


@engines("spark")
def test_the_session_that_is_active_stays_it(place: Place) -> None:
    """PySpark makes a session active to which it hands a table over; the next engine would then know what is ours, and
    nothing of what the session of somebody else has learnt since."""
    from pyspark.sql import SparkSession

    with opened(place.engine):
        there = session()
    frame = there.createDataFrame(PEOPLE)  # so it is active
    for name in ("seen_first", "seen_then"):
        frame.createOrReplaceTempView(name)
        with opened("spark") as engine:
            engine.put("put", PEOPLE)
            assert deniable.check(release(name), engine="spark").columns
            assert SparkSession.getActiveSession()._jsparkSession.equals(there._jsparkSession)
        there.catalog.dropTempView(name)
    assert there.conf.get("spark.sql.ansi.enabled") == SparkSession.builder.getOrCreate().conf.get(
        "spark.sql.ansi.enabled"
    )


@engines("spark")
def test_tables_that_are_none(place: Place, tmp_path: Path) -> None:
    (tmp_path / "odd.parquet").write_bytes(b"PAR1 and nothing else")
    pq.write_table(pa.table({"name": ["a"], "Name": ["b"], "problem": ["c"]}), tmp_path / "twice.parquet")
    pq.write_table(PEOPLE.slice(0, 0), tmp_path / "empty.parquet")
    (tmp_path / "text.csv").write_text("name,age,problem\na,1,b\n", encoding="utf-8")
    said = {}
    for name in ("nowhere", "no.such.place.at.all", "a; DROP TABLE x", f"{tmp_path}/none.parquet",
                 f"{tmp_path}/twice.parquet", f"{tmp_path}/empty.parquet", f"{tmp_path}/text.csv"):  # fmt: skip
        with pytest.raises(BadInput) as raised:
            deniable.breach(release(name), engine=place.engine)
        said[Path(name).name] = str(raised.value)
        assert len(said[Path(name).name].splitlines()) == 1
    assert "upper and lower case" in said["twice.parquet"]
    assert "at least one row" in said["empty.parquet"]
    assert "text file" in said["text.csv"]
    with pytest.raises((BadInput, EngineError)) as failed:
        deniable.breach(release(f"{tmp_path}/odd.parquet"), engine=place.engine)
    assert len(str(failed.value).splitlines()) == 1


@engines("spark")
def test_types_are_read_as_what_they_are(place: Place, tmp_path: Path) -> None:
    with opened(place.engine) as engine:
        session().sql(
            "SELECT 'x' AS c, CAST(1.5 AS DECIMAL(10, 2)) AS d, CAST(0.1 AS FLOAT) AS r, array(1, 2) AS a, "
            "TIMESTAMP_LTZ'2020-01-01 12:00:00+02:00' AS z, TIMESTAMP_NTZ'2020-02-29 23:59:59.5' AS t, true AS b, "
            "1e15D AS f, 1e20D AS g, X'00ff' AS h, DATE'2020-02-29' AS y, DATE'10000-01-01' AS late"
        ).write.parquet(str(tmp_path / "typed"))

        def attach(*names: str) -> list[dict[str, object]]:
            table = str(tmp_path / "typed")
            engine.attach(table, "t", text=(), types={}, folder=Path(), columns=names, own=True, row="n")
            texts = [exp.alias_(exp.cast(exp.column(name), "TEXT"), name) for name in (*names, "n")]
            return list(engine.fetch(exp.select(*texts).from_("t")).to_pylist())

        found = attach("c", "d", "r", "a", "z", "t", "b", "f", "g", "h", "y")
        assert found == [{
            "c": "x", "d": "1.50", "r": "0.1", "a": "[1, 2]", "z": "2020-01-01 10:00:00", "t": "2020-02-29 23:59:59.5",
            "b": "true", "f": "1000000000000000.0", "g": "1e+20", "h": "00FF", "y": "2020-02-29", "n": "1",
        }]  # fmt: skip
        with pytest.raises(BadInput, match=r"late \(date\)"):
            attach("late")


@engines("spark")
def test_what_is_put_comes_back(place: Place) -> None:
    table = pa.table({
        "i": pa.array([1, None], pa.int32()), "t": ["é'\\", None], "f": [float("nan"), None], "b": [True, None],
        "d": pa.array([Decimal("1.50"), None], pa.decimal128(38, 2)), "day": [date(2020, 2, 29), None],
        "at": pa.array([datetime(1969, 12, 31, 23, 59, 59, 1), None], pa.timestamp("us")),
    })  # fmt: skip
    with opened(place.engine) as engine:
        engine.put("put", table)
        engine.put("none", table.slice(0, 0))
        assert str(engine.fetch(exp.select("*").from_("put")).to_pylist()) == str(table.to_pylist())
        assert engine.fetch(exp.select("*").from_("none")).schema == table.schema


@engines("spark")
def test_cells_are_quoted_nowhere(place: Place, capfd: pytest.CaptureFixture[str]) -> None:
    with opened(place.engine) as engine:
        engine.put("kept", pa.table({"x": ["Mary's illness"], "n": [1e30]}))
        for cell in ("CAST(x AS BIGINT)", "CAST(x AS DATE)", "x = 7", "CAST(n AS INT)", "CAST(n AS DECIMAL(9, 0))"):
            with pytest.raises((UnfitQuery, EngineError)) as raised:
                engine.fetch(exp.select(exp.alias_(exp.maybe_parse(cell, dialect="duckdb"), "n")).from_("kept"))
            assert "Mary" not in str(raised.value)
            assert len(str(raised.value).splitlines()) == 1
            assert raised.value.__cause__ is None
        assert engine.fetch(exp.select("x").from_("kept")).num_rows == 1
    said = capfd.readouterr()
    assert "Mary" not in said.out + said.err
    assert "000000000000" not in said.out + said.err


@engines("spark")
def test_another_master_than_that_of_the_process(place: Place) -> None:
    with opened(place.engine), pytest.raises(Unsupported) as raised:
        open_engine("spark://nowhere:7077")
    assert len(str(raised.value).splitlines()) == 1


def test_without_pyspark_or_java_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch, call: Call) -> None:
    monkeypatch.setattr("deniable.engines.spark_session.find_spec", lambda name: None)
    with pytest.raises(Unsupported, match=r"pip install 'deniable\[spark\]'"):
        open_engine("local[*]")
    monkeypatch.setattr("deniable.engines.spark_session.find_spec", lambda name: name)
    monkeypatch.setattr("deniable.engines.spark_session.shutil.which", lambda name: None)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(Unsupported, match="expected Java 17"):
        open_engine("spark")


def test_the_embedded_engine_imports_nothing_of_it() -> None:
    code = (
        "import sys, deniable.engines as e; e.open_engine(); "
        "print([m for m in sys.modules if 'spark' in m or 'py4j' in m])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def rows_fetched(release: deniable.Release, place: Place, verb: Any) -> int:
    fetched: list[int] = []
    close = SparkEngine.close

    def closed(engine: SparkEngine) -> None:
        fetched.append(engine.fetched)
        close(engine)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SparkEngine, "close", closed)
        made = verb(release, engine=place.engine)
        if hasattr(made, "close"):
            made.close()
    return sum(fetched)


@engines("spark")
def test_rows_stay_where_they_are(place: Place, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Ten times as many people, of the same kinds: nothing more comes to the driver."""

    def releases(people: int) -> tuple[deniable.Release, deniable.Release]:
        rows = range(people)
        table = pa.table({"name": [f"P{i:06d}" for i in rows], "age": [i % 10 for i in rows],
                          "sex": ["fm"[i % 2] for i in rows],
                          "problem": [f"ill {i % 7 * (i % 3)}" for i in rows]})  # fmt: skip
        groups = pa.array([i // 21 for i in rows])
        published = deniable.Published(table.select(["sex"]).append_column("group", groups),
                                       table.select(["problem"]).append_column("group", groups), "group")  # fmt: skip
        known = (deniable.Knowledge(given=("sex",), estimate=True),)
        loaded = place.load(table)
        return release(loaded), release(loaded, views={}, quasi=["sex"], published=published, knowledge=known)

    def counted(views: deniable.Release, groups: deniable.Release) -> dict[str, int]:
        found = {"breach": rows_fetched(views, place, deniable.breach)}
        if is_nightly(request):
            found["audit"] = rows_fetched(views, place, partial(deniable.audit, breach=0.5))
        found["crowds"] = rows_fetched(views, place, deniable.crowds)
        found["linkage"] = rows_fetched(groups, place, deniable.linkage)
        return found

    few, many = counted(*releases(2_100)), counted(*releases(21_000))
    assert few == many
    assert max(few.values()) < 2_100
