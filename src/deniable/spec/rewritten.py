"""A release file with some keys changed: the rest, comments included, stays as the user wrote it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import yaml

from deniable.release import Coarser

_PATHS = ("table", "ledger", "withhold")  # keys that hold a path
_PATHS_WITHIN = ("generalize",)  # keys whose values are paths
_PATHS_BELOW = {"published": ("people", "values"), "history": ("releases", "population")}
_WIDE = 1 << 30  # no line is broken


def rewritten(text: str, changes: Mapping[str, Any], remark: Sequence[str], moved: tuple[Path, Path]) -> str:
    """The text of a release file with some keys replaced, or added at its end; None takes a key away.

    `moved` are the folders of the file before and now: paths start from the latter. `remark` goes before everything.
    YAML can be written in ways that lines cannot be changed in (all of it indented or in braces, aliases of what is
    replaced): whatever does not read back as it should is written anew, without the user's comments.
    """
    text = text.removeprefix("\ufeff")
    wanted = _anew(text, changes, moved)
    made = _edited(text, changes, moved)
    head = "".join(f"# {_on_one_line(line)}\n" for line in remark)
    return head + (made if _said(head + made) == _said(wanted) else wanted)


def _on_one_line(text: str) -> str:
    """Names of files and columns may have any characters; a comment has those of a line."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def _edited(text: str, changes: Mapping[str, Any], moved: tuple[Path, Path]) -> str:
    """Lines of changed keys replaced."""
    edits: list[tuple[int, int, str]] = []
    found = set()
    for key, value in _keys_of(text).value:
        if key.value in changes:
            found.add(key.value)
            new = changes[key.value]
            edits.append((key.start_mark.index, _end(text, value), "" if new is None else _dumped({key.value: new})))
        elif _is_elsewhere(moved):
            edits += _relocated(key.value, value, moved)
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    more = {key: value for key, value in changes.items() if key not in found and value is not None}
    return text.rstrip("\n") + "\n" + (_dumped(more) if more else "")


def _anew(text: str, changes: Mapping[str, Any], moved: tuple[Path, Path]) -> str:
    """The same of the values alone: each is quoted as it was, since null is another value than 'null'."""
    root = _apart(_keys_of(text))
    for key, value in root.value if _is_elsewhere(moved) else ():
        for node in _paths(key.value, value):
            node.value = relocated(node.value, moved) if node.value else ""
    new = {key: value for key, value in changes.items() if value is not None}
    root.value = [(key, value) for key, value in root.value if key.value not in changes]
    root.value += _keys_of(_dumped(new)).value if new else []
    root.flow_style = False
    return str(yaml.serialize(root, Dumper=yaml.SafeDumper, allow_unicode=True, width=_WIDE))


def _keys_of(text: str) -> yaml.MappingNode:
    root = yaml.compose(text, yaml.SafeLoader)
    assert isinstance(root, yaml.MappingNode)
    return root


def _apart(node: Any) -> Any:
    """A copy in which an alias is no longer what it stands for: one of them may be a path, and the other not."""
    if isinstance(node, yaml.MappingNode):
        pairs = [(_apart(key), _apart(value)) for key, value in node.value]
        return yaml.MappingNode(node.tag, pairs, flow_style=node.flow_style)
    if isinstance(node, yaml.SequenceNode):
        return yaml.SequenceNode(node.tag, [_apart(item) for item in node.value], flow_style=node.flow_style)
    return yaml.ScalarNode(node.tag, node.value, style=node.style)


def _said(text: str) -> Any:
    """What a text says, in any order of its keys; None where it says nothing that can be read."""
    try:
        return _plain_node(_keys_of(text))
    except (yaml.YAMLError, AssertionError):
        return None


