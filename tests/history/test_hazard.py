"""attack --hazard: what leaving tells somebody who knows that people with some values leave more often."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import deniable
from deniable.examples import write_examples
from tests.cli.conftest import Call, call, examples, folder  # noqa: F401

TABLE = "name,age,gender,zip,disease\n"
ROWS = {
    name: f"{name},{30 + k},{'FM'[k % 2]},1234{k},{value}"
    for k, (name, value) in enumerate(zip("ABCDEFGH", ("flu", "cold", "AIDS") * 3, strict=False))
}


def said(tmp_path: Path, lines: str, **given: object) -> str:
    if not (tmp_path / "past.yaml").exists():
        write_examples(tmp_path)
    (tmp_path / "leaving.csv").write_text(lines)
    with pytest.raises(deniable.BadInput) as wrong:
        deniable.attack(tmp_path / "past.yaml", hazard=tmp_path / "leaving.csv", **given)  # type: ignore[arg-type]
    return str(wrong.value).replace(f"{tmp_path}/", "")


def test_two_of_six_left(tmp_path: Path) -> None:
    """Alice and Betty left, Carl, Doris, Erica and Fiona stayed: b = 2 / (6 * 5/3) = 1/5, and AIDS leaves with 3/5."""
    write_examples(tmp_path)
    (tmp_path / "leaving.csv").write_text("disease,times\nAIDS,3\nplague,100\n")
    found = deniable.attack(tmp_path / "past.yaml", hazard=tmp_path / "leaving.csv")
    assert found.leaving == 0.2
    chance = dict(
        zip(found.table.column("name").to_pylist(), found.table.column("probability").to_pylist(), strict=True)
    )
    assert chance["Carl"] == pytest.approx(1 / 13)
    assert chance["Alice"] == pytest.approx(7 / 26)
    assert found.table.column("values").to_pylist() == [3] * 8


def test_a_file_that_says_once_changes_nothing(tmp_path: Path) -> None:
    write_examples(tmp_path)
    (tmp_path / "leaving.csv").write_text("disease,times\nAIDS,1\n")
    found = deniable.attack(tmp_path / "past.yaml", hazard=tmp_path / "leaving.csv")
    assert found.table == deniable.attack(tmp_path / "past.yaml").table


def test_everything_that_is_wrong_is_said_and_no_cell_shown(tmp_path: Path) -> None:
    told = said(tmp_path, "disease,times\nAIDS,many\ncancer,0\nAIDS,2\nbronchitis,1e7\ncancer\n,inf\n")
    number = "expected how many times as often people with the value leave, a number over 0; found"
    assert told.splitlines() == [
        f"leaving.csv:2: {number} text",
        f"leaving.csv:3: {number} 0",
        "leaving.csv:4: expected each value once; found it again (line 2)",
        f"leaving.csv:5: {number} 1e+07",
        "leaving.csv:6: expected 2 cells in the row; found 1",
        f"leaving.csv:7: {number} inf",
    ]


def test_a_file_that_cannot_be_true(tmp_path: Path) -> None:
    write_examples(tmp_path)
    population = (tmp_path / "past-population.csv").read_text().splitlines()
    stays = [line for line in population if line.startswith(("release,", "1,")) or ",Carl," in line]
    (tmp_path / "past-population.csv").write_text("\n".join(stays) + "\n")
    (tmp_path / "past2.csv").write_text("group,age_low,age_high,disease\n3,20,30,AIDS\n")
    told = said(tmp_path, "disease,times\nAIDS,3\n")  # five of six left
    assert (
        told == "leaving.csv: expected numbers that fit how many left; 3 times as often would be more often than always"
    )


def test_what_it_needs(tmp_path: Path) -> None:
    assert (
        said(tmp_path, "disease,times\n")
        == "leaving.csv:1: expected values of disease that some release has; found none"
    )
    assert said(tmp_path, "disease,time\nAIDS,3\n").startswith(
        "leaving.csv:1: expected the column times; found disease, ti"
    )
    assert "pairs adversary has no probabilities" in said(tmp_path, "disease,times\nAIDS,3\n", adversary="pairs")
    text = (tmp_path / "past-population.csv").read_text().splitlines()
    (tmp_path / "past-population.csv").write_text("\n".join(line.rpartition(",")[0] for line in text) + "\n")
    with pytest.raises(deniable.BadInput, match=r"^hazard: expected a population with the true values"):
        deniable.attack(tmp_path / "past.yaml", hazard=tmp_path / "leaving.csv")


def test_of_a_ledger_ghosts_have_left(folder: Path, call: Call) -> None:  # noqa: F811
    release = "table: {}.csv\nname: t\nidentifier: name\nquasi: [age]\nprivate: disease\nledger: l.ledger\n"
    Path("leaving.csv").write_text("disease,times\nAIDS,3\n")
    for number, there in enumerate(("ABCDEF", "CDEF"), 1):
        Path(f"q{number}.csv").write_text(TABLE + "\n".join(ROWS[name] for name in there) + "\n")
        Path(f"q{number}.yaml").write_text(release.format(f"q{number}") + "republish: {m: 3, n: 2}\n")
        begin = ["--begin"] if number == 1 else []
        told = call("republish", f"q{number}.yaml", *begin, "--out", f"out{number}", "--unusual", "all")
        assert told.status == 0, told.err
    told = call("attack", "q2.yaml", "--hazard", "leaving.csv", "--json")
    assert json.loads(told.out)["leaving"] == pytest.approx(2 / (6 * 5 / 3))
