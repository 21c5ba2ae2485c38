"""A sign of life on stderr while long work runs, when somebody is watching: which step, how far, how long still."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deniable.steps import Step

_COMPILING = "compiling, once on this machine"
SOON = 1.0  # seconds of a step before it is guessed how long it still takes
OFTEN = 0.1  # seconds between two lines about the same step


class Watch:
    """Makes lines of the steps that it is told of; none where there was one just now."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._name, self._first, self._began, self._said = "", 0.0, 0.0, float("-inf")

    def line(self, step: Step) -> str | None:
        """What is to be shown, if anything is."""
        from deniable.report.sentences.progress import step_words

        now = self._clock()
        if step.name != self._name:
            self._name, self._first, self._began, self._said = step.name, _share(step), now, float("-inf")
        if now - self._said < OFTEN:
            return None
        self._said = now
        return step_words(step.name, step.done, step.of, self._left(step, now - self._began))

    def _left(self, step: Step, spent: float) -> float | None:
        """As long again for what is left as for what was done since the step began."""
        share = _share(step)
        done = share - self._first
        return spent * max(0.0, 1 - share) / done if done > 0 and spent >= SOON else None


def _share(step: Step) -> float:
    """How much of a step is done; 0 where nobody knows."""
    if step.share is not None:
        return step.share
    return step.done / step.of if step.of else 0.0


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show a spinner, what is being done and for how long; nothing at all when stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from deniable.kernels import telling
    from deniable.steps import telling_steps
    from deniable.words import visible

    what = escape(visible(what))
    columns = (SpinnerColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task, watch = shown.add_task(what), Watch()

        def hear(step: Step) -> None:
            line = watch.line(step)
            if line is not None:
                shown.update(task, description=escape(line))

        def compiling() -> None:
            shown.update(task, description=f"{what} ({_COMPILING})")

        with telling(compiling), telling_steps(hear):
            yield
