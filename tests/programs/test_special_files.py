"""Devices, pipes and folders in place of files: written to without being read, or refused in one line."""

import os

import pytest
from matches import fake, words

from pawnstorm import pgn
from pawnstorm.system import textfile
from pawnstorm_tools.programs import match as program

pytestmark = pytest.mark.timeout(30)  # what is tested here would hang


def main(capture, *flags):
    """(status, stdout, the last line of stderr) of a match of two games."""
    status = program.main(words(fake("good"), fake("good"), *flags))
    output, error = capture.readouterr()
    return status, output, (error.splitlines() or [""])[-1]


@pytest.fixture
def pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


@pytest.mark.parametrize("flag", ["-pgnout", "-debug"])
def test_a_pipe_that_nobody_reads_is_refused(flag, pipe, capsys):
    status, output, error = main(capsys, flag, pipe)
    assert (status, output) == (2, "") and error.startswith(f"match.py: nothing reads from the pipe '{pipe}': expected")


@pytest.mark.parametrize("flag", ["-resume", "-report"])
def test_a_file_that_is_read_again_or_written_as_a_whole_must_be_a_regular_one(flag, pipe, tmp_path, capsys):
    for path in (pipe, "/dev/full", tmp_path):
        status, output, error = main(capsys, flag, path)
        assert (status, output) == (2, "") and error.startswith(
            f"match.py: '{path}' is not a regular file: expected one"
        )


def test_a_full_device_is_not_read_and_named_once_a_game_cannot_be_written(capsys):
    status, output, error = main(capsys, "-pgnout", "/dev/full")
    assert status == 2 and "1 game" in output and error == "match.py: -pgnout '/dev/full': No space left on device"


def test_games_on_stdout_stay_whole_where_stdout_goes_to_a_file(capfd):
    status, output, _ = main(capfd, "-pgnout", "/dev/stdout")
    assert status == 0 and len(list(pgn.games(output))) == 2 and output.rindex("1-0\n") < output.index("Score ")


def test_a_match_that_goes_on_writes_its_new_games_to_a_pipe(pipe, tmp_path, capsys):
    with open(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), "rb") as reader:
        for rounds, new in ((1, 2), (3, 4), (3, 0)):
            assert main(capsys, "-resume", tmp_path / "r", "-pgnout", pipe, "-rounds", rounds)[0] == 0
            assert len(list(pgn.games((reader.read() or b"").decode()))) == new


@pytest.mark.parametrize(
    "flags", [("-openings", "file=/dev/zero"), ("-openings", "file=/dev/zero", "format=pgn"), ("-config", "/dev/zero")]
)
def test_a_device_without_an_end_is_not_read(flags, capsys):
    assert main(capsys, *flags) == (2, "", "match.py: '/dev/zero' is a device: expected a file")


@pytest.mark.parametrize(
    "flags", ["-openings file={}", "-openings file={} format=pgn", "-config {}", "-pgnout {}", "-debug {}"]
)
def test_a_folder_in_place_of_a_file_is_named(flags, tmp_path, capsys):
    told = f"match.py: {flags.split()[0]} '{tmp_path}': Is a directory"
    assert main(capsys, *flags.format(tmp_path).split()) == (2, "", told)


def test_a_pipe_is_read_no_further_than_the_largest_file(monkeypatch):
    monkeypatch.setattr(textfile, "LARGEST", 10)
    monkeypatch.setattr(textfile, "CHUNK", 4)
    end, start = os.pipe()
    try:
        os.write(start, bytes(100))
        with pytest.raises(OSError, match=f"'/dev/fd/{end}' is larger than 0 MiB: expected less"):
            textfile.read(f"/dev/fd/{end}")
    finally:
        os.close(end)
        os.close(start)
