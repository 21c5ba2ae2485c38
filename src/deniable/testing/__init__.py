"""`pytest --deniable`: release files are tests. Nothing else is imported before somebody asks for it: pytest imports
this module at every start, wherever deniable is installed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option that asks for it."""
    group = parser.getgroup("deniable")
    group.addoption("--deniable", action="store_true", help="audit release files: a test for each check of require:")
    group.addoption("--deniable-warn-at", type=_share, metavar="P", help="warn of checks with a worst of P or more")


def _share(text: str) -> float:
    """A number from 0 to 1. Raises ValueError, of which pytest makes a line."""
    value = float(text)
    if not 0 <= value <= 1:
        raise ValueError(text)
    return value


def pytest_configure(config: pytest.Config) -> None:
    """Collect release files, if that was asked for."""
    if config.getoption("--deniable"):
        from deniable.testing import collecting

        config.pluginmanager.register(collecting, "deniable-collecting")
