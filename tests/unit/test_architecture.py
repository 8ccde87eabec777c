"""Which module may import which, and what a running engine must never import."""

import ast
import functools
import re
from re import _parser  # type: ignore[attr-defined]

import client
import pytest

ROOT = client.ROOT
COMPILER = {"numpy", "numba", "llvmlite"}
# Where kernels or the compiler are imported late, in a function: to build, and to run the kernels as plain Python.
LATE = {"pawnstorm.core.native", "pawnstorm.core.build"}
# The modules of an extra that need numpy; nothing else of the library imports them before it is asked for an array.
ARRAYS = {"pawnstorm.pettingzoo", "pawnstorm.planes"}
# What makes a core; an installed engine needs none of it.
MAKERS = {f"pawnstorm.core.{name}" for name in ("build", "linker", "sources")}
# Kernel modules by what may be imported: each only from rows above.
ROWS = [
    {"kernel"}, {"bits", "vector_rows"}, {"position"}, {"movegen", "network", "node", "ntuple", "race", "table", "threats"},
    {"evaluate"},
    {"endings", "movepick", "pn_table"}, {"dfpn", "line_book", "quiescence"}, {"batch", "search"}, {"root"}, {"core"},
]  # fmt: skip
# What the packages of pawnstorm_tools may import of one another.
TOOLS = {
    "startup": set(),
    "programs": {
        "checking",
        "cluster",
        "common",
        "datasets",
        "opponents",
        "referee",
        "reporting",
        "solving",
        "startup",
    },
    "common": set(),
    "benchmarks": {"cluster", "common", "referee", "solving", "startup", "training"},
    "checking": {"common"},
    "cluster": {"common"},
    "datasets": {"common"},
    "opening_tree": {"common"},
    "opponents": set(),
    "playing_page": {"common", "reporting", "startup"},
    "releasing": {"common", "playing_page", "startup"},
    "referee": {"cluster", "common", "startup"},
    "reporting": {"common", "referee", "startup"},
    "solving": {"checking", "cluster", "common"},
    "measuring": {"checking", "common", "referee", "solving", "startup"},
    "training": {"common", "referee", "solving", "startup"},
}


def modules():
    """{full name: path} of all modules of the project but the tests."""
    found = {}
    for folder in ("engine", "protocol", "scripts"):
        for path in (ROOT / folder).rglob("*.py"):
            found[".".join(path.relative_to(ROOT / folder).with_suffix("").parts).removesuffix(".__init__")] = path
    return found


PATHS = modules()


def imports(path):
    """(all, those at the top level) of a module's imports as full names; `from pawnstorm.core import state` is
    pawnstorm.core.state. Those for a type checker alone are left out.
    """
    everything, top = set(), set()

    def named(node):
        if isinstance(node, ast.Import):
            return {alias.name for alias in node.names}
        assert node.level == 0, f"{path.name} imports relatively"
        full = {alias.name: f"{node.module}.{alias.name}" for alias in node.names}
        return {full[name] if full[name] in PATHS else node.module for name in full}

    def walk(node, late):
        for inner in ast.iter_child_nodes(node):
            if isinstance(inner, (ast.Import, ast.ImportFrom)):
                everything.update(named(inner))
                top.update(() if late else named(inner))
            elif isinstance(inner, ast.If) and isinstance(inner.test, ast.Name) and inner.test.id == "TYPE_CHECKING":
                continue
            elif isinstance(inner, (ast.stmt, ast.excepthandler, ast.match_case)):
                walk(inner, late or isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)))

    walk(ast.parse(path.read_text()), False)
    return everything, top


@functools.cache
def imported():
    """{full name: imports() of it} of all modules."""
    return {name: imports(path) for name, path in PATHS.items()}


KERNELS = {name for name in PATHS if name.startswith("pawnstorm.kernels.")}
PROGRAMS = {path.stem for path in (ROOT / "scripts").glob("*.py")}


def top_package(name):
    return name.split(".")[0]


@pytest.mark.parametrize("name", sorted(KERNELS))
def test_kernel_module_imports_tables_and_kernels_of_the_rows_above(name):
    row = {f"pawnstorm.kernels.{module}": number for number, modules in enumerate(ROWS) for module in modules}
    above = {other for other in KERNELS if row[other] < row[name]}
    tables = {f"pawnstorm.core.{table}" for table in ("exports", "line_book_layout", "parameters", "state")}
    others = {other for other in imported()[name][0] if top_package(other) not in COMPILER}
    assert others <= above | tables | {"ctypes"}  # which reads memory where kernels are plain Python


def test_top_level_imports_have_no_cycle():
    left = {name: {other for other in top if other in PATHS} for name, (_, top) in imported().items()}
    while left:
        ready = {name for name, others in left.items() if not others & set(left)}
        assert ready, f"a cycle among {sorted(left)}"
        left = {name: others for name, others in left.items() if name not in ready}


def imported_by(prefix):
    """{(module, what it imports)} of all modules whose full name begins so."""
    return {
        (name, other) for name, (everything, _) in imported().items() if name.startswith(prefix) for other in everything
    }


def outsiders(prefix, *roots):
    """Those of imported_by() that lie in one of these packages."""
    return {pair for pair in imported_by(prefix) if top_package(pair[1]) in roots}


def test_library_knows_no_protocol_and_no_tool():
    """Only `python -m pawnstorm` hands over to the command line."""
    assert outsiders("pawnstorm.", "pawnstorm_protocol", "pawnstorm_tools") == {
        ("pawnstorm.__main__", "pawnstorm_protocol.main")
    }


