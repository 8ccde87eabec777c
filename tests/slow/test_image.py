"""The container image of .github/Dockerfile: buildah makes it, podman runs it.

Needs root, and buildah, debootstrap, podman and runc from Debian. debootstrap makes the base, so downloads come only from
Debian's mirror and PyPI. Images and containers are kept in a folder of their own, which is deleted after the test.

PAWNSTORM_TOOLS     the folder that keeps the base, bookworm.tar, which takes minutes to make
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import client
import pytest

import pawnstorm
from pawnstorm.search.bench import bench
from pawnstorm.search.engine import Engine

PROGRAMS = ("buildah", "debootstrap", "podman", "runc")
MISSING = [name for name in PROGRAMS if shutil.which(name) is None]
LIMIT = 3600  # seconds for each step, far more than any step needs
DOCKERFILE = client.ROOT / ".github" / "Dockerfile"
DEBIANS_OWN = 'APT::Keep-Downloaded-Packages "false"; Dir::Cache::pkgcache ""; Dir::Cache::srcpkgcache "";'
"""The settings of apt in Debian's own image, so that layers have the same size as there."""
ANYWHERE = ["--cgroup-manager", "cgroupfs", "--runtime", "runc"]
"""Works without systemd too, and if both versions of cgroups are mounted."""
LIMITS = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=4096:4096"]  # other limits need a capability
ALONE = ["--network", "none", "--read-only", "--read-only-tmpfs=false"]
"""Without a network; only mounted folders are writable."""
ITSELF = [word for name in ("one", "two") for word in ("-engine", f"name={name}", "cmd=pawnstorm")]
MATCH = ["match", *ITSELF, "-variant", "breakthrough", "-openings", "file=/openings/breakthrough.epd"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.compiled,
    pytest.mark.timeout(2 * LIMIT),
    pytest.mark.skipif(bool(MISSING), reason=f"expected {', '.join(MISSING)} to be installed"),
    pytest.mark.skipif(os.geteuid() != 0, reason="expected to be run by root"),
]


def done(*words, **how):
    """Run a command; returns what it prints."""
    ended = subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=LIMIT, **how)
    assert ended.returncode == 0, f"{words}: exit code {ended.returncode}\n{ended.stdout[-3000:]}{ended.stderr[-3000:]}"
    return ended.stdout


def debian(folder, tmp_path):
    """The path of an archive of the base. The archive is made if it is missing."""
    archive = folder / "bookworm.tar"
    if not archive.exists():
        root = tmp_path / "bookworm"
        done("debootstrap", "--variant=minbase", "bookworm", root)
        (root / "etc" / "apt" / "apt.conf.d" / "small").write_text(DEBIANS_OWN)
        for spare in ("var/cache/apt", "var/lib/apt/lists"):
            shutil.rmtree(root / spare)
            (root / spare).mkdir()
        done("tar", "-C", root, "-cf", tmp_path / "bookworm.tar", ".")
        shutil.move(tmp_path / "bookworm.tar", archive)
        shutil.rmtree(root)
    return archive


def settings_of_pip(folder):
    """Write the settings with which pip reaches the network here; returns the folder, to be mounted on /etc/xdg/pip."""
    listed = done(sys.executable, "-m", "pip", "config", "list").splitlines()
    found = dict(re.fullmatch(r"[^.]+\.([^=]+)='(.*)'", line).groups() for line in listed)
    kept = {key: found[key] for key in ("cert", "index-url", "timeout", "trusted-host") if key in found}
    if "cert" in kept:
        shutil.copy(kept["cert"], folder / "cert.pem")
        kept["cert"] = "/etc/xdg/pip/cert.pem"
    lines = ["[global]", *(f"{key} = {value}" for key, value in kept.items())]
    (folder / "pip.conf").write_text("\n".join(lines) + "\n")
    return folder


@pytest.fixture(scope="module")
def podman(tmp_path_factory):
    """The first words of podman's command line, for a store that has the image pawnstorm."""
    tmp_path = tmp_path_factory.mktemp("image")
    kept = Path(os.environ.get("PAWNSTORM_TOOLS", tmp_path))
    kept.mkdir(parents=True, exist_ok=True)
    store = ["--root", tmp_path / "store", "--runroot", tmp_path / "run"]
    pip = tmp_path / "pip"
    pip.mkdir()
    try:
        done("podman", *store, "import", debian(kept, tmp_path), "localhost/bookworm")
        made = ["--isolation", "chroot", "--pull-never", "--build-arg", "BASE=localhost/bookworm"]
        made += ["--ignorefile", f"{DOCKERFILE}.dockerignore"]  # BuildKit finds this file by itself
        made += ["--volume", f"{settings_of_pip(pip)}:/etc/xdg/pip:ro"]
        done("buildah", *store, "build", *made, "-f", DOCKERFILE, "-t", "pawnstorm", client.ROOT)
        yield ["podman", *map(str, store), *ANYWHERE]
    finally:
        shutil.rmtree(tmp_path / "store", ignore_errors=True)


