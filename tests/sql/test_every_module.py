"""No query without a text that a person can read."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from deniable import sql
from tests.sql.golden import FOLDER, builders

MODULES = sorted(path.stem for path in Path(str(sql.__file__)).parent.glob("*.py") if path.stem != "__init__")
PARTS = {"build": {"select"}}  # of queries


@pytest.mark.parametrize("name", MODULES)
def test_every_query_has_a_golden_file(name: str) -> None:
    """Of a function, or of a function and what is special: `cells.sql`, `cells-few.sql`."""
    golden = {path.stem.partition("-")[0] for path in (FOLDER / name).glob("*.sql")}
    assert builders(import_module(f"deniable.sql.{name}")) - PARTS.get(name, set()) - golden == set()
