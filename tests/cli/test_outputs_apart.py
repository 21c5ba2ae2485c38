"""What is written never takes the place of what is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Call


@pytest.mark.parametrize(
    "command",
    [
        "breach patients.yaml --out patients.csv",
        "crowds patients.yaml --out patients.csv",
        "crowds patients.csv --private problem --quasi age --out patients.csv",
        "ledger quarter1.yaml --out quarter1.csv",
        "attack quarter1.yaml --known known.csv --out known.csv",
        "republish quarter1.yaml --begin --out q1 --withhold --withheld quarter1.csv --dry-run",
        "republish quarter1.yaml --begin --out q1 --changed quarter1.csv",
    ],
)
def test_no_output_takes_the_place_of_an_input(command: str, examples: Path, call: Call) -> None:
    Path("known.csv").write_text("person,disease\n")
    before = {path: path.read_bytes() for path in examples.rglob("*") if path.is_file()}
    told = call(*command.split())
    assert told.status == 2
    assert "expected a file that this command does not read" in told.err
    assert {path: path.read_bytes() for path in examples.rglob("*") if path.is_file()} == before


def test_groups_are_not_written_over_the_table(folder: Path, call: Call) -> None:
    Path("people.csv").write_text("name,sex,problem\na,m,x\nb,m,y\n")
    release = "table: people.csv\nidentifier: name\nquasi: [sex]\nprivate: problem\n"
    Path("release.yaml").write_text(release)
    told = call("bucketize", "release.yaml", "--r", "2", "--out", ".")
    assert told.status == 2
    assert Path("people.csv").read_text().startswith("name,sex,problem")


def test_a_packed_table_has_the_name_of_what_is_in_it(folder: Path, call: Call) -> None:
    import gzip

    Path("people.csv.gz").write_bytes(gzip.compress(b"name,j,problem\na,1,x\nb,1,y\n"))
    views = "views:\n  one: SELECT name, j FROM people\n  two: SELECT j, problem FROM people\n"
    Path("release.yaml").write_text(f"table: people.csv.gz\nidentifier: name\nprivate: problem\n{views}")
    assert call("breach", "release.yaml").status == 0
