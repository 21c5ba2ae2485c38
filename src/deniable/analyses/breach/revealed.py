"""A view that holds identifier and private column together reveals the association.

Every world has each view tuple, so the association is in all of them: probability 1.
The restricted adversary has no world for a person with two values, the keyed one none
where somebody has two tuples or the other view has more tuples than there are people.
"""

from __future__ import annotations

from sqlglot import exp

from deniable.analyses.breach.plan import Revealed
from deniable.analyses.breach.relations import Relations
from deniable.bind.views import Bound
from deniable.engines.base import Engine
from deniable.sql import build, pairs, revealed


def solve(bound: Bound, plan: Revealed, engine: Engine) -> Relations:
    """Leave the relation `answers` in the engine, one row per secret association."""
    release = bound.release
    ids = build.numbered("i", len(release.id_columns))
    joins = pairs.joins_of(len(plan.join))
    opens = build.numbered("o", len(plan.open_view.columns))
    others = build.numbered("q", len(plan.other_view.columns))
    roles = {
        "i": release.id_columns,
        "j": plan.join,
        "o": plan.open_view.columns,
        "q": plan.other_view.columns,
        "p": (release.private,),
    }
    secret = bound.secret.condition if bound.secret else None
    engine.view("rows", build.narrowed(bound.source, roles, plan.condition, secret, bound.text_columns))
    engine.store("values_", pairs.values())
    engine.store("persons", revealed.persons(ids, opens))
    engine.store("sides", revealed.sides(ids, joins, opens, others))
    engine.store("answers", revealed.answers(ids, joins, plan.keeps_duplicates))

    def wide() -> exp.Query:
        return build.select("*").from_("answers")

    counted = (("answers", pairs.ANSWERS),)
    return Relations(bound, engine, pairs.ANSWERS, ids, once=False, weight="s", counted=counted, wide=wide)
