"""The queries of re-publication, each as text that can be read, and executed."""

from __future__ import annotations

import pyarrow as pa
import pytest

from deniable.engines.scope import Relation
from deniable.sql import history
from tests.sql.golden import Golden, table, uncovered

FILE, CELLS, LEVELS = Relation("file"), Relation("cells"), Relation("levels")
TABLE = table("line name age town:text problem", "1 ann 30 null flu", "2 bob 41 york cold")
TEXTS = table("row i0:text q0:text q1:text x:text", "1 ann 30 null flu", "2 bob 41 york cold")

CASES = [
    Golden("cells", history.cells(FILE, "line", ["name"], ["age", "town"], "problem"), {FILE: TABLE}, TEXTS),
    Golden("ordered", history.ordered(CELLS), {CELLS: TEXTS.take([1, 0])}, TEXTS),
    Golden(
        "doubled",
        history.doubled(CELLS, 2),
        {CELLS: table("i0:text i1:text", "ann 1", "ann 2", "bob null", "bob null", "eve 1", "eve 1", "eve 1")},
        table("people", "2"),
    ),
    Golden(
        "nameless",
        history.nameless(CELLS, 2),
        {CELLS: pa.table({"i0": ["ann", "", None, None, "bob"], "i1": [None, "", None, "2", ""]})},
        table("people", "2"),
    ),
    Golden(
        "without_labels",
        history.without_labels(CELLS, "q1", LEVELS),
        {
            CELLS: table("q1:text", "york", "york", "leeds", "leeds", "hull", "null"),
            LEVELS: table("t0:text t1:text", "york north", "null nowhere"),
        },
        table("cells", "2"),
    ),
    Golden(
        "texts",
        history.texts(FILE, ["town", "area"]),
        {FILE: table("town area", "york 1", "york 1", "hull 2")},
        table("t0:text t1:text", "york 1", "hull 2"),
    ),
    Golden("everything", history.everything(LEVELS), {LEVELS: TEXTS}, TEXTS),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_queries(case: Golden) -> None:
    case.check(history)


def test_every_query_is_here() -> None:
    assert uncovered(history, CASES) == []
