"""Our trees in PostgreSQL's words: a small rewrite for each word, each for one thing that it does differently."""

from __future__ import annotations

from sqlglot import exp

from deniable.engines import lowering
from deniable.engines.lowering import Rewrite

POSTGRES = "postgres"

_NUMBER = r"^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?\s*$"
_DATE = r"^\s*\d{4,6}[-/]\d{1,2}[-/]\d{1,2}"
_CLOCK = r"([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?"
_WHOLE = {
    "SMALLINT": (-(2**15), 2**15 - 1),
    "INT": (-(2**31), 2**31 - 1),
    "BIGINT": (-(2**63), 2**63 - 1),
}
# As a number reads in files and ledgers: what a double is called elsewhere decides nothing.
_TEXT = (
    r"CASE WHEN pg_typeof(x) IN ('double precision'::regtype, 'real'::regtype) THEN "
    r"replace(replace(regexp_replace(regexp_replace(regexp_replace(x::text, "
    r"'^(-?\d)\.?(\d*)e\+15$', '\1\2000000000000000'), "  # the one exponent that has no other spelling elsewhere
    r"'^(-?\d{16})(\d*[1-9])?0*$', '\1.\2'), '^(-?\d+)\.?$', '\1.0'), 'NaN', 'nan'), 'Infinity', 'inf') "
    r"ELSE x::text END"
)
_TEXT_TYPES = (exp.DataType.Type.TEXT, exp.DataType.Type.VARCHAR)
_FORMATS = {
    "%Y-%m": "YYYY-MM",
    "%G-W%V": 'IYYY-"W"IW',
    "%Y-%m-%d": "YYYY-MM-DD",
    "%Y-%m-%d %H": "YYYY-MM-DD HH24",
}


def fragment(sql: str, **parts: exp.Expr) -> exp.Expr:
    """PostgreSQL's text as a tree, with trees in the place of some of its names."""
    return lowering.fragment(sql, POSTGRES, **parts)


def binary(tree: exp.Expr) -> exp.Expr:
    """Text that is ordered by its bytes, whatever the database does."""
    collation = exp.to_identifier("C", quoted=True)
    return exp.Collate(this=exp.paren(tree, copy=False), expression=collation)


def text(sql: exp.Expr) -> str:
    """A statement of PostgreSQL's as it is sent."""
    return sql.sql(POSTGRES, identify=True)


def lowered(query: exp.Query) -> exp.Query:
    """One of our queries as PostgreSQL reads it."""
    return lowering.lowered(query, _REWRITES)


def _anti_join(node: exp.Expr) -> exp.Expr:
    """ANTI JOIN: rows beside which there is none."""
    kept: list[exp.Expr] = []
    away: list[exp.Expr] = []
    for join in node.args.get("joins") or ():
        (away if join.kind == "ANTI" or join.side == "ANTI" else kept).append(join)
    if not away:
        return node
    node.set("joins", kept)
    assert isinstance(node, exp.Select)
    for join in away:
        beside = exp.select("1").from_(join.this).where(join.args["on"])
        node = node.where(exp.Not(this=exp.Exists(this=beside)), copy=False)
    return node


def _null_safe(node: exp.Expr) -> exp.Expr:
    """Equality in which a null equals a null, where rows are matched by it: of arrays, which can be hashed."""
    if not isinstance(node.find_ancestor(exp.Join, exp.Select), exp.Join):
        return node
    sides = (exp.Array(expressions=[side]) for side in (node.this, node.expression))
    return exp.EQ(this=next(sides), expression=next(sides))


