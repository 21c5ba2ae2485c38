"""explain: one person, shown. The join group as a graph, the worlds, each probability, the crowd.

Computed: exact counts of worlds where the groups are small (docs/theory/two-views.md, "Closed forms"), listed by
brute force when they are few; beyond that the certified probabilities. This is the one place that shows a private
value beside a person, because it was asked for by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from deniable.analyses.breach import Options, many
from deniable.analyses.breach.adversaries import ADVERSARIES
from deniable.analyses.breach.plan import Many, Pair, Revealed, plan
from deniable.analyses.crowds.one_person import Standing, standings
from deniable.bind.files import need
from deniable.bind.views import Bound, bind
from deniable.engines.base import Engine
from deniable.engines.scope import Scope
from deniable.errors import BadInput, Mistake, Unsupported
from deniable.release import Release
from deniable.sql import build, pairs, persons
from deniable.words import did_you_mean
from deniable.worlds.views import covers
from deniable.worlds.views import products as several
from deniable.worlds.views.covers import EXACT_EDGES, Probability, exactly

FEW_WORLDS = 12
FEW_LABELS = 10
_FEW_EDGES = 9


@dataclass(frozen=True)
class Group:
    """One join group of the person: how much, and who and what, stands on its sides."""

    join: dict[str, str | None]
    part: several.Membership  # the counts, which is all that the mathematics sees
    keyed: bool  # whether everybody here has one tuple
    id_labels: tuple[str, ...]  # the first few, the person's own first
    value_labels: tuple[str, ...]

    @property
    def edges(self) -> int:
        """How many join tuples the group has."""
        return self.part.m * self.part.n


@dataclass(frozen=True)
class Explanation:
    """Everything `explain` shows, as values."""

    who: tuple[str, ...]
    headline: str
    groups: tuple[Group, ...]
    true_values: tuple[str | None, ...]
    cover: tuple[str | None, ...]
    probabilities: dict[str | None, dict[str, Probability | None]]
    worlds: int | None
    worlds_with: dict[str | None, int]
    single_worlds: int | None
    single_worlds_with: dict[str | None, int]
    listed: tuple[tuple[str, ...], ...]
    revealed_by: str | None = None
    method: str | None = None  # three views or more: how the answer was found
    tuples: dict[str | None, int] = field(default_factory=dict)  # and the person's join tuples by value
    no_breach: str | None = None  # why there are no probabilities
    crowds: tuple[Standing, ...] = ()

    def __str__(self) -> str:
        from deniable.report.explanation import explanation_text

        return explanation_text(self)


def explain(release: Release, who: Sequence[str], engine: Engine, options: Options) -> Explanation:
    """Fit the release to its table and show one person: their associations, and their crowd."""
    need(release, "explain", "identifier", "private")
    bound = bind(release, Scope(engine))
    if len(who) != len(release.id_columns):
        names = ", ".join(release.id_columns)
        what = f"expected a value for each of {names}; found {len(who)}"
        raise BadInput(Mistake("--who", what))
    try:
        shown = _associations(bound, who, engine, options)
    except Unsupported as refused:
        shown = _without(bound, who, engine, refused)
    return replace(shown, crowds=standings(bound, who, options.limit))


def _without(bound: Bound, who: Sequence[str], engine: Engine, refused: Unsupported) -> Explanation:
    """Views of which no probability is known: the person's crowd is all that is shown."""
    roles = {"i": bound.release.id_columns, "p": (bound.release.private,)}
    engine.view("rows", build.narrowed(bound.source, roles, None, None, bound.text_columns))
    true_values = _own_values(bound.release, who, engine, "rows")
    title = f"{' '.join(who)} in {bound.release.name}, {published(bound)}"
    why = str(refused.mistakes[0].what)
    return Explanation(tuple(who), title, (), true_values, (), {}, None, {}, None, {}, (), no_breach=why)


def _own_values(release: Release, who: Sequence[str], engine: Engine, source: str) -> tuple[str | None, ...]:
    """The values that the person really has; BadInput if there is no such person."""
    ids = build.numbered("i", len(release.id_columns))
    engine.store("own_rows", persons.own_rows(ids, who, source))
    own = engine.fetch(persons.own_values())
    if own.num_rows == 0:
        known = engine.fetch(persons.people_like(ids)).column(ids[0]).to_pylist()
        hint = did_you_mean(who[0], [name for name in known if name is not None])
        what = f"nobody in {release.title} is called {' '.join(who)}{hint}"
        raise BadInput(Mistake("--who", what))
    return tuple(own.column("value").to_pylist())


