"""The checks of a release: what each key may hold, as pydantic models, and what is said of a value that it may not.

They stand behind `Release(...)` in Python as behind release.yaml: the same data has the same mistakes, in the same
sentences; only the place differs, a path of keys instead of a file's line and column.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

from deniable import release as values
from deniable.effort import LONGEST, WIDEST
from deniable.errors import BadInput, Mistake
from deniable.spec.arguments import is_table, of_type
from deniable.spec.locations import Locations
from deniable.spec.locations import Path as KeyPath
from deniable.words import did_you_mean, shortened


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _as_texts(value: Any) -> Any:
    """Values of a domain that were given as numbers or dates, as text."""
    if isinstance(value, (str, Mapping)) or not isinstance(value, Sequence):
        return value
    return [one if one is None or isinstance(one, (str, list, dict)) else str(one) for one in value]


def _as_path(value: Any) -> Any:
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def _source(value: Any) -> Any:
    """A file by its path, or a table in memory."""
    if not isinstance(value, (str, os.PathLike)) and not is_table(value):
        raise PydanticCustomError("no_source", "a table")
    if isinstance(value, str) and not value.strip():
        raise PydanticCustomError("source", "text that is not empty")
    return value


def _encoding(value: str) -> str:
    try:
        return codecs.lookup(value).name
    except LookupError:
        raise PydanticCustomError("encoding", "an encoding such as utf-8, latin-1, cp1252 or utf-16") from None


def _named(kind: str) -> AfterValidator:
    def check(value: str) -> str:
        known = _names(kind)
        if value not in known:
            raise PydanticCustomError("name", "one of {listed}", {"listed": _listed(known), "known": known})
        return value

    return AfterValidator(check)


def _names(kind: str) -> tuple[str, ...]:
    """The names that there are records for; looked up when asked, since records can be registered."""
    if kind == "algorithm":
        from deniable.publish.again.algorithm import names
    else:
        from deniable.analyses.breach.adversaries import names
    return names()


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names[0]


Text = Annotated[str, Field(pattern=r"\S")]
Texts = Annotated[list[Text], BeforeValidator(_as_list)]
File = Annotated[Text, BeforeValidator(_as_path)]
Source = Annotated[Any, AfterValidator(_source)]
Share = Annotated[float, Field(ge=0, le=1)]
ColumnType = Literal["text", "integer", "number", "date", "timestamp", "boolean"]


class KeyModel(BaseModel):
    """A mapping in the release file; a key that it does not know is a mistake."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)  # few are used by a release


class BreachKeys(KeyModel):
    """`require: breach`."""

    at_most: Share
    adversaries: Annotated[list[Annotated[str, _named("adversary")]], Field(min_length=1)] | None = None


class CrowdKeys(KeyModel):
    """`require: crowd`."""

    at_least: Annotated[int, Field(ge=1)]
    values: Annotated[int, Field(ge=1)] = 1


class LinkageKeys(KeyModel):
    """`require: linkage`."""

    at_most: Share
    adversaries: Annotated[list[Literal["marginal", "full"]], Field(min_length=1)] = ["marginal", "full"]


class HistoryKeys(KeyModel):
    """`require: history`."""

    exposed_at_most: Share
    known: Share = 0.0


class RequireKeys(KeyModel):
    """`require`."""

    breach: BreachKeys | None = None
    crowd: CrowdKeys | None = None
    linkage: LinkageKeys | None = None
    history: HistoryKeys | None = None


class PublishedKeys(KeyModel):
    """`published`: a bucketized release, whoever made it."""

    people: Source
    values: Source
    group: Text


class KnowledgeKeys(KeyModel):
    """One entry of `knowledge`."""

    given: Annotated[list[Text], Field(min_length=1), BeforeValidator(_as_list)]
    file: File | None = None
    estimate: bool = False


class CounterfeitKeys(KeyModel):
    """`republish: counterfeits`."""

    at_most: Share


class RepublishKeys(KeyModel):
    """`republish`: m and n, or m and what chooses n."""

    m: Annotated[int, Field(ge=2, le=WIDEST)]
    n: Annotated[int, Field(ge=1, le=WIDEST)] | None = None
    compromise: Share | None = None
    lifespan: Annotated[int, Field(ge=1, le=LONGEST)] | None = None
    threshold: Share | None = None
    counterfeits: CounterfeitKeys | None = None


class HistoryFilesKeys(KeyModel):
    """`history`: releases that others published, and who was in which group."""

    releases: Annotated[list[File], BeforeValidator(lambda value: _as_list(_as_path(value)))]
    population: File


