"""The queries of `bucketize`: the table as if its people were published, and the files that really are."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from deniable.engines.dialect import same
from deniable.sql.build import column, select, text_of


def as_people(source: str, row: str, quasi: Sequence[str]) -> exp.Select:
    """The table's people: row number and quasi-identifiers as text."""
    cells = [text_of(name, f"q{i}") for i, name in enumerate(quasi)]
    return exp.select(exp.alias_(column(row), "person"), *cells).from_(source)


def as_values(source: str, private: str) -> exp.Select:
    """The table's private values as text."""
    return exp.select(text_of(private, "x")).from_(source)


def signatures(k: int, quasi: Sequence[str]) -> exp.Select:
    """Each person's signature, by row."""
    query = select(f"sig{k}.s").from_("published_people")
    return query.join(f"sig{k}", on=same(quasi, "published_people", f"sig{k}")).order_by("published_people.person")


def people(quasi: Sequence[str]) -> exp.Select:
    """people.csv: quasi-identifiers and group, in the order that says nothing."""
    cells = [exp.alias_(exp.column(f"x{i}", "table_file_text"), name, quoted=True) for i, name in enumerate(quasi)]
    group = exp.alias_(exp.column("grp", "placed_people"), "group", quoted=True)
    query = exp.select(*cells, group).from_("placed_people")
    query = query.join("table_file_text", on="placed_people.row = table_file_text.row")
    return query.order_by("placed_people.place")


def values(private: str, place: int) -> exp.Select:
    """values.csv: group and private value."""
    group = exp.alias_(exp.column("grp", "placed_values"), "group", quoted=True)
    value = exp.alias_(exp.column("x", f"codes{place}"), private, quoted=True)
    query = exp.select(group, value).from_("placed_values")
    query = query.join(f"codes{place}", on=f"placed_values.code = codes{place}.code")
    return query.order_by("placed_values.place")
