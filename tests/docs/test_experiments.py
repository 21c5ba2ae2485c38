"""The pages in docs/experiments show what was measured, and what was measured is what was promised."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from benchmarks.experiments.background_knowledge import plots as background_plots
from benchmarks.experiments.background_knowledge import results as background
from benchmarks.experiments.page import put_into
from benchmarks.experiments.republication import measure, plots, results
from benchmarks.experiments.republication.algorithms import ALGORITHMS, TURNED
from benchmarks.turnover import M, N

from benchmarks import turnover
from deniable.publish.again.n_choose import f
from deniable.publish.again.releases import Table
from deniable.report.notebook import Drawing
from tests.history.tables import counterfeits_of

FOLDER = Path(__file__).parents[2] / "docs" / "experiments"
BACKGROUND = background.load(FOLDER / "background-knowledge.csv")
ROBUST = [row for row in BACKGROUND if row.release == "robust"]
ROWS = results.load(FOLDER / "republication.csv")
TABLES = {"background-knowledge": background.tables(BACKGROUND), "republication": results.tables(ROWS)}


@pytest.mark.parametrize("name", TABLES)
def test_the_page_has_the_figures_of_the_csv_file(name: str) -> None:
    page = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    assert put_into(page, TABLES[name]) == page


@pytest.mark.parametrize("name", TABLES)
def test_figures_are_small(name: str) -> None:
    figures = sorted(FOLDER.glob(f"{name}-*.svg"))
    assert len(figures) == (3 if name == "republication" else 2)
    assert all(figure.stat().st_size < 60_000 for figure in figures)


@pytest.mark.parametrize("name", TABLES)
def test_figures_are_drawn_from_the_csv_file_by_the_charts_of_reports(name: str) -> None:
    drawn = background_plots.figures(BACKGROUND) if name == "background-knowledge" else plots.figures(ROWS)
    for figure, chart in drawn.items():
        kept = (FOLDER / f"{name}-{figure}.svg").read_text(encoding="utf-8")
        assert kept == f"{Drawing(chart)._repr_svg_()}\n", "python -m benchmarks.experiments plots draws it again"


def test_every_knowledge_and_r_was_measured() -> None:
    assert len({(row.knowledge, row.r) for row in ROBUST}) == 15
    assert {row.r for row in ROBUST} == {2, 4, 8}
    assert len(BACKGROUND) == 3 * len(ROBUST)


def test_robust_groups_expose_nobody() -> None:
    for row in ROBUST:
        assert (row.not_proved_safe, row.exposed_marginal, row.exposed_full) == (0, 0, 0)


def test_three_attribute_sets_at_r_4_cost_little() -> None:
    (row,) = (row for row in ROBUST if (row.knowledge, row.r) == ("all three, each", 4))
    assert row.mean_size <= 4.6
    assert row.withheld <= 0.006 * row.people


def test_every_release_was_measured() -> None:
    wanted = []
    for setting in (turnover.LARGE, turnover.SMALL):
        for name in ALGORITHMS:
            wanted += [(setting.people, setting.turnover, name, number) for number in range(1, setting.releases + 1)]
        wanted += [(setting.people, setting.turnover, name, setting.releases) for name in TURNED]
    assert [(row.people, row.turnover, row.algorithm, row.release) for row in ROWS] == wanted
    for row in ROWS:
        assert len(row.looks) == (len(results.KNOWN) if measure.is_looked_at(row.release) else 0)
        assert len(row.errors) == (len(results.SELECTIVITIES) if measure.is_asked(row.release) else 0)
    for setting in (turnover.LARGE, turnover.SMALL):
        assert measure.is_looked_at(setting.releases)


def test_f_stands_beside_it() -> None:
    for row in ROWS:
        for share, look in zip(results.KNOWN, row.looks, strict=False):
            assert look.promised == pytest.approx(float(f(share, row.release, M, N)), rel=1e-6)


def test_only_m_invariance_publishes_groups_that_are_not_hc_safe() -> None:
    for row in ROWS:
        assert (row.unsafe > 0) == (row.algorithm == "m-invariance" and row.release > 1)


def last(people: int, algorithm: str) -> results.Row:
    return [row for row in ROWS if (row.people, row.algorithm) == (people, algorithm)][-1]


def test_pairwise_safety_is_not_safety() -> None:
    place = results.KNOWN.index(0.04)
    look, other = last(200_000, "cor-split").looks[place], last(60_000, "cor-split").looks[place]
    assert look.promised < 0.07
    assert look.least > 0.9
    assert other.least > 3 * other.promised


def test_stable_groups_expose_few() -> None:
    place = results.KNOWN.index(0.04)
    for row in ROWS:
        if row.algorithm == "stable":
            assert row.added <= 0.2
            assert not row.looks or row.looks[place].most <= 0.0002


@pytest.mark.parametrize("people", [200_000, 60_000])
def test_the_dial_keeps_to_the_counterfeits_allowed_and_exposes_few(people: int) -> None:
    place = results.KNOWN.index(0.04)
    for name in TURNED:
        row = last(people, name)
        assert row.at_most is not None
        assert row.added <= row.at_most + 1e-4  # a batch is refilled or not
        assert row.looks[place].most <= 0.0005


@pytest.mark.parametrize("people", [200_000, 60_000])
def test_at_one_percent_stable_groups_answer_queries_better_than_those_who_regroup(people: int) -> None:
    stable = last(people, "stable").errors[0]
    assert stable < min(last(people, name).errors[0] for name in ("m-invariance", "cor-split"))


def test_cor_split_needs_few_counterfeits() -> None:
    assert all(row.added <= 0.005 for row in ROWS if row.algorithm == "cor-split")


def test_a_row_reads_back(tmp_path: Path) -> None:
    results.save(ROWS, tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == (FOLDER / "republication.csv").read_bytes()


def exchanged(people: int, releases: int, seed: int) -> Iterator[Table]:
    """Small tables, a third of whose people are replaced each time."""
    rng = np.random.default_rng(seed)
    total = people * releases
    columns = [rng.integers(0, codes, total).astype(np.int32) for codes in (40, 20, 4, 6)]
    values = rng.integers(0, 15, total).astype(np.int32)
    for who, _ in turnover.present(turnover.Setting(people, 1 / 3, releases), total, seed):
        yield Table(who, tuple(column[who] for column in columns), values[who])


@pytest.mark.parametrize("name", ALGORITHMS)
def test_the_adversary_reads_the_releases_as_they_are(name: str) -> None:
    seen: Counter[tuple[int, ...]] = Counter()
    truth_of: dict[int, int] = {}
    for made in ALGORITHMS[name](exchanged(300, 5, 2)):
        truth_of |= dict(zip(made.table.person.tolist(), made.table.values.tolist(), strict=True))
        seen.update(told(made.table.person, made.grouping.group))
        history, truth, people = made.read()
        assert truth[:people].tolist() == [truth_of[person] for person in range(people)]
        members = np.split(history.members, history.member_offsets[1:-1])
        codes = np.split(history.codes, history.value_offsets[1:-1])
        for who, has in zip(members, codes, strict=True):
            fakes = Counter(has.tolist())
            fakes.subtract(truth[who].tolist())
            assert min(fakes.values()) >= 0
            assert name != "stable" or not any(fakes.values())  # ghosts are members
        if name != "stable":
            assert Counter(tuple(sorted(who.tolist())) for who in members) == seen


def told(person: np.ndarray, group: np.ndarray) -> list[tuple[int, ...]]:
    """The members of each group."""
    return [tuple(sorted(person[group == g].tolist())) for g in np.unique(group)]


@pytest.mark.parametrize("name", ALGORITHMS)
def test_queries_are_asked_of_what_was_published(name: str) -> None:
    *_, made = ALGORITHMS[name](exchanged(300, 4, 3))
    found = measure.release_of(made.table, made.grouping)
    assert found.people.sum() == len(made.table)
    assert found.rows.sum() == len(made.table) + len(made.grouping.counterfeits)
    held = Counter(dict(zip(zip(found.held[0], found.held[1], strict=True), found.held[2], strict=True)))
    rows = list(zip(made.grouping.group.tolist(), made.table.values.tolist(), strict=True))
    for group in range(len(made.grouping.signature)):
        rows += [(group, value) for value in counterfeits_of(made.grouping, group)]
    assert held == Counter(rows)
    for column, extents in zip(made.table.columns, found.extents, strict=True):
        for group in range(len(made.grouping.signature)):
            inside = column[made.grouping.group == group]
            allowed = np.flatnonzero(extents.allowed[extents.of_group[group]])
            assert allowed.tolist() == list(range(inside.min(), inside.max() + 1))
