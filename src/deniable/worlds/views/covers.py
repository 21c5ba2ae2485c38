"""Two views: worlds are covers of a complete bipartite graph, in closed form.

A join group with m ID-side and n P-side view tuples is K(m,n); a world keeps a set
of its edges that leaves no node uncovered. `covers(m, n, a, c)` counts those worlds
that hold none of the a*c edges between a person's a nodes and c chosen P-side nodes:
    sum over b1, b2 of (-1)^(b1+b2) C(c,b1) C(n-c,b2) (2^(n-b1-b2)-1)^(m-a) (2^(n-c-b2)-1)^a.

Every probability is a ratio of two such counts: worlds without (person, p) are
covers(m,n,a,c), all worlds covers(m,n,0,0), and worlds in which the person has p only
are covers(m,n,a,n-c), since their other n-c nodes are out of reach
(docs/theory/two-views.md, "The graph").

K(m,n) is the *connectivity graph* of Wang & Lakshmanan (2006), but for one thing: theirs
merges P-side nodes that differ in other columns only, and so has one node for each value.
That counts fewer worlds than their own definition as soon as a value has c > 1 tuples;
here every view tuple is a node.

Three inclusion-exclusions give the same number (over the P side, over the ID side, or
over everybody who is neither the person nor p). Cut after a level, each brackets the
count (Bonferroni); at any size one of them falls fast, so a few terms in ball
arithmetic enclose the answer: at full double precision for m and n in the millions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from typing import Any

from deniable.frozen import frozen

EXACT_EDGES = 400  # join groups of up to this many edges are counted in exact integers
_PRECISION = 128  # bits of the ball arithmetic beyond that
_ENOUGH = 2.0**-100  # a level of the series that is smaller than this (relatively) ends it


@frozen
class Probability:
    """A probability as a double, with the interval that is proved to hold it.

    When `exact` is known the double is that fraction, rounded once.
    """

    value: float
    lower: float
    upper: float
    exact: Fraction | None = None

    @property
    def bound(self) -> str:
        """`exact` or `proved`, as the contract calls them."""
        return "proved" if self.exact is None else "exact"


def exactly(fraction: Fraction) -> Probability:
    """A probability that is known as a fraction."""
    value = float(fraction)
    return Probability(value, value, value, fraction)


@lru_cache(maxsize=1 << 16)
def covers(m: int, n: int, a: int, c: int) -> int:
    """The number of covers of K(m,n) that avoid the a*c edges; exact, any size that fits."""
    if (a and n == c) or (c and m == a):
        return 0  # the person's nodes, or the chosen ones, have nothing left to cover them
    if min(c, m - a) + (n - c) > min(a, n - c) + (m - a):
        m, n, a, c = n, m, c, a  # the count is symmetric in its sides: sum over the cheaper one
    return _over_outsiders(m, n, a, c) if m - a < c else _over_values(m, n, a, c)


def every_cover(m: int, n: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """Each cover of a small K(m,n) as its edges (ID-side node, P-side node), to be shown."""
    edges = list(product(range(m), range(n)))
    for size in range(len(edges) + 1):
        for kept in combinations(edges, size):
            if len({i for i, _ in kept}) == m and len({j for _, j in kept}) == n:
                yield kept


def _over_values(m: int, n: int, a: int, c: int) -> int:
    """Inclusion-exclusion over the P-side nodes that stay uncovered."""
    total = 0
    for b2 in range(n - c + 1):
        own = (2 ** (n - c - b2) - 1) ** a * math.comb(n - c, b2)
        inner = sum((-1) ** (b1 + b2) * math.comb(c, b1) * (2 ** (n - b1 - b2) - 1) ** (m - a) for b1 in range(c + 1))
        total += own * inner
    return total


def _over_outsiders(m: int, n: int, a: int, c: int) -> int:
    """Inclusion-exclusion over the nodes that are neither the person's nor chosen."""
    total = 0
    for k in range(m - a + 1):
        chosen = math.comb(m - a, k) * (2 ** (m - a - k) - 1) ** c
        total += chosen * sum(
            (-1) ** (k + b) * math.comb(n - c, b) * (2 ** (n - c - b) - 1) ** a * 2 ** ((m - a - k) * (n - c - b))
            for b in range(n - c + 1)
        )
    return total


def cover_share(m: int, n: int, a: int, c: int) -> Any:
    """covers(m,n,a,c) / 2^(mn-ac) as a ball that holds it (an arb of python-flint)."""
    from flint import arb, ctx

    ctx.prec = _PRECISION
    if (a and n == c) or (c and m == a):
        return arb(0)
    ratios = (
        (_ratio(c, m - a) + _ratio(n - c, m), _value_level, (m, n, a, c)),
        (_ratio(a, n - c) + _ratio(m - a, n), _value_level, (n, m, c, a)),
        (_ratio(m - a, n) + _ratio(n - c, m), _outsider_level, (m, n, a, c)),
    )
    _, level, shape = min(ratios, key=lambda entry: entry[0])
    return _alternating(level, shape)


