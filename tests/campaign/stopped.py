"""Commands that write files, killed, told to stop or without room: all of it or nothing, and nothing that stays."""

from __future__ import annotations

import os
import random
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.campaign.calls import call, listing
from tests.campaign.forked import ATTEMPTS, Ended, any_kill, forked
from tests.campaign.material import MARK, write_material

OUT = {
    "breach": ["breach", "views.yaml", "--out", "new.csv"],
    "parquet": ["breach", "views.yaml", "--out", "new.parquet"],
    "crowds": ["crowds", "crowds.yaml", "--out", "new.csv"],
    "linkage": ["linkage", "groups.yaml", "--out", "new.csv"],
    "attack": ["attack", "history.yaml", "--out", "new.csv"],
    "html": ["audit", "views.yaml", "--html", "new.html"],
    "junit": ["audit", "views.yaml", "--junit", "new.xml"],
    "page": ["repair", "views.yaml", "--html", "new.html"],
    "repair": ["repair", "views.yaml", "--out", "new.yaml"],
    "init": ["init", "t.csv", "--identifier", "name", "--private", "problem", "--out", "new.yaml"],
}
GROUPS = ["bucketize", "groups.yaml", "--r", "1.2", "--seed", "2", "--out", "new"]
EXAMPLES = ["demo", "--to", "new"]
REPAIRED = ["repair", "views.yaml", "--write-views", "new"]


def _content(path: Path) -> bytes:
    """What a file has, in any order of its lines: not every result has one; of a report, whether it is whole."""
    content = path.read_bytes()
    if path.suffix in (".html", ".xml"):  # which say when they were made
        return b"whole" if content.rstrip().endswith((b"</html>", b"</testsuites>")) else content
    return b"\n".join(sorted(content.split(b"\n"))) if path.suffix == ".csv" else content


def _files(place: Path) -> dict[str, bytes]:
    return {str(path.relative_to(place)): _content(path) for path in sorted(place.rglob("*")) if path.is_file()}


def _succeeds(*arguments: str) -> None:
    told = call(*arguments)
    assert told.status in (0, 1), told.err + told.escaped  # 1: an audit that failed has its results


def _killed(of: random.Random, arguments: list[str], again: Callable[[], None]) -> None:
    """Kill a command; `again` makes everything as it was before it, for those that are done before they are killed."""
    takes = forked(arguments).cpu
    for _ in range(ATTEMPTS):
        again()
        if forked(arguments, any_kill(of, takes)).was_killed:
            return
    raise AssertionError("no kill struck")


def _private(folder: Path, before: set[str], result: Path) -> None:
    """Whatever a killed run left beside its results is its owner's alone; in such a folder, what others may read has
    its own mode already."""
    files = (0o600, 0o644) if result.suffix in (".xml", ".yaml") else (0o600,)
    for name in listing(folder) - before:
        if ".deniable-" in name:
            mode = (folder / name).lstat().st_mode
            assert stat.S_IMODE(mode) in ((0o700,) if stat.S_ISDIR(mode) else files), f"{name} has the mode {mode:o}"


def _said(ended: Ended) -> None:
    assert ended.status in (0, 1, 3), f"exit status {ended.status}: {ended.err[-300:]}"
    assert ended.err.count("\n") == (ended.status == 3), f"not one line: {ended.err[-300:]}"
    assert "Traceback" not in ended.err, ended.err[-300:]
    assert MARK not in ended.err, "private cell in a message"


def result_killed(of: random.Random, folder: Path) -> list[str]:
    """`--out`: the older file or the new one, and the next run leaves nothing else."""
    _result(of, folder, is_disk=False)
    return []


def result_without_room(of: random.Random, folder: Path) -> list[str]:
    """The same on a disk that is full."""
    _result(of, folder, is_disk=True)
    return []


def _result(of: random.Random, folder: Path, *, is_disk: bool) -> None:
    write_material(folder, random.Random(1))
    arguments = OUT[of.choice(list(OUT))]
    path = folder / arguments[-1]
    _succeeds(*arguments)
    new = _content(path)
    path.unlink()
    replaces = path.suffix != ".yaml"  # a release file takes no other's place
    is_there = replaces and of.random() < 0.5

    def again() -> None:
        path.unlink(missing_ok=True)
        if is_there:
            path.write_bytes(b"older\n")

    again()
    before, older = listing(folder), _files(folder)
    if is_disk:
        ended = forked(arguments, limit=of.choice((0, 1, 100, 500, 1_000, 4_096, 20_000, of.randrange(5_000))))
        _said(ended)
        assert _files(folder) == (older if ended.status == 3 else {**older, path.name: new}), "not as it was"
        kept = new if ended.status != 3 else None
    else:
        _killed(of, arguments, again)
        kept = _content(path) if path.exists() else None
        assert kept in (older.get(path.name), new), "half a file"
        _private(folder, before, path)
    if kept is None or replaces:
        _succeeds(*arguments)
    else:
        told = call(*arguments)
        assert told.status == 2, f"not refused: {told.err}"
    assert _files(folder) == {**older, path.name: new}, "the next run does not leave the new file alone"
    assert listing(folder) == before | {path.name}, f"left behind: {sorted(listing(folder) - before)}"


