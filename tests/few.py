"""How many random cases a slow test has."""

from __future__ import annotations

from hypothesis import settings


def few(wanted: int, *, nightly: int) -> int:
    """So many where everybody waits for them; many more, which are not a share of these, in `make nightly`."""
    return nightly if settings().max_examples > 1_000 else wanted
