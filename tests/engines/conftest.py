"""Commands in this process, as their own tests have them; and the places where engines run."""

from tests.cli.conftest import call, examples, folder
from tests.engines.places import place, postgres, spark

__all__ = ["call", "examples", "folder", "place", "postgres", "spark"]
