"""A message about a column of a wide table names the nearest few, and says how many there are beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

import deniable
from deniable.errors import BadInput
from deniable.words import unknown_column

WIDE = ["name", "age", *(f"c{i}" for i in range(500)), "salary", "problem"]


def test_few_columns_are_all_named() -> None:
    names = [f"c{i}" for i in range(30)]
    assert unknown_column("x", names).endswith(f"expected one of {', '.join(names)}")


def test_of_many_columns_the_nearest_are_named_in_their_order() -> None:
    told = unknown_column("salry", WIDE)
    assert told.startswith("unknown column salry (did you mean salary?); expected one of name, age, c0, ")
    assert told.endswith(", salary, problem and 496 more")
    assert told.count(",") == 7  # eight names


@pytest.mark.parametrize("quasi", ["agee", "zzz"])
def test_one_short_line_for_a_wide_table(quasi: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(f"{','.join(WIDE)}\n{','.join('1' for _ in WIDE)}\n")
    view = {"v": f"SELECT {quasi} FROM t"}
    for keys in ({"quasi": quasi}, {"views": view, "identifier": "name"}):
        with pytest.raises(BadInput) as wrong:
            deniable.check(deniable.Release(table=str(tmp_path / "t.csv"), private="problem", **keys))
        line = next(line for line in str(wrong.value).splitlines() if "unknown column" in line)
        assert line.endswith(" and 496 more")
        assert len(line) < 250
