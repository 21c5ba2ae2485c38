"""Rows of an experiment as values, as csv and as tables of a page."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.experiments.page import markdown

SELECTIVITIES = (0.01, 0.02, 0.05, 0.1)
ERRORS = tuple(f"error_at_{share:g}" for share in SELECTIVITIES)
COLUMNS = (
    "knowledge", "r", "release", "people", "withheld", "mean_size", "seconds", "exposed_marginal", "exposed_full",
    "not_proved_safe", *ERRORS,
)  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One release of one table, and what it says to one knowledge."""

    knowledge: str
    r: int
    release: str
    people: int
    withheld: int
    mean_size: float
    seconds: float | None
    exposed_marginal: int  # certainly above 1/r
    exposed_full: int
    not_proved_safe: int  # for one of the two adversaries
    errors: tuple[float, ...]  # median relative error of COUNT queries, by selectivity


def save(rows: Sequence[Row], path: Path) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for row in rows:
            seconds = "" if row.seconds is None else f"{row.seconds:.1f}"
            writer.writerow(
                [
                    row.knowledge, row.r, row.release, row.people, row.withheld, f"{row.mean_size:.4f}", seconds,
                    row.exposed_marginal, row.exposed_full, row.not_proved_safe, *(f"{e:.5f}" for e in row.errors),
                ]
            )  # fmt: skip


def load(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return [_row(cells) for cells in csv.DictReader(file)]


def _row(cells: dict[str, str]) -> Row:
    return Row(
        knowledge=cells["knowledge"],
        r=int(cells["r"]),
        release=cells["release"],
        people=int(cells["people"]),
        withheld=int(cells["withheld"]),
        mean_size=float(cells["mean_size"]),
        seconds=float(cells["seconds"]) if cells["seconds"] else None,
        exposed_marginal=int(cells["exposed_marginal"]),
        exposed_full=int(cells["exposed_full"]),
        not_proved_safe=int(cells["not_proved_safe"]),
        errors=tuple(float(cells[name]) for name in ERRORS),
    )


def tables(rows: Sequence[Row]) -> str:
    """The three tables of the page."""
    return "\n\n".join(("### What robust groups cost", _robust(rows), "### Who is exposed", _exposed(rows),
                        "### Query error of plain groups", _plain(rows)))  # fmt: skip


def _robust(rows: Sequence[Row]) -> str:
    head = ["knowledge", "r", "mean size", "withheld", "seconds", "not proved safe"]
    head += [f"error at {share:.0%}" for share in SELECTIVITIES]
    body = [
        [
            row.knowledge, str(row.r), f"{row.mean_size:.2f}", f"{row.withheld:,} ({row.withheld / row.people:.2%})",
            f"{row.seconds:.1f}", f"{row.not_proved_safe:,}", *(f"{e:.2%}" for e in row.errors),
        ]
        for row in rows if row.release == "robust"
    ]  # fmt: skip
    return markdown(head, body)


def _exposed(rows: Sequence[Row]) -> str:
    kinds = list(dict.fromkeys(row.release for row in rows))
    found = {(row.knowledge, row.r, row.release): row for row in rows}
    head = ["knowledge", "r", *(f"{kind}: marginal / full" for kind in kinds)]
    body = []
    for name, r in dict.fromkeys((row.knowledge, row.r) for row in rows):
        shown = (found[name, r, kind] for kind in kinds)
        told = [f"{_share(row.exposed_marginal, row)} / {_share(row.exposed_full, row)}" for row in shown]
        body.append([name, str(r), *told])
    return markdown(head, body)


def _share(people: int, row: Row) -> str:
    return f"{people:,} ({people / row.people:.1%})" if people else "0"


def _plain(rows: Sequence[Row]) -> str:
    """They do not depend on the knowledge: one line for each kind and r."""
    head = ["groups", "l", "mean size", *(f"error at {share:.0%}" for share in SELECTIVITIES)]
    seen = {(row.release, row.r): row for row in rows if row.release != "robust"}
    body = [
        [kind, str(size), f"{row.mean_size:.2f}", *(f"{e:.2%}" for e in row.errors)]
        for (kind, size), row in sorted(seen.items())
    ]
    return markdown(head, body)
