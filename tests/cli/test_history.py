"""`deniable choose`: the words it promises."""

from __future__ import annotations

import json

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
