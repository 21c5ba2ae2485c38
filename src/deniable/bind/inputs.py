"""Which files a release has an engine read: they are named before it is opened, and it reads no others."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from shlex import quote
from typing import Any

from deniable.engines import open_engine, opened
from deniable.engines.scope import Scope
from deniable.engines.tables import is_table_file, paths_of
from deniable.errors import Mistake
from deniable.release import Release


def no_release_file(named: object) -> Mistake | None:
    """What is said to whoever names a table instead of its release file."""
    if not isinstance(named, (str, os.PathLike)) or not (is_table_file(named) and os.path.exists(named)):
        return None
    path = os.fspath(named)
    return Mistake(path, f"this is a table; expected a release file, which `deniable init {quote(path)}` writes")


def attached_files(release: Release, *others: str | os.PathLike[str]) -> list[str]:
    """All that stand behind the names of a release, and `others` that a command is given."""
    files = (path for name in tables_of(release) for path in paths_of(name, release.folder))
    return [*files, *(os.fspath(name) for name in others)]


def tables_of(release: Release, *, groups: bool = True) -> list[str | os.PathLike[str]]:
    """The names of the tables that an engine reads for a release; without `groups`, but those that are published."""
    named: list[Any] = [
        release.table,
        *release.generalize.values(),
        *(one.hierarchy for one in release.columns.values()),
        release.withhold,
    ]
    if release.published and groups:
        named += [release.published.people, release.published.values]
    if release.history:
        named += [*release.history.releases, release.history.population]
    return [name for name in named if isinstance(name, (str, os.PathLike)) and os.fspath(name)]


@contextmanager
def scope_of(engine: str, release: Release, *others: str | os.PathLike[str]) -> Iterator[Scope]:
    """A scope in an engine that reads the files of a release, and `others`."""
    with opened(engine, attached_files(release, *others)) as started:
        yield Scope(started)


@contextmanager
def kept_scope(engine: str, release: Release) -> Iterator[Scope]:
    """The same for a result that goes on using it: closed here only if there is no result."""
    scope = Scope(open_engine(engine, attached_files(release)))
    try:
        yield scope
    except BaseException:
        scope.close()
        raise
