"""What is written never takes the place of what is read: the private table has no other copy that we know of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from deniable.bind.inputs import tables_of
from deniable.engines.tables import paths_of
from deniable.errors import BadInput, Mistake
from deniable.release import Release


def insist_apart(
    release: Release | None, targets: Mapping[str, Iterable[Path]], *others: str | None, groups: bool = True
) -> None:
    """Refuse files to be written (by option) that the release reads, or that are among `others`. Raises BadInput.

    Without `groups` those that it names as published are none: they may be what is to be written.
    """
    inputs = _inputs(release, groups=groups) if release else ()
    read = {path.resolve() for path in (*inputs, *(Path(other) for other in others if other))}
    mistakes = [
        Mistake(option, f"expected a file that this command does not read; found {path}")
        for option, paths in targets.items()
        for path in paths
        if path.resolve() in read
    ]
    if mistakes:
        raise BadInput(mistakes)


def _inputs(release: Release, *, groups: bool) -> Iterator[Path]:
    """The release file, the table's files, and all others that it names."""
    if release.locations.file:
        yield Path(release.locations.file)
    private = [name for name in (release.ledger, *(known.file for known in release.knowledge)) if name]
    for name in (*tables_of(release, groups=groups), *private):
        yield release.folder / name
        yield from map(Path, paths_of(name, release.folder))
