"""republish --undo: take back the last release, if it was never written out."""

from __future__ import annotations

from pathlib import Path

from deniable.analyses.history.ledger_history import layout_of, ledger_path
from deniable.bind.files import need
from deniable.errors import BadInput, Mistake, Reason
from deniable.frozen import frozen
from deniable.ledgers.file import Ledger, forget_journal, ledger, remove_file
from deniable.ledgers.outbox import sweep_out, unwritten
from deniable.ledgers.read import DatedRelease, dated_releases
from deniable.ledgers.undo import is_out, remembers, remove
from deniable.release import Release


@frozen
class Undone:
    """The release that was taken back, and the last one now; with none left, the ledger is gone too."""

    ledger: Path
    release: int
    last: DatedRelease | None


def undo(release: Release) -> Undone:
    """Take back the last release. Raises BadInput with the reason where it may have been published."""
    need(release, "republish", "identifier", "quasi", "private")
    path = ledger_path(release)
    with ledger(path, layout_of(release)) as book:
        taken = _release_to_undo(book)
        before = [one for one in dated_releases(book) if one.number < taken]
        forget_journal(book)
        if before:
            remove(book, taken)
    if not before:
        remove_file(path)
    return Undone(path, taken, before[-1] if before else None)


def _release_to_undo(book: Ledger) -> int:
    last = dated_releases(book)[-1]
    waiting = next((one for one in unwritten(book) if one.release == last.number), None)
    if waiting is None:
        what = Reason("again.was_written", release=last.number, made=last.made)
        raise BadInput(Mistake(str(book.path), what))
    sweep_out(waiting.folder)
    if is_out(book, waiting.release, waiting.folder):
        what = Reason("again.is_written", release=waiting.release, folder=str(waiting.folder))
        raise BadInput(Mistake(str(book.path), what))
    if not remembers(book, waiting.release):
        raise BadInput(Mistake(str(book.path), Reason("again.forgotten", release=waiting.release)))
    return waiting.release