def _try_cast(node: exp.Expr) -> exp.Expr:  # noqa: PLR0911
    """A cast that may fail: looked at before it is made."""
    to, cell = node.args["to"], node.this
    name = to.sql("duckdb").partition("(")[0]
    known = fragment("x::text", x=cell)
    if name in _WHOLE:
        low, high = (exp.Literal.number(abs(end)) for end in _WHOLE[name])
        sql = (
            f"CASE WHEN t ~ '{_NUMBER}' THEN CASE WHEN t::numeric BETWEEN -low - 0.5 AND high + 0.4 "
            "THEN round(t::numeric) END END"
        )
        return exp.cast(fragment(sql, t=known, low=low, high=high), to)
    if name == "DOUBLE":
        sql = (
            rf"CASE WHEN t ~* '^\s*([+-]?inf(inity)?|nan)\s*$' THEN t::double precision WHEN t ~ '{_NUMBER}' THEN "
            "CASE WHEN abs(t::numeric) < 1e-307 THEN 0 WHEN abs(t::numeric) < 1.79769e308 THEN t::double precision "
            "END END"
        )
        return fragment(sql, t=known)
    if name == "DECIMAL":
        width, scale = ([int(part.name) for part in to.expressions] + [0, 0])[:2] if to.expressions else (38, 0)
        sql = f"CASE WHEN t ~ '{_NUMBER}' THEN CASE WHEN abs(round(t::numeric, s)) < largest THEN t::numeric END END"
        largest, places = exp.Literal.number(10 ** (width - scale)), exp.Literal.number(scale)
        return exp.cast(fragment(sql, t=known, largest=largest, s=places), to)
    if name in ("DATE", "TIMESTAMP"):
        return _try_date(known, name)
    if name == "TIME":
        return fragment(rf"CASE WHEN t ~ '^\s*{_CLOCK}\s*$' THEN t::time END", t=known)
    if name == "BOOLEAN":
        return fragment(r"CASE WHEN t ~* '^\s*(true|false|t|f|1|0)\s*$' THEN trim(t)::boolean END", t=known)
    return exp.cast(cell, to)


def _try_date(cell: exp.Expr, name: str) -> exp.Expr:
    """A date that the calendar has, and a time of the day where it has one."""
    year, month, day = (
        fragment(f"substring(t FROM '{pattern}')::integer", t=cell)
        for pattern in (r"^\s*(\d{4,6})[-/]", r"^\s*\d+[-/](\d{1,2})[-/]", r"^\s*\d+[-/]\d+[-/](\d{1,2})")
    )
    leap = "CASE WHEN y % 4 = 0 AND (y % 100 <> 0 OR y % 400 = 0) THEN 29 ELSE 28 END"
    days = f"CASE WHEN m = 2 THEN {leap} WHEN m IN (4, 6, 9, 11) THEN 30 ELSE 31 END"
    end = rf"([ T]{_CLOCK})?\s*$"
    made = "make_date(y, m, d)" if name == "DATE" else "t::timestamp"
    sql = (
        f"CASE WHEN t ~ '{_DATE}{end}' THEN CASE WHEN m BETWEEN 1 AND 12 AND d BETWEEN 1 AND {days} "
        f"AND y BETWEEN 1 AND 290000 THEN {made} END END"
    )
    return fragment(sql, t=cell, y=year, m=month, d=day)


def _cast(node: exp.Expr) -> exp.Expr:
    """As text: one spelling of each number, in the order of bytes. Very long whole numbers are decimals."""
    to = node.args["to"]
    if to.this in _TEXT_TYPES:
        if isinstance(node.this, (exp.Literal, exp.Null)):
            return binary(node.copy())
        return binary(fragment(_TEXT, x=node.this))
    return node


def _type(node: exp.Expr) -> exp.Expr:
    wide = {
        exp.DataType.Type.INT128: "DECIMAL(38, 0)",
        exp.DataType.Type.UINT128: "DECIMAL(39, 0)",
        exp.DataType.Type.UBIGINT: "DECIMAL(20, 0)",
        exp.DataType.Type.UINT: "BIGINT",
        exp.DataType.Type.USMALLINT: "INT",
        exp.DataType.Type.UTINYINT: "SMALLINT",
    }
    return exp.DataType.build(wide[node.this]) if node.this in wide else node


