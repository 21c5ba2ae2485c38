"""The breach adversaries, one record for each."""

from __future__ import annotations

ADVERSARIES = ("unrestricted", "restricted", "keyed", "bag")


def names() -> tuple[str, ...]:
    """In the order in which they are shown."""
    return ADVERSARIES
