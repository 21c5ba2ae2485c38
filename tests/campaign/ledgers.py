"""Ledgers that killed runs left, that have no room, are put back from a backup, are damaged or made by an enemy."""

# ruff: noqa: E501

from __future__ import annotations

import random
import shutil
import tempfile
from pathlib import Path

import duckdb

from deniable.analyses.history.republish import STEPS
from tests.campaign.calls import call, listing, wrong
from tests.campaign.forked import ATTEMPTS
from tests.history.again import republish
from tests.history.faults import Host, Job, Work, set_up
from tests.history.recovery import read_book, recovers

_HOSTS: list[Host] = []  # of this process
_TAKES: dict[int, float] = {}  # by the number of the release
BOOK = "book.ledger"
JOURNAL = f"{BOOK}.journal"
CALLS = (
    *(f"os:{name}" for name in ("link", "fsync", "replace", "rename", "mkdir", "unlink", "open", "rmdir", "chmod")),
    "deniable.ledgers.store:_add", "deniable.ledgers.private:locked", "deniable.ledgers.private:_leave",
)  # fmt: skip


def _host() -> Host:
    if not _HOSTS:
        _HOSTS.append(Host())
    return _HOSTS[0]


def _made(releases: int) -> Path:
    """A folder with some releases in its ledger; to be copied."""
    folder = Path(tempfile.gettempdir()) / f"made{releases}"
    if not folder.exists():
        if releases > 1:
            shutil.copytree(_made(releases - 1), folder)
        else:
            folder.mkdir()
            set_up(folder)
        if releases:
            name = ("one", "two", "three")[releases - 1]
            republish(folder / f"{name}.yaml", folder / f"out{releases}", audit=False)
    return folder


def _work(of: random.Random, folder: Path) -> Work:
    """Either the first release is next or the second."""
    work = folder / "work"
    if of.random() < 0.3:
        work.mkdir()
        set_up(work)
        return Work(work, "one", "out1", 1)
    shutil.copytree(_made(1), work)
    return Work(work, "two", "out2", 2)


def killed(of: random.Random, folder: Path) -> list[str]:
    """`republish` killed at a step, after a call or at a time: no committed release is lost, the next run goes on."""
    for k in range(ATTEMPTS):
        place = folder / str(k)
        place.mkdir()
        work = _work(of, place)
        (ended,) = _host().run(work.folder, _kill(of, work))
        assert "Traceback" not in ended.err, ended.err[-300:]
        if ended.was_killed:
            recovers(work, of.choice(("same", "other")))
            return []
        assert ended.status == 0, f"exit status {ended.status}: {ended.err[-300:]}"  # it was done before
    return ["no kill struck"]


def _kill(of: random.Random, work: Work) -> Job:
    way = of.random()
    spec, out = f"{work.spec}.yaml", work.out
    if way < 0.3:
        return Job(spec, out, step=of.choice(STEPS))
    if way < 0.65:
        return Job(spec, out, call=of.choice(CALLS), nth=of.choice((1, 2, 3, 4, 5, 8)), before=of.random() < 0.3)
    return Job(spec, out, cpu=of.random() * _work_of(work))


def _work_of(work: Work) -> float:
    """Seconds of CPU that such a run takes where it is not killed; once for a process."""
    if work.number not in _TAKES:
        whole = work.folder.with_name("whole")
        shutil.copytree(work.folder, whole)
        _TAKES[work.number] = _host().run(whole, Job(f"{work.spec}.yaml", work.out))[0].cpu
        shutil.rmtree(whole)
    return _TAKES[work.number]


def without_room(of: random.Random, folder: Path) -> list[str]:
    """`republish` where files may have so many bytes, from a step on: status 3, one line, and the next run goes on."""
    work = _work(of, folder)
    limit = of.choice((0, 1, 100, 1_000, 5_000, 40_000, 300_000, 800_000, 2_000_000, of.randrange(1_500_000)))
    job = Job(
        f"{work.spec}.yaml", work.out, limit=limit, limited=of.choice(("start", "grouped", "proposed", "committed"))
    )
    (ended,) = _host().run(work.folder, job)
    assert ended.status in (0, 3), f"exit status {ended.status}: {ended.err[-300:]}"
    assert ended.err.count("\n") == (1 if ended.status else 0), f"not one line: {ended.err[-300:]}"
    recovers(work, of.choice(("same", "other")))
    return []


def _verified(folder: Path) -> int | None:
    return call("ledger", str(folder / "one.yaml"), "--verify").status


def rolled_back(of: random.Random, folder: Path) -> list[str]:
    """An older ledger is put back: it is brought forward, or the run stops; no release is published a second time."""
    work = folder / "work"
    shutil.copytree(_made(2), work)
    what = of.choice(((BOOK,), (JOURNAL,), (BOOK, JOURNAL)))
    for name in what:
        older = _made(1) / name
        if older.exists():
            shutil.copyfile(older, work / name)
    if of.random() < 0.2:
        (work / JOURNAL).unlink(missing_ok=True)
    if of.random() < 0.1:
        (work / BOOK).unlink()
    told = call("republish", str(work / "three.yaml"), "--out", str(work / "out3"), "--no-audit", "--unusual", "all")
    found = wrong(told, "republish")
    if told.status == 0:
        found += [] if set(read_book(work).files) == {1, 2, 3} else ["lost release: the older ledger was published on"]
    elif (work / "out3").exists():
        found.append("left behind: a folder of a release that was refused")
    return found


def damaged(of: random.Random, folder: Path) -> list[str]:
    """Bytes of a ledger, or of its journal, are changed: whatever is said, nothing is published on what is damaged."""
    work = folder / "work"
    shutil.copytree(_made(2), work)
    names = [name for name in (BOOK, BOOK, BOOK, JOURNAL) if (work / name).exists()]
    path = work / of.choice(names)
    path.write_bytes(_damaged(of, path.read_bytes()))
    return _asked(of, work)


