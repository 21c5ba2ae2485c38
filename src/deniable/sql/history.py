"""The queries of re-publication: the table's cells as text, under names of our own."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from deniable.engines.dialect import same
from deniable.engines.scope import Relation
from deniable.sql.build import column, numbered, select, text_of


def cells(source: Relation, row: str, identifier: Sequence[str], quasi: Sequence[str], private: str) -> exp.Select:
    """row, i0…, q0… and x."""
    named = [
        *((f"i{k}", name) for k, name in enumerate(identifier)),
        *((f"q{k}", name) for k, name in enumerate(quasi)),
    ]
    texts = [text_of(name, alias) for alias, name in [*named, ("x", private)]]
    return exp.select(exp.alias_(column(row), "row"), *texts).from_(source.as_("source"))


def ordered(cells: Relation) -> exp.Select:
    """Everything, in the order of the rows."""
    return select("*").from_(cells.as_("cells")).order_by("row")


def doubled(cells: Relation, identifier: int) -> exp.Select:
    """How many identifiers there are more than once."""
    keys = numbered("i", identifier)
    several = select(*keys, "count(*) AS often").from_(cells.as_("cells")).group_by(*keys)
    return select("count(*) AS people").from_(several.having("count(*) > 1").subquery("d"))


def nameless(cells: Relation, identifier: int) -> exp.Select:
    """How many rows have nothing in any column of the identifier."""
    empty = [f"coalesce({key}, '') = ''" for key in numbered("i", identifier)]
    return select("count(*) AS people").from_(cells.as_("cells")).where(*empty)


def without_labels(cells: Relation, name: str, levels: Relation) -> exp.Select:
    """How many different cells of a column are not labels of the finest level."""
    found = select(f"{name} AS t0").distinct().from_(cells.as_("cells")).subquery("f")
    labels = select("t0", "true AS there").distinct().from_(levels.as_("levels")).subquery("l")
    query = select("count(*) AS cells").from_(found).join(labels, on=same(["t0"], "f", "l"), join_type="left")
    return query.where("l.there IS NULL")


def texts(source: Relation, columns: Sequence[str]) -> exp.Select:
    """Columns of a file as text, t0 and so on, each different row once."""
    chosen = [text_of(name, f"t{k}") for k, name in enumerate(columns)]
    return exp.select(*chosen).distinct().from_(source.as_("source"))


def everything(source: Relation) -> exp.Select:
    """All rows and columns."""
    return select("*").from_(source.as_("source"))