def _associations(bound: Bound, who: Sequence[str], engine: Engine, options: Options) -> Explanation:
    release = bound.release
    made = plan(bound)
    ids = build.numbered("i", len(release.id_columns))
    shape = None
    if isinstance(made, Many):
        shape = many.join_bundles(bound, made, engine, options)
        engine.view("valued", build.select("*", f"{shape.private} AS p0").from_("rows"))
    else:
        _rows(bound, made, engine)
    true_values = _own_values(release, who, engine, "valued" if shape else "rows")
    title = f"{' '.join(who)} in {release.name}, {headline(bound, made.join)}"
    if isinstance(made, Revealed):
        return _revealed(bound, made, tuple(who), title, true_values)
    if isinstance(made, Pair):
        groups = _groups(made, engine, ids)
        return _explained(tuple(who), title, true_values, groups, len(bound.views))
    if shape is None:
        raise TypeError("a formula needs its bundles")
    return _by_formula(engine, shape, ids, options, tuple(who), title, true_values)


def _by_formula(
    engine: Engine,
    shape: many.Shape,
    ids: list[str],
    options: Options,
    who: tuple[str, ...],
    title: str,
    true_values: tuple[str | None, ...],
) -> Explanation:
    """Three views or more: this person's kind alone is answered."""
    many.sort_people(engine, ids, shape)
    engine.store("members", persons.members_like(ids))
    answers = many.answer(engine, shape, options)
    names = {row["v"]: row["value"] for row in engine.fetch(persons.value_names()).to_pylist()}
    found: dict[str | None, dict[str, Probability | None]] = {}
    tuples: dict[str | None, int] = {}
    for place, v in enumerate(answers.bounds.value.tolist()):
        either, single = many.probabilities(answers, place)
        found[names[v]] = {"unrestricted": either, "restricted": single}
        tuples[names[v]] = int(answers.bounds.c[place])
    cover = _in_order(set(found))
    method = many.METHODS[int(answers.method[0])]
    return Explanation(who, title, (), true_values, cover, found, None, {}, None, {}, (), method=method, tuples=tuples)


def headline(bound: Bound, join: Sequence[str]) -> str:
    """How the table is published, and what joins the views, in one line."""
    joined = f"joined on {', '.join(join)}" if join else "which have no column in common"
    return f"{published(bound)}, {joined}"


def published(bound: Bound) -> str:
    """How the table is published, in one line."""
    views = " and ".join(f"{view.name}({', '.join(view.columns)})" for view in bound.views)
    return f"published as {views}" if views else "published as it is"


def _rows(bound: Bound, made: Pair | Revealed, engine: Engine) -> None:
    release = bound.release
    own = made.own if isinstance(made, Pair) else ()
    other = made.other if isinstance(made, Pair) else ()
    roles = {"i": release.id_columns, "j": made.join, "y": own, "x": other, "p": (release.private,)}
    engine.view("rows", build.narrowed(bound.source, roles, made.condition, None, bound.text_columns))


def _groups(pair: Pair, engine: Engine, ids: list[str]) -> tuple[Group, ...]:
    joins = pairs.joins_of(len(pair.join))
    owns = build.numbered("y", max(1, len(pair.own)))
    others = build.numbered("x", max(1, len(pair.other)))
    engine.store("own_groups", persons.own_groups(joins))
    engine.store("in_groups", persons.in_groups(joins))
    engine.store("id_side", persons.id_side(ids, owns))
    engine.store("value_side", persons.value_side(others))
    shown = (f"CAST({j} AS VARCHAR) AS {j}" for j in joins)
    keys = engine.fetch(build.select(*shown, "d").distinct().from_("in_groups").order_by("d")).to_pylist()
    left = {row["d"]: row for row in engine.fetch(persons.id_counts()).to_pylist()}
    right = engine.fetch(persons.value_counts()).to_pylist()
    people = engine.fetch(persons.first_of("id_side", ["own DESC", *ids, *owns], FEW_LABELS)).to_pylist()
    values = engine.fetch(persons.first_of("value_side", ["p0", *others], FEW_LABELS)).to_pylist()
    several_in = set(engine.fetch(persons.with_several(ids, [*joins, *owns])).column("d").to_pylist())
    found = []
    for key in keys:
        d = key["d"]
        m, mine = left[d]["m"], [row for row in right if row["d"] == d]
        tuples = {row["p0"]: row["c"] for row in mine}
        rows = {row["p0"]: row["r"] for row in mine}
        bag = pair.keeps_duplicates and sum(rows.values()) == m
        found.append(
            Group(
                {name: key[f"j{i}"] for i, name in enumerate(pair.join)},
                several.Membership(m, left[d]["a"], tuples, rows, bag),
                keyed=d not in several_in and sum(tuples.values()) <= m,
                id_labels=_labels(people, d, [*ids, *owns[: len(pair.own)]]),
                value_labels=_labels(values, d, [*others[: len(pair.other)], "p0"]),
            )
        )
    return tuple(found)


