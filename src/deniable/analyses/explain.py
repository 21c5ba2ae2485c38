"""explain: one person, shown. The join group as a graph, the worlds, each probability, the crowd.

Computed: the person's *association cover*, the values that joining the views gives them (docs/theory/two-views.md, "The
association cover"), and exact counts of worlds where the groups are small (docs/theory/two-views.md, "Closed forms"),
listed when they are few; beyond that the certified probabilities. This is the one place that shows a private value
beside a person, because it was asked for by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field, replace
from fractions import Fraction

from deniable.analyses.breach import any_views, counted_rows, cut_groups, kinds, revealed
from deniable.analyses.breach.adversaries import Adversary, worlds_of
from deniable.analyses.breach.analysis import answering
from deniable.analyses.breach.plan import AnyViews, Plan, Revealed, TwoViews, plan, published
from deniable.analyses.crowds.one_person import Standing, standings
from deniable.analyses.join_groups import Cells, Group, Value, groups_of, rows_of
from deniable.analyses.verdict import ShownView
from deniable.arrow import only
from deniable.bind.files import need
from deniable.bind.views import Bound, bind
from deniable.effort import Effort
from deniable.engines.scope import Relation, Scope
from deniable.errors import BadInput, Mistake, Reason, Unsupported
from deniable.frozen import frozen
from deniable.release import Release
from deniable.shown import Shown
from deniable.sql import build, one_person
from deniable.worlds.views import covers
from deniable.worlds.views.covers import EXACT_EDGES, Probability, exactly

FEW_WORLDS = 12
_FEW_EDGES = 9

World = tuple[tuple[Cells, Cells], ...]  # who has what
Answers = dict[Value, dict[str, Probability | None]]


@frozen(repr=False)
class Explanation(Shown):
    """Everything `explain` shows, as values."""

    who: tuple[str, ...]
    release: str
    views: tuple[ShownView, ...]
    true_values: tuple[Value, ...]
    join: tuple[str, ...] = ()
    groups: tuple[Group, ...] = ()
    probabilities: Answers = field(default_factory=dict)
    worlds: int | None = None  # counted if there is one group, and a small one
    worlds_with: dict[Value, int] = field(default_factory=dict)  # that give the person each value
    single_worlds: int | None = None  # the same for those with a single value
    single_worlds_with: dict[Value, int] = field(default_factory=dict)
    listed: tuple[World, ...] = ()  # if they are few
    revealed_by: str | None = None
    method: str | None = None  # three views or more: how the answer was found
    tuples: dict[Value, int] = field(default_factory=dict)  # and the person's join tuples by value
    unanswered: frozenset[str] = frozenset()  # adversaries of whom it is not known what they make of these views
    no_breach: Reason | str | None = None  # why there are no probabilities
    crowds: tuple[Standing, ...] = ()

    @property
    def cover(self) -> tuple[Value, ...]:
        """The association cover: the values that joining the views allows."""
        return tuple(self.probabilities)

    def __str__(self) -> str:
        from deniable.report.explanation import explanation_text

        return explanation_text(self)


def explain(release: Release, who: Sequence[str], scope: Scope, effort: Effort) -> Explanation:
    """Bind the release to its table and show one person: their associations, and their crowd."""
    need(release, "explain", "identifier", "private")
    if len(who) != len(release.id_columns):
        raise BadInput(Mistake("--who", Reason("views.incomplete_who", names=release.id_columns, found=len(who))))
    bound = bind(release, scope)
    try:
        shown = _associations(bound, tuple(who), effort)
    except Unsupported as refused:
        shown = _without(bound, tuple(who), refused)
    return replace(shown, crowds=standings(bound, who, effort.limit))


def _shown(bound: Bound, who: tuple[str, ...], true_values: tuple[Value, ...]) -> Explanation:
    """Who is asked about, and what they really have."""
    views = tuple(ShownView(view.name, view.columns) for view in bound.views)
    return Explanation(who, bound.release.name, views, true_values)


def _without(bound: Bound, who: tuple[str, ...], refused: Unsupported) -> Explanation:
    """Views of which no probability is known: the person's crowd is all that is shown."""
    roles = {"i": bound.release.id_columns, "p": (bound.release.private,)}
    rows = bound.scope.view("rows", build.narrowed(bound.source, roles, None, None, bound.text_columns))
    _, true_values = _own(bound, who, rows)
    return replace(_shown(bound, who, true_values), no_breach=refused.mistakes[0].what)


def _own(bound: Bound, who: tuple[str, ...], rows: Relation) -> tuple[Relation, tuple[Value, ...]]:
    """The person's rows, and the values that they really have; BadInput if there is no such person."""
    scope, release = bound.scope, bound.release
    ids = build.numbered("i", len(release.id_columns))
    own_rows = scope.store("own_rows", one_person.own_rows(rows, ids, who))
    own = scope.fetch(one_person.own_values(own_rows))
    if own.num_rows == 0:
        _must_be_published(bound, who)
        known = scope.fetch(one_person.people_like(rows, ids)).column(ids[0]).to_pylist()
        people = [name for name in known if name is not None]
        raise BadInput(Mistake("--who", Reason("views.nobody_called", table=release.title, who=who, people=people)))
    return own_rows, tuple(own.column("value").to_pylist())


def _must_be_published(bound: Bound, who: tuple[str, ...]) -> None:
    """Unsupported if it is the views' condition that leaves the person out."""
    if bound.views and bound.views[0].condition is not None:
        roles = {"i": bound.release.id_columns, "p": (bound.release.private,)}
        rows = bound.scope.view("rows", build.narrowed(bound.source, roles, None, None, bound.text_columns))
        ids = build.numbered("i", len(bound.release.id_columns))
        own_rows = bound.scope.store("own_rows", one_person.own_rows(rows, ids, who))
        if bound.scope.fetch(one_person.own_values(own_rows)).num_rows:
            raise Unsupported(Mistake("--who", Reason("views.not_selected", who=who)))


