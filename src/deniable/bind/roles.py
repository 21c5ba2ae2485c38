"""The roles of columns: which names of a release stand for which columns, and which may not stand together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from deniable.errors import Mistake
from deniable.release import Release
from deniable.words import unknown_column


def role_mistakes(release: Release) -> Iterable[Mistake]:
    """Columns in two roles that exclude each other, and limits that no release meets."""
    locations = release.locations
    seen: set[str] = set()
    for i, name in enumerate(release.id_columns):
        if name in seen:
            yield Mistake(locations.at("identifier", i), f"identifier: expected {name} once; found it twice")
        seen.add(name)
    if release.private and release.private in release.id_columns:
        what = f"private: expected a column that is not the identifier; found {release.private} as both"
        yield Mistake(locations.at("private"), what)
    for key, names in (("quasi", release.quasi), ("public", release.public)):
        if release.private and release.private in names:
            what = f"{key}: expected columns other than the private one; found {release.private}"
            yield Mistake(locations.at(key, names.index(release.private)), what)
    breach = release.require.breach
    if breach and breach.at_most <= 0:
        what = (
            "require.breach.at_most: expected more than 0, since every association has a positive "
            f"probability; found {breach.at_most:g}"
        )
        yield Mistake(locations.at("require", "breach", "at_most"), what)
    elif breach and "unrestricted" in breach.adversaries and breach.at_most < 0.5:
        what = (
            "require.breach.at_most: expected at least 0.5, below which the unrestricted probability "
            f"never is, or the adversaries restricted and keyed; found {breach.at_most:g}"
        )
        yield Mistake(locations.at("require", "breach", "at_most"), what)


def unknown_columns(release: Release, columns: Sequence[str]) -> Iterable[Mistake]:
    """Every name in the release that the table has no column for."""
    lists = {"identifier": release.id_columns, "quasi": release.quasi, "public": release.public}
    named: list[tuple[tuple[str | int, ...], str, str]] = []
    for key, names in lists.items():
        scalar = (key, 0) not in release.locations.spans
        named += [((key,) if scalar else (key, i), key, name) for i, name in enumerate(names)]
    if release.private:
        named.append((("private",), "private", release.private))
    for key in ("types", "generalize"):
        named += [((key, name, "<key>"), key, name) for name in getattr(release, key)]
    for path, key, name in named:
        if name not in columns:
            yield Mistake(release.locations.at(*path), f"{key}: {unknown_column(name, columns)}")
