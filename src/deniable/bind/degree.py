"""m and n of re-publication as the release says them: n itself, or what chooses it."""

from __future__ import annotations

from collections.abc import Iterator

from deniable.errors import Mistake
from deniable.publish.again.algorithm import DEFAULT, Algorithm, find
from deniable.release import Release

CHOOSING = ("compromise", "lifespan", "threshold")


def algorithm_of(release: Release, named: str | None = None) -> Algorithm:
    """The algorithm of the next release: as asked for, else as the release says. Raises BadInput for an unknown one."""
    return find(release.algorithm or DEFAULT if named is None else named)


def degree_mistakes(release: Release, named: str | None = None) -> Iterator[Mistake]:
    """Whether the algorithm gets what it needs; one that has no n is content with m."""
    given = release.republish
    if given is None:
        where = release.locations.at() if release.locations.file else "release"
        yield Mistake(where, "republish needs republish:, such as republish: {m: 6, n: 3}")
        return
    if not algorithm_of(release, named).has_degree:
        return
    missing = [key for key in CHOOSING if getattr(given, key) is None]
    if given.n is not None:
        if len(missing) < len(CHOOSING):
            yield _wrong(release, "expected n, or compromise, lifespan and threshold, which choose it; found both")
        elif given.n >= given.m:
            what = f"expected n below m = {given.m}, since n = m can never be published; found {given.n}"
            yield _wrong(release, what, "n")
    elif missing:
        found = "neither" if len(missing) == len(CHOOSING) else f"no {' and no '.join(missing)}"
        yield _wrong(release, f"expected n, or compromise, lifespan and threshold, which choose it; found {found}")


def _wrong(release: Release, what: str, *key: str) -> Mistake:
    return Mistake(release.locations.at("republish", *key), f"{'.'.join(('republish', *key))}: {what}")
