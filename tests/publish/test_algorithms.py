"""One record is all that a publishing algorithm needs: a toy that has one works everywhere, and nothing else does."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
import numpy as np
import pytest

from deniable import api
from deniable.cli import run
from deniable.errors import BadInput
from deniable.ledgers.file import ledger
from deniable.ledgers.read import longest_stay
from deniable.ledgers.state import read_seats
from deniable.ledgers.store import read_memberships
from deniable.publish.again.algorithm import (
    ALGORITHMS,
    DEFAULT,
    STABLE,
    Algorithm,
    Before,
    Made,
    Wanted,
    find,
    names,
    register,
)
from deniable.publish.again.releases import Grouping, Signatures, Table
from deniable.worlds.arrays import offsets
from tests.history.again import republish

OURS = ("m-invariance", "cor-split", "stable")
Call = Callable[..., tuple[int, str]]


@contextmanager
def registered(algorithm: Algorithm) -> Iterator[None]:
    register(algorithm)
    try:
        yield
    finally:
        del ALGORITHMS[algorithm.name]


def one_group(table: Table, before: Before, wanted: Wanted) -> Made:
    """Everybody in one group, counterfeits for what its values lack."""
    signatures = before.memberships().signatures
    if not len(signatures):
        signatures = Signatures(offsets([len(np.unique(table.values))]), np.unique(table.values))
    counts = np.bincount(table.values, minlength=len(signatures.values))
    fakes = np.repeat(signatures.values, counts.max() - counts).astype(np.int32)
    assert len(signatures.values) >= wanted.m
    everybody, first = np.zeros(len(table), np.int32), np.zeros(1, np.int32)
    return Made(Grouping(everybody, first, offsets([len(fakes)]), fakes, signatures, np.zeros(0, np.int64)))


@pytest.fixture
def toy() -> Iterator[str]:
    with registered(Algorithm("one-group", one_group, has_degree=False)):
        yield "one-group"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    ward(0, 30)
    return tmp_path


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    def caller(*arguments: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as stopped:
            run(list(arguments))
        return int(str(stopped.value.code)), capsys.readouterr().out

    return caller


def ward(first: int, last: int, n: int = 2, more: str = "") -> None:
    """A table of these people, and a release of it."""
    rows = (f"p{k},{20 + k * 7 % 60},{'uvwxyz'[k % 6]}\n" for k in range(first, last))
    Path("ward.csv").write_text("".join(["name,age,problem\n", *rows]))
    keys = f"identifier: name\nquasi: [age]\nprivate: problem\nrepublish: {{m: 3, n: {n}}}\nledger: book.ledger\n"
    Path("ward.yaml").write_text(f"table: ward.csv\n{keys}{more}")


def test_a_toy_is_published_and_verified(toy: str, folder: Path, call: Call) -> None:
    made = republish("ward.yaml", "one", algorithm=toy)
    assert (made.number, made.groups, made.people, made.parameters.algorithm) == (1, 1, 30, toy)
    assert made.exposure is not None
    assert made.exposure.others == ()
    ward(4, 33, more="algorithm: cor-split\n")
    status, told = call("republish", "ward.yaml", "--out", "two", "--algorithm", toy, "--no-audit", "--unusual", "all")
    assert status == 0
    line = "release 2 is in two: 29 people (3 new) in 1 group with 1 counterfeit; one-group, m = 3"
    assert told.splitlines()[0] == line
    assert call("ledger", "ward.yaml", "--verify") == (0, "book.ledger: 2 releases, every invariant holds\n")
    with duckdb.connect(str(folder / "book.ledger"), read_only=True) as book:
        assert book.sql("SELECT algorithm, n FROM releases").fetchall() == [(toy, None)] * 2


@pytest.mark.usefixtures("folder")
def test_others_go_on_from_a_toy(toy: str) -> None:
    ward(0, 30, more=f"algorithm: {toy}\n")
    assert republish("ward.yaml", "one", audit=False).parameters.algorithm == toy
    for number, name in enumerate(OURS, 2):
        ward(number, 30 + number)
        assert republish("ward.yaml", f"out{number}", algorithm=name, audit=False, seed=1).number == number
    assert api.verify("ward.yaml").mismatches == ()


@pytest.mark.usefixtures("folder")
def test_ghosts_of_one_are_nobody_to_others() -> None:
    republish("ward.yaml", "one", algorithm="stable", audit=False)
    ward(1, 30)
    assert republish("ward.yaml", "two", algorithm="stable", audit=False).counterfeits == 1
    with ledger(Path("book.ledger"), None) as book:
        groups = read_memberships(book).groups
    assert (groups < 0).sum(axis=0).tolist() == [0, 1]


@pytest.mark.usefixtures("folder")
def test_a_ghost_does_not_make_a_stay_longer() -> None:
    """Whoever leaves lives no longer for it, though their seat is published on, beside people who came later."""
    republish("ward.yaml", "one", algorithm="stable", audit=False)
    with duckdb.connect("book.ledger") as book:
        book.execute("INSERT INTO seats SELECT 2, grp, person, value, true FROM seats")
    with ledger(Path("book.ledger"), None) as found:
        assert longest_stay(found) == 1


@pytest.mark.usefixtures("folder")
def test_counterfeits_of_all_releases_are_counted_when_the_last_is_taken_over() -> None:
    made = [republish("ward.yaml", "one", algorithm="m-invariance", audit=False)]
    for first, last in ((1, 30), (2, 30)):
        ward(first, last)
        made.append(republish("ward.yaml", f"out{first}", algorithm="m-invariance", audit=False))
    assert min(one.counterfeits for one in made[1:]) > 0
    with ledger(Path("book.ledger"), None) as book:
        assert read_seats(book).nobodies == sum(one.counterfeits for one in made)


@pytest.mark.usefixtures("folder")
def test_verification_says_that_an_algorithm_is_not_known() -> None:
    with registered(Algorithm("gone", one_group, has_degree=False)):
        republish("ward.yaml", "one", algorithm="gone", audit=False)
    assert api.verify("ward.yaml").mismatches == ("1 releases are of an algorithm that is not known",)


@pytest.mark.usefixtures("folder")
def test_a_toy_that_keeps_seats_is_held_to_them() -> None:
    with registered(Algorithm("kept", STABLE.next_release, counterfeits=0.3, keeps_seats=True)):
        made = republish("ward.yaml", "one", algorithm="kept", audit=False)
        assert made.parameters.counterfeits == 0.3
        ward(4, 33)
        republish("ward.yaml", "two", algorithm="kept", audit=False)
        assert api.verify("ward.yaml").mismatches == ()
        ward(4, 33, n=1)
        with pytest.raises(BadInput, match=r"expected 2, as kept groups were published before; found 1"):
            republish("ward.yaml", "three", algorithm="kept", audit=False)
        with duckdb.connect("book.ledger") as book:
            book.execute("UPDATE releases SET state = NULL")
        assert "the last release does not say what its groups remember" in api.verify("ward.yaml").mismatches


def test_help_names_a_toy(toy: str, call: Call) -> None:
    assert "--algorithm [one-group|stable|cor-split|m-invariance]" in call("republish", "--help")[1]
    assert names() == (*OURS, toy)


def test_help_without_a_toy(call: Call) -> None:
    assert "--algorithm [stable|cor-split|m-invariance]" in call("republish", "--help")[1]
    assert (DEFAULT, names()) == ("stable", OURS)


def test_an_unknown_algorithm_publishes_nothing(folder: Path) -> None:
    with pytest.raises(BadInput) as error:
        republish("ward.yaml", "one", algorithm="corsplit")
    told = "algorithm: expected one of m-invariance, cor-split or stable; found corsplit (did you mean cor-split?)"
    assert str(error.value) == told
    assert sorted(path.name for path in folder.iterdir()) == ["ward.csv", "ward.yaml"]


def test_a_name_is_taken_once(toy: str) -> None:
    with pytest.raises(ValueError, match="there is a publishing algorithm one-group already"):
        register(Algorithm(toy, one_group))
    assert find(toy).next_release is one_group


def test_names_cost_nothing() -> None:
    script = "import sys, deniable.publish.again.algorithm; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert {"numpy", "numba", "pyarrow", "duckdb"} & set(done.stdout.split()) == set()


def test_small_tables_are_published_without_a_compiler(folder: Path) -> None:
    """Two releases of each algorithm, in one process."""
    for number, (first, last) in enumerate(((0, 30), (12, 36))):
        ward(first, last)
        (folder / f"{number}.csv").write_bytes((folder / "ward.csv").read_bytes())
    text = (folder / "ward.yaml").read_text()
    for name in OURS:
        (folder / f"{name}.yaml").write_text(text.replace("book.ledger", f"{name}.ledger"))
    script = """
import shutil, sys, deniable
for name in sys.argv[1:]:
    for number in (0, 1):
        shutil.copy(f"{number}.csv", "ward.csv")
        deniable.republish(f"{name}.yaml", f"{name}{number}", begin=number == 0, algorithm=name, audit=False)
    print(name, "numba" in sys.modules)
"""
    command = [sys.executable, "-c", script, *OURS]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert told.splitlines() == [f"{name} False" for name in OURS]
