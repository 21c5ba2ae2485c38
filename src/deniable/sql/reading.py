"""How the cells of a text file could have been read, and what would have become of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from deniable.engines.dialect import ColumnType, column_type, try_cast
from deniable.engines.scope import Relation
from deniable.sql.build import column, listed, select

KINDS = {  # as `types` calls them
    "number": column_type("DOUBLE"),
    "date": column_type("DATE"),
    "timestamp": column_type("TIMESTAMP"),
    "boolean": column_type("BOOLEAN"),
}


def readable(source: Relation, columns: Sequence[str]) -> exp.Select:
    """For each column of text, by its `place`: how many cells it has, and how many can be read as each of `KINDS`."""
    read = [exp.alias_(exp.Count(this=try_cast(column("cell"), kind)), name) for name, kind in KINDS.items()]
    query = select("place", "count(cell) AS cells").select(*read).from_(listed(source, map(column, columns)))
    return query.group_by("place").order_by("place")


def with_commas(source: Relation, columns: Sequence[str]) -> exp.Select:
    """For each column of text, by its `place`: whether it has numbers only, and some with a decimal comma."""
    numbers = r"bool_and(coalesce(regexp_full_match(cell, '-?[0-9]+(,[0-9]+)?'), TRUE))"
    told = f"{numbers} AND count(*) FILTER (contains(cell, ',')) > 0 AS commas"
    return select("place", told).from_(listed(source, map(column, columns))).group_by("place").order_by("place")


def merged(source: Relation, kinds: Mapping[str, ColumnType]) -> exp.Select:
    """m0, m1, …: how many different cells of each column of text become equal to others when read in a type."""
    texts = (exp.Count(this=exp.Distinct(expressions=[column(name)])) for name in kinds)
    read = (exp.Count(this=exp.Distinct(expressions=[try_cast(column(n), kind)])) for n, kind in kinds.items())
    lost = (exp.Sub(this=all_, expression=left) for all_, left in zip(texts, read, strict=True))
    return exp.select(*(exp.alias_(one, f"m{i}") for i, one in enumerate(lost))).from_(source.as_("source"))