def _associations(bound: Bound, who: tuple[str, ...], effort: Effort) -> Explanation:
    bound = published(bound)
    return of_plan(bound, plan(bound), who, effort)


def of_plan(bound: Bound, made: Plan, who: tuple[str, ...], effort: Effort) -> Explanation:
    """A person's associations, where the views are planned already."""
    asked = answering(bound, made)
    if isinstance(made, AnyViews):
        shown = _by_formula(bound, made, asked, who, effort)
    elif isinstance(made, Revealed):
        shown = _revealed(bound, made, asked, who)
    else:
        shown = _by_groups(bound, made, asked, who)
    return replace(shown, join=made.join)


# Three views or more: this person's kind alone is answered.


def _by_formula(
    bound: Bound, made: AnyViews, asked: Sequence[Adversary], who: tuple[str, ...], effort: Effort
) -> Explanation:
    scope = bound.scope
    ids = build.numbered("i", len(bound.release.id_columns))
    join = any_views.join_bundles(bound, made, effort.limit)
    valued = scope.view("valued", one_person.with_value(join.rows, join.bundled.shape.private))
    own_rows, true_values = _own(bound, who, valued)
    sides = any_views.cut_sides(made, join)
    people = cut_groups.sort_people(scope, sides, ids) if sides else any_views.sort_people(scope, join, ids)
    mine = scope.store("members", one_person.members_like(own_rows, people.people, people.members, ids))
    answers = kinds.answer(scope, join.bundled, mine, effort.tolerance)
    counted_rows.answer(scope, made, join, mine, answers)
    if sides and isinstance(people, cut_groups.People):
        own_kind = only(scope.fetch(one_person.own_kind(own_rows, people.people, ids)))
        cut_groups.answer(scope, made, sides, people, answers, {0: own_kind})
    names = _value_names(scope, join.values)
    found: Answers = {}
    tuples: dict[Value, int] = {}
    for place, v in enumerate(answers.bounds.value.tolist()):
        found[names[v]] = {a.name: answers.probability(worlds_of(a), place) for a in asked}
        tuples[names[v]] = int(answers.bounds.c[place])
    return replace(
        _shown(bound, who, true_values),
        probabilities={value: found[value] for value in _in_order(found)},
        method=kinds.METHODS[int(answers.method[0])],
        tuples=tuples,
        unanswered=frozenset(a.name for a in asked if not answers.is_answered(worlds_of(a))),
    )


def _value_names(scope: Scope, values: Relation) -> dict[int, Value]:
    return {row["v"]: row["value"] for row in scope.fetch(one_person.value_names(values)).to_pylist()}


# A view that holds the association itself.


def _revealed(bound: Bound, made: Revealed, asked: Sequence[Adversary], who: tuple[str, ...]) -> Explanation:
    scope = bound.scope
    counted = revealed.count(bound, made, all_secret=True)
    own_rows, true_values = _own(bound, who, counted.rows)
    query = revealed.answers_to(counted, own_rows, revealed.names_of(bound, made), made, asked)
    names = _value_names(scope, counted.values)
    found: Answers = {}
    for row in scope.fetch(query).to_pylist():
        held = {a.name: row[f"{a.name}_value"] is not None for a in asked}
        found[names[row["v"]]] = {name: exactly(Fraction(1)) if holds else None for name, holds in held.items()}
    return replace(
        _shown(bound, who, true_values),
        probabilities={value: found[value] for value in true_values},
        revealed_by=made.open_view.name,
    )


# Two views: the person's join groups.


def _by_groups(bound: Bound, made: TwoViews, asked: Sequence[Adversary], who: tuple[str, ...]) -> Explanation:
    rows = rows_of(bound, made)
    own_rows, true_values = _own(bound, who, rows)
    groups = groups_of(bound, made, rows, own_rows)
    parts = [group.part for group in groups]
    cover = _in_order({value for part in parts for value in part.tuples})
    answers = {value: {a.name: a.exactly(parts, value) for a in asked} for value in cover}
    shown = replace(_shown(bound, who, true_values), groups=groups, probabilities=answers)
    return _with_worlds(shown, groups[0]) if len(groups) == 1 and groups[0].edges <= EXACT_EDGES else shown


def _with_worlds(shown: Explanation, group: Group) -> Explanation:
    """Counted in exact integers."""
    m, n, a, tuples = group.part.m, group.part.n, group.part.a, group.part.tuples
    worlds = covers.covers(m, n, 0, 0)
    single_with = {value: covers.covers(m, n, a, n - tuples[value]) for value in shown.cover}
    few = group.edges <= _FEW_EDGES and worlds <= FEW_WORLDS
    return replace(
        shown,
        worlds=worlds,
        worlds_with={value: worlds - covers.covers(m, n, a, tuples[value]) for value in shown.cover},
        single_worlds=sum(single_with.values()),
        single_worlds_with=single_with,
        listed=_list_worlds(group) if few else (),
    )


def _list_worlds(group: Group) -> tuple[World, ...]:
    """The worlds of one small group, each as pairs of a person and a value."""
    worlds = covers.every_cover(len(group.people), len(group.values))
    return tuple(tuple((group.people[i], group.values[j]) for i, j in world) for world in worlds)


def _in_order(values: Iterable[Value]) -> tuple[Value, ...]:
    return tuple(sorted(values, key=lambda value: (value is None, value or "")))
