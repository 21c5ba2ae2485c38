"""The real table of 148,318 workers, in a database and on Spark beside the embedded engine: one answer. In `make
nightly`, where the table is at hand."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.conftest import Call
from tests.engines.places import Place, engines, same
from tests.engines.test_same_answers import document

WORKERS = Path(__file__).parents[2].parent / "shared" / "data" / "workers.parquet"
ROLES = "name: t\nidentifier: person\nprivate: occupation\n"
SPECS = {
    "two": f"{ROLES}views:\n  people: SELECT person, age, sex, race FROM t\n"
    "  values: SELECT age, sex, race, education, marital, occupation FROM t\n",
    "three": f"{ROLES}views:\n  a: SELECT person, age, sex FROM t\n  b: SELECT age, education, birthplace FROM t\n"
    "  c: SELECT education, birthplace, occupation FROM t\n",
    "crowds": f"{ROLES}public: [age, sex, education]\nviews:\n  a: SELECT age, sex, occupation FROM t\n"
    "  b: SELECT education, occupation FROM t\n",
    "groups": "identifier: person\nquasi: [age, sex, education]\nprivate: occupation\nknowledge:\n"
    "  - {given: [sex], estimate: true}\n",
    "linkage": "quasi: [age, sex, education]\nprivate: occupation\nknowledge:\n  - {given: [sex], estimate: true}\n"
    "published: {people: published/people.csv, values: published/values.csv, group: group}\n",
    "again": "identifier: person\nquasi: [age, sex, education]\nprivate: occupation\nrepublish: {m: 4, n: 2}\n"
    "ledger: workers.ledger\n",
}
COMMANDS = """
audit two.yaml
breach two.yaml --out two.parquet
breach three.yaml --out three.parquet
crowds crowds.yaml --out crowds.parquet
bucketize groups.yaml --r 4 --suppress --out published --seed 1
linkage linkage.yaml --out linkage.parquet
republish again.yaml --out first --begin --seed 1
attack again.yaml --out attack.parquet
""".strip().splitlines()


@pytest.mark.nightly
@pytest.mark.usefixtures("compiling")
@engines("postgresql", "spark")
def test_workers(place: Place, call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not WORKERS.exists():
        pytest.skip("workers.parquet is not at hand")
    table = place.load(pq.read_table(WORKERS), "workers").replace('"', "")
    here, there = tmp_path / "here", tmp_path / "there"
    for folder, named in ((here, str(WORKERS)), (there, table)):
        folder.mkdir()
        for name, text in SPECS.items():
            (folder / f"{name}.yaml").write_text(f"table: {named}\n{text}")
    for command in COMMANDS:
        said, seconds = [], []
        for folder, more in ((here, []), (there, ["--engine", place.engine])):
            monkeypatch.chdir(folder)
            began = time.perf_counter()
            outcome = call(*command.split(), "--json", *more)
            seconds.append(time.perf_counter() - began)
            assert outcome.status in (0, 1), (command, outcome.err)
            said.append(document(replace(outcome, out=re.sub(r"[\w./-]*workers(\.parquet)?", "t", outcome.out))))
        with open(tmp_path / "seconds", "a", encoding="utf-8") as file:
            file.write(f"{command}: {seconds[0]:.1f} s and {seconds[1]:.1f} s\n")
        for one in said:
            one.pop("exposure", None)  # to adversaries who are drawn anew each time
        assert same(*said), said
    for path in sorted(here.rglob("*.parquet")):
        assert alike(pq.read_table(path), pq.read_table(there / path.relative_to(here))), path.name
    for path in sorted(here.rglob("*.csv")):  # published: the same bytes under one seed
        assert path.read_bytes() == (there / path.relative_to(here)).read_bytes(), path.name


def alike(one: pa.Table, other: pa.Table) -> bool:
    """The same rows in any order, numbers with a point but for their last digits. A file may say of a column that it
    has no nulls, which another engine does not know."""
    typed = [[(field.name, field.type) for field in table.schema] for table in (one, other)]
    if typed[0] != typed[1] or one.num_rows != other.num_rows:
        return False
    keys = [(field.name, "ascending") for field in one.schema if not pa.types.is_floating(field.type)]
    one, other = one.sort_by(keys), other.sort_by(keys)
    for name in one.column_names:
        mine, theirs = (table.column(name).combine_chunks() for table in (one, other))
        if not pa.types.is_floating(mine.type):
            if not mine.equals(theirs):
                return False
        elif not mine.is_null().equals(theirs.is_null()) or not np.allclose(
            mine.fill_null(0).to_numpy(), theirs.fill_null(0).to_numpy(), rtol=1e-9, atol=1e-300
        ):
            return False
    return True
