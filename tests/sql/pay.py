"""A small table and views of it, one of each kind that `crowds` knows, for its golden queries.

The private column is pay. `all` shows everybody, `far` selects by public columns, `rich` by a comparison with pay that
an order of the values answers, `lucky` by one that must be tried, `known` by pay alone.
"""

from __future__ import annotations

from deniable.engines.scope import Relation
from deniable.spec.locations import Locations
from deniable.sql.keys import Keys, TellingView, telling_view
from deniable.sql.parse import View, parse_view
from tests.sql.golden import table

SOURCE = Relation("source")
PEOPLE = table(
    "name:text zip:int age:int charge:int pay:int",
    "ann 1 30 5 3",
    "bob 1 30 5 9",
    "cid 2 30 9 3",
    "dan 2 40 null 3",
    "eve 9 40 9 null",
)
DOMAIN = Relation("domain")
VALUES = table("p:int v", "3 0", "9 1", "null 2")


def view(number: int, name: str, sql: str) -> TellingView:
    """A view as the analysis reads it."""
    read = parse_view(name, sql, "t", PEOPLE.column_names, Locations())
    assert isinstance(read, View)
    return telling_view(number, read, "pay", {"zip", "age", "charge", "pay"})


ALL = view(0, "all", "SELECT age, pay FROM t")
FAR = view(1, "far", "SELECT zip, age, pay FROM t WHERE zip > 1")
RICH = view(2, "rich", "SELECT zip FROM t WHERE charge > pay AND zip < 9")
LUCKY = view(3, "lucky", "SELECT age FROM t WHERE charge * pay > 20")
KNOWN = view(0, "known", "SELECT age FROM t WHERE pay IS NOT NULL")

PUBLIC_KEYS = Keys((ALL, FAR), "pay", ())  # k0 age, k1 whether far selects, k2 the zip that it shows
ALL_KEYS = Keys((ALL, FAR, RICH, LUCKY), "pay", ())
