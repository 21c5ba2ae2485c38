"""What is said of releases again and again: republish, attack, ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def people_changed(private: str, count: int, columns: Mapping[str, int]) -> str:
    """Cells of people who were published before are not what they were: in which columns, of how many."""
    who = "1 person has" if count == 1 else f"{count:,} people have"
    told = ", ".join(f"{name} {often:,}" for name, often in columns.items())
    return (
        f"expected everybody's {private} and quasi-identifiers to be those of earlier releases; {who} others "
        f"now ({told}); --new-episode publishes them as somebody new; --new-episode --withhold --dry-run "
        "--changed FILE says who they are"
    )


def newcomers_unplaced(
    count: int, newcomers: int, m: int, counterfeits: float, private: str, share: float, kept_back: int | None
) -> str:
    """How many cannot be placed, and the share among newcomers of the value that most of them have."""
    way = (
        f"--withhold keeps {kept_back:,} for the next release, who then count as exposed"
        if kept_back is not None
        else f"a group needs {m} different values, so that --withhold would leave nobody"
    )
    return (
        f"{count:,} of {newcomers:,} newcomers cannot be placed in groups of {m} values, "
        f"counterfeits for {counterfeits:.3g} of the rows allowed: one {private} has {share:.1%} of the "
        f"newcomers, where 1/{m} needs none; {way}"
    )


def kept_back(count: int) -> str:
    """Said before a release is published that keeps people back."""
    if count == 1:
        return "1 person is kept back: appearing a release late tells their value, so that they count as exposed"
    return f"{count:,} people are kept back: appearing a release late tells their value, so each counts as exposed"


def still_unwritten(release: int, folder: str) -> str:
    """Its folder is gone, or is used for something else."""
    return (
        f"release {release} is in the ledger, but was not written out: its folder was {folder}, which is gone or has "
        "other files; publish its table again to write it elsewhere"
    )


def nobody_placed(m: int) -> str:
    """Everybody would be withheld."""
    return f"nobody could be placed in a group of {m} values, so nothing is published"


def larger_m(most: int, m: int) -> str:
    """Signatures are for life, and as long as m was."""
    return f"republish.m: expected at most {most}, as people were published before; found {m}"


def another_n(algorithm: str, before: int | None, n: int | None) -> str:
    """Groups that keep their seats are safe for one n."""
    return f"republish.n: expected {before}, as {algorithm} groups were published before; found {n}"


def no_degree(m: int, compromise: float, lifespan: int, threshold: float, least: float, longest: int) -> str:
    """What cannot be had, and the nearest that can: another threshold, or a shorter lifespan."""
    told = [f"a threshold above {least:.4g}"] if float(f"{least:.4g}") < 1 else []
    told += [f"a lifespan of at most {longest}"] if longest else []
    return (
        f"no n below m = {m} keeps the chance of exposure under {threshold:g} with {compromise:g} of the people known "
        f"over {lifespan} releases; within reach: {', or '.join(told) or 'a larger m'}"
    )


def too_exposed(exposed: int, undecided: int, people: int, known: float, limit: float) -> str:
    """More people than `require: history` allows."""
    perhaps = f" or not decided ({undecided:,})" if undecided else ""
    share = (exposed + undecided) / max(people, 1)
    return (
        f"with this release {exposed + undecided:,} of {people:,} people would be exposed"
        f"{perhaps} to somebody who reads all releases and knows {known:.1%} of the people: "
        f"{share:.2%}, where history.exposed_at_most allows {limit:.2%}; nothing was published"
    )


def no_such_adversary(known: Sequence[str], found: str) -> str:
    """Of `attack`."""
    return f"expected {' or '.join(known)}; found {found}"


def known_twice() -> str:
    """A file of known people and a share of all."""
    return "expected known people from a file or drawn at random; found both"


def no_share(found: float) -> str:
    """Of people who are known."""
    return f"expected a share from 0 to 1; found {found:g}"


def nothing_to_draw() -> str:
    """The truth is not known."""
    return "expected a history with the true values, of which the known ones are drawn; found none"


def hazard_of_pairs() -> str:
    """The adversary of pairs has no probabilities."""
    return "expected --adversary joint beside it; the pairs adversary has no probabilities that leaving could change"


def hazard_of_nobody() -> str:
    """Nothing is known of true values."""
    return (
        "expected a population with the true values; without them there are no probabilities that leaving could change"
    )


def leaves_too_often(most: float) -> str:
    """So many left that some people would have left with a chance above one."""
    return f"expected numbers that fit how many left; {most:g} times as often would be more often than always"


def no_repetition(found: int) -> str:
    """An attack happens at least once."""
    return f"expected at least 1; found {found}"


def nothing_differs() -> str:
    """Repetitions without chance."""
    return "expected --compromise beside it: only what is drawn differs"


def knowledge_contradicts() -> str:
    """The releases alone have a world."""
    return "expected knowledge that fits the releases; found no assignment of values to people that fits both"


def releases_contradict() -> str:
    """The releases alone have no world."""
    return "expected releases that some assignment of values to people fits; found none that does"


def no_longer(column: str, kind: str) -> str:
    """Cells that are text now, and were something else in the release before."""
    return (
        f"expected {kind}s in {column}, as in the last release; found cells that would not all be written the same way "
        f"again as {kind}s, which makes them text: types: {{{column}: {kind}}} reads them as before"
    )
