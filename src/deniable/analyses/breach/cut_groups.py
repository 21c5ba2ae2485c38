"""Two views whose join is cut: who gives everybody one tuple, or as many as in the table, and who counts rows.

Join groups are not complete, so these are counted exactly where what is tied to a person is small
(`worlds.views.cut_groups`), and else not answered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial

import numpy as np

from deniable.analyses.breach.adversaries import AS_MANY, ONE_EACH, ROWS
from deniable.analyses.breach.kinds import KindAnswers, Shape
from deniable.analyses.breach.plan import AnyViews
from deniable.arrow import arrow_table, column_ints
from deniable.engines.scope import Relation, Scope
from deniable.frozen import frozen
from deniable.sql import any_views, associations, cut_groups
from deniable.sql.cut_groups import Side
from deniable.worlds.views.covers import exactly
from deniable.worlds.views.cut_groups import CutGroup, Owner, Shares, TooLarge, as_many, one_each, rows_counted

STEPS = 200_000  # for one kind of person and adversary, about a second
ALL_STEPS = 3_000_000  # and for all kinds, who get equal parts, but never less than
LEAST_STEPS = 2_000
MOST_KINDS = 24  # of P-side tuples that are tied together: each doubles the steps at least


@frozen
class Sides:
    """The two views of a join that is cut, in the engine."""

    rows: Relation
    shape: Shape
    relations: Sequence[Relation]
    bundles: Relation

    def side(self, k: int) -> Side:
        """One of them."""
        return Side(self.relations[k], k, self.shape.columns[k], self.shape.kept[k])

    @property
    def home(self) -> Side:
        """The one with the identifier."""
        return self.side(self.shape.home)

    @property
    def other(self) -> Side:
        """And the other one."""
        return self.side(1 - self.shape.home)

    @property
    def shared(self) -> list[str]:
        """The columns that both have."""
        return [name for name in self.home.columns if name in self.other.columns]


@frozen
class People:
    """Everybody's kind, by all that is counted of them, in the engine and here."""

    people: Relation
    members: Relation
    owners: dict[int, Owner]
    group: dict[int, int]

    @property
    def repeats(self) -> bool:
        """Whether somebody has several rows."""
        return any(sum(size for _, size in owner.tuples) > 1 for owner in self.owners.values())


def sort_people(scope: Scope, sides: Sides, ids: list[str]) -> People:
    """Kinds of people: equal ID-side tuples, published equally often, and equally many joined tuples."""
    groups = scope.store("join_groups", cut_groups.groups(sides.home, sides.shared))
    joined = list(dict.fromkeys([*sides.home.columns, *sides.other.columns]))
    query = cut_groups.signatures(sides.rows, sides.home, groups, ids, sides.shared, joined)
    listed = scope.store("people_types", query)
    numbered = scope.store("kinds", any_views.kinds(listed))
    people = scope.store("people", any_views.people_of_kinds(listed, numbered, ids))
    many = column_ints(scope.fetch(cut_groups.kind_sizes(people)), "many").tolist()
    owners, rows = {}, []
    for row in scope.fetch(associations.everything(numbered)).to_pylist():
        own, have = (_pairs(text) for text in row["types"].split("|"))
        owners[row["kind"]] = Owner(own, have, many[row["kind"]])
        kinds, times = np.unique([a for a, _ in own], return_counts=True)
        rows += [(row["kind"], a, n) for a, n in zip(kinds.tolist(), times.tolist(), strict=True)]
    kind, a, times = (np.array(column, np.int64) for column in zip(*rows, strict=True))
    members = scope.put("members", arrow_table(kind=kind, a=a, times=times))
    found = scope.fetch(associations.everything(groups))
    group = dict(zip(column_ints(found, "a").tolist(), column_ints(found, "g").tolist(), strict=True))
    return People(people, members, owners, group)


def _pairs(text: str) -> tuple[tuple[int, int], ...]:
    parts = (part.split(":") for part in text.split())
    return tuple((int(one), int(two)) for one, two in parts)


