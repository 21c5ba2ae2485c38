"""`python -m deniable`."""

from deniable.cli import run

run()
