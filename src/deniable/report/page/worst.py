"""The worst join groups, crowds and published groups as graphs: how many stand where; who, only if it was asked for."""

from __future__ import annotations

from collections.abc import Iterator

from deniable import words
from deniable.analyses.verdict import BreachPart, CrowdPart, LinkagePart, NamedGroup, Part, Verdict
from deniable.report.charts import Graph
from deniable.report.page.model import Figure, Section
from deniable.report.text import probability

DRAWN = 4  # kinds of groups, of each check

_MASKED = (
    "Names and values are not shown: people and values are numbered. With `--reveal` the page names them, and is as "
    "private as the table."
)
_REVEALED = "This page names people and their possible values: it is as private as the table."


def worst_section(verdict: Verdict) -> Section | None:
    """Where it is worst; None where nothing can be drawn."""
    figures: tuple[Figure, ...]
    if verdict.named:
        figures, text = tuple(_named(group, verdict) for group in verdict.named), _REVEALED
    else:
        figures, text = tuple(figure for part in verdict.parts for figure in _kinds(part)), _MASKED
    lines = "A line joins a person and a value that could be true together; a single line is certainty."
    return Section("worst", "Where it is worst", (f"{lines} {text}",), graphs=figures) if figures else None


def _kinds(part: Part) -> Iterator[Figure]:
    if isinstance(part, BreachPart):
        yield from _join_groups(part)
    elif isinstance(part, CrowdPart):
        limit = part.findings[0].limit
        for crowd in part.worst_crowds[:DRAWN]:
            many = "1 crowd" if crowd.crowds == 1 else f"{crowd.crowds:,} crowds"
            title = f"{many} of {words.people(crowd.size)}"
            graph = Graph(title, crowd.size, crowd.values, over=crowd.size < limit)
            yield Figure(graph, graph.told())
    elif isinstance(part, LinkagePart):
        limit = part.findings[0].limit if part.findings else 1.0
        for group in part.worst_groups[:DRAWN]:
            title = f"A group of {group.people:,}: posterior {probability(group.posterior)}"
            graph = Graph(title, group.people, group.people, over=group.posterior > limit)
            yield Figure(graph, "Its people and its values; some pairs are likelier than others.")


def _join_groups(part: BreachPart) -> Iterator[Figure]:
    """Kinds of join groups, with what each adversary whom their shape decides makes of them."""
    limit = part.findings[0].limit
    chances: dict[tuple[int, int, int], dict[str, float]] = {}
    groups: dict[tuple[int, int, int], int] = {}
    for adversary, found in part.worst_groups.items():
        for one in found:
            key = (one.id_tuples, one.value_tuples, one.values)
            best = chances.setdefault(key, {})
            best[adversary] = max(one.probability, best.get(adversary, 0.0))
            groups[key] = max(one.groups, groups.get(key, 0))
    ordered = sorted(chances, key=lambda key: (-max(chances[key].values()), key))
    for key in ordered[:DRAWN]:
        people, values, _ = key
        many = "1 join group" if groups[key] == 1 else f"{groups[key]:,} join groups"
        title = f"{many}: {words.people(people)}, {words.count(values, 'value')}"
        told = ", ".join(f"{name} {probability(chance)}" for name, chance in chances[key].items())
        graph = Graph(title, people, values, over=max(chances[key].values()) > limit)
        yield Figure(graph, f"{graph.told()} The likeliest association: {told}.")


def _named(group: NamedGroup, verdict: Verdict) -> Figure:
    limits = {finding.check: finding.limit for finding in verdict.findings}
    limit = limits.get(group.check, 1.0)
    over = group.people_count < limit if group.check == "crowd" else (group.chance or 0.0) > limit
    title = group.at or "A person and the values that stay possible"
    graph = Graph(title, group.people_count, group.values_count, group.people, group.values, over=over)
    told = "" if group.chance is None else f" The likeliest association: {probability(group.chance)}."
    return Figure(graph, f"{graph.told()}{told}")