def answer(
    scope: Scope,
    plan: AnyViews,
    sides: Sides,
    people: People,
    answers: KindAnswers,
    asked: Mapping[int, int] | None = None,
) -> None:
    """Put in what is small enough; `asked` says which kinds the answers are about, where they are not all of them."""
    kinds = asked or {int(kind): int(kind) for kind in np.unique(answers.bounds.kind)}
    graph = _Graph.read(scope, sides, people)
    most = max(LEAST_STEPS, min(STEPS, ALL_STEPS // max(1, len(kinds))))
    home = sides.shape.home
    kept = (plan.kept[home], plan.kept[1 - home])
    for place, kind in kinds.items():
        me = people.owners[kind]
        for worlds, count in ((ONE_EACH, one_each), (AS_MANY, as_many)):
            _note(answers, place, worlds, partial(_of_tied, count, graph, kind, me, most))
        if any(kept) and not plan.others_kept:
            counting = partial(rows_counted, kept=kept)
            _note(answers, place, ROWS, partial(_of_tied, counting, graph, kind, me, most, through=False))


def _of_tied(
    count: Callable[[CutGroup, Owner, int], Shares | None], graph: _Graph, kind: int, me: Owner, most: int, *,
    through: bool = True,
) -> Shares | None:  # fmt: skip
    return count(graph.tied(kind, through=through), me, most)


def _note(answers: KindAnswers, kind: int, worlds: int, count: Callable[[], Shares | None]) -> None:
    try:
        found = count()
    except TooLarge:
        return
    for place in answers.places(kind):
        share = None if found is None else exactly(found[int(answers.bounds.value[place])])
        answers.note(place, share, worlds)


@frozen
class _Graph:
    """Which kinds of tuples go together, with which value, and who has them."""

    reach: dict[int, dict[int, int]]
    sizes: dict[int, tuple[int, ...]]
    people: People

    @classmethod
    def read(cls, scope: Scope, sides: Sides, people: People) -> _Graph:
        """From the bundles."""
        table = scope.fetch(any_views.bare_bundles(sides.bundles, 2))
        names = (f"u{sides.shape.home}", f"u{1 - sides.shape.home}", "v")
        reach: dict[int, dict[int, int]] = {}
        for a, q, value in zip(*(column_ints(table, name).tolist() for name in names), strict=True):
            reach.setdefault(a, {})[q] = value
        sizes: dict[int, tuple[int, ...]] = {}
        for row in scope.fetch(cut_groups.value_sizes(sides.rows, sides.other)).to_pylist():
            sizes[row["b"]] = (*sizes.get(row["b"], ()), *[row["r"]] * row["many"])
        return cls(reach, sizes, people)

    @cached_property
    def _back(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for a, kinds in self.reach.items():
            for q in kinds:
                found.setdefault(q, []).append(a)
        return found

    @cached_property
    def _owners(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for kind, owner in self.people.owners.items():
            for a in dict.fromkeys(a for a, _ in owner.tuples):
                found.setdefault(a, []).append(kind)
        return found

    def tied(self, kind: int, *, through: bool) -> CutGroup:
        """What shares a tuple with a person, or with others that do; `through` people also what else these have.

        Without, of others only the tuples that are tied are looked at: rows are counted tuple by tuple. Raises TooLarge
        as soon as that is clear.
        """
        waiting = list(dict.fromkeys(a for a, _ in self.people.owners[kind].tuples))
        inside, kinds, owners = set(waiting), set[int](), dict[int, None]()
        while waiting:
            a = waiting.pop()
            kinds |= self.reach[a].keys()
            if len(kinds) > MOST_KINDS:
                raise TooLarge
            owners.update(dict.fromkeys(self._owners[a]))
            further = [other for q in self.reach[a] for other in self._back[q]]
            if through:
                further += [one for owner in self._owners[a] for one, _ in self.people.owners[owner].tuples]
            waiting += [one for one in dict.fromkeys(further) if one not in inside]
            inside.update(further)
        others = [replace(self.people.owners[k], many=self.people.owners[k].many - (k == kind)) for k in owners]
        return CutGroup(
            {a: self.reach[a] for a in sorted(inside)},
            self.people.group,
            {q: self.sizes[q] for q in sorted(kinds)},
            tuple(owner if through else _only(owner, inside) for owner in others if owner.many),
        )


def _only(owner: Owner, kinds: set[int]) -> Owner:
    return replace(owner, tuples=tuple((a, size) for a, size in owner.tuples if a in kinds))
