"""Private folders that executors reach: what is stored there outlives each of them.

Where all of Spark is on this machine, one of the machine's temporary ones. Elsewhere one below the folder that Spark is
configured to keep checkpoints in, or below the user's own on the file system of the cluster.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from deniable.errors import Mistake, Unsupported
from deniable.private_folders import make_folder, private_folder, remove_folder


class Shared(Protocol):
    """A folder that is ours alone, by the name that Spark gives it."""

    def path(self, name: str) -> str:
        """Of something in it."""

    def parts(self, folder: str) -> Iterator[Path]:
        """The files of a folder that was written, in their order, each on this machine for as long as it is asked."""

    def remove(self, folder: str) -> None:
        """A folder in it."""

    def close(self) -> None:
        """Remove it."""


def shared_folder(context: Any) -> Shared:
    """A new one. Raises Unsupported where no folder is known that all executors reach."""
    kept = context.getConf().get("spark.checkpoint.dir")
    if kept is None and _is_here(str(context.master)):
        return _Here()
    hadoop = context._jsc.hadoopConfiguration()
    if kept is None:
        system = context._jvm.org.apache.hadoop.fs.FileSystem.get(hadoop)
        if str(system.getUri().getScheme()) == "file":
            what = (
                "expected spark.checkpoint.dir, a folder that all executors reach, in Spark's configuration; found none"
            )
            raise Unsupported(Mistake("--engine", what))
        kept = str(system.getHomeDirectory().toString())
    return _There(context, hadoop, kept)


def _is_here(master: str) -> bool:
    """Whether the executors are on this machine."""
    host = master.removeprefix("spark://").partition(":")[0]
    return master.startswith("local") or host in ("localhost", "127.0.0.1")


class _Here:
    def __init__(self) -> None:
        self._folder = make_folder()

    def path(self, name: str) -> str:
        return str(self._folder / name)

    def parts(self, folder: str) -> Iterator[Path]:
        yield from sorted(Path(folder).glob("part-*"))

    def remove(self, folder: str) -> None:
        import shutil

        shutil.rmtree(folder, ignore_errors=True)

    def close(self) -> None:
        remove_folder(self._folder)


class _There:
    def __init__(self, context: Any, hadoop: Any, parent: str) -> None:
        self._jvm = context._jvm
        named = f"{parent.rstrip('/')}/deniable-{secrets.token_hex(8)}"
        self._folder = self._jvm.org.apache.hadoop.fs.Path(named)
        self._system = self._folder.getFileSystem(hadoop)
        only_us = self._jvm.org.apache.hadoop.fs.permission.FsPermission("700")
        self._system.mkdirs(self._folder, only_us)
        self._system.deleteOnExit(self._folder)  # should we be killed

    def path(self, name: str) -> str:
        return f"{self._folder.toString()}/{name}"

    def parts(self, folder: str) -> Iterator[Path]:
        listed = self._system.listStatus(self._jvm.org.apache.hadoop.fs.Path(folder))
        for file in sorted((one.getPath() for one in listed), key=lambda path: str(path.getName())):
            if not str(file.getName()).startswith("part-"):
                continue
            with private_folder() as here:
                copy = here / "part.parquet"
                self._system.copyToLocalFile(False, file, self._jvm.org.apache.hadoop.fs.Path(str(copy)), True)
                yield copy

    def remove(self, folder: str) -> None:
        with suppress(Exception):
            self._system.delete(self._jvm.org.apache.hadoop.fs.Path(folder), True)

    def close(self) -> None:
        self.remove(str(self._folder.toString()))
