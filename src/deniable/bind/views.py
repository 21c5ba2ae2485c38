"""Views meet their table: it is attached, every statement is read, and conditions are tried; nothing is computed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from deniable.arrow import only
from deniable.bind.coarser import WithCoarser, bases, name_mistakes, with_coarser
from deniable.bind.files import Mistakes, at_key, header, types_of, writing_of
from deniable.bind.functions import base_of, finest
from deniable.bind.roles import named_columns, role_mistakes, unknown_columns
from deniable.bind.withheld import leave_out
from deniable.engines.dialect import ColumnType
from deniable.engines.scope import Attached, Relation, Scope
from deniable.errors import BadInput, Mistake, Reason, UnfitQuery, Unsupported, in_order
from deniable.frozen import frozen
from deniable.release import Release
from deniable.spec.locations import Path
from deniable.sql import coarser, conditions, domain
from deniable.sql.associations import everything
from deniable.sql.coarser import Derived
from deniable.sql.parse import View, parse_secret, parse_view
from deniable.steps import reach
from deniable.words import beside, underline


@frozen
class Bound:
    """A release whose names all exist: its table in the engine, its statements read."""

    release: Release
    scope: Scope
    source: Relation
    columns: Mapping[str, ColumnType]
    views: tuple[View, ...]
    secret: View | None
    made: tuple[Derived, ...] = ()  # the coarser columns among `columns`, as functions of the others
    finest: Bound | None = None  # what it was before a function took the place of the private column
    unmet: frozenset[str] = frozenset()  # views whose condition was tried, and which nobody meets

    @property
    def text_columns(self) -> tuple[str, ...]:
        """Identifier columns that the engine holds in another type than text."""
        return tuple(name for name in self.release.id_columns if not self.columns[name].is_text)


def bind(
    release: Release, scope: Scope, *, try_conditions: bool = True, every: bool = False, table: Attached | None = None
) -> Bound:
    """Attach the table and read the views. Raises BadInput with every mistake.

    Only columns that the release uses are read, unless `every` public one shall be. Conditions are tried on every row,
    unless the analysis is about to do that anyway: without `try_conditions`, those of views that tell of the private
    column are not tried. `table` is the release's own, where it is attached already.
    """
    reach("read.table")
    mistakes: list[Mistake] = []
    unmet: set[str] = set()
    looked = look(release, scope, mistakes, unmet, try_conditions=try_conditions, every=every, table=table)
    table = looked.table
    if table is None or mistakes:
        raise BadInput(in_order(mistakes))
    told = (looked.views, looked.secret, looked.made)
    return Bound(release, scope, table.relation, table.columns, *told, unmet=frozenset(unmet))


def with_private(bound: Bound, told: Iterable[str]) -> Bound:
    """The release of those who are told these columns: where the private one is not among them, the finest of its
    functions takes its place. Raises Unsupported if none of them says all that the others do."""
    release = bound.release
    functions = [name for name in dict.fromkeys(told) if base_of(name, release.columns) == release.private]
    if not functions or release.private in functions:
        return bound
    name = finest(functions, release.columns)
    if name is None:
        reason = Reason("views.no_finest", private=release.private, columns=functions)
        raise Unsupported(Mistake(release.locations.at("views"), reason))
    values = _domain_values(bound, [name]) if release.domain else None
    domain = () if values is None else _coarser_domain(bound, values, name)
    return replace(bound, release=replace(release, private=name, domain=domain), finest=bound)


def private_functions(bound: Bound, names: Sequence[str]) -> Relation:
    """The private column beside functions of it: in the table, and as its domain gives them."""
    whole, both = bound.finest or bound, [bound.release.private, *names]
    given = [_domain_values(whole, both)] if whole.release.domain else []
    return bound.scope.store("functions", coarser.beside_each_other([bound.source, *given], both))


def _domain_values(bound: Bound, names: Sequence[str]) -> Relation:
    """The values of the domain beside functions of the private column."""
    private = bound.release.private
    values = domain.values(bound.release.domain, bound.columns[private])
    given = bound.scope.view("domain_values", coarser.given(values, private))
    made = [one for one in bound.made if one.name in names]
    return bound.scope.view("domain_functions", coarser.with_coarser(given, [private], made))


def _coarser_domain(bound: Bound, values: Relation, name: str) -> tuple[str | None, ...]:
    """What the values of the domain become."""
    release = bound.release
    found = bound.scope.fetch(coarser.beside_each_other([values], [release.private, name]))
    cells, labels = (found.column(column).to_pylist() for column in (release.private, name))
    lost = sum(cell is not None and label is None for cell, label in zip(cells, labels, strict=True))
    if lost:
        what = f"domain: expected values that have a place in {name}; found {_count(lost, 'other')}"
        raise BadInput(Mistake(release.locations.at("domain"), what))
    return tuple(None if label is None else str(label) for label in dict.fromkeys(labels))


def attach_table(release: Release, scope: Scope) -> Attached:
    """The release's table, read once and kept, for several releases of it. Raises BadInput with every mistake."""
    reach("read.table")
    mistakes: list[Mistake] = []
    looked = look(release, scope, mistakes, set())
    if looked.read is None or mistakes:
        raise BadInput(in_order(mistakes))
    return replace(looked.read, relation=scope.store("table", everything(looked.read.relation)))


