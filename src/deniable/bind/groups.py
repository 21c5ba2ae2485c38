"""Everything that `linkage` and `bucketize` read, with all mistakes at once; nothing is weighed or grouped."""

from __future__ import annotations

from collections.abc import Sequence

from deniable.bind import table
from deniable.bind.files import Mistakes, need
from deniable.bind.knowledge import (
    AttributeSet,
    Subjects,
    attribute_sets,
    entry_mistakes,
    given_columns,
    unknown_given,
    unpublished,
)
from deniable.bind.published import PublishedGroups, is_readable, published_groups, subjects_of
from deniable.engines.scope import Relation, Scope
from deniable.frozen import frozen
from deniable.release import Release
from deniable.sql import publishing


@frozen(eq=False)
class ReadGroups:
    """Published groups and what is known of them; the table, where something is to be estimated from it."""

    published: PublishedGroups
    sets: tuple[AttributeSet, ...]
    table: Relation | None


def read_groups(release: Release, scope: Scope) -> ReadGroups:
    """What `linkage` reads. Raises BadInput with every mistake of the entries, the table and all files."""
    need(release, "linkage", "private", "published", "knowledge")
    mistakes = Mistakes()
    mistakes += list(entry_mistakes(release))
    is_well_formed = not mistakes.found
    given = given_columns(release)
    published = published_groups(release, scope, given, mistakes)
    estimated = any(entry.estimate for entry in release.knowledge)
    source = mistakes.of(lambda: table.for_estimates(release, scope, given)) if estimated else None
    subjects = published.subjects if published and is_well_formed else None
    sets = attribute_sets(release, scope, subjects, mistakes)
    mistakes.insist()
    assert published is not None
    return ReadGroups(published, sets, source)


@frozen(eq=False)
class ReadTable:
    """A table to bucketize, and what is known of its people, if anything is."""

    table: Relation
    subjects: Subjects | None
    sets: tuple[AttributeSet, ...]


def read_table(release: Release, scope: Scope) -> ReadTable:
    """What `bucketize` reads. Raises BadInput with every mistake of the entries, the table and all files."""
    need(release, "bucketize", "private", "quasi")
    mistakes = Mistakes()
    mistakes += [*entry_mistakes(release), *unpublished(release)]
    is_well_formed = not mistakes.found
    source = mistakes.of(lambda: table.for_groups(release, scope))
    subjects = None
    if source is not None and is_well_formed and release.knowledge:
        given = given_columns(release)
        people = scope.store("people", publishing.as_people(source, table.ROW, given))
        values = scope.store("values", publishing.as_values(source, release.private))
        subjects = subjects_of(scope, given, people, values)
    sets = attribute_sets(release, scope, subjects, mistakes)
    mistakes.insist()
    assert source is not None
    return ReadTable(source, subjects, sets)


def check(release: Release, scope: Scope, mistakes: Mistakes, columns: Sequence[str]) -> None:
    """Tell `mistakes` of everything that `linkage`, or where nothing is published yet `bucketize`, would refuse.

    `columns` are the table's: where the published people cannot be read, those are what knowledge may be given by.
    """
    if not release.private:
        return
    if columns and (not release.published or not is_readable(release, scope)):
        mistakes += list(unknown_given(release, columns))
    if release.published and release.knowledge:
        mistakes.further(lambda: read_groups(release, scope))
    elif release.published:
        published_groups(release, scope, (), mistakes)
    elif release.knowledge and release.quasi:
        mistakes.further(lambda: read_table(release, scope))
