"""The private table beside published groups: the columns that matter are read as text, as they are compared with
published ones."""

from __future__ import annotations

from collections.abc import Sequence

from deniable.bind.files import Missing, WantedFile, at_key, attach, insist_table, writing_of
from deniable.bind.roles import names_of, place_of
from deniable.engines.scope import Relation, Scope
from deniable.errors import Mistake
from deniable.release import Release
from deniable.words import unknown_column

ROW = "row of the table"  # a column of ours beside the user's


def for_estimates(release: Release, scope: Scope, given: Sequence[str]) -> Relation:
    """The columns that priors are estimated from."""

    def missing(name: str, columns: Sequence[str]) -> Mistake:
        return Mistake(release.locations.at("table"), unknown_column(name, columns))

    return _attach(release, scope, (*given, release.private), missing)


def for_groups(release: Release, scope: Scope) -> Relation:
    """The columns that groups are made of and published with, and the number of each row as `ROW`."""

    def missing(name: str, columns: Sequence[str]) -> Mistake:
        key = "private" if name == release.private else "quasi"
        return Mistake(place_of(release, key, name), f"{key}: {unknown_column(name, columns)}")

    return _attach(release, scope, (*release.quasi, release.private), missing, ROW)


def for_person(release: Release, scope: Scope, compared: Sequence[str]) -> Relation:
    """The columns by which somebody is found in published groups."""

    def missing(name: str, columns: Sequence[str]) -> Mistake:
        return Mistake(release.locations.at("table"), unknown_column(name, columns))

    return _attach(release, scope, (*release.id_columns, *compared, release.private), missing)


def for_counts(release: Release, scope: Scope) -> Relation:
    """The columns that queries ask about."""

    def missing(name: str, columns: Sequence[str]) -> Mistake:
        return Mistake(release.title, unknown_column(name, columns))

    return _attach(release, scope, (*release.quasi, release.private), missing)


def _attach(release: Release, scope: Scope, columns: Sequence[str], missing: Missing, row: str = "") -> Relation:
    insist_table(release)
    wanted = WantedFile(
        release.table, "table_file", columns, release.folder, text=None, row=row, title=release.title,
        written=writing_of(release), asked=names_of(release),
    )  # fmt: skip
    return attach(scope, wanted, missing, lambda mistake: at_key(release, mistake)).relation
