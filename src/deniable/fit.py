"""Does the release fit its table? Attaches it and reads every statement; computes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlglot import exp

from deniable.engines.base import Engine
from deniable.errors import BadInput, EngineError, Mistake
from deniable.places import did_you_mean, underline
from deniable.release import Release
from deniable.sql.build import SOURCE, as_text
from deniable.sql.parse import View, parse_secret, parse_view


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


def fit(release: Release, engine: Engine) -> Fitted:
    """Attach the table and read the views. Raises BadInput with every mistake."""
    mistakes = list(_role_mistakes(release))
    try:
        columns = engine.attach(
            release.table,
            SOURCE,
            text=release.id_columns,
            types=release.types,
            folder=release.folder,
        )
    except BadInput as error:
        raise BadInput([*error.mistakes, *mistakes]) from None
    names = list(columns)
    mistakes += _unknown_columns(release, names)
    views, secret = _statements(release, names, mistakes)
    if not mistakes:
        mistakes += _unfit_conditions(release, engine, [*views, *([secret] if secret else [])])
    if mistakes:
        raise BadInput(mistakes)
    return Fitted(release, columns, views, secret)


def need(release: Release, command: str, *keys: str) -> None:
    """Raise BadInput unless the release names everything that a command works on."""
    missing = [key for key in keys if not getattr(release, key)]
    if missing:
        where = release.places.at() if release.places.file else "release"
        raise BadInput([Mistake(where, f"{command} needs {key}:, which is missing") for key in missing])


def _role_mistakes(release: Release) -> Iterable[Mistake]:
    places = release.places
    seen: set[str] = set()
    for i, name in enumerate(release.id_columns):
        if name in seen:
            yield Mistake(places.at("identifier", i), f"identifier: column {name} stands here twice")
        seen.add(name)
    if release.private and release.private in release.id_columns:
        what = f"expected a private column that is not the identifier; found {release.private} as both"
        yield Mistake(places.at("private"), what)
    if release.private and release.private in release.quasi:
        what = f"expected quasi-identifiers without the private column; found {release.private}"
        yield Mistake(places.at("quasi", release.quasi.index(release.private)), what)
    breach = release.require.breach
    if breach and breach.at_most <= 0:
        what = "require.breach.at_most: every association has a positive probability, so no release meets 0"
        yield Mistake(places.at("require", "breach", "at_most"), what)
    elif breach and "unrestricted" in breach.adversaries and breach.at_most < 0.5:
        what = (
            "require.breach.at_most: the unrestricted probability is never below 0.5 (each edge "
            f"is in at least half of the worlds), so no release meets {breach.at_most:g}; "
            "expected at least 0.5, or the adversaries restricted and keyed"
        )
        yield Mistake(places.at("require", "breach", "at_most"), what)


def _unknown_columns(release: Release, columns: Sequence[str]) -> Iterable[Mistake]:
    lists = {"identifier": release.id_columns, "quasi": release.quasi, "public": release.public}
    named: list[tuple[tuple[str | int, ...], str, str]] = []
    for key, names in lists.items():
        scalar = (key, 0) not in release.places.spans
        named += [((key,) if scalar else (key, i), key, name) for i, name in enumerate(names)]
    if release.private:
        named.append((("private",), "private", release.private))
    for key in ("types", "generalize"):
        named += [((key, name, "<key>"), key, name) for name in getattr(release, key)]
    for path, key, name in named:
        if name not in columns:
            hint = did_you_mean(name, columns)
            what = f"{key}: unknown column {name}{hint}; expected one of {', '.join(columns)}"
            yield Mistake(release.places.at(*path), what)


def _statements(
    release: Release, columns: Sequence[str], mistakes: list[Mistake]
) -> tuple[tuple[View, ...], View | None]:
    views: list[View] = []
    for name, sql in release.views.items():
        view = parse_view(name, sql, release.name, columns, release.places)
        if isinstance(view, Mistake):
            mistakes.append(view)
        else:
            views.append(view)
    secret: View | Mistake | None = None
    if release.secret is not None:
        secret = parse_secret(release.secret, release.name, columns, release.places)
        if isinstance(secret, View) and release.private in columns:
            wanted = {*release.id_columns, release.private}
            if set(secret.columns) != wanted:
                names = ", ".join([*release.id_columns, release.private])
                what = f"secret: expected SELECT {names}; found {', '.join(secret.columns)}"
                secret = Mistake(release.places.at("secret"), what)
        if isinstance(secret, Mistake):
            mistakes.append(secret)
            secret = None
    return tuple(views), secret if isinstance(secret, View) else None


def _unfit_conditions(release: Release, engine: Engine, statements: Sequence[View]) -> Iterable[Mistake]:
    """Conditions that compare what cannot be compared, found by binding them."""
    for statement in statements:
        if statement.condition is None:
            continue
        probe = exp.select("1").from_(SOURCE).where(as_text(statement.condition, release.id_columns))
        try:
            engine.fetch(probe.limit(0))
        except EngineError:
            path = ("secret",) if statement.name == "secret" else ("views", statement.name)
            start = statement.sql.lower().find("where")
            what = f"{'.'.join(path)}: the condition compares values of different types"
            snippet = underline(statement.sql, start, len(statement.sql))
            yield Mistake(release.places.within(path, statement.sql, start), what, snippet)
