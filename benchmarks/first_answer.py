"""The first answer on a machine that has never run the program, in CPU seconds.

Claims: each command of README and docs takes at most 1.5x its warm time when nothing was ever compiled; warm, `audit`,
`breach`, `crowds`, `explain` and `check` at most 1.7x a script that imports duckdb, pyarrow and sqlglot and runs one
query, the others at most 2.2x. The first publishing, bucketizing, attack and breach of many people compile for at most
15 seconds, the second time not at all. An audit of three million rows takes at most 2.5x the bare query,
also of a csv file, where every cell is looked at twice. `check` and `audit` of a table of ten thousand columns, of
which four are used, take at most 1.5 seconds and 300 MB.
"""

from __future__ import annotations

import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import duckdb

from benchmarks import command, turnover
from benchmarks.measure import Measured, at_most, ratio, run
from benchmarks.sizes import FULL, Sizes

ROOT = Path(__file__).parents[1]
QUICK = ("audit", "breach", "crowds", "explain", "check")
FIRST, QUICKLY, OTHERWISE, COMPILING, AUDIT = 1.5, 1.7, 2.2, 15.0, 2.5
WIDE, WIDE_MB = 1.5, 300
BARE = """
import duckdb, pyarrow, sqlglot
duckdb.sql("SELECT 1 AS a, count(*) AS n FROM range(10) GROUP BY a").to_arrow_table()
"""
GROUPED = """
import sys, duckdb
duckdb.sql(f"SELECT j, count(DISTINCT id), count(DISTINCT p) FROM '{sys.argv[1]}' GROUP BY j").to_arrow_table()
"""


def main(sizes: Sizes = FULL) -> None:
    """Print one line for each claim; with a word, only that part."""
    parts: dict[str, Callable[[Sizes], None]] = {
        "examples": examples, "compiling": compiling, "rows": many_rows, "columns": many_columns,
    }  # fmt: skip
    for name, part in parts.items():
        if name in sys.argv or not set(parts) & set(sys.argv):
            part(sizes)


def deniable(cache: Path, folder: Path, *arguments: str) -> Measured:
    """The program with a cache of its own for what is compiled; a failed requirement is an answer as well."""
    settings = {"NUMBA_CACHE_DIR": str(cache), "PYTHONDONTWRITEBYTECODE": ""}  # an installed program has its bytecode
    return run(sys.executable, "-m", "deniable", *arguments, folder=folder, settings=settings, statuses=(0, 1))


