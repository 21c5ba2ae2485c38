"""A table whose people come, go, return and change; after each release the files are judged."""

from __future__ import annotations

import stat
import tempfile
from pathlib import Path

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from deniable import api
from deniable.errors import BadInput, Unachievable
from deniable.worlds.judges.again import Published, mistakes, unsafe
from tests.history.again import republish
from tests.history.reader import Cell, Numbers, Row, file_mistakes, judged, read, see, written

QUASI = ("age", "weight", "born", "city", "zip")
TYPES = "types: {age: integer, weight: number, born: date, city: text}\n"
NASTY: tuple[Cell, ...] = (None, "", "a,b", 'c"d', "e|f", "g\nh", "\\", "plain", "NULL", 'é,\r\n"|\\|')
NAMES = (" ", "a,b", 'c"d', "e|f", "g\nh", "007", "7", "NULL")  # then p8, p9, …
TREE: dict[Cell, Row] = {
    "007": ("007", "0*", "south"), "07": ("07", "0*", "south"), "7": ("7", "7,*", "south"), "": ("", "7,*", "south"),
    "81|2": ("81|2", "8*", None), "82": ("82", "8*", None), None: (None, "none", ""), "9\n": ("9\n", "none", ""),
}  # fmt: skip
AGES = ("0", "7", "30", "-4", "9007199254740993", "9007199254740992", None)
WEIGHTS = ("0.5", "61", "61.25", "-1e-3", "1e+20", None)
BORN = ("1999-12-31", "2000-01-01", "0987-06-05", None)


def rows(values: list[Cell]) -> st.SearchStrategy[Row]:
    """Cells of one person."""
    quasi = (st.sampled_from(cells) for cells in (AGES, WEIGHTS, BORN, NASTY, tuple(TREE)))
    return st.tuples(*quasi, st.sampled_from(values))


class Republications(RuleBasedStateMachine):
    """One table and its ledger. A person who is published with other cells than before is a new episode."""

    @initialize(m=st.integers(2, 4), typed=st.booleans(), data=st.data())
    def start(self, m: int, typed: bool, data: st.DataObject) -> None:
        self.m, self.n = m, data.draw(st.integers(1, m - 1))
        self.values = data.draw(st.lists(st.sampled_from(NASTY), min_size=m, max_size=7, unique=True))
        self.kept = tempfile.TemporaryDirectory(prefix="machine-")
        self.folder = Path(self.kept.name)
        self.release = self.folder / "release.yaml"
        some = data.draw(st.sampled_from(["", ", counterfeits: {at_most: 1}"]))
        self.release.write_text(
            f"table: table.csv\nidentifier: name\nquasi: [{', '.join(QUASI)}]\nprivate: problem\n"
            f"{TYPES if typed else ''}generalize: {{zip: zip.csv}}\nrepublish: {{m: {self.m}, n: {self.n}{some}}}\n"
        )
        (self.folder / "zip.csv").write_bytes(written([("zip", "area", "region"), *TREE.values()]).encode())
        self.people: dict[str, Row] = {}
        self.here: set[str] = set()
        self.told: dict[str, Row] = {}  # the cells that somebody was last published with
        self.episodes: dict[str, int] = {}
        self.numbers = Numbers()
        self.history: list[Published] = []
        self.algorithms: list[str] = []
        self.come(data, data.draw(st.integers(8, 24)))

    def teardown(self) -> None:
        if hasattr(self, "kept"):
            self.kept.cleanup()

    @rule(data=st.data(), count=st.integers(1, 16))
    def come(self, data: st.DataObject, count: int) -> None:
        for row in data.draw(st.lists(rows(self.values), min_size=count, max_size=count)):
            k = len(self.people)
            who = NAMES[k] if k < len(NAMES) else f"p{k}"
            self.people[who] = row
            self.here.add(who)

    @precondition(lambda self: self.here)
    @rule(data=st.data())
    def go(self, data: st.DataObject) -> None:
        self.here -= data.draw(st.sets(st.sampled_from(sorted(self.here)), max_size=6))

    @precondition(lambda self: len(self.people) > len(self.here))
    @rule(data=st.data())
    def come_back(self, data: st.DataObject) -> None:
        self.here |= data.draw(st.sets(st.sampled_from(sorted(set(self.people) - self.here)), max_size=6))

    @precondition(lambda self: self.here)
    @rule(data=st.data())
    def change(self, data: st.DataObject) -> None:
        for who in sorted(data.draw(st.sets(st.sampled_from(sorted(self.here)), max_size=3))):
            self.people[who] = data.draw(st.sampled_from([self.told.get(who), None])) or data.draw(rows(self.values))

    @precondition(lambda self: self.here and len(self.history) < 5)
    @rule(
        data=st.data(),
        algorithm=st.sampled_from(["stable", "stable", "cor-split", "m-invariance"]),
        waits=st.booleans(),
    )
    def publish(self, data: st.DataObject, algorithm: str, waits: bool) -> None:
        order = data.draw(st.permutations(sorted(self.here)))
        table = {who: self.people[who] for who in order}
        lines = [("name", *QUASI, "problem"), *((who, *row) for who, row in table.items())]
        (self.folder / "table.csv").write_bytes(written(lines).encode())
        out = self.folder / f"out{len(self.history) + 1}"
        changed = {who for who in order if who in self.told and self.told[who] != self.people[who]}
        if changed:
            with pytest.raises(BadInput, match=f"{len(changed)} p.* others now|as in the last release"):
                republish(self.release, out, algorithm=algorithm, audit=False)
        try:
            made = republish(
                self.release, out, algorithm=algorithm, audit=False, withhold=waits, new_episode=bool(changed)
            )
        except Unachievable:
            assert not out.exists()
            return
        except BadInput as refused:  # without types: a column that was numbers is text, if its cells now read so
            if "as in the last release" not in str(refused):
                raise
            assert not out.exists()
            return
        left_out = [str(who) for (who,) in made.withheld]
        assert waits or not left_out
        self.told |= {who: row for who, row in table.items() if who not in left_out}
        for who in table:
            self.episodes[who] = self.episodes.get(who, 0) + (who in changed and who not in left_out)
        self.algorithms.append(algorithm)
        self.check(table, out, left_out)

    def check(self, table: dict[str, Row], out: Path, left_out: list[str]) -> None:
        """Everything that is promised, from the files and the export alone."""
        ledger = self.release.with_suffix(".ledger")
        assert stat.S_IMODE(ledger.stat().st_mode) == 0o600
        assert api.verify(self.release).mismatches == ()
        api.ledger(self.release).save(self.folder / "export.csv")
        header, *export = read(self.folder / "export.csv")
        assert header == ("release", "group", "name", "problem")
        seen = see(out, len(self.history) + 1, export)
        wrong = list(file_mistakes(seen, table, QUASI, "problem", {"zip": TREE}))
        assert not wrong, wrong
        # Somebody who is left out in a new episode is nobody whom earlier releases had.
        episodes = {who: -1 if who in left_out and self.is_changed(who) else self.episodes[who] for who in table}
        self.history.append(judged(seen, table, left_out, episodes, self.numbers))
        strict = self.algorithms[-1] == "m-invariance"
        assert mistakes(self.history[-1:], self.m, once=strict) == []
        assert mistakes(self.history, self.m) == []
        bound = [k for k, name in enumerate(self.algorithms, 1) if name == "cor-split"]
        assert [found for found in unsafe(self.history, self.n) if found[0] in bound] == []

    def is_changed(self, who: str) -> bool:
        return who in self.told and self.told[who] != self.people[who]
