"""Who can talk to a cluster, and so run code in it. A local one: only the process that started it. One with certificates:
only those who have them.
"""

import shutil
import subprocess
import sys

import client
import psutil
import pytest
from clusters import SOLVE, scheduler, started, tree_of  # noqa: F401  a fixture
from matches import MATCH, fake, play_words, run_words, words
from processes import Process, wait_until

from pawnstorm_tools.cluster import joining

pytestmark = pytest.mark.compiled


def answering(ports):
    """The types of what answers a stranger at these ports of this machine."""
    command = [sys.executable, str(client.ROOT / "tests" / "strangers.py")]
    command += [f"tcp://127.0.0.1:{port}" for port in ports]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    *answered, end = done.stdout.splitlines() or [""]
    assert end == "tried", done.stderr
    return {line.split()[-1] for line in answered}


def ports(pid):
    """The ports at which a process or one of its descendants listens."""
    connections = [one for process in tree_of(pid) for one in process.net_connections("tcp")]
    return {one.laddr.port for one in connections if one.status == psutil.CONN_LISTEN}


def test_nobody_else_can_talk_to_a_cluster_of_this_machine(tmp_path):
    """While it plays: it waits for a move that does not come."""
    log = tmp_path / "log"
    line = words(fake("hang", log), fake("good"), "-cluster", "local:2", limit="tc=100")
    with Process([sys.executable, MATCH, *line]) as run:
        wait_until(lambda: log.exists() and "\ngo" in log.read_text(), "the first move")
        there = ports(run.pid)
        assert len(there) >= 5  # the scheduler, two workers and their nannies
        assert answering(there) == set()
        assert run.popen.poll() is None


def test_the_stranger_of_these_tests_is_answered_where_there_is_no_tls(scheduler):
    """Otherwise a refused stranger would look like one that is broken."""
    address, worker, _, process = scheduler
    nanny = worker()
    assert answering(ports(process.pid) | ports(nanny.pid)) == {"Scheduler", "Worker", "Nanny"}


@pytest.fixture
def certificate(tmp_path):
    """The files of a certificate and its key, made as cluster/README.md says."""
    if not shutil.which("openssl"):
        pytest.skip("openssl is not installed")
    command = "openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=cluster -days 365 -keyout key.pem -out cert.pem"
    assert command in (client.ROOT / "scripts" / "pawnstorm_tools" / "cluster" / "README.md").read_text()
    subprocess.run(command.split(), cwd=tmp_path, check=True, capture_output=True)
    return tmp_path / "cert.pem", tmp_path / "key.pem"


def test_cluster_with_certificates_plays_and_proves_for_those_who_have_them(certificate, tmp_path, monkeypatch):
    cert, key = map(str, certificate)
    tls = ["--tls-ca-file", cert, "--tls-cert", cert, "--tls-key", key]
    with started(tmp_path, "tls://127.0.0.1", tls=tls) as (address, worker, _, process):
        nanny = worker()
        assert address.startswith("tls://")
        line = words(fake("good"), fake("good"), "-rounds", 2)
        status, _, err = run_words([*line, "-cluster", address])
        assert (
            status == 2
            and f"{address} needs a certificate and its key: expected a file's path in DASK_DISTRIBUTED__" in err
        )
        for name, path in zip(joining.CERTIFICATES.values(), (cert, cert, key)):
            monkeypatch.setenv(name, path)
        status, out, err = run_words([*line, "-cluster", address])
        assert status == 0 and f"{len(play_words(line))} games" in out, err
        done = subprocess.run([*SOLVE, "--variant", "hexapawn", "--cluster", address], capture_output=True, text=True)
        assert "winner     Black" in done.stdout, done.stderr
        assert answering(ports(process.pid) | ports(nanny.pid)) == set()


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_certificates_that_are_none_are_named(content, tmp_path, monkeypatch):
    path = tmp_path / "cert.pem"
    if content:
        path.write_text(content)
    for name in joining.CERTIFICATES.values():
        monkeypatch.setenv(name, str(path))
    done = subprocess.run(
        [*SOLVE, "--variant", "hexapawn", "--cluster", "tls://127.0.0.1:1"], capture_output=True, text=True
    )
    assert done.returncode == 2 and "Traceback" not in done.stderr
    told = done.stderr.splitlines()[-1]
    assert told.startswith("solve.py: cannot use the certificates for tls://127.0.0.1:1: ") and str(path) in told
