"""The report of an audit of a million rows beside the audit alone: CPU seconds, bytes, and whether two are the same.

Claims: `--html` makes an audit take at most 1.3 times as long, a report has at most 300 kB whatever the number of
rows, and two reports of the same release are the same bytes but for the date.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

import duckdb

from benchmarks.measure import alternating, at_most, ratio, run
from benchmarks.sizes import FULL, Sizes

TIMES = 1.3
KILOBYTES = 300
RELEASE = """\
table: t.csv
name: t
identifier: id
private: problem
views:
  people: SELECT id, age, zip FROM t
  values: SELECT age, zip, job, problem FROM t
require:
  breach: {at_most: 0.5}
  crowd: {at_least: 2}
"""
# The one thing that may differ: when the report was made, for machines and for people.
DATE = re.compile(rb'<time datetime="[^"]*">[^<]*</time>')


def main(sizes: Sizes = FULL) -> None:
    """Print a line for each number of rows."""
    for rows in sizes.report_rows:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            cells = (
                f"SELECT 'p' || i AS id, (18 + hash(i) % 70)::INT AS age, (10000 + hash(i * 7) % 900)::INT AS zip, "
                f"'job ' || hash(i * 3) % 8 AS job, 'problem ' || sqrt(hash(i * 11) % 100)::INT AS problem "
                f"FROM range({rows}) t(i)"
            )
            duckdb.connect().execute(f"COPY ({cells}) TO '{folder / 't.csv'}'")
            (folder / "t.yaml").write_text(RELEASE)
            beside_the_audit(rows, folder, sizes.rounds(3))


def beside_the_audit(rows: int, folder: Path, rounds: int) -> None:
    """The audit alone and with its report, in turns; then one report more, to compare."""
    alone, shown = alternating(rounds, lambda: _audit(folder), lambda: _audit(folder, "--html", "one.html"))
    _audit(folder, "--html", "other.html")
    one, other = ((folder / f"{name}.html").read_bytes() for name in ("one", "other"))
    size = len(one) / 1000
    print(
        f"report, {rows:,} rows: {shown:.2f} s, audit {alone:.2f} s, {ratio(shown, alone, TIMES)}; {size:.0f} kB "
        f"{at_most(size, KILOBYTES)}; {said_of(one, other)}",
        flush=True,
    )


def said_of(one: bytes, other: bytes) -> str:
    """Whether two reports are the same but for the date, which each has in one place."""
    dated = len(DATE.findall(one)) == 1
    same = dated and DATE.sub(b"", one) == DATE.sub(b"", other)
    return "the same bytes again but for the date" if same else "OTHER BYTES AGAIN"


def _audit(folder: Path, *options: str) -> float:
    command = (sys.executable, "-m", "deniable", "audit", "t.yaml", *options)
    return run(*command, folder=folder, statuses=(0, 1)).cpu


if __name__ == "__main__":
    main()
