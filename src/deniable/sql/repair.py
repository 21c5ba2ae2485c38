"""The queries of `repair`: what columns are like, counts that are rolled up from release to release, what the two views
of a release surely give away, and who stands in join groups that cannot be helped.

Counts are kept as a *cube*: the different cells c0, c1, … with their private value p, how many rows r they stand for
and how many of these are secret, s.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlglot import exp

from deniable.engines.dialect import TEXT, ColumnType, same
from deniable.engines.scope import Relation
from deniable.frozen import frozen
from deniable.sql.associations import Required, tests_of
from deniable.sql.build import as_text, column, number, numbered, of, select
from deniable.sql.parse import View
from deniable.sql.publishing import published_cell

_CODE = "^[A-Za-z0-9./-]+$"
_LESS = 1 - 1e-9  # floats are rounded: what is said to be above a limit is


def shapes(source: Relation, columns: Sequence[tuple[str, ColumnType]]) -> exp.Select:
    """One row: d0, d1, … different cells of each column; low and high of numbers; of texts the shortest and longest,
    and whether all are codes."""
    items: list[str | exp.Expr] = ["count(*) AS rows"]
    for i, (name, kind) in enumerate(columns):
        cell = column(name)
        items.append(exp.alias_(exp.Count(this=exp.Distinct(expressions=[cell])), f"d{i}"))
        if kind.is_number:
            items += [exp.alias_(_words(exp.Min(this=cell.copy())), f"low{i}"),
                      exp.alias_(_words(exp.Max(this=cell.copy())), f"high{i}")]  # fmt: skip
        elif kind.is_text:
            length = exp.Length(this=cell.copy())
            code = exp.RegexpLike(this=cell.copy(), expression=exp.Literal.string(_CODE))
            items += [exp.alias_(exp.Min(this=length), f"shortest{i}"), exp.alias_(exp.Max(this=length.copy()),
                      f"longest{i}"), exp.alias_(exp.LogicalAnd(this=code), f"codes{i}")]  # fmt: skip
    return select(*items).from_(source.as_("source"))


def _words(tree: exp.Expr) -> exp.Expr:
    return exp.cast(tree, TEXT.sql)


def cube(
    source: Relation, columns: Sequence[str], private: str, condition: exp.Expr | None, secret: exp.Expr | None,
    text: Sequence[str],
) -> exp.Select:  # fmt: skip
    """The different cells of some columns, with private values and how many rows have them."""
    cells: list[exp.Expr] = [exp.alias_(column(name), f"c{i}") for i, name in enumerate(columns)]
    holds = exp.true() if secret is None else exp.func("coalesce", exp.paren(as_text(secret, text)), exp.false())
    chosen = [*cells, exp.alias_(column(private), "p"), exp.alias_(holds, "s")]
    rows = exp.select(*chosen).from_(source.as_("source"))
    if condition is not None:
        rows = rows.where(as_text(condition, text))
    keys = [f"c{i}" for i in range(len(columns))]
    items = [*keys, "p", "count(*) AS r", "CAST(count(*) FILTER (WHERE s) AS BIGINT) AS s"]
    return select(*items).from_(rows.subquery("rows")).group_by(*keys, "p")


def rolled_up(cube: Relation, keys: Sequence[str]) -> exp.Select:
    """The same for some of its columns."""
    items = [*keys, "p", "CAST(sum(r) AS BIGINT) AS r", "CAST(sum(s) AS BIGINT) AS s"]
    return select(*items).from_(cube.as_("cube")).group_by(*keys, "p")


def uncertainty(cube: Relation, key: str) -> exp.Select:
    """What is needed for the entropy of a column: rows, and the sum of n ln n over its different cells."""
    counted = select(key, "sum(r) AS n").from_(cube.as_("cube")).group_by(key)
    items = ("CAST(sum(n) AS DOUBLE) AS rows", "CAST(sum(n * ln(CAST(n AS DOUBLE))) AS DOUBLE) AS nlogn")
    return select(*items).from_(counted.subquery("counted"))


@frozen
class Sides:
    """Columns of a cube: what joins the two views, and what else the private column's view has."""

    joins: Sequence[str]
    others: Sequence[str]


def surely_over(cube: Relation, sides: Sides, limit: float) -> exp.Select:
    """One row: how many people are surely above a limit, where everybody has one row.

    certain     the group has one value
    bag         r_p / R
    keyed       c_p / n, where there is a world
    restricted  at least (2^c_p - 1) (1 - 2^-(m-1))^n / sum over q of (2^c_q - 1)   (docs/theory/many-views.md)
    """
    joins, bar, less = list(sides.joins), f"CAST({limit!r} AS DOUBLE)", f"CAST({_LESS!r} AS DOUBLE)"
    tuples = select(*joins, *sides.others, "p", "sum(r) AS r", "sum(s) AS s").from_(cube.as_("cube"))
    tuples = tuples.group_by(*joins, *sides.others, "p")
    values = select(*joins, "p", "count(*) AS c", "sum(r) AS r", "sum(s) AS s").from_(tuples.subquery("tuples"))
    values = values.group_by(*joins, "p")
    over = f"OVER ({'PARTITION BY ' + ', '.join(joins) if joins else ''})"
    sums = select(
        "c",
        "r",
        "s",
        f"sum(r) {over} AS m",
        f"sum(c) {over} AS n",
        f"count(*) {over} AS k",
        f"max(c) {over} AS w",
        *joins,
    ).from_(values.subquery("values_"))
    two = "CAST(2 AS DOUBLE)"
    weighed = select(
        "c", "r", "s", "m", "n", "k", f"power({two}, c - w) - power({two}, -w) AS weight",
        f"sum(power({two}, c - w) - power({two}, -w)) {over} AS weights",
    ).from_(sums.subquery("sums"))  # fmt: skip
    damped = f"weight * power(1 - power({two}, 1 - m), n) * {less}"
    found = {
        "certain": "k = 1",
        "bag": f"r * {less} > {bar} * m",
        "keyed": f"n <= m AND c * {less} > {bar} * n",
        "restricted": f"k = 1 OR {damped} > {bar} * weights",
    }
    items = [f"CAST(coalesce(sum(s) FILTER (WHERE {test}), 0) AS BIGINT) AS {name}" for name, test in found.items()]
    return select(*items).from_(weighed.subquery("weighed"))


