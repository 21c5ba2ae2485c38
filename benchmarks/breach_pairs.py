"""Two views of ten million rows: `deniable breach` beside the bare queries it stands on.

Claim: the summary takes at most 2.5x (identifiers unique) and 4x (identifiers repeating)
the bare `SELECT j, count(DISTINCT id), count(DISTINCT p) … GROUP BY j`, start-up included;
the per-association Parquet file at most 2.5x a bare COPY of a join of the same size.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import duckdb

from benchmarks.measure import Measured, alternating, bare, copied, deniable

ROWS, GROUPS, OTHERS, VALUES = 10_000_000, 100_000, 20, 50
FORMS = {
    "unique": ("i", 2.5),
    "repeating": (f"hash(i * 31 + 7) % {ROWS * 2 // 5}", 4.0),
}
SPEC = """\
table: {table}
name: t
identifier: id
private: p
views:
  people: SELECT id, j FROM t
  values: SELECT j, x, p FROM t
"""


def generate(folder: Path, form: str) -> Path:
    """A table of random join groups and values; returns its release file."""
    table = folder / f"{form}.parquet"
    if not table.exists():
        duckdb.connect().execute(
            f"""COPY (SELECT ({FORMS[form][0]})::BIGINT AS id, (hash(i * 7 + 1) % {GROUPS})::INT AS j,
                'x' || (hash(i * 3 + 2) % {OTHERS}) AS x, 'value ' || (hash(i * 5 + 3) % {VALUES}) AS p
                FROM range({ROWS}) t(i)) TO '{table}'"""
        )
    spec = folder / f"{form}.yaml"
    spec.write_text(SPEC.format(table=table.name))
    return spec


def main() -> None:
    """Print one line per claim."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for form, (_, limit) in FORMS.items():
            spec = generate(folder, form)
            deniable("breach", str(spec))  # compiled code is cached, files are warm
            summary(spec, folder / f"{form}.parquet", form, limit)
        files(folder)


def summary(spec: Path, table: Path, form: str, limit: float) -> None:
    measured: list[Measured] = []

    def ours() -> float:
        measured.append(deniable("breach", str(spec)))
        return measured[-1].seconds

    query = f"SELECT j, count(DISTINCT id), count(DISTINCT p) FROM '{table}' GROUP BY j"
    mine, base = alternating(3, ours, lambda: bare(query))
    peak = max(m.peak_mb for m in measured)
    print(
        f"breach, {ROWS:,} rows, identifiers {form}: {mine:.2f} s, bare query {base:.2f} s, "
        f"ratio {mine / base:.2f} (at most {limit}), peak {peak:,.0f} MB",
        flush=True,
    )


def files(folder: Path) -> None:
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
        2,
        lambda: deniable("breach", str(folder / "unique.yaml"), "--out", str(out)).seconds,
        lambda: copied(f"COPY ({join}) TO '{folder / 'bare.parquet'}'"),
    )
    size = out.stat().st_size / 2**20
    print(
        f"breach --out, {ROWS * 4:,} rows ({size:,.0f} MB): {mine:.1f} s, bare COPY of a join {base:.1f} s, "
        f"ratio {mine / base:.2f} (at most 2.5)",
        flush=True,
    )


if __name__ == "__main__":
    main()
