"""Joins in which a null matches a null, on PostgreSQL: what stands in the place of null is no null itself."""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal
from itertools import product
from typing import Any

import pyarrow as pa
import pytest
from sqlglot import exp

from deniable.engines import opened
from deniable.engines.dialect import same
from deniable.engines.postgres import PostgresEngine
from deniable.engines.postgres_connection import Connection
from tests.engines.places import Place, engines

KINDS: dict[str, tuple[pa.DataType, list[Any]]] = {  # the cell that stands for null, and another
    "text": (pa.string(), ["", "a"]),
    "small": (pa.int16(), [0, 1]),
    "int": (pa.int32(), [0, 1]),
    "long": (pa.int64(), [0, 1]),
    "double": (pa.float64(), [0.0, float("nan")]),
    "decimal": (pa.decimal128(38, 2), [Decimal(0), Decimal("0.50")]),
    "truth": (pa.bool_(), [False, True]),
    "date": (pa.date32(), [date(2000, 1, 1), date(1, 1, 1)]),
    "moment": (pa.timestamp("us"), [datetime(2000, 1, 1), datetime(1999, 1, 1)]),
    "time": (pa.time64("us"), [time(0), time(1)]),
}


def joined() -> exp.Select:
    query = exp.select("a.n AS a", "b.n AS b").from_("kept AS a")
    return query.join(exp.to_table("kept").as_("b"), on=same(["x", "y"], "a", "b"))


@pytest.mark.parametrize("kind", KINDS)
@engines("postgresql", "postgresql-bare")
def test_a_null_matches_nulls_alone(place: Place, kind: str) -> None:
    type_, cells = KINDS[kind]
    pairs = list(product([None, *cells], repeat=2))
    table = pa.table({
        "n": list(range(len(pairs))), "x": pa.array([x for x, _ in pairs], type_),
        "y": pa.array([y for _, y in pairs], type_),
    })  # fmt: skip
    with opened(place.engine) as engine:
        engine.put("kept", table)
        found = engine.fetch(joined()).to_pylist()
    assert sorted((row["a"], row["b"]) for row in found) == [(i, i) for i in range(len(pairs))]


@engines("postgresql")
def test_the_cells_themselves_are_hashed(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[str] = []
    read = Connection.read

    def noted(server: Connection, sql: str, title: str = "") -> pa.Table:
        sent.append(sql)
        return read(server, sql, title)

    monkeypatch.setattr(Connection, "read", noted)
    with opened(place.engine) as engine:
        engine.put("kept", pa.table({"n": [1], "x": ["a"], "y": [1.5]}))
        engine.fetch(joined())
        assert "ARRAY" not in sent[-1]
        assert "COALESCE" in sent[-1]


@engines("postgresql")
def test_joins_become_tables_when_they_are_read_again(place: Place) -> None:
    with opened(place.engine) as engine:
        assert isinstance(engine, PostgresEngine)
        engine.put("kept", pa.table({"n": [1, 2], "x": ["a", None], "y": [1.5, None]}))
        engine.view("inside", joined())
        engine.view("outside", exp.select("inside.a").from_("inside").join("kept", on="inside.a = kept.n"))
        first = engine.fetch(exp.select("a").from_("outside").order_by("a")).to_pylist()
        assert {"inside", "outside"} <= set(engine._views)
        assert engine.fetch(exp.select("a").from_("outside").order_by("a")).to_pylist() == first
        assert "outside" not in engine._views
        assert "inside" in engine._views
        twice = exp.select("l.a").from_("inside AS l").join("inside AS r", on="l.a = r.a").order_by("l.a")
        assert engine.fetch(twice).to_pylist() == first
        assert "inside" not in engine._views
