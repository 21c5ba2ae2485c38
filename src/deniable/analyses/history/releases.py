"""Histories that others published: release files of groups and values, and a population file of who was in which group.

A release has one row for each published value, counterfeits included. The population has `release` (from 1), `group`,
the identifier and perhaps the private column, which then is the truth; rows without an identifier are counterfeits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from sqlglot import exp

from deniable.analyses.history.chronicle import Chronicle, attach, place
from deniable.arrow import column_ints
from deniable.engines.base import Engine
from deniable.errors import BadInput, Mistake
from deniable.sql import attack as queries
from deniable.sql.build import select
from deniable.worlds.arrays import Int32s as Small
from deniable.worlds.arrays import Int64s as Ints
from deniable.worlds.history.histories import history

RELEASE, GROUP = "release", "group"


def read_releases(
    releases: Sequence[str | Path],
    population: str | Path,
    identifier: Sequence[str],
    private: str,
    folder: Path,
    engine: Engine,
) -> Chronicle:
    """The history that the files tell. Raises BadInput with every mistake."""
    knows = _attach(releases, population, identifier, private, folder, engine)
    engine.store("group_numbers", queries.groups())
    engine.store("value_numbers", queries.values())
    engine.store("people_numbers", queries.people(len(identifier)))
    engine.store("seats", queries.seats(len(identifier)))
    mistakes = list(_mistakes(releases, population, folder, engine, private if knows else ""))
    if mistakes:
        raise BadInput(mistakes)
    return _chronicle(engine, identifier, private, knows)


def _attach(
    releases: Sequence[str | Path],
    population: str | Path,
    identifier: Sequence[str],
    private: str,
    folder: Path,
    engine: Engine,
) -> bool:
    """Make the files known as `published` and `population`; whether the truth is among them."""
    mistakes: list[Mistake] = []
    parts: list[exp.Select] = []
    if not releases:
        mistakes.append(Mistake("history.releases", "expected at least one file; found none"))
    for number, path in enumerate(releases, 1):
        try:
            attach(engine, path, f"release_{number}", (GROUP, private), folder)
            parts.append(queries.release_rows(f"release_{number}", number, GROUP, private))
        except BadInput as error:
            mistakes += error.mistakes
    knows = False
    try:
        wanted = (RELEASE, GROUP, *identifier)
        knows = private in attach(engine, population, "population_file", wanted, folder)
        people = queries.population("population_file", RELEASE, GROUP, identifier, private if knows else None)
        engine.store("population", people)
    except BadInput as error:
        mistakes += error.mistakes
    if mistakes:
        raise BadInput(mistakes)
    engine.store("published", parts[0] if len(parts) == 1 else exp.union(*parts, distinct=False))
    return knows


def _mistakes(
    releases: Sequence[str | Path], population: str | Path, folder: Path, engine: Engine, private: str
) -> Iterator[Mistake]:
    """Everything that is no history; what is wrong, where it is first, and how often."""
    for number, path in enumerate(releases, 1):
        yield from _told(engine, queries.rows_where("published", f"r = {number} AND g IS NULL"), path, folder,
                         "expected a group in every row; found none")  # fmt: skip
    checks = [
        (queries.rows_where("seats", f"r IS NULL OR r NOT BETWEEN 1 AND {len(releases)}"),
         f"expected a release from 1 to {len(releases)}; found another"),
        (queries.rows_where("seats", "g IS NULL"), "expected a group for every person; found none"),
        (queries.rows_where("seats", f"r BETWEEN 1 AND {len(releases)} AND g IS NOT NULL AND u IS NULL"),
         "expected a group that the release has; found another"),
        (queries.doubled(), "expected each person once in a release; found one again"),
    ]  # fmt: skip
    crowded = engine.fetch(queries.crowded()).to_pylist()[0]
    sizes = f"{crowded['members']:,} of them and {crowded['copies']:,} values" if crowded["n"] else ""
    checks.append((queries.crowded(), f"expected no more people in a group than it has values; found {sizes}"))
    if private:
        checks.append((queries.changed(), f"expected the same {private} in all releases; found another than before"))
        if not crowded["n"]:
            what = f"expected a {private} that the group has, as often as its people have it; found another"
            checks.append((queries.unheld(), what))
    for query, what in checks:
        yield from _told(engine, query, population, folder, what)


def _told(engine: Engine, query: exp.Select, path: str | Path, folder: Path, what: str) -> Iterator[Mistake]:
    found = engine.fetch(query).to_pylist()[0]
    if found["n"]:
        more = f" (and {found['n'] - 1:,} more)" if found["n"] > 1 else ""
        yield Mistake(place(path, found["row"], folder), what + more)


def _chronicle(engine: Engine, identifier: Sequence[str], private: str, knows: bool) -> Chronicle:
    keys = [f"i{k}" for k in range(len(identifier))]
    people = engine.fetch(select(*keys, "person").from_("people_numbers").order_by("person"))
    values = engine.fetch(select("x").from_("value_numbers").order_by("v")).column("x").to_pylist()
    release = column_ints(engine.fetch(select("r").from_("group_numbers").order_by("u")), "r")
    seats, codes = engine.fetch(queries.members()), engine.fetch(queries.codes())
    story = history(
        people.num_rows,
        len(values),
        release - 1,
        _offsets(column_ints(seats, "u"), len(release)),
        column_ints(seats, "person"),
        _offsets(column_ints(codes, "u"), len(release)),
        column_ints(codes, "v"),
    )
    truth: Small | None = None
    if knows:
        truth = column_ints(engine.fetch(queries.truth()), "v").astype(np.int32)
    return Chronicle(people.select(keys).rename_columns(list(identifier)), tuple(values), truth, story, private)


def _offsets(group: Ints, groups: int) -> Ints:
    return np.concatenate([[0], np.cumsum(np.bincount(group, minlength=groups))]).astype(np.int64)
