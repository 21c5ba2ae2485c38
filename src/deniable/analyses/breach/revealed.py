"""A view that holds identifier and private column together reveals the association.

Every world has each view tuple, so the association is in all of them: probability 1.
The restricted adversary has no world for a person with two values, the keyed one none
where somebody has two tuples or the other view has more tuples than there are people.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from deniable.analyses.breach.adversaries import Adversary
from deniable.analyses.breach.engine_answers import EngineAnswers
from deniable.analyses.breach.plan import Revealed
from deniable.bind.views import Bound
from deniable.engines.scope import Relation
from deniable.sql import associations, build, revealed, two_views
from deniable.sql.two_views import ColumnNames

if TYPE_CHECKING:
    from sqlglot import exp


def solve(bound: Bound, plan: Revealed, adversaries: Sequence[Adversary], *, everything: bool) -> EngineAnswers:
    """One row per secret association, or for everything that the join allows: whatever the open view shows."""
    names = names_of(bound, plan)
    counted = count(bound, plan, all_secret=everything)
    answers = bound.scope.store("answers", _answers(counted, names, plan, adversaries))
    asked = tuple(adversary.name for adversary in adversaries)
    listed = associations.everything(answers)
    return EngineAnswers(
        bound.scope, asked, names.ids, counted.rows, counted.values, ((answers, asked),), weight="s", listed=listed
    )


def names_of(bound: Bound, plan: Revealed) -> ColumnNames:
    """How the columns of the identifier and of the join are called."""
    return ColumnNames.counted(len(bound.release.id_columns), len(plan.join))


def count(bound: Bound, plan: Revealed, *, all_secret: bool) -> revealed.RevealedCounts:
    """Rows, values, and everybody's tuples on both sides; with `all_secret`, whatever the secret query says."""
    scope, release, names = bound.scope, bound.release, names_of(bound, plan)
    opens = build.numbered("o", len(plan.open_view.columns))
    others = build.numbered("q", len(plan.other_view.columns))
    roles = {
        "i": release.id_columns,
        "j": plan.join,
        "o": plan.open_view.columns,
        "q": plan.other_view.columns,
        "p": (release.private,),
    }
    secret = bound.secret.condition if bound.secret and not all_secret else None
    rows = scope.view("rows", build.narrowed(bound.source, roles, plan.condition, secret, bound.text_columns))
    values = scope.store("values", two_views.value_numbers(rows))
    persons = scope.store("persons", revealed.persons(rows, names.ids, opens))
    sides = scope.store("sides", revealed.sides(rows, persons, names.ids, names.joins, opens, others))
    return revealed.RevealedCounts(rows, values, persons, sides)


def answers_to(
    counted: revealed.RevealedCounts,
    own_rows: Relation,
    names: ColumnNames,
    plan: Revealed,
    adversaries: Sequence[Adversary],
) -> exp.Query:
    """The same for the associations of some rows."""
    return _answers(replace(counted, rows=own_rows), names, plan, adversaries)


def _answers(
    counted: revealed.RevealedCounts, names: ColumnNames, plan: Revealed, adversaries: Sequence[Adversary]
) -> exp.Query:
    tests = {adversary.name: adversary.columns(plan.kept).revealed for adversary in adversaries}
    return revealed.answers(counted, names.ids, names.joins, tests)
