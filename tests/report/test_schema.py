"""What `--json` prints has the shape that docs/schema says, to the last name."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tests.cli.conftest import Call, call, examples, folder  # noqa: F401

FOLDER = Path(__file__).parents[2] / "docs" / "schema"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))
COMMANDS = [
    "audit patients.yaml",
    "audit patients.yaml --reveal",
    "audit open.yaml",
    "audit patients.yaml --warn-at 0.3",
    "audit clinic.yaml",
    "audit ward.yaml",
    "repair patients.yaml",
    "attack past.yaml --known past-known.csv",
    "attack past.yaml --adversary pairs",
    "attack past.yaml --hazard leaving.csv",
    "republish quarter1.yaml --begin --out q1",
    "republish quarter1.yaml --begin --out q1 --no-audit --dry-run",
    "init patients.csv --identifier name --private problem --out first.yaml",
    "breach patients.yaml",
    "breach patients.yaml --pairs all --out pairs.csv",
    "crowds patients.yaml",
    "crowds patients.yaml --method exact",
    "crowds patients.yaml --method restricted",
    "crowds ward.csv --private disease --quasi gender",
    "linkage ward.yaml",
    "bucketize quarter1.yaml --r 2 --out groups",
    "bucketize ward.yaml --r 1.2 --out groups --suppress",
    "choose --m 6 --compromise 0.04 --lifespan 24 --threshold 0.1",
    "choose --m 2 --compromise 0.9 --lifespan 24 --threshold 0.0001",
    "explain patients.yaml --who George",
    "explain ward.yaml --who Alan",
    "check patients.yaml",
    "check past.yaml",
    "demo",
]
SHAPES = {"demo": "audit"}  # documents that are named otherwise than their command


@pytest.mark.parametrize("command", COMMANDS)
def test_documents_have_their_shape(command: str, examples: Path, call: Call) -> None:  # noqa: F811
    Path("open.yaml").write_text(Path("patients.yaml").read_text().partition("require:")[0])
    Path("leaving.csv").write_text("disease,times\nAIDS,3\n")
    told = call(*command.split(), "--json")
    assert told.status in (0, 1), told.err
    document = json.loads(told.out)
    verb = command.split(maxsplit=1)[0]
    insist(document, SHAPES.get(verb, verb))
    assert ("named" in document) == ("--reveal" in command)


def test_a_history_has_its_shape(examples: Path, call: Call) -> None:  # noqa: F811
    assert call("republish", "quarter1.yaml", "--begin", "--out", "q1").status == 0
    release = Path("quarter2.yaml").read_text()
    Path("again.yaml").write_text(f"{release}require: {{history: {{exposed_at_most: 0.5, known: 0}}}}\n")
    document = json.loads(call("audit", "again.yaml", "--json").out)
    schema = json.loads((FOLDER / "audit.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(document)
    assert [part["check"] for part in document["parts"]] == ["history"]


def test_what_a_ledger_says_has_its_shape(examples: Path, call: Call) -> None:  # noqa: F811
    assert call("republish", "quarter1.yaml", "--begin", "--out", "q1").status == 0
    ledger = "--json", "ledger", "quarter1.yaml"
    insist(said(call, *ledger), "ledger")
    insist(said(call, *ledger, "--verify"), "verify")
    insist(said(call, "--json", "explain", "quarter1.yaml", "--who", "Alice"), "explain")


def test_a_release_that_is_taken_back_has_its_shape(
    examples: Path,  # noqa: F811
    call: Call,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("deniable.ledgers.outbox.staged", full)
        assert call("republish", "quarter1.yaml", "--begin", "--out", "q1").status == 3
    insist(said(call, "--json", "republish", "quarter1.yaml", "--undo"), "undo")


def test_how_well_groups_answer_has_its_shape(examples: Path, call: Call) -> None:  # noqa: F811
    assert call("bucketize", "quarter1.yaml", "--r", "2", "--out", "groups").status == 0
    insist(said(call, "--json", "utility", "quarter1.yaml", "--release", "groups", "--queries", "5"), "utility")


def test_examples_that_are_written_are_a_document(tmp_path: Path, call: Call) -> None:  # noqa: F811
    insist(said(call, "--json", "demo", "--to", str(tmp_path / "new")), "examples")


def said(call: Call, option: str, *words: str) -> dict[str, object]:  # noqa: F811
    told = call(*words, option)
    assert told.status in (0, 1), told.err
    found: dict[str, object] = json.loads(told.out)
    return found


def insist(document: dict[str, object], name: str) -> None:
    schema = json.loads((FOLDER / f"{name}.json").read_text())
    assert document["schema"] == schema["$id"] == f"deniable.{name}.v1"
    assert next(iter(document)) == "schema"
    jsonschema.Draft202012Validator(schema).validate(document)


def test_every_command_with_json_has_a_schema() -> None:
    from deniable.cli import main

    with_json = {name for name, one in main.commands.items() if any("--json" in made.opts for made in one.params)}
    assert with_json == set(main.commands)
    assert {SHAPES.get(name, name) for name in with_json} | {"verify", "undo", "examples"} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_one_and_forbids_what_it_does_not_name(name: str) -> None:
    schema = json.loads((FOLDER / f"{name}.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate({"schema": schema["$id"], "other": 1})
