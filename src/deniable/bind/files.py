"""A file meets the columns that somebody needs of it: attached, or every mistake said.

All files that a release names are attached here. What differs is where a mistake stands and what a missing column is
called, which the caller says.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, TypeVar

from deniable.bind.roles import names_of
from deniable.engines.dialect import ColumnType
from deniable.engines.scope import Attached, Scope
from deniable.engines.tables import PLAIN, Writing
from deniable.errors import BadInput, Mistake, in_order
from deniable.frozen import frozen
from deniable.release import Release
from deniable.words import Glued, Unnamed, did_you_mean, listed, named

T = TypeVar("T")
Missing = Callable[[str, Sequence[str]], Mistake]  # of a column that is not there, and those that are
Moved = Callable[[Mistake], Mistake]  # what an engine says, at the place where the user reads it


@frozen
class WantedFile:
    """A file or a table in memory, and what is needed of it.

    `columns` must be there; `text` are read as text whatever they look like (None: all; by default: the columns);
    `row` names a column that numbers the rows from 1. No other columns are read than those of `columns`, `text` and
    `types`, unless `every` one shall be. `own` says that it is the release's table itself. `asked` are further names
    that a header may have.
    """

    table: Any
    what: str  # for the engine's names, and in messages about a table that has no file
    columns: Sequence[str] = ()
    folder: Path = Path()
    text: Sequence[str] | None = ()
    types: Mapping[str, str] = field(default_factory=dict)
    row: str = ""
    title: str = ""
    written: Writing = PLAIN
    every: bool = False
    own: bool = False
    asked: Collection[str] = ()


def attach(scope: Scope, wanted: WantedFile, missing: Missing, moved: Moved = lambda mistake: mistake) -> Attached:
    """Attach a file. Raises BadInput with all that is wrong with it."""
    text = None if wanted.text is None else (*wanted.columns, *wanted.text)
    read = {*wanted.columns, *(wanted.text or ()), *wanted.types}
    try:
        found = scope.attach(
            wanted.table,
            wanted.what,
            text=text,
            types=wanted.types,
            folder=wanted.folder,
            columns=None if wanted.every else read,
            row=wanted.row,
            title=wanted.title,
            written=wanted.written,
            own=wanted.own,
        )
    except BadInput as error:
        raise type(error)([moved(mistake) for mistake in error.mistakes]) from None
    lost = [name for name in wanted.columns if name not in found.columns]
    if lost:
        names = scope.header(
            wanted.table, folder=wanted.folder, title=wanted.title, written=wanted.written, own=wanted.own
        )
        columns = named(names, (*wanted.columns, *(wanted.text or ()), *wanted.asked))
        raise BadInput([missing(name, columns) for name in lost])
    return found


def insist_table(release: Release) -> None:
    """Raise BadInput unless there is a table."""
    if release.table is None:
        where = release.locations.at() if release.locations.file else "release"
        what = "table is missing; only linkage of published: and attack of history: need none"
        raise BadInput(Mistake(where, what))


def writing_of(release: Release) -> Writing:
    """How the private table is written, where it is a text file."""
    return Writing(release.encoding or PLAIN.encoding, release.decimal or PLAIN.decimal)


def header(release: Release, scope: Scope) -> Sequence[str]:
    """The names of the private table's columns, as messages may list them. Raises BadInput with what is wrong."""
    insist_table(release)
    try:
        names = scope.header(
            release.table, folder=release.folder, title=release.title, written=writing_of(release), own=True
        )
    except BadInput as error:
        raise type(error)([at_key(release, mistake) for mistake in error.mistakes]) from None
    return named(names, names_of(release))


def lacks(path: Any) -> Missing:
    """`file:1: expected the column …`, for files whose columns have names that we give."""

    def missing(name: str, columns: Sequence[str]) -> Mistake:
        found = f"{listed(columns, name)}{did_you_mean(name, columns)}"
        if isinstance(columns, Glued):
            found = "a line that may hold cells of a row (is the end of the header's line lost?)"
        elif isinstance(columns, Unnamed):
            found = "no name that is asked for (the line may be a row, and the header missing)"
        return Mistake(f"{path}:1", f"expected the column {name}; found {found}")

    return missing


class Mistakes:
    """Mistakes of several files and keys, collected so that they are said at once."""

    def __init__(self) -> None:
        self.found: list[Mistake] = []

    def __iadd__(self, more: Sequence[Mistake]) -> Mistakes:
        self.found += more
        return self

    def of(self, work: Callable[[], T]) -> T | None:
        """The result of some work, or None and its mistakes."""
        try:
            return work()
        except BadInput as error:
            self.found += error.mistakes
            return None

    def further(self, work: Callable[[], object]) -> None:
        """The mistakes of some work, less those at places and keys that were spoken of before."""
        told = {_subject(mistake) for mistake in self.found}
        try:
            work()
        except BadInput as error:
            self.found += [mistake for mistake in error.mistakes if _subject(mistake) not in told]

    def insist(self) -> None:
        """Raises BadInput with everything that was found, in the order of the file."""
        if self.found:
            raise BadInput(in_order(dict.fromkeys(self.found)))


def _subject(mistake: Mistake) -> tuple[str, str]:
    """Where a mistake stands, and the key that it speaks of."""
    return mistake.where, str(mistake.what).partition(":")[0]


def need(release: Release, command: str, *keys: str) -> None:
    """Raise BadInput unless the release names everything that a command works on."""
    missing = [key for key in keys if not getattr(release, key)]
    if missing:
        if not release.locations.file:
            raise BadInput(
                [Mistake("release", f"{command} needs Release({key}=…), which is missing") for key in missing]
            )
        where = release.locations.at()
        raise BadInput([Mistake(where, f"{command} needs {key}:, which is missing") for key in missing])


def at_key(release: Release, mistake: Mistake) -> Mistake:
    """What an engine says of the private table, at the key that names it."""
    locations = release.locations
    if str(mistake.what).startswith("expected UTF-8 text"):
        mistake = Mistake(mistake.where, f"{mistake.what} (encoding: latin-1, cp1252 or utf-16 reads others)")
    key, _, column = mistake.where.partition(".")
    if key == "types" and ("types", column) in locations.spans:
        return Mistake(locations.at("types", column), f"types.{column}: {mistake.what}")
    if mistake.where == release.title and locations.file:
        return Mistake(locations.at("table"), f"{release.title}: {mistake.what}")
    return mistake


def types_of(columns: Mapping[str, ColumnType], names: Sequence[str]) -> str:
    """Columns with their types, as a message shows them."""
    return ", ".join(f"{name} ({columns[name]})" for name in names)
