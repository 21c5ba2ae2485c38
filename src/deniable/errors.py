"""What can go wrong, and the exit status each kind of wrong has.

0 is success, 1 a requirement that failed or cannot be achieved, 2 bad input
or something unsupported, 3 a limit that was exceeded or a machine that failed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Mistake:
    """One thing wrong with the input: where it stands and what was expected there."""

    where: str
    what: str
    snippet: str = ""

    def __str__(self) -> str:
        line = f"{self.where}: {self.what}" if self.where else self.what
        return f"{line}\n{self.snippet}" if self.snippet else line


class DeniableError(Exception):
    """The root of every error that deniable raises on purpose."""

    exit_status = 3


class BadInput(DeniableError):
    """The input is wrong; carries every mistake that was found, not just the first."""

    exit_status = 2

    def __init__(self, mistakes: Mistake | Iterable[Mistake]) -> None:
        self.mistakes = (mistakes,) if isinstance(mistakes, Mistake) else tuple(mistakes)
        super().__init__("\n".join(str(mistake) for mistake in self.mistakes))


class Unsupported(BadInput):
    """The input is well formed, but asks for something that no analysis here answers."""


class Unachievable(DeniableError):
    """What was asked cannot be had from this table; the message says what can."""

    exit_status = 1


class LimitExceeded(DeniableError):
    """The answer would need more work or memory than the limit allows."""


class EngineError(DeniableError):
    """The database or the machine failed. Never quotes a cell of the table."""
