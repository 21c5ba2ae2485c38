"""Releases that others published meet their files: groups and values, and a population file of who was in which group.

A release has one row for each published value, counterfeits included. The population has `release` (from 1), `group`,
the identifier and perhaps the private column, which then is the truth; rows without an identifier are counterfeits.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from deniable.bind.files import Mistakes, WantedFile, attach, lacks, need
from deniable.bind.lines import place
from deniable.bind.roles import repeated_identifier
from deniable.engines.scope import Attached, Relation, Scope
from deniable.errors import BadInput, Mistake
from deniable.frozen import frozen
from deniable.release import HistoryFiles, Release
from deniable.sql import attack as queries

if TYPE_CHECKING:
    from sqlglot import exp

RELEASE, GROUP = "release", "group"


@frozen
class Releases:
    """The history that the files tell, in the engine: published rows, and everything numbered."""

    identifier: tuple[str, ...]
    private: str
    number: int  # of releases
    knows_truth: bool
    published: Relation
    groups: Relation
    values: Relation
    people: Relation
    seats: Relation


def bind_releases(release: Release, scope: Scope) -> Releases:
    """Attach the files of `history` and look whether they are one. Raises BadInput with every mistake."""
    need(release, "attack", "history", "identifier", "private")
    assert release.history is not None
    repeated = list(repeated_identifier(release))
    if repeated:
        raise BadInput(repeated)
    ids, private = release.id_columns, release.private
    published, population, knows_truth = _attach(release, release.history, scope)
    groups = scope.store("group_numbers", queries.groups(published))
    values = scope.store("value_numbers", queries.values(published))
    people = scope.store("people_numbers", queries.people(population, len(ids)))
    seats = scope.store("seats", queries.seats(population, people, groups, values, len(ids)))
    found = Releases(ids, private, len(release.history.releases), knows_truth, published, groups, values, people, seats)
    mistakes = list(_mistakes(found, release.history, release.folder, scope))
    if mistakes:
        raise BadInput(mistakes)
    return found


def _attach(release: Release, files: HistoryFiles, scope: Scope) -> tuple[Relation, Relation, bool]:
    """The rows of all releases, the rows of the population, and whether the truth is among them."""
    ids, private, mistakes = release.id_columns, release.private, Mistakes()
    parts: list[exp.Select] = []
    if not files.releases:
        mistakes += [Mistake("history.releases", "expected at least one file; found none")]
    for number, path in enumerate(files.releases, 1):
        one = mistakes.of(partial(_file, release, scope, path, (GROUP, private)))
        if one is not None:
            parts.append(queries.release_rows(one.relation, number, GROUP, private))
    found = mistakes.of(partial(_file, release, scope, files.population, (RELEASE, GROUP, *ids), (private,)))
    if found is None or mistakes.found:
        raise BadInput(mistakes.found)
    knows_truth = private in found.columns
    people = queries.population(found.relation, RELEASE, GROUP, ids, private if knows_truth else None)
    population = scope.store("population", people)
    return scope.store("published", queries.together(parts)), population, knows_truth


def _file(release: Release, scope: Scope, path: str, columns: tuple[str, ...], text: tuple[str, ...] = ()) -> Attached:
    wanted = WantedFile(path, "history_file", columns, release.folder, text=text, row=queries.ROW)
    return attach(scope, wanted, lacks(path))


def _mistakes(found: Releases, files: HistoryFiles, folder: Path, scope: Scope) -> Iterator[Mistake]:
    """Everything that is no history; what is wrong, where it is first, and how often."""
    seats, count = found.seats, len(files.releases)
    for number, path in enumerate(files.releases, 1):
        query = queries.rows_without_group(found.published, number)
        yield from _told(scope, query, path, folder, "expected a group in every row; found none")
    checks = [
        (queries.other_releases(seats, count), f"expected a release from 1 to {count}; found another"),
        (queries.seats_without_group(seats), "expected a group for every person; found none"),
        (queries.other_groups(seats, count), "expected a group that the release has; found another"),
        (queries.doubled(seats), "expected each person once in a release; found one again"),
    ]
    crowded = scope.fetch(queries.crowded(seats)).to_pylist()[0]
    sizes = f"{crowded['members']:,} of them and {crowded['copies']:,} values" if crowded["n"] else ""
    checks.append((queries.crowded(seats), f"expected no more people in a group than it has values; found {sizes}"))
    if found.knows_truth:
        what = f"expected the same {found.private} in all releases; found another than before"
        checks.append((queries.changed(seats), what))
        if not crowded["n"]:
            what = f"expected a {found.private} that the group has, as often as its people have it; found another"
            checks.append((queries.unheld(found.published, seats), what))
    for query, what in checks:
        yield from _told(scope, query, files.population, folder, what)


def _told(scope: Scope, query: exp.Select, path: str, folder: Path, what: str) -> Iterator[Mistake]:
    found = scope.fetch(query).to_pylist()[0]
    if found["n"]:
        more = f" (and {found['n'] - 1:,} more)" if found["n"] > 1 else ""
        yield Mistake(place(path, found["row"], folder), what + more)
