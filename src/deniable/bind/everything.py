"""Everything that any command would read of a release, with all mistakes at once; nothing is computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from deniable.bind import groups
from deniable.bind.files import Mistakes
from deniable.bind.releases import bind_releases
from deniable.bind.table_rows import bind_table, check_republish
from deniable.bind.views import bind
from deniable.engines import opened
from deniable.engines.dialect import ColumnType
from deniable.engines.scope import Scope
from deniable.errors import BadInput, in_order
from deniable.release import Release
from deniable.sql.parse import View


@dataclass(frozen=True)
class Checked:
    """A release that is well formed and fits its table and all its files."""

    release: Release
    columns: Mapping[str, ColumnType]
    views: tuple[View, ...]


def check(release: Release, scope: Scope) -> Checked:
    """Bind everything that the release names. Raises BadInput with every mistake."""
    mistakes = Mistakes()
    bound = mistakes.of(lambda: bind(release, scope))
    groups.check(release, scope, mistakes, list(bound.columns) if bound else [])
    has_roles = release.identifier and release.quasi and release.private
    if release.republish:
        mistakes.of(lambda: check_republish(release, scope))
    elif release.generalize and has_roles:
        mistakes.of(lambda: bind_table(release, scope))
    if release.history and release.identifier and release.private:
        mistakes.of(lambda: bind_releases(release, scope))
    mistakes.insist()
    if bound is None:
        raise TypeError("a release that cannot be bound has mistakes")
    return Checked(release, bound.columns, bound.views)


def read(path: str, engine: str) -> Release:
    """The release in a file. When the file has mistakes, those of its other keys come with them."""
    from deniable.spec import yaml

    try:
        return yaml.load(path)
    except yaml.Malformed as error:
        if error.rest is None:
            raise
        try:
            with opened(engine) as started:
                check(error.rest, Scope(started))
        except BadInput as more:
            raise BadInput(in_order([*error.mistakes, *more.mistakes])) from None
        raise
