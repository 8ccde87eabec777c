"""The table of targets, and which of its platforms a process is on."""

import os
import sys
from types import SimpleNamespace

import pytest

from pawnstorm.core import targets


def test_every_target_has_a_name_and_a_library_of_its_own():
    assert len(targets.TARGETS) == sum(len(row.processors) for row in targets.PLATFORMS.values())
    assert len({target.library for target in targets.TARGETS.values()}) == len(targets.TARGETS)


def test_targets_of_a_platform_begin_with_the_least():
    assert targets.targets_of("linux-x86-64") == ["linux-probe", "linux-x86-64", "linux-x86-64-v2", "linux-x86-64-v3"]
    assert targets.targets_of("macos-aarch64") == ["macos-aarch64"]


def on(monkeypatch, system, machine, version="3.11.9 [GCC 12.2.0]", largest=(1 << 63) - 1):
    """host_platform() of a process on that system."""
    for name, value in (("platform", system), ("version", version), ("maxsize", largest)):
        monkeypatch.setattr(sys, name, value)
    if machine:
        monkeypatch.setattr(os, "uname", lambda: SimpleNamespace(machine=machine), raising=False)
    else:
        monkeypatch.delattr(os, "uname", raising=False)
    return targets.host_platform()


@pytest.mark.parametrize(
    "system, machine, platform",
    [
        ("linux", "x86_64", "linux-x86-64"),
        ("linux", "aarch64", "linux-aarch64"),
        ("darwin", "x86_64", "macos-x86-64"),
        ("darwin", "arm64", "macos-aarch64"),
    ],
)
def test_platform_is_told_by_system_and_processor(system, machine, platform, monkeypatch):
    assert on(monkeypatch, system, machine) == platform


def test_windows_is_told_by_what_python_was_compiled_for(monkeypatch):
    assert on(monkeypatch, "win32", None, "3.11.9 [MSC v.1938 64 bit (AMD64)]") == "windows-x86-64"


@pytest.mark.parametrize(
    "system, machine, named",
    [
        ("linux", "riscv64", "linux-riscv64"),
        ("freebsd14", "amd64", "freebsd14-x86-64"),
        ("win32", None, "windows-a 32-bit"),
    ],
)
def test_platform_without_a_core_is_named_with_those_that_have_one(system, machine, named, monkeypatch):
    with pytest.raises(RuntimeError, match=f"no native core for {named}.*: expected one of linux-x86-64, "):
        on(monkeypatch, system, machine, "3.11.9 [MSC v.1938 32 bit (Intel)]")


def test_32_bit_python_on_a_64_bit_system_is_told_so(monkeypatch):
    with pytest.raises(RuntimeError, match="this Python is a 32-bit program: expected a 64-bit one for linux-aarch64"):
        on(monkeypatch, "linux", "aarch64", largest=(1 << 31) - 1)