class ReleaseKeys(KeyModel):
    """The whole release file."""

    table: Source = None
    name: Text | None = None
    identifier: Texts = []
    quasi: Texts = []
    private: Text | None = None
    public: Texts = []
    domain: Annotated[list[str | None], BeforeValidator(_as_texts)] = []
    views: dict[str, Text] = {}
    secret: Text | None = None
    published: PublishedKeys | None = None
    knowledge: list[KnowledgeKeys] = []
    republish: RepublishKeys | None = None
    ledger: File | None = None
    history: HistoryFilesKeys | None = None
    algorithm: Annotated[str, _named("algorithm")] | None = None
    generalize: dict[str, File] = {}
    rename: dict[str, Text] = {}
    types: dict[str, ColumnType] = {}
    encoding: Annotated[Text, AfterValidator(_encoding)] | None = None
    decimal: Literal[".", ","] | None = None
    require: RequireKeys = RequireKeys()


def insist(data: Mapping[str, Any], locations: Locations) -> dict[str, Any]:
    """The parts of a release in their types. Raises BadInput with every mistake."""
    unsaid = [key for key in ("identifier", "name", "private") if isinstance(data[key], str) and not data[key]]
    if data["table"] is None and (data["published"] or data["history"]):
        unsaid.append("table")
    given = {key: _plain(value) for key, value in data.items() if key not in unsaid}
    found, mistakes, _ = read(given, locations)
    if found is None or mistakes:
        raise BadInput(mistakes)
    return found


def _plain(value: Any) -> Any:
    """The parts of a release as the release file writes them: keys with values."""
    if type(value) in _PARTS:
        return {part.name: _plain(getattr(value, part.name)) for part in fields(value)}
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, (list, tuple)) else value


_PARTS = (
    values.BreachLimit, values.Counterfeits, values.CrowdLimit, values.HistoryFiles, values.HistoryLimit,
    values.Knowledge, values.LinkageLimit, values.Published, values.Republish, values.Requirements,
)  # fmt: skip


def read(data: Mapping[str, Any], locations: Locations) -> tuple[dict[str, Any] | None, list[Mistake], frozenset[str]]:
    """The parts of a release in their types, less those with mistakes, if that makes a release; the mistakes, and the
    keys that have some."""
    missing = _missing_table(data, locations)
    try:
        parts = _parts(ReleaseKeys.model_validate(data))
        return None if missing else parts, missing, frozenset()
    except ValidationError as error:
        wrong = error.errors()
    mistakes = [*missing, *(_mistake(dict(item), locations) for item in wrong)]
    keys = frozenset(str(item["loc"][0]) for item in wrong if item["loc"])
    try:
        rest = _parts(ReleaseKeys.model_validate(_without(data, [item["loc"] for item in wrong])))
        return None if missing or "table" in keys else rest, mistakes, keys
    except ValidationError:
        return None, mistakes, keys


def _missing_table(data: Mapping[str, Any], locations: Locations) -> list[Mistake]:
    """A release has a table, unless it is about what others published."""
    if "table" in data or data.get("published") or data.get("history"):
        return []
    return [Mistake(locations.at(), f"table is missing; expected {_EXPECTED['table']}")]


def _without(data: Mapping[str, Any], wrong: list[KeyPath]) -> dict[str, Any]:
    """The keys without the wrong ones; of keys whose entries stand for themselves only the wrong entry is left out."""
    kept = dict(data)
    for top, *below in wrong:
        inside = kept.get(str(top))
        if below and isinstance(inside, dict) and top in ("views", "types", "generalize", "rename", "require"):
            kept[str(top)] = {key: value for key, value in inside.items() if key != below[0]}
        else:
            kept.pop(str(top), None)
    return kept


def _parts(keys: ReleaseKeys) -> dict[str, Any]:
    """What a Release is made of."""
    require, republish, published, history = keys.require, keys.republish, keys.published, keys.history
    breach, crowd, linkage, exposed = require.breach, require.crowd, require.linkage, require.history
    fakes = republish.counterfeits if republish else None
    return {
        "table": keys.table,
        "name": keys.name or "",
        "identifier": tuple(keys.identifier),
        "quasi": tuple(keys.quasi),
        "private": keys.private or "",
        "public": tuple(keys.public),
        "domain": tuple(keys.domain),
        "views": dict(keys.views),
        "secret": keys.secret,
        "published": values.Published(published.people, published.values, published.group) if published else None,
        "knowledge": tuple(values.Knowledge(tuple(one.given), one.file, one.estimate) for one in keys.knowledge),
        "republish": values.Republish(
            **{**republish.model_dump(), "counterfeits": values.Counterfeits(fakes.at_most) if fakes else None}
        )
        if republish
        else None,
        "ledger": keys.ledger,
        "history": values.HistoryFiles(tuple(history.releases), history.population) if history else None,
        "algorithm": keys.algorithm,
        "generalize": dict(keys.generalize),
        "rename": dict(keys.rename),
        "types": dict(keys.types),
        "encoding": keys.encoding,
        "decimal": keys.decimal,
        "require": values.Requirements(
            _breach_limit(breach) if breach else None,
            values.CrowdLimit(crowd.at_least, crowd.values) if crowd else None,
            values.LinkageLimit(linkage.at_most, tuple(linkage.adversaries)) if linkage else None,
            values.HistoryLimit(exposed.exposed_at_most, exposed.known) if exposed else None,
        ),
    }


