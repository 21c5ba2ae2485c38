"""The publishing algorithms, one record for each."""

from __future__ import annotations


def names() -> tuple[str, ...]:
    """In the order in which they are shown."""
    return ("m-invariance", "cor-split", "stable")
