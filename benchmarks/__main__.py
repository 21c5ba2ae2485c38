"""Every benchmark, one after the other: `make bench`. With names only those, with `--smallest` on tiny tables."""

from __future__ import annotations

import sys
from importlib import import_module

from benchmarks.sizes import FULL, Sizes, smallest

NAMES = (
    "start_up", "first_answer", "breach_pairs", "breach_many", "crowds", "posteriors", "bucketize", "grouping",
    "history", "attack", "stable", "refill", "repair", "reports", "engines", "scale",
)  # fmt: skip
SMALLEST = "--smallest"


def main() -> None:
    """Run those that are named, or all; words after a name are that benchmark's."""
    words = [word for word in sys.argv[1:] if word != SMALLEST]
    if words and words[0] not in NAMES:
        sys.exit(f"expected one of {', '.join(NAMES)}; found {words[0]}")
    names = [word for word in words if word in NAMES] or NAMES
    if SMALLEST in sys.argv[1:]:
        with smallest() as sizes:
            run(names, sizes)
    else:
        run(names, FULL)


def run(names: tuple[str, ...] | list[str], sizes: Sizes) -> None:
    """One after the other; each prints what it finds."""
    for name in names:
        import_module(f"benchmarks.{name}").main(sizes)


if __name__ == "__main__":
    main()
