"""A ledger that is older than what was published: restored from a backup, lost, or without its log."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import duckdb
import pytest

from deniable import api
from deniable.errors import BadInput
from deniable.ledgers.receipts import folders_with_receipts
from tests.history.again import republish
from tests.history.faults import Host, Job, Work
from tests.history.recovery import holds, read_book


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory, begun: Path) -> Path:
    """Published twice; to be copied."""
    folder = tmp_path_factory.mktemp("twice") / "work"
    shutil.copytree(begun, folder)
    republish(folder / "two.yaml", folder / "out2", audit=False)
    return folder


@pytest.fixture
def restored(tmp_path: Path, begun: Path, twice: Path) -> Path:
    """Published twice, then the ledger was restored as it was after the first time."""
    shutil.copytree(twice, tmp_path / "work")
    shutil.copy(begun / "book.ledger", tmp_path / "work" / "book.ledger")
    return tmp_path / "work"


def files(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def refused(folder: Path, *wanted: str, **options: Any) -> None:
    before = files(folder)
    with pytest.raises(BadInput) as error:
        api.republish(folder / "three.yaml", folder / "out3", audit=False, **options)
    assert len(str(error.value).splitlines()) == 1
    for words in wanted:
        assert words in str(error.value)
    assert files(folder) == before


def test_an_older_ledger_is_brought_forward_by_its_journal(restored: Path) -> None:
    made = republish(restored / "three.yaml", restored / "out3", audit=False)
    assert (made.number, made.forwarded) == (3, 1)
    holds(restored, 3)
    assert set(read_book(restored).files) == {1, 2, 3}


@pytest.mark.parametrize("lost", [(), ("book.ledger",), ("book.ledger.journal",)], ids=["older", "lost", "no journal"])
def test_a_dry_run_writes_nothing_however_the_ledger_stands(restored: Path, lost: tuple[str, ...]) -> None:
    if lost == ("book.ledger.journal",):
        shutil.rmtree(restored / "out2")  # whose receipt would say that it is behind
    for name in lost:
        (restored / name).unlink()
    before = files(restored)
    made = republish(restored / "three.yaml", restored / "out3", audit=False, dry_run=True, begin=False)
    assert (made.number, made.forwarded) == {
        (): (3, 1), ("book.ledger",): (3, 0), ("book.ledger.journal",): (2, None),
    }[lost]  # fmt: skip
    assert files(restored) == before


def test_a_dry_run_leaves_the_log_of_a_run_that_was_killed(later: Work, host: Host) -> None:
    host.run(later.folder, Job("two.yaml", "out2", call="deniable.ledgers.private:keep"))
    assert (later.folder / "book.ledger.open" / "book.ledger.wal").exists()
    before = files(later.folder)
    made = republish(later.folder / "three.yaml", later.folder / "out3", audit=False, dry_run=True)
    assert made.number == 3
    assert files(later.folder) == before


def test_who_only_reads_sees_every_release_too(restored: Path) -> None:
    assert api.ledger(restored / "two.yaml").releases == 2
    assert api.verify(restored / "two.yaml").releases == 2


def test_a_release_that_was_brought_forward_was_written_out_already(restored: Path) -> None:
    before = files(restored / "out2")
    made = republish(restored / "three.yaml", restored / "out3", audit=False)
    assert made.finished in (2, None)
    assert files(restored / "out2") == before
    assert read_book(restored).pending == []


def test_a_ledger_that_is_lost_comes_back_from_its_journal(later: Work) -> None:
    (later.folder / "book.ledger").unlink()
    made = api.republish(later.folder / "two.yaml", later.folder / "out2", audit=False)
    assert (made.number, made.forwarded) == (2, 0)
    holds(later.folder, 2)


def test_no_history_is_begun_beside_the_journal_of_another(later: Work) -> None:
    (later.folder / "book.ledger").unlink()
    refused(later.folder, "book.ledger.journal: this is the journal of a ledger book.ledger that is gone", begin=True)


def test_an_older_ledger_without_its_journal_stops_where_a_receipt_is_seen(restored: Path) -> None:
    (restored / "book.ledger.journal").unlink()
    with pytest.raises(BadInput, match=r"its last release is 1, but .*out2 holds its release 2: this is an older copy"):
        api.republish(restored / "three.yaml", restored / "out3", audit=False)
    assert not (restored / "out3").exists()


@pytest.mark.parametrize("inside", [False, True])
def test_receipts_elsewhere_are_read_where_they_are_said_to_be(restored: Path, tmp_path: Path, inside: bool) -> None:
    """The folder of a release, or one that has such folders in it."""
    (restored / "book.ledger.journal").unlink()
    archive = tmp_path / "archive"
    archive.mkdir()
    shutil.move(restored / "out2", archive / "2026-2")
    given = archive if inside else archive / "2026-2"
    with pytest.raises(BadInput, match="2026-2 holds its release 2"):
        api.republish(restored / "three.yaml", restored / "out3", audit=False, published=[given])
    assert republish(restored / "three.yaml", restored / "out3", audit=False).number == 2  # with no receipt in sight


def test_another_release_of_the_same_number(later: Work) -> None:
    """Two were published from one ledger: whatever is next is safe beside one of them only."""
    ledger, journal = later.folder / "book.ledger", later.folder / "book.ledger.journal"
    backup = ledger.read_bytes(), journal.read_bytes()
    republish(later.folder / "two.yaml", later.folder / "out2", audit=False)
    ledger.write_bytes(backup[0])
    journal.write_bytes(backup[1])
    hidden = later.folder / "elsewhere" / "out2"
    hidden.parent.mkdir()
    shutil.move(later.folder / "out2", hidden)
    republish(later.folder / "three.yaml", later.folder / "out2", audit=False)
    shutil.move(hidden, later.folder / "out4")
    with pytest.raises(BadInput, match=r"out4 holds another release 2 than the ledger has"):
        republish(later.folder / "two.yaml", later.folder / "out3", audit=False)


def test_a_journal_of_another_history(restored: Path, tmp_path: Path) -> None:
    kept = tmp_path / "journal"
    shutil.move(restored / "book.ledger.journal", kept)
    shutil.rmtree(restored / "out2")
    republish(restored / "three.yaml", restored / "out2", audit=False)
    shutil.move(kept, restored / "book.ledger.journal")
    refused(restored, "this ledger and book.ledger.journal are two histories of one table")


def test_a_journal_that_is_damaged(later: Work) -> None:
    journal = later.folder / "book.ledger.journal"
    journal.write_bytes(journal.read_bytes()[:5_000])
    refused(later.folder, "book.ledger.journal: expected the journal of book.ledger; found another file")


def test_other_ledgers_receipts_are_nothing_to_this_one(later: Work) -> None:
    (later.folder / "other").mkdir()
    for name in ("one.csv", "one.yaml"):
        shutil.copy(later.folder / name, later.folder / "other" / name)
    for k in range(2):
        spec = later.folder / "other" / "one.yaml"
        republish(spec, later.folder / f"other{k}", audit=False)
    assert republish(later.folder / "two.yaml", later.folder / "out2", audit=False).number == 2


def test_a_folder_beside_the_release_that_is_not_ours_to_enter() -> None:
    with TemporaryDirectory() as name:
        place = Path(name)
        for folder, mode in {"": 0o755, "ours": 0o755, "theirs": 0o700}.items():
            (place / folder).mkdir(exist_ok=True)
            (place / folder / "receipt.txt").write_text("deniable receipt 1\n")
            (place / folder).chmod(mode if os.geteuid() == 0 or folder != "theirs" else 0)
        with _somebody_else():
            found = folders_with_receipts([place])
        assert found == [place, place / "ours"]
        (place / "theirs").chmod(0o700)


@contextmanager
def _somebody_else() -> Iterator[None]:
    """Whom folders can be closed to, which they cannot be to root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_receipt_says_nothing_without_the_key(later: Work) -> None:
    """Two digests that no two releases have in common, be they the same release in two ledgers."""
    republish(later.folder / "two.yaml", later.folder / "out2", audit=False, seed=1)
    (later.folder / "book.ledger").unlink()
    (later.folder / "book.ledger.journal").unlink()
    republish(later.folder / "two.yaml", later.folder / "out3", audit=False, seed=1)
    lines = [(later.folder / out / "receipt.txt").read_text().splitlines() for out in ("out1", "out2", "out3")]
    assert {tuple(map(len, told)) for told in lines} == {(18, 64, 64)}
    digests = [line for told in lines for line in told[1:]]
    assert len(set(digests)) == len(digests)


