"""A view's condition, taken apart into what the public columns decide and what the private one does.

A condition is *separable* when each comparison in it is about public columns only, about the
private column only, or between the two with each on a side of its own (`charge > salary`).
Then the private values that satisfy it for a person follow from the truth of the public parts
and from where the public side of each comparison falls among the values: no pair is ever tried.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlglot import exp

from deniable.engines.scope import Relation
from deniable.frozen import frozen
from deniable.sql.build import as_text, number

# Nested tuples: ("and", x, y, …), ("or", x, y, …), ("not", x), ("public", i), ("private", i),
# ("compare", operator, i): the private side, the operator, the i-th public side.
Formula = tuple[Any, ...]

_OPERATORS: dict[type[exp.Expr], str] = {
    exp.LT: "<", exp.LTE: "<=", exp.GT: ">", exp.GTE: ">=", exp.EQ: "=", exp.NEQ: "<>",
    exp.NullSafeEQ: "is", exp.NullSafeNEQ: "is not",
}  # fmt: skip
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


@frozen
class Separated:
    """A separable condition: its shape, and the trees that an engine evaluates."""

    formula: Formula
    public: tuple[exp.Expr, ...]
    private: tuple[exp.Expr, ...]
    compared: exp.Expr  # the private side of every comparison between the two
    thresholds: tuple[exp.Expr, ...]  # and their public sides


class _Entangled(Exception):
    """A comparison that has the private column on both sides, or in a place of its own kind."""


def separate(condition: exp.Expr, private: str, whole: Collection[str]) -> Separated | None:
    """Take a condition apart; None when it is not separable. Columns in `whole` hold whole numbers."""
    taker = _Taker(private, whole)
    try:
        formula = taker.formula(condition)
    except _Entangled:
        return None
    compared = taker.compared if taker.compared is not None else exp.column(private, quoted=True)
    return Separated(formula, tuple(taker.public), tuple(taker.private), compared, tuple(taker.thresholds))


def holds(condition: exp.Expr) -> exp.Expr:
    """Whether a condition is true: unknown is not."""
    return exp.func("coalesce", exp.paren(condition.copy()), exp.false())


def met(source: Relation, condition: exp.Expr, text: Sequence[str]) -> exp.Select:
    """Whether any row meets a condition, which is evaluated on all of them; columns in `text` are compared as text."""
    return exp.select(exp.alias_(exp.LogicalOr(this=as_text(condition, text)), "met")).from_(source.as_("source"))


def truth(condition: exp.Expr) -> exp.Expr:
    """The truth value as a number: 0 false, 1 unknown, 2 true."""
    known = exp.Case().when(exp.paren(condition.copy()), number(2)).when(exp.Not(this=exp.paren(condition)), number(0))
    return known.else_(number(1))


def renamed(tree: exp.Expr, names: Mapping[str, str | exp.Expr]) -> exp.Expr:
    """The tree with the user's columns called as we call them."""

    def rename(node: exp.Expr) -> exp.Expr:
        if not isinstance(node, exp.Column):
            return node
        name = names[node.name]
        return exp.column(name) if isinstance(name, str) else name.copy()

    return tree.copy().transform(rename)


