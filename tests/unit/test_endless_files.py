"""Whatever is given as a file is refused by its first line, its kind or its size, before what may have no end is read."""

import json
import os
import zlib

import numpy as np
import pytest

from pawnstorm.core.state import HIDDEN_WIDTH, OUTPUT_BUCKETS
from pawnstorm.evaluation import networks
from pawnstorm.games.datafile import BadFile
from pawnstorm.openings import repertoire
from pawnstorm.proof import book
from pawnstorm.system import files, pages, textfile
from pawnstorm_tools.checking import prooffile
from pawnstorm_tools.common import journal
from pawnstorm_tools.solving import savefile
from pawnstorm_tools.training import TrainingError, game_positions

pytestmark = pytest.mark.timeout(30)  # what is tested here would hang
HUGE = max(40 << 30, 2 * pages.physical_mebibytes() << 20)  # bytes, which take no room on the disk
NEURAL = (HIDDEN_WIDTH, OUTPUT_BUCKETS, 7)
SAVED = {"game": "hexapawn", "nodes": 1, "jobs": 1, "seconds": 0.5, "hash": 1}


def saved(kind):
    return json.dumps({"file": kind} | SAVED).encode() + b"\n"


# name -> (what reads a path, its errors, a first line that is right or None)
READERS = {
    "network": (networks.load_network, BadFile, networks.NETWORK_FORMAT.header("breakthrough8x8", *NEURAL)),
    "solver": (networks.load_solver, BadFile, networks.SOLVER_FORMAT.header("breakthrough8x8", *NEURAL)),
    "ntuple": (networks.load_ntuple, BadFile, networks.NTUPLE_FORMAT.header("twoflags8x8", 7)),
    "book": (book.Book, BadFile, book.FORMAT.header("twoflags8x8", 1, 10**11, 7)),
    "repertoire": (repertoire.Repertoire, BadFile, repertoire.FORMAT.header("breakthrough8x8", 10**11, 7)),
    "table": (
        lambda path: savefile.read(path, savefile.TABLE, "hexapawn", 16, lambda about: 1 << 20),
        savefile.BadSave,
        saved(savefile.TABLE),
    ),
    "tree": (lambda path: savefile.read(path, savefile.TREE, "hexapawn", 36), savefile.BadSave, saved(savefile.TREE)),
    "journal": (
        lambda path: journal.read(path, "match", "game"),
        journal.JournalError,
        b'{"match": "0123456789ab", "settings": {}}\n',
    ),
    "proof": (prooffile.read, prooffile.BadProof, None),
    "text": (textfile.read, OSError, b"8/8 w\n"),
}


@pytest.fixture(params=READERS)
def reader(request):
    return READERS[request.param]


def refused(read, errors, path):
    with pytest.raises((errors, OSError)) as found:
        read(str(path))
    text = str(found.value)
    assert str(path) in text and "\n" not in text
    return text


def sparse(path, first=b""):
    path.write_bytes(first)
    os.truncate(path, HUGE)
    return path


def test_a_huge_file_is_refused_by_its_first_line_or_its_size(reader, tmp_path):
    read, errors, first = reader
    refused(read, errors, sparse(tmp_path / "zeros"))
    if first:
        said = refused(read, errors, sparse(tmp_path / "headed", first))
        assert "too large" in said or "larger than" in said


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_what_is_no_regular_file_is_refused(reader, tmp_path):
    read, errors, _ = reader
    os.mkfifo(tmp_path / "pipe")
    for path in ("/dev/zero", tmp_path) + (() if read is textfile.read else (tmp_path / "pipe",)):
        refused(read, errors, path)


@pytest.mark.skipif(not os.path.exists("/proc/kmsg"), reason="no /proc")
def test_a_file_of_proc_that_waits_for_news_is_not_waited_for(reader):
    read, errors, _ = reader
    if read is textfile.read and os.access("/proc/kmsg", os.R_OK):
        assert isinstance(textfile.read("/proc/kmsg"), bytes)  # of a system that has just started, it has lines
    else:
        refused(read, errors, "/proc/kmsg")


def test_records_of_games_that_memory_cannot_hold_are_not_read(tmp_path):
    with pytest.raises(TrainingError, match="too large"):
        game_positions.read(sparse(tmp_path / "games"), None)


def test_the_rest_of_a_file_is_read_up_to_a_size(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"first\nrest")
    with files.open_regular(path) as file:
        assert file.readline() == b"first\n" and files.read_rest(file, 4) == b"rest" and files.read_rest(file, 0) == b""
        file.seek(6)
        with pytest.raises(OSError, match="too large: 4 bytes after its first line, expected 3 at most"):
            files.read_rest(file, 3)


@pytest.mark.parametrize("level", range(10))
def test_a_whole_network_is_never_too_large(level):
    """zlib makes data that cannot be compressed a little larger."""
    noise = np.random.default_rng(level).integers(0, 256, 1 << 20, np.uint8).tobytes()
    assert len(zlib.compress(noise, level)) <= networks._max_packed_size(len(noise))
