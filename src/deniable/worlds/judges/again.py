"""Whether a history keeps what m-invariance and Cor-Split promise, checked without their code, in plain Python.

Weak m-uniqueness and weak m-invariance are Definitions 5 and 6 of Riboni & Bettini, hc-safety of degree n is
Definition 7 in the form of their Figure 6: no new group has more than |Q| - n but not all of its rows' people in
one earlier group. Strict m-invariance (Xiao & Tao 2007) has every value once. Messages show no private value.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Group:
    """One published group: its people with their values, and the values of its counterfeits."""

    members: Mapping[int, int]
    counterfeits: tuple[int, ...] = ()

    def values(self) -> Counter[int]:
        """All values that are published for it."""
        return Counter(self.members.values()) + Counter(self.counterfeits)


@dataclass(frozen=True)
class Published:
    """One release: the table it was made from (person: value), its groups, and people it leaves out."""

    table: Mapping[int, int]
    groups: Sequence[Group]
    left_out: Collection[int] = ()


def mistakes(history: Sequence[Published], m: int, n: int | None = None, once: bool = False) -> list[str]:
    """Everything that is wrong; `n` asks for hc-safety too, `once` for every value once in a group."""
    found: list[str] = []
    for number, release in enumerate(history, 1):
        found += (f"release {number}: {what}" for what in _in_release(release, m, once))
    found += _signatures(history)
    if n is not None:
        found += (f"release {new}, group {g}: unsafe against release {old}" for new, g, old in unsafe(history, n))
    return found


def unsafe(history: Sequence[Published], n: int) -> list[tuple[int, int, int]]:
    """(release, group, earlier release), releases from 1, groups from 0, wherever hc-safety of degree n fails."""
    homes = [{who: g for g, group in enumerate(release.groups) for who in group.members} for release in history]
    found = []
    for new, release in enumerate(history):
        for g, group in enumerate(release.groups):
            size = len(group.members) + len(group.counterfeits)
            for old in range(new):
                together = Counter(homes[old][who] for who in group.members if who in homes[old])
                most = max(together.values(), default=0)
                if size - n < most < size:
                    found.append((new + 1, g, old + 1))
    return found


def _in_release(release: Published, m: int, once: bool) -> Iterator[str]:
    times = Counter(who for group in release.groups for who in group.members)
    times.update(release.left_out)
    if any(times[who] != 1 for who in release.table) or len(times) != len(release.table):
        yield "not everybody of the table is in exactly one group or left out"
    for g, group in enumerate(release.groups):
        values = group.values()
        if not group.members:
            yield f"group {g} has no people"
        if any(release.table.get(who) != value for who, value in group.members.items()):
            yield f"group {g} changes somebody's value"
        if len(values) < m:
            yield f"group {g} has {len(values)} different values, not {m}"
        if len(set(values.values())) > 1:
            yield f"group {g} has values that are not equally often"
        if once and max(values.values(), default=1) > 1:
            yield f"group {g} has a value more than once"


def _signatures(history: Sequence[Published]) -> Iterator[str]:
    first: dict[int, frozenset[int]] = {}
    for number, release in enumerate(history, 1):
        for g, group in enumerate(release.groups):
            signature = frozenset(group.values())
            changed = sum(first.setdefault(who, signature) != signature for who in group.members)
            if changed:
                yield f"release {number}, group {g}: {changed} people under another signature than before"
        again = sum(who in first for who in release.left_out)
        if again:
            yield f"release {number}: {again} people left out who were published before"
