"""attack: a table was published again and again; what does someone work out who keeps every release?

Computed: for each person how many private values stay possible, and the share of worlds in which they have their true
one (docs/theory/history.md, "The joint adversary" and "The pairs adversary"). The *pairs* adversary looks at two
groups at a time (Riboni & Bettini's ct-pvr and hc-pvr), the *joint* one at everything. A world gives each person one
value, the same in all releases; counterfeits carry no weight. Worlds count alike, or as likely as they make it who left
when ("Who leaves"). Both assume that the grouping itself says nothing.
"""

from __future__ import annotations

import time
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from deniable.analyses.history.exposure import left_to
from deniable.analyses.history.ledger_history import (
    LedgerHistory,
    insist_on_whole,
    layout_of,
    ledger_path,
    read_named_history,
)
from deniable.analyses.history.named_history import NamedHistory, read_releases
from deniable.bind.files import Mistakes, need
from deniable.bind.hazard import read_hazard
from deniable.bind.known import read_known
from deniable.bind.releases import bind_releases
from deniable.effort import SECONDS
from deniable.engines import save_table
from deniable.engines.scope import Scope
from deniable.errors import BadInput, Mistake, Reason
from deniable.frozen import frozen
from deniable.ledgers.file import Ledger, ledger
from deniable.ledgers.read import last_degrees, longest_stay
from deniable.publish.again.n_choose import chance_of_exposure
from deniable.release import Release
from deniable.shown import Shown
from deniable.steps import reach, whole_step
from deniable.worlds.arrays import Bools, Floats, Int8s, Int32s
from deniable.worlds.history.histories import NOTHING, History, KnownValues, NoWorld, counts

if TYPE_CHECKING:
    import pyarrow as pa

    from deniable.worlds.history.leaving import Leaving

Adversary = Literal["pairs", "joint"]
ADVERSARIES: tuple[Adversary, ...] = ("joint", "pairs")
BOUNDS = ("exact", "proved", "sampled")
EXACT, PROVED = 0, 1
LIMITS = (2, 3)  # posteriors above 1/2 and 1/3 are counted, and above 1/m where m is known
_VALUES = 0.5  # of the time for possible values; the rest is for probabilities


@frozen
class AttackOptions:
    """What the adversary knows: a file, or a share of people drawn at random, `repeat` times anew; and in the file
    `hazard` how many times as often people leave who have some value.

    `seconds` limits the solvers of one repetition.
    """

    adversary: Adversary = "joint"
    known: str | Path | None = None
    compromise: float | None = None
    seed: int = 0
    repeat: int = 1
    seconds: float = SECONDS
    hazard: str | Path | None = None


@frozen
class Publisher:
    """What is known of how the releases were made: m, n, and in how many releases somebody is at most."""

    m: int | None = None
    n: int | None = None
    lifespan: int | None = None


UNKNOWN = Publisher()


@frozen
class PeopleAbove:
    """Of the people who are not known: how many have a posterior above 1 / `one_in`, and of how many that is open."""

    one_in: int
    people: int
    undecided: int


@frozen
class Run:
    """One adversary's success. `exposed` and `undecided` are among the people who are not known."""

    people: int
    known: int
    exposed: int
    undecided: int  # several values are left, but not all are proved to be possible
    over: tuple[PeopleAbove, ...]  # empty where there are no probabilities
    bounds: tuple[int, int, int]  # rows that are exact, proved and sampled
    seconds: float

    @property
    def share(self) -> float:
        """Of the people who are not known, at least this share is exposed."""
        return self.exposed / max(self.people - self.known, 1)


@frozen(eq=False)
class Answer:
    """Person by person: how many values are left, the probability of the true one, and how sure that is."""

    values: Int32s
    decided: Bools  # whether that number is proved, else it may be smaller
    bound: Int8s
    probability: Floats | None = None
    lower: Floats | None = None
    upper: Floats | None = None