def _labels(rows: Sequence[dict[str, Any]], d: int, columns: Sequence[str]) -> tuple[str, ...]:
    return tuple(_label([row[c] for c in columns]) for row in rows if row["d"] == d)


def _label(cells: Sequence[str | None]) -> str:
    return ", ".join("(null)" if cell is None else cell for cell in cells)


def _explained(
    who: tuple[str, ...], title: str, true_values: tuple[str | None, ...], groups: tuple[Group, ...], views: int
) -> Explanation:
    parts = [group.part for group in groups]
    cover = _in_order({value for part in parts for value in part.tuples})
    asked = ADVERSARIES if views == 2 else ADVERSARIES[:2]
    probabilities = {v: {a: p for a, p in _adversaries(groups, parts, v).items() if a in asked} for v in cover}
    counted = len(groups) == 1 and groups[0].edges <= EXACT_EDGES
    worlds = single = None
    with_value: dict[str | None, int] = {}
    single_with: dict[str | None, int] = {}
    listed: tuple[tuple[str, ...], ...] = ()
    if counted:
        part = parts[0]
        worlds = covers.covers(part.m, part.n, 0, 0)
        with_value = {v: worlds - covers.covers(part.m, part.n, part.a, part.tuples[v]) for v in cover}
        single_with = {v: covers.covers(part.m, part.n, part.a, part.n - part.tuples[v]) for v in cover}
        single = sum(single_with.values())
        if groups[0].edges <= _FEW_EDGES and worlds <= FEW_WORLDS:
            listed = _list_worlds(groups[0])
    return Explanation(
        who,
        title,
        groups,
        true_values,
        cover,
        probabilities,
        worlds,
        with_value,
        single,
        single_with,
        listed,
    )


def _adversaries(
    groups: Sequence[Group], parts: Sequence[several.Membership], value: str | None
) -> dict[str, Probability | None]:
    keyed = None
    if len(groups) == 1 and parts[0].a == 1 and groups[0].keyed:
        keyed = covers.keyed(parts[0].m, parts[0].n, parts[0].tuples[value])
    return {
        "unrestricted": several.unrestricted(parts, value),
        "restricted": several.restricted(parts, value),
        "keyed": keyed,
        "bag": several.bag(parts, value),
    }


def _list_worlds(group: Group) -> tuple[tuple[str, ...], ...]:
    """The worlds of one small group, each as `person - value` lines."""
    left, right = group.id_labels, group.value_labels
    worlds = covers.every_cover(len(left), len(right))
    listed = [tuple(f"{left[i]} - {right[j]}" for i, j in world) for world in worlds]
    return tuple(sorted(listed, key=lambda world: (len(world), world)))


def _revealed(
    bound: Bound, made: Revealed, who: tuple[str, ...], title: str, true_values: tuple[str | None, ...]
) -> Explanation:
    certain = exactly(Fraction(1))
    alone = certain if len(true_values) == 1 else None
    answers: dict[str, Probability | None] = dict.fromkeys(ADVERSARIES if len(bound.views) == 2 else ADVERSARIES[:2])
    answers |= {"unrestricted": certain, "restricted": alone}
    return Explanation(
        who,
        title,
        (),
        true_values,
        true_values,
        dict.fromkeys(true_values, answers),
        None,
        {},
        None,
        {},
        (),
        revealed_by=made.open_view.name,
    )


def _in_order(values: set[object]) -> tuple[str | None, ...]:
    return tuple(sorted((v for v in values if v is None or isinstance(v, str)), key=lambda v: (v is None, v or "")))
