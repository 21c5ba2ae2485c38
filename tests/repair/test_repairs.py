"""Repairs beside all combinations of the same steps, each written out by hand here and audited."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from math import log
from typing import Any

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

import deniable
from deniable.analyses.repair.ladders import Shape, ladder, name_of, prefixes, widths
from deniable.engines.dialect import TEXT, column_type
from deniable.release import Coarser
from deniable.report.repair import steady
from tests.few import few


@dataclass(frozen=True)
class Way:
    """A column as it may be published: its name, what it is, and the cells that it has."""

    name: str | None
    definition: dict[str, Any] | None
    cells: tuple[Any, ...]


def entropy(cells: Sequence[Any]) -> float:
    return -sum(n / len(cells) * log(n / len(cells)) for n in (cells.count(cell) for cell in set(cells)))


def ways(name: str, cells: Sequence[int]) -> list[Way]:
    """As it is, in bands of 5, 10 and 20 as far as they differ from all in one, and not at all."""
    found = [Way(name, None, tuple(cells))]
    reach = max(cells) - min(cells)
    if len(set(cells)) > 2:
        assert 10 <= reach < 40
        banded = [width for width in (5, 10, 20, 40) if width < reach]
        found += [Way(f"{name}_{w}", {"of": name, "width": w}, tuple(cell // w for cell in cells)) for w in banded]
    return [*found, Way(None, None, ())]


@st.composite
def tables(draw: st.DrawFn) -> dict[str, list[Any]]:
    rows = draw(st.integers(4, 9))
    ages = [20, *draw(st.lists(st.integers(20, 45), min_size=rows - 2, max_size=rows - 2)), 45]
    jobs = draw(st.lists(st.sampled_from("xy"), min_size=rows, max_size=rows))
    values = draw(st.lists(st.sampled_from("pqr"), min_size=rows, max_size=rows))
    return {"id": [f"n{i}" for i in range(rows)], "age": ages, "job": jobs, "problem": values}


def combinations(table: dict[str, list[Any]]) -> Iterator[tuple[float, dict[str, str], dict[str, Any]]]:
    """What each keeps, its views and its columns."""
    rows = len(table["id"])
    jobs = [Way("job", None, tuple(table["job"])), Way(None, None, ())]
    pairs = len(set(zip(table["age"], table["job"], table["problem"], strict=True)))
    for age, job, distinct in product(ways("age", table["age"]), jobs, (False, True)):
        share = [_share(age, table["age"]), _share(job, table["job"])]
        counts = [1.0, pairs / rows if distinct else 1.0]
        kept = (2 + 1 + sum(share) + sum(counts)) / 7  # id, age; problem, age, job; counts of both
        word = "DISTINCT " if distinct else ""
        names = [way.name for way in (age, job) if way.name is not None]
        views = {
            "people": f"SELECT {word}id, age FROM t",
            "values": f"SELECT {word}{', '.join([*names, 'problem'])} FROM t",
        }
        yield kept, views, {} if age.definition is None else {str(age.name): age.definition}


def _share(way: Way, cells: Sequence[Any]) -> float:
    if way.name is None:
        return 0.0
    full = entropy(cells)
    return entropy(way.cells) / full if full else 1.0


@settings(max_examples=few(3, nightly=60))
@given(tables(), st.sampled_from([{"breach": 0.5}, {"breach": 0.4}, {"breach": 0.7, "crowd": 2}]))
def test_nothing_that_keeps_more_is_missed(table: dict[str, list[Any]], limits: dict[str, Any]) -> None:
    require: dict[str, Any] = {"breach": {"at_most": limits["breach"]}}
    if "crowd" in limits:
        require["crowd"] = {"at_least": limits["crowd"]}

    def release(views: dict[str, str], columns: dict[str, Any]) -> deniable.Release:
        return deniable.Release(
            table=pa.table(table), name="t", identifier="id", private="problem", views=views, columns=columns,
            require=require,
        )  # fmt: skip

    most_first = sorted(combinations(table), key=lambda one: one[0], reverse=True)
    passing = (kept for kept, *shown in most_first if deniable.audit(release(*shown)).verdict == "pass")
    best = next(passing, None)
    plain = release({"people": "SELECT id, age FROM t", "values": "SELECT age, job, problem FROM t"}, {})
    found = deniable.repair(plain)
    whole = [one for one in found.repairs if one.withheld is None]
    assert found.complete
    assert all(one.verdict for one in found.repairs)
    assert (round(whole[0].kept, 6) if whole else None) == (None if best is None else round(best, 6))
    found.close()


def test_ladders() -> None:
    number, text, date = column_type("INTEGER"), TEXT, column_type("DATE")
    assert widths(Decimal(18), Decimal(88), True) == [5, 10, 20, 40]
    assert widths(Decimal(0), Decimal(100_000), True) == [50_000]
    assert widths(Decimal("0.2"), Decimal("0.9"), False) == [Decimal(w) for w in ("0.05", "0.10", "0.20", "0.40")]
    assert widths(Decimal(3), Decimal(3), True) == []
    assert prefixes(5) == [4, 3, 2, 1]
    assert prefixes(12) == [10, 7, 5, 2]
    assert ladder("a", Shape(number, 2, Decimal(1), Decimal(90))) == ()
    assert ladder("z", Shape(text, 9, shortest=5, longest=5, codes=True))[1] == Coarser("z", prefix=3)
    assert ladder("z", Shape(text, 9, shortest=4, longest=5, codes=True)) == ()
    assert [one.part for one in ladder("d", Shape(date, 9))] == ["month", "quarter", "year"]
    assert name_of(Coarser("a", width=Decimal("0.50")), ["a", "A_0_5"]) == "a_0_5_"


def test_figures_are_rounded_outwards_so_that_they_are_the_same_every_time() -> None:
    """At a million rows the engine's sums differed in their last digits."""
    told = steady({"worst": 1 / 3, "worst_at_most": 0.33333333333333337, "check": "breach"})
    assert told == {"worst": 0.333333333333, "worst_at_most": 0.333333333334, "check": "breach"}
    assert steady({"worst": 3, "worst_at_most": None}) == {"worst": 3, "worst_at_most": None}
