"""The people whom no view shows: the table without them, and those of a list whom the table does not have."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from deniable.engines.dialect import as_text, same
from deniable.engines.scope import Relation
from deniable.sql.build import column, numbered, select, text_of


def identifiers(relation: Relation, ids: Sequence[str]) -> exp.Select:
    """The different identifiers i0, i1, … of a relation, as text."""
    cells = [text_of(name, key) for name, key in zip(ids, numbered("i", len(ids)), strict=True)]
    return exp.select(*cells).distinct().from_(relation.as_("source"))


def strangers(withheld: Relation, source: Relation, ids: Sequence[str]) -> exp.Select:
    """How many identifiers of the list nobody in the table has."""
    keys = numbered("i", len(ids))
    people = identifiers(source, ids).subquery("people")
    query = select("count(*) AS strangers").from_(withheld.as_("withheld"))
    return query.join(people, on=same(keys, "withheld", "people"), join_type="anti")


def without(source: Relation, withheld: Relation, ids: Sequence[str]) -> exp.Select:
    """The rows of everybody else."""
    keys = numbered("i", len(ids))
    equal = (
        exp.NullSafeEQ(this=as_text(column(name, "source")), expression=exp.column(key, "withheld"))
        for name, key in zip(ids, keys, strict=True)
    )
    query = exp.select(exp.Column(this=exp.Star(), table=exp.to_identifier("source"))).from_(source.as_("source"))
    return query.join(withheld.as_("withheld"), on=exp.and_(*equal), join_type="anti")


def anybody(rest: Relation) -> exp.Select:
    """Whether there is a row."""
    one = select("1 AS row").from_(rest.as_("rest")).limit(1)
    return select("count(*) > 0 AS anybody").from_(one.subquery("one"))
