"""Tables with everything that databases differ in, on every engine: the same rows and keys."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pyarrow as pa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import deniable
from tests.engines.places import Place, engines
from tests.few import few

TEXTS = st.sampled_from(
    ["", " ", "a", "A", "Z", "é", "ö", "ß", "Ω", "ж", "漢", "ש", "a'b", 'a"b', "a\\b", "1", "1.0", "%", "nan"]
)
KINDS: dict[str, tuple[pa.DataType, st.SearchStrategy[Any]]] = {
    "text": (pa.string(), TEXTS),
    "whole": (pa.int64(), st.sampled_from([0, 1, -1, 10, 2**62, -(2**63)])),
    "double": (
        pa.float64(), st.sampled_from([0.0, 1.0, -1.5, 0.1, 1e15, 1e16, 1e20, 1e-5, float("nan"), float("inf")])
    ),
    "decimal": (pa.decimal128(38, 3), st.sampled_from([Decimal(0), Decimal("1.5"), Decimal(9) * 10**30])),
    "date": (pa.date32(), st.sampled_from([date(1, 1, 1), date(2020, 2, 29), date(9999, 12, 31)])),
    "time": (pa.timestamp("us"), st.sampled_from([datetime(1970, 1, 1), datetime(2020, 2, 29, 23, 59, 59, 500000)])),
    "truth": (pa.bool_(), st.booleans()),
}  # fmt: skip
NAMES = ["name", "Age", "order", "a b", 'q"q']


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    """An identifier, two columns that join or are shown, a private one: of any kinds, with nulls."""
    rows = draw(st.integers(1, 7))
    columns = {"name": pa.array([draw(st.one_of(st.none(), TEXTS)) for _ in range(rows)], pa.string())}
    for name in NAMES[1:]:
        kind, cells = KINDS[draw(st.sampled_from(sorted(KINDS)))]
        columns[name] = pa.array([draw(st.one_of(st.none(), cells)) for _ in range(rows)], kind)
    return pa.table(columns)


def release(table: Any) -> deniable.Release:
    views = {"one": 'SELECT name, "Age", "order" FROM t', "two": 'SELECT "Age", "a b", "q""q" FROM t'}
    return deniable.Release(table=table, name="t", identifier="name", private='q"q', views=views)


def found(table: Any, engine: str) -> dict[str, list[str]]:
    """What is said of a table, in any order."""
    breach = deniable.breach(release(table), engine=engine, pairs="all")
    crowds = deniable.crowds(release(table), engine=engine)
    said = {
        "breach": sorted(str(list(row.values())) for row in breach.table.to_pylist()),
        "crowds": sorted(str(list(row.values())) for row in crowds.table.drop_columns(["crowd"]).to_pylist()),
    }
    breach.close()
    crowds.close()
    return said


@engines("postgresql", "postgresql-language", "postgresql-bare", "spark")
def test_odd_tables(place: Place) -> None:
    slow = place.name == "spark"  # seconds for each

    @settings(
        max_examples=few(1 if slow else 3, nightly=30 if slow else 200), suppress_health_check=[HealthCheck.too_slow]
    )
    @given(tables())
    def check(table: pa.Table) -> None:
        assert found(place.load(table), place.engine) == found(table, "duckdb")

    check()
