"""One person as text: the join group drawn, the worlds counted, a sentence a steward reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deniable.report.sentences.adversaries import may_not_answer, said, unanswered
from deniable.report.sentences.audit import headline, published
from deniable.report.sentences.crowds import of_view
from deniable.report.sentences.views import METHODS, WHOSE
from deniable.report.text import columns
from deniable.words import cell
from deniable.worlds.views.covers import Probability

if TYPE_CHECKING:
    from deniable.analyses.crowds.one_person import Standing
    from deniable.analyses.explain import Explanation
    from deniable.analyses.join_groups import Cells, Group


def explanation_text(shown: Explanation) -> str:
    """Everything `explain` knows, for a terminal."""
    parts = [f"{' '.join(shown.who)} in {shown.release}, {_published(shown)}"]
    if shown.revealed_by:
        parts.append(f"The view {shown.revealed_by} publishes the identifier and the private column together.")
    if shown.no_breach:
        parts.append(f"no probabilities: {shown.no_breach}")
    else:
        parts += _associations(shown)
    parts += [_crowd(standing) for standing in shown.crowds]
    if shown.crowds and not shown.no_breach:
        parts.append(WHOSE)
    return "\n\n".join(parts)


def _published(shown: Explanation) -> str:
    return published(shown.views) if shown.no_breach else headline(shown.views, shown.join)


def _associations(shown: Explanation) -> list[str]:
    parts = [_group(group) for group in shown.groups]
    if shown.method:
        parts.append(_formula(shown))
    parts.append(_cover(shown))
    parts.append(columns(_table(shown)))
    if shown.listed:
        parts.append(_worlds(shown))
    return [*parts, "\n".join([*_sentences(shown), *_no_world(shown)])]


def _crowd(standing: Standing) -> str:
    """Who looks the same to somebody who knows everybody's public columns."""
    size = "alone" if standing.size == 1 else f"one of {standing.size:,} who look the same"
    more = standing.size - 1 - len(standing.others)
    others = f": also {', '.join(map(cell, standing.others))}" if standing.others else ""
    others += f" and {more:,} more" if standing.others and more > 0 else ""
    proved = "" if standing.exact else " (perhaps of more: --method exact of `deniable crowds` decides)"
    lines = [f"crowd: to somebody who knows everybody's public columns, {size}{proved}{others}"]
    lines += [f"  {said}" for said in map(of_view, standing.told)]
    if standing.values is not None:
        lines.append(f"{standing.values:,} value{'s' if standing.values != 1 else ''} possible in this crowd")
    if standing.exposed:
        lines.append("exposed: everybody in the crowd has the same value in every table that fits")
    return "\n".join(lines)


def _group(group: Group) -> str:
    join = ", ".join(f"{name} = {cell(value)}" for name, value in group.join.items()) or "everything"
    m, n = group.part.m, group.part.n
    title = f"join group {join}: {m:,} on the identifier's side, {n:,} on the value's side; every pair could be true"
    left = [*(f"{label}{' *' if i < group.part.a else ''}" for i, label in enumerate(map(_label, group.people)))]
    right = [_label(cells) for cells in group.values]
    left += [f"… and {m - len(left):,} more"] if m > len(left) else []
    right += [f"… and {n - len(right):,} more"] if n > len(right) else []
    height = max(len(left), len(right))
    width = max(map(len, left))
    lines = []
    for i in range(height):
        one = left[i] if i < len(left) else ""
        two = right[i] if i < len(right) else ""
        lines.append(f"  {one.ljust(width)} {_wires(i, len(left), len(right))} {two}".rstrip())
    return "\n".join([title, *lines])


def _formula(shown: Explanation) -> str:
    """Three views or more: how many join tuples, and which way the answer was found."""
    total = sum(shown.tuples.values())
    rows = [("value", "join tuples")] + [(cell(v), f"{shown.tuples[v]:,}") for v in shown.cover]
    title = (
        f"joining the views gives {' '.join(shown.who)} {total:,} tuples; answered by: {METHODS[shown.method or '']}"
    )
    return f"{title}\n{columns(rows)}"


