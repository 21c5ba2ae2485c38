"""Every command, on random tables whose private cells and identifiers are marked: no message shows one.

A list of people is a private cell as well, if they were chosen by theirs; so no message names anybody who was not asked
for by name. `explain` shows a person because it was asked to, and nobody else's value.
"""

from __future__ import annotations

import io
import re
import shutil
import tempfile
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deniable.cli import run
from tests.few import few

RELEASE = """\
table: people.csv
identifier: person
quasi: [age, sex]
private: problem
views:
  one: SELECT {one}person, age, sex FROM people
  two: SELECT age, problem FROM people{where}
published: {{people: out/people.csv, values: out/values.csv, group: group}}
knowledge:
  - {{given: [sex], estimate: true}}
republish: {{m: 2, n: 1}}
require: {{breach: {{at_most: 0.5}}, crowd: {{at_least: 2, values: 2}}}}
"""
MISTAKES = [
    "",
    " WHERE problem = 'SECRET0'",
    " WHERE problem = SECRET1",
    " WHERE problem = SECRET1.9",
    " WHERE problem = SECRET1 (b)",
    " WHERE problem > 3 AND agee = 'SECRET0",
]
COMMANDS = [
    "check release.yaml", "audit release.yaml", "audit release.yaml --json", "breach release.yaml",
    "breach release.yaml --json", "crowds release.yaml", "crowds release.yaml --method exact",
    "crowds release.yaml --method restricted", "bucketize release.yaml --r 2 --out out",
    "bucketize release.yaml --r 3 --suppress --out more", "linkage release.yaml", "linkage release.yaml --json",
    "utility release.yaml --release out --queries 20", "republish release.yaml --begin --out q1",
    "republish release.yaml --out q2", "republish release.yaml --out q3 --unusual all --withhold",
    "ledger release.yaml", "ledger release.yaml --verify", "attack release.yaml", "attack release.yaml --json",
    "choose --m 3 --compromise 0.1 --lifespan 4 --threshold 0.2",
]  # fmt: skip
AGAIN = ["republish release.yaml --out q4 --unusual all --withhold", "republish release.yaml --out q5 --new-episode",
         "attack release.yaml", "audit release.yaml"]  # fmt: skip
MARKED = re.compile(r"SECRET\w*|PERSON\w*")


def said(command: str) -> str:
    """What a command prints, on both streams."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as left:
        run(command.split())
    assert left.value.code in (0, 1, 2, 3), command
    told = out.getvalue() + err.getvalue()
    assert "Traceback" not in told, command
    return told


def write(people: list[tuple[int, int, int, int]]) -> None:
    lines = [f"PERSON{who},{20 + age},{'fm'[sex]},SECRET{value}" for who, age, sex, value in people]
    Path("people.csv").write_text("\n".join(["person,age,sex,problem", *lines]) + "\n")


people = st.lists(
    st.tuples(st.integers(0, 12), st.integers(0, 2), st.integers(0, 1), st.integers(0, 3)), min_size=2, max_size=10
)


@settings(max_examples=few(2, nightly=200))
@given(people, people, st.sampled_from(["", "DISTINCT "]), st.sampled_from(MISTAKES))
def test_no_message_shows_a_private_cell_or_names_anybody(
    first: list[tuple[int, int, int, int]], then: list[tuple[int, int, int, int]], one: str, where: str
) -> None:
    folder = tempfile.mkdtemp()
    try:
        with chdir(folder):
            Path("release.yaml").write_text(RELEASE.format(one=one, where=where))
            write(first)
            for command in COMMANDS:
                assert MARKED.findall(said(command)) == [], command
            write(then)
            for command in AGAIN:
                assert MARKED.findall(said(command)) == [], command
    finally:
        shutil.rmtree(folder)
