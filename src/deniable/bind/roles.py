"""The roles of columns: which names of a release stand for which columns, and which may not stand together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from deniable.errors import Mistake
from deniable.release import Release
from deniable.words import unknown_column


def role_mistakes(release: Release) -> Iterable[Mistake]:
    """Columns in two roles that exclude each other, and limits that no release meets."""
    locations = release.locations
    yield from repeated_identifier(release)
    yield from _private_identifier(release)
    for key, names in (("quasi", release.quasi), ("public", release.public)):
        if release.private and release.private in names:
            what = f"{key}: expected columns other than the private one; found {release.private}"
            yield Mistake(locations.at(key, names.index(release.private)), what)
    yield from told_of_private(release)
    breach = release.require.breach
    if breach and breach.at_most <= 0:
        what = (
            "require.breach.at_most: expected more than 0, since every association has a positive "
            f"probability; found {breach.at_most:g}"
        )
        yield Mistake(locations.at("require", "breach", "at_most"), what)
    elif breach and "unrestricted" in (breach.adversaries or ()) and breach.at_most < 0.5:
        what = (
            "require.breach.at_most: expected at least 0.5, below which the unrestricted probability "
            f"never is, or the adversaries restricted and keyed; found {breach.at_most:g}"
        )
        yield Mistake(locations.at("require", "breach", "at_most"), what)


def told_of_private(release: Release) -> Iterable[Mistake]:
    """Columns that are known or published with people, and are functions of the private one."""
    for key, names in (("quasi", release.quasi), ("public", release.public)):
        for name in names:
            if release.private and name in release.columns and release.columns[name].of == release.private:
                of = f"found {name}, a function of {release.private}"
                yield Mistake(place_of(release, key, name), f"{key}: expected columns other than the private one; {of}")


def repeated_identifier(release: Release) -> Iterable[Mistake]:
    """Columns that the identifier has more than once, each said where it comes again."""
    names = release.id_columns
    for name in dict.fromkeys(names):
        times = names.count(name)
        if times > 1:
            again = names.index(name, names.index(name) + 1)
            found = "it twice" if times == 2 else f"it {times:,} times"
            what = f"identifier: expected {name} once; found {found}"
            yield Mistake(release.locations.at("identifier", again), what)


_NAME = re.compile(r'"([^"]+)"|(\w+)')


def names_of(release: Release) -> set[str]:
    """All names that the release asks for in its table: a first line that has none of them may be no header."""
    roles = {*release.id_columns, *release.quasi, *release.public, release.private, *release.types, *release.generalize}
    roles |= {name for entry in release.knowledge for name in entry.given}
    roles |= {one.of for one in release.columns.values()}
    for sql in (*release.views.values(), release.secret or ""):
        listed = re.split(r"\bFROM\b", sql, maxsplit=1, flags=re.IGNORECASE)[0]
        roles |= {quoted or bare for quoted, bare in _NAME.findall(listed)}
    return roles - {"", *release.columns}


def named_columns(release: Release) -> set[str]:
    """Every column of the table that a key of the release names; statements may name others."""
    lists = (release.id_columns, release.quasi, release.public, release.types, release.generalize, release.rename)
    return {name for names in lists for name in names} | ({release.private} if release.private else set())


def unknown_columns(release: Release, columns: Sequence[str]) -> Iterable[Mistake]:
    """Every name in the release that the table has no column for."""
    lists = {"identifier": release.id_columns, "quasi": release.quasi, "public": release.public}
    named: list[tuple[tuple[str | int, ...], str, str]] = []
    for key, names in lists.items():
        scalar = (key, 0) not in release.locations.spans
        named += [((key,) if scalar else (key, i), key, name) for i, name in enumerate(names)]
    if release.private:
        named.append((("private",), "private", release.private))
    for key in ("types", "generalize", "rename"):
        named += [((key, name, "<key>"), key, name) for name in getattr(release, key)]
    for path, key, name in named:
        if name in release.columns and key not in ("quasi", "public"):
            what = f"{key}: expected a column of {release.title}; found {name}, which is a coarser one"
            yield Mistake(release.locations.at(*path), what)
        elif name not in columns and name not in release.columns:
            yield Mistake(release.locations.at(*path), f"{key}: {unknown_column(name, columns)}")


def place_of(release: Release, key: str, name: str) -> str:
    """Where a role names a column: its own place in a list, or the key's."""
    names = getattr(release, key)
    path: tuple[str | int, ...] = (key,)
    if not isinstance(names, str) and (key, 0) in release.locations.spans:
        path = (key, names.index(name))
    return release.locations.at(*path)


def published_role_mistakes(release: Release, columns: Sequence[str] | None) -> Iterable[Mistake]:
    """The same for a table that is published again: what is published must not be what is hidden.

    `columns` are those of the table, where it could be read: of one that is not there that is said instead.
    """
    locations, ids = release.locations, release.id_columns
    yield from repeated_identifier(release)
    yield from _private_identifier(release)
    yield from told_of_private(release)
    for i, name in enumerate(release.quasi):
        where = locations.at("quasi", i) if ("quasi", i) in locations.spans else locations.at("quasi")
        if name == release.private or name in ids:
            what = f"quasi: expected columns other than the identifier and the private one; found {name}"
            yield Mistake(where, what)
        elif release.quasi[:i].count(name) == 1:  # said once, however often it is there
            yield Mistake(where, f"quasi: expected every column once; found {name} twice")
    for name in release.generalize:
        if (columns is None or name in columns) and name not in release.quasi:
            what = f"generalize: expected a quasi-identifier; found {name}"
            yield Mistake(locations.at("generalize", name, "<key>"), what)
    yield from rename_mistakes(release, columns)


def rename_mistakes(release: Release, columns: Sequence[str] | None = None) -> Iterable[Mistake]:
    """Earlier names that do not say which column each of them is now.

    If another column had the earlier name now, the next release could not tell whether this was done already.
    """
    locations, seen = release.locations, set[str]()
    roles = {*release.id_columns, *release.quasi, release.private}
    for name, old in release.rename.items():
        if columns is not None and name not in columns:
            continue
        if name not in roles:
            what = f"rename: expected a column of identifier, quasi or private; found {name}"
            yield Mistake(locations.at("rename", name, "<key>"), what)
        elif old in roles:
            what = f"rename.{name}: expected a name that no column of this release has now; found {old}"
            yield Mistake(locations.at("rename", name), what)
        elif old in seen:
            what = f"rename.{name}: expected every earlier name once; found {old} twice"
            yield Mistake(locations.at("rename", name), what)
        seen.add(old)


def _private_identifier(release: Release) -> Iterable[Mistake]:
    if release.private and release.private in release.id_columns:
        what = f"private: expected a column that is not the identifier; found {release.private} as both"
        yield Mistake(release.locations.at("private"), what)
