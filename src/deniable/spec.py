"""release.yaml -> Release. Every mistake at once, each with file, line and column.

YAML is read as nodes, which know where they stand; every scalar is kept as the
text that was written (so `no`, `007` and `1e3` stay what the user typed) and
pydantic turns it into what the key asks for.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from deniable import release as values
from deniable.errors import BadInput, Mistake
from deniable.places import Path as KeyPath
from deniable.places import Places, Span, did_you_mean


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Text = Annotated[str, Field(min_length=1)]
Texts = Annotated[list[Text], BeforeValidator(_as_list)]
Share = Annotated[float, Field(ge=0, le=1)]
Adversary = Literal["unrestricted", "restricted", "keyed", "bag"]
ColumnType = Literal["text", "integer", "number", "date", "timestamp", "boolean"]


class Keys(BaseModel):
    """A mapping in the release file; a key that it does not know is a mistake."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class BreachKeys(Keys):
    """`require: breach`."""

    at_most: Share
    adversaries: Annotated[list[Adversary], Field(min_length=1)] = list(values.DEFAULT_ADVERSARIES)  # type: ignore[arg-type]


class CrowdKeys(Keys):
    """`require: crowd`."""

    at_least: Annotated[int, Field(ge=1)]


class LinkageKeys(Keys):
    """`require: linkage`."""

    at_most: Share
    adversaries: Annotated[list[Literal["marginal", "full"]], Field(min_length=1)] = [
        "marginal",
        "full",
    ]


class HistoryKeys(Keys):
    """`require: history`."""

    exposed_at_most: Share
    known: Share = 0.0


class RequireKeys(Keys):
    """`require`."""

    breach: BreachKeys | None = None
    crowd: CrowdKeys | None = None
    linkage: LinkageKeys | None = None
    history: HistoryKeys | None = None


class PublishedKeys(Keys):
    """`published`: a bucketized release, whoever made it."""

    people: Text
    values: Text
    group: Text


class KnowledgeKeys(Keys):
    """One entry of `knowledge`."""

    given: Texts
    file: Text | None = None
    estimate: bool = False


class RepublishKeys(Keys):
    """`republish`: m and n, or m and what chooses n."""

    m: Annotated[int, Field(ge=2)]
    n: Annotated[int, Field(ge=1)] | None = None
    compromise: Share | None = None
    lifespan: Annotated[int, Field(ge=1)] | None = None
    threshold: Share | None = None


class ReleaseKeys(Keys):
    """The whole release file."""

    table: Text
    name: Text | None = None
    identifier: Texts = []
    quasi: Texts = []
    private: Text | None = None
    public: Texts = []
    domain: list[str | None] = []
    views: dict[str, Text] = {}
    secret: Text | None = None
    published: PublishedKeys | None = None
    knowledge: list[KnowledgeKeys] = []
    republish: RepublishKeys | None = None
    ledger: Text | None = None
    algorithm: Literal["m-invariance", "cor-split", "stable"] | None = None
    generalize: dict[str, Text] = {}
    types: dict[str, ColumnType] = {}
    require: RequireKeys = RequireKeys()


def load(path: str | Path) -> values.Release:
    """Read a release file. Raises BadInput with every mistake that it holds."""
    file = str(path)
    places, data = _read(file)
    mistakes: list[Mistake] = []
    try:
        keys = ReleaseKeys.model_validate(data)
    except ValidationError as error:
        mistakes = [_mistake(dict(item), places) for item in error.errors()]
    if mistakes:
        raise BadInput(sorted(mistakes, key=_position))
    return _release(keys, places)


def _release(keys: ReleaseKeys, places: Places) -> values.Release:
    breach = keys.require.breach
    others = {
        name: getattr(keys.require, name).model_dump()
        for name in ("crowd", "linkage", "history")
        if getattr(keys.require, name) is not None
    }
    return values.Release(
        table=keys.table,
        name=keys.name or "",
        identifier=keys.identifier,
        quasi=keys.quasi,
        private=keys.private or "",
        public=keys.public,
        domain=keys.domain,
        views=dict(keys.views),
        secret=keys.secret,
        published=keys.published.model_dump() if keys.published else None,
        knowledge=[entry.model_dump() for entry in keys.knowledge],
        republish=keys.republish.model_dump(exclude_none=True) if keys.republish else None,
        ledger=keys.ledger,
        algorithm=keys.algorithm,
        generalize=dict(keys.generalize),
        types=dict(keys.types),
        require=values.Requirements(
            breach=values.BreachLimit(breach.at_most, tuple(breach.adversaries)) if breach else None,
            others=others,
        ),
        places=places,
    )


def _read(file: str) -> tuple[Places, dict[str, Any]]:
    try:
        text = Path(file).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise BadInput(Mistake(file, "no such file; expected a release file")) from None
    except IsADirectoryError:
        raise BadInput(Mistake(file, "expected a release file; found a directory")) from None
    except PermissionError:
        raise BadInput(Mistake(file, "cannot be read: permission denied")) from None
    except UnicodeDecodeError as error:
        what = f"expected UTF-8 text; found a byte that is not, at offset {error.start}"
        raise BadInput(Mistake(file, what)) from None
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{file}:{mark.line + 1}:{mark.column + 1}" if mark else file
        raise BadInput(Mistake(where, f"not valid YAML: {error.problem}")) from None
    except yaml.YAMLError as error:
        what = getattr(error, "reason", "it cannot be decoded")
        raise BadInput(Mistake(file, f"not valid YAML: {what}")) from None
    if node is None:
        raise BadInput(Mistake(file, "the release file is empty; expected at least table: and private:"))
    if not isinstance(node, yaml.MappingNode):
        raise BadInput(Mistake(f"{file}:1:1", f"expected keys with values; found a {_kind(node)}"))
    spans: dict[KeyPath, Span] = {}
    mistakes: list[Mistake] = []
    data = _plain(node, (), file, spans, mistakes, frozenset())
    if mistakes:
        raise BadInput(mistakes)
    return Places(file, spans), data


