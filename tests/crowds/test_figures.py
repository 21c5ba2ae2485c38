"""The figures of the paper, from the files that ship with the package; and what was found on the way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import deniable
from deniable.analyses.crowds import Method
from deniable.examples import write_examples

# Figure 1, in its order: t1 is (22030, 39), …
TUPLES = [
    ("22030", 39), ("22030", 50), ("22030", 38), ("22030", 53), ("22031", 28), ("22031", 37),
    ("22031", 49), ("22031", 52), ("22032", 30), ("22032", 40), ("22033", 30), ("22033", 40),
]  # fmt: skip


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    write_examples(tmp_path)
    return tmp_path


def crowds(spec: Path, method: Method) -> tuple[Any, set[frozenset[int]], list[dict[str, Any]]]:
    """The result, the crowds as sets of the paper's tuple numbers, and the rows."""
    result = deniable.crowds(spec, method=method)
    rows = result.table.to_pylist()
    number = {person: i + 1 for i, person in enumerate(TUPLES)}
    found: dict[int, set[int]] = {}
    for row in rows:
        found.setdefault(row["crowd"], set()).add(number[row["zip"], row["age"]])
    result.close()
    return result, {frozenset(crowd) for crowd in found.values()}, rows


@pytest.mark.parametrize("method", ["conservative", "exact"])
def test_figure_2(examples: Path, method: Method) -> None:
    result, found, _ = crowds(examples / "zip.yaml", method)
    assert found == {frozenset({9, 10}), frozenset({11, 12}), frozenset(range(1, 9))}
    assert (result.k, result.exact, result.exposed) == (2, True, 0)


def test_figure_3(examples: Path) -> None:
    result, found, rows = crowds(examples / "obesity.yaml", "exact")
    assert found == {frozenset({1}), frozenset({2, 3, 4}), frozenset(range(5, 13))}
    assert (result.k, result.exact) == (1, True)
    first = next(row for row in rows if row["age"] == 39)
    assert first["values"] == 2  # Cold and AIDS, never Obesity
    assert not first["exposed"]


def test_figure_5(examples: Path) -> None:
    result, found, rows = crowds(examples / "obesity.yaml", "restricted")
    assert (result.k, result.k_at_most, result.exact) == (2, 2, True)
    assert frozenset(range(5, 13)) in found
    mine = next(crowd for crowd in found if 1 in crowd)
    assert mine in ({1, 2}, {1, 4})
    assert {row["collection"] for row in rows if row["age"] == 39} == {"AIDS|Cold"}


@pytest.mark.parametrize("method", ["conservative", "exact", "restricted"])
def test_figure_4(examples: Path, method: Method) -> None:
    result, found, _ = crowds(examples / "clinic.yaml", method)
    wanted = ({1, 2, 3}, {4}, {5, 7, 9, 10}, {6}, {8, 11, 12})
    assert found == {frozenset(crowd) for crowd in wanted}
    assert (result.k, result.count, result.exact) == (1, 5, True)


def test_a_null_on_both_sides_is_no_number(tmp_path: Path) -> None:
    """a IS NOT DISTINCT FROM a + p is true of a null whatever p is: terms must not change sides there."""
    (tmp_path / "t.csv").write_text("id,a,p\n1,0,1\n2,0,1\n3,0,\n4,,2\n")
    views = {"v": "SELECT a FROM t WHERE a IS NOT DISTINCT FROM (a + p)"}
    result = deniable.crowds(
        deniable.Release(table=tmp_path / "t.csv", name="t", private="p", views=views), method="restricted"
    )
    assert result.k == 4
    result.close()


def test_charges_over_a_salary(tmp_path: Path) -> None:
    """The paper's example of a condition between two columns: one crowd for each (zip, place among salaries)."""
    (tmp_path / "t.csv").write_text(
        "id,zip,charge,salary\n1,1,15,10\n2,1,19,20\n3,1,25,30\n4,1,25,10\n5,2,25,10\n6,1,5,20\n"
    )
    views = {"v": "SELECT zip FROM t WHERE charge > salary"}
    result = deniable.crowds(deniable.Release(table=tmp_path / "t.csv", name="t", private="salary", views=views))
    rows = {row["id"]: row["crowd"] for row in result.table.to_pylist()}
    assert rows[1] == rows[2]  # both above 10 and not above 20
    assert rows[3] == rows[4] != rows[5]
    assert len(set(rows.values())) == result.count == 4
    result.close()


def test_columns_that_are_not_public_are_taken_as_known(examples: Path) -> None:
    release = deniable.load(examples / "clinic.yaml")
    result = deniable.crowds(
        deniable.Release(table=examples / "clinic.csv", private="problem", views=release.views, public=["age"])
    )
    assert result.taken_as_known == ("gender", "race", "zip")
    assert result.count == 5
    assert not result.exact
    assert result.table.column_names == ["age", "crowd", "size", "values", "exposed"]
    result.close()


def test_a_generalized_table_is_its_own_release(examples: Path) -> None:
    result = deniable.crowds(
        deniable.Release(table=examples / "clinic.csv", private="problem", quasi=["race", "gender"])
    )
    assert (result.k, result.least_values) == (1, 1)  # the white woman, the black man
    assert result.exposed == 2
    assert {row["crowd"]: (row["size"], row["values"]) for row in result.table.to_pylist()} == {
        1: (1, 1), 2: (1, 1), 3: (2, 2), 4: (2, 2), 5: (6, 5),
    }  # fmt: skip
    result.close()


def test_nothing_said_of_the_private_column(examples: Path) -> None:
    views = {"v": "SELECT zip, age FROM clinic"}
    result = deniable.crowds(deniable.Release(table=examples / "clinic.csv", private="problem", views=views))
    assert (result.k, result.count, result.exact, result.silent) == (12, 1, True, ("v",))
    assert result.least_values == 5
    result.close()
