"""Points 19 and 20: what a search says in every game, from random positions and in whole games."""

import random

import pytest
from uci_audit import ONE_MOVE, audit, root
from uci_engine import command, engine, perft_of, play_out, process, setup  # noqa: F401

GAMES = [
    "twoflags",
    "pawnsonly",
    "breakthrough",
    "twoflags3x5",
    "twoflags5x6",
    "twoflags8x5",
    "breakthrough2x4",
    "breakthrough5",
    "breakthrough6x5",
    "hexapawn",
    "hexapawn1x3",
    "hexapawn4x4",
    "hexapawn8x8",
]


def random_positions(game, count, seed):
    """Undecided and finished positions from random games, a few plies from the start and close to the end alike."""
    source = random.Random(seed)
    found = []
    while len(found) < count:
        line = [root(game)]
        while moves := line[-1].moves():
            line.append(line[-1].play(source.choice(moves)))
        found.append(line[source.randrange(len(line))])
    return found


@pytest.mark.parametrize("game", GAMES)
def test_19_to_22_hold_at_random_positions(engine, game):
    for number, where in enumerate(random_positions(game, 16, seed=19)):
        limits = ["depth 1", "depth 6", "nodes 3000", "movetime 10", "wtime 100 btime 100"][number % 5]
        play_out(engine, where, limits)


@pytest.mark.parametrize("game", ["twoflags", "breakthrough", "twoflags5x6"])
def test_19_to_22_hold_with_two_threads_and_three_lines(engine, game):
    engine.ask("setoption name Threads value 2", "setoption name MultiPV value 3")
    for where in random_positions(game, 8, seed=20):
        play_out(engine, where, "movetime 30")


@pytest.mark.parametrize("game", ["twoflags", "pawnsonly", "breakthrough", "hexapawn4x4"])
def test_19_to_22_hold_in_a_whole_game_with_a_warm_table(engine, game):
    where, moves = root(game), []
    engine.ask(f"setoption name UCI_Variant value {game}")
    while not where.over():
        engine.send("position startpos moves " + " ".join(moves))
        moves.append(audit(where, engine.go("nodes 4000")).best)
        where = where.play(moves[-1])
    engine.send("position startpos moves " + " ".join(moves))
    audit(where, engine.go("nodes 4000"))
    if game == "pawnsonly":
        assert moves[-1].endswith("q") == (moves[-1][3] in "18")


def test_19_both_spellings_of_a_winning_push_are_read_and_the_games_own_is_printed(engine):
    fen = "8/P7/8/8/7p/8/8/8 w - - 0 1"
    for game, printed in ("twoflags", "a7a8"), ("pawnsonly", "a7a8q"), ("breakthrough", "a7a8"):
        where = root(game, fen)
        search = play_out(engine, where, "depth 3")
        assert (search.best, search.score) == (printed, ("mate", 1))
        for spelling in "a7a8", "a7a8q":
            assert play_out(engine, where, f"depth 3 searchmoves {spelling}").best == printed
            assert engine.ask(f"position fen {fen} moves {spelling}") == []
            audit(where.play("a7a8"), engine.go("depth 3"))
        setup(engine, where)
        assert printed in perft_of(engine, 1)[0]


@pytest.mark.parametrize("limits", ["depth 5", "movetime 50", "nodes 1", "wtime 100 btime 100"])
def test_20_a_forced_move_still_has_a_score(engine, limits):
    assert play_out(engine, root(fen=ONE_MOVE), limits).best == "h3h4"
    assert play_out(engine, root("breakthrough", "8/7p/8/8/8/p7/P7/8 w - - 0 1"), limits).best == "a2b3"


def test_25_output_is_flushed_line_by_line(engine):
    """Lines of a search arrive while it runs."""
    engine.send("go infinite")
    engine.expect("info .* pv .*")
    engine.stop()
