"""attack: a table was published again and again; what does someone work out who keeps every release?

Computed: for each person how many private values stay possible, and the share of worlds in which they have their true
one (docs/theory/history.md, "The joint adversary" and "The pairs adversary"). The *pairs* adversary looks at two
groups at a time (Riboni & Bettini's ct-pvr and hc-pvr), the *joint* one at everything. A world gives each person one
value, the same in all releases; counterfeits carry no weight. Both assume that the grouping itself says nothing.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from deniable.analyses.history.chronicle import Chronicle, read_known
from deniable.engines import save_table
from deniable.errors import BadInput, Mistake
from deniable.publish.again.n_choose import f
from deniable.worlds.history.histories import NOTHING, Knowledge, NoWorld, counts

if TYPE_CHECKING:
    import pyarrow as pa

Adversary = Literal["pairs", "joint"]
ADVERSARIES: tuple[Adversary, ...] = ("joint", "pairs")
BOUNDS = ("exact", "proved", "sampled")
EXACT, PROVED = 0, 1
LIMITS = (2, 3)  # posteriors above 1/2 and 1/3 are counted, and above 1/m where m is known
_VALUES = 0.5  # of the time for possible values; the rest is for probabilities


@dataclass(frozen=True)
class Options:
    """What the adversary knows: a file, or a share of people drawn at random, `repeat` times anew.

    `seconds` limits the solvers of one repetition. m, n and lifespan are the publisher's, where they are known.
    """

    adversary: Adversary = "joint"
    known: str | Path | None = None
    compromise: float | None = None
    seed: int = 0
    repeat: int = 1
    seconds: float = 60.0
    m: int | None = None
    n: int | None = None
    lifespan: int | None = None


@dataclass(frozen=True)
class Over:
    """Of the people who are not known: how many have a posterior above 1 / `one_in`, and of how many that is open."""

    one_in: int
    people: int
    undecided: int


@dataclass(frozen=True)
class Run:
    """One adversary's success. `exposed` and `undecided` are among the people who are not known."""

    people: int
    known: int
    exposed: int
    undecided: int  # several values are left, but not all are proved to be possible
    over: tuple[Over, ...]  # empty where there are no probabilities
    bounds: tuple[int, int, int]  # rows that are exact, proved and sampled
    seconds: float

    @property
    def share(self) -> float:
        """Of the people who are not known, at least this share is exposed."""
        return self.exposed / max(self.people - self.known, 1)


@dataclass(frozen=True, eq=False)
class Answer:
    """Person by person: how many values are left, the probability of the true one, and how sure that is."""

    values: NDArray[np.int32]
    decided: NDArray[np.bool_]  # whether that number is proved, else it may be smaller
    bound: NDArray[np.int8]
    probability: NDArray[np.float64] | None = None
    lower: NDArray[np.float64] | None = None
    upper: NDArray[np.float64] | None = None


@dataclass(frozen=True, eq=False)
class Attack:
    """What the adversary works out: person by person in the first run, and counted for every run."""

    chronicle: Chronicle
    adversary: Adversary
    answer: Answer
    runs: tuple[Run, ...]
    promised: float | None  # f(p, L, m, n): what n-Choose's formula gives for pairs of releases

    @property
    def exposed_share(self) -> float:
        """The mean over the runs."""
        return sum(run.share for run in self.runs) / len(self.runs)

    @property
    def table(self) -> pa.Table:
        """One row per person: identifier…, values, exposed, probability, lower, upper, bound.

        `values` is never too small, and 1 is always certain. `bound` is `exact` when `values` is exact and, where
        there is a probability, that is the share of worlds, rounded once; `proved` when `values` may be smaller or
        the probability is only known to lie from `lower` to `upper`; `sampled` when it lies there with a chance of
        99.9 % (`values` is then still proved not to be too small). Probabilities are null for the pairs adversary,
        who has none, and where nobody knows the true values.
        """
        import pyarrow as pa

        from deniable.arrow import arrow_array

        answer, people = self.answer, len(self.answer.values)
        nulls = pa.nulls(people, pa.float64())
        chances = (answer.probability, answer.lower, answer.upper)
        columns: dict[str, Any] = {name: self.chronicle.people.column(name) for name in self.chronicle.identifier}
        columns["values"] = arrow_array(answer.values.astype(np.int64))
        columns["exposed"] = arrow_array(answer.values == 1)
        for name, chance in zip(("probability", "lower", "upper"), chances, strict=True):
            columns[name] = nulls if chance is None else arrow_array(chance)
        codes = arrow_array(answer.bound.astype(np.int32))
        columns["bound"] = pa.DictionaryArray.from_arrays(codes, pa.array(BOUNDS)).cast(pa.string())
        return pa.table(list(columns.values()), names=list(columns))

    def save(self, path: str | Path) -> None:
        """Write the table to a .csv or .parquet file."""
        save_table(self.table, path)


