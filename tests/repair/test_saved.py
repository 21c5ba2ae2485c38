"""The files that say a repair: all of them are there, or none."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import deniable
from deniable.analyses.repair import publishing
from deniable.publish import new_files, private_files
from tests.strikes import stopped


def test_a_stop_leaves_both_files_of_a_repair_or_none(tmp_path: Path) -> None:
    """The release file, and the private list of those whom it withholds."""
    rows = [f"n{g}{v},{g},{'pqr'[v]}" for g in range(40) for v in range(3)] + ["a1,99,x", "a2,99,x", "a3,99,x"]
    (tmp_path / "t.csv").write_text("id,age,problem\n" + "\n".join(rows) + "\n")
    (tmp_path / "r.yaml").write_text(
        "table: t.csv\nidentifier: id\nprivate: problem\nviews:\n  people: SELECT id, age FROM t\n"
        "  values: SELECT age, problem FROM t\nrequire:\n  breach: {at_most: 0.5}\n"
    )
    with closing(deniable.repair(tmp_path / "r.yaml")) as found:
        before = sorted(tmp_path.iterdir())
        for line in stopped(lambda: found.save(tmp_path / "out.yaml"), new_files, publishing, private_files):
            assert sorted(tmp_path.iterdir()) == before, f"stopped at line {line}"
    assert {path.name for path in tmp_path.iterdir()} == {"t.csv", "r.yaml", "out.yaml", "out-withheld.csv"}
