"""`deniable choose`, and `history` in `require`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Call

ASKED = ("choose", "--m", "6", "--compromise", "0.04", "--threshold", "0.1", "--lifespan")


@pytest.mark.parametrize(("lifespan", "n", "curve"), [(24, 3, (0.9858, 0.1192, 0.0956)), (21, 2, (0.9707, 0.0806))])
def test_choose(lifespan: int, n: int, curve: tuple[float, ...], call: Call) -> None:
    told = call(*ASKED, str(lifespan), "--json")
    assert (told.status, told.err) == (0, "")
    document = json.loads(told.out)
    assert document["n"] == n
    assert len(document["curve"]) == 6
    assert document["curve"][: len(curve)] == pytest.approx(curve, abs=5e-5)
    assert f"n = {n} is the least" in call(*ASKED, str(lifespan)).out


def test_nothing_to_choose(call: Call) -> None:
    told = call(*ASKED, "2000", "--json")
    assert told.status == 1
    assert json.loads(told.out)["n"] is None
    assert "No n keeps" in call(*ASKED, "2000").out


@pytest.mark.parametrize(("limit", "status", "verdict"), [("0", 1, "fail"), ("1", 0, "pass")])
def test_audit_of_a_history(limit: str, status: int, verdict: str, examples: Path, call: Call) -> None:
    """Seven of eight people are known, whoever they are: the other one can be worked out."""
    for quarter in (1, 2):
        begin = ["--begin"] if quarter == 1 else []
        call("republish", f"quarter{quarter}.yaml", "--out", f"out{quarter}", "--algorithm", "m-invariance", *begin)
    spec = examples / "quarter2.yaml"
    spec.write_text(spec.read_text() + f"require: {{history: {{exposed_at_most: {limit}, known: 0.875}}}}\n")
    told = call("audit", "quarter2.yaml", "--json")
    assert told.status == status
    (check,) = json.loads(told.out)["checks"]
    assert (check["check"], check["adversary"], check["verdict"], check["of"]) == ("history", "joint", verdict, 1)
    assert check["worst"] == check["over"] + check["undecided"] == 1
    assert "drawn at random" in call("audit", "quarter2.yaml").out


def test_a_release_that_would_expose_too_many_is_refused(examples: Path, call: Call) -> None:
    spec = examples / "quarter1.yaml"
    spec.write_text(spec.read_text() + "require: {history: {exposed_at_most: 0.1, known: 0.9}}\n")
    told = call("republish", "quarter1.yaml", "--out", "out", "--begin")
    assert told.status == 1
    assert "people would be exposed" in told.err
    assert not (examples / "out").exists()
    assert not (examples / "quarters.ledger").exists()