def _plain(
    node: yaml.Node,
    path: KeyPath,
    file: str,
    spans: dict[KeyPath, Span],
    mistakes: list[Mistake],
    above: frozenset[int],
) -> Any:
    """The node as text, lists and dicts, remembering where each value stands."""
    spans[path] = _span(node)
    if id(node) in above:
        mistakes.append(Mistake(_at(file, node), "this alias contains itself"))
        return None
    if isinstance(node, yaml.ScalarNode):
        null = node.tag == "tag:yaml.org,2002:null" and not node.style
        return None if null else node.value
    inside = above | {id(node)}
    if isinstance(node, yaml.SequenceNode):
        return [_plain(item, (*path, i), file, spans, mistakes, inside) for i, item in enumerate(node.value)]
    found: dict[str, Any] = {}
    for key_node, value_node in node.value:
        key = key_node.value if isinstance(key_node, yaml.ScalarNode) else None
        if not isinstance(key, str):
            mistakes.append(Mistake(_at(file, key_node), "expected a name; found a nested key"))
            continue
        if key in found:
            mistakes.append(Mistake(_at(file, key_node), f"{key} stands here twice"))
            continue
        found[key] = _plain(value_node, (*path, key), file, spans, mistakes, inside)
        spans[(*path, key, "<key>")] = _span(key_node)
    return found


def _span(node: yaml.Node) -> Span:
    line, column = node.start_mark.line + 1, node.start_mark.column + 1
    style = getattr(node, "style", None) or ""
    indent = 0
    if style == "|" and isinstance(node, yaml.ScalarNode):
        buffer = node.start_mark.buffer or ""
        body = buffer[node.start_mark.pointer :].split("\n")[1:]
        first = next((row for row in body if row.strip()), "")
        indent = len(first) - len(first.lstrip(" "))
    return Span(line, column, indent, style if isinstance(node, yaml.ScalarNode) else "")


def _at(file: str, node: yaml.Node) -> str:
    return f"{file}:{node.start_mark.line + 1}:{node.start_mark.column + 1}"


def _kind(node: yaml.Node) -> str:
    return "list" if isinstance(node, yaml.SequenceNode) else "single value"


def _mistake(error: dict[str, Any], places: Places) -> Mistake:
    path: KeyPath = tuple(error["loc"])
    name = ".".join(str(part) for part in path)
    if error["type"] == "extra_forbidden":
        *above, key = path
        known = _known_keys(tuple(above))
        what = f"unknown key {key}{did_you_mean(str(key), known)}; expected one of {', '.join(known)}"
        return Mistake(places.at(*path, "<key>"), what)
    if error["type"] == "missing":
        *above, key = path
        return Mistake(places.at(*above), f"{name} is missing; expected {_EXPECTED.get(str(key), 'a value')}")
    found = _found(error["input"])
    return Mistake(places.at(*path), f"{name}: expected {_expected(error)}; found {found}")


_EXPECTED = {
    "table": "the path of a csv, tsv or parquet file",
    "at_most": "a probability from 0 to 1",
    "at_least": "a whole number of people",
}


def _expected(error: dict[str, Any]) -> str:
    context = error.get("ctx") or {}
    kind = error["type"]
    plain = {
        "string_type": "text",
        "string_too_short": "text that is not empty",
        "list_type": "a list",
        "dict_type": "keys with values",
        "model_type": "keys with values",
        "model_attributes_type": "keys with values",
        "float_parsing": "a number",
        "float_type": "a number",
        "int_parsing": "a whole number",
        "int_type": "a whole number",
        "int_from_float": "a whole number",
        "bool_parsing": "true or false",
        "bool_type": "true or false",
        "too_short": "at least one entry",
    }
    if kind in plain:
        return plain[kind]
    if kind == "literal_error":
        return f"one of {str(context['expected']).replace(chr(39), '')}"
    bounds = {"greater_than_equal": ("at least", "ge"), "less_than_equal": ("at most", "le")}
    if kind in bounds:
        word, key = bounds[kind]
        return f"a number of {word} {context[key]:g}"
    return str(error["msg"])


def _found(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "keys with values"
    if isinstance(value, list):
        return "an empty list" if not value else "a list"
    return "empty text" if value == "" else str(value)


def _known_keys(above: KeyPath) -> list[str]:
    model: Any = ReleaseKeys
    for part in above:
        if isinstance(part, int):
            continue
        field = model.model_fields[part].annotation
        options = [field, *getattr(field, "__args__", ())]
        model = next(o for o in options if isinstance(o, type) and issubclass(o, Keys))
    return list(model.model_fields)


def _position(mistake: Mistake) -> tuple[int, int]:
    parts = mistake.where.rsplit(":", 2)
    if len(parts) == 3 and parts[1].isdigit() and parts[2].isdigit():
        return int(parts[1]), int(parts[2])
    return 0, 0
