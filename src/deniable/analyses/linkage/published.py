"""A bucketized release as it was published: people with groups in one file, values with groups in another."""

from __future__ import annotations

from dataclasses import dataclass

from deniable.engines.base import Engine
from deniable.errors import BadInput, Mistake
from deniable.release import Release
from deniable.sql import linkage as queries
from deniable.sql.build import select
from deniable.words import did_you_mean


@dataclass(frozen=True)
class Published:
    """The release in the engine, groups and values numbered."""

    quasi: tuple[str, ...]  # the columns that knowledge is given by; q0, q1, … in the engine
    people: int
    groups: int
    values: tuple[str | None, ...]  # by number

    def columns(self, given: tuple[str, ...]) -> list[str]:
        """Our names for some quasi-identifiers."""
        return [f"q{self.quasi.index(name)}" for name in given]


def read_published(release: Release, engine: Engine, quasi: tuple[str, ...]) -> Published:
    """Attach both files and number what they hold. Raises BadInput with every mistake."""
    files = release.published
    if files is None:
        raise TypeError("there is nothing published to read")
    group, private = files.group, release.private
    mistakes: list[Mistake] = []
    _attach(release, engine, "people", (group, *quasi), mistakes, row="person")
    _attach(release, engine, "values", (group, private), mistakes)
    if mistakes:
        raise BadInput(mistakes)
    engine.store("published_people", queries.people("people_file", group, quasi))
    engine.store("published_values", queries.values("values_file", group, private))
    engine.store("groups_", queries.groups())
    _check_even(release, engine)
    engine.store("named", queries.numbered("published_values", ["x"], "v"))
    names = engine.fetch(select("x").from_("named").order_by("v")).column("x").to_pylist()
    total = engine.fetch(select("count(*) AS groups", "CAST(sum(people) AS BIGINT) AS people").from_("groups_"))
    row = total.to_pylist()[0]
    return Published(quasi, row["people"], row["groups"], tuple(names))


def _attach(
    release: Release, engine: Engine, key: str, wanted: tuple[str, ...], mistakes: list[Mistake], row: str = ""
) -> None:
    path = getattr(release.published, key)
    where = release.locations.at("published", key)
    try:
        columns = engine.attach(path, f"{key}_file", text=wanted, types={}, folder=release.folder, row=row)
    except BadInput as error:
        told = str(path) if isinstance(path, str) else f"{key}_file_read"
        mistakes += [Mistake(where, f"{m.where}: {m.what}") if m.where == told else m for m in error.mistakes]
        return
    for name in wanted:
        if name not in columns:
            hint = did_you_mean(name, list(columns))
            what = f"published.{key}: unknown column {name}{hint} in {path}; expected one of {', '.join(columns)}"
            mistakes.append(Mistake(where, what))


def _check_even(release: Release, engine: Engine) -> None:
    """A group with more values than people, or fewer, is no bucketized release."""
    row = engine.fetch(queries.uneven()).to_pylist()[0]
    if row["n"]:
        more = f" (and so have {row['n'] - 1:,} others)" if row["n"] > 1 else ""
        found = f"{row['people']:,} people and {row['copies']:,} values in group {row['g']}{more}"
        what = f"published: expected as many values as people in each group; found {found}"
        raise BadInput(Mistake(release.locations.at("published"), what))
