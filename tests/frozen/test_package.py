"""The executables carry what they need and nothing else, and play in a terminal and under python-chess."""
import pytest
from test_book import DATA
from test_play import play, test_whole_game_ends_in_a_pgn_that_reads_back  # noqa: F401
from test_python_chess import start, test_a_whole_game_with_pondering, test_analysis_gives_lines_and_mates  # noqa: F401
from test_start import test_running_engine_maps_no_compiler  # noqa: F401

import client

pytestmark = pytest.mark.frozen


@pytest.fixture(scope="module", params=["folder", "portable"])
def command(request):
    return client.command(request.param)


@pytest.mark.parametrize("name", DATA)
def test_executables_carry_books_and_networks(name):
    readers = pytest.importorskip("PyInstaller.archive.readers")
    source = (client.ROOT / "engine" / "data" / name).read_bytes()
    path, = (client.frozen() / "pawnstorm").rglob(name)
    assert path.read_bytes() == source and path.parts[-3:-1] == ("engine", "data")
    portable = readers.CArchiveReader(str(client.frozen() / "pawnstorm-portable"))
    assert portable.extract(f"engine/data/{name}") == source
