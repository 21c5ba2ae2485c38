"""What can go wrong, and the exit status each kind of wrong has.

0 is success, 1 a requirement that failed or cannot be achieved, 2 bad input
or something unsupported, 3 a limit that was exceeded or a machine that failed.

An error of an analysis carries data, a `Reason`; the sentence is made of it in `report.sentences` when it is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from deniable.frozen import frozen


class Reason:
    """Why something cannot be: the name of a sentence in `report.sentences`, and the data that it speaks of."""

    def __init__(self, sentence: str, **data: Any) -> None:
        self.sentence, self.data = sentence, data

    def __str__(self) -> str:
        from deniable.report.sentences import say

        return say(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reason) and (self.sentence, self.data) == (other.sentence, other.data)

    def __hash__(self) -> int:
        return hash(self.sentence)

    def __repr__(self) -> str:
        return f"Reason({self.sentence!r})"  # the data may hold cells


@frozen
class Mistake:
    """One thing wrong with the input: where it stands and what was expected there."""

    where: str
    what: str | Reason
    snippet: str = ""

    def __str__(self) -> str:
        what = str(self.what)
        named = not self.where or what.startswith(f"{self.where}: ")  # a key that came from Python
        line = what if named else f"{self.where}: {what}"
        return f"{line}\n{self.snippet}" if self.snippet else line


def in_order(mistakes: Iterable[Mistake]) -> list[Mistake]:
    """Mistakes as somebody meets them who reads the file: by line, then by column."""
    return sorted(mistakes, key=_position)


def _position(mistake: Mistake) -> tuple[int, int]:
    parts = mistake.where.rsplit(":", 2)
    if len(parts) == 3 and parts[1].isdigit() and parts[2].isdigit():
        return int(parts[1]), int(parts[2])
    return 0, 0


class DeniableError(Exception):
    """The root of every error that deniable raises on purpose.

    Its text names arguments as Python does; `typed` has the options of the command line.
    """

    exit_status = 3

    def __str__(self) -> str:
        return _in_python(self.typed())

    def typed(self) -> str:
        """What the command line says."""
        return super().__str__()


_FLAGS = ("begin", "dry_run", "excel_safe", "new_episode", "reveal", "suppress", "withhold")  # options without a value
_OPTION = re.compile(r"--([a-z]+(?:-[a-z]+)*)(?: (exact)\b)?")


def _in_python(text: str) -> str:
    """--limit is limit, --withhold is withhold=True, --method exact is method='exact'."""

    def argument(option: re.Match[str]) -> str:
        name, value = option.group(1).replace("-", "_"), option.group(2)
        return f"{name}=True" if name in _FLAGS else f"{name}={value!r}" if value else name

    return _OPTION.sub(argument, text)


class BadInput(DeniableError):
    """The input is wrong; carries every mistake that was found, not just the first."""

    exit_status = 2

    def __init__(self, mistakes: Mistake | Iterable[Mistake]) -> None:
        self.mistakes = (mistakes,) if isinstance(mistakes, Mistake) else tuple(mistakes)
        super().__init__(self.mistakes)

    def typed(self) -> str:
        """Every mistake, one below the other."""
        return "\n".join(str(mistake) for mistake in self.mistakes)


class NoRows(BadInput):
    """A table with columns and no row, which some files may be."""


class Unsupported(BadInput):
    """The input is well formed, but asks for something that no analysis here answers."""


class Unachievable(DeniableError):
    """What was asked cannot be had from this table; the message says what can."""

    exit_status = 1


class NotMet(DeniableError):
    """A verdict that is no pass, raised by those who ask for one: `deniable.audit(release).require()`."""

    exit_status = 1


class LimitExceeded(DeniableError):
    """The answer would need more work or memory than the limit allows."""


class EngineError(DeniableError):
    """The database or the machine failed. Never quotes a cell of the table."""


class UnfitQuery(EngineError):
    """The database cannot evaluate a query on values of these types."""


class OthersMayRead(UserWarning):
    """Something private has a mode that lets others read it."""
