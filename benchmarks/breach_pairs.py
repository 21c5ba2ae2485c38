"""Two views of ten million rows: `deniable breach` beside the bare queries it stands on.

Claim: the summary takes at most 2.5x (identifiers unique) and 4x (identifiers repeating)
the bare `SELECT j, count(DISTINCT id), count(DISTINCT p) … GROUP BY j`, start-up included;
the per-association Parquet file at most 2.5x a bare COPY of a join of the same size.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import duckdb

from benchmarks.measure import Measured, alternating, bare, copied, deniable, ratio
from benchmarks.sizes import FULL, Sizes

OTHERS, VALUES = 20, 50
LIMITS = {"unique": 2.5, "repeating": 4.0}
SPEC = """\
table: {table}
name: t
identifier: id
private: p
views:
  people: SELECT id, j FROM t
  values: SELECT j, x, p FROM t
"""


def generate(folder: Path, form: str, sizes: Sizes) -> Path:
    """A table of random join groups and values; returns its release file."""
    table = folder / f"{form}.parquet"
    person = "i" if form == "unique" else f"hash(i * 31 + 7) % {sizes.pair_rows * 2 // 5}"
    duckdb.connect().execute(
        f"""COPY (SELECT ({person})::BIGINT AS id, (hash(i * 7 + 1) % {sizes.pair_groups})::INT AS j,
            'x' || (hash(i * 3 + 2) % {OTHERS}) AS x, 'value ' || (hash(i * 5 + 3) % {VALUES}) AS p
            FROM range({sizes.pair_rows}) t(i)) TO '{table}'"""
    )
    spec = folder / f"{form}.yaml"
    spec.write_text(SPEC.format(table=table.name))
    return spec


def main(sizes: Sizes = FULL) -> None:
    """Print one line per claim."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for form, limit in LIMITS.items():
            spec = generate(folder, form, sizes)
            if sizes.most_rounds > 1:
                deniable("breach", str(spec))  # compiled code is cached, files are warm
            summary(spec, form, limit, sizes)
        files(folder, sizes)


def summary(spec: Path, form: str, limit: float, sizes: Sizes) -> None:
    measured: list[Measured] = []

    def ours() -> float:
        measured.append(deniable("breach", str(spec)))
        return measured[-1].seconds

    query = f"SELECT j, count(DISTINCT id), count(DISTINCT p) FROM '{spec.with_suffix('.parquet')}' GROUP BY j"
    mine, base = alternating(sizes.rounds(3), ours, lambda: bare(query))
    peak = max(m.peak_mb for m in measured)
    print(
        f"breach, {sizes.pair_rows:,} rows, identifiers {form}: {mine:.2f} s, bare query {base:.2f} s, "
        f"{ratio(mine, base, limit)}, peak {peak:,.0f} MB",
        flush=True,
    )


def files(folder: Path, sizes: Sizes) -> None:
    """The per-association file of the unique form, four adversaries per association."""
    table, out = folder / "unique.parquet", folder / "associations.parquet"
    connection = duckdb.connect()
    answers = folder / "answers.parquet"
    numbers = ", ".join(f"random() AS {a}_{b}" for a in "urkb" for b in ("value", "lower", "upper"))
    connection.execute(f"COPY (SELECT DISTINCT j, p, {numbers} FROM '{table}') TO '{answers}'")
    chosen = ", ".join(
        "CASE " + " ".join(f"WHEN a = '{a}' THEN {a}_{b}" for a in "urkb") + f" END AS {b}"
        for b in ("value", "lower", "upper")
    )
    adversaries = "(VALUES ('u'), ('r'), ('k'), ('b')) v(a)"
    columns = f"id::VARCHAR AS id, p, a, {chosen}, 'exact' AS bound"
    join = f"SELECT {columns} FROM '{table}' JOIN '{answers}' USING (j, p), {adversaries}"
    mine, base = alternating(
        sizes.rounds(2),
        lambda: deniable("breach", str(folder / "unique.yaml"), "--out", str(out)).seconds,
        lambda: copied(f"COPY ({join}) TO '{folder / 'bare.parquet'}'"),
    )
    size = out.stat().st_size / 2**20
    print(
        f"breach --out, {sizes.pair_rows * 4:,} rows ({size:,.0f} MB): {mine:.1f} s, bare COPY of a join {base:.1f} s, "
        f"{ratio(mine, base, 2.5)}",
        flush=True,
    )


if __name__ == "__main__":
    main()
