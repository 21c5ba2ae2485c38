"""The notebook in docs runs, cell by cell, and what it shows holds no cell of the table."""

from __future__ import annotations

import ast
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).parents[2] / "docs" / "notebook.ipynb"


def run_cell(text: str, names: dict[str, Any]) -> Any:
    """A cell as Jupyter runs it: a line that begins with ! is a command, and the last expression is what is shown."""
    if text.startswith("!deniable "):
        from deniable.cli import run

        with suppress(SystemExit):
            run(text.removeprefix("!deniable ").split())
        return None
    tree = ast.parse(text)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "notebook", "exec"), names)
    return eval(compile(ast.Expression(last.value), "notebook", "eval"), names) if isinstance(last, ast.Expr) else None


def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    document = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert (document["nbformat"], document["cells"][0]["cell_type"]) == (4, "markdown")
    names: dict[str, Any] = {}
    shown = []
    for cell in document["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []  # nobody's cells are committed
            shown.append(run_cell("".join(cell["source"]), names))
    pages = [one._repr_html_() for one in shown if hasattr(one, "_repr_html_")]
    assert len(pages) == 5
    assert all('class="deniable"' in page and "<svg" in page for page in pages)
    private = ("P00012", "George", "HIV", "Lung Cancer")
    assert [word for word in private for page in pages if word in page] == []
    assert Path("probabilities.svg").read_text().startswith("<svg")
    assert "Do not publish" in Path("report.html").read_text()
