"""Which module may import which, and what a running engine must never import."""
import ast

import pytest

import client

ENGINE, PROTOCOL = client.ROOT / "engine", client.ROOT / "protocol"
FOLDERS = {"engine": ENGINE, "protocol": PROTOCOL, "protocol.course": PROTOCOL / "course"}
COMPILER = {"numpy", "numba", "llvmlite"}
# Where kernels or the compiler are imported late, in a function: to build, and to run the kernels as plain Python.
LATE = {"engine.native", "engine.build"}
# Kernel modules by what may be imported: each only from rows above.
ROWS = [{"rules", "state"}, {"kernel"}, {"bits"}, {"position"}, {"movegen", "ntuple", "race", "table"}, {"evaluate"},
        {"movepick", "proofs"}, {"search"}, {"solver"}, {"core"}]


def imports(path):
    """(all, those at the top level) of a module's imports as full names; `from engine import rules` is engine.rules."""
    tree = ast.parse(path.read_text())
    packages = {name: {file.stem for file in folder.glob("*.py")} for name, folder in FOLDERS.items()}

    def named(nodes):
        names = set()
        for node in nodes:
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{path.name} imports relatively"
                inside = {alias.name for alias in node.names} & packages.get(node.module, set())
                names |= {f"{node.module}.{name}" for name in inside} or {node.module}
        return names

    late = {inner for outer in ast.walk(tree) if isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
            for inner in ast.walk(outer)}
    everything = list(ast.walk(tree))
    return named(everything), named(node for node in everything if node not in late)


MODULES = {f"{name}.{path.stem}": imports(path) for name, folder in FOLDERS.items() for path in folder.glob("*.py")}
KERNELS = {name for name, (_, top) in MODULES.items() if name.startswith("engine.") and name != "engine.build"
           and {"numba", "engine.kernel"} & {*top, *(n.split(".")[0] for n in top)}}


def top_package(name):
    return name.split(".")[0]


def test_the_kernel_modules_are_found():
    assert {f"engine.{name}" for row in ROWS[1:] for name in row} <= KERNELS
    assert KERNELS.isdisjoint({"engine.native", "engine.build", "engine.engine", "engine.board", "engine.rules", "engine.state"})


@pytest.mark.parametrize("name", sorted(KERNELS))
def test_kernel_module_imports_kernels_rules_and_state_only(name):
    everything, _ = MODULES[name]
    ours = {"engine.rules", "engine.state", "ctypes"} | KERNELS   # ctypes reads memory where kernels are plain Python
    assert {other for other in everything if other not in ours and top_package(other) not in COMPILER} == set()


@pytest.mark.parametrize("name", sorted(KERNELS))
def test_kernels_import_downwards(name):
    row = {module: number for number, modules in enumerate(ROWS) for module in modules}
    below = {other for other in MODULES[name][0] if top_package(other) == "engine"}
    assert {other for other in below if row[other.removeprefix("engine.")] >= row[name.removeprefix("engine.")]} == set()


def test_top_level_imports_have_no_cycle():
    left = {name: {other for other in top if other in MODULES} for name, (_, top) in MODULES.items()}
    while left:
        ready = {name for name, others in left.items() if not others & set(left)}
        assert ready, f"a cycle among {sorted(left)}"
        left = {name: others for name, others in left.items() if name not in ready}


def test_engine_knows_no_protocol_and_no_script():
    outside = {"protocol", "scripts", "tests"}
    assert {(name, other) for name, (everything, _) in MODULES.items() if name.startswith("engine.")
            for other in everything if top_package(other) in outside} == set()


def test_protocol_knows_no_script():
    assert {(name, other) for name, (everything, _) in MODULES.items() if name.startswith("protocol.")
            for other in everything if top_package(other) in {"scripts", "tests"}} == set()


def test_uci_starts_without_what_only_other_words_need():
    """The course's modules and the terminal's are imported by their words of the command line alone, sockets and children with them."""
    late = {"protocol.play", "protocol.course.commandline", "protocol.uciclient", "protocol.pump", "protocol.tether",
            "socket", "select", "subprocess", "argparse"}
    for name, (_, top) in MODULES.items():
        if name.startswith("protocol.") and not name.startswith("protocol.course") and name not in late:
            assert not top & late, name


def test_what_runs_imports_no_kernel_and_no_compiler():
    """At the top level nowhere; late only in the two modules whose purpose it is."""
    found = set()
    for name, (everything, top) in MODULES.items():
        if name not in KERNELS:
            found |= {(name, other) for other in (top if name in LATE else everything)
                      if other in KERNELS or top_package(other) in COMPILER}
    assert found == set()


def test_only_the_loader_imports_the_builder():
    assert {name for name, (everything, _) in MODULES.items() if "engine.build" in everything} == {"engine.native"}
    assert "engine.build" not in MODULES["engine.native"][1]
