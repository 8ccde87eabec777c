"""What scripts/solve.py saves, which files it refuses, and what a killed run loses."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
import zlib

import numpy as np
import pytest
import strategy
from solve_runs import SOLVE, here, solve, told

from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.proof.prover import Prover
from pawnstorm_tools.common import atomicfile
from pawnstorm_tools.programs import solve as solver
from pawnstorm_tools.solving import savefile, table_save

pytestmark = pytest.mark.compiled
ABOUT = {"nodes": 0, "seconds": 0.0}


def about(path):
    return json.loads(path.read_bytes().partition(b"\n")[0])


def header(**changed):
    """The first line of a saved table of Hexapawn."""
    usual = {"file": savefile.TABLE, "game": "hexapawn", "nodes": 1, "seconds": 0.5, "hash": 16}
    return json.dumps(usual | changed).encode() + b"\n"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"hello\n",
        header(game="twoflags4x6") + bytes(16),
        header() + bytes(17),
        b'{"file": "pawnstorm proof table 3", "game": "hexapawn"}\n',
        header(file="pawnstorm proof table 2"),
        header(nodes=0.5),
        header(nodes=-1),
        header(nodes=True),
        header(seconds=float("nan")),
        header(seconds=1e300),
        header(hash="16"),
    ],
)
def test_file_that_is_no_table_of_this_game_is_refused_and_kept(content, tmp_path):
    path = tmp_path / "table"
    content += zlib.crc32(content).to_bytes(4, "little")
    path.write_bytes(content)
    done = solve("--variant", "hexapawn", "--save", str(path))
    assert done.returncode == 2 and str(path) in done.stderr and "expected" in done.stderr
    assert path.read_bytes() == content


def test_file_with_a_wrong_bit_is_refused(tmp_path):
    path = tmp_path / "table"
    savefile.write(path, savefile.TREE, {"game": "hexapawn", "nodes": 1, "jobs": 1, "seconds": 0.5}, [bytes(range(40))])
    whole = path.read_bytes()
    assert savefile.read(path, savefile.TREE, "hexapawn", 40)[1] == bytes(range(40))
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :])
        with pytest.raises(savefile.BadSave, match="expected"):
            savefile.read(path, savefile.TREE, "hexapawn", 40)


def started(path, *words):
    """A run that saves often, when it has first saved something that it found."""
    run = subprocess.Popen(
        [*SOLVE, "--hash", "64", "--save", str(path), "--every", "0.2", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    deadline = time.monotonic() + 60
    while not (path.exists() and about(path)["nodes"]):
        assert run.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    return run


def expanded(facts):
    return int(facts["expanded"].split()[0].replace(",", ""))


def test_run_that_was_killed_goes_on_from_its_file(tmp_path):
    path, words = tmp_path / "table", ("--variant", "breakthrough5x5", "--hash", "64")
    run = started(path, *words)
    run.kill()
    run.communicate(timeout=60)
    assert run.returncode == -signal.SIGKILL
    before = about(path)
    assert 0 < before["nodes"] < 20_000_000
    facts, _ = told(solve("--save", str(path), "--threads", "2", *words))
    assert facts["winner"].startswith("Black")
    assert expanded(facts) == about(path)["nodes"] > before["nodes"]


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_run_that_is_stopped_saves_once_more(end, tmp_path):
    path = tmp_path / "table"
    run = started(path, "--variant", "breakthrough7x6", "--threads", "2")  # which takes days
    before = about(path)
    run.send_signal(end)
    run.communicate(timeout=60)
    assert run.returncode == 130
    prover = Prover(64)
    assert table_save.load(path, prover.table, "breakthrough7x6")["nodes"] > before["nodes"]
    assert table_save.count(prover.table) > 1000


def test_saved_table_is_read_back_into_any_larger_size(tmp_path):
    rules, path = get_rules("twoflags6x6"), tmp_path / "table"
    first = Prover(16)
    proof = first.prove(Board.start(rules))
    count = table_save.save(path, first.table, ABOUT | {"game": rules.name})
    assert 1000 < count and path.stat().st_size < 150 + 16 * count
    for mebibytes in (16, 64):
        other = Prover(mebibytes)
        table_save.load(path, other.table, rules.name)
        assert other.probe(Board.start(rules)) == proof


@pytest.mark.parametrize("saved, loaded", [(512, 16), (512, 1024), (16, 512)])
def test_nothing_is_lost_between_tables_with_another_number_of_parts(saved, loaded, tmp_path, monkeypatch):
    monkeypatch.setattr(table_save, "CHUNK", 1000)
    rules, path = get_rules("twoflags6x6"), tmp_path / "table"
    first, other = Prover(saved), Prover(loaded)
    first.prove(Board.start(rules))
    count = table_save.save(path, first.table, ABOUT | {"game": rules.name})
    table_save.load(path, other.table, rules.name)
    assert 0.99 * count < table_save.count(other.table) <= count


def test_chunks_of_a_file_share_no_bucket(tmp_path, monkeypatch):
    """So the result does not depend on their size."""
    rules, path, counts = get_rules("twoflags6x6"), tmp_path / "table", set()
    first = Prover(16)
    first.prove(Board.start(rules))
    table_save.save(path, first.table, ABOUT | {"game": rules.name})
    for chunk in (1 << 20, 3, 1):
        monkeypatch.setattr(table_save, "CHUNK", chunk)
        other = Prover(8)
        table_save.load(path, other.table, rules.name)
        counts.add(int((table_save.words(other.table) != 0).sum()))
    assert len(counts) == 1


def test_saved_table_spares_most_of_the_work_and_is_not_read_into_one_that_is_too_small(tmp_path):
    """Which would drop much of it and then be written over it. The next run trusts none of the saved proofs."""
    path, words = tmp_path / "table", ("--variant", "breakthrough5x5", "--save")
    facts, _ = told(solve("--hash", "64", *words, str(path)))
    before = path.read_bytes()
    done = solve("--hash", "8", *words, str(path))
    assert done.returncode == 2 and f"in a table of 8 MiB: expected --hash {about(path)['hash']} or more" in done.stderr
    assert path.read_bytes() == before and 8 < about(path)["hash"] <= 64
    again, _ = told(solve("--hash", "64", *words, str(path)))
    assert again["winner"].startswith("Black") and expanded(again) == about(path)["nodes"]
    assert expanded(facts) < expanded(again) < 1.25 * expanded(facts)


def test_small_file_is_read_into_a_small_table(tmp_path):
    path, words = tmp_path / "table", ("--variant", "breakthrough5x5", "--keep", "1", "--save")
    facts, _ = told(solve("--hash", "64", *words, str(path)))
    assert 500_000 < path.stat().st_size < 1 << 20 and about(path)["hash"] == 8
    again, _ = told(solve("--hash", "8", *words, str(path)))
    assert again["winner"].startswith("Black") and expanded(again) < 2 * expanded(facts)


def test_full_disk_ends_no_proof(tmp_path):
    """Every writing fails: it is told once, the result is printed, and the failure is an error at the end."""
    path = tmp_path / "table"
    done = subprocess.run(
        [*SOLVE, "--hash", "16", "--variant", "breakthrough4x5", "--save", str(path), "--every", "0", "--moves"],
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},  # which Python would cut short without a word
        capture_output=True,
        text=True,
        timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (50, 50)),
    )
    assert done.returncode == 2 and "winner     Black" in done.stdout and done.stdout.count("move  ") == 10
    assert done.stderr.count("not saved for now") == 1
    assert done.stderr.splitlines()[-1].startswith("solve.py: ") and str(path) in done.stderr.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("program, words", [(solver, []), (strategy, ["make", "BOOK"])])
def test_file_of_a_run_that_goes_on_is_refused_and_kept(program, words, tmp_path):
    """The run that ended last would overwrite what the other one had found."""
    path, link = tmp_path / "table", tmp_path / "link"
    told(solve("--variant", "hexapawn", "--save", path))
    link.symlink_to(path)
    before = path.read_bytes()
    words = [tmp_path / word if word == "BOOK" else word for word in words]
    words += ["--variant", "hexapawn", "--hash", "16", "--save"]
    with savefile.lock_file(path):
        for name in (path, link):
            done = here(program, *words, name)
            assert (done.returncode, done.stdout) == (2, "")
            assert f"{name} is being written by another run: wait for it" in done.stderr.splitlines()[-1]
    assert path.read_bytes() == before and sorted(tmp_path.iterdir()) == [link, path]
    told(solve("--variant", "hexapawn", "--save", link))


def test_lock_of_a_killed_run_ends_with_it(tmp_path):
    path, code = tmp_path / "table", "import sys; from pawnstorm_tools.solving import savefile"
    code += "\nwith savefile.lock_file(sys.argv[1]): print('kept', flush=True); input()"
    line = [sys.executable, "-c", code, path]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as run:
        assert run.stdout.readline() == b"kept\n"
        with pytest.raises(savefile.BadSave, match="is being written by another run"), savefile.lock_file(path):
            pass
        run.kill()
    with savefile.lock_file(path):
        assert list(tmp_path.iterdir()) == [tmp_path / "table.lock"]
    assert list(tmp_path.iterdir()) == []


def test_what_a_run_that_was_killed_while_it_saved_has_left_is_overwritten(tmp_path):
    """An unfinished file can be as large as a table, and otherwise each killed run would leave one more."""
    path = tmp_path / "table"
    (tmp_path / "table.new").write_bytes(bytes(1000))
    told(solve("--variant", "hexapawn", "--save", path))
    assert list(tmp_path.iterdir()) == [path]


def test_saving_is_tried_again_at_the_next_interval(capsys):
    tries = []

    def write():
        tries.append(len(tries))
        if len(tries) < 3:
            raise OSError("full")

    saving = savefile.Autosave("a path", 0, write)
    for _ in range(4):
        saving.tick()
    saving.save()
    saving.close()  # which has nothing left to do
    assert len(tries) == 5 and capsys.readouterr().err.count("not saved") == 1
    saving = savefile.Autosave("a path", 3600, write)
    saving.tick()
    assert len(tries) == 5
    saving.close()
    assert len(tries) == 6


def test_failure_at_the_end_is_an_error():
    def write():
        raise OSError("full")

    saving = savefile.Autosave("a path", 0, write)
    saving.save()
    with pytest.raises(OSError, match="full"):
        saving.close()


def test_file_is_replaced_whole_or_not_at_all(tmp_path):
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_bytes(b"old")
    link.symlink_to(path)
    atomicfile.check(path, tmp_path / "other", None)
    with pytest.raises(KeyError), atomicfile.replacing(path) as file:
        file.write(b"half")
        raise KeyError
    assert path.read_bytes() == b"old" and sorted(tmp_path.iterdir()) == [path, link]
    with atomicfile.replacing(link) as file:
        file.write(b"new")
    assert path.read_bytes() == b"new" and link.is_symlink() and sorted(tmp_path.iterdir()) == [path, link]


@pytest.mark.parametrize("most, share", [(500, 1 << 20), (1, (1 << 20) // 500)])
def test_largest_works_are_saved_where_not_all_can_be(tmp_path, monkeypatch, most, share):
    monkeypatch.setattr(table_save, "ENTRIES", most)
    monkeypatch.setattr(table_save, "SHARE", share)
    rules, path = get_rules("twoflags6x6"), tmp_path / "table"
    prover = Prover(16)
    prover.prove(Board.start(rules))
    written = table_save.save(path, prover.table, ABOUT | {"game": rules.name})
    assert 0 < written <= 500
    monkeypatch.setattr(table_save, "CHUNK", 100)
    other = Prover(16)
    table_save.load(path, other.table, rules.name)
    assert other.probe(Board.start(rules)).value == -1
    kept, everything = (
        table_save._codes(part[part[:, 1] != 0]) for part in map(table_save._entries, (other.table, prover.table))
    )
    assert kept.min() >= np.sort(everything)[-500]
    assert written - 4 * (written // 100) <= len(kept) <= written


def test_file_with_the_name_of_a_lock_is_somebodys_own(tmp_path):
    path, lock, elsewhere = tmp_path / "table", tmp_path / "table.lock", tmp_path / "elsewhere"
    lock.write_text("somebody's own")
    with (
        pytest.raises(savefile.BadSave, match="table.lock is not empty: expected an empty file"),
        savefile.lock_file(path),
    ):
        pass
    assert lock.read_text() == "somebody's own" and list(tmp_path.iterdir()) == [lock]
    lock.unlink()
    lock.symlink_to(elsewhere)
    with pytest.raises(savefile.BadSave, match="table.lock is not a regular file"), savefile.lock_file(path):
        pass
    assert list(tmp_path.iterdir()) == [lock] and lock.is_symlink()


def test_file_with_the_name_of_one_that_is_written_is_somebodys_own(tmp_path):
    """What a killed run has left, whole or cut off, is overwritten."""
    path, new = tmp_path / "table", tmp_path / "table.new"
    new.write_text("somebody's own")
    done = here(solver, "--variant", "hexapawn", "--save", path)
    assert done.returncode == 2 and f"{new} is not a saved file: expected" in done.stderr.splitlines()[-1]
    assert new.read_text() == "somebody's own" and list(tmp_path.iterdir()) == [new]
    told(solve("--variant", "hexapawn", "--save", tmp_path / "other"))
    for size in (0, 5, 100):
        new.write_bytes((tmp_path / "other").read_bytes()[:size])
        with savefile.lock_file(path):
            savefile.write(path, savefile.TABLE, {"game": "hexapawn"}, [])
        assert path.exists() and not new.exists()
