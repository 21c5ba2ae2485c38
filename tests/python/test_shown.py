"""Whatever a verb returns is shown without a cell: a short line, and in a notebook cards, charts and counts."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pandas as pd  # type: ignore[import-untyped]
import pytest

import deniable

WHO = [f"WHO{i}" for i in range(12)]
CELLS = {
    "who": WHO,
    "age": [f"AGE{i % 3}" for i in range(12)],
    "problem": [f"CELL{i // 3}" for i in range(12)],
}
VIEWS = {
    "people": "SELECT who, age FROM t WHERE age <> 'AGE9'",
    "values": "SELECT age, problem FROM t WHERE age <> 'AGE9'",
}


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> deniable.Release:
    folder = tmp_path_factory.mktemp("t")
    table = pd.DataFrame(CELLS)
    knowledge = [deniable.Knowledge(("age",), estimate=True)]
    plain = deniable.Release(
        table=table, name="t", identifier="who", quasi="age", private="problem", knowledge=knowledge,
    )  # fmt: skip
    deniable.bucketize(plain, folder / "groups", r=2, seed=1)
    return deniable.Release(
        table=table, name="t", identifier="who", quasi="age", private="problem", knowledge=knowledge, views=VIEWS,
        domain=sorted(set(CELLS["problem"])), ledger=str(folder / "t.ledger"), republish={"m": 2, "n": 1},
        published=deniable.Published(
            str(folder / "groups" / "people.csv"), str(folder / "groups" / "values.csv"), "group"
        ),
    )  # fmt: skip


def kept(release: deniable.Release, folder: Path) -> deniable.Release:
    """The same with a ledger of its own: tests run in any order, and not all of them in one process."""
    return replace(release, ledger=str(folder / "t.ledger"))


def published(release: deniable.Release, folder: Path) -> deniable.Release:
    """The same after a first release."""
    mine = kept(release, folder)
    deniable.republish(mine, folder / "first", begin=True, audit=False)
    return mine


RESULTS: dict[str, Callable[[deniable.Release, Path], Any]] = {
    "release": lambda release, _: release,
    "check": lambda release, _: deniable.check(release),
    "audit": lambda release, _: deniable.audit(release, breach=0.5, crowd=2),
    "audit, revealed": lambda release, _: deniable.audit(release, breach=0.5, crowd=2, reveal=True),
    "repair": lambda release, _: deniable.repair(release),
    "breach": lambda release, _: deniable.breach(release),
    "crowds": lambda release, _: deniable.crowds(release),
    "linkage": lambda release, _: deniable.linkage(release),
    "bucketize": lambda release, folder: deniable.bucketize(release, folder / "out", r=2),
    "utility": lambda release, _: deniable.utility(release, Path(release.published.people).parent, queries=5),  # type: ignore[union-attr]
    "explain": lambda release, _: deniable.explain(release, "WHO1"),
    "republish": lambda release, folder: deniable.republish(
        kept(release, folder), folder / "out", begin=True, audit=False
    ),
    "ledger": lambda release, folder: deniable.ledger(published(release, folder)),
    "verify": lambda release, folder: deniable.verify(published(release, folder)),
    "attack": lambda release, folder: deniable.attack(published(release, folder), adversary="pairs"),
}


@pytest.mark.parametrize("verb", RESULTS)
def test_no_cell_is_shown(verb: str, release: deniable.Release, tmp_path: Path) -> None:
    result = RESULTS[verb](release, tmp_path)
    line, page = repr(result), result._repr_html_()
    assert len(line) < 120
    assert "\n" not in line
    assert "<table>" in page or "<article" in page
    assert len(page) < 60_000
    drawn = result.chart()._repr_svg_() + result.chart()._repr_html_() if verb in CHARTED else ""
    for inside in (line, page, drawn):
        assert not any(mark in inside for mark in ("WHO", "AGE", "CELL")), inside[:500]
        assert "<script" not in inside
    if hasattr(result, "close"):
        result.close()
        assert "deniable" in result._repr_html_()
        assert len(repr(result)) < 120


CHARTED = {"audit", "repair", "breach", "crowds", "linkage", "utility", "attack"}


def test_counts_are_shown(release: deniable.Release) -> None:
    page = deniable.audit(release, breach=0.5)._repr_html_()
    assert '<th scope="row">breach, restricted</th>' in page
    assert repr(release) == "<Release t>"


def test_the_style_holds_inside_of_the_cards_only(release: deniable.Release) -> None:
    """Every rule begins with the class, or a notebook's own cells would change with ours."""
    page = deniable.audit(release, breach=0.5)._repr_html_()
    style = page[page.index("<style>") + 7 : page.index("</style>")]
    selectors = re.findall(r"([^{};]+)\{", re.sub(r"@media[^{]*\{", "", style))
    parts = [part.strip() for selector in selectors for part in selector.split(",") if part.strip()]
    assert len(parts) > 50
    assert [part for part in parts if not re.match(r"(\[data-jp-theme-light=\w+\] )?\.deniable\b", part)] == []


def test_a_chart_that_there_is_not(release: deniable.Release, tmp_path: Path) -> None:
    with pytest.raises(deniable.BadInput, match="expected a chart from 1 to 3; found 9 of Verdict"):
        deniable.audit(release, breach=0.5).chart(9)
    with pytest.raises(deniable.BadInput, match="expected a result that has charts"):
        release.chart()
    deniable.audit(release, breach=0.5).chart().save(tmp_path / "one.svg")
    svg = (tmp_path / "one.svg").read_text()
    assert ElementTree.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"


def test_a_page_in_python_is_the_page_of_the_command(release: deniable.Release) -> None:
    page = deniable.audit(release, breach=0.5).html()
    assert page.startswith("<!DOCTYPE html>")
    assert "Where it is worst" in page
    assert not any(mark in page for mark in ("WHO", "AGE", "CELL"))
    with pytest.raises(deniable.BadInput, match="expected a result that has a report"):
        release.html()