@frozen
class Looked:
    """What can be read of a release: the names of all columns, the table with those that are used, statements."""

    names: Sequence[str]
    table: Attached | None
    views: tuple[View, ...]
    secret: View | None
    made: tuple[Derived, ...] = ()
    read: Attached | None = None  # the table without coarser columns


def look(
    release: Release, scope: Scope, mistakes: list[Mistake], unmet: set[str], *, try_conditions: bool = True,
    every: bool = False, table: Attached | None = None,
) -> Looked:  # fmt: skip
    """The table, if it can be read, and the statements that can; `mistakes` is told what is wrong with the others, and
    `unmet` which views select nobody. `every` column that is public is read, and not only those that are used.
    `table` is the release's own, where it is attached already."""
    mistakes += role_mistakes(release)
    wrong: list[Mistake] = []
    names = list(table.columns) if table is not None else _header(release, scope, mistakes)
    if names is not None:
        wrong += unknown_columns(release, names)
        wrong += name_mistakes(release, names)
    views, secret = _statements(release, None if names is None else beside(names, release.columns), wrong)
    used = _used(release, [*views, *([secret] if secret else [])], every=every)
    fits = table is not None
    if table is None and names is not None:
        table, fits = _attach(release, scope, used, mistakes)
    if table is not None and not wrong:
        table = _published_people(release, scope, table, mistakes)
    mistakes += wrong
    made: tuple[Derived, ...] = ()
    read = table
    if table is not None and fits and not wrong:
        further = _with_coarser(release, scope, table, used, mistakes)
        table, made = (further.table, further.made) if further else (None, made)
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
    return Looked(names or (), table, views, secret, made, read)


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


def _with_coarser(
    release: Release, scope: Scope, table: Attached, used: Collection[str] | None, mistakes: list[Mistake]
) -> WithCoarser | None:
    """The table with the coarser columns that are used, all of them where everything is; None if they do not fit."""
    told = Mistakes()
    wanted = release.columns if used is None else used
    found = with_coarser(release, scope, table, wanted, told)
    mistakes += told.found
    return found


def _attach(
    release: Release, scope: Scope, used: Collection[str] | None, mistakes: list[Mistake]
) -> tuple[Attached | None, bool]:
    """The table, if it can be read at all, and whether `types` fits its columns."""

    def attach(types: Mapping[str, str]) -> Attached:
        return scope.attach(
            release.table, "source", text=release.id_columns, types=types, folder=release.folder,
            columns=None if used is None else bases(used, release.columns),
            title=release.title, written=writing_of(release), own=True,
        )  # fmt: skip

    try:
        return attach(release.types), True
    except BadInput as error:
        mistakes += [at_key(release, mistake) for mistake in error.mistakes]
        unfit = {mistake.where.removeprefix("types.") for mistake in error.mistakes}
    if not unfit <= set(release.types):
        return None, False
    return attach({column: kind for column, kind in release.types.items() if column not in unfit}), False


def _published_people(release: Release, scope: Scope, table: Attached, mistakes: list[Mistake]) -> Attached:
    """The table without those who are withheld."""
    try:
        return replace(table, relation=leave_out(release, scope, table.relation))
    except BadInput as error:
        mistakes += error.mistakes
        return table


def _statements(
    release: Release, columns: Sequence[str] | None, mistakes: list[Mistake]
) -> tuple[tuple[View, ...], View | None]:
    views: list[View] = []
    functions = [name for name, one in release.columns.items() if one.of == release.private]
    for name, sql in release.views.items():
        view = parse_view(name, sql, release.name, columns, release.locations, release.private, functions)
        if isinstance(view, View):
            views.append(view)
        else:
            mistakes += view
    if release.secret is None:
        return tuple(views), None
    secret = parse_secret(release.secret, release.name, columns, release.locations, release.private, functions)
    if not isinstance(secret, View):
        mistakes += secret
        return tuple(views), None
    wanted = (*release.id_columns, release.private)
    shown = {release.private if base_of(name, release.columns) == release.private else name for name in secret.columns}
    if len(wanted) > 1 and release.private and (shown != set(wanted) or len(secret.columns) != len(wanted)):
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
