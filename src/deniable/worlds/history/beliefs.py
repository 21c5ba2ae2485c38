"""How likely the joint adversary finds each person's true value: the share of worlds in which they have it.

Every assignment of values to real people counts once, or as much as who left when makes it likely (`leaving`);
counterfeits carry no weight. Counted exactly where a part has
few enough states; else drawn at random (`sampling`), and where that fails bounded (`belief_bounds`).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from deniable.frozen import frozen
from deniable.steps import reach
from deniable.worlds.arrays import Floats, Int8s, Int32s, Int64s, different
from deniable.worlds.history.belief_bounds import bounds
from deniable.worlds.history.counting_plan import room
from deniable.worlds.history.deadline import Deadline
from deniable.worlds.history.histories import History, holds
from deniable.worlds.history.joint import THOROUGH, Possible, Spent, count
from deniable.worlds.history.leaving import Leaving
from deniable.worlds.history.sampling import ready, sample
from deniable.worlds.history.search import EXCLUDED
from deniable.worlds.history.world_counts import nothing_counted

EXACT, PROVED, SAMPLED = 0, 1, 2
_COUNTING = 0.5  # of the time, at most so much to count
_NARROW = 1e-9  # intervals this narrow are not drawn


@frozen
class Beliefs:
    """The probability of each person's true value.

    EXACT: `value` is the share of worlds, rounded once, and low = high = value. PROVED: low <= share <= high.
    SAMPLED: that holds with a chance of 99.9 %, for all people of a part together. Where nothing was counted or drawn,
    `value` is the middle of the interval.
    """

    value: Floats
    low: Floats
    high: Floats
    how: Int8s


def true_values(
    history: History,
    found: Possible,
    truth: Int32s,
    seconds: float = 10.0,
    effort: Spent = THOROUGH,
    seed: int = 0,
    leaving: Leaving | None = None,
) -> Beliefs:
    """The probability of each person's true value; parts that are too large for the effort are sampled or bounded."""
    deadline = Deadline(seconds)
    found = found if leaving is None else _weighed(found, leaving)
    has = holds(found.words, np.arange(history.people), truth)
    value = has.astype(np.float64)
    beliefs = Beliefs(value, value.copy(), value.copy(), np.full(history.people, EXACT, np.int8))
    left = found.open
    if not len(left.person):
        return beliefs
    count(left, found.counted, effort, found.has_world, deadline.part(_COUNTING))
    own = np.full(len(left.person), -1, np.int64)  # literal of each open person's true value
    true = np.flatnonzero((left.value == truth[left.person][left.owner]) & (found.status != EXCLUDED))
    own[left.owner[true]] = true
    counted = (found.counted.totals > 0)[left.part]
    _enter_counts(found, beliefs, own, np.flatnonzero(counted & (own >= 0)))
    if not counted.all():
        with deadline.put_off():
            ready()
        reach("history.draw")
        _enter_bounds(found, beliefs, own, np.flatnonzero(~counted & (own >= 0)), deadline.end, seed)
    return beliefs


def _weighed(found: Possible, leaving: Leaving) -> Possible:
    """With worlds that weigh as much as who left when makes them likely; nothing of that was counted yet."""
    left = found.open
    left = left._replace(weight=leaving.weight[leaving.kind[left.person[left.owner]], left.value])
    return replace(found, open=left, counted=nothing_counted(left)) if left.is_weighted else found


def _enter_counts(found: Possible, beliefs: Beliefs, own: Int64s, people: Int64s) -> None:
    left, done = found.open, found.counted
    who, part = left.person[people], left.part[people]
    share = np.minimum(done.ways[own[people]] / done.totals[part], 1.0)
    error = done.error[part]
    beliefs.value[who] = share
    beliefs.low[who] = np.where(error > 0, share * (1 - error), share)
    beliefs.high[who] = np.where(error > 0, np.minimum(share * (1 + error), 1.0), share)
    beliefs.how[who] = np.where(error > 0, PROVED, EXACT)


def _enter_bounds(found: Possible, beliefs: Beliefs, own: Int64s, people: Int64s, deadline: float, seed: int) -> None:
    left = found.open
    parts = different(left.part[people])
    proved = bounds(left, found.status, parts, room(left))
    drawn = sample(left, parts, proved, deadline, seed=seed)
    who, literal = left.person[people], own[people]
    better = (drawn.done & (proved.high - proved.low > _NARROW))[literal]  # where drawing says more than the proof
    low = np.where(better, drawn.low[literal], proved.low[literal])
    high = np.where(better, drawn.high[literal], proved.high[literal])
    beliefs.low[who], beliefs.high[who] = low, high
    beliefs.value[who] = np.where(better, drawn.share[literal], (low + high) / 2)
    beliefs.how[who] = np.where(better, SAMPLED, PROVED)
