"""The queries of `bucketize`: the table as if its people were published, and the files that really are."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from deniable.engines.dialect import same
from deniable.engines.scope import Relation
from deniable.sql.build import column, select, text_of


def as_people(table: Relation, row: str, quasi: Sequence[str]) -> exp.Select:
    """The table's people: row number and quasi-identifiers as text."""
    cells = [text_of(name, f"q{i}") for i, name in enumerate(quasi)]
    return exp.select(exp.alias_(column(row), "person"), *cells).from_(table.as_("file"))


def as_values(table: Relation, private: str) -> exp.Select:
    """The table's private values as text."""
    return exp.select(text_of(private, "x")).from_(table.as_("file"))


def signatures(people: Relation, signatures: Relation, quasi: Sequence[str]) -> exp.Select:
    """Each person's signature, by row."""
    query = select("signatures.s").from_(people.as_("people"))
    return query.join(signatures.as_("signatures"), on=same(quasi, "people", "signatures")).order_by("people.person")


def people(placed: Relation, cells: Relation, quasi: Sequence[str]) -> exp.Select:
    """people.csv: quasi-identifiers and group, in the order that says nothing."""
    chosen = [exp.alias_(exp.column(f"x{i}", "cells"), name, quoted=True) for i, name in enumerate(quasi)]
    group = exp.alias_(exp.column("grp", "placed"), "group", quoted=True)
    query = exp.select(*chosen, group).from_(placed.as_("placed"))
    return query.join(cells.as_("cells"), on="placed.row = cells.row").order_by("placed.place")


def values(placed: Relation, codes: Relation, private: str) -> exp.Select:
    """values.csv: group and private value."""
    group = exp.alias_(exp.column("grp", "placed"), "group", quoted=True)
    value = exp.alias_(exp.column("x", "codes"), private, quoted=True)
    query = exp.select(group, value).from_(placed.as_("placed"))
    return query.join(codes.as_("codes"), on="placed.code = codes.code").order_by("placed.place")
