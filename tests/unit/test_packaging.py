"""What pyproject.toml installs: the package with all its parts and data, and nothing beside it."""

import startup

import tomllib

import pytest
from client import ROOT

from common.layout import PARTS
from pawnstorm.engine import targets
from releasing import backend

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
SETUPTOOLS = PROJECT["tool"]["setuptools"]


OURS = "pawnstorm[build]"  # in an extra: what compiles the core


def package_of(folder):
    """The package that a folder of the checkout is installed as."""
    name = "pawnstorm." + ".".join(folder.relative_to(ROOT).parts)
    return name.replace("pawnstorm.protocol.pawnstorm", "pawnstorm")


def folders():
    """The folders of the package."""
    return [path.parent for top in ("engine", "protocol") for path in (ROOT / top).rglob("__init__.py")]


def test_every_package_is_listed():
    assert SETUPTOOLS["package-dir"] == {f"pawnstorm.{name}".strip("."): folder for name, folder in PARTS.items()}
    assert sorted(SETUPTOOLS["packages"]) == sorted(map(package_of, folders()))


def test_every_module_lies_in_a_package_and_all_data_is_listed():
    data = set()
    for package, patterns in SETUPTOOLS["package-data"].items():
        folder = next(folder for folder in folders() if package_of(folder) == package)
        data |= {path for pattern in patterns for path in folder.glob(pattern)}
    for top in ("engine", "protocol"):
        for path in (ROOT / top).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".md":
                assert path.suffix == ".py" and path.parent in folders() or path in data, path


def test_extras_beside_dev_ask_for_what_dev_has():
    extras = PROJECT["project"]["optional-dependencies"]
    pinned = {line.partition("==")[0] for line in extras["dev"] if "==" in line}
    wanted = {line.partition(">")[0].partition("=")[0] for name in extras for line in extras[name] if name != "dev"}
    assert wanted - {OURS} <= pinned


def test_programs_name_the_extra_that_brings_what_is_missing():
    extras = PROJECT["project"]["optional-dependencies"]
    assert set(startup.EXTRAS) == {path.stem for path in (ROOT / "scripts").glob("*.py")}
    brought = [*((extra, "tqdm") for extra in startup.EXTRAS.values()), ("train", "scipy")]
    brought += [(extra, OURS) for extra in startup.EXTRAS.values() if extra != "dev"]
    for extra, library in [*brought, *((extra, library) for library, extra in startup.SPECIAL.items())]:
        assert any(line.startswith(library.replace("_", "-")) for line in extras[extra]), (extra, library)


def test_what_is_installed_needs_nothing():
    assert PROJECT["project"]["dependencies"] == []


def test_every_platform_with_a_system_has_a_wheel():
    assert set(backend.WHEELS) == {name for name in targets.PLATFORMS if name != "wasm32"}


@pytest.mark.parametrize(
    "settings, fault",
    [
        ({"platform": "linux-sparc"}, "unknown platform 'linux-sparc': expected one of linux-x86-64, "),
        ({"platfrom": "linux-x86-64"}, "unknown setting 'platfrom': expected platform or cores"),
    ],
)
def test_wrong_setting_of_a_wheel_is_named(settings, fault):
    with pytest.raises(ValueError, match=fault):
        backend.build_wheel("nowhere", settings)


def test_compiler_is_wanted_by_a_wheel_alone_and_not_where_the_cores_are_given():
    compiler = PROJECT["project"]["optional-dependencies"]["build"]
    assert backend.get_requires_for_build_wheel({"platform": "macos-aarch64"}) == [*compiler, "ziglang"]
    assert backend.get_requires_for_build_wheel({"cores": "made"}) == []
    assert backend.get_requires_for_build_editable() == []
