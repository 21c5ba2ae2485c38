"""The key that the views give each person: which of them select the person, and the public columns that they then show.

The user's names and conditions enter in `base`; everything else speaks of b0 (public columns), c0 (columns that the
views use), p (the private one), k0 (keys), and of the columns that decide which values a view selects. Key columns
that others decide are left out: grouping by fewer columns gives the same classes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from sqlglot import exp

from deniable.engines.dialect import as_text, same
from deniable.engines.scope import Relation
from deniable.frozen import frozen
from deniable.sql import build
from deniable.sql.build import column, number, of, select, text_of
from deniable.sql.conditions import Separated, holds, renamed, separate, truth
from deniable.sql.parse import View


@frozen
class TellingView:
    """A view that says something of the private column."""

    number: int
    name: str
    shown: tuple[str, ...]  # the public columns that it publishes
    told: tuple[str, ...]  # what it publishes of the private one: itself, or functions of it
    distinct: bool
    condition: exp.Expr | None
    asked: tuple[str, ...]  # the public columns of its condition
    on_private: bool  # whether the condition mentions the private column, or a function of it
    separated: Separated | None = None

    @property
    def projects(self) -> bool:
        """Whether it publishes the private column, or a function of it."""
        return bool(self.told)

    @property
    def where(self) -> exp.Expr:
        """The condition of a view that has one."""
        if self.condition is None:
            raise TypeError("a view without a condition selects everybody")
        return self.condition

    @property
    def truths(self) -> list[str]:
        """Our names for the truths of what a separable condition says of public columns alone."""
        return [] if self.separated is None else [f"a{self.number}_{i}" for i in range(len(self.separated.public))]

    @property
    def thresholds(self) -> list[str]:
        """And for what it compares the private column with."""
        return [] if self.separated is None else [f"e{self.number}_{i}" for i in range(len(self.separated.thresholds))]


def telling_view(
    number: int, view: View, private: str, whole: Collection[str], functions: Collection[str] = ()
) -> TellingView:
    """A view that mentions the private column or one of its functions; `whole` are the columns of whole numbers."""
    asked, condition, own = view.condition_columns(), view.condition, {private, *functions}
    plainly = condition is not None and asked & own == {private}
    return TellingView(
        number,
        view.name,
        shown=tuple(name for name in view.columns if name not in own),
        told=tuple(name for name in view.columns if name in own),
        distinct=view.distinct,
        condition=condition,
        asked=tuple(sorted(asked - own)),
        on_private=bool(asked & own),
        separated=separate(condition, private, whole) if condition is not None and plainly else None,
    )


@frozen
class Keys:
    """Everybody's key: our names for its columns, and the trees that compute them."""

    views: tuple[TellingView, ...]
    private: str
    text: tuple[str, ...]  # columns that are compared as text
    functions: tuple[str, ...] = ()  # of the private column, that views mention

    @property
    def of_value(self) -> dict[str, str]:
        """The private column and its functions, and our names for them beside a value: p, f0, f1, …"""
        return {self.private: "p", **{name: f"f{i}" for i, name in enumerate(self.functions)}}

    @property
    def names(self) -> list[str]:
        """k0, k1, …"""
        return list(self._named.values())

    @property
    def trees(self) -> dict[str, exp.Expr]:
        """The tree of each, over `base` and the sets of views."""
        return {name: tree.copy() for tree, name in self._named.items()}

    @cached_property
    def used(self) -> dict[str, str]:
        """The columns that keys are made of, and our names for them."""
        names: dict[str, None] = {}
        for view in self.views:
            names.update(dict.fromkeys(view.shown))
            if view.separated is None:
                names.update(dict.fromkeys(view.asked))
        return {name: f"c{i}" for i, name in enumerate(names)}

    def decided(self) -> dict[str, exp.Expr]:
        """What `base` computes for separable conditions: truths of public parts, and thresholds."""
        found: dict[str, exp.Expr] = {}
        for view in self.views:
            if view.separated is None:
                continue
            truths = (truth(build.as_text(tree, self.text)) for tree in view.separated.public)
            thresholds = (build.as_text(tree, self.text) for tree in view.separated.thresholds)
            found.update(zip(view.truths, truths, strict=True))
            found.update(zip(view.thresholds, thresholds, strict=True))
        return found

    def set_parts(self, view: TellingView) -> list[str]:
        """The columns of `base` that decide a view's set of private values."""
        if view.separated is not None:
            return [*view.truths, *view.thresholds]
        return [self.used[name] for name in view.asked]

    def set_column(self, view: TellingView) -> str:
        """The key column with the number of a view's set of values."""
        return self._named[_set_of(view)]

    def cell(self, view: TellingView) -> tuple[exp.Expr, list[exp.Expr]]:
        """Whether a view selects people, and what it then shows, over their key columns."""
        if view.condition is None:
            return exp.true(), [exp.column(self._named[self._cell(name)]) for name in view.shown]
        flag = self._flag(view)
        if view.on_private:
            mine: exp.Expr = _not_empty(exp.column(self.set_column(view)))
        elif flag in self._named:
            mine = exp.column(self._named[flag])
        else:
            mine = holds(renamed(view.where, {name: self._named[self._cell(name)] for name in self._open}))
        shown: list[exp.Expr] = []
        for name in view.shown:
            if name in self._open:
                shown.append(exp.Case().when(mine.copy(), exp.column(self._named[self._cell(name)])))
            else:
                shown.append(exp.column(self._named[self._shown(view, name)]))
        return mine, shown

    @cached_property
    def _open(self) -> tuple[str, ...]:
        """Columns that some view shows of everybody."""
        return tuple(dict.fromkeys(c for view in self.views if view.condition is None for c in view.shown))

    @cached_property
    def _named(self) -> dict[exp.Expr, str]:
        """The different key columns, each with its name."""
        trees: list[exp.Expr] = [self._cell(name) for name in self._open]
        for view in self.views:
            if view.condition is None:
                continue
            if view.on_private:
                trees.append(_set_of(view))
            elif not set(view.asked) <= set(self._open):
                trees.append(self._flag(view))
            trees += [self._shown(view, name) for name in view.shown if name not in self._open]
        return {tree: f"k{i}" for i, tree in enumerate(dict.fromkeys(trees or [number(0)]))}

    def _cell(self, name: str) -> exp.Expr:
        return exp.column(self.used[name], "base")

    def _flag(self, view: TellingView) -> exp.Expr:
        """Whether a view selects a person of `base`."""
        if view.on_private:
            return _not_empty(_set_of(view))
        return holds(renamed(view.where, {name: self._cell(name) for name in self.used}))

    def _shown(self, view: TellingView, name: str) -> exp.Expr:
        """A column that is shown of those whom the view selects."""
        return exp.Case().when(self._flag(view), self._cell(name))


