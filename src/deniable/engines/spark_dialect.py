"""Our trees in Spark's words: a small rewrite for each word, each for one thing that it does differently.

Spark quotes cells in what it raises, and writes that into its logs. So nothing that may meet a cell which does not fit
is left to its own casts: such a cell is found here, and what is raised says our words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlglot import exp

from deniable.engines import lowering
from deniable.engines.lowering import Rewrite
from deniable.engines.spark_numbers import FUNCTION, NUMBER_TEXT
from deniable.engines.spark_types import ANY, DECIMAL, DOUBLE, TEXT, Inference, Types

SPARK = "spark"
UNFIT = "a cell does not fit the type"  # raised by a query; no cell is named

_NUMBER = "^[ \\t\\n\\r]*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,4})?[ \\t\\n\\r]*$"
_CLOCK = "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,9})?)?"
_DATE = "^[ ]*([0-9]{4,6})[-/]([0-9]{1,2})[-/]([0-9]{1,2})"
_WHOLE = {"TINYINT", "SMALLINT", "INT", "BIGINT"}
_TEXT_TYPES = (exp.DataType.Type.TEXT, exp.DataType.Type.VARCHAR)
_WIDE = {
    exp.DataType.Type.INT128: "DECIMAL(38, 0)",
    exp.DataType.Type.UINT128: "DECIMAL(38, 0)",
    exp.DataType.Type.UBIGINT: "DECIMAL(20, 0)",
    exp.DataType.Type.UINT: "BIGINT",
    exp.DataType.Type.USMALLINT: "INT",
    exp.DataType.Type.UTINYINT: "SMALLINT",
}
_FORMATS = {
    "%Y-%m": "date_format(x, 'yyyy-MM')",
    "%G-W%V": "concat(lpad(CAST(extract(YEAROFWEEK FROM x) AS STRING), 4, '0'), '-W', "
    "lpad(CAST(extract(WEEK FROM x) AS STRING), 2, '0'))",
    "%Y-%m-%d": "date_format(x, 'yyyy-MM-dd')",
    "%Y-%m-%d %H": "date_format(x, 'yyyy-MM-dd HH')",
}
_COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between, exp.In)
_ESCAPE = "\x01"  # stands in no pattern, so that nothing is escaped


def fragment(sql: str, **parts: exp.Expr) -> exp.Expr:
    """Spark's text as a tree, with trees in the place of some of its names."""
    return lowering.fragment(sql, SPARK, **parts)


def text(sql: exp.Expr) -> str:
    """A statement of Spark's as it is sent."""
    return sql.sql(SPARK, identify=True)


def lowered(query: exp.Query, columns: Callable[[str], Mapping[str, str] | None] = lambda _: None) -> exp.Query:
    """One of our queries as Spark reads it; `columns` has the types of those of the relations that it reads."""
    tree = query.copy()
    known = Inference(tree, columns)
    asked = (*_COMPARISONS, exp.Cast, exp.TryCast)
    types = {id(node): (known.of(node.this), known.of(node.args.get("expression"))) for node in tree.find_all(*asked)}

    def cast(node: exp.Expr) -> exp.Expr:
        return _cast(node, types[id(node)][0])

    def try_cast(node: exp.Expr) -> exp.Expr:
        return _try_cast(node, types[id(node)][0])

    def compared(node: exp.Expr) -> exp.Expr:
        return _compared(node, *types[id(node)])

    mine: dict[type[exp.Expr], Rewrite] = {
        exp.Cast: cast,
        exp.TryCast: try_cast,
        **dict.fromkeys(_COMPARISONS, compared),
    }
    return lowering.rewritten(tree, {**_REWRITES, **mine})