def attack(chronicle: Chronicle, options: Options) -> Attack:
    """Ask the adversary about everybody, once or several times."""
    _check(chronicle, options)
    if options.known is not None:
        knowledge = read_known(chronicle, options.known)
        answer, run = _run(chronicle, knowledge, options)
        return Attack(chronicle, options.adversary, answer, (run,), None)
    if options.compromise is None:
        answer, run = _run(chronicle, NOTHING, options)
        return Attack(chronicle, options.adversary, answer, (run,), None)
    done = [_run(chronicle, _drawn(chronicle, options, turn), options) for turn in range(options.repeat)]
    return Attack(chronicle, options.adversary, done[0][0], tuple(run for _, run in done), _promised(options))


def _check(chronicle: Chronicle, options: Options) -> None:
    mistakes = []
    share = options.compromise
    if options.adversary not in ADVERSARIES:
        mistakes.append(Mistake("--adversary", f"expected {' or '.join(ADVERSARIES)}; found {options.adversary}"))
    if options.known is not None and share is not None:
        mistakes.append(Mistake("--compromise", "expected known people from a file or drawn at random; found both"))
    if share is not None and not 0 <= share <= 1:
        mistakes.append(Mistake("--compromise", f"expected a share from 0 to 1; found {share:g}"))
    if share is not None and chronicle.truth is None:
        what = "expected a history with the true values, of which the known ones are drawn; found none"
        mistakes.append(Mistake("--compromise", what))
    if options.repeat < 1:
        mistakes.append(Mistake("--repeat", f"expected at least 1; found {options.repeat}"))
    if options.repeat > 1 and share is None:
        mistakes.append(Mistake("--repeat", "expected --compromise beside it: only what is drawn differs"))
    if mistakes:
        raise BadInput(mistakes)


def _drawn(chronicle: Chronicle, options: Options, turn: int) -> Knowledge:
    """A share of the people at random, and their true values."""
    truth, share = chronicle.truth, options.compromise
    if truth is None or share is None:
        return NOTHING
    rng = np.random.default_rng([options.seed, turn])
    who = np.sort(rng.permutation(len(truth))[: round(share * len(truth))]).astype(np.int32)
    return Knowledge(who, truth[who])


def _promised(options: Options) -> float | None:
    if options.m is None or options.n is None or options.lifespan is None or options.compromise is None:
        return None
    return float(f(options.compromise, options.lifespan, options.m, options.n))


def _run(chronicle: Chronicle, knowledge: Knowledge, options: Options) -> tuple[Answer, Run]:
    start = time.monotonic()
    try:
        if options.adversary == "pairs":
            answer = _by_pairs(chronicle, knowledge)
        else:
            answer = _jointly(chronicle, knowledge, options.seconds)
    except NoWorld:
        raise BadInput(_contradiction(chronicle, options)) from None
    run = _counted(answer, knowledge, options.m)
    return answer, replace(run, seconds=time.monotonic() - start)


def _by_pairs(chronicle: Chronicle, knowledge: Knowledge) -> Answer:
    """What is possible is among what this adversary leaves; where that is one value, it is certain."""
    from deniable.worlds.history.pairwise import pairs

    values = counts(pairs(chronicle.story, knowledge))
    certain = values == 1
    return Answer(values, certain, np.where(certain, EXACT, PROVED).astype(np.int8))


def _jointly(chronicle: Chronicle, knowledge: Knowledge, seconds: float) -> Answer:
    from deniable.worlds.history.beliefs import true_values
    from deniable.worlds.history.joint import joint, with_counts

    found = joint(chronicle.story, knowledge, chronicle.truth, _VALUES * seconds)
    if chronicle.truth is None:
        return Answer(found.number, found.exact, np.where(found.exact, EXACT, PROVED).astype(np.int8))
    beliefs = true_values(chronicle.story, found, chronicle.truth, (1 - _VALUES) * seconds)
    found = with_counts(found)
    bound = np.where((beliefs.how == EXACT) & ~found.exact, PROVED, beliefs.how).astype(np.int8)
    return Answer(found.number, found.exact, bound, beliefs.value, beliefs.low, beliefs.high)


def _contradiction(chronicle: Chronicle, options: Options) -> Mistake:
    """Which of the two is to blame: what is known, or the releases themselves."""
    if options.known is not None:
        try:
            _run(chronicle, NOTHING, replace(options, known=None))
        except BadInput:
            pass
        else:
            what = "expected knowledge that fits the releases; found no assignment of values to people that fits both"
            return Mistake(str(options.known), what)
    return Mistake("history", "expected releases that some assignment of values to people fits; found none that does")


def _counted(answer: Answer, knowledge: Knowledge, m: int | None) -> Run:
    others = np.ones(len(answer.values), np.bool_)
    others[knowledge.people] = False
    exposed = int(np.count_nonzero(others & (answer.values == 1)))
    undecided = int(np.count_nonzero(others & ~answer.decided))
    over = []
    if answer.lower is not None and answer.upper is not None:
        for one_in in dict.fromkeys((*LIMITS, *((m,) if m else ()))):
            above, below = answer.lower[others] > 1 / one_in, answer.upper[others] <= 1 / one_in
            over.append(Over(one_in, int(above.sum()), int((~above & ~below).sum())))
    exact, proved, sampled = (int(n) for n in np.bincount(answer.bound, minlength=3))
    known = int(np.count_nonzero(~others))
    return Run(len(answer.values), known, exposed, undecided, tuple(over), (exact, proved, sampled), 0.0)
