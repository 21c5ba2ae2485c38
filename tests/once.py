"""Folders that one of the tests' workers makes, and the tests of all workers copy."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path

import pytest


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[], None]) -> Path:
    """The folder of that name, which is only to be copied; `make` fills it, called in it, unless somebody has."""
    base = factory.getbasetemp()
    shared = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "once"
    shared.mkdir(exist_ok=True)
    with open(shared / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / f"{name}.made").exists():
            (shared / name).mkdir()
            with chdir(shared / name):
                make()
            (shared / f"{name}.made").touch()
    return shared / name
