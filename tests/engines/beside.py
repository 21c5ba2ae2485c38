"""A `deniable` that says what the real one says, and tries each command on another engine beside it.

What a command reads is copied into two folders. There it runs with `--json`: on the embedded engine in one, with the
table in a database, or as Spark has it, in the other. Statuses, documents and written tables are compared, and a line
is left for the test: `python -m tests.engines.beside PROGRAM PLACE FOLDER LINES ARGUMENT…`.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tests.cli.conftest import Outcome
from tests.engines import servers
from tests.engines.places import Place, same
from tests.engines.test_same_answers import document, rows

COMMANDS = (
    "audit", "check", "breach", "crowds", "linkage", "explain", "bucketize", "utility", "republish", "attack", "ledger",
    "repair",
)  # fmt: skip
OWN = ("--engine", "--help")  # options that name an engine, or ask nothing of one
SHOWN = ("--html", "--junit")  # and files that tell of one run


def main(program: str, name: str, folder: str, lines: str, *arguments: str) -> int:
    """Do what was asked, and what was asked beside it."""
    with tempfile.TemporaryDirectory() as made:
        place = _place(name, folder, Path(made))
        here, there = Path(made) / "here", Path(made) / "there"
        tried = _is_tried(arguments) and _copied(here, there)
        done = subprocess.run([program, *arguments], check=False)
        if tried:
            said = _beside(program, arguments, place, here, there)
            with open(lines, "a", encoding="utf-8") as file:
                file.write(f"{said}\t{shlex.join(arguments)}\n")
    return done.returncode


def _place(name: str, folder: str, made: Path) -> Place:
    """That of the test, in this process."""
    if name == "spark":
        return Place(name, folder=made)
    found = servers.programs()
    assert found is not None
    return Place(name, servers.Server(Path(folder), found, True))


def _is_tried(arguments: Sequence[str]) -> bool:
    if not arguments or arguments[0] not in COMMANDS or any(one.partition("=")[0] in OWN for one in arguments):
        return False
    specs = [Path(one) for one in arguments[1:] if one.endswith((".yaml", ".yml"))]
    return any(one.exists() and not one.is_absolute() and "\ntable: " in f"\n{one.read_text()}" for one in specs)


def _copied(*folders: Path) -> bool:
    for folder in folders:
        shutil.copytree(Path.cwd(), folder, symlinks=True, ignore=shutil.ignore_patterns(".git", ".venv"))
    return True


def _beside(program: str, arguments: Sequence[str], place: Place, here: Path, there: Path) -> str:
    """`same`, or what differs."""
    asked = [
        one for before, one in zip(("", *arguments), arguments, strict=False)
        if before not in SHOWN and one not in (*SHOWN, "--json")
    ]  # fmt: skip
    if arguments[0] in ("bucketize", "republish") and "--seed" not in asked:
        asked += ["--seed", "1"]  # or each is another
    called: dict[str, str] = {}
    for one in arguments[1:]:
        if one.endswith((".yaml", ".yml")) and (there / one).exists():
            table = re.search(r"^table: (\S+)\.csv(?: +#.*)?$", (there / one).read_text(encoding="utf-8"), re.MULTILINE)
            called |= {table[1]: Path(table[1]).name} if table else {}
            place.moved((there / one).parent, Path(one).name)
    wanted = _run([program, *asked, "--json"], here)
    for path, name in called.items():  # as titles have it
        wanted = replace(wanted, out=wanted.out.replace(path, name))
    real = [program] if place.server else [sys.executable, "-m", "deniable"]  # Java is started by no fork
    found = _run([*real, *asked, "--json", "--engine", place.engine], there)
    if wanted.status != found.status:
        return f"status {wanted.status} and {found.status}: {wanted.err.strip()} | {found.err.strip()}"
    if wanted.status in (0, 1) and not same(document(wanted), document(found)):
        return f"documents: {wanted.out} | {found.out}".replace("\n", " ")
    return _unlike(here, there)


def _run(command: Sequence[str], folder: Path) -> Outcome:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    return Outcome(done.returncode, done.stdout, done.stderr)


def _unlike(here: Path, there: Path) -> str:
    """Written tables, row by row in any order."""
    made = [
        sorted(path.relative_to(folder) for path in folder.rglob("*") if path.suffix in (".csv", ".parquet"))
        for folder in (here, there)
    ]
    if made[0] != made[1]:
        return f"files: {made[0]} and {made[1]}"
    for path in made[0]:
        mine, theirs = rows(here / path), rows(there / path)
        if not (same(mine, theirs) or same(sorted(mine, key=str), sorted(theirs, key=str))):
            return f"rows of {path}"
    return "same"


if __name__ == "__main__":
    os.environ.setdefault("PYTHONDONTWRITEBYTECODE", "1")
    sys.exit(main(*sys.argv[1:]))
