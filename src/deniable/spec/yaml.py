"""release.yaml -> Release. Every mistake at once, each with file, line and column.

YAML is read as nodes, which know where they stand; every scalar is kept as the
text that was written (so `no`, `007` and `1e3` stay what the user typed) and
`schema` turns it into what the key asks for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from yaml.reader import ReaderError

from deniable.errors import BadInput, Mistake, in_order
from deniable.release import Release
from deniable.spec.locations import Locations, Span
from deniable.spec.locations import Path as KeyPath
from deniable.spec.schema import read

MOST_BYTES = 4_000_000  # of a release file
MOST_VALUES = 100_000  # keys, entries and values, aliases written out
DEEPEST = 64  # levels of keys and lists; a release has five


class Malformed(BadInput):
    """A release file with mistakes, and the release that its other keys make, if they make one."""

    def __init__(self, mistakes: list[Mistake], rest: Release | None, wrong: frozenset[str] = frozenset()) -> None:
        super().__init__(in_order(mistakes))
        self.rest, self.wrong = rest, wrong  # and the keys that it was made without

    def __reduce__(self) -> tuple[type[Malformed], tuple[list[Mistake], Release | None, frozenset[str]]]:
        return Malformed, (list(self.mistakes), self.rest, self.wrong)


def load(path: str | Path, text: str | None = None) -> Release:
    """Read a release file, or the `text` that it will have. Raises Malformed with every mistake that it holds."""
    locations, data, mistakes = _read(str(path), _text(str(path), text))
    parts, found, wrong = read(data, locations)
    release = None if parts is None else Release(**parts, locations=locations)
    if mistakes or found or release is None:
        raise Malformed([*mistakes, *found], release, wrong)
    return release


def _read(file: str, text: str) -> tuple[Locations, dict[str, Any], list[Mistake]]:
    loader: yaml.SafeLoader | None = None
    try:
        loader = yaml.SafeLoader(text)
        node = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        raise Malformed([_not_yaml(file, error)], None) from None
    except ReaderError as error:
        line, column = _line_column(text[: error.position])
        what = f"not valid YAML: expected text; found the control character U+{int(error.character):04X}"
        raise Malformed([Mistake(f"{file}:{line}:{column}", what)], None) from None
    except RecursionError:
        raise Malformed([Mistake(file, "expected a few levels of brackets; found too many to read")], None) from None
    except (ValueError, OverflowError):  # \UFFFFFFFF; a version of thousands of digits
        where = _at_mark(file, loader.get_mark() if loader else None)
        what = "not valid YAML: expected characters and numbers that there are; found another"
        raise Malformed([Mistake(where, what)], None) from None
    if node is None:
        what = "the release file is empty; expected at least table: and private:"
        raise Malformed([Mistake(file, what)], None)
    if not isinstance(node, yaml.MappingNode):
        raise Malformed([Mistake(_at(file, node), f"expected keys with values; found a {_kind(node)}")], None)
    reading = _Reading(file)
    data = reading.plain(node, (), frozenset())
    return Locations(file, reading.spans), data, reading.mistakes


def _text(file: str, text: str | None) -> str:
    try:
        data = _bytes(file) if text is None else text.encode("utf-8")
        if len(data) <= MOST_BYTES:
            return data.decode("utf-8-sig")
        what = f"expected a release file of at most {MOST_BYTES:,} bytes; found more"
    except FileNotFoundError:
        what = "no such file; expected a release file"
    except IsADirectoryError:
        what = "expected a release file; found a directory"
    except PermissionError:
        what = "expected a file that may be read; found no permission to"
    except UnicodeDecodeError as error:
        line, column = _line_column(data[: error.start].decode("utf-8", "replace"))
        what = f"expected UTF-8 text; found the byte {data[error.start]:#04x}"
        raise Malformed([Mistake(f"{file}:{line}:{column}", what)], None) from None
    raise Malformed([Mistake(file, what)], None)


def _bytes(file: str) -> bytes:
    with Path(file).open("rb") as opened:
        return opened.read(MOST_BYTES + 1)


def _line_column(before: str) -> tuple[int, int]:
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _not_yaml(file: str, error: yaml.MarkedYAMLError) -> Mistake:
    """The parser's complaint in our words where it is a common one."""
    context, problem = error.context or "", error.problem or "cannot be read"
    mark, opened = error.problem_mark or error.context_mark, error.context_mark
    if "'\\t'" in problem:
        problem = "expected spaces; found a tab"
    elif problem.startswith("mapping values"):
        problem = "expected one value; found a second colon (a value that holds one stands in quotes)"
    elif "another document" in problem:
        problem = "expected one document; found another"
    elif opened and context.startswith("while scanning a quoted"):
        mark, problem = opened, "expected a closing quote; found the end of the file"
    elif opened and mark and mark.line > opened.line and context.startswith("while parsing a flow"):
        closing = "]" if "sequence" in context else "}"
        mark, problem = opened, f"expected {closing} to close this bracket; found none by line {mark.line + 1}"
    problem = re.sub(r"'[^']{2,}'", "another", problem)  # an alias or a tag may be a value without its quotes
    return Mistake(_at_mark(file, mark), f"not valid YAML: {problem}")


