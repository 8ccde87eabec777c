"""What the course's server writes, on a full disk, after what is there, and where nobody reads it."""

from course_processes import core, server  # noqa: F401
from course_sessions import COURSE, Playing


def test_full_disks_end_no_game():
    with server("--games", 2, "--time", 1, "--sessions", 1, "--pgn", "/dev/full", "--log", "/dev/full") as (
        process,
        port,
    ):
        clients = [Playing(port, *COURSE) for _ in range(2)]
        out, errors = process.finish()
        assert not any(each.join() for each in clients)
    assert errors.count("--pgn '/dev/full' cannot be written: No space left on device; the game is printed") == 2
    assert errors.count("/dev/full: lines are lost: No space left on device") == 1
    assert out.count('[Result "') == 2 == out.count(" wins after ")


def test_a_server_that_nobody_listens_to_goes_on():
    under = ["bash", "-o", "pipefail", "-c", '"$@" | head -n 1', "bash"]
    with server("--time", 1, "--games", 2, "--sessions", 1, under=under) as (process, port):
        clients = [Playing(port, *COURSE) for _ in range(2)]
        assert not any(each.join() for each in clients) and sum(won for each in clients for won, _ in each.results) == 2
        assert process.finish()[1] == ""
