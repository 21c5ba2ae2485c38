"""A release from where it is: its file, a value, a table."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from deniable.bind.inputs import no_release_file
from deniable.errors import Mistake
from deniable.release import Release
from deniable.spec import arguments

if TYPE_CHECKING:
    pass


Source = Release | str | PathLike[str]


def load(release: Source) -> Release:
    """A release from its file; a Release is returned as it is. Raises BadInput with every mistake of the file."""
    if isinstance(release, Release):
        return release
    arguments.insist(arguments.release("release", release), no_release_file(release))
    from deniable.spec import yaml

    return yaml.load(fspath(release))


def read(release: Source, engine: str) -> Release:
    """The same; beside the mistakes of the file are those that its other keys have with their data."""
    if isinstance(release, Release):
        return release
    from deniable.spec import yaml

    try:
        return load(release)
    except yaml.Malformed as error:
        from deniable.bind.everything import explain

        raise explain(error, engine) from None


def as_it_is(table: Any, private: str | None, quasi: str | Sequence[str]) -> Release:
    """A table that is published as it is."""
    arguments.insist(
        arguments.table("release", table),
        _private(private),
        arguments.columns("quasi", quasi)
        or (None if len(quasi) else Mistake("quasi", "expected the quasi-identifiers beside private; found none")),
    )
    return Release(table=table, private=private or "", quasi=quasi)


def _private(name: object) -> Mistake | None:
    """Asked for its type first: what is missing in a frame is neither true nor false."""
    if name is None or (isinstance(name, str) and not name):
        return Mistake("private", "expected the private column beside quasi; found none")
    return arguments.texts("private", [name])
