"""Imports go one way, and no file grows beyond reading.

Layers, from low to high. A module imports from its own layer and from those that `MAY_IMPORT` names,
wherever the import stands (imports for type checking only are not counted).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "deniable"
LINES = 400

MAY_IMPORT: dict[str, set[str]] = {
    "words": set(),
    "errors": set(),
    "effort": set(),
    "arrow": set(),
    "worlds": set(),
    "publish": {"errors", "arrow", "worlds"},
    "release": set(),
    "spec": {"errors", "words", "release", "publish"},
    "engines": {"errors", "words"},
    "sql": {"errors", "words", "spec", "engines", "worlds"},
    "bind": {"errors", "words", "arrow", "release", "spec", "publish", "engines", "sql"},
    "ledgers": {"errors", "arrow", "worlds", "publish", "engines"},
    "analyses": {
        "errors", "words", "effort", "arrow", "release", "spec", "worlds", "publish", "sql", "engines", "ledgers",
        "bind",
    },
    "report": {"errors", "words", "release", "worlds", "analyses"},
    "api": {"errors", "effort", "publish", "release", "spec", "engines", "bind", "analyses"},
    "examples": {"release", "analyses", "report", "api"},
    "cli": {"errors", "effort", "release", "publish", "engines", "bind", "analyses", "report", "api", "examples"},
    "__main__": {"cli"},
    "__init__": set(),  # its verbs are imported by name when they are first used
}  # fmt: skip

# What looks upwards, and only when called: values that show themselves in the words of the command line, a release that
# is checked when it is made, and the checks that ask for the names of records, since records can be registered.
UPWARDS = {
    ("errors.py", "report"): "__str__",
    ("analyses/verdict.py", "report"): "__str__",
    ("analyses/explain.py", "report"): "__str__",
    ("release.py", "spec"): "__init__",
    ("spec/schema.py", "analyses"): "_names",
}

# Layers of which another sees one module only.
ONLY = {
    ("sql", "worlds"): {"deniable.worlds.views.quadruples"},
    ("sql", "spec"): {"deniable.spec.locations"},
    ("sql", "engines"): {"deniable.engines.dialect", "deniable.engines.scope"},
    ("spec", "publish"): {"deniable.publish.again.algorithm"},
}


def modules() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def layer_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def is_for_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def imports(node: ast.AST, inside: str = "") -> Iterator[tuple[str, str]]:
    """Each module of ours that is imported, and the function that does it."""
    for child in ast.iter_child_nodes(node):
        if is_for_type_checking(child):
            continue
        if isinstance(child, ast.Import):
            yield from ((alias.name, inside) for alias in child.names if alias.name.startswith("deniable"))
        elif isinstance(child, ast.ImportFrom) and child.module == "deniable":
            yield from ((f"deniable.{alias.name}", inside) for alias in child.names)
        elif isinstance(child, ast.ImportFrom) and (child.module or "").startswith("deniable."):
            yield str(child.module), inside
        else:
            yield from imports(child, child.name if isinstance(child, ast.FunctionDef) else inside)


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_imports_go_one_way(path: Path) -> None:
    layer = layer_of(path)
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for module, inside in imports(tree):
        other = module.split(".")[1] if "." in module else "__init__"
        if other in (layer, "__version__"):
            continue
        if module == "deniable.spec.locations":  # a value like those of `release`
            continue
        if (name_of(path), other) in UPWARDS:
            allowed = UPWARDS[name_of(path), other]
            assert inside == allowed, f"{name_of(path)} imports {module} outside of {allowed}"
            continue
        assert other in MAY_IMPORT[layer], f"{name_of(path)} imports {module}"
        assert module in ONLY.get((layer, other), {module}), f"{name_of(path)} imports {module}"


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_imports_are_absolute(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not [node.lineno for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level]


def test_the_table_goes_one_way() -> None:
    order = list(MAY_IMPORT)
    for layer, allowed in MAY_IMPORT.items():
        assert allowed <= set(order[: order.index(layer)]), layer
    assert {layer_of(path) for path in modules()} == set(order)


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_files_are_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LINES