def _compared(node: exp.Expr) -> exp.Expr:
    """An identifier is text also where it is held against a number: then it is read as one."""

    def is_text(side: object) -> bool:
        return isinstance(side, exp.Collate)

    def is_number(side: object) -> bool:
        side = side.this if isinstance(side, (exp.Neg, exp.Paren)) else side
        return isinstance(side, exp.Literal) and not side.is_string

    others = [node.args.get(key) for key in ("expression", "low", "high")] + list(node.expressions)
    if is_text(node.this) and any(map(is_number, others)):
        node.set("this", exp.cast(node.this, "DECIMAL"))
    elif is_number(node.this) and is_text(node.args.get("expression")):
        node.set("expression", exp.cast(node.expression, "DECIMAL"))
    return node


def _first_by(cell: exp.Expr, order: exp.Expr) -> exp.Expr:
    return fragment("(array_agg(x ORDER BY y) FILTER (WHERE NOT y IS NULL))[1]", x=cell, y=order)


def _arg_min(node: exp.Expr) -> exp.Expr:
    return _first_by(node.this, node.expression)


def _first(node: exp.Expr) -> exp.Expr:
    return _first_by(node.this.this, node.this.expressions[0].this)


def _called(node: exp.Expr) -> exp.Expr:
    """Functions that the parser has no name for."""
    if node.name.lower() == "bit_count":
        return fragment("bit_count(x::bit(64))", x=node.expressions[0])
    return node


def _power(node: exp.Expr) -> exp.Expr:
    """What is too small is 0, and no error."""
    sql = "CASE WHEN x <= 0 THEN power(x, y) WHEN y * ln(x) < -693 THEN 0 ELSE power(x, y) END"
    sides = (exp.cast(side, "DOUBLE") for side in (node.this, node.expression))
    return fragment(sql, x=next(sides), y=next(sides))


def _least(node: exp.Expr) -> exp.Expr:
    """Of the private column (p), which may be a truth: these have no least here, but arrays of them have."""
    if not isinstance(node.this, exp.Column) or node.this.name != "p":
        return node
    word = "min" if isinstance(node, exp.Min) else "max"
    return fragment(f"({word}(ARRAY[x]) FILTER (WHERE NOT x IS NULL))[1]", x=node.this)


def _rounded(node: exp.Expr) -> exp.Expr:
    return fragment("round(x::numeric, y)::double precision", x=node.this, y=node.args["decimals"])


def _contains(node: exp.Expr) -> exp.Expr:
    return fragment("strpos(x, y) > 0", x=node.this, y=node.expression)


def _full_match(node: exp.Expr) -> exp.Expr:
    return exp.RegexpLike(this=node.this, expression=exp.Literal.string(f"^(?:{node.expression.name})$"))


def _length(node: exp.Expr) -> exp.Expr:
    return fragment("length(x)::bigint", x=node.this)


def _time_text(node: exp.Expr) -> exp.Expr:
    return binary(fragment(f"to_char(x, '{_FORMATS[node.args['format'].name]}')", x=node.this))


def _like(node: exp.Expr) -> exp.Expr:
    """Nothing in a pattern stands for something else than % and _."""
    return exp.Escape(this=node.copy(), expression=exp.Literal.string(""))


def _constant(node: exp.Expr) -> exp.Expr:
    """A column of one text has the order of the others."""
    if isinstance(node.this, exp.Literal) and node.this.is_string:
        node.set("this", binary(exp.cast(node.this, "TEXT")))
    return node


def _unnested(node: exp.Expr) -> exp.Expr:
    return exp.Anonymous(this="UNNEST", expressions=[node.this])


_REWRITES: dict[type[exp.Expr], Rewrite] = {
    exp.Select: _anti_join,
    exp.Window: lowering.numbered,
    exp.Alias: _constant,
    exp.NullSafeEQ: _null_safe,
    exp.TryCast: _try_cast,
    exp.Cast: _cast,
    exp.DataType: _type,
    exp.ArgMin: _arg_min,
    exp.First: _first,
    exp.Anonymous: _called,
    exp.Pow: _power,
    exp.Round: _rounded,
    exp.Min: _least,
    exp.Max: _least,
    exp.Contains: _contains,
    exp.RegexpFullMatch: _full_match,
    exp.Length: _length,
    exp.TimeToStr: _time_text,
    exp.Like: _like,
    exp.ILike: _like,
    exp.Explode: _unnested,
    **dict.fromkeys((exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between, exp.In), _compared),
}
