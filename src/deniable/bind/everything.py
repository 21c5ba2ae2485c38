"""Everything that any command would read of a release, with all mistakes at once; nothing is computed."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from deniable.bind import groups
from deniable.bind.files import Mistakes
from deniable.bind.inputs import attached_files
from deniable.bind.reading import reading_notes
from deniable.bind.releases import bind_releases
from deniable.bind.table_rows import bind_table, check_republish
from deniable.bind.views import Looked, look
from deniable.engines import opened
from deniable.engines.dialect import ColumnType
from deniable.engines.scope import Scope
from deniable.errors import BadInput, Mistake, Reason, in_order
from deniable.frozen import frozen
from deniable.release import Release
from deniable.shown import Shown
from deniable.sql.parse import View

if TYPE_CHECKING:
    from deniable.spec.yaml import Malformed


@frozen(repr=False)
class Checked(Shown):
    """A release that is well formed and fits its table and all its files."""

    release: Release
    # those that the release uses, and their types
    columns: Mapping[str, ColumnType]
    views: tuple[View, ...]
    notes: tuple[Reason, ...] = ()  # what is to be said of how the table was read
    unused: int = 0  # further columns of the table, which were not looked at


def check(release: Release, scope: Scope, wrong: Collection[str] = ()) -> Checked:
    """Bind everything that the release names. Raises BadInput with every mistake.

    `wrong` are keys that the release has been read without: what depends on them is not looked at.
    """
    mistakes = Mistakes()
    without = replace(release, views={}, secret=None) if "name" in wrong else release
    looked = Looked((), None, (), None)
    if release.table is None:
        mistakes += _tableless(release)
    else:
        looked = look(without, scope, mistakes.found, set())
    if not {"quasi", "private", "published", "knowledge"} & set(wrong):
        told = Mistakes()
        groups.check(release, scope, told, looked.names)
        mistakes.further(told.insist)
    if not {"identifier", "quasi", "private", "republish", "algorithm", "generalize"} & set(wrong):
        mistakes.further(lambda: _again(release, scope))
    if release.history and release.identifier and release.private:
        mistakes.further(lambda: bind_releases(release, scope))
    mistakes.insist()
    table = looked.table
    if table is None:
        return Checked(release, {}, ())
    notes = reading_notes(release, scope, table)
    unused = len(looked.names) - sum(name not in release.columns for name in table.columns)
    return Checked(release, table.columns, looked.views, notes, unused)


def _tableless(release: Release) -> list[Mistake]:
    """What is said of a table where there is none."""
    keys = [key for key in ("views", "secret", "domain", "republish", "generalize") if getattr(release, key)]
    return [Mistake(release.locations.at(key), f"{key}: expected table: beside it; found none") for key in keys]


def _again(release: Release, scope: Scope) -> None:
    """What `republish` would read."""
    if release.republish:
        check_republish(release, scope)
    elif release.generalize and release.identifier and release.quasi and release.private:
        bind_table(release, scope)


def explain(error: Malformed, engine: str) -> BadInput:
    """All that is wrong with a file that has mistakes: those that its other keys have with their data as well."""
    if error.rest is None:
        return error
    try:
        with opened(engine, attached_files(error.rest)) as started:
            check(error.rest, Scope(started), error.wrong)
    except BadInput as more:
        return BadInput(in_order([*error.mistakes, *more.mistakes]))
    return error