def commands(page: Path) -> list[str]:
    """What a page tells its reader to type: commands of the program, and the shell's lines between them as one."""
    shell = re.findall(r"^```sh[^\n]*\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)
    found: list[str] = []
    for block in shell:
        if re.search(r"\b(make|install) ", block):  # sets up what is set up
            continue
        for line in block.replace("\\\n", " ").splitlines():
            if line.startswith("deniable ") or not found or found[-1].startswith("deniable "):
                found.append(line)
            else:
                found[-1] += f"\n{line}"
    return found


def examples(sizes: Sizes) -> None:
    """Every command of README and docs in its order, on a cache that is empty, then on what that left."""
    pages = [
        page
        for page in sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
        if any(typed.startswith("deniable ") for typed in commands(page))
    ]
    if sizes.most_rounds == 1:
        pages = sorted(pages, key=lambda page: len(commands(page)))[:1]
    first: dict[str, float] = {}
    warm: dict[str, float] = {}
    bare = [run(sys.executable, "-c", BARE).cpu]
    with tempfile.TemporaryDirectory() as name:
        for page in pages:
            cache = Path(name) / page.stem
            first |= walk(page, cache)
            for _ in range(sizes.rounds(3)):
                again = walk(page, cache)
                warm |= {typed: min(cpu, warm.get(typed, cpu)) for typed, cpu in again.items()}
                bare.append(run(sys.executable, "-c", BARE).cpu)
    base = min(bare)
    for typed in sorted(warm, key=lambda typed: -first[typed] / warm[typed])[:3]:
        print(f"first answer, {typed}: {first[typed]:.2f} s, again {ratio(first[typed], warm[typed], FIRST)}")
    for names, limit in ((QUICK, QUICKLY), (None, OTHERWISE)):
        mine = {typed: cpu for typed, cpu in warm.items() if (typed.split()[0] in QUICK) == (names is not None)}
        if not mine:
            continue
        slowest = max(mine, key=lambda typed: mine[typed])
        told = f"{len(mine)} commands, the slowest {slowest}: {mine[slowest]:.2f} s, bare script {base:.2f} s"
        print(f"warm, {told}, {ratio(mine[slowest], base, limit)}", flush=True)


def walk(page: Path, cache: Path) -> dict[str, float]:
    """CPU seconds of each command of a page, in a folder of its own; of what is typed twice, the later one.

    What needs more than the page's own lines of the shell (a job's steps, a database's hook) is not here.
    """
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        for typed in commands(page):
            words = shlex.split(typed, comments=True)
            with suppress(RuntimeError):
                if words[:1] == ["deniable"]:
                    found[" ".join(words[1:])] = deniable(cache, Path(name), *words[1:]).cpu
                else:
                    run("bash", "-c", typed, folder=Path(name))
    return found


def compiling(sizes: Sizes) -> None:
    """The first run of each kind of large work beside the second."""
    if not (sizes.data / turnover.UNITS).exists():
        print("compiling: the real tables are not there")
        return
    for made in (bucketized, in_several_groups, again):
        with tempfile.TemporaryDirectory() as name:
            for told, call in made(Path(name), sizes).items():
                cache = Path(name) / f"cache {told}"
                first, second, *others = (call(cache).cpu for _ in range(max(2, sizes.rounds(3))))
                held = at_most(first - second, COMPILING)
                print(
                    f"first {told}: {first:.1f} s, then {' and '.join(f'{cpu:.1f}' for cpu in (second, *others))} s, "
                    f"compiling {first - second:.1f} s {held}",
                    flush=True,
                )


Calls = dict[str, Callable[[Path], Measured]]


def bucketized(folder: Path, sizes: Sizes) -> Calls:
    """148,318 workers, three attribute sets."""
    (rows,) = duckdb.connect().execute(f"SELECT count(*) FROM '{sizes.data / 'workers.parquet'}'").fetchall()[0]
    keys = "identifier: person\nquasi: [age, sex, education]\nprivate: occupation\n"
    sets = "".join(f"  - {{given: [{name}], estimate: true}}\n" for name in ("sex", "education", "age"))
    (folder / "w.yaml").write_text(f"table: {sizes.data / 'workers.parquet'}\n{keys}knowledge:\n{sets}")

    def call(cache: Path) -> Measured:
        shutil.rmtree(folder / "out", ignore_errors=True)
        return deniable(cache, folder, "bucketize", "w.yaml", "--r", "4", "--suppress", "--out", "out")

    return {f"bucketize of {rows:,}": call}


def in_several_groups(folder: Path, sizes: Sizes) -> Calls:
    """People who stand in two join groups each."""
    rows = sizes.pair_rows // 20
    made = f"SELECT i % {max(rows // 2, 1)} AS id, hash(i) % {max(rows // 40, 2)} AS j, hash(i + 1) % 12 AS p"
    duckdb.connect().execute(f"COPY ({made} FROM range({rows}) t(i)) TO '{folder / 't.parquet'}'")
    views = "views:\n  a: SELECT id, j FROM t\n  b: SELECT j, p FROM t\n"
    (folder / "t.yaml").write_text(f"table: t.parquet\nidentifier: id\nprivate: p\n{views}")
    told = f"breach of {rows:,} rows, people in several groups"
    return {told: lambda cache: deniable(cache, folder, "breach", "t.yaml")}


def again(folder: Path, sizes: Sizes) -> Calls:
    """The last of many releases, and an attack on all of them."""
    setting = sizes.large
    tables = turnover.write_tables(setting, sizes.data, folder, seed=1)
    kept = command.ledgers(folder, tables, "stable", [setting.releases])[setting.releases]
    path, ledger = folder / "release.yaml", folder / "release.ledger"

    def publish(cache: Path) -> Measured:
        shutil.rmtree(folder / "out", ignore_errors=True)
        command.restore(kept, ledger)
        return deniable(cache, folder, "republish", path.name, "--out", "out")

    def first(cache: Path) -> Measured:
        shutil.rmtree(folder / "out", ignore_errors=True)
        command.remove(ledger)
        return deniable(cache, folder, "republish", path.name, "--out", "out", "--begin")

    def attack(cache: Path) -> Measured:
        command.restore(kept, ledger)
        return deniable(cache, folder, "attack", path.name, "--compromise", "0.04")

    return {
        f"republish of {setting.people:,}": first,
        f"republish of {setting.people:,} for the {setting.releases}th time": publish,
        f"attack over {setting.people:,} x {setting.releases - 1}": attack,
    }


def many_rows(sizes: Sizes) -> None:
    """Three million rows in two views, 30,000 join groups: the whole command beside the bare query in a process."""
    rows, groups = sizes.pair_rows * 3 // 10, sizes.pair_groups * 3 // 10
    made = f"SELECT i AS id, hash(i) % {groups} AS j, hash(i + 1) % 50 AS p FROM range({rows}) t(i)"
    views = "views:\n  a: SELECT id, j FROM t\n  b: SELECT j, p FROM t\nrequire:\n  breach: {at_most: 0.5}\n"
    for kind in ("parquet", "csv"):
        with tempfile.TemporaryDirectory() as name:
            folder, cache = Path(name), Path(name) / "cache"
            table = folder / f"t.{kind}"
            duckdb.connect().execute(f"COPY ({made}) TO '{table}'")
            (folder / "t.yaml").write_text(f"table: {table.name}\nidentifier: id\nprivate: p\n{views}")
            mine, base = [], []
            for _ in range(sizes.rounds(5)):
                mine.append(deniable(cache, folder, "audit", "t.yaml").cpu)
                base.append(run(sys.executable, "-c", GROUPED, str(table)).cpu)
        told = f"{min(mine):.2f} s, bare query in a process {min(base):.2f} s, {ratio(min(mine), min(base), AUDIT)}"
        print(f"audit of {rows:,} rows of {kind} in {groups:,} join groups: {told}", flush=True)


def many_columns(sizes: Sizes) -> None:
    """Five rows of ever more columns, of which a release uses four."""
    views = "views:\n  a: SELECT id, j FROM t\n  b: SELECT j, q, p FROM t\nrequire:\n  breach: {at_most: 0.5}\n"
    for columns in sizes.columns:
        for kind in ("parquet", "csv"):
            with tempfile.TemporaryDirectory() as name:
                folder, cache = Path(name), Path(name) / "cache"
                further = ", ".join(f"i * {k} AS c{k}" for k in range(columns - 4))
                made = f"SELECT i AS id, i // 2 AS j, i % 2 AS q, i % 3 AS p, {further} FROM range(5) t(i)"
                copy = f"COPY ({made}) TO '{folder / f't.{kind}'}'"
                (folder / "make.py").write_text(f"import duckdb\nduckdb.sql({copy!r})\n")
                run(sys.executable, str(folder / "make.py"))  # elsewhere, or our peak would be taken for theirs
                (folder / "t.yaml").write_text(f"table: t.{kind}\nidentifier: id\nprivate: p\n{views}")
                for verb in ("check", "audit"):
                    runs = [deniable(cache, folder, verb, "t.yaml") for _ in range(sizes.rounds(5))]
                    cpu, peak = min(one.cpu for one in runs), max(one.peak_mb for one in runs)
                    told = f"{cpu:.2f} s {at_most(cpu, WIDE)}, {peak:.0f} MB {at_most(peak, WIDE_MB)}"
                    print(f"{verb} of {columns:,} columns of {kind}: {told}", flush=True)


if __name__ == "__main__":
    main()