@pytest.fixture
def run(podman):
    """run(*words): the command that runs the image; flags of podman come before the word "pawnstorm"."""
    return lambda *words: [*podman, "run", "-i", "--rm", *LIMITS, *map(str, words)]


def test_image_is_the_engine(run):
    with client.Client(run("pawnstorm")) as engine:
        engine.send("uci")
        assert f"id name Pawnstorm {pawnstorm.__version__}" in engine.expect("uciok")
        assert engine.go("depth 5")[-1].startswith("bestmove")


def test_image_searches_as_the_source_does(run):
    assert f"Nodes searched: {bench(Engine())[0]}" in done(*run(*ALONE, "pawnstorm", "bench"))


@pytest.mark.parametrize("user", [1000, 12345])
def test_any_user_plays_a_match_into_a_mounted_folder(user, run, tmp_path):
    """The first user is the image's own. Neither has a home folder."""
    os.chown(tmp_path, user, user)
    how = [
        *ALONE,
        "--volume",
        f"{tmp_path}:/work",
        *(["--user", f"{user}:{user}"] if user != 1000 else []),
        "pawnstorm",
    ]
    said = done(*run(*how, *MATCH, "-each", "nodes=500", "-rounds", "2", "-pgnout", "match.pgn"))
    assert "one against two: 4 games" in said and "Faults  0:" in said
    assert (tmp_path / "match.pgn").read_text().count("[Result ") == 4
    done(*run(*how, "report", "match.pgn", "-o", "match.html"))
    assert {(path.name, path.stat().st_uid, path.stat().st_gid) for path in tmp_path.iterdir()} == {
        (name, user, user) for name in ("match.pgn", "match.html")
    }


def test_tournament_has_standings(run):
    """Standings need a library that a match of two engines does not need."""
    third = ["-engine", "name=three", "cmd=pawnstorm"]
    said = done(*run(*ALONE, "pawnstorm", *MATCH, *third, "-each", "nodes=100", "-rounds", "1"))
    assert "3 engines: 6 games" in said and "Bradley-Terry" in said


def test_without_a_mounted_folder_no_file_is_written(run):
    """The file would be lost with the container."""
    ended = subprocess.run(
        run("pawnstorm", *MATCH, "-each", "nodes=100", "-rounds", "1", "-pgnout", "match.pgn"),
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "-pgnout 'match.pgn': Permission denied" in ended.stderr


def test_stop_ends_a_search(podman, run):
    """`stop` sends SIGTERM. A container that ignores it is killed later, with exit code 137."""
    engine = client.Client(run("--name", "searching", "pawnstorm"))
    try:
        engine.send("go infinite")
        engine.expect("info depth .*")
        done(*podman, "stop", "--time", "60", "searching")
        assert engine.process.wait(client.DEADLINE) == 128 + 15
    finally:
        engine.kill()


def test_stop_ends_a_match_with_its_score(podman, run, tmp_path):
    os.chown(tmp_path, 1000, 1000)
    how = ["--name", "playing", "--volume", f"{tmp_path}:/work", "pawnstorm"]
    command = run(*how, *MATCH, "-each", "nodes=500", "-rounds", "100000", "-pgnout", "match.pgn")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as match:
        try:
            assert match.stdout.readline().startswith("Finished game 1 ")
            done(*podman, "stop", "--time", "60", "playing")
            said = match.stdout.read()
            assert match.wait(client.DEADLINE) == 130
        finally:
            match.kill()
    games = int(re.search("one against two: ([0-9]+) games?", said)[1])
    assert (tmp_path / "match.pgn").read_text().count("[Result ") == games


def test_image_has_the_openings_and_no_compiler(run):
    for path in (client.ROOT / "scripts" / "openings").glob("*.epd"):
        assert done(*run("--entrypoint", "cat", "pawnstorm", f"/openings/{path.name}")) == path.read_text()
    looked = "command -v gcc pip; ls -d /source /wheel; true"
    assert done(*run("--entrypoint", "sh", "pawnstorm", "-c", looked)) == ""


def test_image_adds_less_than_250_mib_to_its_base(podman):
    def size(image):
        return int(done(*podman, "image", "inspect", "--format", "{{.Size}}", image)) / 2**20

    print(f"image {size('pawnstorm'):.0f} MiB, its base {size('bookworm'):.0f} MiB")
    assert size("pawnstorm") - size("bookworm") < 250
