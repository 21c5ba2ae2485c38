"""Stable groups: counterfeits, exposure, query error and time.

Claims, m = 6, n = 3, 4 % of the people known, on tax units (200,000 with 10 % replaced, 21 releases; 60,000 with 33 %,
24 releases), five seeds: at most 20 % counterfeits and 0.02 % exposed with no larger query error than m-invariance; at
most 8 % and 0.05 %; a release at most 1.5x Cor-Split's time, with its audit at most 10x, the last at most 1.2x the 2nd.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks import command, turnover
from benchmarks.experiments.republication.algorithms import read_seats
from benchmarks.experiments.republication.measure import errors
from benchmarks.measure import alternating, ratio, timed
from benchmarks.sizes import FULL, Sizes
from benchmarks.turnover import M, N, People, tables
from deniable.analyses.history.exposure import exposed_to
from deniable.analyses.history.ledger_history import LedgerHistory
from deniable.publish.again.cor_split import cor_split
from deniable.publish.again.m_invariance import m_invariance
from deniable.publish.again.releases import Grouping, Memberships, Table
from deniable.publish.again.stable.next_release import Dial, stable
from deniable.publish.again.stable.seats import Seats, StableGrouping

KNOWN = 0.04
DIALS = (0.2, 0.08, 0.05)
SECONDS = 60.0  # for deciding who is exposed


def main(sizes: Sizes = FULL) -> None:
    """Print one line for each claim; with a word, only that part."""
    if not (sizes.data / turnover.UNITS).exists():
        print("stable groups: the table of tax units is not there")
        return
    parts = {"speed": speed, "exposure": exposure, "whole": whole_command}
    for name, part in parts.items():
        if name in sys.argv or not set(parts) & set(sys.argv):
            part(turnover.units(sizes.data), sizes)


def published(given: Sequence[Table], at_most: float, seed: int) -> tuple[list[Seats], StableGrouping]:
    rng, releases = np.random.default_rng(seed), [Seats.empty()]
    for table in given:
        made = stable(table, releases[-1], M, N, Dial(at_most=at_most), seed=rng)
        releases.append(made.seats)
    return releases[1:], made


def recorded(releases: Sequence[Seats], people: int) -> LedgerHistory:
    """The releases for the audit."""
    history, truth, _ = read_seats(releases, people)
    return LedgerHistory(history, truth, len(releases), people)


def exposure(people: People, sizes: Sizes) -> None:
    """Counterfeits, exposed people and query error for each setting of the dial."""
    for setting in (sizes.large, sizes.small):
        found: dict[str, list[tuple[float, ...]]] = {}
        for seed in range(sizes.seeds):
            given = list(tables(people, setting, seed))
            everybody = 1 + max(int(table.person.max()) for table in given)
            who = np.random.default_rng(seed).permutation(everybody)[: round(KNOWN * everybody)].astype(np.int32)
            found.setdefault("m-invariance", []).append(errors(given[-1], plain(given), sizes.queries))
            for at_most in DIALS:
                releases, made = published(given, at_most, seed)
                share = max(100 * float(seats.ghost.mean()) for seats in releases)
                seen = exposed_to(recorded(releases, everybody), who, SECONDS)
                found.setdefault(f"stable, {at_most}", []).append(errors(given[-1], made.grouping, sizes.queries))
                print(
                    f"{setting.name}, seed {seed}, counterfeits at most {at_most}: {share:.2f} % at most, "
                    f"{100 * seen.exposed / seen.people:.4f} % exposed ({seen.exposed} of {seen.people:,}, "
                    f"{seen.undecided} not decided), {len(made.seats.person) / len(made.seats):.1f} rows a group",
                    flush=True,
                )
        for name, each in found.items():
            mean = " / ".join(f"{100 * float(np.mean(column)):.1f} %" for column in zip(*each, strict=True))
            one_by_one = "; ".join(" / ".join(f"{100 * error:.1f}" for error in one) for one in each)
            print(f"{setting.name}, {name}: query error {mean} on average ({one_by_one})", flush=True)


def plain(given: Sequence[Table]) -> Grouping:
    """The last release of m-invariance."""
    past = Memberships.empty()
    for table in given:
        made = m_invariance(table, past, M)
        past = past.extended(table, made)
    return made


def speed(people: People, sizes: Sizes) -> None:
    """The 2nd and the last release, and Cor-Split's last, in turns, in memory."""
    for setting in (sizes.large, sizes.small):
        second, last, other = _times(list(tables(people, setting, 0)), sizes.rounds(9))
        print(
            f"{setting.name}: the last {last * 1000:.0f} ms, Cor-Split {other * 1000:.0f} ms, {ratio(last, other, 1.5)}"
            f"; the 2nd {second * 1000:.0f} ms, {ratio(last, second, 1.2)}",
            flush=True,
        )


def _times(given: Sequence[Table], rounds: int) -> list[float]:
    seats, past = [Seats.empty()], Memberships.empty()
    for table in given[:-1]:
        seats.append(stable(table, seats[-1], M, N, seed=1).seats)
        past = past.extended(table, cor_split(table, past, M, N))
    return alternating(
        rounds,
        lambda: timed(lambda: stable(given[1], seats[1], M, N, seed=1)),
        lambda: timed(lambda: stable(given[-1], seats[-1], M, N, seed=1)),
        lambda: timed(lambda: cor_split(given[-1], past, M, N)),
    )


def whole_command(_: People, sizes: Sizes) -> None:
    """The 2nd and the last release as a user makes them, without and with the audit of all releases."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        given = turnover.write_tables(sizes.large, sizes.data, folder, 1)
        last = len(given)
        ledgers = command.ledgers(folder, given, "stable", (2, last))
        other = command.ledgers(folder, given, "cor-split", (last,))[last]
        second, plainly, audited, split = alternating(
            sizes.rounds(3),
            lambda: command.republish(folder, given[1], "stable", ledgers[2], "--no-audit").seconds,
            lambda: command.republish(folder, given[-1], "stable", ledgers[last], "--no-audit").seconds,
            lambda: command.republish(folder, given[-1], "stable", ledgers[last]).seconds,
            lambda: command.republish(folder, given[-1], "cor-split", other, "--no-audit").seconds,
        )
    print(
        f"the whole command: {plainly:.2f} s, Cor-Split {split:.2f} s, ratio {plainly / split:.2f}; with the audit "
        f"{audited:.2f} s, {ratio(audited, split, 10)}; the 2nd {second:.2f} s, {ratio(plainly, second, 1.2)}",
        flush=True,
    )


if __name__ == "__main__":
    main()
