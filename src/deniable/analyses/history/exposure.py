"""What all releases together give away, the one about to be published among them, to somebody who reads them all.

docs/theory/history.md, "The joint adversary".
"""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from deniable.analyses.history.chosen_algorithm import ChosenAlgorithm
from deniable.analyses.history.ledger_history import (
    LedgerHistory,
    insist_on_whole,
    layout_of,
    ledger_path,
    read_ledger_history,
)
from deniable.analyses.verdict import RecordedExposure
from deniable.effort import SECONDS
from deniable.errors import Reason, Unachievable
from deniable.frozen import frozen
from deniable.ledgers.file import Ledger, ledger
from deniable.ledgers.read import recorded_exposures
from deniable.publish.again.algorithm import find
from deniable.publish.again.n_choose import chance_of_exposure
from deniable.release import Release
from deniable.steps import whole_step
from deniable.worlds.arrays import Bools, Floats, Int32s, Int64s

if TYPE_CHECKING:
    from deniable.worlds.history.histories import History, KnownValues
    from deniable.worlds.history.joint import Possible

KNOWN = 0.04  # the share of people whom the adversary is taken to know, where the release file does not say
_EXCHANGES = 100_000_000  # people times values up to which exchanges are looked for
_ASKED = 10_000  # people in lineages, above 1/2 as far as is proved, up to whom their worlds are counted
_ROUNDING = 1e-8  # of posteriors: one that is 1/2 is not above it


@frozen
class PeoplePerhapsAbove:
    """How many of the people who are not known may have a posterior above 1 / `one_in`."""

    one_in: int
    people: int


@frozen
class Exposure:
    """Of the people whom the adversary does not know: how many are exposed, and for how many that was not decided."""

    known: float
    drawn: int
    people: int
    releases: int
    exposed: int
    undecided: int
    kept_back: int = 0  # of the exposed: whom a release kept back
    over: tuple[PeoplePerhapsAbove, ...] = ()  # how likely the true values are, where that was asked for
    promised: float | None = None  # what n-Choose's formula gives for pairs of releases
    others: tuple[Exposure, ...] = ()  # the same with other shares of the people known

    @property
    def share(self) -> float:
        """At most this share is exposed."""
        return (self.exposed + self.undecided) / max(self.people, 1)

    def figures(self) -> dict[str, Any]:
        """For the ledger and for JSON."""
        return asdict(self)


def known_share(release: Release, chosen: ChosenAlgorithm) -> float:
    """As `require: history` says, else the compromise that n was chosen for."""
    if release.require.history is not None:
        return release.require.history.known
    return KNOWN if chosen.compromise is None else chosen.compromise


def expose(told: LedgerHistory, share: float, seconds: float, limits: tuple[int, ...] = ()) -> Exposure:
    """Draw the known people at random and ask about the others; `limits`: posteriors above 1 in so many are counted."""
    people = told.people
    who = np.random.default_rng().permutation(people)[: round(share * people)].astype(np.int32)
    return replace(exposed_to(told, who, seconds, limits), known=share)


def exposed_to(told: LedgerHistory, who: Int32s, seconds: float, limits: tuple[int, ...] = ()) -> Exposure:
    """What somebody knows of the others who knows these people.

    Of stable groups the adversary is taken to know the algorithm, and so whose seat each ghost keeps; cycles in their
    lineages show who has one value left and who has two. Only what they leave open is asked of the joint adversary.
    """
    from deniable.worlds.history.histories import KnownValues

    people, waiting = told.people, told.waits
    known = KnownValues(who, told.truth[who])
    number, decided = left_to(told, known, seconds)
    others = _others(told, known)
    high = _chances(told, known, seconds) if limits else np.ones(len(others))
    high[told.kept_back] = 1.0
    exposed = int(np.count_nonzero(others & (number == 1))) + waiting
    undecided = int(np.count_nonzero(others & ~decided))
    above = {k: int(np.count_nonzero(others & (high > (1 + _ROUNDING) / k))) + waiting for k in limits}
    over = tuple(PeoplePerhapsAbove(k, count) for k, count in above.items())
    share, late = len(who) / max(people, 1), int(np.count_nonzero(others[told.kept_back])) + waiting
    unknown = people - len(who) + waiting
    return Exposure(share, len(who), unknown, told.releases, exposed, undecided, late, over)


def _others(told: LedgerHistory, known: KnownValues) -> Bools:
    """People who are not known; nobodies are no people."""
    others = np.arange(len(told.truth)) < told.people
    others[known.people] = False
    return others


def left_to(told: LedgerHistory, known: KnownValues, seconds: float) -> tuple[Int32s, Bools]:
    """At most how many values are left to everybody, and whether it is decided that this is one, or more than one.

    Whoever was kept back has one left: only people with too frequent a value are.
    """
    from deniable.worlds.history.lineage_cycles import possible_values

    others = _others(told, known)
    found = possible_values(told.history, told.truth, known, rounds=0)
    number, decided = found.most, (found.most == 1) | (found.least > 1)
    number[told.kept_back], decided[told.kept_back] = 1, True
    if not decided[others].all():
        asked, answer, sure = _joint(told, known, others & ~decided, seconds)
        number[asked], decided[asked] = np.minimum(number[asked], answer), decided[asked] | sure
    return number, decided


