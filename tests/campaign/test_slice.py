"""A slice of the fault campaign, the same cases every time: `python -m tests.campaign` has all of it."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest

from deniable.engines import duckdb as engine
from deniable.private_folders import make_folder
from tests.campaign.kinds import KINDS
from tests.campaign.workers import Kind, judge, tried

pytestmark = pytest.mark.usefixtures("sealed")


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.slice], ids=lambda kind: kind.name)
def test_a_slice(kind: Kind) -> None:
    cases = list(tried(kind, range(kind.slice)))
    assert [case for case in cases if case.problems] == []
    assert len(cases) == kind.slice


@pytest.mark.parametrize(
    ("name", "seed"),
    [
        ("python", 1_000_231),  # an encoding whose name is half a character
        ("python", 1_001_098),  # or has a zero byte
        ("python", 1_000_933),  # a missing value as the private column
        ("queries", 1_001_316),  # a private value before a FROM that no table follows
        ("queries", 1_007_841),  # a private value after a SELECT in parentheses
        ("queries", 702_389),  # or after a condition whose beginning was lost
        ("queries", 703_035),  # or glued to the private column
        ("tables", 700_194),  # `explain` of published groups, the table with types
        ("tables", 1_002_640),  # a header that lost its end, and is damaged
        ("tables", 1_003_019),  # and whose row is too
        ("tables", 1_003_456),  # or with a zero byte in it
        ("damaged", 1_000_058),  # a ledger whose damage ends the database that opens it
    ],
)
def test_what_a_campaign_found(name: str, seed: int) -> None:
    kind = next(kind for kind in KINDS if kind.name == name)
    assert [case.problems for case in tried(kind, [seed])] == [()]


def test_what_goes_wrong_is_known_by_its_seed() -> None:
    def run(_: object, folder: Path) -> list[str]:
        assert folder.is_dir()
        return ["traceback: x"]

    def dies(_: object, __: Path) -> list[str]:
        os._exit(7)

    def fails(_: object, folder: Path) -> list[str]:
        raise AssertionError(f"nothing in {folder.name}")

    told = {}
    for name, work in {"told": run, "dies": dies, "fails": fails}.items():
        told[name] = [(case.seed, case.problems) for case in tried(Kind(name, work, 2, 2, ""), [4, 5])]
    assert told["told"] == [(4, ("traceback: x",)), (5, ("traceback: x",))]
    assert told["dies"] == [(4, ("died with 7",)), (5, ("died with 7",))]
    assert told["fails"] == [(4, ("not as promised: nothing in case",)), (5, ("not as promised: nothing in case",))]


def test_a_folder_that_nobody_uses_any_more_is_a_failure() -> None:
    def run(_: object, folder: Path) -> list[str]:
        make_folder()  # and never removes it
        return [] if folder.is_dir() else ["no folder"]

    (first, last) = tried(Kind("leaks", run, 2, 2, ""), [41, 42])
    assert first.problems == ()
    assert [problem.partition(":")[0] for problem in last.problems] == ["held among temporary files"]


def test_cheap_cases_leave_the_process_that_asks_as_it_was() -> None:
    synced, threads = os.fsync, engine._SETTINGS.get("threads")
    (case,) = tried(Kind("cheap", lambda *_: [str(os.fsync is synced)], 1, 1, "", cheap=True), [1])
    assert case.problems == ("False",)
    assert (os.fsync, engine._SETTINGS.get("threads"), gc.isenabled()) == (synced, threads, True)


def test_the_same_seed_is_the_same_case(tmp_path: Path) -> None:
    seen = []

    def run(of: object, _: Path) -> list[str]:
        seen.append(str(of.random()))  # type: ignore[attr-defined]
        return []

    kind = Kind("any", run, 1, 1, "")
    for seed in (1, 2, 1):
        judge(kind, seed, tmp_path)
    assert seen[0] == seen[2] != seen[1]
