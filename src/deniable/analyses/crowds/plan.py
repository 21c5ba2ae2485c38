"""Which views say something of the private column, and the key that they give each person.

A view that mentions the private column nowhere says nothing and is dropped. The key of a person
is, for each other view, whether it selects them (or with which private values it would) and the
public columns that it then shows. Key columns that others decide are left out: grouping by fewer
columns gives the same classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from sqlglot import exp

from deniable.bind.views import Bound
from deniable.engines.dialect import Kind
from deniable.engines.scope import Relation
from deniable.release import Release
from deniable.sql import crowds as queries
from deniable.sql.build import as_text
from deniable.sql.conditions import Separated, separate
from deniable.sql.parse import View


@dataclass(frozen=True)
class Seen:
    """A view that says something of the private column."""

    number: int
    name: str
    shown: tuple[str, ...]  # the public columns that it publishes
    projects: bool  # whether it publishes the private one
    distinct: bool
    condition: exp.Expr | None
    on_private: bool  # whether the condition mentions the private column
    separated: Separated | None = None

    def public_columns(self, private: str) -> tuple[str, ...]:
        """The public columns of its condition."""
        if self.condition is None:
            return ()
        names = (column.name for column in self.condition.find_all(exp.Column))
        return tuple(sorted({name for name in names if name != private}))

    @property
    def parts(self) -> tuple[str, ...]:
        """Our names for what decides its set of values, where the condition is separable."""
        if self.separated is None:
            return ()
        truths = [f"a{self.number}_{i}" for i in range(len(self.separated.public))]
        return (*truths, *(f"e{self.number}_{i}" for i in range(len(self.separated.thresholds))))


@dataclass(frozen=True)
class Plan:
    """The views that matter and everybody's keys."""

    release: Release
    source: Relation
    public: tuple[str, ...]
    views: tuple[Seen, ...]
    text: tuple[str, ...]
    unknown: tuple[str, ...]  # columns that views use although they are not public: taken as known
    silent: tuple[str, ...]  # views that say nothing of the private column

    @property
    def private(self) -> str:
        """The private column."""
        return self.release.private

    @cached_property
    def used(self) -> dict[str, str]:
        """The columns that keys are made of, and our names for them."""
        names: dict[str, None] = {}
        for view in self.views:
            names.update(dict.fromkeys(view.shown))
            if view.separated is None:
                names.update(dict.fromkeys(view.public_columns(self.private)))
        return {name: f"c{i}" for i, name in enumerate(names)}

    def set_parts(self, view: Seen) -> tuple[str, ...]:
        """The columns of `base` that decide a view's set of private values."""
        if view.separated is not None:
            return view.parts
        return tuple(self.used[name] for name in view.public_columns(self.private))

    @cached_property
    def _open(self) -> tuple[str, ...]:
        """Columns that some view shows of everybody."""
        return tuple(dict.fromkeys(c for view in self.views if view.condition is None for c in view.shown))

    @cached_property
    def _keyed(self) -> dict[str, exp.Expr]:
        """The key columns, as text that identifies each and the tree that computes it."""
        found: dict[str, exp.Expr] = {name: exp.column(self.used[name], "base") for name in self._open}
        for view in self.views:
            if view.condition is None:
                continue
            flag = self._flag(view)
            if view.on_private:
                found[f"sets of {view.number}"] = exp.column("t", f"sets{view.number}")
            elif not set(view.public_columns(self.private)) <= set(self._open):
                found[flag.sql()] = flag
            for name in view.shown:
                if name not in self._open:
                    shown = exp.Case().when(flag.copy(), exp.column(self.used[name], "base"))
                    found[shown.sql()] = shown
        return found or {"everybody": exp.Literal.number(0)}

    @property
    def keys(self) -> dict[str, exp.Expr]:
        """k0, k1, … and the tree of each, over `base` and the sets of views."""
        return {f"k{i}": tree.copy() for i, tree in enumerate(self._keyed.values())}

    def _flag(self, view: Seen) -> exp.Expr:
        if view.on_private:
            return exp.NEQ(this=exp.column("t", f"sets{view.number}"), expression=exp.Literal.number(0))
        return queries.holds(queries.renamed(self._of(view), {n: exp.column(c, "base") for n, c in self.used.items()}))

    def _of(self, view: Seen) -> exp.Expr:
        if view.condition is None:
            raise TypeError("a view without a condition selects everybody")
        return view.condition

    def cell(self, view: Seen) -> tuple[exp.Expr, list[exp.Expr]]:
        """Whether a class is selected by a view, and what it shows, over the columns of `numbered`."""
        key = {name: f"k{i}" for i, name in enumerate(self._keyed)}
        if view.condition is None:
            return exp.true(), [exp.column(key[name]) for name in view.shown]
        flag = self._flag(view)
        if view.on_private:
            mine: exp.Expr = exp.NEQ(this=exp.column(key[f"sets of {view.number}"]), expression=exp.Literal.number(0))
        elif flag.sql() in key:
            mine = exp.column(key[flag.sql()])
        else:
            mine = queries.holds(queries.renamed(self._of(view), key))
        shown: list[exp.Expr] = []
        for name in view.shown:
            if name in self._open:
                shown.append(exp.Case().when(mine.copy(), exp.column(key[name])))
            else:
                case = exp.Case().when(flag.copy(), exp.column(self.used[name], "base"))
                shown.append(exp.column(key[case.sql()]))
        return mine, shown

    def set_column(self, view: Seen) -> str:
        """The key column with the number of a view's set of values."""
        return f"k{list(self._keyed).index(f'sets of {view.number}')}"

    def further(self) -> Mapping[str, exp.Expr]:
        """What `base` computes for separable conditions: truths of public parts, and thresholds."""
        found: dict[str, exp.Expr] = {}
        for view in self.views:
            if view.separated is None:
                continue
            trees = [queries.truth(as_text(tree, self.text)) for tree in view.separated.public]
            trees += [as_text(tree, self.text) for tree in view.separated.thresholds]
            found.update(zip(view.parts, trees, strict=True))
        return found


def plan(bound: Bound) -> Plan:
    """Sort out the views; without any, the table itself is what is published."""
    release, private = bound.release, bound.release.private
    public = tuple(release.public) or tuple(name for name in bound.columns if name != private)
    statements = bound.views or (_whole(release, public),)
    whole = {
        name for name, kind in bound.columns.items() if kind.kind is Kind.INTEGER and name not in bound.text_columns
    }
    views = [_seen(view, private, whole) for view in statements]
    telling = [view for view in views if view.projects or view.on_private]
    numbered = tuple(replace(view, number=i) for i, view in enumerate(telling))
    used = {c for view in numbered for c in (*view.shown, *view.public_columns(private))}
    unknown = tuple(sorted(used - set(public)))
    silent = tuple(view.name for view in views if view not in telling)
    return Plan(release, bound.source, public, numbered, bound.text_columns, unknown, silent)


def _whole(release: Release, public: tuple[str, ...]) -> View:
    """A generalized table, published as it is: a view of its quasi-identifiers and the private column."""
    columns = tuple(release.quasi) or tuple(release.public) or tuple(c for c in public if c not in release.id_columns)
    return View(release.name, (*columns, release.private), False, None, "")


def _seen(view: View, private: str, whole: set[str]) -> Seen:
    shown = tuple(name for name in view.columns if name != private)
    condition, on_private = view.condition, private in view.condition_columns()
    separated = separate(condition, private, whole) if condition is not None and on_private else None
    return Seen(0, view.name, shown, private in view.columns, view.distinct, condition, on_private, separated)