def _part(told: LedgerHistory, known: KnownValues, people: Bools) -> tuple[Int64s, History, KnownValues]:
    """These people and all who share groups with them, and what is told and known of them."""
    from deniable.worlds.history.histories import KnownValues, part_of
    from deniable.worlds.history.lineage_forest import connected

    rest = np.flatnonzero(connected(told.history, np.flatnonzero(people)))
    place = np.full(len(people), -1, np.int32)
    place[rest] = np.arange(len(rest))
    inside = place[known.people] >= 0
    return rest, part_of(told.history, rest), KnownValues(place[known.people[inside]], known.values[inside])


def _joint(told: LedgerHistory, known: KnownValues, people: Bools, seconds: float) -> tuple[Int64s, Int32s, Bools]:
    """Everybody in the part, how many values are left to them, and whether that is sure to be one, or more."""
    from deniable.worlds.history.exchanges import can_exchange
    from deniable.worlds.history.joint import joint

    rest, part, known = _part(told, known, people)
    found = joint(part, known, told.truth[rest], seconds)
    decided = is_decided(found)
    if len(rest) * part.values <= _EXCHANGES and not decided.all():
        decided |= can_exchange(part, known, told.truth[rest])
    return rest, found.number, decided


def _chances(told: LedgerHistory, known: KnownValues, seconds: float) -> Floats:
    """At most so likely is each true value: counted in chains, bounded in lineages, else the joint adversary's."""
    from deniable.worlds.history.beliefs import true_values
    from deniable.worlds.history.joint import joint
    from deniable.worlds.history.lineage_bounds import by_exchange
    from deniable.worlds.history.lineage_chains import chained

    chains = chained(told.history, told.truth, known)
    lineages = by_exchange(told.history, told.truth, known)
    high = np.where(chains.counted, chains.high, lineages.high)
    asked = ~chains.counted & (high > 1 / 2) & (np.arange(len(high)) < told.people)
    asked[known.people] = False
    if 0 < np.count_nonzero(asked) <= _ASKED:
        rest, part, known = _part(told, known, asked)
        found = joint(part, known, told.truth[rest], seconds / 2)
        high[rest] = np.minimum(high[rest], true_values(part, found, told.truth[rest], seconds / 2).high)
    return high


def is_decided(found: Possible) -> Bools:
    """For whom it is known whether one value is left: all others are excluded, or two were seen in worlds."""
    from deniable.worlds.history.search import SEEN

    left = found.open
    seen = np.zeros(len(found.words), np.int64)
    np.add.at(seen, left.person[left.owner[found.status == SEEN]], 1)
    return np.asarray((found.number == 1) | found.exact | (seen >= 2), np.bool_)


def of_next(release: Release, book: Ledger, chosen: ChosenAlgorithm, seconds: float) -> Exposure:
    """With the release that is proposed, beside what the formula promises and what the algorithm is audited for."""
    told, main = read_ledger_history(book, identified=True), known_share(release, chosen)
    algorithm = find(chosen.algorithm)
    shares = [share for share in algorithm.shares if share != main]
    with whole_step("history.expose", 0, 1 + len(shares)):
        found = expose(told, main, seconds, tuple(sorted({2, 3, chosen.m})) if algorithm.has_chances else ())
    others = []
    for place, share in enumerate(shares, 1):
        with whole_step("history.expose", place, 1 + len(shares)):
            others.append(expose(told, share, seconds))
    promised = None if chosen.n is None else chance_of_exposure(found.known, found.releases, chosen.m, chosen.n)
    return replace(found, promised=promised, others=tuple(others))


def of_ledger(release: Release, share: float, seconds: float = SECONDS) -> Exposure:
    """So far."""
    with ledger(ledger_path(release), layout_of(release), reading=True) as book:
        insist_on_whole(book)
        return expose(read_ledger_history(book, identified=True), share, seconds)


def recorded(release: Release) -> tuple[RecordedExposure, ...]:
    """What was found of each release when it was published, where it was asked; people were drawn anew each time."""
    with ledger(ledger_path(release), layout_of(release), reading=True) as book:
        told = [(number, json.loads(text)) for number, text in recorded_exposures(book) if text]
    return tuple(RecordedExposure(n, one["exposed"], one["undecided"], one["people"]) for n, one in told)


def insist(release: Release, exposure: Exposure | None) -> None:
    """Refuse a release that would expose more people than `require: history` allows."""
    limit = release.require.history
    if limit is None or exposure is None or exposure.share <= limit.exposed_at_most:
        return
    raise Unachievable(
        Reason(
            "history.too_exposed",
            exposed=exposure.exposed,
            undecided=exposure.undecided,
            people=exposure.people,
            known=exposure.known,
            limit=limit.exposed_at_most,
        )
    )