@dataclass
class _Reading:
    """A release file as it is read: where each value stands, what is wrong, and how many values there were so far."""

    file: str
    spans: dict[KeyPath, Span] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)
    values: int = 0

    def plain(self, node: yaml.Node, path: KeyPath, above: frozenset[int]) -> Any:
        """The node as text, lists and dicts, remembering where each value stands."""
        self.spans[path] = _span(node)
        if id(node) in above:
            self.mistakes.append(Mistake(_at(self.file, node), "this alias contains itself"))
            return None
        self._count(node, len(above))
        if isinstance(node, yaml.ScalarNode):
            null = node.tag == "tag:yaml.org,2002:null" and not node.style
            return None if null else self._text(node)
        inside = above | {id(node)}
        if isinstance(node, yaml.SequenceNode):
            return [self.plain(item, (*path, i), inside) for i, item in enumerate(node.value)]
        found: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = self._text(key_node) if isinstance(key_node, yaml.ScalarNode) else None
            if not isinstance(key, str):
                self.mistakes.append(Mistake(_at(self.file, key_node), "expected a name; found a nested key"))
                continue
            if key in found:
                first = self.spans[(*path, key, "<key>")].line
                once = "a value" if path[:1] == ("domain",) else key
                what = f"expected {once} once; found it again (first on line {first})"
                self.mistakes.append(Mistake(_at(self.file, key_node), what))
                continue
            found[key] = self.plain(value_node, (*path, key), inside)
            self.spans[(*path, key, "<key>")] = _span(key_node)
        return found

    def _count(self, node: yaml.Node, depth: int) -> None:
        """A few lines of aliases can stand for more than any machine holds. Raises Malformed."""
        self.values += 1
        if depth > DEEPEST:
            what = f"expected at most {DEEPEST} levels of keys and lists, aliases written out; found more"
            raise Malformed([Mistake(_at(self.file, node), what)], None)
        if self.values > MOST_VALUES:
            what = f"expected at most {MOST_VALUES:,} values, aliases written out; found more"
            raise Malformed([Mistake(_at(self.file, node), what)], None)

    def _text(self, node: yaml.ScalarNode) -> str:
        """What a scalar says. Halves of characters that stand beside each other, as JSON writes them, are one.

        Raises Malformed for what no file name, column or cell can be.
        """
        text = str(node.value)
        try:
            text = text.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeDecodeError:
            what = "expected whole characters; found half of one"
        else:
            if "\0" not in text:
                return text
            what = "expected text; found the control character U+0000"
        raise Malformed([Mistake(_at(self.file, node), what)], None)


def _span(node: yaml.Node) -> Span:
    start = node.start_mark
    if not isinstance(node, yaml.ScalarNode):
        return Span(start.line + 1, start.column + 1)
    raw = (start.buffer or "")[start.pointer : node.end_mark.pointer]
    return Span(start.line + 1, start.column + 1, raw, node.style or "")


def _at(file: str, node: yaml.Node) -> str:
    return _at_mark(file, node.start_mark)


def _at_mark(file: str, mark: yaml.Mark | None) -> str:
    return f"{file}:{mark.line + 1}:{mark.column + 1}" if mark else file


def _kind(node: yaml.Node) -> str:
    return "list" if isinstance(node, yaml.SequenceNode) else "single value"
