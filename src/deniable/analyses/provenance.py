"""Where a report comes from: which files, by their hash, how many rows, which engine, which versions, and when."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import file_digest, sha256
from pathlib import Path

from deniable import __version__
from deniable.bind.inputs import tables_of
from deniable.engines import kind_of, library_versions
from deniable.engines.tables import paths_of
from deniable.frozen import frozen
from deniable.release import Release

LISTED = 20  # files that are named one by one; of more, one hash over all their hashes


@frozen
class HashedFile:
    """A file as it was named, how long it is, and its SHA-256; or so many `files` together, and the hash of their
    hashes, one after the other as text."""

    name: str
    bytes: int
    sha256: str
    files: int = 1


@frozen
class Provenance:
    """What a result was made from, with what, and when; a release that was written in Python has no file."""

    release: HashedFile | None
    data: tuple[HashedFile, ...]
    rows: int | None
    engine: str
    versions: tuple[tuple[str, str], ...]
    made: str


def provenance(release: Release, engine: str, rows: int | None = None) -> Provenance:
    """Of a release, looked at now. An address of an engine may hold a password: only what it begins with is kept."""
    file = Path(release.locations.file) if release.locations.file else None
    named = None if file is None or not file.is_file() else _hashed(file, file.name)
    data = tuple(_data(release))
    if len(data) > LISTED:
        whole = sha256("".join(one.sha256 for one in data).encode()).hexdigest()
        data = (HashedFile(release.title, sum(one.bytes for one in data), whole, len(data)),)
    made = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    versions = (("deniable", __version__), ("Python", platform.python_version()), *library_versions())
    return Provenance(named, data, rows, kind_of(engine), versions, made)


def _data(release: Release) -> Iterator[HashedFile]:
    """Every file that is read beside the release file, as it is named there."""
    for name in (*tables_of(release), *(one.file for one in release.knowledge if one.file)):
        files = [Path(path) for path in paths_of(name, release.folder)]
        for path in files:
            if path.is_file():
                yield _hashed(path, str(name) if len(files) == 1 else path.name)


def _hashed(path: Path, name: str) -> HashedFile:
    with path.open("rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
        return HashedFile(name, file.tell(), digest)