def _ratio(count: int, exponent: int) -> float:
    """count * 2^-exponent, as the guide to which series falls fastest."""
    return math.ldexp(float(count), -min(exponent, 2000))


def _alternating(level: Callable[[int, tuple[int, int, int, int]], Any], shape: tuple[int, int, int, int]) -> Any:
    """The alternating sum of levels, enclosed by two neighbouring partial sums."""
    total = level(0, shape)
    sign, depth = -1, 1
    while True:
        term = level(depth, shape)
        if term is None:  # every level has been summed: nothing is cut off
            return total
        after = total + sign * term
        if term <= total * _ENOUGH:
            return total.union(after)
        total, sign, depth = after, -sign, depth + 1


def _value_level(depth: int, shape: tuple[int, int, int, int]) -> Any:
    """The terms with b1 + b2 = depth of the sum over P-side nodes."""
    from flint import arb

    m, n, a, c = shape
    if depth > n:
        return None
    total = arb(0)
    for b1 in range(max(0, depth - (n - c)), min(c, depth) + 1):
        b2 = depth - b1
        scale = _power2(-b1 * (m - a) - b2 * m) * arb.bin_uiui(c, b1) * arb.bin_uiui(n - c, b2)
        total += scale * _all_covered(n - depth, m - a) * _all_covered(n - c - b2, a)
    return total


def _outsider_level(depth: int, shape: tuple[int, int, int, int]) -> Any:
    """The terms with k + b = depth of the sum over nodes neither own nor chosen."""
    from flint import arb

    m, n, a, c = shape
    if depth > (m - a) + (n - c):
        return None
    total = arb(0)
    for k in range(max(0, depth - (n - c)), min(m - a, depth) + 1):
        b = depth - k
        scale = _power2(k * b - k * n - b * m) * arb.bin_uiui(m - a, k) * arb.bin_uiui(n - c, b)
        total += scale * _all_covered(m - a - k, c) * _all_covered(n - c - b, a)
    return total


def _power2(exponent: int) -> Any:
    from flint import arb

    return arb((1, exponent))


def _all_covered(choices: int, nodes: int) -> Any:
    """(1 - 2^-choices)^nodes: that nodes with so many free edges are all covered."""
    return (1 - _power2(-choices)) ** nodes


@lru_cache(maxsize=1 << 16)
def unrestricted(m: int, n: int, a: int, c: int) -> Probability:
    """How likely the association is when every world counts alike: 1 - N0/N."""
    if m == a or n == c:
        return exactly(Fraction(1))
    if m * n <= EXACT_EDGES:
        return exactly(1 - Fraction(covers(m, n, a, c), covers(m, n, 0, 0)))
    without = _power2(-a * c) * cover_share(m, n, a, c) / cover_share(m, n, 0, 0)
    return enclosed(1 - without)


def weight(m: int, n: int, a: int, c: int) -> Any:
    """Worlds in which the person has a value with c nodes only, over 2^((m-a)n): a ball."""
    return _power2(a * c) * cover_share(m, n, a, n - c)


def restricted(m: int, a: int, nodes: Mapping[int, int], c: int) -> Probability | None:
    """How likely a value with c nodes is for somebody who has exactly one value.

    `nodes` maps a number of P-side nodes to how many values of the group have it.
    None when no world gives this person a single value.
    """
    n = sum(size * values for size, values in nodes.items())
    if len(nodes) == 1 and (m > a or nodes[c] == 1):
        return exactly(Fraction(1, nodes[c]))
    if m * n <= EXACT_EDGES:
        total = sum(covers(m, n, a, n - size) * values for size, values in nodes.items())
        return exactly(Fraction(covers(m, n, a, n - c), total)) if total else None
    if m == a:
        return None  # their nodes are the whole ID side, and must reach every value
    total = sum(weight(m, n, a, size) * values for size, values in nodes.items())
    return enclosed(weight(m, n, a, c) / total)


def keyed(m: int, n: int, c: int) -> Probability | None:
    """Everybody has exactly one tuple: c of n, or None when n tuples do not fit m people."""
    return exactly(Fraction(c, n)) if n <= m else None


def enclosed(ball: Any) -> Probability:
    """A ball as doubles, rounded outwards and kept within [0, 1]."""
    lower = max(0.0, math.nextafter(float(ball.lower().mid()), -math.inf))
    upper = min(1.0, math.nextafter(float(ball.upper().mid()), math.inf))
    value = min(max(float(ball.mid()), lower), upper)
    return Probability(value, lower, upper)
