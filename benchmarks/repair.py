"""Repairs of tables of ever more rows beside one audit, and of real workers, in CPU seconds.

Claims: to look for repairs takes at most as long as 20 audits of the same release, at any size, and says the same
every time.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import duckdb

from benchmarks.measure import Measured, ratio, run
from benchmarks.sizes import FULL, WORKERS, Sizes

AUDITS = 20.0
VIEWS = "identifier: {id}\nprivate: {p}\nviews:\n  people: SELECT {id}, {known} FROM t\n"
VIEWS += "  values: SELECT {known}, {more}, {p} FROM t\nrequire:\n  breach: {{at_most: 0.5}}\n"


def main(sizes: Sizes = FULL) -> None:
    """Print a line for each table."""
    for rows in sizes.repair_rows:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            cells = (
                f"SELECT 'p' || i AS id, (18 + hash(i) % 70)::INT AS age, (10000 + hash(i * 7) % 900)::INT AS zip, "
                f"'job ' || hash(i * 3) % 8 AS job, 'problem ' || sqrt(hash(i * 11) % 100)::INT AS problem "
                f"FROM range({rows}) t(i)"
            )
            duckdb.connect().execute(f"COPY ({cells}) TO '{folder / 't.csv'}'")
            views = VIEWS.format(id="id", p="problem", known="age, zip", more="job")
            (folder / "t.yaml").write_text(f"table: t.csv\nname: t\n{views}")
            beside_an_audit(f"{rows:,} rows", folder, twice=sizes.most_rounds > 1)
    workers = sizes.data / WORKERS
    if not workers.exists():
        print("repair: the real table is not there")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        views = VIEWS.format(id="person", p="occupation", known="age, sex, race", more="education, marital")
        (folder / "t.yaml").write_text(f"table: {workers}\nname: t\n{views}")
        beside_an_audit("workers", folder, twice=sizes.most_rounds > 1)


def beside_an_audit(told: str, folder: Path, *, twice: bool) -> None:
    """The repair, a second one, and the audit."""
    first, one = _repair(folder)
    again, other = _repair(folder) if twice else (first, one)
    audit = run(sys.executable, "-m", "deniable", "audit", "t.yaml", folder=folder, statuses=(0, 1))
    found = json.loads(one)
    best = [f"{repair['kept']:.3f}" for repair in found["repairs"]]
    same = "the same bytes again" if one == other else "OTHER BYTES AGAIN"
    cpu = min(first.cpu, again.cpu)
    print(
        f"repair, {told}: {cpu:.1f} s, audit {audit.cpu:.1f} s, {ratio(cpu, audit.cpu, AUDITS)}; kept "
        f"{', '.join(best) or 'nothing'}; {found['tried']} of {found['combinations']} tried, "
        f"{'complete' if found['complete'] else 'not complete'}; {same}",
        flush=True,
    )


def _repair(folder: Path) -> tuple[Measured, str]:
    """The command, and what it printed."""
    out = folder / "out.json"
    command = (sys.executable, "-m", "deniable", "repair", "t.yaml", "--json")
    took = run(*command, folder=folder, statuses=(0, 1), out=out)
    return took, out.read_text(encoding="utf-8")


if __name__ == "__main__":
    main()