def _plain_node(node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        return "keys", sorted((repr(_plain_node(key)), _plain_node(value)) for key, value in node.value)
    if isinstance(node, yaml.SequenceNode):
        return "list", [_plain_node(item) for item in node.value]
    return node.tag, node.value


def _is_elsewhere(moved: tuple[Path, Path]) -> bool:
    return moved[0].resolve() != moved[1].resolve()


def _dumped(value: Mapping[str, Any]) -> str:
    """Keys below each other, as one would write them: the entries of `columns` in braces, all else a line each."""
    plain: dict[str, Any] = {"sort_keys": False, "allow_unicode": True, "width": _WIDE}
    return "".join(
        str(yaml.safe_dump({key: one}, default_flow_style=_style(one), **plain)) for key, one in value.items()
    )


def _style(value: Any) -> bool | None:
    """None: what has nothing below it stands in braces."""
    inside = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return None if any(isinstance(one, (Mapping, list)) for one in inside) else False


def _end(text: str, node: yaml.Node) -> int:
    """Where the line ends on which a value ends: the marks of block collections stand further down."""
    last = _last(node)
    if last and text[last - 1] == "\n":
        return last
    line = text.find("\n", last)
    return len(text) if line < 0 else line + 1


def _last(node: yaml.Node) -> int:
    if not isinstance(node, yaml.CollectionNode) or node.flow_style or not node.value:
        return int(node.end_mark.index)
    children = [part for pair in node.value for part in pair] if isinstance(node, yaml.MappingNode) else node.value
    return max(_last(child) for child in children)


def _relocated(key: str, value: yaml.Node, moved: tuple[Path, Path]) -> list[tuple[int, int, str]]:
    """Paths of a key, from the new folder."""
    return [
        (node.start_mark.index, node.end_mark.index, _scalar(relocated(node.value, moved)))
        for node in _paths(key, value)
        if node.value
    ]


def _paths(key: str, value: yaml.Node) -> list[yaml.ScalarNode]:
    if key in _PATHS:
        return _scalars(value)
    if not isinstance(value, (yaml.MappingNode, yaml.SequenceNode)):
        return []
    if key == "knowledge" and isinstance(value, yaml.SequenceNode):
        return [one for entry in value.value for one in _under(entry, ("file",))]
    if key in _PATHS_WITHIN and isinstance(value, yaml.MappingNode):
        return [one for _, path in value.value for one in _scalars(path)]
    return _under(value, _PATHS_BELOW.get(key, ()))


def _under(node: yaml.Node, keys: Sequence[str]) -> list[yaml.ScalarNode]:
    if not isinstance(node, yaml.MappingNode):
        return []
    return [one for key, value in node.value if key.value in keys for one in _scalars(value)]


def _scalars(node: yaml.Node) -> list[yaml.ScalarNode]:
    if isinstance(node, yaml.SequenceNode):
        return [one for item in node.value for one in _scalars(item)]
    return [node] if isinstance(node, yaml.ScalarNode) else []


def relocated(path: str, moved: tuple[Path, Path]) -> str:
    """A path that starts from one folder, from another; behind links, since `..` of one leads elsewhere."""
    if Path(path).is_absolute():
        return path
    named = moved[0] / path
    return os.path.relpath(os.path.join(os.path.realpath(named.parent), named.name), os.path.realpath(moved[1]))


def _scalar(text: str) -> str:
    return str(yaml.safe_dump([text], default_flow_style=True, allow_unicode=True, width=_WIDE)).strip()[1:-1]


def coarser_keys(columns: Mapping[str, Coarser], moved: tuple[Path, Path]) -> dict[str, dict[str, Any]] | None:
    """`columns` as a release file writes it."""
    return {name: _keys(one, moved) for name, one in columns.items()} or None


def _keys(one: Coarser, moved: tuple[Path, Path]) -> dict[str, Any]:
    hierarchy = None if one.hierarchy is None else relocated(one.hierarchy, moved)
    start = _plain(one.start) or None
    found = {
        "of": one.of, "width": _plain(one.width), "from": start, "prefix": one.prefix, "hierarchy": hierarchy,
        "level": one.level, "part": one.part, "cap": _plain(one.cap),
    }  # fmt: skip
    return {key: value for key, value in found.items() if value is not None}


def _plain(number: Decimal | None) -> int | float | None:
    if number is None:
        return None
    return int(number) if number == number.to_integral_value() else float(number)
