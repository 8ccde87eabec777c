"""The build backend of pyproject.toml (PEP 517): setuptools, and in a wheel the native cores of its platform.

    pip wheel . --config-settings platform=windows-x86-64      for another platform than this machine's
    pip wheel . --config-settings cores=FOLDER                 with the cores that release.py has made there

An editable install gets no cores: a checkout compiles its own. What is built is built from a copy, so that nothing that
lies in the checkout comes in, and nothing is left there.
"""

import startup

import contextlib
import os
import shutil
import tempfile

from setuptools import build_meta
from setuptools.build_meta import (  # noqa: F401  the other hooks are setuptools' own
    build_editable,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)
from setuptools.config.pyprojecttoml import load_file

from pawnstorm.engine.targets import here
from releasing import cores

WHEELS = {
    "linux-x86-64": "manylinux_2_5_x86_64",
    "linux-aarch64": "manylinux_2_17_aarch64",
    "windows-x86-64": "win_amd64",
    "macos-x86-64": "macosx_11_0_x86_64",
    "macos-aarch64": "macosx_11_0_arm64",
}
"""Platform -> the tag of its wheel; Linux's are those that `auditwheel show` finds, as the cores need no library. There is
none for Python: the cores are loaded by ctypes, and know nothing of it.
"""
PARTS = ("LICENSE", "README.md", "pyproject.toml", "engine", "protocol", "scripts/startup", "scripts/releasing")
"""What a wheel is built from."""


def get_requires_for_build_wheel(config_settings=None):
    """What compiles and links the cores; no wheel needs it later."""
    platform, made = _settings(config_settings)
    if made:
        return []
    compiler = load_file(os.path.join(startup.ROOT, "pyproject.toml"))["project"]["optional-dependencies"]["build"]
    return [*compiler, *(["ziglang"] if cores.zig_is_needed([platform]) else [])]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Write the wheel of a platform; returns the name of its file."""
    platform, made = _settings(config_settings)
    options = {"--build-option": ["--plat-name", WHEELS[platform]]}
    folder = os.path.abspath(wheel_directory)
    with _copy() as made_here:
        if not made:
            cores.make([platform], made_here)
        cores.ship(platform, made or made_here, os.path.join("engine", "cores"))
        return build_meta.build_wheel(folder, options, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    """Write the archive of sources; returns the name of its file."""
    folder = os.path.abspath(sdist_directory)
    with _copy():
        with open("MANIFEST.in", "w") as manifest:  # the packages and pyproject.toml are in it without being named
            manifest.writelines(f"graft {part}\n" for part in PARTS if part.startswith("scripts"))
        return build_meta.build_sdist(folder)


def _settings(config_settings):
    """(platform, folder of its cores or None) of what the command line sets. Raises ValueError."""
    settings = dict(config_settings or {})
    platform, made = settings.pop("platform", None) or here(), settings.pop("cores", None)
    if settings:
        raise ValueError(f"unknown setting '{next(iter(settings))}': expected platform or cores")
    if platform not in WHEELS:
        raise ValueError(f"unknown platform '{platform}': expected one of {', '.join(WHEELS)}")
    return platform, made and os.path.abspath(made)


@contextlib.contextmanager
def _copy():
    """The current folder is a copy of PARTS; gives another empty one. Files get the modes of new ones, so that a wheel
    does not tell how its builder keeps his.
    """
    before, mask = os.getcwd(), os.umask(0o022)
    try:
        with tempfile.TemporaryDirectory(prefix="pawnstorm-") as aside:
            root, empty = os.path.join(aside, "checkout"), os.path.join(aside, "cores")
            os.mkdir(empty)
            for part in PARTS:
                source, copy = os.path.join(startup.ROOT, part), os.path.join(root, part)
                os.makedirs(os.path.dirname(copy), exist_ok=True)
                if os.path.isdir(source):
                    ignored = shutil.ignore_patterns("__pycache__", "cores")
                    shutil.copytree(source, copy, copy_function=shutil.copyfile, ignore=ignored)
                else:
                    shutil.copyfile(source, copy)
            os.chdir(root)
            yield empty
    finally:
        os.chdir(before)
        os.umask(mask)