class _Taker:
    """Collects the parts of one condition while its tree is walked."""

    def __init__(self, private: str, whole: Collection[str]) -> None:
        self._name = private
        self._whole = whole
        self.public: list[exp.Expr] = []
        self.private: list[exp.Expr] = []
        self.thresholds: list[exp.Expr] = []
        self.compared: exp.Expr | None = None

    def formula(self, node: exp.Expr) -> Formula:
        """The condition's shape over the parts that are collected on the way."""
        if isinstance(node, exp.Paren):
            return self.formula(node.this)
        if isinstance(node, (exp.And, exp.Or)):
            word = "and" if isinstance(node, exp.And) else "or"
            return (word, *map(self.formula, node.flatten()))  # side by side: a thousand in a row are no nesting
        if isinstance(node, exp.Not):
            return ("not", self.formula(node.this))
        mentions, only = self._mentions(node)
        if not mentions:
            return ("public", _placed(self.public, node))
        if only:
            return ("private", _placed(self.private, node))
        return self._mixed(node)

    def _mixed(self, node: exp.Expr) -> Formula:
        if isinstance(node, exp.Between) and not node.args.get("symmetric"):
            low = exp.GTE(this=node.this, expression=node.args["low"])
            high = exp.LTE(this=node.this.copy(), expression=node.args["high"])
            return ("and", self.formula(low), self.formula(high))
        if isinstance(node, exp.In) and node.expressions:
            tests = [self.formula(exp.EQ(this=node.this.copy(), expression=item)) for item in node.expressions]
            return ("or", *tests)
        if type(node) not in _OPERATORS:
            raise _Entangled
        operator = _OPERATORS[type(node)]
        left, right = node.this, node.expression
        if not self._mentions(left)[0]:
            left, right, operator = right, left, _TURNED.get(operator, operator)
        moved = None if operator in ("is", "is not") else self._moved(left, right)  # a null on each side is equal there
        if moved is not None:
            left, right, turned = moved
            operator = _TURNED.get(operator, operator) if turned else operator
        elif not self._mentions(left)[1] or self._mentions(right)[0]:
            raise _Entangled
        if self.compared is not None and self.compared != left:
            raise _Entangled  # two orders of the values at once
        self.compared = left
        return ("compare", operator, _placed(self.thresholds, right))

    def _moved(self, left: exp.Expr, right: exp.Expr) -> tuple[exp.Expr, exp.Expr, bool] | None:
        """Sums of whole numbers: the private term alone on the left, all else on the right (turned: both negated).

        So `charge - salary > 100`, and both ends of `charge BETWEEN salary AND salary + 10`, compare salary.
        """
        terms = [*_terms(left, 1), *_terms(right, -1)]
        own = [(sign, term) for sign, term in terms if self._mentions(term)[0]]
        if len(own) != 1 or not all(self._is_whole(term) for _, term in terms) or not self._mentions(own[0][1])[1]:
            return None
        turned = own[0][0] < 0
        rest = [(sign, term) for sign, term in terms if term is not own[0][1]]
        signed = [_wide(term) if (sign < 0) != turned else exp.Neg(this=exp.paren(_wide(term))) for sign, term in rest]
        return _wide(own[0][1]), _sum(signed), turned

    def _is_whole(self, term: exp.Expr) -> bool:
        """Whether a term is a product of whole numbers."""
        names = {column.name for column in term.find_all(exp.Column)}
        plain = all(isinstance(node, _WHOLE) for node in term.walk())
        return plain and names <= set(self._whole) and all(n.is_int for n in term.find_all(exp.Literal))

    def _mentions(self, node: exp.Expr) -> tuple[bool, bool]:
        """Whether the private column is in it, and whether no other column is."""
        names = {column.name for column in node.find_all(exp.Column)}
        return self._name in names, names <= {self._name}


_WHOLE = (exp.Column, exp.Identifier, exp.Literal, exp.Neg, exp.Mul, exp.Paren)


def _wide(term: exp.Expr) -> exp.Expr:
    """The term computed in the widest whole numbers."""
    return term.copy().transform(lambda node: exp.cast(node, "BIGINT") if isinstance(node, exp.Column) else node)


def _terms(node: exp.Expr, sign: int) -> list[tuple[int, exp.Expr]]:
    """What a side adds up, each with its sign."""
    if isinstance(node, exp.Paren):
        return _terms(node.this, sign)
    if isinstance(node, exp.Neg):
        return _terms(node.this, -sign)
    if isinstance(node, (exp.Add, exp.Sub)):
        after = sign if isinstance(node, exp.Add) else -sign
        return [*_terms(node.this, sign), *_terms(node.expression, after)]
    return [(sign, node)]


def _sum(terms: list[exp.Expr]) -> exp.Expr:
    total: exp.Expr = terms[0] if terms else exp.Literal.number(0)
    for term in terms[1:]:
        total = exp.Add(this=total, expression=term)
    return exp.paren(total)


def _placed(parts: list[exp.Expr], node: exp.Expr) -> int:
    """The place of a part, which is added unless it is there."""
    if node not in parts:
        parts.append(node)
    return parts.index(node)
