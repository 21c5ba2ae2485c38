"""Receipts: what a released folder says to its own ledger, and to nobody else.

Two digests under a key that only the ledger has (HMAC-SHA-256): of the release's number, and of its number and what was
published. Whoever has no key sees 128 random digits. The ledger knows its own by computing them, those of numbers that
it does not have yet among them: then it is behind what was published, and must not go on.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterable, Iterator, Sequence, Set
from pathlib import Path

from deniable.errors import BadInput, Mistake, Reason
from deniable.frozen import frozen
from deniable.ledgers.chain import read_links
from deniable.ledgers.file import Ledger, number
from deniable.ledgers.private import damaged
from deniable.ledgers.schema import has_table

RECEIPT = "receipt.txt"
_TITLE = "deniable receipt 1"
_AHEAD = 1_000  # releases that a ledger can be behind and notice
_LONGEST = 1_000  # bytes of a receipt


@frozen
class Receipt:
    """The digest of a release's number, and that of what was published under it."""

    number: str
    content: str

    def text(self) -> str:
        """As the released folder has it."""
        return f"{_TITLE}\n{self.number}\n{self.content}\n"


def make_key(ledger: Ledger) -> None:
    """A key, if the ledger has none."""
    if not has_table(ledger.connection, "identity"):
        ledger.connection.execute("CREATE TABLE identity (key BLOB)")
        ledger.connection.execute("INSERT INTO identity VALUES (?)", [secrets.token_bytes(32)])


def receipt_of(ledger: Ledger, release: int) -> Receipt | None:
    """The receipt of a release; None if a version entered it that made none."""
    key = _key(ledger)
    found = [one.published for one in read_links(ledger.connection) if one.release == release]
    return _receipt(key, release, found[0]) if key and found else None


def insist_on_receipts(ledger: Ledger, folders: Iterable[Path]) -> None:
    """Refuse to go on from a ledger that is behind a release in one of these folders, or has another in its place.

    Raises BadInput.
    """
    key, receipts = _key(ledger), list(_receipts(folders))
    if not key or not receipts:
        return
    published = {one.release: one.published for one in read_links(ledger.connection)}
    last = number(ledger, "SELECT coalesce(max(release), 0) FROM releases")
    numbers = _numbers(key, {found.number for _, found in receipts}, last + _AHEAD)
    wrong: list[Mistake] = []
    for folder, found in receipts:
        release = numbers.get(found.number)
        if release is None:  # of another ledger
            continue
        if release > last:
            what = Reason("again.behind", last=last, release=release, folder=str(folder))
        elif release in published and found.content != _receipt(key, release, published[release]).content:
            what = Reason("again.another_release", release=release, folder=str(folder))
        else:
            continue
        wrong.append(Mistake(str(ledger.path), what))
    if wrong:
        raise BadInput(wrong)


def _numbers(key: bytes, told: Set[str], end: int) -> dict[str, int]:
    """Which of these digests are of which release before some end; none that is of another ledger."""
    found: dict[str, int] = {}
    for release in range(1, end):
        if len(found) == len(told):
            break
        digest = _number(key, release)
        if digest in told:
            found[digest] = release
    return found


def folders_with_receipts(places: Sequence[Path]) -> list[Path]:
    """These folders, and those that are directly in them, as far as they have a receipt."""
    inside = [place / name for place in places for name in _names(place)]
    return [folder for folder in dict.fromkeys([*places, *inside]) if _has_receipt(folder)]


def _has_receipt(folder: Path) -> bool:
    try:
        return (folder / RECEIPT).is_file()
    except OSError:  # not ours to enter
        return False


def _names(place: Path) -> list[str]:
    try:
        return sorted(one.name for one in place.iterdir() if one.is_dir())
    except OSError:  # not ours to read
        return []


def _receipts(folders: Iterable[Path]) -> Iterator[tuple[Path, Receipt]]:
    for folder in folders:
        try:
            with (folder / RECEIPT).open("rb") as file:
                lines = file.read(_LONGEST).decode("ascii", errors="replace").splitlines()
        except OSError:
            continue
        if len(lines) == 3 and lines[0] == _TITLE:
            yield folder, Receipt(lines[1], lines[2])


def _key(ledger: Ledger) -> bytes:
    if not has_table(ledger.connection, "identity"):
        return b""
    rows = ledger.connection.execute("SELECT key FROM identity").fetchall()
    if rows and not isinstance(rows[0][0], bytes):
        raise damaged(ledger.path)
    return rows[0][0] if rows else b""


def _receipt(key: bytes, release: int, published: str) -> Receipt:
    return Receipt(_number(key, release), _digest(key, f"release {release} {published}"))


def _number(key: bytes, release: int) -> str:
    return _digest(key, f"release {release}")


def _digest(key: bytes, told: str) -> str:
    return hmac.digest(key, told.encode(), "sha256").hex()
