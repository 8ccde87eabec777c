"""The points of UCI that freezing could break, on both executables: tests of test_uci_*.py with another command."""

import client
import pytest
from test_uci_end import test_25_the_end_comes_at_once_in_any_state, test_25_the_end_comes_when_nobody_reads_the_output  # noqa: F401
from test_uci_go import test_13_the_seeds_example_is_solved  # noqa: F401
from test_uci_handshake import (  # noqa: F401
    test_01_uci_is_answered_by_id_options_and_exactly_uciok,
    test_03_isready_during_a_search_is_answered_and_the_search_goes_on,
)
from test_uci_hostile_lines import test_25_invalid_utf8_is_survived  # noqa: F401
from test_uci_repeats import bench_by_word, bench_from_source
from test_uci_searches import (  # noqa: F401
    test_19_to_22_hold_in_a_whole_game_with_a_warm_table,
    test_19_to_22_hold_with_two_threads_and_three_lines,
    test_20_a_forced_move_still_has_a_score,
    test_the_compliance_check_of_fastchess,
)
from test_uci_stop import (  # noqa: F401
    test_16_a_finished_game_says_mate_0_and_no_move,
    test_17_ponderhit_and_stop_together_give_one_bestmove,
)
from test_uci_variants import test_06_changing_the_variant_resets_the_board_and_prints_its_line  # noqa: F401
from uci_engine import engine, process  # noqa: F401

pytestmark = pytest.mark.frozen


@pytest.fixture(scope="module", params=["folder", "portable"])
def command(request):
    return client.command(request.param)


def test_23_bench_counts_the_nodes_that_it_counts_from_source(command):
    assert bench_by_word(command) == bench_from_source()
