"""The pages in docs/experiments show what was measured, and what was measured is what was promised."""

from __future__ import annotations

from pathlib import Path

from benchmarks.experiments import results

FOLDER = Path(__file__).parents[2] / "docs" / "experiments"
ROWS = results.load(FOLDER / "background-knowledge.csv")
ROBUST = [row for row in ROWS if row.release == "robust"]


def test_the_page_has_the_figures_of_the_csv_file() -> None:
    page = (FOLDER / "background-knowledge.md").read_text(encoding="utf-8")
    assert results.put_into(page, results.tables(ROWS)) == page


def test_every_knowledge_and_r_was_measured() -> None:
    assert len({(row.knowledge, row.r) for row in ROBUST}) == 15
    assert {row.r for row in ROBUST} == {2, 4, 8}
    assert len(ROWS) == 3 * len(ROBUST)


def test_robust_groups_expose_nobody() -> None:
    for row in ROBUST:
        assert (row.not_proved_safe, row.exposed_marginal, row.exposed_full) == (0, 0, 0)


def test_three_attribute_sets_at_r_4_cost_little() -> None:
    (row,) = (row for row in ROBUST if (row.knowledge, row.r) == ("all three, each", 4))
    assert row.mean_size <= 4.6
    assert row.withheld <= 0.006 * row.people


def test_figures_are_small() -> None:
    figures = sorted(FOLDER.glob("background-knowledge-*.svg"))
    assert len(figures) == 2
    assert all(figure.stat().st_size < 60_000 for figure in figures)
