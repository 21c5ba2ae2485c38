"""The faults fit today's source. Whether the tests notice them is asked by `python -m tests.mutants`: it takes long."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.mutants.faults import FAULTS, LEDGERS, PUBLISH, SQL, WORLDS, Fault

TESTS = Path(__file__).parents[1]
SOURCE = TESTS.parent / "src" / "deniable"


def name_of(fault: Fault) -> str:
    return fault.name


@pytest.mark.parametrize("fault", FAULTS, ids=name_of)
def test_a_fault_has_one_place_and_tests(fault: Fault) -> None:
    text = (SOURCE / fault.path).read_text(encoding="utf-8")
    assert text.count(fault.before) == 1
    assert fault.after != fault.before
    ast.parse(text.replace(fault.before, fault.after))
    assert fault.tests
    assert [path for path in fault.tests if not (TESTS / path).exists()] == []


def test_there_are_many_everywhere() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= 60
    parts = {"worlds": WORLDS, "publish": PUBLISH, "sql": SQL, "ledgers": LEDGERS}
    for layer, faults in parts.items():
        assert len(faults) >= 12
        assert all(fault.path.startswith(f"{layer}/") for fault in faults)
