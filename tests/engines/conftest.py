"""Commands in this process, as their own tests have them."""

from tests.cli.conftest import call, examples, folder

__all__ = ["call", "examples", "folder"]
