"""The folder of compiled cores: nobody else can put a library there, and what is not whole is made again."""

import itertools
import os
import shutil
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from pawnstorm.core import build, linker, native
from pawnstorm.core.targets import PLATFORMS, TARGETS, host_platform
from pawnstorm.system import cache

LIBRARY = PLATFORMS[host_platform()].library_suffix


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A cache root in a folder of its own; neither is made yet."""
    monkeypatch.setenv("PAWNSTORM_CACHE", str(tmp_path / "above" / "root"))
    return tmp_path / "above" / "root"


def give_away(path, monkeypatch):
    """Make a file or folder another user's, as this process sees it."""
    if os.geteuid() == 0:
        os.chown(path, 65534, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)


# Whom the folder may belong to.


@pytest.mark.parametrize("umask", [0o022, 0o000, 0o077])
def test_made_folder_is_fit_under_any_umask(umask, root):
    before = os.umask(umask)
    try:
        folder = cache.folder("state")
    finally:
        os.umask(before)
    assert cache.folder("state") == folder and Path(folder).parent == root


@pytest.mark.parametrize(
    "level, mode", [("folder", 0o1777), *itertools.product(("folder", "root"), (0o777, 0o775, 0o707))]
)
def test_folder_that_others_can_write_is_refused_by_name(level, mode, root):
    judged = {"folder": Path(cache.folder("state")), "root": root}[level]
    judged.chmod(mode)
    with pytest.raises(cache.UnsafeCache, match=f"others can write to {judged}: run chmod go-w"):
        cache.folder("state")


def test_default_root_that_the_umask_let_others_write_is_taken_back(tmp_path, monkeypatch):
    monkeypatch.delenv("PAWNSTORM_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = cache.folder("state")
    (tmp_path / "pawnstorm").chmod(0o775)
    assert cache.folder("state") == folder and (tmp_path / "pawnstorm").stat().st_mode & 0o777 == 0o755


@pytest.mark.skipif(os.name != "posix", reason="no HOME")
def test_user_without_a_home_gets_no_folder_in_the_current_one(tmp_path, monkeypatch):
    def unknown(number):
        raise KeyError(f"getpwuid(): uid not found: {number}")

    monkeypatch.setattr("pwd.getpwuid", unknown)
    monkeypatch.chdir(tmp_path)
    for name in ("PAWNSTORM_CACHE", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(OSError, match="'~' is not a home folder: expected HOME to be an absolute path"):
        cache.folder("state")
    assert list(tmp_path.iterdir()) == []


def test_build_is_told_on_one_line_whatever_the_folder_is_called():
    assert (
        native._one_line("/a b/\N{GRINNING FACE}") == "/a b/\N{GRINNING FACE}" and native._one_line("/a\nb") == "/a\\nb"
    )


def test_root_may_be_a_folder_like_tmp(root):
    folder = cache.folder("state")
    root.chmod(0o1777)
    assert cache.folder("state") == folder


def test_folder_above_the_root_is_refused_only_where_everybody_can_rename_in_it(root):
    folder = cache.folder("state")
    for mode in (0o1777, 0o775):
        root.parent.chmod(mode)
        assert cache.folder("state") == folder
    root.parent.chmod(0o777)
    with pytest.raises(cache.UnsafeCache, match=f"others can write to {root.parent}: run chmod go-w"):
        cache.folder("state")


@pytest.mark.parametrize("level", ["folder", "root"])
def test_folder_of_another_user_is_refused_by_name(level, root, monkeypatch):
    folder = cache.folder("state")
    give_away(folder if level == "folder" else root, monkeypatch)
    with pytest.raises(cache.UnsafeCache, match="belongs to another user"):
        cache.folder("state")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_root_may_use_the_home_of_another_user(root, monkeypatch):
    folder = cache.folder("state")
    give_away(root.parent, monkeypatch)
    assert cache.folder("state") == folder


def test_link_is_followed_before_the_folder_is_judged(root, tmp_path):
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o777)
    root.parent.mkdir()
    root.symlink_to(tmp_path / "shared")
    with pytest.raises(cache.UnsafeCache, match=f"others can write to {tmp_path / 'shared'}: run chmod go-w"):
        cache.folder("state")


# What a file has to be.


@pytest.fixture
def stored(tmp_path):
    """A file that install() has put in place."""
    return put(tmp_path / "core-test.so", b"first" * 1000)


def put(path, data):
    new = path.with_name("new")
    new.write_bytes(data)
    cache.install(str(new), str(path))
    return path


def test_stored_file_is_sound_and_nothing_else_is_left(stored):
    assert cache.is_intact(str(stored)) and stored.read_bytes() == b"first" * 1000
    assert sorted(os.listdir(stored.parent)) == ["core-test.so", "core-test.so.sha256"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.unlink(),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes(b"F" + path.read_bytes()[1:]),
        lambda path: Path(f"{path}.sha256").unlink(),
        lambda path: Path(f"{path}.sha256").write_bytes(b""),
        lambda path: path.chmod(0o666),
        lambda path: path.chmod(0o664),
    ],
    ids=["missing", "empty", "cut", "altered", "no digest", "empty digest", "writable by all", "writable by the group"],
)
def test_file_with_a_fault_is_not_sound(damage, stored):
    damage(stored)
    assert not cache.is_intact(str(stored))


