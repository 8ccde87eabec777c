"""How a release is packed, tried and described."""

import contextlib
import json
import re
import shutil
import stat
import sys
import tarfile
import zipfile

import pytest

from pawnstorm import __version__
from pawnstorm_tools.playing_page import page
from pawnstorm_tools.releasing import changelog, emulation, gathering, making, packing, records, trial, under_wine
from pawnstorm_tools.releasing.records import ReleaseError

EPOCH = 1_700_000_000
WHEEL = f"pawnstorm-{__version__}-py3-none-win_amd64.whl"
EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"  # SHA-256 of no bytes


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
def test_bytes_of_an_archive_depend_on_its_contents_only(name, folder, tmp_path):
    packing.pack(folder, tmp_path / name, EPOCH)
    before = (tmp_path / name).read_bytes()
    (folder / "inner" / "data").touch()
    (folder / "inner" / "data").chmod(0o600)
    packing.pack(folder, tmp_path / name, EPOCH)
    assert (tmp_path / name).read_bytes() == before


def test_archive_for_unix_keeps_the_executable_mode(folder, tmp_path):
    packing.pack(folder, tmp_path / "packed.tar.gz", EPOCH)
    with tarfile.open(tmp_path / "packed.tar.gz") as opened:
        modes = {member.name: stat.S_IMODE(member.mode) for member in opened}
    assert modes == {
        "pawnstorm": 0o755,
        "pawnstorm/inner": 0o755,
        "pawnstorm/inner/data": 0o644,
        "pawnstorm/program": 0o755,
    }


def test_archive_for_windows_holds_the_files(folder, tmp_path):
    packing.pack(folder, tmp_path / "packed.zip", EPOCH)
    with zipfile.ZipFile(tmp_path / "packed.zip") as opened:
        assert opened.namelist() == ["pawnstorm/inner/data", "pawnstorm/program"] and not opened.testzip()


@pytest.mark.parametrize(
    "code, fault",
    [
        ("print('Nodes searched: 5')", "expected 7 nodes, but it says: Nodes searched: 5"),
        ("raise SystemExit(3)", "expected 7 nodes, but it says: $"),
    ],
)
def test_trial_shows_the_output_of_a_wrong_program(code, fault):
    with pytest.raises(trial.TrialError, match=fault):
        trial.trial([sys.executable, "-c", code], 7, 1)


def test_trial_of_a_missing_program_names_it():
    with pytest.raises(trial.TrialError, match="/nonexistent/pawnstorm"):
        trial.trial(["/nonexistent/pawnstorm"], 7, 1)


@pytest.fixture
def gathered(tmp_path):
    """The folder of a release after two stages, `build` and the executables of one platform."""
    out = tmp_path / "release"
    out.mkdir()
    (out / WHEEL).write_bytes(b"")
    (out / "program").write_bytes(b"program")
    records.write(out, "build", [out / WHEEL], nodes=7)
    parts = [{"name": "CPython", "version": "3.11.2", "licence": "PSF-2.0"}, {"name": "libz.so.1", "sha256": 64 * "0"}]
    tried = {WHEEL: "bench 7", "program": "bench 7, too"}
    records.write(out, "linux-x86-64", [out / "program"], tried=tried, contents={"program": parts})
    return out


def test_release_lists_files_digests_trials_and_missing_platforms(gathered):
    text = gathering.gather(gathered)
    assert f"| {WHEEL} | 0 |\n" in text and f"| {WHEEL} | bench 7 |\n" in text
    assert "| wheel for windows-x86-64 | not run" in text and "wheel for linux-x86-64" not in text
    assert changelog.notes() in text and (gathered / "RELEASE.md").read_text() == text
    sums = dict(line.split()[::-1] for line in (gathered / "SHA256SUMS").read_text().splitlines())
    assert sums == {name: records.digest(gathered / name) for name in (WHEEL, "program", gathering.BILL)}
    assert not (gathered / records.FOLDER).exists()


def test_bill_of_materials_lists_parts_of_executables_and_is_reproducible(gathered, tmp_path):
    shutil.copytree(gathered, tmp_path / "again")
    gathering.gather(gathered)
    bill = json.loads((gathered / gathering.BILL).read_text())
    inside = {part["bom-ref"]: part.get("components", []) for part in bill["components"]}
    assert inside[WHEEL] == [] and {part["name"] for part in inside["program"]} == {"CPython", "libz.so.1"}
    gathering.gather(tmp_path / "again")
    assert (tmp_path / "again" / gathering.BILL).read_bytes() == (gathered / gathering.BILL).read_bytes()


@pytest.mark.parametrize(
    "damage, fault",
    [
        (lambda out: (out / "program").write_bytes(b"another"), "not the recorded file"),
        (lambda out: (out / "program").unlink(), "no such file"),
        (lambda out: (out / "stray").touch(), "no stage has recorded stray"),
        (lambda out: (out / records.FOLDER / "build.json").unlink(), "no record of the stage `build`"),
        (lambda out: shutil.rmtree(out / records.FOLDER), "no records: expected the stage `build`"),
        (lambda out: change(out, "build", commit="commit 1"), "its files come from 2 releases"),
        (lambda out: change(out, "build", digests={WHEEL: EMPTY, "program": EMPTY}), "a different file of that name"),
    ],
)
def test_files_that_differ_from_their_records_are_refused(damage, fault, gathered):
    damage(gathered)
    with pytest.raises(ReleaseError, match=fault):
        gathering.gather(gathered)
    assert not (gathered / "SHA256SUMS").exists()


