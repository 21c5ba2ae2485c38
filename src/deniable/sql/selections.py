"""Conditions on the private column: which of its values would satisfy them, for each different combination of the
public columns that they look at.

A combination has a number h; a value p of the private column has a number v in the values' order.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from deniable.engines.scope import Relation
from deniable.sql.build import of, select
from deniable.sql.conditions import Separated, renamed, truth
from deniable.sql.keys import Keys, TellingView


def values(domain: Relation, parts: Separated, private: str) -> exp.Select:
    """Each private value: its position in the order of the compared side, and the private parts' truths z0…"""
    truths = [f"z{i}" for i in range(len(parts.private))]
    found = (exp.alias_(truth(renamed(tree, {private: "p"})), z) for tree, z in zip(parts.private, truths, strict=True))
    inner = select("v", exp.alias_(_compared(parts, private), "f"), *found).from_(domain.as_("domain"))
    position = "CASE WHEN f IS NULL THEN -1 ELSE dense_rank() OVER (ORDER BY f NULLS LAST) - 1 END AS position"
    return select("v", position, *truths).from_(inner.subquery("d")).order_by("v")


def combinations(base: Relation, parts: Sequence[str]) -> exp.Select:
    """The different combinations of the columns that decide a set, numbered."""
    distinct = select(*(parts or ["0 AS nothing"])).distinct().from_(base.as_("base"))
    return select(*parts, "row_number() OVER () - 1 AS h").from_(distinct.subquery("d"))


def ranks(domain: Relation, combinations: Relation, parts: Separated, private: str, threshold: str) -> exp.Select:
    """Each threshold and value x: how many different values of the compared side are up to it; d is 1 if it is one."""
    values = select(exp.alias_(_compared(parts, private), "x"), "1 AS d").distinct().from_(domain.as_("domain"))
    wanted = select(f"{threshold} AS x", "0 AS d").distinct().from_(combinations.as_("combinations"))
    both = exp.union(values, wanted, distinct=False).subquery("u")
    merged = select("x", "max(d) AS d").from_(both).where("x IS NOT NULL").group_by("x").subquery("m")
    return select("x", "d", "CAST(sum(d) OVER (ORDER BY x) AS BIGINT) AS upto").from_(merged)


def ranked(combinations: Relation, view: TellingView, ranks: Sequence[Relation]) -> exp.Select:
    """The combinations as numbers: truths, and where each threshold falls among the values."""
    query = select("combinations.h", *of("combinations", *view.truths)).from_(combinations.as_("combinations"))
    for i, (threshold, table) in enumerate(zip(view.thresholds, ranks, strict=True)):
        query = query.select(
            f"coalesce(ranks{i}.upto - ranks{i}.d, -1) AS below{i}", f"coalesce(ranks{i}.upto, -1) AS upto{i}"
        )
        query = query.join(table.as_(f"ranks{i}"), on=f"combinations.{threshold} = ranks{i}.x", join_type="left")
    return query.order_by("h")


def satisfying(combinations: Relation, domain: Relation, keys: Keys, view: TellingView) -> exp.Select:
    """Every (combination, value) that satisfies a view's condition: tried one by one."""
    crossed = select("h", "v").from_(combinations.as_("combinations")).join(domain.as_("domain"), join_type="cross")
    return crossed.where(renamed(view.where, {**keys.used, **keys.of_value}))


def with_sets(combinations: Relation, found: Relation, parts: Sequence[str]) -> exp.Select:
    """The combinations with the numbers t of their sets."""
    query = select(*of("combinations", *parts), "found.t").from_(combinations.as_("combinations"))
    return query.join(found.as_("found"), on="combinations.h = found.h")


def _compared(parts: Separated, private: str) -> exp.Expr:
    return renamed(parts.compared, {private: "p"})
