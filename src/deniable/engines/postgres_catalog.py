"""What a database says of one of its tables: its columns, their types, and how each is read.

Text in whatever type is read as text, ordered by its bytes; whole numbers, doubles, decimals, dates, times and truth as
what they are; a timestamp with a time zone as that of UTC; a column of any other type by its text (docs/reference).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sqlglot import exp

from deniable.engines.dialect import TEXT, ColumnType, Kind, column_type
from deniable.engines.postgres_dialect import binary, fragment
from deniable.errors import BadInput, Mistake
from deniable.frozen import frozen

Answer = Callable[[exp.Query], list[dict[str, Any]]]
LONGEST_NAME = 63  # bytes; a server cuts what is longer
_TEXTS = ("text", "varchar", "bpchar", "name", "citext", "uuid")
_PLAIN = {
    "int2": "SMALLINT", "int4": "INTEGER", "int8": "BIGINT", "float8": "DOUBLE", "bool": "BOOLEAN", "date": "DATE",
    "timestamp": "TIMESTAMP", "time": "TIME",
}  # fmt: skip
_READABLE = ("r", "p", "v", "m", "f")  # tables, whole and in parts, views, kept views, foreign tables
_WIDEST = 38


@frozen
class Column:
    """A column as the catalog has it."""

    name: str
    type: str  # below all domains
    width: int  # of a decimal; 0 where it is not said
    scale: int
    is_enum: bool


@frozen
class Table:
    """One that may be read: where it is, and whether its rows have a place."""

    schema: str
    name: str
    columns: tuple[Column, ...]
    is_stored: bool

    def source(self, alias: str = "stored") -> exp.Table:
        """To read from."""
        return exp.table_(self.name, db=self.schema, quoted=True, alias=alias)


_FIND = """
SELECT n.nspname AS schema, c.relname AS name, c.relkind::text AS kind, a.attname AS column, b.typname AS type,
       b.typtype::text AS sort, CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END AS modifier
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid
JOIN pg_catalog.pg_type AS b ON b.oid = CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.oid END
WHERE c.oid = pg_catalog.to_regclass(table_name)::oid
ORDER BY a.attnum
"""


def find(answer: Answer, name: str) -> Table:
    """A table by the name that a user gives it. Raises BadInput where there is none."""
    query = fragment(_FIND, table_name=exp.Literal.string(name))
    assert isinstance(query, exp.Query)
    rows = answer(query)
    if not rows or rows[0]["kind"] not in _READABLE:
        what = f"no such table; expected schema.table, a table or view of the database{_in_quotes(name)}"
        raise BadInput(Mistake(name, what))
    columns = tuple(
        Column(row["column"], row["type"], *_digits(row["type"], row["modifier"]), row["sort"] == "e") for row in rows
    )
    twice = [one.name for i, one in enumerate(columns) if one.name.lower() in (c.name.lower() for c in columns[:i])]
    if twice:
        what = f"expected names that differ in more than upper and lower case; found {twice[0]} beside another"
        raise BadInput(Mistake(name, what))
    return Table(rows[0]["schema"], rows[0]["name"], columns, rows[0]["kind"] in ("r", "m", "p"))


def _in_quotes(name: str) -> str:
    upper = name != name.lower() and '"' not in name
    return ' (a name with capital letters stands in quotes: schema."Table")' if upper else ""


def _digits(kind: str, modifier: int) -> tuple[int, int]:
    """Width and scale of a decimal."""
    told = modifier - 4
    if kind != "numeric" or told < 0:
        return 0, 0
    width, scale = told >> 16 & 0xFFFF, told & 0x7FF
    return (width, scale) if width <= _WIDEST and scale <= width else (0, 0)


def read(column: Column, scales: Mapping[str, int]) -> tuple[exp.Expr, ColumnType]:  # noqa: PLR0911
    """How a column is read, and as what; `scales` has the decimals of those that the catalog is silent about."""
    cell = exp.column(column.name, "stored", quoted=True)
    if column.type in _PLAIN:
        return cell, column_type(_PLAIN[column.type])
    if column.type in _TEXTS or column.is_enum:
        return binary(fragment("x::text", x=cell)), TEXT
    if column.type == "numeric":
        width, scale = (column.width, column.scale) if column.width else (_WIDEST, scales.get(column.name, 0))
        kind = f"DECIMAL({width}, {scale})"
        return (cell if column.width else exp.cast(cell, kind)), column_type(kind)
    if column.type == "float4":
        return fragment("x::text::double precision", x=cell), column_type("DOUBLE")
    if column.type == "timestamptz":
        return fragment("x AT TIME ZONE 'UTC'", x=cell), column_type("TIMESTAMP")
    if column.type == "oid":
        return exp.cast(cell, "BIGINT"), column_type("BIGINT")
    return binary(fragment("x::text", x=cell)), ColumnType(Kind.OTHER, TEXT.sql)


def facts(table: Table, columns: Iterable[Column]) -> exp.Select:
    """One row: whether there is any, and of columns in which there may be something that has no place elsewhere,
    whether there is (n…), and how many decimals the numbers have that are not of one width (s…, w…)."""
    items: list[exp.Expr] = [exp.alias_(fragment("count(*) > 0"), "any")]
    for i, column in enumerate(columns):
        cell = exp.column(column.name, "stored", quoted=True)
        if column.type in ("date", "timestamp", "timestamptz"):
            odd = "coalesce(bool_or(NOT isfinite(x) OR x < '0001-01-01' OR x >= '10000-01-01'), FALSE)"
            items.append(exp.alias_(fragment(odd, x=cell), f"n{i}"))
        elif column.type == "numeric":
            odd = "coalesce(bool_or(x = 'NaN' OR x::text ~ 'Inf'), FALSE)"
            items.append(exp.alias_(fragment(odd, x=cell), f"n{i}"))
            if not column.width:
                scale = "coalesce(max(scale(trim_scale(x))), 0)"
                size = "coalesce(max(CASE WHEN x::text ~ '^[-0-9.]+$' THEN length(trunc(abs(x))::text) END), 0)"
                items.append(exp.alias_(fragment(scale, x=cell), f"s{i}"))
                items.append(exp.alias_(fragment(size, x=cell), f"w{i}"))
    if len(items) == 1:
        one = exp.select("1").from_(table.source()).limit(1)
        return exp.select(exp.alias_(exp.Exists(this=one), "any"))
    return exp.select(*items).from_(table.source())


def scales(title: str, columns: Iterable[Column], told: Mapping[str, Any]) -> dict[str, int]:
    """The decimals of columns that have no width. Raises BadInput for what has no place in any type."""
    found, mistakes = {}, []
    for i, column in enumerate(columns):
        if told.get(f"n{i}"):
            kind = "numbers" if column.type == "numeric" else "dates from the year 1 to 9999"
            odd = "NaN or infinity" if column.type == "numeric" else "infinity, or others"
            mistakes.append(Mistake(title, f"{column.name} ({column.type}): expected {kind}; found {odd}"))
        elif f"s{i}" in told:
            found[column.name] = told[f"s{i}"]
            if told[f"s{i}"] + told[f"w{i}"] > _WIDEST:
                what = f"{column.name} (numeric): expected at most {_WIDEST} digits; found more"
                mistakes.append(Mistake(title, what))
    if mistakes:
        raise BadInput(mistakes)
    return found


def insist_names(title: str, names: Iterable[str]) -> None:
    """Names that a server would cut could become one. Raises BadInput."""
    long = [name for name in names if len(name.encode()) > LONGEST_NAME]
    if long:
        what = f"expected names of columns of at most {LONGEST_NAME} bytes; found one of {len(long[0].encode())}"
        raise BadInput(Mistake(title, what))