def _wires(i: int, left: int, right: int) -> str:
    """The middle of the drawing: all lines meet on one rail, since the graph is complete."""
    height = max(left, right)
    if height == 1:
        return "───"
    up, down = i > 0, i < height - 1
    rail = {(False, True): ("┐", "┌", "┬"), (True, True): ("┤", "├", "┼"), (True, False): ("┘", "└", "┴")}[up, down]
    has_left, has_right = i < left, i < right
    middle = rail[2] if has_left and has_right else rail[0] if has_left else rail[1]
    return f"{'─' if has_left else ' '}{middle}{'─' if has_right else ' '}"


def _label(cells: Cells) -> str:
    return ", ".join(map(cell, cells))


def _cover(shown: Explanation) -> str:
    count = len(shown.cover)
    values = f"{count:,} value{'s' if count != 1 else ''}"
    return (
        f"association cover: {values} (the values that joining the views allows; * true, {' '.join(shown.who)}'s own)"
    )


def _table(shown: Explanation) -> list[tuple[str, ...]]:
    adversaries = list(next(iter(shown.probabilities.values())))
    rows = [("value", *adversaries)]
    for value in shown.cover:
        mark = " *" if value in shown.true_values else ""
        found = shown.probabilities[value]
        numbers = (_number(found[a], answered=not _is_open(shown, a)) for a in adversaries)
        rows.append((f"{cell(value)}{mark}", *numbers))
    return rows


def _is_open(shown: Explanation, adversary: str) -> bool:
    """Whether a missing answer means that none is known, rather than that no world fits."""
    return adversary in shown.unanswered or may_not_answer(adversary)


def _number(answer: Probability | None, *, answered: bool = True) -> str:
    if answer is None:
        return "no world" if answered else "not answered"
    if answer.exact is None:
        return f"{answer.value:.6g} (proved within {answer.upper - answer.lower:.1g})"
    exact = answer.exact
    if exact.denominator == 1:
        return str(exact.numerator)
    fraction = f"{exact.numerator}/{exact.denominator}"
    return f"{fraction} = {answer.value:.4f}" if len(fraction) <= 13 else f"{answer.value:.6g} (exact)"


def listed_worlds(shown: Explanation) -> list[list[str]]:
    """The worlds, if they are few, each as `person - value` lines; those with fewer lines first."""
    told = [[f"{_label(person)} - {_label(value)}" for person, value in world] for world in shown.listed]
    return sorted(told, key=lambda world: (len(world), world))


def _worlds(shown: Explanation) -> str:
    lines = [f"  {i}. {'; '.join(world)}" for i, world in enumerate(listed_worlds(shown), 1)]
    return "\n".join([f"the {len(lines)} tables that fit:", *lines])


def _sentences(shown: Explanation) -> list[str]:
    who = " ".join(shown.who)
    lines = []
    for value in shown.true_values:
        if shown.worlds is not None and value in shown.worlds_with:
            lines.append(
                f"{_count(shown.worlds_with[value])} of the {_count(shown.worlds)} tables that fit your release "
                f"give {who} the value {cell(value)}."
            )
            if shown.single_worlds:
                lines.append(
                    f"Of those that give {who} exactly one value, "
                    f"{_count(shown.single_worlds_with[value])} of {_count(shown.single_worlds)} give {cell(value)}."
                )
            else:
                lines.append(f"None of them gives {who} exactly one value.")
        elif shown.revealed_by:
            lines.append(f"Every table that fits your release gives {who} the value {cell(value)}.")
        else:
            answer = shown.probabilities[value]["restricted"]
            told = (
                "no table gives exactly one value"
                if answer is None
                else f"{_number(answer)} of those with exactly one value"
            )
            all_tables = _number(shown.probabilities[value]["unrestricted"])
            lines.append(f"{who}, {cell(value)}: {all_tables} of all tables that fit; {told}.")
    return lines


def _no_world(shown: Explanation) -> list[str]:
    """Why an adversary has nothing to say about anybody's value here."""
    answers = list(shown.probabilities.values())
    silent = [name for name in answers[0] if all(answer[name] is None for answer in answers)]
    return [
        f"{name}, not answered: {unanswered(name)}."
        if _is_open(shown, name)
        else f"{name}, no world: {said(name).no_world}."
        for name in silent
    ]


def _count(number: int) -> str:
    return f"{number:,}" if number < 10**15 else f"{number:.3e}"
