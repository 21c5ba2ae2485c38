"""docs/python-reference.md, made from what the package says of itself: `python -m tests.docs.python_reference`."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import deniable

PAGE = Path(__file__).parents[2] / "docs" / "python-reference.md"
WIDE = 100  # characters of a signature that stay on one line

HEAD = """\
# Python reference

What `import deniable` has, made from its docstrings. [In Python](python.md) tells how it is used, the
[reference](reference.md) what the columns of each table mean.
"""
VERBS = (
    "init", "load", "check", "audit", "repair", "breach", "crowds", "linkage", "bucketize", "utility", "republish",
    "undo", "attack", "ledger", "verify", "choose", "explain",
)  # fmt: skip
RESULTS = {
    "Verdict": "analyses.verdict", "Finding": "analyses.verdict", "Repairs": "analyses.repair",
    "Breach": "analyses.breach", "Crowds": "analyses.crowds", "Linkage": "analyses.linkage",
    "Utility": "analyses.utility", "Explanation": "analyses.explain",
}  # fmt: skip
ERRORS = ("BadInput", "Unsupported", "Unachievable", "NotMet", "LimitExceeded", "EngineError")


def page() -> str:
    """The whole text."""
    others = [name for name in deniable.__all__ if name not in (*VERBS, *ERRORS)]
    values = [name for name in others if inspect.isclass(getattr(deniable, name))]
    tools = [name for name in others if name not in values]
    results = [(name, getattr(import_module(f"deniable.{home}"), name)) for name, home in RESULTS.items()]
    parts = [HEAD, "## Verbs", *(_function(name) for name in VERBS)]
    parts += ["## Results", *(_result(name, kind) for name, kind in results)]
    parts += ["## A release and its parts", *(_value(name) for name in values)]
    parts += ["## Tools for groups", *(_function(name) for name in tools)]
    parts += ["## Errors", *(_error(name) for name in ERRORS)]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _function(name: str) -> str:
    function = getattr(deniable, name)
    return f"### {name}\n\n{_signature(name, function)}\n\n{_told(function)}"


def _value(name: str) -> str:
    kind = getattr(deniable, name)
    if is_dataclass(kind) and kind is not deniable.Release:  # which is made by keywords of its own
        listed = "\n".join(_field(field) for field in fields(kind) if not field.name.startswith("_"))
        return f"### {name}\n\n{_told(kind)}\n\n{listed}"
    return f"### {name}\n\n{_signature(name, kind)}\n\n{_told(kind)}"


def _error(name: str) -> str:
    kind = getattr(deniable, name)
    return f"### {name}\n\n{_told(kind)} Exit status {kind.exit_status} on the command line."


def _result(name: str, kind: type) -> str:
    return f"### {name}\n\n{_told(kind)}\n\n" + "\n".join(_members(kind))


def _members(kind: type) -> Iterator[str]:
    """Fields that may be read, properties, and what can be done with it."""
    told = inspect.getdoc(kind) or ""
    for name, member in vars(kind).items():
        if name.startswith("_"):
            continue
        if isinstance(member, property):
            yield f"- `{name}`: {_flowing(inspect.getdoc(member.fget) or '')}"
        elif inspect.isfunction(member):
            parameters = [parameter for parameter in inspect.signature(member).parameters if parameter != "self"]
            yield f"- `{name}({', '.join(parameters)})`: {_flowing(inspect.getdoc(member) or '')}"
    if name_of_fields := [field.name for field in fields(kind) if f"`{field.name}`" in told]:
        yield f"- fields that are told of above: {', '.join(f'`{name}`' for name in name_of_fields)}"


def _field(field: Field[Any]) -> str:
    default = "" if field.default is MISSING and field.default_factory is MISSING else ", may be left out"
    return f"- `{field.name}` (`{field.type}`{default})"


def _signature(name: str, call: Any) -> str:
    """As it is called, in a block that nobody runs."""
    parameters = [_parameter(one) for one in inspect.signature(call).parameters.values() if one.name != "self"]
    kinds = [one.kind for one in inspect.signature(call).parameters.values() if one.name != "self"]
    if inspect.Parameter.KEYWORD_ONLY in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds:
        parameters.insert(kinds.index(inspect.Parameter.KEYWORD_ONLY), "*")
    returned = inspect.signature(call).return_annotation
    end = ")" if inspect.isclass(call) or returned is inspect.Signature.empty else f") -> {returned}"
    line = f"deniable.{name}({', '.join(parameters)}{end}"
    if len(line) > WIDE:
        line = "\n".join([f"deniable.{name}(", *(f"    {one}," for one in parameters), end])
    return "\n".join(f"    {part}" for part in line.splitlines())


def _parameter(one: inspect.Parameter) -> str:
    text = f"{'*' if one.kind is inspect.Parameter.VAR_POSITIONAL else ''}{one.name}"
    if one.annotation is not inspect.Parameter.empty:
        text += f": {one.annotation}"
    if one.default is not inspect.Parameter.empty:
        shown = repr(one.default)
        text += f" = {'…' if shown.startswith('<') else shown}"
    return text


def _told(thing: Any) -> str:
    """A docstring as paragraphs."""
    return "\n\n".join(_flowing(part) for part in re.split(r"\n\s*\n", inspect.getdoc(thing) or ""))


def _flowing(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("<", "&lt;")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