def _any_of(types: Types, cell: exp.Expr, made: Mapping[str, exp.Expr], plain: exp.Expr) -> exp.Expr:
    """What is made of cells of some types: where more than one is possible, Spark knows which it is."""
    chosen = {kind: tree for kind, tree in made.items() if kind in types}
    if not chosen:
        return plain
    if len(types) == 1:
        return exp.paren(next(iter(chosen.values())))
    asked = {TEXT: "typeof(x) = 'string'", DOUBLE: "typeof(x) IN ('double', 'float')",
             DECIMAL: "startswith(typeof(x), 'decimal')"}  # fmt: skip
    case = exp.Case()
    for kind, tree in chosen.items():
        case = case.when(fragment(asked[kind], x=cell), tree)
    return exp.paren(case.else_(plain))


def _cast(node: exp.Expr, types: Types = ANY) -> exp.Expr:
    """As text: one spelling of each number. As anything else: cells that do not fit are not quoted, halves rounded."""
    to, cell = node.args["to"], node.this
    if to.this in _TEXT_TYPES:
        if isinstance(cell, (exp.Literal, exp.Null)):
            return node
        known = exp.cast(cell.copy(), "TEXT")
        number = fragment(NUMBER_TEXT if _is_sorted(node) else f"{FUNCTION}(x)", x=known)
        return _any_of(types, cell, {DOUBLE: number}, known)
    if isinstance(cell, (exp.Literal, exp.Null, exp.Boolean)):
        return node
    made = {TEXT: _insisted(cell, _from_text(cell, to))} if TEXT in types else {}
    if to.sql("duckdb").partition("(")[0] in _WHOLE:
        double = fragment("rint(CAST(CAST(x AS STRING) AS DOUBLE))", x=cell)
        made[DOUBLE] = exp.Cast(this=double, to=to.copy())
        decimal = fragment("round(try_cast(CAST(x AS STRING) AS DECIMAL(38, 18)))", x=cell)
        made[DECIMAL] = exp.Cast(this=decimal, to=to.copy())
    return _any_of(types, cell, made, exp.Cast(this=cell.copy(), to=to.copy()))


def _is_sorted(node: exp.Expr) -> bool:
    """Whether rows are sorted by it, where Spark takes no functions of ours."""
    order = node.find_ancestor(exp.Order, exp.Select)
    return isinstance(order, exp.Order) and not isinstance(order.parent, exp.Window)


def _bare(node: exp.Expr) -> exp.Expr:
    return _bare(node.this) if isinstance(node, exp.Paren) else node


def _insisted(cell: exp.Expr, made: exp.Expr) -> exp.Expr:
    """What a cell was made into; one that could not be made ends the query."""
    raised = fragment(f"CASE WHEN x IS NOT NULL THEN raise_error('{UNFIT}') END", x=cell)
    return fragment("coalesce(x, y)", x=made, y=raised)


def _try_cast(node: exp.Expr, types: Types) -> exp.Expr:
    """A cast that may fail: the text is looked at before, since Spark takes more for numbers than others do."""
    to, cell = node.args["to"], node.this
    return _cast(node, types) if to.this in _TEXT_TYPES else _from_text(cell, to)


def _from_text(cell: exp.Expr, to: exp.DataType) -> exp.Expr:
    name = to.sql("duckdb").partition("(")[0]
    known = fragment("CAST(x AS STRING)", x=cell)
    if name in _WHOLE:
        sql = f"CASE WHEN t RLIKE '{_regex(_NUMBER)}' THEN round(try_cast(trim(t) AS DECIMAL(38, 18))) END"
        return _tried(fragment(sql, t=known), to)
    if name == "DOUBLE":
        sql = (
            "CASE WHEN t RLIKE '(?i)^[ ]*([+-]?inf(inity)?|nan)[ ]*$' THEN try_cast(trim(t) AS DOUBLE) "
            f"WHEN t RLIKE '{_regex(_NUMBER)}' AND abs(try_cast(trim(t) AS DOUBLE)) <= 1.7976931348623157e308 "
            "THEN try_cast(trim(t) AS DOUBLE) END"
        )
        return fragment(sql, t=known)
    if name == "DECIMAL":
        guarded = fragment(f"CASE WHEN t RLIKE '{_regex(_NUMBER)}' THEN trim(t) END", t=known)
        return _tried(guarded, to)
    if name in ("DATE", "TIMESTAMP"):
        return _try_date(known, name)
    if name == "BOOLEAN":
        return fragment("CASE WHEN t RLIKE '(?i)^[ ]*(true|false|t|f|1|0)[ ]*$' THEN try_cast(trim(t) AS BOOLEAN) END",
                        t=known)  # fmt: skip
    return _tried(cell, to)