@frozen(eq=False, repr=False)
class Attack(Shown):
    """What the adversary works out: person by person in the first run, and counted for every run."""

    history: NamedHistory
    adversary: Adversary
    answer: Answer
    runs: tuple[Run, ...]
    promised: float | None  # f(p, L, m, n): what n-Choose's formula gives for pairs of releases
    leaving: float | None = None  # the chance to leave before the next release, times each value's hazard

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

        from deniable.arrow import arrow_array, arrow_words

        answer, people = self.answer, self.history.names.people
        told = self.history.told
        if told is not None and told.waiting is not None:
            people = pa.concat_tables([people, told.waiting.rename_columns(people.column_names)])
        nulls = pa.nulls(len(answer.values), pa.float64())
        chances = (answer.probability, answer.lower, answer.upper)
        columns: dict[str, Any] = {name: people.column(name) for name in people.column_names}
        columns["values"] = arrow_array(answer.values.astype(np.int64))
        columns["exposed"] = arrow_array(answer.values == 1)
        for name, chance in zip(("probability", "lower", "upper"), chances, strict=True):
            columns[name] = nulls if chance is None else arrow_array(chance)
        columns["bound"] = arrow_words(answer.bound, BOUNDS)
        return pa.table(list(columns.values()), names=list(columns))

    def save(self, path: str | Path) -> None:
        """Write the table to a .csv or .parquet file."""
        save_table(self.table, path)


def attack(release: Release, scope: Scope, options: AttackOptions) -> Attack:
    """Ask the adversary about everybody in the releases that others published, or else in those of the ledger."""
    reach("history")
    mistakes = Mistakes()
    mistakes += _wrong(options)
    if release.history:
        files = mistakes.of(lambda: bind_releases(release, scope))
        mistakes.insist()
        assert files is not None
        return attack_history(read_releases(files, scope), options, scope)
    mistakes.of(lambda: need(release, "attack", "identifier", "quasi", "private"))
    mistakes.insist()
    with ledger(ledger_path(release), layout_of(release), reading=True) as book:
        insist_on_whole(book)
        history, publisher = read_named_history(book), _publisher(book)
    return attack_history(history, options, scope, publisher)


def _publisher(book: Ledger) -> Publisher:
    """m and n of the last release, and the longest that anybody was there, for the papers' formula."""
    return Publisher(*last_degrees(book), longest_stay(book))


def attack_history(
    history: NamedHistory, options: AttackOptions, scope: Scope, publisher: Publisher = UNKNOWN
) -> Attack:
    """Ask the adversary about everybody, once or several times. The scope is for the file of known people."""
    wrong = _wrong(options, knows_truth=history.truth is not None)
    if wrong:
        raise BadInput(wrong)
    who_left = None if options.hazard is None else _leaving(history, options.hazard)
    chance = None if who_left is None else float(who_left.chance)
    if options.compromise is not None:
        done = []
        for turn in range(options.repeat):
            with whole_step("history.run", turn, options.repeat) if options.repeat > 1 else nullcontext():
                done.append(_run(history, _drawn(history, options, turn), options, publisher.m, who_left))
        promised = _promised(options.compromise, publisher)
        return Attack(history, options.adversary, done[0][0], tuple(run for _, run in done), promised, chance)
    knowledge = NOTHING
    if options.known is not None:
        knowledge = KnownValues(*read_known(scope, options.known, history.names, history.truth))
    answer, run = _run(history, knowledge, options, publisher.m, who_left)
    return Attack(history, options.adversary, answer, (run,), None, chance)


def _leaving(history: NamedHistory, hazard: str | Path) -> Leaving:
    """What is told by who is in which release; ghosts are in none. Raises BadInput for a file that cannot be true."""
    from deniable.worlds.history.leaving import TooOften, leaving

    try:
        return leaving(history.history, history.releases, read_hazard(hazard, history.names))
    except TooOften as error:
        raise BadInput(Mistake(str(hazard), Reason("history.leaves_too_often", most=float(error.most)))) from None


