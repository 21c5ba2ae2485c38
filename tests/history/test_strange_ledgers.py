"""A ledger with rows that no release ever entered: one line that says so, and nothing is made of it."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import pytest

from deniable.cli import run

STRANGE = {
    "a number is missing": "UPDATE releases SET m = NULL",
    "a person beyond all": "UPDATE seats SET person = 2147483647",
    "a value beyond all": "UPDATE people SET value = 99",
    "kinds are missing": "UPDATE releases SET kinds = NULL",
    "a folder is missing": "UPDATE releases SET folder = NULL, written = false",
    "a column is missing": "ALTER TABLE seats DROP COLUMN ghost",
    "a column has another name": "ALTER TABLE people RENAME i0 TO j0",
    "a function in place of the database's own": "CREATE MACRO count(x) AS 0",
    "a file of less than nothing": "UPDATE files_1 SET size = -1",
    "a key that is gone": "UPDATE identity SET key = NULL",
    "a day in a hundred thousand years": "UPDATE releases SET made = '114297-10-27 04:58:16.700258'",
    "no day at all": "UPDATE releases SET made = NULL",
    "the end of days": "UPDATE releases SET made = 'infinity'",
    "a negative release": "UPDATE releases SET release = -release",
}
COMMANDS = {
    "attack": ["attack", "two.yaml", "--seconds", "1"],
    "ledger": ["ledger", "two.yaml"],
    "verify": ["ledger", "two.yaml", "--verify"],
    "republish": ["republish", "two.yaml", "--out", "out2", "--no-audit"],
}


@pytest.mark.parametrize("strange", STRANGE)
def test_it_is_damaged(
    strange: str, begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(begun, tmp_path / "work")
    monkeypatch.chdir(tmp_path / "work")
    with duckdb.connect("book.ledger") as connection:
        connection.execute(STRANGE[strange])
    for name, arguments in COMMANDS.items():
        with pytest.raises(SystemExit) as stopped:
            run(arguments)
        told = capfd.readouterr()
        assert "unforeseen" not in told.err, name
        assert stopped.value.code in ((2,) if name == "republish" else (0, 1, 2)), (name, told.err)
    assert not Path("out2").exists()
