"""All trees are made of the words that engines know how to say: nothing else is ever sent to a database."""

from __future__ import annotations

import pkgutil
from importlib import import_module

import pytest
import sqlglot
from sqlglot import exp

import tests.sql
from deniable.engines.dialect import OURS
from deniable.engines.vocabulary import strangers
from tests.sql.golden import Golden

MODULES = [module.name for module in pkgutil.iter_modules(tests.sql.__path__) if module.name.startswith("test_")]


def cases() -> list[Golden]:
    """Every query that has a golden text."""
    held = [value for name in MODULES for value in vars(import_module(f"tests.sql.{name}")).values()]
    listed = [value for value in held if isinstance(value, (list, tuple))]
    return [case for values in listed for case in values if isinstance(case, Golden)]


def test_every_tree_is_made_of_the_vocabulary() -> None:
    found = cases()
    assert len(found) > 100
    assert {case.name: sorted(set(strangers(case.query))) for case in found if list(strangers(case.query))} == {}


@pytest.mark.parametrize(
    ("sql", "stranger"),
    [
        ("SELECT median(x) AS m FROM t", "Median"),
        ("SELECT 0.5 * x AS y FROM t", "0.5"),
        ("SELECT * EXCLUDE (x) FROM t", "* EXCLUDE"),
        ("SELECT md5sum(x) AS y FROM t", "md5sum"),
        ("SELECT CAST(x AS BLOB) AS y FROM t", "BLOB"),
        ("SELECT a.x FROM a SEMI JOIN b ON a.x = b.x", "SEMI JOIN"),
        ("SELECT x FROM t QUALIFY row_number() OVER () = 1", "Qualify"),
    ],
)
def test_anything_else_is_named(sql: str, stranger: str) -> None:
    tree = sqlglot.parse_one(sql, read=OURS)
    assert isinstance(tree, exp.Query)
    assert stranger in set(strangers(tree))