def people_over(wide: Relation, ids: Sequence[str], adversaries: Sequence[str], required: Required) -> exp.Select:
    """The identifiers of those who are over the limit or undecided, to some adversary."""
    wrong = [
        test for name in adversaries for key, test in tests_of(name, required).items() if key in ("over", "undecided")
    ]
    return select(*ids).distinct().from_(wide.as_("wide")).where(exp.or_(*wrong))


def beside(rows: Relation, people: Relation, ids: Sequence[str], joins: Sequence[str]) -> exp.Select:
    """Everybody who stands in a join group with one of these people, as text: whole groups, since a part of a group
    would tell of those who are missing."""
    theirs = select(*of("rows", *joins)).distinct().from_(rows.as_("rows"))
    theirs = theirs.join(people.as_("people"), on=same(ids, "rows", "people"))
    cells = [exp.alias_(_words(exp.column(key, "rows")), key) for key in ids]
    query = exp.select(*cells).distinct().from_(rows.as_("rows"))
    return query.join(theirs.subquery("theirs"), on=same(joins, "rows", "theirs"))


def in_small_crowds(answer: exp.Select, ids: Sequence[str], least: int) -> exp.Select:
    """The identifiers of those who stand in crowds of fewer people; `answer` lists everybody with their crowd."""
    cells = [exp.alias_(_words(column(name)), f"i{k}") for k, name in enumerate(ids)]
    small = exp.LT(this=column("size"), expression=number(least))
    return exp.select(*cells).distinct().from_(answer.subquery("crowds")).where(small)


def published(source: Relation, view: View, text: Sequence[str], *, excel_safe: Collection[str] = ()) -> exp.Select:
    """A view as it is published: in the order of its own cells, which says nothing that they do not. Of the columns
    `excel_safe`, which are text, cells that a spreadsheet would compute are made harmless."""
    keys = [f"c{i}" for i in range(len(view.columns))]
    cells = (exp.alias_(column(name), key) for name, key in zip(view.columns, keys, strict=True))
    rows = exp.select(*cells).from_(source.as_("source"))
    rows = rows.where(as_text(view.condition, text)) if view.condition is not None else rows
    rows = rows.distinct() if view.distinct else rows
    named = zip(view.columns, keys, strict=True)
    chosen = [published_cell(exp.column(key, "rows"), name, name in excel_safe) for name, key in named]
    order = [exp.Ordered(this=exp.column(key, "rows"), nulls_first=False) for key in keys]
    return exp.select(*chosen).from_(rows.subquery("rows")).order_by(*order)


def selected(source: Relation, columns: Sequence[str], condition: exp.Expr | None, text: Sequence[str]) -> exp.Select:
    """Some columns of the rows that a view selects."""
    query = exp.select(*(column(name) for name in columns)).from_(source.as_("source"))
    return query if condition is None else query.where(as_text(condition, text))


def commonest(source: Relation, private: str) -> exp.Select:
    """How many rows there are, and how many have the commonest value."""
    cells = exp.select(exp.alias_(column(private), "p")).from_(source.as_("source"))
    counted = select("count(*) AS n").from_(cells.subquery("cells")).group_by("p")
    return select("CAST(sum(n) AS BIGINT) AS rows", "max(n) AS most").from_(counted.subquery("counted"))


def all_of(lists: Sequence[Relation], ids: int) -> exp.Select:
    """The different identifiers of several lists."""
    keys = numbered("i", ids)
    parts = [select(*keys).from_(one.as_("one")) for one in lists]
    union: exp.Query = parts[0] if len(parts) == 1 else exp.union(*parts)
    return select(*keys).distinct().from_(union.subquery("lists"))


def different(source: Relation, columns: Sequence[str], condition: exp.Expr | None, text: Sequence[str]) -> exp.Select:
    """How many rows a view has, and how many of them differ."""
    rows = exp.select(*(exp.alias_(column(name), f"c{i}") for i, name in enumerate(columns))).from_(
        source.as_("source")
    )
    rows = rows.where(as_text(condition, text)) if condition is not None else rows
    counted = select("count(*) AS n").from_(rows.subquery("rows")).group_by(*(f"c{i}" for i in range(len(columns))))
    return select("count(*) AS tuples", "CAST(sum(n) AS BIGINT) AS rows").from_(counted.subquery("counted"))