def change(out, stage, **facts):
    """Change facts of a record."""
    path = out / records.FOLDER / f"{stage}.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | facts))


def test_package_that_pypi_would_refuse_is_named(gathered, tmp_path):
    pytest.importorskip("twine")
    with zipfile.ZipFile(gathered / WHEEL, "w") as opened:
        described = f"Metadata-Version: 2.4\nName: pawnstorm\nVersion: {__version__}\n"
        opened.writestr(f"pawnstorm-{__version__}.dist-info/METADATA", described)
    change(gathered, "build", digests={WHEEL: records.digest(gathered / WHEEL)})
    with pytest.raises(ReleaseError, match="(?s)twine check: .*long_description.* missing"):
        gathering.gather(gathered, tmp_path / "package")


def test_release_notes_are_the_changelog_section_of_the_version():
    text = "# Changelog\n\n## 2.0\n\nnew\n\n### more\n\n## 1.0\n\nold\n\n## 0.1\n"
    assert changelog.section(text, "2.0") == "new\n\n### more" and changelog.section(text, "1.0") == "old"
    for version in ("0.1", "1", "3.0"):
        with pytest.raises(ReleaseError, match=f"expected text below `## {version}`"):
            changelog.section(text, version)


@pytest.mark.parametrize("tag", ["v9.9.9", __version__, "", f"v{__version__}-rc1"])
def test_tag_of_another_version_is_refused(tag):
    with pytest.raises(ReleaseError, match=f"--tag '{tag}': expected v{__version__}"):
        changelog.check_tag(tag)
    changelog.check_tag(f"v{__version__}")


def test_freeze_needs_the_wheel_from_build(tmp_path):
    with pytest.raises(ReleaseError, match="no such wheel: expected the stage `build` to have run"):
        making.Release(tmp_path, {}, print).freeze(making.host_platform())


def test_missing_python_is_named(gathered):
    release = making.Release(gathered, {}, print)
    (gathered / f"pawnstorm-{__version__}-py3-none-{making.WHEELS[making.host_platform()]}.whl").touch()
    with pytest.raises(ReleaseError, match="--python '/nonexistent/python'"):
        release.try_wheel("/nonexistent/python")


def test_files_of_an_emulated_platform_run_under_the_emulator_of_its_python(tmp_path):
    release = making.Release(tmp_path, {"windows-x86-64": ["wine", "python.exe"]}, print)
    assert release._runner("windows-x86-64") == ["wine"] and release._runner(making.host_platform()) == []


def test_arm64_script_finds_the_pin_of_pyinstaller():
    (root,) = re.findall(r'^here=\$\(dirname "\$0"\)/(\S+)$', emulation.ARM64.read_text(), re.MULTILINE)
    assert "pyinstaller==" in (emulation.ARM64.parent / root / "pyproject.toml").read_text()


def test_executables_are_frozen_from_a_copy_of_the_sources(tmp_path, monkeypatch):
    """In tests as in a release."""
    monkeypatch.setattr(
        making.cores, "make", lambda platforms, folder: (folder / "made").write_text(" ".join(platforms))
    )
    said = []
    script = "import os, sys; print(os.environ['PAWNSTORM_CORES'], os.environ['PYTHONHASHSEED'], *sys.argv[1:])"
    release = making.Release(tmp_path, {"windows-x86-64": [sys.executable, "-c", script]}, said.append)
    run = release._run
    monkeypatch.setattr(release, "_run", lambda *words, **env: said.append(run(*words, **env)))
    with release.prepared(["windows-x86-64"]):
        dist = release.frozen("windows-x86-64")
        assert (tmp_path / "work" / "checkout" / "build.spec").exists()
        assert (tmp_path / "work" / "cores" / "made").read_text() == "windows-x86-64"
    *_, told = said
    assert told.startswith(f"{tmp_path}/work/cores 0 -m PyInstaller ") and f"--distpath {dist} " in told
    assert told.endswith("checkout/build.spec\n") and not (tmp_path / "work").exists()


def test_page_of_a_release_has_the_core_of_that_release(tmp_path):
    pytest.importorskip("jinja2")
    release = making.Release(tmp_path, {}, print)
    release._cores = tmp_path
    (tmp_path / "core-wasm32.wasm").write_bytes(b"core of the release")
    made = release._page()
    assert made.suffix == ".html" and page.core_of(made.read_text()) == b"core of the release"


def test_missing_emulators_are_named_and_their_platforms_skipped(tmp_path, monkeypatch):
    said = []
    monkeypatch.setenv("PATH", "/nonexistent")
    with emulation.pythons(tmp_path / "tools", said.append) as pythons:
        assert pythons == {}
    assert said == [
        f"nothing is made for linux-aarch64: expected {', '.join(emulation.NEEDED)} on the path",
        "nothing is made for windows-x86-64: expected wine on the path",
    ]
    assert list(tmp_path.iterdir()) == []


def test_windows_runs_while_its_python_is_used(tmp_path, monkeypatch):
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