def _wrong(options: AttackOptions, *, knows_truth: bool = True) -> list[Mistake]:
    """What is asked that cannot be, as far as it can be told before, or after, the history was read."""
    mistakes = []
    share = options.compromise
    if options.adversary not in ADVERSARIES:
        what = Reason("history.no_such_adversary", known=ADVERSARIES, found=options.adversary)
        mistakes.append(Mistake("--adversary", what))
    if options.known is not None and share is not None:
        mistakes.append(Mistake("--compromise", Reason("history.known_twice")))
    if share is not None and not 0 <= share <= 1:
        mistakes.append(Mistake("--compromise", Reason("history.no_share", found=share)))
    if share is not None and not knows_truth:
        mistakes.append(Mistake("--compromise", Reason("history.nothing_to_draw")))
    if options.hazard is not None and options.adversary == "pairs":
        mistakes.append(Mistake("--hazard", Reason("history.hazard_of_pairs")))
    if options.hazard is not None and not knows_truth:
        mistakes.append(Mistake("--hazard", Reason("history.hazard_of_nobody")))
    if options.repeat < 1:
        mistakes.append(Mistake("--repeat", Reason("history.no_repetition", found=options.repeat)))
    if options.repeat > 1 and share is None:
        mistakes.append(Mistake("--repeat", Reason("history.nothing_differs")))
    return mistakes


def _drawn(history: NamedHistory, options: AttackOptions, turn: int) -> KnownValues:
    """A share of the people at random, and their true values."""
    truth, share = history.truth, options.compromise
    if truth is None or share is None:
        return NOTHING
    rng = np.random.default_rng([options.seed, turn])
    who = np.sort(rng.permutation(len(truth))[: round(share * len(truth))]).astype(np.int32)
    return KnownValues(who, truth[who])


def _promised(compromise: float, publisher: Publisher) -> float | None:
    if publisher.m is None or publisher.n is None or publisher.lifespan is None:
        return None
    return chance_of_exposure(compromise, publisher.lifespan, publisher.m, publisher.n)


def _run(
    history: NamedHistory,
    knowledge: KnownValues,
    options: AttackOptions,
    m: int | None,
    who_left: Leaving | None = None,
) -> tuple[Answer, Run]:
    start = time.monotonic()
    try:
        if options.adversary == "pairs":
            answer = _by_pairs(history, knowledge)
        elif history.told is not None:
            answer = _as_audited(history.told, knowledge, options.seconds, who_left)
        else:
            answer = _jointly(history.history, history.truth, knowledge, options.seconds, who_left)
        if history.told is not None:
            answer = _with_kept_back(answer, history.told)
    except NoWorld:
        raise BadInput(_contradiction(history, options)) from None
    run = _counted(answer, knowledge, m)
    return answer, replace(run, seconds=time.monotonic() - start)


def _by_pairs(history: NamedHistory, knowledge: KnownValues) -> Answer:
    """What is possible is among what this adversary leaves; where that is one value, it is certain."""
    from deniable.worlds.history.pairwise import pairs

    values = counts(pairs(history.history, knowledge))
    certain = values == 1
    return Answer(values, certain, np.where(certain, EXACT, PROVED).astype(np.int8))


def _jointly(
    history: History, truth: Int32s | None, knowledge: KnownValues, seconds: float, who_left: Leaving | None
) -> Answer:
    from deniable.worlds.history.beliefs import true_values
    from deniable.worlds.history.joint import joint, with_counts

    found = joint(history, knowledge, truth, _VALUES * seconds)
    if truth is None:
        return Answer(found.number, found.exact, np.where(found.exact, EXACT, PROVED).astype(np.int8))
    beliefs = true_values(history, found, truth, (1 - _VALUES) * seconds, leaving=who_left)
    found = with_counts(found)
    bound = np.where((beliefs.how == EXACT) & ~found.exact, PROVED, beliefs.how).astype(np.int8)
    return Answer(found.number, found.exact, bound, beliefs.value, beliefs.low, beliefs.high)


