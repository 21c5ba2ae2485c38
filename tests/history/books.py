"""Small ledgers that several tests only read."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.history.again import republish

SPEC = "table: t.csv\nidentifier: name\nquasi: age\nprivate: problem\nrepublish: "
ONE, SEVERAL = "{m: 2, n: 1}", "{m: 3, n: 2, counterfeits: {at_most: 0.1}}"  # copies of each value in a stable group


class Books:
    """Folders with a ledger, published release by release; what several histories begin with is published once."""

    def __init__(self, factory: pytest.TempPathFactory) -> None:
        self._factory = factory
        self._made: dict[tuple[object, ...], Path] = {}

    def of(self, releases: Sequence[Sequence[int]], algorithm: str, dial: str = ONE) -> Path:
        """A folder that is only read."""
        key = (tuple(map(tuple, releases)), algorithm, dial)
        if key not in self._made:
            folder = self._factory.mktemp("book")
            if len(releases) > 1:
                shutil.copytree(self.of(releases[:-1], algorithm, dial), folder, dirs_exist_ok=True)
            rows = "".join(f"p{k},{20 + k * 7 % 11},{'abc'[k % 3]}\n" for k in releases[-1])
            (folder / "t.csv").write_text(f"name,age,problem\n{rows}")
            (folder / "r.yaml").write_text(SPEC + dial + "\n")
            number = len(releases)
            republish(folder / "r.yaml", folder / f"out{number}", algorithm=algorithm, audit=False, seed=number)
            self._made[key] = folder
        return self._made[key]
