"""What pyproject.toml asks for, and the hook that puts cores into a wheel."""

import ast
import re
import tomllib

import pytest
from client import ROOT
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

from pawnstorm.core import targets
from pawnstorm_protocol.main import TOOLS
from pawnstorm_tools import startup
from pawnstorm_tools.releasing import wheel_hook
from pawnstorm_tools.releasing.cores import WHEELS

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS = PROJECT["project"]["optional-dependencies"]


def whole(extra):
    """The requirements of an extra, including those of the extras that it names."""
    for line in EXTRAS[extra]:
        if line.startswith("pawnstorm["):
            for name in line.removeprefix("pawnstorm[").rstrip("]").split(","):
                yield from whole(name)
        else:
            yield line


def project(line):
    """The name of the project that is required."""
    return re.match(r"[\w-]+", line)[0]


def test_dev_pins_what_any_extra_asks_for():
    pinned = {project(line) for line in whole("dev") if re.match(r"[^; ]+==", line)}
    assert {project(line) for name in EXTRAS for line in whole(name)} == pinned


def test_every_pin_stands_in_one_place():
    """Except distributed, which is pinned for users as well."""
    pinned = [line for name in EXTRAS for line in EXTRAS[name] if re.match(r"[^; ]+==", line)]
    pins = [line for line in pinned if not line.startswith("distributed")]
    assert len({project(line) for line in pins}) == len(pins) - 1  # ziglang has two: for Windows, and for a release


def test_the_executable_takes_neither_test_libraries_nor_those_of_a_release():
    assert {project(line) for line in whole("freeze")} == {"llvmlite", "numba", "numpy", "pyinstaller", "ziglang"}


def test_workflow_for_windows_finds_the_pins_that_it_installs():
    pattern = re.search("grep -oE '(.*?)'", (ROOT / ".github" / "workflows" / "ci.yml").read_text())[1]
    found = {
        project(pin.strip('"'))
        for pin in re.findall(pattern.replace("(", "(?:"), (ROOT / "pyproject.toml").read_text())
    }
    assert found == {"chess", "psutil", "pytest", "pytest-timeout", "pytest-xdist", "tqdm"}


def extra_of(program):
    """The value of __extra__ in a program of scripts/."""
    for node in ast.parse(program.read_text()).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "__extra__":
            return node.value.value
    raise AssertionError(f"{program} names no extra in __extra__")


def test_programs_name_the_extra_that_brings_what_is_missing():
    """A clone's core has to be compiled too."""
    named = {extra_of(path) for path in (ROOT / "scripts").glob("*.py")} | set(TOOLS.values())
    brought = [
        *((extra, "tqdm") for extra in named),
        ("train", "scipy"),
        ("solve", "numba"),
        ("match", "numpy"),
        ("report", "numpy"),
        ("data", "numpy"),
        ("data", "pyarrow"),
    ]
    brought += [(extra_of(path), "numba") for path in (ROOT / "scripts").glob("*.py")]
    for extra, library in [*brought, *((extra, library) for library, extra in startup.SPECIAL.items())]:
        projects = {project(line) for part in extra.split(",") for line in whole(part)}
        assert any(name.startswith(library.replace("_", "-")) for name in projects), (extra, library)


def test_every_platform_with_a_system_has_a_wheel():
    assert set(WHEELS) == {name for name in targets.PLATFORMS if name != "wasm32"}


@pytest.fixture
def hook(tmp_path):
    """The hook, as hatchling has it when it builds a wheel."""
    metadata = ProjectMetadata(str(ROOT), PluginManager())
    return wheel_hook.CoresHook(str(ROOT), {}, None, metadata, str(tmp_path), "wheel")


def test_unknown_platform_of_a_wheel_is_named(hook, monkeypatch):
    monkeypatch.setenv("PAWNSTORM_PLATFORM", "linux-sparc")
    with pytest.raises(ValueError, match="unknown platform 'linux-sparc': expected one of linux-x86-64, "):
        hook.initialize("standard", {})


def test_compiler_is_wanted_unless_the_cores_are_given(hook, monkeypatch):
    monkeypatch.setenv("PAWNSTORM_PLATFORM", "macos-aarch64")
    assert hook.dependencies() == [*EXTRAS["build"], "ziglang"]
    monkeypatch.setenv("PAWNSTORM_CORES", "made")
    assert hook.dependencies() == []


def test_editable_install_gets_no_cores(hook):
    data = {}
    hook.initialize("editable", data)
    assert data == {}