def _damaged(of: random.Random, content: bytes) -> bytes:
    blocks = [(start, 4096) for start in (0, 4096, 8192)]
    blocks += [(start, 262_144) for start in range(12_288, len(content), 262_144)]
    start, size = of.choice(blocks)
    block = bytearray(content[start : start + size])
    way = of.randrange(6)
    if way == 0:
        return content[: start + of.randrange(size)]
    if way == 1:
        block = bytearray(len(block))
    elif way == 2:
        block = bytearray(of.randbytes(len(block)))
    elif way == 3:
        other, _ = of.choice(blocks)
        block = bytearray(content[other : other + size])
    else:
        for _ in range(of.choice((1, 1, 8, 100))):
            at = of.randrange(len(block)) if block else 0
            block[at : at + 1] = of.randbytes(1)
    return content[:start] + bytes(block) + content[start + size :]


HOSTILE = (
    "UPDATE files_2 SET name = '../../evil.csv' WHERE name = 'release.csv'",
    "UPDATE files_2 SET name = '/tmp/deniable-evil.csv'", "UPDATE files_2 SET name = ''", "UPDATE files_2 SET name = '.'",
    "UPDATE files_2 SET name = 'a/b'", "UPDATE files_2 SET content = '\\x00'::BLOB", "UPDATE files_2 SET size = -1",
    "UPDATE files_2 SET size = 9000000000000000000", "UPDATE files_2 SET name = NULL, content = NULL",
    "UPDATE releases SET folder = '/nowhere/else', written = false", "UPDATE releases SET folder = '', written = false",
    "UPDATE releases SET folder = NULL, written = false", "UPDATE releases SET written = NULL",
    "UPDATE releases SET release = -release", "UPDATE releases SET release = 2147483647 WHERE release = 2",
    "UPDATE releases SET m = -1, n = 0", "UPDATE releases SET m = NULL", "UPDATE releases SET algorithm = 'x; DROP TABLE seats'",
    "UPDATE releases SET algorithm = NULL", "UPDATE releases SET kinds = NULL", "UPDATE releases SET kinds = ['x']",
    "UPDATE releases SET state = '\\x80\\x04'::BLOB", "UPDATE releases SET exposure = '{{{'", "UPDATE releases SET digest = NULL",
    "UPDATE releases SET made = NULL", "INSERT INTO releases FROM releases", "DELETE FROM releases", "DELETE FROM seats",
    "UPDATE people SET i0 = NULL", "UPDATE people SET q0 = '\x1b[31m'", "UPDATE people SET value = 99", "UPDATE people SET person = -person",
    "UPDATE seats SET grp = NULL", "UPDATE seats SET person = 2147483647", "UPDATE seats SET value = -5", "UPDATE domain SET value = NULL",
    "UPDATE domain SET code = code * 1000", "DELETE FROM domain", "DELETE FROM signatures", "UPDATE about SET version = 99",
    "UPDATE about SET version = NULL", "UPDATE about SET identifier = NULL", "UPDATE about SET quasi = ['a\"b']", "DELETE FROM about",
    "INSERT INTO about FROM about", "DROP TABLE seats", "ALTER TABLE seats DROP COLUMN ghost", "ALTER TABLE people RENAME i0 TO j0",
    "CREATE TABLE files_3 (name VARCHAR, size BIGINT, content BLOB)", "DROP TABLE groups; CREATE VIEW groups AS SELECT * FROM seats",
    "CREATE MACRO count(x) AS 0", "CREATE TABLE files_99 AS FROM files_2", "CREATE SCHEMA other", "CREATE TABLE journal (x INTEGER)",
)  # fmt: skip


def hostile(of: random.Random, folder: Path) -> list[str]:
    """A ledger that somebody else wrote: names in it are no paths, and its rows no reason to fail."""
    work = folder / "work"
    shutil.copytree(_made(2), work)
    path = work / of.choice([name for name in (BOOK, BOOK, JOURNAL) if (work / name).exists()])
    with duckdb.connect(str(path)) as connection:
        for statement in of.sample(HOSTILE, of.choice((1, 1, 2, 3))):
            try:
                connection.execute(statement)
            except duckdb.Error:  # not after the others
                continue
    return _asked(of, work)


def _asked(of: random.Random, work: Path) -> list[str]:
    """What commands make of a ledger that is not as it was."""
    before, outside = listing(work), listing(work.parent) - {f"work/{name}" for name in listing(work)}
    spec = str(work / "two.yaml")
    found = []
    for arguments in (["ledger", spec], ["attack", spec, "--seconds", "2"], ["ledger", spec, "--verify"]):
        if of.random() < 0.6:
            told = call(*arguments)
            found += [f"{arguments[0]}: {what}" for what in wrong(told, arguments[0])]
    was = _verified(work)
    told = call("republish", str(work / "three.yaml"), "--out", str(work / "out3"), "--no-audit", "--unusual", "all")
    found += [f"republish: {what}" for what in wrong(told, "republish")]
    if told.status == 0 and (was, _verified(work)) != (0, 0):
        found.append(f"published on a ledger of which verify says {was} before and {_verified(work)} after")
    if told.status != 0 and any(name.startswith("out3") for name in listing(work) - before):
        found.append("left behind: a folder of a release that was refused")
    now = listing(work.parent) - {f"work/{name}" for name in listing(work)}
    if now != outside:
        found.append(f"left behind: {sorted(now - outside)}")
    if Path("/tmp/deniable-evil.csv").exists():
        Path("/tmp/deniable-evil.csv").unlink()
        found.append("a name in a ledger was a path")
    return found
