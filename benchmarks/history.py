"""Re-publication: 21 releases of 200,000 rows, 10 % of the people exchanged each time, m = 6 and n = 3.

Claims: the 21st Cor-Split release, all phases in memory, at most 10× NumPy's stable argsorts of the four
quasi-identifiers; the whole command, without the adversary, at most 2.5× a script that has the same imports, reads
the same table and ledger and writes the same files and rows; at most 2× as slow as the 2nd release; groups at most
1.15× as wide as those of m-invariance; counterfeits under 0.5 % of the rows.
"""

from __future__ import annotations

import resource
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks import command, turnover
from benchmarks.measure import alternating, at_most, ratio, run, timed
from benchmarks.sizes import FULL, Sizes
from benchmarks.turnover import M, N, Setting
from deniable.analyses.history.republish import publish
from deniable.publish.again.cor_split import cor_split
from deniable.publish.again.m_invariance import m_invariance
from deniable.publish.again.releases import Grouping, Memberships, Table

# What any program must do: the same imports, the same input, the same output.
BARE = f"""
import sys
from pathlib import Path
import duckdb
import {publish.__module__}
import {cor_split.__module__}
import deniable.kernels.compiler
table, ledger, before, after = sys.argv[1:]
cells = "person::VARCHAR, age::VARCHAR, state::VARCHAR, filing::VARCHAR, members::VARCHAR, income_band::VARCHAR"
duckdb.connect().sql(f"SELECT {{cells}} FROM read_parquet('{{table}}')").to_arrow_table()
book = duckdb.connect(ledger)
for name in ("people", "seats", "signatures", "domain"):
    rows = book.sql(f"FROM {{name}}").to_arrow_table()
    if name == "seats":
        book.execute("CREATE TABLE again AS FROM rows WHERE release = (SELECT max(release) FROM rows)")
((last,),) = book.sql("SELECT max(release) FROM releases").fetchall()
book.execute(f"CREATE TABLE files_again AS FROM files_{{last}}")
book.close()
Path(after).mkdir()
for file in Path(before).iterdir():
    (Path(after) / file.name).write_bytes(file.read_bytes())
"""


def main(sizes: Sizes = FULL) -> None:
    """Print one line for each claim."""
    if not (sizes.data / turnover.UNITS).exists():
        print("re-publication: the table of tax units is not there")
        return
    people, setting = turnover.units(sizes.data), sizes.large
    (early, before), (table, past), grouping = releases(people, setting, lambda t, h: cor_split(t, h, M, N))
    _, (other, _), plain = releases(people, setting, lambda t, h: m_invariance(t, h, M))
    second, last, sorting = alternating(
        sizes.rounds(7),
        lambda: timed(lambda: cor_split(early, before, M, N)),
        lambda: timed(lambda: cor_split(table, past, M, N)),
        lambda: timed(lambda: argsorts(table)),
    )
    print(
        f"release {setting.releases} of {len(table):,} rows: {last * 1000:.0f} ms, argsorts {sorting * 1000:.0f} ms, "
        f"{ratio(last, sorting, 10)}"
    )
    print(f"release {setting.releases} beside release 2: {ratio(last, second, 2)}")
    ours, theirs = width(table, grouping), width(other, plain)
    print(f"mean semiperimeter {ours:.3f}, m-invariance {theirs:.3f}, {ratio(ours, theirs, 1.15)}")
    fakes = 100 * len(grouping.counterfeits) / len(table)
    print(f"counterfeits: {fakes:.3f} % of the rows {at_most(fakes, 0.5)}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"signatures {len(grouping.signatures)}, groups {len(grouping.signature):,}, peak {peak:,.0f} MB", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        whole_command(sizes, Path(folder))


def whole_command(sizes: Sizes, folder: Path, algorithm: str = "cor-split") -> None:
    """The 21st release as a user makes it, beside a script that only reads and writes."""
    tables = turnover.write_tables(sizes.large, sizes.data, folder, 1)
    kept = command.ledgers(folder, tables, algorithm, (len(tables),))[len(tables)]
    ours, bare, peak = [], [], 0.0
    for k in range(sizes.rounds(3)):
        measured = command.republish(folder, tables[-1], algorithm, kept, "--no-audit")
        ours.append(measured.seconds)
        peak = max(peak, measured.peak_mb)
        ledger = str(shutil.copy(kept, folder / "bare.ledger"))
        again = run(sys.executable, "-c", BARE, str(tables[-1]), ledger, str(folder / "out"), str(folder / f"bare{k}"))
        bare.append(again.seconds)
    print(
        f"the whole command: {min(ours):.2f} s, peak {peak:,.0f} MB; reading and writing alone {min(bare):.2f} s, "
        f"{ratio(min(ours), min(bare), 2.5)}",
        flush=True,
    )


def releases(
    people: turnover.People, setting: Setting, published: Callable[[Table, Memberships], Grouping]
) -> tuple[tuple[Table, Memberships], tuple[Table, Memberships], Grouping]:
    """The second and the last table, each with the history before it, and the last release."""
    past = Memberships.empty()
    inputs: list[tuple[Table, Memberships]] = []
    for table in turnover.tables(people, setting, 1):
        grouping = published(table, past)
        inputs = [*inputs[:2], (table, past)]
        past = past.extended(table, grouping)
    return inputs[1], inputs[-1], grouping


def argsorts(table: Table) -> None:
    for column in table.columns:
        np.argsort(column.astype(np.int64), kind="stable")


def width(table: Table, grouping: Grouping) -> float:
    """The mean over groups of the ranges' sum, each range as a part of the table's."""
    order = np.argsort(grouping.group, kind="stable")
    order = order[grouping.group[order] >= 0]
    counts = np.bincount(grouping.group[order], minlength=len(grouping.signature))
    first = np.cumsum(counts) - counts
    total = np.zeros(len(counts))
    for column in table.columns:
        codes = column[order]
        spread = np.maximum.reduceat(codes, first) - np.minimum.reduceat(codes, first)
        total += spread / max(int(column.max()) - int(column.min()), 1)
    return float(total.mean())


if __name__ == "__main__":
    main()