def _breach_limit(breach: BreachKeys) -> values.BreachLimit:
    return values.BreachLimit(breach.at_most, tuple(breach.adversaries) if breach.adversaries else None)


def _mistake(error: dict[str, Any], locations: Locations) -> Mistake:
    path: KeyPath = tuple(error["loc"])
    name = ".".join(part for part in path if isinstance(part, str))
    *above, key = path
    if error["type"] == "extra_forbidden":
        known = _known_keys(tuple(above))
        what = f"unknown key {key}{did_you_mean(str(key), known)}; expected one of {', '.join(known)}"
        return Mistake(locations.at(*path, "<key>"), what)
    if error["type"] == "missing":
        return Mistake(locations.at(*above), f"{name} is missing; expected {_EXPECTED.get(str(key), 'a value')}")
    words = _FILE if locations.file else _PYTHON
    found = _found(error["input"], words)
    if path[0] == "domain" and isinstance(error["input"], str):
        found = "a single value"  # which may be a private one
    if error["type"] == "literal_error":
        found += did_you_mean(found, str(error["ctx"]["expected"]).split("'")[1::2])
    if error["type"] == "name":
        found += did_you_mean(found, error["ctx"]["known"])
    return Mistake(locations.at(*path), f"{name}: expected {_expected(error, words)}; found {found}")


_SHARE = "a number from 0 to 1"
_EXPECTED = {
    "table": "the path of a csv, tsv or parquet file",
    "at_most": _SHARE,
    "exposed_at_most": _SHARE,
    "at_least": "a whole number of people",
    "given": "a column or a list of columns",
}


# What a release file calls things, and what Python does.
_FILE = {"mapping": "keys with values", "none": "nothing", "source": "text"}
_PYTHON = {
    "mapping": "a dict",
    "none": "None",
    "source": "a path, a pandas or polars frame, an Arrow table or a relation",
}


def _expected(error: dict[str, Any], words: Mapping[str, str]) -> str:
    context = error.get("ctx") or {}
    kind = error["type"]
    plain = {
        "string_type": "text",
        "string_pattern_mismatch": "text that is not empty",
        "list_type": "a list",
        "dict_type": words["mapping"],
        "model_type": words["mapping"],
        "model_attributes_type": words["mapping"],
        "float_parsing": _SHARE,
        "float_type": _SHARE,
        "int_parsing": "a whole number",
        "int_parsing_size": "a whole number",
        "int_type": "a whole number",
        "int_from_float": "a whole number",
        "bool_parsing": "true or false",
        "bool_type": "true or false",
        "too_short": "at least one entry",
        "no_source": words["source"],
    }
    if kind in plain:
        return plain[kind]
    if kind == "literal_error":
        return f"one of {str(context['expected']).replace(chr(39), '')}"
    if kind == "less_than_equal" and context["le"] != 1:
        return f"a whole number of at most {context['le']:,}"
    if kind == "less_than_equal":
        return _SHARE
    if kind == "greater_than_equal":
        return f"a whole number of at least {context['ge']}" if context["ge"] else _SHARE
    return str(error["msg"])


def _found(value: Any, words: Mapping[str, str]) -> str:
    if value is None:
        return words["none"]
    if isinstance(value, dict):
        return words["mapping"]
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    if not isinstance(value, (str, int, float)):
        return of_type(value)
    return shortened(str(value)) if str(value).strip() else "empty text"


def _known_keys(above: KeyPath) -> list[str]:
    model: Any = ReleaseKeys
    for part in above:
        if isinstance(part, int):
            continue
        field = model.model_fields[part].annotation
        options = [field, *getattr(field, "__args__", ())]
        model = next(o for o in options if isinstance(o, type) and issubclass(o, KeyModel))
    return list(model.model_fields)
