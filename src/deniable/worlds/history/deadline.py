"""Time limits that hold for the work itself: what compiling takes puts them off."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Deadline:
    """So many seconds from now, or a part of what another one leaves: putting it off puts off that one, too."""

    def __init__(self, seconds: float, whole: Deadline | None = None) -> None:
        self.end = time.monotonic() + seconds
        self._whole = whole

    @property
    def left(self) -> float:
        """Seconds."""
        return self.end - time.monotonic()

    def part(self, share: float) -> Deadline:
        """When this share of the time left is over."""
        return Deadline(share * self.left, self)

    @contextmanager
    def put_off(self) -> Iterator[None]:
        """What is done inside takes nothing of the time left."""
        start = time.monotonic()
        yield
        spent, deadline = time.monotonic() - start, self
        while True:
            deadline.end += spent
            if deadline._whole is None:
                return
            deadline = deadline._whole
