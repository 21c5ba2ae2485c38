"""The private table beside published groups: the columns that matter are read as text, as they are compared with
published ones."""

from __future__ import annotations

from collections.abc import Sequence

from deniable.bind.coarser import bases, name_mistakes, with_coarser
from deniable.bind.files import Missing, Mistakes, WantedFile, at_key, attach, header, insist_table, writing_of
from deniable.bind.roles import names_of, place_of, told_of_private
from deniable.engines.scope import Relation, Scope
from deniable.errors import BadInput, Mistake
from deniable.release import Release
from deniable.sql import coarser as queries
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
    coarser = [name for name in columns if name in release.columns]
    if coarser:
        return _with_coarser(release, scope, columns, coarser, missing, row)
    wanted = WantedFile(
        release.table, "table_file", columns, release.folder, text=None, row=row, title=release.title,
        written=writing_of(release), own=True, asked=names_of(release),
    )  # fmt: skip
    return attach(scope, wanted, missing, lambda mistake: at_key(release, mistake)).relation


def _with_coarser(
    release: Release, scope: Scope, columns: Sequence[str], coarser: Sequence[str], missing: Missing, row: str
) -> Relation:
    """The same with coarser columns: those that they are functions of are read in their own types."""
    names, mistakes = header(release, scope), Mistakes()
    mistakes += [missing(name, names) for name in columns if name not in names and name not in release.columns]
    mistakes += list(name_mistakes(release, names))
    mistakes += list(told_of_private(release))
    mistakes.insist()
    typed = {release.columns[name].of for name in coarser if not release.columns[name].is_of_text}
    read = bases(columns, release.columns)
    try:
        table = scope.attach(
            release.table, "table_file", text=sorted(read - typed), folder=release.folder, columns=read, row=row,
            types={name: kind for name, kind in release.types.items() if name in typed}, title=release.title,
            written=writing_of(release), own=True,
        )  # fmt: skip
    except BadInput as error:
        raise type(error)([at_key(release, mistake) for mistake in error.mistakes]) from None
    found = with_coarser(release, scope, table, coarser, mistakes, row)
    mistakes.insist()
    assert found is not None
    return scope.store("table_texts", queries.texts(found.table.relation, columns, row))
