"""What is said of repairs: each step in words that can be done by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from deniable import words
from deniable.analyses.repair.space import (
    CoarserStep,
    DistinctStep,
    DropStep,
    LeaveOutStep,
    Split,
    Step,
    WithholdStep,
)
from deniable.release import Coarser


def no_such(number: int, repairs: int) -> str:
    """A repair by a place that none has."""
    return f"expected a repair from 1 to {repairs}; found {number}" if repairs else "expected a repair; found none"


def no_file() -> str:
    """A release file can be changed only where there is one."""
    return "expected a release that was read from a file; found one that was made here"


def file_there(path: Path) -> str:
    """Nothing is written over."""
    return f"expected a file that is not there yet; found {path}"


def withheld_before() -> str:
    """Two lists of people who are withheld."""
    return "expected a release without withhold: where more people are to be withheld; found one that names a list"


def odd_name(view: str) -> str:
    """A view whose file could be anywhere."""
    return f"expected views whose names can name files; found {view}"


def step_text(step: Step) -> str:
    """A step, as somebody would say it."""
    return _SAID[type(step)](step)


def _coarser(step: CoarserStep) -> str:
    return f"publish {step.column} in {step.view} {_how(step.coarser)} ({step.name})"


def _how(coarser: Coarser) -> str:
    if coarser.width is not None:
        return f"in bands of {words.plain_number(coarser.width)}"
    if coarser.prefix is not None:
        return f"by its first {'character' if coarser.prefix == 1 else f'{coarser.prefix} characters'}"
    if coarser.part is not None:
        return f"by {coarser.part}"
    if coarser.cap is not None:
        return f"up to {words.plain_number(coarser.cap)}"
    return f"at level {coarser.level} of {coarser.hierarchy}"


def _split(step: Split) -> str:
    people, values = f"{step.people}, without the private column", f"{step.values}, without the identifier"
    return f"split {step.view} into {people}, and {values}"


_SAID: dict[type, Callable[[Any], str]] = {
    CoarserStep: _coarser,
    LeaveOutStep: lambda step: f"leave {step.column} out of {step.view}",
    DistinctStep: lambda step: f"SELECT DISTINCT in {', '.join(step.views)}",
    DropStep: lambda step: f"do not publish the view {step.view}",
    Split: _split,
    WithholdStep: lambda step: f"withhold {words.people(step.people)}: publish nothing of them",
}