def groups_killed(of: random.Random, folder: Path) -> list[str]:
    """`bucketize` into a folder with an earlier release: never files of two runs, and the next run is whole."""
    _groups(of, folder, is_disk=False)
    return []


def groups_without_room(of: random.Random, folder: Path) -> list[str]:
    """The same on a disk that is full."""
    _groups(of, folder, is_disk=True)
    return []


def _groups(of: random.Random, folder: Path, *, is_disk: bool) -> None:
    write_material(folder, random.Random(1))
    arguments, other = of.choice(((GROUPS, [*GROUPS[:4], "--seed", "1"]), (REPAIRED, ["repair", "other.yaml"])))
    (folder / "other.yaml").write_text((folder / "views.yaml").read_text().replace("name, age", "name, zip"))
    _succeeds(*arguments[:-1], "whole")
    new, out, older = _files(folder / "whole"), folder / "new", {}
    if of.random() < 0.8:
        _succeeds(*other, arguments[-2], "new")
        older = _files(out)
        assert older != new
    before = listing(folder)

    def again() -> None:
        shutil.rmtree(out, ignore_errors=True)
        for name, content in older.items():
            out.mkdir(exist_ok=True)
            (out / name).write_bytes(content)

    again()
    if is_disk:
        ended = forked(arguments, limit=of.choice((0, 1, 20, 60, 100, 200, of.randrange(400))))
        _said(ended)
        assert (_files(out) if out.exists() else {}) == (older if ended.status else new), "not as it was"
        assert out.exists() == bool(older or not ended.status), "an empty folder"
    else:
        _killed(of, arguments, again)
        there = {name: _content(out / name) for name in new if (out / name).exists()}
        assert there.items() <= older.items() or there.items() <= new.items(), "files of two runs"
    _succeeds(*arguments)
    assert _files(out) == new, "the next run is not whole"
    made = {"new", *(f"new/{name}" for name in new)}
    assert listing(folder) == before | made, f"left behind: {sorted(listing(folder) - before - made)}"


def told_to_stop(of: random.Random, folder: Path) -> list[str]:
    """The program as it is installed, and SIGTERM, SIGHUP or SIGINT at any time: it says so, and nothing stays."""
    write_material(folder, random.Random(1))
    arguments = of.choice([*OUT.values(), GROUPS, REPAIRED, EXAMPLES])
    before = listing(folder)
    _succeeds(*arguments)
    made = {name: _content(folder / name) for name in listing(folder) - before if (folder / name).is_file()}
    for name in made:
        (folder / name).unlink()
    if (folder / "new").exists():
        (folder / "new").rmdir()
    temporary = folder / "temporary"
    temporary.mkdir()
    heard = [signal.SIGINT] if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN else []  # as in the background
    program = subprocess.Popen(
        [sys.executable, "-m", "deniable", *arguments], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(temporary)}, text=True,
    )  # fmt: skip
    while program.poll() is None and not _is_minded(program.pid):
        time.sleep(0.002)
    time.sleep(of.random() * 1.5)
    program.send_signal(of.choice((signal.SIGTERM, signal.SIGHUP, *heard)))
    _, err = program.communicate(timeout=60)
    assert program.returncode in (0, 1, 3), f"exit status {program.returncode}: {err[-300:]}"
    assert err == ("interrupted\n" if program.returncode == 3 else ""), f"it said {err[-300:]}"
    new = {name for name in listing(folder) - before if (folder / name).is_file()}
    assert new in (set(), set(made)), (
        f"left behind: {sorted(new - set(made))}"
    )  # stopped when all was done but to say so
    assert all(_content(folder / name) == made[name] for name in new), "half a file"
    assert list(temporary.iterdir()) == [], "left among temporary files"
    return []


def _is_minded(process: int) -> bool:
    """Whether the program has a handler for SIGTERM by now: before, it has done nothing yet."""
    try:
        text = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False
    caught = next((line.split()[1] for line in text.splitlines() if line.startswith("SigCgt:")), "0")
    return bool(int(caught, 16) >> (signal.SIGTERM - 1) & 1)
