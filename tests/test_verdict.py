"""A verdict carries data: how probabilities, sizes and posteriors spread, and which groups stand out."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

import deniable
from deniable.analyses.verdict import BreachPart, CrowdPart, LinkagePart, Verdict
from deniable.examples import write_examples

VIEWS = {"people": "SELECT name, ward FROM t", "values": "SELECT ward, problem FROM t"}
WARDS = [("ann", "a", "flu"), ("bob", "a", "gout"), ("cid", "b", "flu"), ("dan", "b", "gout"), ("eve", "b", "cold")]


def breach_part(rows: list[tuple[str, str, str]]) -> BreachPart:
    names = ("name", "ward", "problem")
    table = pa.table({name: [row[i] for row in rows] for i, name in enumerate(names)})
    release = deniable.Release(table=table, name="t", identifier="name", private="problem", views=VIEWS)
    (part,) = deniable.audit(release, breach=0.4).parts
    assert isinstance(part, BreachPart)
    return part


def test_probabilities_are_spread_over_bands() -> None:
    part = breach_part(WARDS)
    bands = part.spread["keyed"]
    assert (bands[0].low, bands[-1].high, len(bands)) == (0, 1, 20)
    assert [(band.low, band.count) for band in bands if band.count] == [(0.3, 3), (0.5, 2)]
    for tally in part.tallies:
        if tally.adversary in part.spread:
            counted = sum(band.count for band in part.spread[tally.adversary])
            assert counted == tally.associations - tally.no_world


def test_the_worst_join_groups_come_first() -> None:
    found = [(one.id_tuples, one.values, one.probability) for one in breach_part(WARDS).worst_groups["keyed"]]
    assert found == [(2, 2, 0.5), (3, 3, pytest.approx(1 / 3))]


def test_join_groups_of_one_kind_are_counted_together() -> None:
    part = breach_part([*WARDS, ("fay", "c", "cold"), ("gil", "c", "flu")])
    found = [(one.id_tuples, one.values, one.groups) for one in part.worst_groups["keyed"]]
    assert found == [(2, 2, 2), (3, 3, 1)]


def test_people_in_several_groups_are_spread_too() -> None:
    part = breach_part([*WARDS, ("ann", "b", "cold")])
    assert sum(band.count for band in part.spread["restricted"]) == next(
        tally.associations - tally.no_world for tally in part.tallies if tally.adversary == "restricted"
    )
    assert part.worst_groups["restricted"] == ()


def audited(folder: Path, name: str, **limits: int) -> Verdict:
    write_examples(folder)
    return deniable.audit(folder / name, **limits)  # type: ignore[arg-type]


def test_crowds_by_size(tmp_path: Path) -> None:
    part = audited(tmp_path, "clinic.yaml", crowd=2).parts[-1]
    assert isinstance(part, CrowdPart)
    assert sum(band.count for band in part.sizes) == part.people == 12
    assert (part.smallest.low, part.smallest.count) == (1, 2)
    assert [(one.size, one.crowds) for one in part.worst_crowds[:1]] == [(1, 2)]
    assert sum(one.size * one.crowds for one in part.worst_crowds) == 12


def test_the_worst_published_groups(tmp_path: Path) -> None:
    (part,) = audited(tmp_path, "ward.yaml").parts
    assert isinstance(part, LinkagePart)
    worst = max(finding.worst or 0 for finding in part.findings)
    assert part.worst_groups[0].posterior == worst
    for beliefs in part.beliefs.values():  # four people, and two values in the group of each
        assert sum(belief.count for belief in beliefs) == 8
        assert max(belief.posterior for belief in beliefs) <= worst
    assert [band.low for band in part.above["full"]] == [0.25, 1 / 3, 0.5, 0.75, 0.9]
    assert all(a.count >= b.count for a, b in zip(part.above["full"], part.above["full"][1:], strict=False))