def test_a_release_that_was_taken_back_does_not_come_back(later: Work, host: Host) -> None:
    (ended,) = host.run(later.folder, Job("two.yaml", "out2", step="committed"))
    assert ended.status == -signal.SIGKILL
    api.verify(later.folder / "one.yaml")
    api.republish(later.folder / "three.yaml", later.folder / "out3", dry_run=True, audit=False)  # the journal has it
    assert api.undo(later.folder / "two.yaml").release == 2
    assert republish(later.folder / "three.yaml", later.folder / "out3", audit=False).number == 2
    holds(later.folder, 2)


@pytest.mark.parametrize("call", ["deniable.ledgers.outbox:staged", "deniable.ledgers.journal:renew"])
def test_a_log_that_is_lost_after_the_files_went_out(call: str, later: Work, host: Host) -> None:
    """Whatever a run that was killed left beside the ledger: the release is in the ledger itself."""
    (ended,) = host.run(later.folder, Job("two.yaml", "out2", call=call))
    assert ended.status == -signal.SIGKILL
    shutil.rmtree(later.folder / "book.ledger.open", ignore_errors=True)
    (later.folder / "book.ledger.journal").unlink()
    assert set(read_book(later.folder).files) == {1, 2}
    assert republish(later.folder / "three.yaml", later.folder / "out3", audit=False).number == 3


