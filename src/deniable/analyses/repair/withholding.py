"""The few people who cannot be helped: whole join groups, or whole crowds, of which nothing is published.

A part of a group would tell of those who are missing: if only the holders of the commonest value were kept back, being
missed would name it. So everybody goes who stands in a join group with somebody over the limit, whatever their values.
That the group is missing tells that somebody in it could not be published, and no more.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from deniable.analyses.audit import audit
from deniable.analyses.breach.plan import TwoViews
from deniable.analyses.repair.trials import Table, passes
from deniable.analyses.verdict import Verdict
from deniable.arrow import only
from deniable.bind.views import Bound
from deniable.engines.scope import Attached, Relation
from deniable.errors import BadInput
from deniable.frozen import frozen
from deniable.release import Release
from deniable.sql import build, two_views, withheld
from deniable.sql import repair as queries
from deniable.sql.associations import Required, everything

if TYPE_CHECKING:
    import pyarrow as pa

ROUNDS = 3  # who stands in several groups takes others along


@frozen
class Withheld:
    """Who is not published, as text, and the table without them."""

    people: pa.Table  # i0, i1, …
    attached: Attached
    verdict: Verdict  # of the release without them


def withhold(release: Release, table: Table, most: int) -> Withheld | None:
    """As few whole groups as make the release pass a full audit, if these are at most so many people."""
    scope, ids, rest = table.scope, release.id_columns, table
    listed: list[Relation] = []
    for _ in range(ROUNDS):
        bound = rest.bind(release)
        listed += [*_in_bad_groups(bound, table), *_in_small_crowds(bound, table)]
        if not listed:
            return None
        union = scope.store("withheld", queries.all_of(listed, len(ids)))
        if not 0 < int(only(scope.fetch(two_views.count_rows(union)))) <= most:
            return None
        left = scope.view("left", withheld.without(table.attached.relation, union, ids))
        if not only(scope.fetch(withheld.anybody(left))):
            return None
        rest = replace(table, attached=replace(table.attached, relation=left))
        verdict = _passed(release, rest)
        if verdict is not None:
            people = scope.fetch(everything(union))
            ordered = people.sort_by([(name, "ascending") for name in people.column_names])
            return Withheld(ordered, rest.attached, verdict)
    return None


def _passed(release: Release, table: Table) -> Verdict | None:
    """The verdict on a release of this table, if it passes; None also where nothing is left that can be answered."""
    try:
        verdict = audit(release, table.scope, table.effort, table.attached)
    except BadInput:
        return None
    return verdict if passes(verdict) else None


def _in_bad_groups(bound: Bound, table: Table) -> list[Relation]:
    """Everybody in a join group with somebody over the limit; only two views have groups that stand for themselves."""
    from deniable.analyses import breach

    limit = table.asked.breach
    if limit is None:
        return []
    result = breach.solve(bound, table.effort)
    if not isinstance(result.plan, TwoViews):
        return []
    names, wide = limit.adversaries or result.facing, result.answers.wide()
    query = queries.people_over(wide.relation, wide.ids, names, Required(limit.at_most, names))
    over = table.scope.store("over", query)
    roles = {"i": bound.release.id_columns, "j": result.plan.join}
    narrowed = build.narrowed(bound.source, roles, result.plan.condition, None, bound.text_columns)
    rows = table.scope.view("beside", narrowed)
    joins = build.numbered("j", max(1, len(result.plan.join)))
    return [table.scope.store("bad_groups", queries.beside(rows, over, wide.ids, joins))]


def _in_small_crowds(bound: Bound, table: Table) -> list[Relation]:
    """Everybody in a crowd that is too small, where the identifier is among what is public."""
    from deniable.analyses import crowds

    limit, ids = table.asked.crowd, bound.release.id_columns
    if limit is None or not ids or not set(ids) <= set(bound.release.public or bound.columns):
        return []
    result = crowds.solve(bound, "conservative", table.effort)
    query = queries.in_small_crowds(result.partition.answer(ordered=False), ids, limit.at_least)
    return [table.scope.store("small_crowds", query)]
