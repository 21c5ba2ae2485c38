"""Views meet their table: it is attached, every statement is read, and conditions are tried; nothing is computed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from deniable.arrow import only
from deniable.bind.files import at_key, header, types_of, writing_of
from deniable.bind.roles import named_columns, role_mistakes, unknown_columns
from deniable.engines.dialect import ColumnType
from deniable.engines.scope import Attached, Relation, Scope
from deniable.errors import BadInput, Mistake, UnfitQuery, in_order
from deniable.release import Release
from deniable.spec.locations import Path
from deniable.sql import conditions, domain
from deniable.sql.parse import View, parse_secret, parse_view
from deniable.words import underline


@dataclass(frozen=True)
class Bound:
    """A release whose names all exist: its table in the engine, its statements read."""

    release: Release
    scope: Scope
    source: Relation
    columns: Mapping[str, ColumnType]
    views: tuple[View, ...]
    secret: View | None
    unmet: frozenset[str] = frozenset()  # views whose condition was tried, and which nobody meets

    @property
    def text_columns(self) -> tuple[str, ...]:
        """Identifier columns that the engine holds in another type than text."""
        return tuple(name for name in self.release.id_columns if not self.columns[name].is_text)


def bind(release: Release, scope: Scope, *, try_conditions: bool = True, every: bool = False) -> Bound:
    """Attach the table and read the views. Raises BadInput with every mistake.

    Only columns that the release uses are read, unless `every` public one shall be. Conditions are tried on every row,
    unless the analysis is about to do that anyway: without `try_conditions`, those of views that tell of the private
    column are not tried.
    """
    mistakes: list[Mistake] = []
    unmet: set[str] = set()
    looked = look(release, scope, mistakes, unmet, try_conditions=try_conditions, every=every)
    table = looked.table
    if table is None or mistakes:
        raise BadInput(in_order(mistakes))
    return Bound(release, scope, table.relation, table.columns, looked.views, looked.secret, frozenset(unmet))


@dataclass(frozen=True)
class Looked:
    """What can be read of a release: the names of all columns, the table with those that are used, statements."""

    names: Sequence[str]
    table: Attached | None
    views: tuple[View, ...]
    secret: View | None


def look(
    release: Release, scope: Scope, mistakes: list[Mistake], unmet: set[str], *, try_conditions: bool = True,
    every: bool = False,
) -> Looked:  # fmt: skip
    """The table, if it can be read, and the statements that can; `mistakes` is told what is wrong with the others, and
    `unmet` which views select nobody. `every` column that is public is read, and not only those that are used."""
    mistakes += role_mistakes(release)
    wrong: list[Mistake] = []
    names = _header(release, scope, mistakes)
    if names is not None:
        wrong += unknown_columns(release, names)
    views, secret = _statements(release, names, wrong)
    used = _used(release, [*views, *([secret] if secret else [])], every=every)
    table, fits = (None, False) if names is None else _attach(release, scope, used, mistakes)
    mistakes += wrong
    if table is not None and fits:
        tried = [view for view in views if try_conditions or not view.mentions(release.private)]
        places: list[tuple[View, str, Path]] = [(v, f"view {v.name}", ("views", v.name)) for v in tried]
        for statement, label, path in [*places, *([(secret, "secret", ("secret",))] if secret else [])]:
            is_met, mistake = _tried(release, scope, table, statement, label, path)
            mistakes += [mistake] if mistake else []
            if not is_met and statement is not secret:
                unmet.add(statement.name)
    if table is not None and fits and release.domain and release.private in table.columns:
        mistakes += _unfit_domain(release, scope, table.relation, table.columns[release.private])
    return Looked(names or (), table, views, secret)


def _header(release: Release, scope: Scope, mistakes: list[Mistake]) -> Sequence[str] | None:
    try:
        return header(release, scope)
    except BadInput as error:
        mistakes += error.mistakes
        return None


def _used(release: Release, statements: Iterable[View], *, every: bool) -> set[str] | None:
    """The columns that are to be read; None for all. Where nothing says what is published, the whole table is."""
    if not release.public and (every or not (release.views or release.quasi)):
        return None
    return named_columns(release).union(*({*one.columns, *one.condition_columns()} for one in statements))


def _attach(
    release: Release, scope: Scope, used: Collection[str] | None, mistakes: list[Mistake]
) -> tuple[Attached | None, bool]:
    """The table, if it can be read at all, and whether `types` fits its columns."""

    def attach(types: Mapping[str, str]) -> Attached:
        return scope.attach(
            release.table, "source", text=release.id_columns, types=types, folder=release.folder, columns=used,
            title=release.title, written=writing_of(release),
        )  # fmt: skip

    try:
        return attach(release.types), True
    except BadInput as error:
        mistakes += [at_key(release, mistake) for mistake in error.mistakes]
        unfit = {mistake.where.removeprefix("types.") for mistake in error.mistakes}
    if not unfit <= set(release.types):
        return None, False
    return attach({column: kind for column, kind in release.types.items() if column not in unfit}), False


def _statements(
    release: Release, columns: Sequence[str] | None, mistakes: list[Mistake]
) -> tuple[tuple[View, ...], View | None]:
    views: list[View] = []
    for name, sql in release.views.items():
        view = parse_view(name, sql, release.name, columns, release.locations, release.private)
        if isinstance(view, View):
            views.append(view)
        else:
            mistakes += view
    if release.secret is None:
        return tuple(views), None
    secret = parse_secret(release.secret, release.name, columns, release.locations, release.private)
    if not isinstance(secret, View):
        mistakes += secret
        return tuple(views), None
    wanted = (*release.id_columns, release.private)
    if len(wanted) > 1 and release.private and set(secret.columns) != set(wanted):
        what = f"secret: expected SELECT {', '.join(wanted)}; found SELECT {', '.join(secret.columns)}"
        mistakes.append(Mistake(release.locations.at("secret"), what))
    return tuple(views), secret


def _unfit_domain(release: Release, scope: Scope, source: Relation, kind: ColumnType) -> Iterable[Mistake]:
    """The domain has every value that the column has, each in the column's type. Says how many, never which."""
    private, locations = release.private, release.locations
    lost = scope.fetch(domain.unfit(release.domain, kind)).to_pylist()[0]
    wrong = [i for i, value in enumerate(release.domain) if value is not None and lost[f"d{i}"]]
    if wrong:
        what = f"domain: expected values of {private} ({kind}); found {_count(len(wrong), 'other')}"
        yield Mistake(locations.at("domain", wrong[0]), what)
        return
    missing = scope.fetch(domain.outside(source, release.domain, private, kind)).to_pylist()[0]
    if missing["cells"]:
        found = f"{_count(missing['cells'], 'value')} missing, in {_count(missing['rows'], 'row')} of {release.title}"
        yield Mistake(locations.at("domain"), f"domain: expected every value that {private} has; found {found}")


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}{'' if number == 1 else 's'}"


def _tried(
    release: Release, scope: Scope, table: Attached, statement: View, label: str, path: Path
) -> tuple[bool, Mistake | None]:
    """Whether any row meets a condition, which is evaluated on all of them: it may compare what cannot be compared."""
    if statement.condition is None:
        return True, None
    try:
        return bool(only(scope.fetch(conditions.met(table.relation, statement.condition, release.id_columns)))), None
    except UnfitQuery:
        used = types_of(table.columns, sorted(statement.condition_columns()))
        start = statement.sql.lower().rfind("where")
        what = f"{label}: expected one type on both sides of a comparison; found another beside {used}"
        snippet = underline(statement.shown, start, len(statement.sql))
        return True, Mistake(release.locations.within(path, statement.sql, start), what, snippet)