def _as_audited(told: LedgerHistory, knowledge: KnownValues, seconds: float, who_left: Leaving | None) -> Answer:
    """The adversary of the audit: ghosts are the people whose seats they keep, nobodies are followed."""
    from deniable.worlds.history.nobodies import unevenly_counted

    people = told.people
    who_left = who_left and who_left.with_others(told.history.people)
    answer = _jointly(told.history, told.truth, knowledge, seconds, who_left)
    values, decided, bound = answer.values[:people], answer.decided[:people], answer.bound[:people]
    assert answer.probability is not None
    assert answer.lower is not None
    assert answer.upper is not None
    chance, low, high = answer.probability[:people], answer.lower[:people], answer.upper[:people]
    if np.array_equal(told.truth[knowledge.people], knowledge.values):  # else the truth is no world
        number, _ = left_to(told, knowledge, seconds)
        one = (number[:people] == 1) & (values > 1)
        one[told.kept_back] = False  # they are counted for another reason
        values, decided = np.where(one, 1, values), decided | one
        chance, low, high = (np.where(one, 1.0, column) for column in (chance, low, high))
        bound = np.where(one, EXACT, bound)
    uneven = unevenly_counted(told.history, people)[:people] & (values > 1)
    low, high = np.where(uneven, 0.0, low), np.where(uneven, 1.0, high)
    bound = np.where(uneven, PROVED, bound).astype(np.int8)
    return Answer(values.astype(np.int32), decided, bound, chance, low, high)


def _with_kept_back(answer: Answer, told: LedgerHistory) -> Answer:
    """Whoever was kept back counts as exposed; those who still wait come last. How likely their values are is open."""
    late, more = told.kept_back, told.waits
    values = np.concatenate([answer.values, np.ones(more, np.int32)])
    decided = np.concatenate([answer.decided, np.ones(more, np.bool_)])
    bound = np.concatenate([answer.bound, np.full(more, PROVED, np.int8)])
    bound[late] = np.where(values[late] > 1, PROVED, bound[late])
    values[late], decided[late] = 1, True
    if answer.probability is None or answer.lower is None or answer.upper is None:
        return Answer(values, decided, bound)
    chances = []
    for column, least in ((answer.probability, 1.0), (answer.lower, 0.0), (answer.upper, 1.0)):
        chances.append(np.concatenate([column, np.full(more, least)]))
        chances[-1][late] = np.maximum(chances[-1][late], least)
    return Answer(values, decided, bound, *chances)


def _contradiction(history: NamedHistory, options: AttackOptions) -> Mistake:
    """Which of the two is to blame: what is known, or the releases themselves."""
    if options.known is not None:
        try:
            _run(history, NOTHING, replace(options, known=None), None)
        except BadInput:
            pass
        else:
            return Mistake(str(options.known), Reason("history.knowledge_contradicts"))
    return Mistake("history", Reason("history.releases_contradict"))


def _counted(answer: Answer, knowledge: KnownValues, m: int | None) -> Run:
    others = np.ones(len(answer.values), np.bool_)
    others[knowledge.people] = False
    exposed = int(np.count_nonzero(others & (answer.values == 1)))
    undecided = int(np.count_nonzero(others & ~answer.decided))
    over = []
    if answer.lower is not None and answer.upper is not None:
        for one_in in dict.fromkeys((*LIMITS, *((m,) if m else ()))):
            above, below = answer.lower[others] > 1 / one_in, answer.upper[others] <= 1 / one_in
            over.append(PeopleAbove(one_in, int(above.sum()), int((~above & ~below).sum())))
    exact, proved, sampled = (int(n) for n in np.bincount(answer.bound, minlength=3))
    known = int(np.count_nonzero(~others))
    return Run(len(answer.values), known, exposed, undecided, tuple(over), (exact, proved, sampled), 0.0)
