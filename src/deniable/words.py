"""Phrases that several messages share."""

from __future__ import annotations

from collections.abc import Sequence

from deniable.places import did_you_mean


def people(count: int) -> str:
    """1 person, 2 people."""
    return "1 person" if count == 1 else f"{count:,} people"


def unknown_column(name: str, columns: Sequence[str]) -> str:
    """That there is no such column, which one was perhaps meant, and which there are."""
    return f"unknown column {name}{did_you_mean(name, columns)}; expected one of {', '.join(columns)}"
