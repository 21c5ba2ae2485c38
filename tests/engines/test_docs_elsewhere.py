"""Every command of README and docs that reads a table, in a database and on Spark beside the embedded engine: one
answer."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

import pytest

from tests.docs.test_docs import PAGES, ROOT, blocks, name_of, runs
from tests.engines.places import SERVER, Place, engines, nightly_alone
from tests.ready import ready

OFTEN = {"docs/how-to/measure-breach.md"}  # in every run; all of them in `make nightly`
WITHOUT = {"README.md", "CONTRIBUTING.md"}
STAND_IN = """\
#!/bin/sh
exec env PYTHONPATH={root} {python} -m tests.engines.beside {program} {place} {server} {lines} "$@"
"""


def pages() -> list[Path]:
    named = [page for page in PAGES if any("deniable " in one.text for one in blocks(page) if one.language == "sh")]
    return [page for page in named if name_of(page) not in WITHOUT]


@engines("postgresql", "spark")
@pytest.mark.parametrize(
    "page",
    [pytest.param(one, id=name_of(one), marks=() if name_of(one) in OFTEN else pytest.mark.nightly) for one in pages()],
)
def test_the_commands_of_a_page(place: Place, page: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    nightly_alone(place, request)
    folder, lines = tmp_path / "work", tmp_path / "lines"
    for made in (folder, tmp_path / "first", tmp_path / "ready"):
        made.mkdir()
    with ready(tmp_path / "ready") as programs:
        stand_in = tmp_path / "first" / "deniable"
        parts = {"root": ROOT, "python": sys.executable, "program": programs / "deniable", "place": place.name}
        quoted = {key: shlex.quote(str(part)) for key, part in parts.items()}
        quoted |= {"server": shlex.quote(os.environ[SERVER]), "lines": shlex.quote(str(lines))}
        stand_in.write_text(STAND_IN.format(**quoted))
        stand_in.chmod(0o755)
        ways = ":".join(shlex.quote(str(way)) for way in (stand_in.parent, programs, Path(sys.executable).parent))
        runs(page, folder, f"export PATH={ways}:$PATH", blocks(page), str(programs / "python"))
    said = lines.read_text(encoding="utf-8").splitlines() if lines.exists() else []
    assert [line for line in said if not line.startswith("same\t")] == []
    assert said or name_of(page) not in OFTEN
