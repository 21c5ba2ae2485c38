"""The fault campaign: `make campaign`, or

    python -m tests.campaign [--minutes N] [--share S] [--first SEED] [kind ...]

tries bad input, kills, full disks and damaged ledgers, and prints how many were tried and survived. A failure is
printed with its kind and seed: `python -m tests.campaign --only SEED kind` is that case again. The exit status is 1 if
there was one.
"""

from __future__ import annotations

import argparse
import math
import signal
import sys
import time
from collections import Counter
from contextlib import suppress

from deniable import kernels
from tests.campaign.kinds import KINDS
from tests.campaign.workers import Case, Kind, tried
from tests.imports import everything

_SHOWN = 5  # failures of one sort


def main() -> int:
    """Try everything, in turns, so that a campaign that ends early has seen some of each kind."""
    asked = _asked()
    kernels.LARGE = math.inf  # nobody waits for a compiler
    everything()
    wanted = [kind for kind in KINDS if kind.name in (asked.kinds or [one.name for one in KINDS])]
    if asked.only is not None:
        for case in (case for kind in wanted for case in tried(kind, [asked.only])):
            print(case.kind, case.seed, *(case.problems or ("survived",)), sep="\n  ")
        return 0
    counts: Counter[str] = Counter()
    failed: list[Case] = []
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt):  # told to stop, it says how far it came
        _try(wanted, asked, counts, failed)
    print(_table(wanted, counts, failed))
    return 1 if failed else 0


def _try(wanted: list[Kind], asked: argparse.Namespace, counts: Counter[str], failed: list[Case]) -> None:
    until, turns = time.monotonic() + 60 * asked.minutes, 20
    for turn in range(turns):
        for kind in wanted:
            for case in tried(kind, _seeds(kind, turn, turns, asked), until):
                counts[kind.name] += 1
                if case.problems:
                    failed.append(case)
                    _tell(case, failed)
        print(f"{turn + 1} of {turns}: {counts.total():,} tried, {len(failed):,} failed", file=sys.stderr, flush=True)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.campaign", description=__doc__)
    parser.add_argument("kinds", nargs="*", choices=[[], *(kind.name for kind in KINDS)], help="all by default")
    parser.add_argument("--minutes", type=float, default=math.inf, help="after which no case is begun")
    parser.add_argument("--share", type=float, default=1.0, help="of the cases of a whole campaign")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--only", type=int, help="one case of the kind, by its seed")
    return parser.parse_args()


def _seeds(kind: Kind, turn: int, turns: int, asked: argparse.Namespace) -> range:
    """This turn's share of the cases."""
    cases = max(math.ceil(kind.full * asked.share), 1)
    return range(asked.first + cases * turn // turns, asked.first + cases * (turn + 1) // turns)


def _tell(case: Case, failed: list[Case]) -> None:
    if sum(other.kind == case.kind and other.problems == case.problems for other in failed) <= _SHOWN:
        print(f"{case.kind} {case.seed}: {'; '.join(case.problems)}", flush=True)


def _table(wanted: list[Kind], counts: Counter[str], failed: list[Case]) -> str:
    lost = Counter(case.kind for case in failed)
    rows = [(kind.name, counts[kind.name], counts[kind.name] - lost[kind.name], kind.about) for kind in wanted]
    rows.append(("all", sum(row[1] for row in rows), sum(row[2] for row in rows), ""))
    lines = ["", "| kind | tried | survived | what it is |", "| --- | ---: | ---: | --- |"]
    lines += [f"| {name} | {tries:,} | {survived:,} | {about} |" for name, tries, survived, about in rows]
    sorts = Counter(problem.partition(":")[0] for case in failed for problem in case.problems)
    lines += ["", *(f"{count:,} x {sort}" for sort, count in sorts.most_common())]
    lines += [f"{kind}: {', '.join(str(case.seed) for case in failed if case.kind == kind)}" for kind in sorted(lost)]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
