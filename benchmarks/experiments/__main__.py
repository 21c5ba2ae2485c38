"""Measure, and write the figures into docs/experiments: `make experiments`; with names, only those experiments.

With `plots`, nothing is measured: the tables and figures are made again from the csv files.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.experiments.page import put_into
from deniable.report.notebook import Drawing

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "experiments"
NAMES = ("background-knowledge", "republication")


def main() -> None:
    """One experiment after the other."""
    words = sys.argv[1:]
    unknown = sorted(set(words) - {*NAMES, "plots"})
    if unknown:
        sys.exit(f"expected names of experiments ({', '.join(NAMES)}) or plots; found {', '.join(unknown)}")
    for name in [name for name in NAMES if name in words] or NAMES:
        write(name, "plots" not in words)


def write(name: str, again: bool) -> None:
    """The csv file if it is measured again, then the page's tables and its figures."""
    rows, page = FOLDER / f"{name}.csv", FOLDER / f"{name}.md"
    results = part(name, "results")
    if again:
        results.save(measured(name), rows)
    text = results.tables(results.load(rows))
    page.write_text(put_into(page.read_text(encoding="utf-8"), text), encoding="utf-8")
    for figure, drawn in part(name, "plots").figures(results.load(rows)).items():
        rows.with_name(f"{name}-{figure}.svg").write_text(f"{Drawing(drawn)._repr_svg_()}\n", encoding="utf-8")


def measured(name: str) -> list[Any]:
    experiment = part(name, "measure")
    if not experiment.SOURCE.exists():
        sys.exit(f"{experiment.SOURCE.name} is not there: the experiment needs that table")
    rows = []
    for row in experiment.measure():
        print(row, flush=True)
        rows.append(row)
    return rows


def part(name: str, what: str) -> Any:
    return import_module(part_name(name, what))


def part_name(name: str, what: str) -> str:
    return f"benchmarks.experiments.{name.replace('-', '_')}.{what}"


if __name__ == "__main__":
    main()
