"""The queries of `bucketize`: the table as if its people were published, and the files that really are."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlglot import exp

from deniable.engines.dialect import same
from deniable.engines.scope import Relation
from deniable.sql.build import column, select, text_of
from deniable.words import FORMULA, SIGNED_NUMBER


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


def people(placed: Relation, cells: Relation, quasi: Sequence[str], excel_safe: bool = False) -> exp.Select:
    """people.csv: quasi-identifiers and group, in the order that says nothing."""
    chosen = [published_cell(exp.column(f"x{i}", "cells"), name, excel_safe) for i, name in enumerate(quasi)]
    group = exp.alias_(exp.column("grp", "placed"), "group", quoted=True)
    query = exp.select(*chosen, group).from_(placed.as_("placed"))
    return query.join(cells.as_("cells"), on="placed.row = cells.row").order_by("placed.place")


def values(placed: Relation, codes: Relation, private: str, excel_safe: bool = False) -> exp.Select:
    """values.csv: group and private value."""
    group = exp.alias_(exp.column("grp", "placed"), "group", quoted=True)
    value = published_cell(exp.column("x", "codes"), private, excel_safe)
    query = exp.select(group, value).from_(placed.as_("placed"))
    return query.join(codes.as_("codes"), on="placed.code = codes.code").order_by("placed.place")


def published_cell(cell: exp.Expr, name: str, excel_safe: bool) -> exp.Expr:
    """A cell as it is; or with an apostrophe before what a spreadsheet would compute, and before an apostrophe
    (`publish.spreadsheets` says why, and does the same to arrays)."""
    if not excel_safe:
        return exp.alias_(cell, name, quoted=True)
    heading = f"'{name}" if re.match(f"{FORMULA}|'", name) else name
    mark = exp.Literal.string("'")
    needs = exp.or_(_is_formula(cell), _is_marked(cell))
    made = exp.Case().when(needs, exp.DPipe(this=mark.copy(), expression=cell.copy())).else_(cell)
    return exp.alias_(made, heading, quoted=True)


def written_for_spreadsheets(file: Relation, columns: Sequence[str]) -> exp.Select:
    """Whether some cell of a published file has an apostrophe before it, and none begins as a formula does."""
    cells = [column(name) for name in columns]
    marked = exp.or_(*(exp.func("coalesce", _is_marked(cell), exp.false()) for cell in cells))
    formula = exp.or_(*(exp.func("coalesce", _is_formula(cell), exp.false()) for cell in cells))
    told = exp.and_(exp.LogicalOr(this=marked), exp.not_(exp.LogicalOr(this=formula)))
    return exp.select(exp.alias_(told, "told")).from_(file.as_("file"))


def as_before(file: Relation, columns: Sequence[str]) -> exp.Select:
    """The cells of such a file as they were."""
    cells = [exp.RegexpReplace(this=column(name), expression=exp.Literal.string("^'"),
                               replacement=exp.Literal.string("")) for name in columns]  # fmt: skip
    chosen = [exp.alias_(cell, name, quoted=True) for cell, name in zip(cells, columns, strict=True)]
    return exp.select(*chosen).from_(file.as_("file"))


def _is_formula(cell: exp.Expr) -> exp.Expr:
    begins, is_number = (
        exp.RegexpLike(this=cell.copy(), expression=exp.Literal.string(how)) for how in (FORMULA, SIGNED_NUMBER)
    )
    return exp.and_(begins, exp.not_(is_number))


def _is_marked(cell: exp.Expr) -> exp.Expr:
    return exp.func("starts_with", cell.copy(), exp.Literal.string("'"))
