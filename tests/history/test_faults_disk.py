"""A disk that is full, at any size: exit status 3, one line, nothing half made, and the next run goes on."""

from __future__ import annotations

import pytest

from tests.history.faults import Host, Job, Work
from tests.history.recovery import published, read_book, recovers, strangers


def failed(work: Work, host: Host, limit: int, limited: str = "start") -> bool:
    """Whether a run under the limit failed, as a run may."""
    (ended,) = host.run(work.folder, Job(f"{work.spec}.yaml", work.out, limit=limit, limited=limited))
    assert ended.status in (0, 3), ended.err
    assert ended.err.count("\n") == (1 if ended.status else 0), ended.err
    return ended.status == 3


@pytest.mark.parametrize("limit", [0, 1_000, 5_000, 40_000, 300_000, 2_000_000])
def test_no_room_for_the_ledger(limit: int, work: Work, host: Host) -> None:
    if failed(work, host, limit):
        assert not (work.folder / work.out).exists()
        if work.number == 1:
            assert strangers(work.folder) == []
    recovers(work, "same")


@pytest.mark.parametrize("limit", [0, 5, 100])
def test_no_room_for_the_files(limit: int, work: Work, host: Host) -> None:
    """counterfeits.csv has 12 bytes and more, release.csv some hundreds; the release is committed."""
    assert failed(work, host, limit, limited="journaled")
    assert not (work.folder / work.out).exists()
    log = [f"book.ledger.open/{name}" for name in ("book.ledger", "book.ledger.wal", "lock")]
    assert strangers(work.folder) in ([], log)
    found = recovers(work, "same" if limit else "other")
    assert (work.number in found.files, found.pending) == (True, [work.number])


@pytest.mark.parametrize("limit", [0, 5_000, 300_000])
def test_no_room_for_the_journal(limit: int, work: Work, host: Host) -> None:
    """What is committed goes out when its journal is there, by this run or the next."""
    assert failed(work, host, limit, limited="committed")
    assert not (work.folder / work.out).exists()
    found = recovers(work, "other" if limit else "same")
    assert (work.number in found.files, found.pending) == (True, [work.number])


def test_no_room_beside_other_files(later: Work, host: Host) -> None:
    """A folder that has something in it already: it stays as it is until both files can be there."""
    (later.folder / "out2").mkdir()
    (later.folder / "out2" / "notes.txt").write_text("about this release")
    (ended,) = host.run(later.folder, Job("two.yaml", "out2", limit=100, limited="journaled"))
    assert ended.status == 3
    assert "release 2 is in the ledger, but could not be written out (File too large)" in ended.err
    assert list(published(later.folder / "out2")) == ["notes.txt"]
    assert read_book(later.folder).pending == [2]
