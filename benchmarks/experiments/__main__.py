"""Measure, and write the figures into docs/experiments: `make experiments`; with `plots`, only draw them again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.experiments import results

ROOT = Path(__file__).parents[2]
PEERS = ROOT / ".venv-bench" / "bin" / "python"  # matplotlib lives there
FOLDER = ROOT / "docs" / "experiments"
NAME = "background-knowledge"


def main() -> None:
    """One experiment so far."""
    figures, page = FOLDER / f"{NAME}.csv", FOLDER / f"{NAME}.md"
    if sys.argv[1:] != ["plots"]:
        results.save(measured(), figures)
    text = results.tables(results.load(figures))
    page.write_text(results.put_into(page.read_text(encoding="utf-8"), text), encoding="utf-8")
    subprocess.run([str(PEERS), "-m", "benchmarks.experiments.plots", str(figures)], cwd=ROOT, check=True)


def measured() -> list[results.Row]:
    from benchmarks.experiments import background_knowledge as experiment

    if not experiment.WORKERS.exists():
        sys.exit(f"{experiment.WORKERS.name} is not there: the experiment needs that table")
    rows = []
    for row in experiment.measure():
        print(row, flush=True)
        rows.append(row)
    return rows


main()
