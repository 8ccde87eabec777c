"""The executables carry what they need and nothing else, and play in a terminal and under python-chess."""

import subprocess

import client
import pytest
from test_codingame_bot import test_whole_game_is_won_against_a_random_player  # noqa: F401
from test_play import play, test_lines_fit_the_terminal, test_whole_game_ends_in_a_pgn_that_reads_back  # noqa: F401
from test_python_chess import start, test_a_whole_game_with_pondering, test_analysis_gives_lines_and_mates  # noqa: F401
from test_start import test_bare_start_in_a_terminal_says_what_to_type, test_running_engine_maps_no_compiler  # noqa: F401
from test_ugi_games import test_two_engines_play_a_whole_game_and_agree_on_each_position  # noqa: F401

pytestmark = pytest.mark.frozen


@pytest.fixture(scope="module", params=["folder", "portable"])
def command(request):
    return client.command(request.param)


@pytest.mark.parametrize(
    "folder, name",
    [
        ("evaluation", "breakthrough8x8.network"),
        ("evaluation", "breakthrough5x6.solver"),
        ("evaluation", "twoflags8x8.ntuple"),
        ("proof", "breakthrough6x6.book"),
        ("proof", "twoflags8x8.book"),
        ("proof", "twoflags8x8.opening"),
        *(("openings", path.name) for path in (client.ROOT / "engine/pawnstorm/openings/data").glob("*")),
    ],
)
def test_executables_carry_books_and_networks(folder, name):
    readers = pytest.importorskip("PyInstaller.archive.readers")
    place = ("pawnstorm", folder, "data")
    source = client.ROOT.joinpath("engine", *place, name).read_bytes()
    (path,) = (client.frozen() / "pawnstorm").rglob(name)
    assert path.read_bytes() == source and path.parts[-4:-1] == place
    portable = readers.CArchiveReader(str(client.frozen() / "pawnstorm-portable"))
    assert portable.extract("/".join([*place, name])) == source


def test_executables_name_the_package_that_has_the_programs(command):
    done = subprocess.run([*command, "match"], capture_output=True, text=True, timeout=client.DEADLINE)
    assert (done.returncode, done.stdout) == (2, "")
    assert "'match' is not part of the executables: expected pip install 'pawnstorm[match]'" in done.stderr
