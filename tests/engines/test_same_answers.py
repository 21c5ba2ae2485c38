"""The built-in examples on every engine: the same documents, the same files, the same statuses."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from deniable.examples import write_examples
from tests.cli.conftest import Call, Outcome
from tests.engines.places import Place, engines, is_nightly, nightly_alone, same

COMMANDS = """
audit patients.yaml
audit clinic.yaml
audit pair.yaml
audit zip.yaml
audit obesity.yaml
audit ward.yaml
check patients.yaml
check ward.yaml
check quarter1.yaml
breach patients.yaml --out associations.csv
breach patients.yaml --out associations.parquet --pairs all
breach pair.yaml --out associations.csv --pairs all
crowds zip.yaml --out crowds.csv
crowds clinic.yaml --out crowds.parquet --method exact
crowds zip.yaml --method restricted --out crowds.csv
explain patients.yaml --who George
explain ward.yaml --who Alan
linkage ward.yaml --out posteriors.csv
attack past.yaml --known past-known.csv --out attack.csv
""".strip().splitlines()
# What Spark is asked where everybody waits for it; all of them at night.
SLICE = """
audit patients.yaml
breach patients.yaml --out associations.csv
crowds zip.yaml --out crowds.csv
linkage ward.yaml --out posteriors.csv
""".strip().splitlines()
TABLES = """
bucketize groups.yaml --r 2 --out published --seed 1
utility groups.yaml --release published --queries 20 --out utility.csv
republish quarter1.yaml --out first --begin --seed 1
republish quarter2.yaml --out second --seed 1
attack quarter2.yaml --out attack.csv
ledger quarter2.yaml --out history.csv
""".strip().splitlines()
GROUPS = """
table: ward.csv
quasi: [gender, age]
private: disease
"""
UNLIKE = {
    "provenance",
    "seconds",
    "made",
    "file",
    "table",
    "ledger",
    "folder",
    "digest",
    "receipt",
    "date",
    "written",
}  # what differs from run to run


def documents(call: Call, engine: str, commands: list[str]) -> Iterator[Outcome]:
    for command in commands:
        yield call(*command.split(), "--json", "--engine", engine)


def document(outcome: Outcome) -> Any:
    """What a command has said."""
    return plain(json.loads(outcome.out) if outcome.out.startswith(("{", "[")) else outcome.out)


def plain(value: Any) -> Any:
    """A document without what differs from run to run."""
    if isinstance(value, dict):
        return {key: plain(cell) for key, cell in value.items() if key not in UNLIKE}
    if isinstance(value, str):
        return re.sub(r"(?:public\.|/)\S*?(\w+?)_\d+_\d+(?:\.parquet|\S)?", r"\1.csv", value).replace(".csv", "")
    return [plain(cell) for cell in value] if isinstance(value, list) else value


def rows(path: Path) -> list[Any]:
    """The cells of a written file, numbers as what they are; parquet with its types."""
    if path.suffix == ".parquet":
        import pyarrow.parquet as pq

        table = pq.read_table(path)
        return [[str(field.type) for field in table.schema], *map(list, zip(*table.to_pydict().values(), strict=True))]
    with path.open(encoding="utf-8", newline="") as file:
        return [[_number(cell) for cell in row] for row in csv.reader(file)]


def _number(cell: str) -> Any:
    try:
        return float(cell)
    except ValueError:
        return cell


@dataclass(frozen=True)
class Answers:
    """What commands said, and the cells of the tables that are in their folder then."""

    said: list[Outcome]
    tables: dict[Path, list[Any]]


_EMBEDDED: dict[tuple[str, ...], Answers] = {}  # the same for every place


def set_up(folder: Path) -> None:
    folder.mkdir()
    write_examples(folder)
    (folder / "groups.yaml").write_text(GROUPS, encoding="utf-8")


def answers(call: Call, folder: Path, engine: str, commands: list[str], monkeypatch: pytest.MonkeyPatch) -> Answers:
    monkeypatch.chdir(folder)
    said = list(documents(call, engine, commands))
    written = (path for path in sorted(folder.rglob("*")) if path.suffix in (".csv", ".parquet"))
    return Answers(said, {path.relative_to(folder): rows(path) for path in written})


def both(call: Call, folder: Path, place: Place, commands: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Run commands in a folder on the embedded engine, and in one like it elsewhere; compare everything."""
    here, there = folder / "here", folder / "there"
    if tuple(commands) not in _EMBEDDED:
        set_up(here)
        _EMBEDDED[tuple(commands)] = answers(call, here, "duckdb", commands, monkeypatch)
    wanted = _EMBEDDED[tuple(commands)]
    set_up(there)
    place.moved(there)
    found = answers(call, there, place.engine, commands, monkeypatch)
    for command, one, other in zip(commands, wanted.said, found.said, strict=True):
        assert (command, other.status, other.err) == (command, one.status, other.err), other.err
        assert one.status in (0, 1), (command, one.err)
        assert same(document(one), document(other)), (command, one.out, other.out)
    assert wanted.tables.keys() == found.tables.keys()
    for path, mine in wanted.tables.items():
        theirs = found.tables[path]
        ordered = path.suffix == ".csv" and path.name != "posteriors.csv"
        assert same(mine, theirs) if ordered else same(sorted(mine, key=str), sorted(theirs, key=str)), path


@engines("postgresql", "postgresql-language", "postgresql-bare", "spark")
def test_views_crowds_and_groups(
    place: Place, call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    commands = SLICE if place.name == "spark" and not is_nightly(request) else COMMANDS
    both(call, folder, place, commands, monkeypatch)


@engines("postgresql", "postgresql-language", "spark")
def test_what_is_published(
    place: Place, call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    commands = TABLES[:1] if place.name == "spark" and not is_nightly(request) else TABLES
    both(call, folder, place, commands, monkeypatch)


@engines("postgresql", "spark")
def test_repairs(
    place: Place, call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    nightly_alone(place, request)
    both(call, folder, place, ["repair patients.yaml"], monkeypatch)


@engines("postgresql", "spark")
def test_a_first_release_of_a_table(place: Place, call: Call, examples: Path, request: pytest.FixtureRequest) -> None:
    nightly_alone(place, request)
    table = place.load_file(examples / "patients.csv")
    asked = ("--identifier", "name", "--private", "problem")
    here = call("init", "patients.csv", *asked, "--out", "here.yaml")
    there = call("init", table, *asked, "--out", "there.yaml", "--engine", place.engine)
    assert (here.status, there.status) == (1, 1), there.err  # its first audit fails
    assert f"table: {table}" in (examples / "there.yaml").read_text().replace("'", "")
    assert call("audit", "there.yaml", "--engine", place.engine).status == call("audit", "here.yaml").status
