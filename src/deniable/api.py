"""The verbs, as Python functions. Each opens an engine, does one thing, and says what it found."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from os import PathLike
from typing import TYPE_CHECKING, Literal

from deniable.engines import open_engine
from deniable.engines.base import Engine
from deniable.release import BreachLimit, Release, Verdict

if TYPE_CHECKING:
    from deniable.analyses.breach import Breach
    from deniable.analyses.explain import Explanation
    from deniable.fit import Fitted

Source = Release | str | PathLike[str]


def load(release: Source) -> Release:
    """A release from its file; a Release is returned as it is."""
    if isinstance(release, Release):
        return release
    from deniable import spec

    return spec.load(str(release))


@contextmanager
def _engine(name: str) -> Iterator[Engine]:
    engine = open_engine(name)
    try:
        yield engine
    finally:
        engine.close()


def breach(release: Source, *, pairs: Literal["secret", "all"] = "secret", engine: str = "duckdb") -> Breach:
    """How likely is each secret association? The result keeps its engine: close() ends it."""
    from deniable.analyses.breach import analyse

    opened = open_engine(engine)
    try:
        return analyse(load(release), opened, pairs=pairs)
    except BaseException:
        opened.close()
        raise


def audit(release: Source, *, breach: float | None = None, engine: str = "duckdb") -> Verdict:
    """Does the release meet its requirements? `breach` sets a limit in place of the file's."""
    from deniable.analyses.audit import audit as decide

    loaded = load(release)
    if breach is not None:
        adversaries = loaded.require.breach.adversaries if loaded.require.breach else None
        limit = BreachLimit(breach, adversaries) if adversaries else BreachLimit(breach)
        loaded = replace(loaded, require=replace(loaded.require, breach=limit))
    with _engine(engine) as opened:
        return decide(loaded, opened)


def explain(release: Source, *who: str, engine: str = "duckdb") -> Explanation:
    """One person, shown: their join group, the worlds, each adversary's probability."""
    from deniable.analyses.explain import explain as show

    with _engine(engine) as opened:
        return show(load(release), who, opened)


def check(release: Source, *, engine: str = "duckdb") -> Fitted:
    """Is the release well formed, and does it fit its table? Raises BadInput if not."""
    from deniable.fit import fit

    with _engine(engine) as opened:
        return fit(load(release), opened)