def _tried(cell: exp.Expr, to: exp.DataType) -> exp.Expr:
    return fragment(f"try_cast(x AS {_type(to).sql(SPARK)})", x=cell)


def _regex(pattern: str) -> str:
    """A pattern as Spark's text literals have it."""
    return pattern.replace("\\", "\\\\")


def _try_date(cell: exp.Expr, name: str) -> exp.Expr:
    """A date that the calendar has, and a time of the day where it has one."""
    day = (
        f"concat(lpad(regexp_extract(t, '{_DATE}', 1), 4, '0'), '-', lpad(regexp_extract(t, '{_DATE}', 2), 2, '0'), "
        f"'-', lpad(regexp_extract(t, '{_DATE}', 3), 2, '0'))"
    )
    is_one = f"t RLIKE '{_DATE}([ T]{_CLOCK})?[ ]*$'"
    if name == "DATE":
        return fragment(f"CASE WHEN {is_one} THEN try_cast({day} AS DATE) END", t=cell)
    clock = f"regexp_extract(t, '[ T]({_CLOCK})[ ]*$', 1)"
    sql = (
        f"CASE WHEN {is_one} THEN CASE WHEN {clock} = '' THEN try_cast({day} AS TIMESTAMP_NTZ) "
        f"ELSE try_cast(concat({day}, ' ', {clock}) AS TIMESTAMP_NTZ) END END"
    )
    return fragment(sql, t=cell)


def _type(node: exp.Expr) -> exp.Expr:
    return exp.DataType.build(_WIDE[node.this]) if node.this in _WIDE else node


def _compared(node: exp.Expr, types: Types, others: Types) -> exp.Expr:
    """Text that is held against a number: Spark would read each cell as one, and quote those that are none."""

    def is_number(side: object) -> bool:
        side = _bare(side) if isinstance(side, exp.Expr) else side
        side = side.this if isinstance(side, exp.Neg) else side
        return isinstance(side, exp.Literal) and not side.is_string

    beside = [node.args.get(key) for key in ("expression", "low", "high")] + list(node.expressions)
    if any(map(is_number, beside)) and TEXT in types:
        node.set("this", _as_number(node.this, types))
    elif is_number(node.this) and TEXT in others:
        node.set("expression", _as_number(node.expression, others))
    return node


def _as_number(side: exp.Expr, types: Types) -> exp.Expr:
    """Text as the number that it is written as; where it may be something else, text is not taken."""
    if len(types) == 1:
        return exp.paren(_insisted(side, _from_text(side, exp.DataType.build("DECIMAL(38, 18)"))))
    return fragment(f"CASE WHEN typeof(x) = 'string' THEN raise_error('{UNFIT}') ELSE x END", x=side)


def _arg_min(node: exp.Expr) -> exp.Expr:
    return fragment("min_by(x, y)", x=node.this, y=node.expression)


def _first(node: exp.Expr) -> exp.Expr:
    return fragment("min_by(x, y)", x=node.this.this, y=node.this.expressions[0].this)


def _called(node: exp.Expr) -> exp.Expr:
    """Functions that the parser has no name for."""
    return fragment("bit_count(x)", x=node.expressions[0]) if node.name.lower() == "bit_count" else node


