"""Every sentence about an analysis, made here of the data that the analysis hands over.

A sentence is a function of a module of this package, named `module.function`; the errors of an analysis carry that name
and the function's arguments.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deniable.errors import Reason


def say(reason: Reason) -> str:
    """The sentence of a reason."""
    module, _, function = reason.sentence.partition(".")
    return str(getattr(import_module(f"deniable.report.sentences.{module}"), function)(**reason.data))
