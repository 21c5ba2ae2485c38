"""How much work may be spent on an answer: the options that commands and verbs share, with their defaults."""

from __future__ import annotations

from deniable.frozen import frozen

TOLERANCE = 1e-6  # how narrow intervals are made, where they are needed
LIMIT = 50_000_000  # different combinations: of shared columns in a join, or of public and private values
STATES = 1 << 20  # of the exact count of one published group
SECONDS = 60.0  # how long a solver may take, for a release
ENGINE = "duckdb"  # where the table is, unless `--engine` says
LONGEST = 10_000  # releases that n-Choose counts with
WIDEST = 1_000  # different values that a group of a release may be asked to have
MOST_STATES = 1 << 32  # that may be asked for: so many numbers have a place in memory at all
QUERIES = 1_000  # by which a release's utility is measured, for each selectivity
MOST_QUERIES = 1_000_000  # that may be asked for


@frozen
class Effort:
    """How narrow an interval must be, and how much may be tried, counted and searched for it."""

    tolerance: float = TOLERANCE
    limit: int = LIMIT
    states: int = STATES
    seconds: float = SECONDS
