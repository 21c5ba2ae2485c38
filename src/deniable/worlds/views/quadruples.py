"""Many quadruples (m, n, a, c) at once: what the engine joins back to people.

Nearly all join groups of a real table are so large that a union bound settles them:
a node with w free edges is left uncovered with probability 2^-w, so the share of edge
sets that cover everything is within delta = (sum of these) of its product form. Those
quadruples are answered by array arithmetic; the rest one by one, exactly or in balls.
"""

from __future__ import annotations

import numpy as np

from deniable.frozen import frozen
from deniable.worlds.arrays import Bools, Floats, Int64s
from deniable.worlds.views import covers

WEIGHT_ERROR = 2.0**-51  # the relative error of a weight's mantissa is below this
_NEGLIGIBLE = 2.0**-60


@frozen
class Quadruples:
    """For each quadruple: the unrestricted probability, and the weight of having c only.

    The weight (worlds in which the person has this value only, over 2^((m-a)n)) is
    mantissa * 2^exponent with the mantissa in [1/2, 1), or 0.
    """

    value: Floats
    lower: Floats
    upper: Floats
    exact: Bools
    mantissa: Floats
    exponent: Int64s


def evaluate(m: Int64s, n: Int64s, a: Int64s, c: Int64s) -> Quadruples:
    """Answer every quadruple; each array has one entry per quadruple."""
    size = len(m)
    out = Quadruples(
        value=np.zeros(size),
        lower=np.zeros(size),
        upper=np.zeros(size),
        exact=np.zeros(size, dtype=np.bool_),
        mantissa=np.zeros(size),
        exponent=np.zeros(size, dtype=np.int64),
    )
    easy = _settled(m, n, a, c)
    _product_forms(out, easy, a * c, c)
    for i in np.flatnonzero(~easy):
        shape = int(m[i]), int(n[i]), int(a[i]), int(c[i])
        answer = covers.unrestricted(*shape)
        out.value[i], out.lower[i], out.upper[i] = answer.value, answer.lower, answer.upper
        out.exact[i] = answer.exact is not None
        out.mantissa[i], out.exponent[i] = _weight(*shape)
    return out


def _settled(m: Int64s, n: Int64s, a: Int64s, c: Int64s) -> Bools:
    """Where the union bound leaves nothing to count (and the group is not exact anyway)."""
    others, rest = m - a, n - c
    uncovered = (
        _tail(a, rest) + _tail(others, n) + _tail(c, others) + _tail(rest, m)  # without (person, p)
        + _tail(others, n) + _tail(n, others)  # with p only, once (2^c - 1)^a is taken out
    )  # fmt: skip
    large = m.astype(np.float64) * n > covers.EXACT_EDGES
    settled: Bools = large & (a == 1) & (others > 0) & (rest > 0) & (uncovered < _NEGLIGIBLE)
    return settled


def _tail(count: Int64s, exponent: Int64s) -> Floats:
    return np.ldexp(count.astype(np.float64), -np.minimum(exponent, 1000))


def _product_forms(out: Quadruples, at: Bools, edges: Int64s, c: Int64s) -> None:
    """1 - 2^-c and 2^c - 1, for a = 1, one step outwards."""
    value = 1.0 - np.ldexp(1.0, -np.minimum(edges, 1000))
    out.value[at] = value[at]
    out.lower[at] = np.nextafter(value[at], 0.0)
    out.upper[at] = np.minimum(np.nextafter(value[at], 2.0), 1.0)
    mantissa = np.minimum(value, np.nextafter(1.0, 0.0))
    out.mantissa[at] = mantissa[at]
    out.exponent[at] = c[at]


def _weight(m: int, n: int, a: int, c: int) -> tuple[float, int]:
    """`covers.weight` as mantissa and exponent; small groups are counted, and need no balls."""
    if m * n <= covers.EXACT_EDGES:
        return mantissa_exponent(covers.covers(m, n, a, n - c), -(m - a) * n)
    ball = covers.weight(m, n, a, c)
    return mantissa_exponent(*(int(part) for part in ball.mid().man_exp()))


def mantissa_exponent(man: int, exp: int) -> tuple[float, int]:
    """man 2^exp >= 0 as (mantissa in [1/2, 1), exponent); (0, 0) for zero."""
    if man == 0:
        return 0.0, 0
    bits = man.bit_length()
    mantissa = man / (1 << bits)
    return (mantissa / 2, exp + bits + 1) if mantissa == 1.0 else (mantissa, exp + bits)
