"""Folders to publish in, and a process that publishes in them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.history.again import republish
from tests.history.books import Books
from tests.history.faults import Host, Work, set_up


@pytest.fixture(scope="session")
def host() -> Iterator[Host]:
    opened = Host()
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one release in its ledger; to be copied."""
    folder = tmp_path_factory.mktemp("begun")
    set_up(folder)
    republish(folder / "one.yaml", folder / "out1", audit=False)
    return folder


@pytest.fixture(scope="session")
def books(tmp_path_factory: pytest.TempPathFactory) -> Books:
    """Ledgers that are only read."""
    return Books(tmp_path_factory)


@pytest.fixture
def later(tmp_path: Path, begun: Path) -> Work:
    """The second release is next."""
    shutil.copytree(begun, tmp_path / "work")
    return Work(tmp_path / "work", "two", "out2", 2)


@pytest.fixture
def first(tmp_path: Path) -> Work:
    """No release was made yet."""
    folder = tmp_path / "work"
    folder.mkdir()
    set_up(folder)
    return Work(folder, "one", "out1", 1)


@pytest.fixture(params=["first", "later"])
def work(request: pytest.FixtureRequest) -> Work:
    """Either."""
    found: Work = request.getfixturevalue(request.param)
    return found
