"""Does the release fit its table? Attaches it and reads every statement; computes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from deniable.engines import open_engine
from deniable.engines.base import Engine
from deniable.errors import BadInput, Mistake, UnfitQuery, in_order
from deniable.release import Release
from deniable.spec.locations import Path
from deniable.sql import domain
from deniable.sql.build import SOURCE, as_text
from deniable.sql.parse import View, parse_secret, parse_view
from deniable.words import underline, unknown_column


@dataclass(frozen=True)
class Fitted:
    """A release whose names all exist, with its statements read."""

    release: Release
    columns: dict[str, str]
    views: tuple[View, ...]
    secret: View | None

    @property
    def text_columns(self) -> tuple[str, ...]:
        """Identifier columns that the engine holds in another type than text."""
        ids = self.release.id_columns
        return tuple(c for c in ids if self.columns[c] != "VARCHAR")


def read(path: str, engine: str) -> Release:
    """The release in a file. When the file has mistakes, those of its other keys come with them."""
    from deniable.spec import yaml as spec

    try:
        return spec.load(path)
    except spec.Malformed as error:
        if error.rest is None:
            raise
        opened = open_engine(engine)
        try:
            fit(error.rest, opened)
        except BadInput as more:
            raise BadInput(in_order([*error.mistakes, *more.mistakes])) from None
        finally:
            opened.close()
        raise


def fit(release: Release, engine: Engine, *, try_conditions: bool = True) -> Fitted:
    """Attach the table and read the views. Raises BadInput with every mistake.

    Conditions are tried on every row, unless the analysis is about to do that anyway.
    """
    mistakes = list(_role_mistakes(release))
    columns, fits = _attach(release, engine, mistakes)
    names = None if columns is None else list(columns)
    if names is not None:
        mistakes += unknown_columns(release, names)
    views, secret = _statements(release, names, mistakes)
    if columns is not None and fits and try_conditions:
        for view in views:
            mistakes += _unfit_condition(release, engine, columns, view, f"view {view.name}", ("views", view.name))
        if secret:
            mistakes += _unfit_condition(release, engine, columns, secret, "secret", ("secret",))
    if columns is not None and fits and release.domain and release.private in columns:
        mistakes += _unfit_domain(release, engine, columns[release.private])
    if columns is None or mistakes:
        raise BadInput(in_order(mistakes))
    return Fitted(release, columns, views, secret)


def _attach(release: Release, engine: Engine, mistakes: list[Mistake]) -> tuple[dict[str, str] | None, bool]:
    """The table's columns, if it can be read at all, and whether `types` fits them."""

    def attach(types: Mapping[str, str]) -> dict[str, str]:
        return engine.attach(release.table, SOURCE, text=release.id_columns, types=types, folder=release.folder)

    try:
        return attach(release.types), True
    except BadInput as error:
        mistakes += [placed(mistake, release) for mistake in error.mistakes]
        unfit = {mistake.where.removeprefix("types.") for mistake in error.mistakes}
    if not unfit <= set(release.types):
        return None, False
    return attach({column: kind for column, kind in release.types.items() if column not in unfit}), False


def placed(mistake: Mistake, release: Release) -> Mistake:
    """What an engine says of the table, at the key that names it."""
    locations = release.locations
    key, _, column = mistake.where.partition(".")
    if key == "types" and ("types", column) in locations.spans:
        return Mistake(locations.at("types", column), f"types.{column}: {mistake.what}")
    if mistake.where == release.title and locations.file:
        return Mistake(locations.at("table"), f"{release.title}: {mistake.what}")
    return mistake


def need(release: Release, command: str, *keys: str) -> None:
    """Raise BadInput unless the release names everything that a command works on."""
    missing = [key for key in keys if not getattr(release, key)]
    if missing:
        where = release.locations.at() if release.locations.file else "release"
        raise BadInput([Mistake(where, f"{command} needs {key}:, which is missing") for key in missing])


def _role_mistakes(release: Release) -> Iterable[Mistake]:
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


def _statements(
    release: Release, columns: Sequence[str] | None, mistakes: list[Mistake]
) -> tuple[tuple[View, ...], View | None]:
    views: list[View] = []
    for name, sql in release.views.items():
        view = parse_view(name, sql, release.name, columns, release.locations)
        if isinstance(view, View):
            views.append(view)
        else:
            mistakes += view
    if release.secret is None:
        return tuple(views), None
    secret = parse_secret(release.secret, release.name, columns, release.locations)
    if not isinstance(secret, View):
        mistakes += secret
        return tuple(views), None
    wanted = (*release.id_columns, release.private)
    if len(wanted) > 1 and release.private and set(secret.columns) != set(wanted):
        what = f"secret: expected SELECT {', '.join(wanted)}; found SELECT {', '.join(secret.columns)}"
        mistakes.append(Mistake(release.locations.at("secret"), what))
    return tuple(views), secret


def _unfit_domain(release: Release, engine: Engine, kind: str) -> Iterable[Mistake]:
    """The domain has every value that the column has, each in the column's type. Says how many, never which."""
    private, locations = release.private, release.locations
    lost = engine.fetch(domain.unfit(release.domain, kind)).to_pylist()[0]
    wrong = [i for i, value in enumerate(release.domain) if value is not None and lost[f"d{i}"]]
    if wrong:
        what = f"domain: expected values of {private} ({kind.lower()}); found {_count(len(wrong), 'other')}"
        yield Mistake(locations.at("domain", wrong[0]), what)
        return
    missing = engine.fetch(domain.outside(release.domain, private, kind)).to_pylist()[0]
    if missing["cells"]:
        found = f"{_count(missing['cells'], 'value')} missing, in {_count(missing['rows'], 'row')} of {release.title}"
        yield Mistake(locations.at("domain"), f"domain: expected every value that {private} has; found {found}")


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def _unfit_condition(
    release: Release, engine: Engine, columns: Mapping[str, str], statement: View, label: str, path: Path
) -> Iterable[Mistake]:
    """A condition that compares what cannot be compared, found by evaluating it on every row."""
    if statement.condition is None:
        return
    holds = as_text(statement.condition, release.id_columns)
    try:
        engine.fetch(exp.select(exp.LogicalOr(this=holds)).from_(SOURCE))
    except UnfitQuery:
        used = ", ".join(f"{name} ({columns[name].lower()})" for name in sorted(statement.condition_columns()))
        start = statement.sql.lower().rfind("where")
        what = f"{label}: expected one type on both sides of a comparison; found another beside {used}"
        snippet = underline(statement.sql, start, len(statement.sql))
        yield Mistake(release.locations.within(path, statement.sql, start), what, snippet)