def _window(node: exp.Expr) -> exp.Expr:
    """Rows are numbered alike also where some of them are computed again; numbers are as wide as elsewhere."""
    if not isinstance(node.this, (exp.RowNumber, exp.DenseRank)):
        return node
    made = lowering.numbered(node)
    if not made.args.get("order"):
        made.set("order", exp.Order(expressions=[exp.Ordered(this=fragment("struct(*)"), nulls_first=False)]))
    return exp.cast(made.copy(), "BIGINT")


def _order(node: exp.Expr) -> exp.Expr:
    """Nulls are last, unless it is said that they are first."""
    said = [one if isinstance(one, exp.Ordered) else exp.Ordered(this=one.copy()) for one in node.expressions]
    for one in said:
        one.set("nulls_first", bool(one.args.get("nulls_first")))
    node.set("expressions", said)
    return node


def _length(node: exp.Expr) -> exp.Expr:
    return fragment("CAST(char_length(x) AS BIGINT)", x=node.this)


def _time_text(node: exp.Expr) -> exp.Expr:
    return fragment(_FORMATS[node.args["format"].name], x=node.this)


def _truncated(node: exp.Expr) -> exp.Expr:
    return fragment(f"CAST(date_trunc('{node.args['unit'].name}', x) AS TIMESTAMP_NTZ)", x=node.this)


def _like(node: exp.Expr) -> exp.Expr:
    """Nothing in a pattern stands for something else than % and _."""
    return exp.Escape(this=node.copy(), expression=exp.Literal.string(_ESCAPE))


def _contains(node: exp.Expr) -> exp.Expr:
    return fragment("contains(x, y)", x=node.this, y=node.expression)


def _full_match(node: exp.Expr) -> exp.Expr:
    return exp.RegexpLike(this=node.this, expression=exp.Literal.string(f"\\A(?:{node.expression.name})\\z"))


def _replaced(node: exp.Expr) -> exp.Expr:
    return fragment("regexp_replace(x, y, z)", x=node.this, y=node.expression, z=node.args["replacement"])


def _listed(node: exp.Expr) -> exp.Expr:
    """Texts of a group in one, in an order."""
    inside = node.this
    order = inside.expressions if isinstance(inside, exp.Order) else []
    cell = inside.this if isinstance(inside, exp.Order) else inside
    made = exp.GroupConcat(this=cell.copy(), separator=node.args.get("separator"))
    if not order:
        return made
    return exp.WithinGroup(this=made, expression=exp.Order(expressions=[one.copy() for one in order]))


def _unnested(node: exp.Expr) -> exp.Expr:
    """Cells of several lists beside each other: Spark takes lists apart one at a time, or all at once."""
    assert isinstance(node, exp.Select)
    lists = [one for one in node.expressions if isinstance(one.unalias(), exp.Explode)]
    if not lists:
        return node
    arrays = [one.unalias().this.copy() for one in lists]
    rows = exp.Anonymous(this="inline", expressions=[exp.Anonymous(this="arrays_zip", expressions=arrays)])
    names = exp.Aliases(this=rows, expressions=[exp.to_identifier(one.alias) for one in lists])
    node.set("expressions", [names, *(one for one in node.expressions if one not in lists)])
    return node


_REWRITES: dict[type[exp.Expr], Rewrite] = {
    exp.Select: _unnested,
    exp.Window: _window,
    exp.Order: _order,
    exp.DataType: _type,
    exp.ArgMin: _arg_min,
    exp.First: _first,
    exp.Anonymous: _called,
    exp.Length: _length,
    exp.TimeToStr: _time_text,
    exp.TimestampTrunc: _truncated,
    exp.Like: _like,
    exp.ILike: _like,
    exp.Contains: _contains,
    exp.RegexpFullMatch: _full_match,
    exp.RegexpReplace: _replaced,
    exp.GroupConcat: _listed,
}
