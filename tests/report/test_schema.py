"""What `--json` prints has the shape that docs/schema says, to the last name."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tests.cli.conftest import Call, call, examples, folder  # noqa: F401

FOLDER = Path(__file__).parents[2] / "docs" / "schema"
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
    "republish quarter1.yaml --begin --out q1",
    "republish quarter1.yaml --begin --out q1 --no-audit --dry-run",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_documents_have_their_shape(command: str, examples: Path, call: Call) -> None:  # noqa: F811
    Path("open.yaml").write_text(Path("patients.yaml").read_text().partition("require:")[0])
    told = call(*command.split(), "--json")
    assert told.status in (0, 1), told.err
    document = json.loads(told.out)
    schema = json.loads((FOLDER / f"{command.split(maxsplit=1)[0]}.json").read_text())
    assert document["schema"] == schema["$id"]
    jsonschema.Draft202012Validator(schema).validate(document)
    assert ("named" in document) == ("--reveal" in command)


def test_a_history_has_its_shape(examples: Path, call: Call) -> None:  # noqa: F811
    assert call("republish", "quarter1.yaml", "--begin", "--out", "q1").status == 0
    release = Path("quarter2.yaml").read_text()
    Path("again.yaml").write_text(f"{release}require: {{history: {{exposed_at_most: 0.5, known: 0}}}}\n")
    document = json.loads(call("audit", "again.yaml", "--json").out)
    schema = json.loads((FOLDER / "audit.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(document)
    assert [part["check"] for part in document["parts"]] == ["history"]


@pytest.mark.parametrize("name", ["audit", "repair", "attack", "republish"])
def test_a_schema_is_one_and_forbids_what_it_does_not_name(name: str) -> None:
    schema = json.loads((FOLDER / f"{name}.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate({"schema": schema["$id"], "other": 1})
