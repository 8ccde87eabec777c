"""The wheel for this machine, installed: it plays with the standard library alone, and compiles nothing."""

import os
import subprocess
import sys

import client
import pytest

from pawnstorm.core.targets import TARGETS, host_platform, targets_of
from pawnstorm.search.bench import bench
from pawnstorm.search.engine import Engine
from pawnstorm_tools.releasing import trial

pytestmark = [pytest.mark.frozen, pytest.mark.compiled]


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder with nothing but the installed package; its cores are those of the executables."""
    made, folder = tmp_path_factory.mktemp("made"), tmp_path_factory.mktemp("installed")
    (core,) = (client.frozen() / "pawnstorm").rglob(TARGETS[targets_of(host_platform())[0]].library)
    wheel = ["wheel", "--no-deps", "--no-build-isolation", "-w", made, "."]
    env = os.environ | {"PAWNSTORM_CORES": str(core.parent)}
    subprocess.run([sys.executable, "-m", "pip", *wheel], cwd=client.ROOT, env=env, check=True, capture_output=True)
    install = ["install", "--no-index", "--target", folder, *made.glob("*.whl")]
    subprocess.run([sys.executable, "-m", "pip", *install], check=True, capture_output=True)
    return folder


def test_wheel_plays_with_the_standard_library_alone(installed, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(installed))
    monkeypatch.setenv("PAWNSTORM_CACHE", os.devnull)  # where nothing can be kept
    monkeypatch.chdir(installed)
    nodes, _ = bench(Engine())
    assert trial.trial([sys.executable, "-S", "-m", "pawnstorm"], nodes, 1).startswith(f"bench {nodes}, perft of ")


@pytest.fixture
def run(installed, tmp_path):
    """Run a program of the wheel, without a checkout and a compiler; (status, stdout, stderr)."""
    env = os.environ | {"PYTHONPATH": str(installed), "PAWNSTORM_CACHE": str(tmp_path / "cache"), "PATH": ""}

    def run(*words):
        command = [sys.executable, "-m", "pawnstorm", *words]
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=200)
        return done.returncode, done.stdout, done.stderr

    return run


def test_wheel_plays_a_match_with_a_report_solves_and_makes_a_dataset(run, tmp_path):
    """The programs are commands, and named so."""
    own = [f"cmd={sys.executable}", "args=-m pawnstorm"]
    engines = ["-engine", "name=one", *own, "-engine", "name=two", *own, "-each", "tc=inf", "nodes=500"]
    status, out, err = run("match", *engines, "-variant", "hexapawn", "-rounds", "1", "-report", "match.html")
    assert status == 0 and "Faults  0" in out, out + err
    assert "one" in (tmp_path / "match.html").read_text()
    status, out, err = run("solve", "--variant", "hexapawn")
    assert status == 0 and "winner     Black" in out, out + err
    status, out, err = run("dataset", "hexapawn4x4", "data", "--games", "5", "--nodes", "100", "--processes", "2")
    assert status == 0 and out.startswith("data: ") and (tmp_path / "data" / "train-00000.parquet").exists(), out + err
    assert run("verify", "none")[2].startswith("pawnstorm verify: ")
    assert run("diagram", "-h")[1].startswith("usage: pawnstorm diagram ")


@pytest.mark.slow
def test_wheel_writes_a_proof_and_checks_it(run):
    """What writes and checks it is compiled here."""
    status, out, err = run("solve", "--variant", "breakthrough4x5", "--proof", "proof")
    assert status == 0 and "pawnstorm solve: compiling" in err, out + err
    status, out, err = run("verify", "proof")
    assert status == 0 and out.splitlines()[-1] == "verified", out + err
