"""The queries of two views whose join is cut: people by all that the adversaries count of them.

rows, side{k} and kept columns as in `any_views`; a is the kind of an ID-side tuple, b that of a P-side tuple.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from deniable.engines.dialect import TEXT, same
from deniable.engines.scope import Relation
from deniable.frozen import frozen
from deniable.sql.build import of, select


@frozen
class Side:
    """One of the two views: its kinds of tuples, all its columns, and those that say the kind."""

    relation: Relation
    number: int
    columns: Sequence[str]
    kept: Sequence[str]

    def tuples(self, rows: Relation, further: Sequence[str], letter: str, count: str) -> exp.Select:
        """Every different tuple, beside some further columns: its kind, and how many rows it has."""
        names = list(dict.fromkeys([*further, *self.columns]))
        distinct = select(*names, f"count(*) AS {count}").from_(rows.as_("rows")).group_by(*names).subquery("d")
        chosen = (*of("d", *further), f"side.u{self.number} AS {letter}", f"d.{count}")
        return select(*chosen).from_(distinct).join(self.relation.as_("side"), on=_same(self.kept, "d", "side"))


def groups(home: Side, shared: Sequence[str]) -> exp.Select:
    """The join group g of each kind of ID-side tuple, called by the first of them."""
    first = f"min(u{home.number}) OVER (PARTITION BY {', '.join(shared)})" if shared else "0"
    return select(f"u{home.number} AS a", *shared, f"{first} AS g").from_(home.relation.as_("side"))


def signatures(
    rows: Relation, home: Side, groups: Relation, ids: Sequence[str], shared: Sequence[str], joined: Sequence[str]
) -> exp.Select:
    """Everybody with all that is counted of them, as text: `a:rows …|g:tuples …`."""
    own = home.tuples(rows, ids, "a", "w").subquery("o")
    tuples = f"string_agg(CAST(a AS {TEXT.sql}) || ':' || CAST(w AS {TEXT.sql}), ' ' ORDER BY a, w) AS tuples"
    left = select(*ids, tuples).from_(own).group_by(*ids).subquery("l")
    names = list(dict.fromkeys([*ids, *joined]))
    distinct = select(*names).distinct().from_(rows.as_("rows")).subquery("d")
    group = select(*shared, "g").distinct().from_(groups.as_("groups")).subquery("g")
    counted = select(*of("d", *ids), "g.g", "count(*) AS t").from_(distinct).join(group, on=_same(shared, "d", "g"))
    counted = counted.group_by(*of("d", *ids), "g.g")
    have = f"string_agg(CAST(g AS {TEXT.sql}) || ':' || CAST(t AS {TEXT.sql}), ' ' ORDER BY g) AS have"
    right = select(*ids, have).from_(counted.subquery("c")).group_by(*ids).subquery("r")
    query = select(*of("l", *ids), "l.tuples || '|' || r.have AS types").from_(left)
    return query.join(right, on=same(ids, "l", "r"))


def kind_sizes(people: Relation) -> exp.Select:
    """How many people of each kind there are."""
    return select("kind", "count(*) AS many").from_(people.as_("people")).group_by("kind").order_by("kind")


def value_sizes(rows: Relation, side: Side) -> exp.Select:
    """How many P-side tuples of each kind have how many rows."""
    tuples = side.tuples(rows, (), "b", "r").subquery("t")
    return select("b", "r", "count(*) AS many").from_(tuples).group_by("b", "r").order_by("b", "r")


def _same(names: Sequence[str], left: str, right: str) -> exp.Expr | str:
    return same(names, left, right) if names else "true"