def test_file_of_another_user_is_not_sound(stored, monkeypatch):
    give_away(stored, monkeypatch)
    assert not cache.is_intact(str(stored))


def test_umask_does_not_let_others_write_what_is_stored(tmp_path):
    before = os.umask(0)
    try:
        path = put(tmp_path / "core-test.so", b"data")
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o022 == 0 and cache.is_intact(str(path))


class Crash(BaseException):
    """Stands for the machine's end."""


def test_crash_at_any_step_leaves_a_whole_file_or_one_that_is_made_again(stored, monkeypatch):
    steps, last = [], 0

    def step(real):
        def call(*arguments):
            steps.append(real.__name__)
            if len(steps) > last:
                raise Crash
            return real(*arguments)

        return call

    for name in ("fsync", "replace", "chmod"):
        monkeypatch.setattr(os, name, step(getattr(os, name)))
    crashed = True
    while crashed:
        steps.clear()
        try:
            put(stored, b"second" * 1000)
            crashed = False
        except Crash:
            assert not cache.is_intact(str(stored)) or stored.read_bytes() in (b"first" * 1000, b"second" * 1000)
            last += 1
    assert cache.is_intact(str(stored)) and stored.read_bytes() == b"second" * 1000
    # Names only change once the contents are on the disk, and are brought there too.
    assert steps == ["chmod", "fsync", "fsync", "replace", "replace", "fsync"]


# How the loader uses it; here the compiler only copies what was built for this process.


@pytest.fixture
def core(tmp_path, monkeypatch, capsys):
    """A folder with a built core: `library` is its path, find_or_build() asks for it again, and `done` tells what that compiled
    and linked.
    """
    target, source, done = native.core().target, native.core().source, []

    def compile_targets(names, folder):
        (name,) = names
        done.append("compile")
        put(Path(folder, f"core-{name}.o"), b"object")

    def link(name, folder):
        done.append("link")
        shutil.copy(source, Path(folder, "linked"))
        cache.install(os.path.join(folder, "linked"), os.path.join(folder, TARGETS[name].library))
        return os.path.join(folder, TARGETS[name].library)

    monkeypatch.setattr(build, "compile_targets", compile_targets)
    monkeypatch.setattr(linker, "link", link)

    def built():
        return Path(native.find_or_build(target, str(tmp_path), persistent=True))

    found = SimpleNamespace(library=built(), built=built, done=done, lock=tmp_path / f"core-{target}.lock")
    done.clear()
    capsys.readouterr()
    return found


@pytest.mark.compiled
def test_whole_library_is_used_and_nothing_is_written(core, capsys):
    folder = core.library.parent
    core.lock.unlink()
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    folder.chmod(0o555)
    assert core.built() == core.library and core.done == [] and capsys.readouterr().err == ""
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before
    folder.chmod(0o755)


@pytest.mark.compiled
@pytest.mark.parametrize(
    "suffixes, work", [([LIBRARY], ["link"]), ([LIBRARY, ".o"], ["compile", "link"])], ids=["library", "both"]
)
def test_damaged_file_is_made_again_with_one_line(suffixes, work, core, capsys):
    for suffix in suffixes:
        core.library.with_suffix(suffix).write_bytes(b"")
    assert core.built() == core.library and core.done == work and cache.is_intact(str(core.library))
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and f"{core.library} is damaged" in said


@pytest.mark.compiled
def test_damaged_file_is_made_again_once_by_two_starts(core, capsys):
    core.library.write_bytes(b"")
    starts = [threading.Thread(target=core.built, daemon=True) for _ in range(2)]
    for start in starts:
        start.start()
    for start in starts:
        start.join(20)
    assert core.done == ["link"] and cache.is_intact(str(core.library)) and capsys.readouterr().err.count("\n") == 1


def shut(core):
    """Make a folder as good as read-only, also for the superuser: the lock cannot be opened."""
    core.lock.unlink()
    core.lock.mkdir()


@pytest.mark.compiled
def test_object_alone_is_used_from_a_folder_that_cannot_be_written(core, capsys):
    core.library.unlink()
    shut(core)
    assert core.built() == core.library.with_suffix(".o") and core.done == []
    assert "llvmlite" in capsys.readouterr().err


@pytest.mark.compiled
def test_damaged_object_is_not_used_from_a_folder_that_cannot_be_written(core):
    core.library.unlink()
    core.library.with_suffix(".o").write_bytes(b"")
    shut(core)
    with pytest.raises(OSError):
        core.built()


@pytest.mark.compiled
def test_core_that_cannot_be_loaded_from_anywhere_ends_in_one_error(root, monkeypatch, capsys):
    def built(name, folder, persistent):
        raise OSError(f"{folder}: no")

    monkeypatch.setattr(native, "find_or_build", built)
    with pytest.raises(build.BuildError, match="cannot be loaded from a temporary folder: .*: no"):
        native._load()
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and str(root) in said and "PAWNSTORM_CACHE" in said
