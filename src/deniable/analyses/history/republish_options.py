"""How to publish again."""

from __future__ import annotations

from pathlib import Path

from deniable.effort import SECONDS
from deniable.frozen import frozen


@frozen
class RepublishOptions:
    """What may be done for people who changed or cannot be placed, and whether the adversary is asked first.

    `withhold` keeps newcomers who cannot be placed for the next release; `new_episode` publishes people whose cells
    changed as somebody new. `begin`: this is the table's first release. `unusual` are words of what may be unusual
    about the table (`next_table`). `published` are folders with earlier releases, beside those next to the new one, in
    which receipts are looked for. `excel_safe` writes no cell that a spreadsheet would compute. `seed` is for
    tests only.
    """

    algorithm: str | None = None
    withhold: bool = False
    new_episode: bool = False
    dry_run: bool = False
    audit: bool = True
    seconds: float = SECONDS
    seed: int | None = None
    begin: bool = False
    unusual: tuple[str, ...] = ()
    published: tuple[Path, ...] = ()
    excel_safe: bool = False
