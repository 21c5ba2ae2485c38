"""Published files meet the columns that a release says they have: the groups that a release names, and the folders
that `bucketize` and `republish` write."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from deniable.arrow import only
from deniable.bind.files import Mistakes, WantedFile, attach
from deniable.bind.knowledge import Subjects
from deniable.bind.roles import names_of
from deniable.bind.table import for_counts
from deniable.engines.scope import Attached, Relation, Scope
from deniable.errors import BadInput, Mistake
from deniable.frozen import frozen
from deniable.release import Release
from deniable.sql import linkage as queries
from deniable.sql import publishing
from deniable.words import did_you_mean, named, one_of, unknown_column


@frozen
class PublishedGroups:
    """A bucketized release in the engine, groups and values numbered."""

    subjects: Subjects
    values: Relation  # g, x
    groups: Relation  # g, u
    people_count: int
    group_count: int


def published_groups(
    release: Release, scope: Scope, quasi: tuple[str, ...], mistakes: Mistakes
) -> PublishedGroups | None:
    """The two files that the release names: people with groups in one, values with groups in the other."""
    files = release.published
    if files is None:
        raise TypeError("there is nothing published to read")
    group, private = files.group, release.private
    people_file = mistakes.of(lambda: _file(release, scope, "people", (group, *quasi), row="person"))
    values_file = mistakes.of(lambda: _file(release, scope, "values", (group, private)))
    if people_file is None or values_file is None:
        return None
    people = scope.store("published_people", queries.people(people_file.relation, group, quasi))
    values = scope.store("published_values", queries.values(values_file.relation, group, private))
    groups = scope.store("groups", queries.groups(people, values))
    mistakes += _uneven(release, scope, groups)
    total = scope.fetch(queries.totals(groups)).to_pylist()[0]
    subjects = subjects_of(scope, quasi, people, values)
    return PublishedGroups(subjects, values, groups, total["people"], total["groups"])


def published_people(release: Release, scope: Scope, compared: tuple[str, ...]) -> Relation:
    """The file of people with the columns by which they are compared, its rows numbered as `person`."""
    wanted = (release.published.group if release.published else "", *compared)
    return _file(release, scope, "people", wanted, row="person").relation


def is_readable(release: Release, scope: Scope) -> bool:
    """Whether there are published people to look at."""
    return Mistakes().of(lambda: _file(release, scope, "people", ())) is not None


def subjects_of(scope: Scope, quasi: tuple[str, ...], people: Relation, values: Relation) -> Subjects:
    """People with the values that somebody among them has, numbered."""
    named = scope.store("named", queries.numbered(values, ["x"], "v"))
    names = scope.fetch(queries.by_number(named, ["x"], "v")).column("x").to_pylist()
    return Subjects(quasi, people, named, tuple(names))


def _file(release: Release, scope: Scope, key: str, wanted: tuple[str, ...], row: str = "") -> Attached:
    path = getattr(release.published, key)
    where, title = release.locations.at("published", key), f"published.{key}"

    def missing(name: str, columns: Sequence[str]) -> Mistake:
        hint = did_you_mean(name, columns)
        named = path if isinstance(path, (str, Path)) else "the table"
        what = f"{title}: unknown column {name}{hint} in {named}; expected {one_of(columns, name)}"
        return Mistake(where, what)

    def moved(mistake: Mistake) -> Mistake:
        here = mistake.where in (str(path), title)
        return Mistake(where, f"{mistake.where}: {mistake.what}") if here else mistake

    file = WantedFile(
        path, f"{key}_file", wanted, release.folder, row=row, title=title, asked=names_of(release) | {"group"}
    )
    return attach(scope, file, missing, moved)


def _uneven(release: Release, scope: Scope, groups: Relation) -> list[Mistake]:
    """A group with more values than people, or fewer, is no bucketized release."""
    row = scope.fetch(queries.uneven(groups)).to_pylist()[0]
    if not row["n"]:
        return []
    more = f" (and so have {row['n'] - 1:,} others)" if row["n"] > 1 else ""
    found = f"{row['people']:,} people and {row['copies']:,} values in one of them{more}"
    what = f"published: expected as many values as people in each group; found {found}"
    return [Mistake(release.locations.at("published"), what)]


@frozen
class BucketizedFolder:
    """people.csv and values.csv of a folder, and the table that they were made from."""

    table: Relation
    people: Relation
    values: Relation


def bucketized_folder(release: Release, folder: Path, scope: Scope) -> BucketizedFolder:
    """What `bucketize` wrote. Raises BadInput with every mistake."""
    quasi, private = release.quasi, release.private
    mistakes = Mistakes()
    table = mistakes.of(lambda: for_counts(release, scope))
    people = mistakes.of(lambda: _in_folder(scope, folder / "people.csv", (*quasi, "group")))
    values = mistakes.of(lambda: _in_folder(scope, folder / "values.csv", (private, "group")))
    mistakes.insist()
    assert table is not None
    assert people is not None
    assert values is not None
    return BucketizedFolder(table, people.relation, values.relation)


@frozen
class RepublishedFolder:
    """release.csv and counterfeits.csv of a folder, and the table; `shown` are the columns of each quasi-identifier."""

    title: str
    table: Relation
    released: Relation
    counterfeits: Relation | None  # where there are any
    shown: tuple[tuple[str, ...], ...]


def is_republished(folder: Path) -> bool:
    """Whether the folder holds a re-published release."""
    return (folder / "release.csv").exists()


def republished_folder(release: Release, folder: Path, scope: Scope) -> RepublishedFolder:
    """What `republish` wrote. Raises BadInput with every mistake."""
    path, fakes = folder / "release.csv", folder / "counterfeits.csv"
    mistakes = Mistakes()
    table = mistakes.of(lambda: for_counts(release, scope))
    released = mistakes.of(lambda: _in_folder(scope, path, (), every=True))
    shown: list[tuple[str, ...]] = []
    if released is not None:
        has = list(released.columns)
        for name in release.quasi:
            interval = (f"{name}_low", f"{name}_high")
            shown.append(interval if set(interval) <= set(has) else (name,))
        wanted = ("group", *(part for parts in shown for part in parts), release.private)
        header = named(has, wanted)
        mistakes += [Mistake(str(path), unknown_column(name, header)) for name in wanted if name not in has]
    counterfeits = mistakes.of(lambda: _in_folder(scope, fakes, ("group", "count"))) if _has_rows(fakes) else None
    mistakes.insist()
    assert table is not None
    assert released is not None
    fake = counterfeits.relation if counterfeits else None
    return RepublishedFolder(str(path), table, released.relation, fake, tuple(shown))


def _in_folder(scope: Scope, path: Path, wanted: tuple[str, ...], *, every: bool = False) -> Attached:
    """A file by its own name, which is no glob; its columns (`every`: all that it has) as text, and as they were before
    `--excel-safe`."""
    if not path.exists():
        raise BadInput(Mistake(str(path), "no such file; expected a csv, tsv or parquet file"))

    def missing(name: str, columns: Sequence[str]) -> Mistake:
        return Mistake(str(path), unknown_column(name, columns))

    found = attach(scope, WantedFile(str(path), path.stem, wanted, text=None if every else (), every=every), missing)
    texts = [name for name, kind in found.columns.items() if kind.is_text]
    if not only(scope.fetch(publishing.written_for_spreadsheets(found.relation, texts))):
        return found
    return Attached(scope.view("as_before", publishing.as_before(found.relation, texts)), found.columns)


def _has_rows(path: Path) -> bool:
    """Whether there is more than a header; also where nothing can be read, which is said when it is tried."""
    try:
        with path.open(newline="", encoding="utf-8-sig", errors="surrogateescape") as file:
            lines = csv.reader(file)
            return next(lines, None) is None or any(lines)
    except (OSError, csv.Error):
        return True
