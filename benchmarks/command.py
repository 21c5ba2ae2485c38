"""Releases of the tax units as a user makes them, by the command."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks import turnover
from benchmarks.measure import Measured, run
from benchmarks.turnover import M, N


def spec(folder: Path, table: Path, algorithm: str) -> Path:
    """The release file for a table; its ledger is beside it."""
    path = folder / "release.yaml"
    keys = f"identifier: person\nquasi: [{', '.join(turnover.QUASI)}]\nprivate: {turnover.PRIVATE}\n"
    path.write_text(f"table: {table.name}\n{keys}republish: {{m: {M}, n: {N}}}\nalgorithm: {algorithm}\n")
    return path


def ledgers(folder: Path, tables: Sequence[Path], algorithm: str, releases: Sequence[int]) -> dict[int, Path]:
    """Publish one table after the other; the ledger as it was before each of these releases, the last one included."""
    from deniable import api

    found: dict[int, Path] = {}
    for release, table in enumerate(tables, 1):
        path = spec(folder, table, algorithm)
        if release in releases:
            found[release] = Path(shutil.copy(path.with_suffix(".ledger"), folder / f"{algorithm}{release}.kept"))
        if release == max(releases):
            break
        api.republish(path, folder / "past" / f"{algorithm}{release}", begin=release == 1, audit=False)
    remove(path.with_suffix(".ledger"))
    shutil.rmtree(folder / "past", ignore_errors=True)  # its receipts would tell that a ledger is an older one
    return found


def remove(ledger: Path) -> None:
    """Remove a ledger with its journal, which would bring another one forward."""
    ledger.unlink(missing_ok=True)
    ledger.with_name(f"{ledger.name}.journal").unlink(missing_ok=True)


def restore(kept: Path, ledger: Path) -> None:
    """Put a ledger back as it was, as if nothing had been published since."""
    remove(ledger)
    shutil.copy(kept, ledger)
    ledger.chmod(0o600)


def republish(folder: Path, table: Path, algorithm: str, ledger: Path, *options: str) -> Measured:
    """One release with that ledger, which stays as it is; the files go to `out`."""
    path, out = spec(folder, table, algorithm), folder / "out"
    shutil.rmtree(out, ignore_errors=True)
    restore(ledger, path.with_suffix(".ledger"))
    return run(sys.executable, "-m", "deniable", "republish", str(path), "--out", str(out), *options)
