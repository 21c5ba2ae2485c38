"""What makes tests quick and none weaker: how trees of SQL are copied, a tenth of the time of small commands."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from sqlglot.expressions import core


def copy_places_flatly() -> None:
    """In this process: where a token stood is a dict of numbers, which a copy of a tree need not look through."""
    vars(core)["deepcopy"] = _copied


def _copied(part: Any) -> Any:
    """A copy of what a tree has beside its nodes."""
    return dict(part) if type(part) is dict else deepcopy(part)
