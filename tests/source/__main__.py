"""The judge who has the source over random small histories of stable groups, beside what the audit says.

    python -m tests.source [--scenarios N] [--first K] [--runs N] [--algorithm NAME]

3 to 6 people, of whom some come late, leave and return, in 2 to 4 releases; 0, 1 and 2 of them known. A line for each
scenario and a summary: how many have one value left for the judge where the audit leaves two, and by how much the true
value is likelier to the judge than to the audit: as it was seen, and as is proved by all chances at once (99 %).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from deniable.worlds.judges.source import Judged, Observed, World, allowed, judge, observations
from tests.source.audited import left, likely
from tests.source.scenarios import Kept, Scenario

MOST = 48  # worlds that a scenario may have
ABOVE = 0.1  # of the audit's posterior, from which on somebody counts


@dataclass(frozen=True)
class Question:
    """One person and what is known of others: has the judge one value, the audit two? How likely is the true one?"""

    is_missed: bool
    judge: float
    proved: float
    audit: float


def drawn(seed: int, algorithm: str) -> tuple[Scenario, World]:
    """A history and everybody's value."""
    rng = np.random.default_rng(seed)
    m = int(rng.integers(2, 4))
    people, releases = int(rng.integers(3, 7)), int(rng.integers(2, 5))
    here = set(range(int(rng.integers(min(2 * m, people), people + 1))))
    come, present = len(here), []
    for _ in range(releases):
        present.append(tuple(sorted(here)))
        away = set(range(come)) - here
        here = {who for who in here if rng.random() < 0.6} | {who for who in away if rng.random() < 0.5}
        more = int(rng.integers(0, people - come + 1))
        here |= set(range(come, come + more))
        come += more
        here = here or {0}
    ages = tuple(int(age) for age in rng.integers(20, 60, people))
    scenario = Scenario(
        tuple(present), ages, m, int(rng.integers(1, m)), algorithm, at_most=float(rng.choice([0.0, 0.2]))
    )
    return scenario, tuple(int(v) for v in rng.integers(0, m + int(rng.integers(0, 2)), people))


def questions(found: Judged, scenario: Scenario, truth: World, kept: Kept) -> Iterator[Question]:
    """Everybody who was published, with nobody, one and two others known."""
    there = sorted({who for release in scenario.present for who in release})
    audited = likely(kept, scenario.people, found.worlds)
    for many in range(3):
        for who_known in combinations(there, many):
            known = {who: truth[who] for who in who_known}
            number = left(kept, scenario.people, known)
            fits = [world for world in audited if all(world[who] == value for who, value in known.items())]
            for who in sorted(set(there) - set(who_known)):
                seen = found.posterior(who, known)
                possible = sum(one.value > 0 for one in seen.values())
                share = sum(world[who] == truth[who] for world in fits) / len(fits)
                mine = seen[truth[who]]
                yield Question(possible == 1 and number[who] > 1, mine.value, mine.low, share)


def history_of(scenario: Scenario, truth: World, rng: np.random.Generator) -> tuple[list[Observed], Kept] | None:
    """What the truth gives once; None where a release is refused."""
    seen = list(observations(truth, scenario.publish, len(scenario.present), rng))
    return ([one for one, _ in seen], seen[-1][1]) if len(seen) == len(scenario.present) else None


def asked(first: int, scenarios: int, runs: int, algorithm: str) -> Iterator[tuple[int, list[Question], float]]:
    """So many scenarios that can be published and have few enough worlds; seconds of the processor for each."""
    seed, done = first, 0
    while done < scenarios:
        seed += 1
        scenario, truth = drawn(seed, algorithm)
        begun, rng = time.process_time(), np.random.default_rng(seed)
        told = history_of(scenario, truth, rng)
        if told is None:
            continue
        kinds = max(truth) + 1
        if not 2 <= len(allowed(scenario.people, kinds, told[0], {})) <= MOST:
            continue
        found = judge(scenario.people, kinds, scenario.publish, told[0], runs, rng)
        yield seed, list(questions(found, scenario, truth, told[1])), time.process_time() - begun
        done += 1


def summary(found: Sequence[Question]) -> str:
    excess = np.array([one.judge - one.audit for one in found])
    proved = np.array([one.proved - one.audit for one in found])
    missed = sum(one.is_missed for one in found)
    return (
        f"{len(found)} questions: one value for the judge where the audit has two {missed}; above the audit by over "
        f"{ABOVE} {np.mean(excess > ABOVE):.1%} (proved {np.mean(proved > ABOVE):.1%}), at most {excess.max():.2f} "
        f"(proved {proved.max():.2f})"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenarios", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--algorithm", default="stable")
    given = parser.parse_args()
    every: list[Question] = []
    for seed, found, seconds in asked(given.first, given.scenarios, given.runs, given.algorithm):
        every += found
        print(f"scenario {seed}, {seconds:.1f} s: {summary(found)}", flush=True)
    print(f"all: {summary(every)}")


if __name__ == "__main__":
    main()
