"""People in several groups: answered once, however often the result is read."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

import deniable
from deniable.analyses.breach import listed_answers
from deniable.analyses.breach.several_groups import Batch, SeveralGroups
from deniable.analyses.explain import Explanation
from deniable.release import BreachLimit, Requirements

PEOPLE = 1_500  # more than are answered one by one


def release_of(people: int) -> deniable.Release:
    rows = [(f"p{i % people}", i % 7, i * i % 5, f"v{i * i % 11}") for i in range(2 * people)]
    columns = zip(("id", "j", "x", "p"), zip(*rows, strict=True), strict=True)
    views = {"one": "SELECT id, j FROM t", "two": "SELECT j, x, p FROM t"}
    table = pa.table({name: list(cells) for name, cells in columns})
    require = Requirements(breach=BreachLimit(0.5))
    return deniable.Release(table=table, name="t", identifier="id", private="p", views=views, require=require)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was solved, in order: pieces, and their products."""
    made: list[str] = []
    piece, products = SeveralGroups._piece, vars(Batch)["_bounds"]
    bounds = products.func

    def counted_piece(self: SeveralGroups, first: int, last: int) -> object:
        made.append("piece")
        return piece(self, first, last)

    def counted_bounds(self: Batch) -> object:
        made.append("products")
        return bounds(self)

    monkeypatch.setattr(SeveralGroups, "_piece", counted_piece)
    monkeypatch.setattr(products, "func", counted_bounds)
    return made


@pytest.mark.parametrize(("people", "solved"), [(50, ["piece"]), (PEOPLE, ["piece", "products"])])
def test_everybody_is_solved_once(people: int, solved: list[str], calls: list[str], tmp_path: Path) -> None:
    result = deniable.breach(release_of(people))
    tallies = result.tallies
    assert result.table.num_rows == 5 * tallies[0].associations
    assert result.tallies == tallies
    assert result.highest("restricted", 2)
    assert result.over(0.5)[0].adversary == "unrestricted"
    assert result.over(0.6)[1].adversary == "restricted"
    result.save(tmp_path / "associations.parquet")
    result.close()
    assert calls == solved


def test_an_audit_solves_once(calls: list[str]) -> None:
    deniable.audit(release_of(PEOPLE))
    assert calls == ["piece", "products"]


def test_what_is_counted_is_what_is_listed() -> None:
    """Tallies, the highest and people over a limit are those of the table."""
    result = deniable.breach(release_of(PEOPLE), pairs="all")
    rows = result.table.to_pylist()
    for tally, over in zip(result.tallies, result.over(0.3), strict=True):
        mine = [row for row in rows if row["adversary"] == tally.adversary]
        found = [row["probability"] for row in mine if row["probability"] is not None]
        assert tally.associations == len(mine)
        assert tally.no_world == len(mine) - len(found)
        assert tally.worst == max(found, default=None)
        assert tally.over_half == sum(row["lower"] > 0.5 for row in mine if row["lower"] is not None)
        assert over.over == len({row["id"] for row in mine if row["lower"] is not None and row["lower"] > 0.3})
        assert over.no_world == len({row["id"] for row in mine if row["lower"] is None})
        for probability, count in result.highest(tally.adversary, 5):
            assert found.count(probability) == count
    result.close()


def test_explain_says_what_breach_says_of_a_view_that_reveals() -> None:
    table = pa.table({"id": ["ann", "bob", "cy", "cy"], "j": [1, 1, 2, 3], "p": ["Flu", "HIV", "Flu", "Cold"]})
    views = {"open": "SELECT id, p FROM t", "other": "SELECT p, j FROM t"}
    release = deniable.Release(table=table, name="t", identifier="id", private="p", views=views)
    result = deniable.breach(release)
    for row in result.table.to_pylist():
        shown = deniable.explain(release, row["id"])
        assert isinstance(shown, Explanation)
        answer = shown.probabilities[row["p"]][row["adversary"]]
        assert (answer and answer.value) == row["probability"]
    result.close()


def test_of_many_people_answers_are_kept_only_where_all_are_needed(
    monkeypatch: pytest.MonkeyPatch, calls: list[str]
) -> None:
    few = deniable.breach(release_of(PEOPLE))
    wanted = (few.tallies, few.highest("restricted", 3), few.table.sort_by([("id", "ascending"), ("p", "ascending")]))
    monkeypatch.setattr(listed_answers, "KEPT", 0)
    calls.clear()
    many = deniable.breach(release_of(PEOPLE))
    assert (many.tallies, many.tallies) == (wanted[0], wanted[0])
    assert calls == ["piece", "products"]
    assert many.highest("restricted", 3) == wanted[1]
    assert many.table.sort_by([("id", "ascending"), ("p", "ascending")]).num_rows == wanted[2].num_rows
    calls.clear()
    deniable.audit(release_of(PEOPLE))
    assert calls == ["piece", "products"]
    few.close()
    many.close()
