"""How a release is packed, tried and told."""

import contextlib
import re
import stat
import sys
import tarfile
import zipfile

import pytest

from pawnstorm_tools.playing_page import page
from pawnstorm_tools.releasing import emulation, making, trial, under_wine

EPOCH = 1_700_000_000


@pytest.fixture
def folder(tmp_path):
    """A folder with a program and a file of data below it."""
    made = tmp_path / "pawnstorm"
    (made / "inner").mkdir(parents=True)
    (made / "program").write_bytes(b"program")
    (made / "program").chmod(0o700)
    (made / "inner" / "data").write_bytes(b"data" * 100)
    return made


@pytest.mark.parametrize("name", ["packed.tar.gz", "packed.zip"])
def test_archive_follows_from_what_is_in_it_alone(name, folder, tmp_path):
    making.pack(folder, tmp_path / name, EPOCH)
    before = (tmp_path / name).read_bytes()
    (folder / "inner" / "data").touch()
    (folder / "inner" / "data").chmod(0o600)
    making.pack(folder, tmp_path / name, EPOCH)
    assert (tmp_path / name).read_bytes() == before


def test_archive_for_unix_keeps_what_can_be_run(folder, tmp_path):
    making.pack(folder, tmp_path / "packed.tar.gz", EPOCH)
    with tarfile.open(tmp_path / "packed.tar.gz") as opened:
        modes = {member.name: stat.S_IMODE(member.mode) for member in opened}
    assert modes == {
        "pawnstorm": 0o755,
        "pawnstorm/inner": 0o755,
        "pawnstorm/inner/data": 0o644,
        "pawnstorm/program": 0o755,
    }


def test_archive_for_windows_holds_the_files(folder, tmp_path):
    making.pack(folder, tmp_path / "packed.zip", EPOCH)
    with zipfile.ZipFile(tmp_path / "packed.zip") as opened:
        assert opened.namelist() == ["pawnstorm/inner/data", "pawnstorm/program"] and not opened.testzip()


@pytest.mark.parametrize(
    "code, fault",
    [
        ("print('Nodes searched: 5')", "expected 7 nodes, but it says: Nodes searched: 5"),
        ("raise SystemExit(3)", "expected 7 nodes, but it says: $"),
    ],
)
def test_trial_tells_what_a_wrong_program_says(code, fault):
    with pytest.raises(trial.TrialError, match=fault):
        trial.trial([sys.executable, "-c", code], 7, 1)


def test_trial_of_a_missing_program_names_it():
    with pytest.raises(trial.TrialError, match="/nonexistent/pawnstorm"):
        trial.trial(["/nonexistent/pawnstorm"], 7, 1)


def test_tables_name_every_file_its_digest_and_what_is_missing(tmp_path):
    (tmp_path / "a.whl").write_bytes(b"")
    made = [making.Made(tmp_path / "a.whl", "windows-x86-64", "not run")]
    text = making.write_tables(tmp_path, made, 60)
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert f"| a.whl | 0 | `{empty}` |" in text and "- **a.whl**: not run\n" in text
    assert "No executables for windows-x86-64" in text and (tmp_path / "RELEASE.md").read_text() == text
    assert (tmp_path / "SHA256SUMS").read_text() == f"{empty}  a.whl\n"


def test_files_of_another_platform_are_run_by_what_runs_its_python(tmp_path):
    release = making.Release(tmp_path, {"windows-x86-64": ["wine", "python.exe"]}, print)
    assert release._runner("windows-x86-64") == ["wine"] and release._runner(making.host_platform()) == []
    assert release._tried("macos-aarch64", []) == "not run: no such machine was at hand"


def test_arm64_reads_the_pin_of_the_checkout():
    (root,) = re.findall(r'^here=\$\(dirname "\$0"\)/(\S+)$', emulation.ARM64.read_text(), re.MULTILINE)
    assert "pyinstaller==" in (emulation.ARM64.parent / root / "pyproject.toml").read_text()


def test_executables_are_frozen_from_a_copy_of_the_sources_with_their_cores(tmp_path, monkeypatch):
    """As those of a release, also where tests make them."""
    monkeypatch.setattr(
        making.cores, "make", lambda platforms, folder: (folder / "made").write_text(" ".join(platforms))
    )
    said = []
    script = "import os, sys; print(os.environ['PAWNSTORM_CORES'], os.environ['PYTHONHASHSEED'], *sys.argv[1:])"
    release = making.Release(tmp_path, {"windows-x86-64": [sys.executable, "-c", script]}, said.append)
    run = release._run
    monkeypatch.setattr(release, "_run", lambda *words, **env: said.append(run(*words, **env)))
    with release.prepared(["windows-x86-64"]):
        dist = release.freeze("windows-x86-64")
        assert (tmp_path / "work" / "checkout" / "build.spec").exists()
        assert (tmp_path / "work" / "cores" / "made").read_text() == "windows-x86-64"
    *_, told = said
    assert told.startswith(f"{tmp_path}/work/cores 0 -m PyInstaller ") and f"--distpath {dist} " in told
    assert told.endswith("checkout/build.spec\n") and not (tmp_path / "work").exists()


def test_page_of_a_release_carries_the_core_of_the_release(tmp_path):
    pytest.importorskip("jinja2")
    release = making.Release(tmp_path, {}, print)
    release._cores = tmp_path
    (tmp_path / "core-wasm32.wasm").write_bytes(b"core of the release")
    made = release._page()
    assert made.path.suffix == ".html" and page.part(b"core of the release") in made.path.read_text()


def test_missing_emulators_are_named_and_nothing_is_made_by_them(tmp_path, monkeypatch):
    said = []
    monkeypatch.setenv("PATH", "/nonexistent")
    with emulation.pythons(tmp_path / "tools", said.append) as pythons:
        assert pythons == {}
    assert said == [
        f"nothing is made for linux-aarch64: expected {', '.join(emulation.NEEDED)} on the path",
        "nothing is made for windows-x86-64: expected wine on the path",
    ]
    assert list(tmp_path.iterdir()) == []


def test_windows_is_up_while_its_python_is_used(tmp_path, monkeypatch):
    happened = []

    class Windows(emulation.Windows):
        @contextlib.contextmanager
        def running(self):
            happened.append("up")
            yield
            happened.append("down")

    monkeypatch.setattr(emulation, "Windows", Windows)
    monkeypatch.setattr(emulation, "_lacking", lambda programs: "" if "wine" in programs else "absent")
    (tmp_path / "windows").mkdir()
    (tmp_path / "windows" / "whole").touch()
    with emulation.pythons(tmp_path, happened.append) as pythons:
        (name, command), *others = pythons.items()
        assert others == [] and name == "windows-x86-64" and happened[-1] == "up"
        assert command[1:] == [
            under_wine.__file__,
            *map(str, (tmp_path / "windows" / "prefix", tmp_path / "windows" / "cp311" / "python.exe")),
        ]
    assert happened == ["nothing is made for linux-aarch64: absent", "up", "down"]