def test_rooms_of_the_library_do_not_know_its_public_interface():
    names = "analysis async_engine batches board chess engine game kaggle openspiel pettingzoo planes solver static_score __main__"
    public = {f"pawnstorm.{name}" for name in names.split()}
    assert public < set(PATHS)
    assert [pair for pair in imported_by("pawnstorm.") if pair[0].count(".") > 1 and pair[1] in public] == []


def test_protocol_knows_no_tool():
    """Only the command hands over to the programs, if they are installed."""
    assert outsiders("pawnstorm_protocol.", "pawnstorm_tools") == {
        ("pawnstorm_protocol.main", "pawnstorm_tools.programs")
    }


def test_no_module_imports_a_program():
    assert outsiders("", *PROGRAMS) == set()


def room(name):
    """`referee` for pawnstorm_tools.referee.game."""
    return name.split(".")[1]


@pytest.mark.parametrize("package", sorted({room(name) for name in PATHS if name.startswith("pawnstorm_tools.")}))
def test_package_of_the_tools_imports_its_own_and_those_below(package):
    others = {other for _, other in imported_by(f"pawnstorm_tools.{package}") if other.startswith("pawnstorm_tools.")}
    assert set(map(room, others)) <= TOOLS[package] | {package}


def test_checker_shares_nothing_with_the_engine():
    assert outsiders("pawnstorm_tools.checking", "pawnstorm") == set()


def test_scripts_take_the_kernels_out_of_the_cache():
    """Who compiles with the engine's kernels imports pawnstorm_tools.common.engine_kernels first, or they are compiled at each start;
    pawnstorm_tools.training.tunable changes them, and must not have them cached.
    """
    apart = (
        "pawnstorm_tools.common.engine_kernels",
        "pawnstorm_tools.training.tunable",
        "pawnstorm_tools.solving.kernels.",
        "pawnstorm_tools.training.kernels.",
    )
    for name, (_, top) in imported().items():
        if top & KERNELS and top_package(name) != "pawnstorm" and not name.startswith(apart):
            text = PATHS[name].read_text()
            before = text.partition("from pawnstorm.kernels")[0]
            assert "from pawnstorm_tools.common import engine_kernels" in before, name


def test_uci_starts_without_what_only_other_words_need():
    """PGN, the course's modules and the terminal's are imported by their words of the command line alone, sockets and
    children with them.
    """
    apart = ("pawnstorm.pgn", "pawnstorm_protocol.course", "pawnstorm_protocol.client")
    late = {name for name in PATHS if name.startswith(apart)}
    late |= {"pawnstorm_protocol.play", "socket", "select", "subprocess", "argparse", "difflib"}
    for name in {
        "pawnstorm_protocol.main",
        "pawnstorm_protocol.uci",
        "pawnstorm_protocol.options",
        "pawnstorm_protocol.parse",
        "pawnstorm_protocol.uci_format",
        "pawnstorm.suggestions",
    }:
        assert not imported()[name][1] & late, name


def test_what_runs_imports_no_kernel_and_no_compiler():
    """At the top level nowhere but in the modules of arrays; late only in the two modules whose purpose it is."""
    for name, (everything, top) in imported().items():
        assert not top & ARRAYS or name in ARRAYS or top_package(name) == "pawnstorm_tools", name
        if name not in KERNELS | ARRAYS and top_package(name) in ("pawnstorm", "pawnstorm_protocol"):
            found = top if name in LATE else everything
            assert not found & KERNELS and not COMPILER & set(map(top_package, found)), name


def test_only_the_loader_imports_the_builder():
    assert {name for name, other in imported_by("pawnstorm") if other in MAKERS and "_tools" not in name} - MAKERS == {
        "pawnstorm.core.native"
    }
    assert not MAKERS & imported()["pawnstorm.core.native"][1]


def test_dates_are_written_and_never_reckoned_with():
    """What goes by the system's date stands still, or comes at once, when somebody sets it."""
    dated = re.compile(r"time\.time\b|time_ns\b|\bdatetime\b|st_[acm]time\b|getmtime|from time import (?!perf_counter)")
    assert {name for name, path in PATHS.items() if dated.search(path.read_text())} == {
        "pawnstorm_protocol.client.debuglog",  # the time of a line
        "pawnstorm_protocol.play",  # a seed
        "pawnstorm_tools.referee.local_match",  # the date of a game
        "pawnstorm_tools.releasing.materials",  # the date of a release
    }


def test_only_the_module_of_threads_sets_the_size_of_stacks():
    assert {name for name, path in PATHS.items() if "stack_size(" in path.read_text()} == {"pawnstorm.system.threads"}


def expressions(path):
    """The regular expressions that a module gives to functions of `re` as they stand."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == "re":
            if isinstance(pattern := next(iter(node.args), None), ast.Constant) and isinstance(pattern.value, str):
                yield pattern.value


def test_expressions_need_no_python_later_than_the_oldest():
    """Possessive repetitions and atomic groups came with Python 3.11; scripts alone may have them."""
    found = {
        (name, text)
        for name, path in PATHS.items()
        if top_package(name) in ("pawnstorm", "pawnstorm_protocol")
        for text in expressions(path)
    }
    assert len(found) > 20
    later = re.compile("POSSESSIVE|ATOMIC")
    assert later.search(str(_parser.parse("a*+"))) and later.search(str(_parser.parse("(?>a)")))
    assert [(name, text) for name, text in found if later.search(str(_parser.parse(text)))] == []
