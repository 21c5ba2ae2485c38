"""Imports go one way, and no file grows beyond reading.

Layers, from low to high. A module imports from its own layer and from those that `MAY_IMPORT` names,
wherever the import stands (imports for type checking only are not counted).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "deniable"
LINES = 400

ALL_MAY_IMPORT = {"frozen"}  # how values are made
MAY_IMPORT: dict[str, set[str]] = {
    "frozen": set(),
    "words": set(),
    "errors": set(),
    "effort": set(),
    "shown": set(),
    "arrow": set(),
    "private_folders": set(),
    "steps": set(),
    "kernels": set(),
    "worlds": {"kernels", "steps"},
    "publish": {"words", "errors", "arrow", "private_folders", "steps", "kernels", "worlds"},
    "release": {"shown"},
    "spec": {"errors", "effort", "words", "release", "publish"},
    "engines": {"errors", "effort", "words", "private_folders"},
    "sql": {"errors", "words", "spec", "engines", "worlds"},
    "bind": {"errors", "shown", "steps", "words", "arrow", "release", "spec", "publish", "engines", "sql"},
    "ledgers": {"errors", "arrow", "private_folders", "steps", "worlds", "publish", "engines"},
    "analyses": {
        "shown", "steps", "errors", "words", "effort", "arrow", "release", "spec", "kernels", "worlds", "publish",
        "sql", "engines", "ledgers", "bind",
    },
    "report": {"errors", "steps", "words", "release", "kernels", "worlds", "analyses"},
    "api": {"errors", "effort", "publish", "release", "spec", "engines", "bind", "analyses"},
    "examples": {"errors", "private_folders", "release", "publish", "analyses", "report", "api"},
    "cli": {
        "words", "errors", "effort", "private_folders", "release", "publish", "engines", "bind", "analyses", "report",
        "api", "examples",
    },
    "testing": {"words", "errors", "release", "report", "api"},
    "__main__": {"cli"},
    "__init__": set(),  # its verbs are imported by name when they are first used
}  # fmt: skip

# What looks upwards, and only when called: values that show themselves in the words of the command line, a release that
# is checked when it is made, and the checks that ask for the names of records, since records can be registered.
UPWARDS = {
    ("errors.py", "report"): "__str__",
    ("shown.py", "report"): "_report",
    ("analyses/verdict.py", "report"): "__str__",
    ("analyses/explain.py", "report"): "__str__",
    ("analyses/init/draft.py", "report"): "__str__",
    ("analyses/history/explain_releases.py", "report"): "__str__",
    ("analyses/linkage/explain_groups.py", "report"): "__str__",
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


def for_each(paths: list[Path]) -> Callable[[Callable[[Path], None]], Callable[[], None]]:
    """A test for all of these files, which names those that fail: to run one for each takes longer than that."""

    def made(check: Callable[[Path], None]) -> Callable[[], None]:
        def test() -> None:
            assert paths
            assert [told for told in (failure(check, path) for path in paths) if told] == []

        test.__doc__ = check.__doc__
        return test

    return made


def failure(check: Callable[[Path], None], path: Path) -> str:
    """What a check has to say of a file."""
    try:
        check(path)
    except AssertionError as error:
        return f"{name_of(path)}: {error}"
    return ""


def is_for_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def imports(path: Path) -> list[tuple[str, str]]:
    """Each module of ours that a file imports, and the function that does it."""
    return list(_imports(tree_of(path)))


def _imports(node: ast.AST, inside: str = "") -> Iterator[tuple[str, str]]:
    for child in statements(node):
        if is_for_type_checking(child):
            continue
        if isinstance(child, ast.Import):
            yield from ((alias.name, inside) for alias in child.names if alias.name.startswith("deniable"))
        elif isinstance(child, ast.ImportFrom) and child.module == "deniable":
            yield from ((f"deniable.{alias.name}", inside) for alias in child.names)
        elif isinstance(child, ast.ImportFrom) and (child.module or "").startswith("deniable."):
            yield str(child.module), inside
        else:
            yield from _imports(child, child.name if isinstance(child, ast.FunctionDef) else inside)


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Those of a node's parts in which an import may stand: no expression holds one."""
    for part in ("body", "orelse", "handlers", "finalbody", "cases"):
        found = getattr(node, part, None)
        if isinstance(found, list):  # a lambda's body is an expression
            yield from found


@for_each(modules())
def test_imports_go_one_way(path: Path) -> None:
    layer = layer_of(path)
    for module, inside in imports(path):
        other = module.split(".")[1] if "." in module else "__init__"
        if other in (layer, "__version__"):
            continue
        if module == "deniable.spec.locations":  # a value like those of `release`
            continue
        if (name_of(path), other) in UPWARDS:
            allowed = UPWARDS[name_of(path), other]
            assert inside == allowed, f"{name_of(path)} imports {module} outside of {allowed}"
            continue
        assert other in MAY_IMPORT[layer] | ALL_MAY_IMPORT, f"{name_of(path)} imports {module}"
        assert module in ONLY.get((layer, other), {module}), f"{name_of(path)} imports {module}"


@for_each(modules())
def test_imports_are_absolute(path: Path) -> None:
    assert not [node.lineno for node in nodes_of(path) if isinstance(node, ast.ImportFrom) and node.level]


def test_the_table_goes_one_way() -> None:
    order = list(MAY_IMPORT)
    for layer, allowed in MAY_IMPORT.items():
        assert allowed <= set(order[: order.index(layer)]), layer
    assert {layer_of(path) for path in modules()} == set(order)


