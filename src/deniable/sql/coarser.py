"""Coarser columns as trees: what a column becomes in bands, by its first characters, as a part of a date, up to a cap,
or by a level of a hierarchy.

Each is a function of the cell, null stays null, and what it says is text, but for years, which are numbers. A cell that
has no place in the function (a number beyond the digits that bands are counted in, a label that its hierarchy lacks)
becomes null, which `bind` refuses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from sqlglot import exp

from deniable.engines.dialect import DOUBLE, OURS, ColumnType, Kind, as_text
from deniable.engines.scope import Relation
from deniable.frozen import frozen
from deniable.sql.build import column, select

LONGEST = ColumnType(Kind.WIDE, "HUGEINT")
WHOLE = ColumnType(Kind.INTEGER, "BIGINT")
_SMALL = ("TINYINT", "SMALLINT", "INTEGER")  # sums of these and of what a release may say stay within 64 bits
_MOST_BANDS = Decimal(10**15)  # on either side of the first, so that a double finds its band
_FORMATS = {"month": "%Y-%m", "week": "%G-W%V", "day": "%Y-%m-%d", "hour": "%Y-%m-%d %H"}


@frozen
class Lookup:
    """A level of a hierarchy: the label beside the finest one in `levels` (t0, t1, …)."""

    levels: Relation
    level: int


@frozen
class Derived:
    """A coarser column: its name, its column, and the function as a tree over that column, or where to look it up."""

    name: str
    of: str
    function: exp.Expr | Lookup


def is_whole(kind: ColumnType, *numbers: Decimal) -> bool:
    """Whether a column and some numbers beside it are whole."""
    return kind.kind in (Kind.INTEGER, Kind.WIDE) and all(number == number.to_integral_value() for number in numbers)


def band(cell: exp.Expr, kind: ColumnType, width: Decimal, start: Decimal) -> exp.Expr:
    """The band of a number: `40-49` where everything is whole, else `[40,50)`."""
    if is_whole(kind, width, start):
        low = _low_whole(cell, kind, int(width), int(start))
        if width == 1:
            return as_text(low)
        high = exp.paren(exp.Add(this=low.copy(), expression=_number(width - 1)))
        return _joined(as_text(low), _quoted("-"), as_text(high))
    places = _places(width, start)
    number = _band_number(cell, kind, width, start)
    after = exp.paren(exp.Add(this=number.copy(), expression=_number(Decimal(1))))
    begins, ends = (_short(_border(of, width, start), places) for of in (number, after))
    return _joined(_quoted("["), begins, _quoted(","), ends, _quoted(")"))


def band_start(cell: exp.Expr, kind: ColumnType, width: Decimal, start: Decimal) -> exp.Expr:
    """Where the band of a number begins."""
    if is_whole(kind, width, start):
        return _low_whole(cell, kind, int(width), int(start))
    return _border(_band_number(cell, kind, width, start), width, start)


def prefix(cell: exp.Expr, length: int) -> exp.Expr:
    """The first characters."""
    return exp.Left(this=as_text(cell), expression=exp.Literal.number(length))


def part(cell: exp.Expr, name: str) -> exp.Expr:
    """The year, quarter, month, week, day or hour that a date or timestamp is in; finer ones say the coarser ones."""
    time = exp.cast(cell, "TIMESTAMP")
    year = exp.cast(exp.Extract(this=exp.var("year"), expression=time), WHOLE.sql)
    if name == "year":
        return year
    if name == "quarter":
        return _joined(as_text(year), _quoted("-Q"), as_text(exp.Extract(this=exp.var("quarter"), expression=time)))
    return exp.TimeToStr(this=time, format=_quoted(_FORMATS[name]))


def cap(cell: exp.Expr, kind: ColumnType, most: Decimal) -> exp.Expr:
    """The number itself below the cap, `100000+` from there on."""
    known = exp.Case().when(exp.GTE(this=cell, expression=_number(most)), _quoted(f"{most:f}+"))
    if _is_binary(kind):  # -0.0 is 0.0
        known = known.when(exp.EQ(this=cell.copy(), expression=_number(Decimal(0))), _quoted("0.0"))
    return known.else_(as_text(cell.copy()))


def with_coarser(source: Relation, kept: Sequence[str], derived: Sequence[Derived]) -> exp.Select:
    """Columns of the table, and coarser ones beside them."""
    chosen: list[exp.Expr] = [column(name, "source") for name in kept]  # all at once: there may be thousands
    joined: dict[tuple[str, str], str] = {}
    for one in derived:
        if not isinstance(one.function, Lookup):
            chosen.append(exp.alias_(one.function, one.name, quoted=True))
            continue
        where = (one.function.levels.name, one.of)
        alias = joined.setdefault(where, f"levels{len(joined)}")
        chosen.append(exp.alias_(exp.column(f"t{one.function.level}", alias), one.name, quoted=True))
    query = exp.select(*chosen, copy=False).from_(source.as_("source"), copy=False)
    for (levels, of), alias in joined.items():
        on = exp.EQ(this=as_text(column(of, "source")), expression=exp.column("t0", alias))
        query = query.join(Relation(levels).as_(alias), on=on, join_type="left", copy=False)
    return query


def texts(source: Relation, columns: Sequence[str], row: str) -> exp.Select:
    """Columns as text under their own names, and the column that numbers the rows, if there is one."""
    cells = [exp.alias_(as_text(column(name)), name, quoted=True) for name in columns]
    return exp.select(*cells, *(column(name) for name in filter(None, [row]))).from_(source.as_("source"))


def placeless(source: Relation, derived: Mapping[str, str]) -> exp.Select:
    """n0, n1, …: how many different cells of a column have no place in each coarser one (coarser: column)."""
    counts = []
    for i, (name, of) in enumerate(derived.items()):
        lost = exp.Case().when(exp.Is(this=column(name), expression=exp.Null()), column(of))
        counts.append(exp.alias_(exp.Count(this=exp.Distinct(expressions=[lost])), f"n{i}"))
    return exp.select(*counts).from_(source.as_("source"))


def given(values: Sequence[exp.Expr], name: str) -> exp.Select:
    """Some values as a column."""
    rows = [exp.select(exp.alias_(value, name, quoted=True)) for value in values]
    union: exp.Query = rows[0] if len(rows) == 1 else exp.union(*rows, distinct=True)
    return select(column(name)).from_(union.subquery("given"))


def beside_each_other(sources: Sequence[Relation], names: Sequence[str]) -> exp.Query:
    """The combinations that some columns have in one of some relations, each once."""
    rows = [exp.select(*(column(name) for name in names)).from_(source.as_("source")) for source in sources]
    return rows[0].distinct() if len(rows) == 1 else exp.union(*rows, distinct=True)


def _low_whole(cell: exp.Expr, kind: ColumnType, width: int, start: int) -> exp.Expr:
    """The first whole number of a band: what is left of a division may have the sign of the number."""
    wide = exp.cast(cell, WHOLE.sql if kind.sql in _SMALL else LONGEST.sql)
    moved: exp.Expr = wide if not start else exp.paren(exp.Sub(this=wide, expression=_number(Decimal(start))))
    step = _number(Decimal(width))
    rest = exp.paren(exp.Mod(this=moved, expression=step))
    above = exp.paren(exp.Mod(this=exp.paren(exp.Add(this=rest, expression=step.copy())), expression=step.copy()))
    return exp.paren(exp.Sub(this=wide.copy(), expression=above))


def _band_number(cell: exp.Expr, kind: ColumnType, width: Decimal, start: Decimal) -> exp.Expr:
    """Which band a number is in: estimated in doubles, then held against the borders, which are exact.

    The estimate is off by one at most, since there are at most 10^15 bands on either side.
    """
    double = exp.cast(cell, DOUBLE.sql)
    moved = exp.paren(exp.Sub(this=double, expression=exp.cast(_number(start), DOUBLE.sql)))
    share = exp.paren(exp.Div(this=moved, expression=exp.cast(_number(width), DOUBLE.sql)))
    near = exp.Between(this=share, low=_number(-_MOST_BANDS), high=_number(_MOST_BANDS))
    guess = exp.Case().when(near, exp.cast(exp.Floor(this=share.copy()), WHOLE.sql))
    compared = _comparable(cell, kind, width, start)

    def border(moved_by: int) -> exp.Expr:
        place = exp.paren(exp.Add(this=guess.copy(), expression=_number(Decimal(moved_by)))) if moved_by else guess
        tree = _border(place.copy(), width, start)
        return exp.cast(tree, DOUBLE.sql) if _is_binary(kind) else tree

    below = exp.LT(this=compared, expression=border(0))
    above = exp.GTE(this=compared.copy(), expression=border(1))
    one = _number(Decimal(1))
    moved_down = exp.paren(exp.Sub(this=guess.copy(), expression=one))
    moved_up = exp.paren(exp.Add(this=guess.copy(), expression=one.copy()))
    return exp.Case().when(below, moved_down).when(above, moved_up).else_(guess.copy())


def _comparable(cell: exp.Expr, kind: ColumnType, width: Decimal, start: Decimal) -> exp.Expr:
    """A number as it is compared with borders: in doubles, or exactly."""
    if _is_binary(kind):
        return exp.cast(cell.copy(), DOUBLE.sql)
    own = int(kind.sql.partition(",")[2].rstrip(")") or 0) if kind.sql.startswith("DECIMAL") else 0
    exact = exp.DataType.build(f"DECIMAL(38, {max(own, _places(width, start))})", dialect=OURS)
    return exp.TryCast(this=cell.copy(), to=exact)


def _is_binary(kind: ColumnType) -> bool:
    return kind.sql in ("FLOAT", "DOUBLE")


def _border(number: exp.Expr, width: Decimal, start: Decimal) -> exp.Expr:
    """Where a band begins, exactly."""
    places = _places(width, start)
    step = exp.cast(_number(width), f"DECIMAL(18, {places})")
    product = exp.Mul(this=exp.cast(number, "DECIMAL(19, 0)"), expression=step)
    if not start:
        return exp.paren(product)
    return exp.paren(exp.Add(this=product, expression=exp.cast(_number(start), f"DECIMAL(18, {places})")))


def _short(number: exp.Expr, places: int) -> exp.Expr:
    """A decimal without the zeros at its end."""
    text = as_text(number)
    if not places:
        return text
    bare = exp.Trim(this=text, expression=_quoted("0"), position="TRAILING")
    return exp.Trim(this=bare, expression=_quoted("."), position="TRAILING")


def _places(*numbers: Decimal) -> int:
    """Digits after the point."""
    return max(max(0, -int(number.normalize().as_tuple().exponent)) for number in numbers)


def _joined(*texts: exp.Expr) -> exp.Expr:
    tree = texts[0]
    for text in texts[1:]:
        tree = exp.DPipe(this=tree, expression=text, safe=True)
    return tree


def _number(value: Decimal) -> exp.Expr:
    bare = exp.Literal.number(f"{abs(value):f}")
    return exp.paren(exp.Neg(this=bare)) if value < 0 else bare


def _quoted(text: str) -> exp.Expr:
    return exp.Literal.string(text)