def _set_of(view: TellingView) -> exp.Expr:
    return exp.column("t", f"sets{view.number}")


def _not_empty(tree: exp.Expr) -> exp.Expr:
    return exp.NEQ(this=tree, expression=number(0))


def base(source: Relation, keys: Keys, ids: Sequence[str] = (), public: Sequence[str] = ()) -> exp.Select:
    """Every person: i0… (identifier), b0… (public), c0… (what views use), p, and what decides sets of values."""
    chosen: list[exp.Expr] = [text_of(name, f"i{i}") for i, name in enumerate(ids)]
    chosen += [exp.alias_(column(name), f"b{i}") for i, name in enumerate(public)]
    for name, alias in keys.used.items():
        cell: exp.Expr = column(name)
        chosen.append(exp.alias_(as_text(cell) if name in keys.text else cell, alias))
    chosen.append(exp.alias_(column(keys.private), "p"))
    chosen += [exp.alias_(tree, alias) for alias, tree in keys.decided().items()]
    return exp.select(*chosen, copy=False).from_(source.as_("source"), copy=False)


def keyed(
    source: Relation, keys: Keys, sets: Mapping[int, Relation], ids: Sequence[str] = (), public: Sequence[str] = ()
) -> exp.Select:
    """Every person with their keys; `sets` has the sets of values of each view that asks for the private column."""
    people = base(source, keys, ids, public).subquery("base", copy=False)
    names = [*build.numbered("i", len(ids)), *build.numbered("b", len(public)), "p"]
    chosen = (exp.alias_(tree, name) for name, tree in keys.trees.items())
    query = select(*of("base", *names), *chosen).from_(people, copy=False)
    for view in keys.views:
        if not view.on_private:
            continue
        table, parts = sets[view.number].as_(f"sets{view.number}"), keys.set_parts(view)
        if parts:
            query = query.join(table, on=same(parts, "base", f"sets{view.number}"))
        else:
            query = query.join(table, join_type="cross")
    return query