@for_each(modules())
def test_files_are_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LINES


# Walls inside the house.


def inside(*folders: str) -> list[Path]:
    return [path for path in modules() if name_of(path).startswith(folders)]


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> list[ast.AST]:
    """All of them, which most tests look through: to find them takes longer than to look."""
    return list(ast.walk(tree_of(path)))


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """Every text that the program can see: docstrings are for readers."""
    nodes = nodes_of(path)
    documented = [node for node in nodes if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))]
    docs = {id(node.body[0].value) for node in documented if node.body and isinstance(node.body[0], ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.lineno, node.value


WORDS = re.compile(r"[^\W\d_]{2,}[,:;]? [^\W\d_]{2,}")  # two words in a row: a sentence, or SQL


@for_each(inside("analyses/"))
def test_analyses_hold_no_sentence_and_no_sql(path: Path) -> None:
    said = [(line, text) for line, text in texts(path) if WORDS.search(text) or "(" in text]
    assert said == []


@for_each(inside("analyses/"))
def test_analyses_build_no_queries(path: Path) -> None:
    """Trees are made in `sql`; the name of the library may stand in annotations."""
    shielded = {id(child) for node in nodes_of(path) if is_for_type_checking(node) for child in ast.walk(node)}
    found = [node for node in nodes_of(path) if isinstance(node, ast.ImportFrom) and id(node) not in shielded]
    assert not [node.lineno for node in found if (node.module or "").partition(".")[0] == "sqlglot"]


@for_each(modules())
def test_engines_are_named_where_they_live(path: Path) -> None:
    """No engine's name outside `engines` and `ledgers`, docstrings excepted: not in a text, an import or a name."""
    if name_of(path).startswith(("engines/", "ledgers/")) or name_of(path) == "effort.py":  # the default of --engine
        return
    named = [text for _, text in texts(path)]
    named += [node.id for node in nodes_of(path) if isinstance(node, ast.Name)]
    named += [node.attr for node in nodes_of(path) if isinstance(node, ast.Attribute)]
    named += [alias.name for node in nodes_of(path) if isinstance(node, ast.Import) for alias in node.names]
    named += [str(node.module) for node in nodes_of(path) if isinstance(node, ast.ImportFrom)]
    assert not [name for name in named if "duckdb" in name.lower()]


@for_each(modules())
def test_the_compiler_is_spoken_to_in_one_place(path: Path) -> None:
    found = [node for node in nodes_of(path) if isinstance(node, (ast.Import, ast.ImportFrom))]
    named = [alias.name for node in found if isinstance(node, ast.Import) for alias in node.names]
    named += [str(node.module) for node in found if isinstance(node, ast.ImportFrom)]
    speaks = ("kernels/compiler.py", "kernels/linking.py")
    assert name_of(path) in speaks or not [name for name in named if name.startswith("numba")]


@for_each(modules())
def test_arrow_arrays_are_made_in_one_place(path: Path) -> None:
    """Arrow's own ways to make them from lists and NumPy arrays import pandas wherever it is installed."""
    calls = [node for node in nodes_of(path) if isinstance(node, ast.Call)]
    made = [node.func for node in calls if isinstance(node.func, ast.Attribute) and node.func.attr == "array"]
    assert not [node.lineno for node in made if isinstance(node.value, ast.Name) and node.value.id == "pa"]


@for_each(inside("worlds/"))
def test_stories_of_worlds_are_independent(path: Path) -> None:
    """A story imports itself and what stands beside all stories; judges import nothing of ours."""
    story = path.relative_to(SOURCE / "worlds").parts[0]
    others = {folder.name for folder in (SOURCE / "worlds").iterdir() if folder.is_dir()} - {story, "__pycache__"}
    for module, _ in imports(path):
        assert story != "judges" or module.startswith("deniable.worlds.judges"), f"a judge imports {module}"
        assert module.split(".")[2:3] == [] or module.split(".")[2] not in others, f"{story} imports {module}"


@for_each(modules())
def test_judges_are_shared_with_nothing(path: Path) -> None:
    judging = [module for module, _ in imports(path) if module.startswith("deniable.worlds.judges")]
    assert not judging or name_of(path).startswith("worlds/judges/")


def reasons(path: Path) -> Iterator[tuple[str, set[str]]]:
    """Every sentence that an error names, and the data that it carries."""
    for node in nodes_of(path):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Reason":
            assert isinstance(node.args[0], ast.Constant), "the name of a sentence is written out"
            yield str(node.args[0].value), {keyword.arg or "" for keyword in node.keywords}


def test_every_reason_has_its_sentence() -> None:
    used = {}
    for path in modules():
        for sentence, data in reasons(path):
            module, _, function = sentence.partition(".")
            used[sentence] = getattr(import_module(f"deniable.report.sentences.{module}"), function)
            taken = used[sentence].__code__
            assert data == set(taken.co_varnames[: taken.co_argcount + taken.co_kwonlyargcount]), sentence
    assert len(used) > 10


@for_each(inside("analyses/"))
def test_errors_of_analyses_carry_data(path: Path) -> None:
    """What an analysis raises on purpose is made of reasons, never of text."""
    for node in nodes_of(path):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAYING:
            written = [part for part in node.args if isinstance(part, (ast.Constant, ast.JoinedStr))]
            allowed = 1 if node.func.id == "Mistake" else 0  # where it stands
            assert len(written) <= allowed, f"{name_of(path)}:{node.lineno}"


SAYING = {"Mistake", "LimitExceeded", "Unachievable", "EngineError", "Unsupported", "BadInput"}
