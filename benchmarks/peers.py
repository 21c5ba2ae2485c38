"""What a peer answers, and how fast. Run in the peers' own environment: `python peers.py TABLE PRIVATE QUASI…`."""

from __future__ import annotations

import json
import sys
import time
from typing import Any


def main() -> None:
    """Print k, l and the best of three times, as JSON."""
    import pandas as pd  # type: ignore[import-untyped,unused-ignore]
    from pycanon import anonymity  # type: ignore[import-not-found]

    path, private, *quasi = sys.argv[1:]
    table = pd.read_parquet(path)
    answers: dict[str, Any] = {}
    best = float("inf")
    for _ in range(2):
        start = time.perf_counter()
        answers = {
            "k": int(anonymity.k_anonymity(table, quasi)),
            "l": int(anonymity.l_diversity(table, quasi, [private])),
        }
        best = min(best, time.perf_counter() - start)
    print(json.dumps({**answers, "seconds": best}))


if __name__ == "__main__":
    main()
