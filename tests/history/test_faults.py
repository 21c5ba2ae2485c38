"""A publisher that is killed, at every step and at any time: nothing is lost, the next run finishes what was begun."""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path

import pytest

from deniable.analyses.history.republish import STEPS
from tests.few import few
from tests.history.again import republish
from tests.history.faults import Host, Job, Work, set_up
from tests.history.recovery import recovers

COMMITTED = STEPS.index("committed")


@pytest.mark.parametrize("step", STEPS)
def test_killed_at_a_step(step: str, work: Work, host: Host) -> None:
    (ended,) = host.run(work.folder, Job(f"{work.spec}.yaml", work.out, step=step, audit=step == "audited"))
    assert ended.status == -signal.SIGKILL
    waits = step in ("committed", "journaled")
    found = recovers(work, *(("same", "other") if waits else ("same",)))
    assert (work.number in found.files) == (STEPS.index(step) >= COMMITTED)
    assert bool(found.pending) == waits


@pytest.mark.parametrize(
    ("call", "nth", "before", "is_in"),
    [
        ("os:chmod", 1, False, False),  # a new ledger is on the disk, under another name
        ("os:link", 1, True, False),  # with the release in it
        ("os:link", 1, False, True),  # it has two names
        ("os:fsync", 1, False, True),
        ("os:fsync", 2, False, True),  # one file is beside its name
        ("os:fsync", 3, False, True),  # both are
        ("os:replace", 1, False, True),  # one has its name
        ("os:replace", 2, False, True),
    ],
)
def test_killed_in_a_first_release(call: str, nth: int, before: bool, is_in: bool, first: Work, host: Host) -> None:
    (ended,) = host.run(first.folder, Job("one.yaml", "out1", call=call, nth=nth, before=before))
    assert ended.status == -signal.SIGKILL
    found = recovers(first, "same" if nth % 2 else "other")
    assert (set(found.files), found.pending) == ((({1}, [1])) if is_in else (set(), []))


@pytest.mark.parametrize(
    ("call", "nth"),
    [
        *(("os:fsync", nth) for nth in (1, 2, 3, 4, 7)),  # the log's names, both files, the older and the new names
        *(("os:replace", nth) for nth in (1, 2, 3)),  # one has its name, both have, nothing is undone any more
    ],
)
def test_killed_while_files_are_written(call: str, nth: int, later: Work, host: Host) -> None:
    (ended,) = host.run(later.folder, Job("two.yaml", "out2", call=call, nth=nth))
    assert ended.status == -signal.SIGKILL
    found = recovers(later, "other" if nth % 2 else "same")
    assert (set(found.files), found.pending) == ({1, 2}, [2])


@pytest.fixture(scope="session")
def seconds(host: Host, tmp_path_factory: pytest.TempPathFactory) -> float:
    """How long a run takes."""
    folder = tmp_path_factory.mktemp("timed")
    set_up(folder)
    return host.run(folder, Job("one.yaml", "out1"))[0].took


@pytest.mark.parametrize("share", random.Random(6).sample(range(100), few(3, nightly=20)))
def test_killed_at_any_time(share: int, work: Work, seconds: float, host: Host) -> None:
    (ended,) = host.run(work.folder, Job(f"{work.spec}.yaml", work.out, seconds=seconds * share / 100))
    assert ended.status in (-signal.SIGKILL, 0)  # it may have been faster
    recovers(work, ("same", "other")[share % 2])


def test_the_names_of_the_log_are_kept_before_a_file_is_written(later: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a machine that stops may have the files of a release that its ledger does not know."""
    real, synced = os.fsync, list[str]()

    def fsync(handle: int) -> None:
        synced.append(os.path.relpath(Path(f"/proc/self/fd/{handle}").readlink(), later.folder))
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    republish(later.folder / "two.yaml", later.folder / "out2", audit=False)
    written = next(k for k, name in enumerate(synced) if name.startswith("out2"))
    assert "book.ledger.open" in synced[:written]
