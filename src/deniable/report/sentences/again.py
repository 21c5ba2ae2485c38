"""What is said when a run of republish does not look like the next release of its table."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from deniable import words


def when(made: datetime) -> str:
    """A date as ledgers are asked about it: to the minute."""
    return f"{made:%Y-%m-%d %H:%M}"


def no_ledger() -> str:
    """Nothing says what was published before."""
    return (
        "no such file; expected the ledger of the releases so far: if this is the table's first release, --begin "
        "begins a ledger; if it was published before, put its ledger back or name it with ledger:, since without it "
        "no release is safe beside the earlier ones"
    )


def begun_before(release: int, made: datetime) -> str:
    """`--begin` where there is a ledger."""
    return (
        f"there is a ledger already, whose last release is {release} of {when(made)}; without --begin the next release "
        "goes on from it, and another table needs another ledger:"
    )


def begun_beside_journal(ledger: str) -> str:
    """`--begin` where a ledger was lost and its journal is there."""
    return (
        f"this is the journal of a ledger {ledger} that is gone; without --begin it comes back from here, and another "
        "table needs another ledger:"
    )


def no_whole_ledger(journal: str) -> str:
    """Not a ledger, or not all of one; with the name of its journal, if there is one."""
    way = (
        f"if it was one, move it away: {journal} holds all its releases, and the next run brings it back"
        if journal
        else "put its newest copy back: with an older one, releases would be forgotten, and no next one is safe"
    )
    return f"expected a ledger; found another file, or one that is damaged ({way})"


def journal_damaged(ledger: str) -> str:
    """Nothing says whether the ledger is the newest."""
    return (
        f"expected the journal of {ledger}; found another file, or one that is damaged (if {ledger} was not restored "
        "from a copy, remove this file: the next run makes it anew)"
    )


def two_histories(journal: str) -> str:
    """Neither begins with the other."""
    return (
        f"this ledger and {journal} are two histories of one table: releases were published from an older copy; "
        "nothing is safe beside both (keep the one whose releases went out, with no other file in place of its journal)"
    )


def behind_journal(journal: str) -> str:
    """It may only be read."""
    return f"this ledger is older than {journal}, and may not be written to, which would bring it forward"


def behind(last: int, release: int, folder: str) -> str:
    """A receipt of a release that the ledger does not have."""
    return (
        f"its last release is {last}, but {folder} holds its release {release}: this is an older copy, and whoever was "
        "in the releases that it lacks is not safe in the next one; put the newest ledger or its journal back"
    )


def another_release(release: int, folder: str) -> str:
    """A receipt of a release that the ledger has otherwise."""
    return (
        f"{folder} holds another release {release} than the ledger has: one of them was published from an older copy, "
        "and nothing is safe beside both; go on from the ledger that has what was published"
    )


def link_broken(release: int) -> str:
    """Something was changed since."""
    return f"release {release} is not what was entered: the ledger is damaged, or was changed"


def no_earlier_name(role: str, was: Sequence[str], found: str) -> str:
    """`rename:` with a name that the ledger does not know."""
    expected = f"expected a {role} column of earlier releases, which have {', '.join(was)}"
    return f"rename: {expected}; found {found}{words.did_you_mean(found, was)}"


def other_columns(
    role: str, was: Sequence[str], found: Sequence[str], lost: Sequence[str], fresh: Sequence[str]
) -> str:
    """Columns that are not those of the ledger: some are lost, or they are in another order."""
    told = f"the ledger has {role}: {', '.join(was)}; found {', '.join(found)}"
    if not lost:
        return f"{told}: expected the same columns in the same order; another table needs a ledger of its own"
    example = f"{fresh[0] if len(fresh) == 1 else 'NEW'}: {lost[0]}" if len(lost) == 1 else "NEW: OLD"
    return (
        f"{told}: columns of earlier releases are kept, and one with another name now is named by "
        f"rename: {{{example}}}; another table needs a ledger of its own"
    )


def folder_taken(found: Sequence[str]) -> str:
    """One folder, one release."""
    return f"expected a folder without a release; found {' and '.join(found)}, which stay as they are"


def folder_waits(release: int) -> str:
    """An earlier run meant to write there."""
    return f"expected another folder: release {release} is in the ledger and will be written to this one"


def folder_is_private(found: Sequence[str]) -> str:
    """What is published is kept apart from what is secret."""
    return f"expected a folder that holds only what may be published; found {' and '.join(found)} in it"


def was_written(release: int, made: datetime) -> str:
    """What went out cannot be taken back."""
    return (
        f"release {release} of {when(made)} was written out, and somebody may have it: the ledger must go on knowing "
        "it, whatever becomes of the files"
    )


def is_written(release: int, folder: str) -> str:
    """A run was stopped after the files were there."""
    return (
        f"files of release {release} are in {folder}, and somebody may have them: run republish again to finish it, it "
        "cannot be taken back"
    )


def forgotten(release: int) -> str:
    """A ledger of an earlier version."""
    return (
        f"release {release} was made by an earlier version, which kept nothing to go back to; run republish again to "
        "write it out"
    )


def published_before(word: str, release: int, made: datetime) -> str:
    """The same rows as in an earlier release."""
    which = "the last one" if word == "same-table" else "an old one"
    return f"this table is that of release {release}, {which}, made {when(made)}; --unusual {word} publishes it again"


def identifiers_differ(recur: int, before: int, fresh: int, release: int, made: datetime) -> str:
    """Hardly anybody is known, and there are others in their place."""
    return (
        f"only {recur:,} of the {before:,} people of release {release} ({when(made)}) are in this table, and "
        f"{words.people(fresh)} are new: are identifiers written differently now? --unusual identifiers publishes it"
    )


def people_gone(gone: int, before: int, release: int, made: datetime) -> str:
    """More than half of the people are missing."""
    return (
        f"{gone:,} of the {before:,} people of release {release} ({when(made)}) are not in this table: is it "
        "complete? --unusual gone publishes it"
    )


def too_many_counterfeits(counterfeits: int, share: float, limit: float, beside: int, reachable: float) -> str:
    """The dial cannot be held."""
    return (
        f"this release would have {share:.1%} counterfeits, where {limit:.3g} of the rows were asked for: of "
        f"{counterfeits:,}, {beside:,} stand in groups of people who returned when their places were taken, the others "
        "keep places of people who left, for which too few newcomers have the values; within reach: counterfeits: "
        f"{{at_most: {reachable:.2f}}}; --unusual counterfeits publishes it"
    )
