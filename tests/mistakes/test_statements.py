"""Whatever statement is taken for a view means to a database what we take it to mean.

Statements are made by changing a right one word by word. The parser behind us is lenient, so most of
what could go wrong is a word that it passes over.
"""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deniable.spec.locations import Locations, Span
from deniable.sql.parse import View, parse_view

COLUMNS = ["name", "age", "job", "problem"]
RIGHT = ["SELECT", "name", ",", "age", "FROM", "patients", "WHERE", "age", ">", "1"]
TEXT = """
SELECT DISTINCT ALL name age job problem FROM patients p AS WHERE AND OR NOT ( ) , . * ; = < > <= <> + - / % ! ~
1 2.5 'x' 'it''s' "name" "Age" NULL IS TRUE IN BETWEEN LIKE ESCAPE GROUP BY ORDER LIMIT OFFSET JOIN ON LEFT USING
UNION EXCEPT WITH HAVING CASE WHEN THEN END CAST :: text count max random upper EXISTS INTO FOR UPDATE TABLESAMPLE
PIVOT VALUES ? $1 $$a$$ E'x' -- /* */ [ ] { } @ # | || => LATERAL UNNEST WINDOW OVER FETCH FIRST ONLY QUALIFY SAMPLE
AT ORDINALITY ASOF POSITIONAL SEMI ANTI NATURAL CROSS ' "
"""

words = st.sampled_from(TEXT.split())

changes = st.lists(st.tuples(st.sampled_from(["insert", "replace", "delete"]), st.integers(0, 12), words), max_size=4)


def changed(steps: list[tuple[str, int, str]]) -> str:
    made = list(RIGHT)
    for step, place, word in steps:
        at = min(place, len(made))
        made[at : at + (step != "insert")] = [] if step == "delete" else [word]
    return " ".join(made)


@pytest.fixture(scope="module")
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE patients (name TEXT, age INT, job TEXT, problem TEXT)")
        connection.execute("INSERT INTO patients VALUES ('a', 1, 'x', 'p'), ('b', 2, 'y', 'q'), ('b', 2, 'y', 'r')")
        connection.execute("INSERT INTO patients VALUES (NULL, 3, 'x', NULL)")
        yield connection


def answer(database: duckdb.DuckDBPyConnection, sql: str) -> list[str] | None:
    """The rows; None where the types do not fit, which is found out later."""
    try:
        return sorted(map(repr, database.execute(sql).fetchall()))
    except (duckdb.BinderException, duckdb.ConversionException):
        return None


@given(changes)
def test_views_mean_what_they_say(database: duckdb.DuckDBPyConnection, steps: list[tuple[str, int, str]]) -> None:
    sql = changed(steps)
    view = parse_view("v", sql, "patients", COLUMNS, Locations("f", {("views", "v"): Span(1, 1, sql)}))
    if isinstance(view, View):
        listed = ", ".join(view.columns)
        condition = view.condition.sql("duckdb") if view.condition else "TRUE"
        ours = f"SELECT {'DISTINCT ' if view.distinct else ''}{listed} FROM patients WHERE {condition}"
        assert answer(database, sql) == answer(database, ours)
    else:
        assert view
        assert all("\n    " in str(mistake) for mistake in view)