def test_a_ledger_of_which_a_byte_was_changed_is_not_gone_on_from(later: Work) -> None:
    """Wherever it is: in the file's blocks, or with their checksums made anew."""
    with duckdb.connect(str(later.folder / "book.ledger")) as connection:
        connection.execute("UPDATE seats SET value = 1 - value WHERE value < 2 AND person < 9")
    refused(later.folder, "release 1 is not what was entered: the ledger is damaged, or was changed")


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE groups SET signature = signature + 1 WHERE grp = 1",
        "UPDATE people SET i0 = 'somebody' WHERE person = 3",
        "UPDATE domain SET value = 'else' WHERE code = 1",
        "UPDATE files_1 SET content = content || '\\x00'::BLOB",
        "UPDATE releases SET m = 2",
        "DELETE FROM signatures WHERE signature = 0",
    ],
)
def test_whatever_was_changed(change: str, later: Work) -> None:
    with duckdb.connect(str(later.folder / "book.ledger")) as connection:
        connection.execute(change)
    refused(later.folder, "release 1 is not what was entered: the ledger is damaged, or was changed")
    assert (
        "release 1 is not what was entered: the ledger is damaged, or was changed"
        in api.verify(later.folder / "one.yaml").mismatches
    )


def test_names_in_a_ledger_are_no_paths(later: Work, host: Host) -> None:
    host.run(later.folder, Job("two.yaml", "out2", step="committed"))
    with duckdb.connect(str(later.folder / "book.ledger")) as connection:
        connection.execute("UPDATE files_2 SET name = '../../stolen.csv' WHERE name = 'release.csv'")
        connection.execute("DROP TABLE links")  # whoever makes such a ledger can make its digests too
    with pytest.raises(BadInput, match="expected a ledger; found another file, or one that is damaged"):
        republish(later.folder / "two.yaml", later.folder / "out2", audit=False)
    assert not list(later.folder.parent.rglob("stolen.csv"))


def test_a_ledger_that_reads_another_file(later: Work) -> None:
    (later.folder / "secret.csv").write_text("release,made\n1,now\n")
    with duckdb.connect(str(later.folder / "book.ledger")) as connection:
        connection.execute("ALTER TABLE releases RENAME TO old")
        connection.execute(f"CREATE VIEW releases AS SELECT * FROM read_csv('{later.folder / 'secret.csv'}')")
    refused(later.folder, "book.ledger")


@pytest.mark.parametrize("gone", ["parent", "used"])
def test_a_release_whose_folder_is_gone_keeps_no_other_table_from_being_published(
    gone: str, later: Work, host: Host
) -> None:
    (later.folder / "disk").mkdir()
    host.run(later.folder, Job("two.yaml", "disk/out2", step="committed"))
    if gone == "parent":
        shutil.rmtree(later.folder / "disk")
    else:
        (later.folder / "disk" / "out2").mkdir(exist_ok=True)
        (later.folder / "disk" / "out2" / "letter.txt").write_text("something else")
    said: list[str] = []
    made = republish(later.folder / "three.yaml", later.folder / "out3", audit=False, warn=said.append)
    assert (made.number, made.finished) == (3, None)
    assert len(said) == 1
    assert said[0].startswith("release 2 is in the ledger, but was not written out: its folder was ")
    assert not list(later.folder.rglob("disk/**/release.csv"))
    again = republish(later.folder / "two.yaml", later.folder / "out2", audit=False)
    assert (again.number, again.finished) == (2, 2)
    holds(later.folder, 3)
    assert read_book(later.folder).pending == []
