"""Every command reads the files that a release names, and no neighbours that their names would match as patterns."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Call


def odd(folder: Path, spec: str, *names: str) -> None:
    """Give files of a release odd names; beside each stands one of another content that it would match."""
    text = (folder / spec).read_text()
    for name in names:
        stem, ending = name.rsplit(".", 1)
        shutil.copy(folder / name, folder / f"{stem}[1].{ending}")
        (folder / f"{stem}1.{ending}").write_text("WRONG\n1\n")
        assert name in text
        text = text.replace(name, f"'{stem}[1].{ending}'")
    (folder / spec).write_text(text if "\nname:" in text else f"name: {Path(spec).stem}\n{text}")


PEOPLE = list(zip("abcdefgh", "xyzwxyzw", strict=True))
SECONDS = re.compile(r'"seconds": [^,]*')
FILES = {
    "patients.yaml": (["breach"], ["patients.csv"]),
    "clinic.yaml": (["crowds"], ["clinic.csv"]),
    "ward.yaml": (["linkage"], ["ward-people.csv", "ward-values.csv", "ward-knowledge.csv"]),
    "past.yaml": (["attack"], ["past1.csv", "past2.csv", "past-population.csv"]),
}


@pytest.mark.parametrize("spec", FILES)
def test_files_of_odd_names(spec: str, examples: Path, call: Call) -> None:
    command, names = FILES[spec]
    before = call(*command, spec, "--json")
    assert before.status == 0
    odd(examples, spec, *names)
    after = call(*command, spec, "--json")
    assert (after.status, after.err) == (0, before.err)
    assert SECONDS.sub("", after.out.replace("[1]", "")) == SECONDS.sub("", before.out)


def test_the_verdict_is_that_of_the_file_that_was_named(folder: Path, call: Call) -> None:
    rows = "".join(f"{name},{30 + i // 4},{value}\n" for i, (name, value) in enumerate(PEOPLE))
    (folder / "data1.csv").write_text(f"name,age,problem\n{rows}")
    (folder / "data[1].csv").write_text("name,age,problem\na,30,x\nb,31,y\n")
    (folder / "release.yaml").write_text(
        "table: 'data[1].csv'\nname: t\nidentifier: name\nprivate: problem\nrequire: {breach: {at_most: 0.9}}\n"
        "views: {a: 'SELECT name, age FROM t', b: 'SELECT age, problem FROM t'}\n"
    )
    assert call("audit", "release.yaml").status == 1
    (folder / "release.yaml").write_text((folder / "release.yaml").read_text().replace("data[1]", "data1"))
    assert call("audit", "release.yaml").status == 0


def test_published_folders_of_odd_names(examples: Path, call: Call) -> None:
    """Those that are there, and those that are not: no other is looked at in their place."""
    done = call("bucketize", "ward.yaml", "--r", "1", "--out", "out1")
    assert done.status == 0, done.err
    gone = call("utility", "ward.yaml", "--release", "out[1]")
    assert gone.status == 2
    assert "out[1]/people.csv: no such file" in gone.err
    shutil.copytree(examples / "out1", examples / "out[1]")
    (examples / "out1" / "people.csv").write_text("WRONG\n1\n")
    assert call("utility", "ward.yaml", "--release", "out[1]").status == 0


def test_what_is_written_is_held_against_what_is_read(examples: Path, call: Call) -> None:
    odd(examples, "patients.yaml", "patients.csv")
    refused = call("breach", "patients.yaml", "--out", "patients[1].csv")
    assert refused.status == 2
    assert call("breach", "patients.yaml", "--out", "patients1.csv").status == 0  # a neighbour is not read


@pytest.mark.parametrize("name", ["l[1].ledger", "md:l", ":memory:", "sqlite:l.db", "it's", "~l"])
def test_ledgers_of_odd_names(name: str, examples: Path, call: Call) -> None:
    (examples / "l1.ledger").write_text("WRONG")
    for spec in ("quarter1.yaml", "quarter2.yaml"):
        text = (examples / spec).read_text().replace("quarters.ledger", f'"{name}"')
        (examples / spec).write_text(text)
        odd(examples, spec, spec.replace("yaml", "csv"))
    begun = call("republish", "quarter1.yaml", "--out", "out1", "--begin", "--unusual", "all")
    assert (begun.status, begun.err) == (0, "")
    assert (examples / name).is_file()
    assert call("republish", "quarter2.yaml", "--out", "out[2]", "--unusual", "all", "--withhold").status == 0
    assert call("ledger", "quarter2.yaml", "--verify").status == 0
    assert (examples / "l1.ledger").read_text() == "WRONG"


def test_a_ledger_whose_name_the_database_would_cut_is_refused(examples: Path, call: Call) -> None:
    spec = examples / "quarter1.yaml"
    spec.write_text(spec.read_text().replace("quarters.ledger", "'l?threads=1'"))
    refused = call("republish", "quarter1.yaml", "--out", "out", "--begin")
    assert refused.status == 2
    assert refused.err == "l?threads=1: expected a ledger whose name, and whose folder's name, has no ?\n"
    assert not (examples / "out").exists()
    assert not list(examples.glob("l*"))
