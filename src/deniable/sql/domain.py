"""The values that the private column can take: given in the release file, or as the column has them."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from deniable.engines.dialect import ColumnType, same, try_cast
from deniable.engines.scope import Relation
from deniable.sql.build import column, select


def values(given: Sequence[object], kind: ColumnType) -> list[exp.Expr]:
    """Given values in the column's type; null where they do not fit it."""
    return [try_cast(_literal(value), kind) for value in given]


def _literal(value: object) -> exp.Expr:
    return exp.Null() if value is None else exp.Literal.string(str(value))


def domain(source: Relation, given: Sequence[object], private: str, kind: ColumnType) -> exp.Select:
    """The different values p, numbered v in their order, null last."""
    return select("p", "row_number() OVER (ORDER BY p NULLS LAST) - 1 AS v").from_(
        _distinct(source, given, private, kind)
    )


def with_functions(domain: exp.Select, known: Relation, private: str, functions: Sequence[str]) -> exp.Select:
    """The values with what their functions make of them, f0 and so on, as `known` has them beside each other."""
    found = [exp.alias_(column(name, "known"), f"f{i}") for i, name in enumerate(functions)]
    on = exp.NullSafeEQ(this=exp.column("p", "d"), expression=column(private, "known"))
    return select("d.p", "d.v", *found).from_(domain.subquery("d")).join(known.as_("known"), on=on)


def _distinct(source: Relation, given: Sequence[object], private: str, kind: ColumnType) -> exp.Subquery:
    if not given:
        return exp.select(exp.alias_(column(private), "p")).distinct().from_(source.as_("source")).subquery("d")
    rows = [exp.select(exp.alias_(value, "p")) for value in values(given, kind)]
    union: exp.Query = rows[0] if len(rows) == 1 else exp.union(*rows, distinct=True)
    return select("p").distinct().from_(union.subquery("g")).subquery("d")


def unfit(given: Sequence[object], kind: ColumnType) -> exp.Select:
    """d0, d1, …: whether each given value has no place in the column's type."""
    tests = (exp.Is(this=value, expression=exp.Null()) for value in values(given, kind))
    return exp.select(*(exp.alias_(test, f"d{i}") for i, test in enumerate(tests)))


def outside(source: Relation, given: Sequence[object], private: str, kind: ColumnType) -> exp.Select:
    """How many different values the column has that the given ones miss, and in how many rows."""
    cells = exp.select(exp.alias_(column(private), "p")).from_(source.as_("source")).subquery("c")
    known = select("p", "true AS known").from_(_distinct(source, given, private, kind)).subquery("k")
    missing = select("c.p", "count(*) AS n").from_(cells).join(known, on=same(["p"], "c", "k"), join_type="left")
    missing = missing.where("k.known IS NULL").group_by("c.p")
    return select("count(*) AS cells", "CAST(coalesce(sum(n), 0) AS BIGINT) AS rows").from_(missing.subquery("m"))
