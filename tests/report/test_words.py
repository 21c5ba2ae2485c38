"""How cells are shown to somebody who reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

import deniable
from deniable.analyses.explain import Explanation
from deniable.report.explanation import explanation_text
from deniable.words import cell


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "(null)"),
        ("", ""),
        ("a\nb\tc", "a\\nb\\tc"),
        ("\x1b[2J", "\\x1b[2J"),
        ("x" * 1_000, "x" * 1_000),
        ("x" * 1_001, "x" * 1_000 + "… (1,001 characters)"),
        ("\n" * 2_000, "\\n" * 1_000 + "… (2,000 characters)"),
    ],
)
def test_a_cell_stands_on_one_line_that_somebody_reads(value: str | None, shown: str) -> None:
    assert cell(value) == shown


def test_a_very_long_cell_makes_no_very_long_explanation(tmp_path: Path) -> None:
    rows = [f"p{i},{30 + i % 2},{'x' * 1_000_000 if i == 3 else 'ab'[i % 2]}" for i in range(8)]
    (tmp_path / "t.csv").write_text("name,age,problem\n" + "\n".join(rows) + "\n")
    views = {"people": "SELECT name, age FROM t", "clinic": "SELECT age, problem FROM t"}
    release = deniable.Release(table=str(tmp_path / "t.csv"), identifier="name", private="problem", views=views)
    shown = deniable.explain(release, "p3")
    assert isinstance(shown, Explanation)
    text = explanation_text(shown)
    assert "x… (1,000,000 characters)" in text
    assert len(text) < 30_000
