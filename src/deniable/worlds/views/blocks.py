"""All views joined on the same columns: complete K-partite blocks, in closed form.

A join group with m ID-side tuples, n P-side tuples and m_2, m_3, … tuples in the views
between has every combination as a join tuple. Inclusion-exclusion over the nodes between
that stay uncovered turns each count into that of two views with 2^M in place of 2:
    sum over b_2, b_3, …, b of ± prod C(m_k,b_k) C(c,b1) C(n-c,b2)
        (2^(M(n-b1-b2)) - 1)^(m-a) (2^(M(n-c-b2)) - 1)^a,   M = prod (m_k - b_k).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product

from deniable.worlds.views.covers import Probability, exactly

_MOST_BITS = 4_000
_MOST_TERMS = 4_000


def cheap(m: int, between: Sequence[int], n: int) -> bool:
    """Whether exact integers are small enough to be the quickest way."""
    terms = math.prod(size + 1 for size in between) * (n + 1) ** 2
    return m * n * math.prod(between) <= _MOST_BITS and terms <= _MOST_TERMS


@lru_cache(maxsize=1 << 14)
def block_covers(m: int, between: tuple[int, ...], n: int, a: int, c: int) -> int:
    """Worlds of the block in which none of a ID-side nodes meets any of c P-side nodes."""
    total = 0
    for missing in product(*(range(size + 1) for size in between)):
        sign = math.prod((-1) ** b * math.comb(size, b) for size, b in zip(between, missing, strict=True))
        width = math.prod(size - b for size, b in zip(between, missing, strict=True))
        for b1, b2 in product(range(c + 1), range(n - c + 1)):
            term = (2 ** (width * (n - b1 - b2)) - 1) ** (m - a) * (2 ** (width * (n - c - b2)) - 1) ** a
            total += sign * (-1) ** (b1 + b2) * math.comb(c, b1) * math.comb(n - c, b2) * term
    return total


def unrestricted(m: int, between: tuple[int, ...], a: int, nodes: Mapping[int, int], value: int) -> Probability:
    """The share of the block's worlds that tie the person to the value."""
    n = sum(nodes.values())
    without = block_covers(m, between, n, a, nodes[value])
    return exactly(1 - Fraction(without, block_covers(m, between, n, 0, 0)))


def restricted(m: int, between: tuple[int, ...], a: int, nodes: Mapping[int, int], value: int) -> Probability | None:
    """The same among worlds that give the person one value; None when there is none."""
    n = sum(nodes.values())
    weights = {v: block_covers(m, between, n, a, n - c) for v, c in nodes.items()}
    total = sum(weights.values())
    return exactly(Fraction(weights[value], total)) if total else None
