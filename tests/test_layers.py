"""The order of work is the order of imports: nothing imports what stands below it in the table.

Read from the source of every module, late imports and those by name (`import_module("…")`)
included; what stands under `if TYPE_CHECKING` counts too.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import rulesengine

PACKAGE = Path(rulesengine.__file__).parent

# Each layer may import those above it and itself. Layers on one line know nothing of each other.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("struct", "resources", "links"),  # texts and places; where shipped text lies; links in texts
    ("source", "types"),
    ("diagnostics",),
    ("errors", "values"),
    ("primitives", "syntax"),
    ("evidence", "formatting"),
    ("compare", "providers"),
    ("check",),
    ("graph",),
    ("runtime", "pipeline"),  # scoring does not know how rubrics are read, nor the other way round
    ("report", "files"),
    ("rubric",),
    ("__init__",),
)
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}

# Outside modules that the core may use: none reads a clock, an environment, a socket or a file.
PURE = frozenset(
    [
        "__future__",
        "abc",
        "attrs",
        "bisect",
        "collections",
        "contextlib",
        "csv",
        "datetime",
        "decimal",
        "difflib",
        "enum",
        "fractions",
        "functools",
        "graphlib",
        "hashlib",
        "html",
        "idna",
        "importlib",
        "io",
        "ipaddress",
        "itertools",
        "json",
        "lark",
        "math",
        "msgspec",
        "numbers",
        "operator",
        "re",
        "string",
        "types",
        "typing",
        "unicodedata",
    ]
)
EXTRA = {
    "compare.pairing": {"numpy", "scipy"},  # long lists; imported where they are met
    "providers.likeness": {"numpy"},  # products of vectors; imported where there are any
    "diagnostics.render": {"rich"},  # how wide a sign is on a terminal
    "files": {"os", "pathlib"},
    "resources": {"os", "pathlib"},
    "primitives.patterns": {"re2"},  # regular expressions in linear time; pure
    "compare.shape": {"urllib"},  # percent signs in a reference
    "report.explain": {"pathlib"},  # the last part of a name
    "rubric": {"pathlib"},  # the type of a path, which it hands on to `files`
}

# Calls that touch the world, and the modules that may make them.
DISK = frozenset(
    [
        "open",
        "read_text",
        "read_bytes",
        "write_text",
        "write_bytes",
        "is_file",
        "is_dir",
        "exists",
        "isfile",
        "isdir",
        "listdir",
        "realpath",
        "glob",
        "rglob",
        "iterdir",
        "unlink",
    ]
)
WORLD = frozenset(
    ["now", "today", "utcnow", "getenv", "urandom", "input", "print", "system", "popen"]
)
ON_DISK = {"resources", "files"}


def modules() -> dict[str, Path]:
    """Every module of the package by its name within it."""
    return {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sorted(PACKAGE.rglob("*.py"))
    }


MODULES = modules()


def imports(path: Path) -> Iterator[str]:
    """Every module that one imports, by its full name."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (each.name for each in names)
            case ast.ImportFrom(module=str(module), level=0, names=names):
                yield module
                if module == "rulesengine":
                    yield from (f"rulesengine.{each.name}" for each in names)
            case ast.ImportFrom(level=level) if level:
                raise AssertionError(f"{path} imports relatively")
            case ast.Call(func=function, args=[ast.Constant(value=str(name)), *_]) if ast.unparse(
                function
            ).endswith("import_module"):
                yield name


def inner(path: Path) -> set[str]:
    """The modules of this package that one imports, by their names within it."""
    names = {
        name.removeprefix("rulesengine.")
        for name in imports(path)
        if name.startswith("rulesengine.")
    }
    return {name for name in names if name in MODULES}


def layer(name: str) -> str:
    """The layer that a module belongs to."""
    return name.partition(".")[0]


def test_every_module_has_a_layer() -> None:
    """A new module or folder finds its place in the table."""
    assert set(RANK) == {layer(name) for name in MODULES}


@pytest.mark.parametrize("name", MODULES)
def test_imports_go_up_the_table(name: str) -> None:
    """A module imports its own layer and those above it; not those beside or below it."""
    mine = RANK[layer(name)]

    wrong = {
        each
        for each in inner(MODULES[name])
        if layer(each) != layer(name) and RANK[layer(each)] >= mine
    }

    assert set() == wrong


def test_modules_form_no_circle() -> None:
    """No module needs itself, within a layer either."""
    needs = {name: inner(path) - {name} for name, path in MODULES.items() if name != "__init__"}
    done: set[str] = set()
    while ready := {name for name, of in needs.items() if name not in done and of <= done}:
        done |= ready

    assert set() == needs.keys() - done


@pytest.mark.parametrize("name", MODULES)
def test_the_core_imports_nothing_that_reaches_the_world(name: str) -> None:
    """Files, sockets, clock and environment come in by arguments, from the edge."""
    outside = {each.partition(".")[0] for each in imports(MODULES[name])} - {"rulesengine"}

    assert set() == outside - PURE - EXTRA.get(name, set())


@pytest.mark.parametrize("name", MODULES)
def test_only_the_edge_touches_the_disk(name: str) -> None:
    """No other module opens, reads, writes or looks for a file, or asks for the time."""
    called = {
        ast.unparse(node.func).rpartition(".")[2]
        for node in ast.walk(ast.parse(MODULES[name].read_text("utf-8")))
        if isinstance(node, ast.Call) and not ast.unparse(node.func).startswith("self.")
    }

    assert set() == called & WORLD
    assert set() == (set() if name in ON_DISK else called & DISK)


def test_nothing_in_the_core_knows_the_command() -> None:
    """`rulesengine` never imports `rulesengine_cli`."""
    users = [
        name
        for name, path in MODULES.items()
        if any("rulesengine_cli" in each for each in imports(path))
    ]

    assert users == []


def loaded_by(code: str, *names: str) -> set[str]:
    """Which of some modules are loaded after a piece of code in a process of its own."""
    script = (
        f"{code}\nimport sys\nsys.stderr.write(' '.join(sorted(set(sys.modules) & set({names!r}))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


def test_importing_the_package_loads_nothing_heavy() -> None:
    """`import rulesengine` leaves arrays, terminals and models alone."""
    assert set() == loaded_by("import rulesengine", "numpy", "rich", "torch", "cattrs")


def test_patterns_are_paid_for_by_those_who_write_them() -> None:
    """A rubric without `matches` is read and checked without the engine of regular expressions."""
    assert set() == loaded_by("import rulesengine\nrulesengine.load('bigaiarena')", "re2")


def test_help_loads_no_command() -> None:
    """`rubric --help` answers without the parser, the readers and the writers."""
    code = (
        "from rulesengine_cli.main import group\n"
        "try:\n    group(['--help'])\nexcept SystemExit as end:\n    assert not end.code"
    )

    assert set() == loaded_by(code, "lark", "numpy", "msgspec", "cattrs", "rich", "torch")


def test_a_check_loads_nothing_that_it_can_do_without() -> None:
    """`rubric check` of a sound rubric runs without Lark and whatever only errors, folders or scores need."""
    code = "from rulesengine_cli.main import run\nassert run(['check', 'bigaiarena']) == 0"

    assert set() == loaded_by(
        code, "lark", "pickle", "hashlib", "pathlib", "difflib", "attrs", "cattrs", "numpy", "rich"
    )
