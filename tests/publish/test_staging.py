"""Published files are there all or none, whatever fails on the way and whenever the run is stopped."""

from __future__ import annotations

import os
import signal
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import deniable
from deniable.engines.duckdb import DuckDBEngine
from deniable.errors import EngineError
from deniable.publish import staging
from deniable.publish.staging import staged, sweep

OLD = {"people.csv": b"older people", "values.csv": b"older values"}
NEW = {"people.csv": b"people", "values.csv": b"values"}


def found(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def write(folder: Path, files: dict[str, bytes] = NEW, stop_after: int = -1) -> None:
    with staged(folder, list(files)) as place:
        for i, (name, content) in enumerate(files.items()):
            if i == stop_after:
                raise KeyboardInterrupt
            (place / name).write_bytes(content)
        if stop_after == len(files):
            raise KeyboardInterrupt


@pytest.fixture(params=["nowhere", "an empty folder", "one file", "both files", "a folder in folders"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    if request.param == "a folder in folders":
        return tmp_path / "new" / "out"
    out = tmp_path / "out"
    if request.param != "nowhere":
        out.mkdir()
        (out / "theirs.txt").write_bytes(b"not ours")
    kept = {"one file": 1, "both files": 2}.get(request.param, 0)
    for name, content in list(OLD.items())[:kept]:
        (out / name).write_bytes(content)
        (out / name).chmod(0o640)
    return out


def state(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Everything around a folder: modes and bytes."""
    above = folder.parent.parent if folder.parent.name == "new" else folder.parent
    paths = sorted(above.rglob("*"))
    return {str(p.relative_to(above)): (p.stat().st_mode, p.read_bytes() if p.is_file() else b"") for p in paths}


def failing(monkeypatch: pytest.MonkeyPatch, call: str, nth: int, error: BaseException, *, after: bool) -> None:
    """The nth call of a function of `os` fails, before or after it has done its work."""
    real: Callable[..., Any] = getattr(os, call)
    calls = 0

    def wrapped(*arguments: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == nth and not after:
            raise error
        done = real(*arguments, **named)
        if calls == nth:
            raise error
        return done

    monkeypatch.setattr(os, call, wrapped)


def test_both_are_there(folder: Path) -> None:
    with masked(0o027):
        write(folder)
    kept = {name: content for name, content in found(folder).items() if name not in NEW}
    assert found(folder) == {**kept, **NEW}
    assert set(kept) <= {"theirs.txt"}
    assert {stat.S_IMODE((folder / name).stat().st_mode) for name in NEW} == {0o640}


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize(
    ("call", "nth"),
    [("mkdir", 1), *(("fsync", nth) for nth in range(1, 6)), ("chmod", 1), ("replace", 1), ("replace", 2)],
)
def test_or_none(
    folder: Path, monkeypatch: pytest.MonkeyPatch, call: str, nth: int, after: bool, error: BaseException
) -> None:
    before = state(folder)
    with monkeypatch.context() as patch:
        failing(patch, call, nth, error, after=after)
        with pytest.raises(type(error)):
            write(folder)
    assert state(folder) == before
    write(folder)
    assert {name: found(folder)[name] for name in NEW} == NEW


@pytest.mark.parametrize("nth", [0, 1, 2])
def test_whoever_writes_fails(folder: Path, nth: int) -> None:
    before = state(folder)
    with pytest.raises(KeyboardInterrupt):
        write(folder, stop_after=nth)
    assert state(folder) == before


def test_a_file_that_nobody_wrote(folder: Path) -> None:
    before = state(folder)
    with pytest.raises(FileNotFoundError), staged(folder, ["people.csv", "values.csv"]) as place:
        (place / "people.csv").write_bytes(b"people")
    assert state(folder) == before


def test_a_folder_in_the_way(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    (folder / "values.csv").mkdir(parents=True)
    (folder / "people.csv").write_bytes(b"older")
    before = state(folder)
    with pytest.raises(OSError, match=r"values\.csv"):
        write(folder)
    assert state(folder) == before


def dying(folder: Path, call: str, nth: int, work: Callable[[Path], Any]) -> bool:
    """Do something in a process that is killed after the nth call of a function of `os`. Whether it got that far."""
    child = os.fork()
    if not child:
        real, calls = getattr(os, call), iter(range(1, 1_000_000))

        def wrapped(*arguments: Any, **named: Any) -> Any:
            done = real(*arguments, **named)
            if next(calls) == nth:
                os.kill(os.getpid(), signal.SIGKILL)
            return done

        setattr(os, call, wrapped)
        try:
            work(folder)
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def of_one_run(folder: Path, *runs: dict[str, bytes]) -> None:
    """What the folder has under the published names is all of one run, if not all of it."""
    there = {name: (folder / name).read_bytes() for name in NEW if (folder / name).exists()}
    assert any(there.items() <= run.items() for run in runs), there


@pytest.mark.parametrize("call", ["rename", "replace", "unlink", "mkdir", "fsync", "rmdir", "chmod"])
def test_killed_at_every_step_it_never_mixes_two_runs(call: str, tmp_path: Path) -> None:
    """People of one run beside values of another: nobody would see that it is no release."""
    for nth in range(1, 20):
        folder = tmp_path / str(nth)
        folder.mkdir()
        write(folder, OLD)
        is_over = not dying(folder, call, nth, write)
        of_one_run(folder, OLD, NEW)
        for again in range(1, 20):  # and killed at every step of putting it back
            if not dying(folder, call, again, sweep):
                break
            of_one_run(folder, OLD, NEW)
        sweep(folder)
        assert found(folder) in (OLD, NEW)
        if is_over:
            return
    raise AssertionError("it was never done")


@pytest.mark.parametrize("nth", [1, 2, 3])
def test_the_next_run_undoes_what_a_killed_one_began(folder: Path, monkeypatch: pytest.MonkeyPatch, nth: int) -> None:
    """Killed: nothing of ours runs any more."""
    folder.mkdir(parents=True, exist_ok=True)
    before = state(folder)
    with monkeypatch.context() as patch:
        failing(patch, "replace", nth, KeyboardInterrupt(), after=True)
        patch.setattr(staging, "_undo", lambda _: None)
        with pytest.raises(KeyboardInterrupt):
            write(folder)
    assert state(folder) != before
    sweep(folder)
    done = {name: content for name, content in found(folder).items() if name in NEW}
    assert done == NEW if nth == 3 else state(folder) == before
    sweep(folder)
    write(folder)
    assert {name: found(folder)[name] for name in NEW} == NEW
    assert not (folder / ".publishing").exists()


@pytest.mark.parametrize(("call", "nth"), [("unlink", 1), ("unlink", 2), ("rename", 3), ("rename", 4)])
def test_what_was_interrupted_while_undoing(folder: Path, monkeypatch: pytest.MonkeyPatch, call: str, nth: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    before = state(folder)
    with monkeypatch.context() as patch:
        failing(patch, "replace", 2, KeyboardInterrupt(), after=True)
        failing(patch, call, nth, KeyboardInterrupt(), after=True)
        with pytest.raises(KeyboardInterrupt):
            write(folder)
    sweep(folder)
    assert state(folder) == before


def test_what_is_written_is_private_until_it_is_there(tmp_path: Path) -> None:
    with staged(tmp_path, ["people.csv"]) as place:
        (place / "people.csv").write_bytes(b"people")
        assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700


def test_one_after_the_other(tmp_path: Path) -> None:
    """Two runs into one folder: its files are all of one run."""
    barrier = threading.Barrier(4)

    def run(k: int) -> None:
        barrier.wait()
        for _ in range(10):
            write(tmp_path, {name: f"{name} {k}".encode() for name in NEW})

    threads = [threading.Thread(target=run, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found(tmp_path) in [{name: f"{name} {k}".encode() for name in NEW} for k in range(4)]


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_files_have_the_usual_mode_and_the_umask_stays(mask: int, tmp_path: Path) -> None:
    with masked(mask):
        write(tmp_path / "out")
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o777 & ~mask
    assert {stat.S_IMODE((tmp_path / "out" / name).stat().st_mode) for name in NEW} == {0o666 & ~mask}


@contextmanager
def masked(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        assert os.umask(before) == mask


def release(folder: Path) -> Path:
    rows = "".join(f"{20 + i % 5},{'abcd'[i % 4]}\n" for i in range(40))
    (folder / "table.csv").write_text(f"age,problem\n{rows}")
    (folder / "release.yaml").write_text("table: table.csv\nquasi: [age]\nprivate: problem\n")
    return folder / "release.yaml"


@pytest.mark.parametrize("error", [EngineError("duckdb: the query failed (IOException)"), KeyboardInterrupt()])
@pytest.mark.parametrize("nth", [1, 2])
def test_bucketize_that_fails_leaves_the_older_files(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nth: int, error: BaseException
) -> None:
    spec = release(tmp_path)
    real = DuckDBEngine.save
    calls = 0

    def save(self: DuckDBEngine, query: Any, path: Path) -> None:
        nonlocal calls
        calls += 1
        if calls == nth:
            raise error
        real(self, query, path)

    monkeypatch.setattr(DuckDBEngine, "save", save)
    before = state(folder)
    with pytest.raises(type(error)):
        deniable.bucketize(spec, folder, r=2)
    assert state(folder) == before
    monkeypatch.undo()
    with masked(0o022):
        deniable.bucketize(spec, folder, r=2)
    assert set(found(folder)) - {"theirs.txt"} == set(NEW)
    assert {stat.S_IMODE((folder / name).stat().st_mode) for name in NEW} == {0o644}


@pytest.mark.parametrize(
    ("call", "nth"), [("rename", 1), ("rename", 2), ("replace", 3), ("replace", 4), ("replace", 5)]
)
def test_bucketize_over_an_earlier_release_killed_on_the_way(call: str, nth: int, tmp_path: Path) -> None:
    """New people never stand beside older values; the next run publishes as if nothing had been."""
    spec, out = release(tmp_path), tmp_path / "out"
    deniable.bucketize(spec, out, r=2, seed=1)
    runs = [found(out)]
    deniable.bucketize(spec, tmp_path / "again", r=2, seed=2)
    runs.append(found(tmp_path / "again"))
    assert runs[0] != runs[1]
    assert dying(out, call, nth, lambda folder: deniable.bucketize(spec, folder, r=2, seed=2))
    of_one_run(out, *runs)
    deniable.bucketize(spec, out, r=2, seed=2)
    assert found(out) == runs[1]
    assert sorted(path.name for path in out.iterdir()) == sorted(NEW)
