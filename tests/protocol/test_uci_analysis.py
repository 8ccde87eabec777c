"""Point 13: what an analysis asks for: perft, several lines, no book, and win, draw and loss."""

import pytest
from uci_audit import FINISHED, ONE_MOVE, SEED, SEED_WHITE, TWOFLAGS, audit, root
from uci_engine import command, engine, perft_of, play_out, process, setup  # noqa: F401

from pawnstorm_tools.checking import naive


@pytest.mark.parametrize(
    "game, counts",
    [
        ("twoflags", [16, 256, 3846, 57744]),
        ("breakthrough", [22, 484, 11132]),
        ("hexapawn", [3, 10, 28, 56, 70, 64, 20]),
    ],
)
def test_13_perft_is_split_by_root_move(engine, game, counts):
    start = root(game)
    setup(engine, start)
    for depth, count in enumerate(counts, 1):
        split, total = perft_of(engine, depth)
        assert total == count == sum(split.values())
        assert sorted(split) == sorted(start.moves())
    below = {move: naive.perft(start.play(move).position, 1) for move in start.moves()}
    assert perft_of(engine, 2)[0] == below


def test_13_perft_of_a_finished_game_is_zero(engine):
    setup(engine, root(*FINISHED[0]))
    assert perft_of(engine, 3) == ({}, 0)


@pytest.mark.parametrize("fen", [TWOFLAGS, SEED, ONE_MOVE])
def test_13_multipv_gives_that_many_lines_in_order(engine, fen):
    where = root(fen=fen)
    engine.ask("setoption name MultiPV value 4")
    search = play_out(engine, where, "depth 7")
    wanted = min(4, len(where.moves()))
    last = search.infos[-wanted:]
    assert [info["multipv"] for info in last] == list(range(1, wanted + 1))
    assert len({info["pv"][0] for info in last}) == wanted
    assert len({info["depth"] for info in last}) == 1
    assert last[0]["pv"][0] == search.best
    values = [sort_value(info["score"]) for info in last]
    assert values == sorted(values, reverse=True)


def sort_value(score):
    """Scores as numbers: a mate in fewer moves above one in more, both above any centipawns."""
    kind, value, _ = score
    return value if kind == "cp" else (1_000_000 - value if value > 0 else -1_000_000 - value)


def test_13_multipv_covers_searchmoves_only(engine):
    engine.ask("setoption name MultiPV value 5")
    search = audit(root(), engine.go("depth 5 searchmoves a2a3 b2b3"))
    assert {info["pv"][0] for info in search.infos} == {"a2a3", "b2b3"}


def test_13_analysis_is_searched_where_the_book_would_answer(engine):
    for words, searched in (
        ("OwnBook value true", False),
        ("UCI_AnalyseMode value true", True),
        ("OwnBook value true", True),
        ("UCI_AnalyseMode value false", False),
    ):
        *_, info, _ = engine.ask(f"setoption name {words}") + engine.go("movetime 50")
        assert (" nodes 0 " not in info) == searched, info


def test_13_wdl_is_shown_when_asked_for(engine):
    assert not [info for info in audit(root(), engine.go("depth 4")).infos if "wdl" in info]
    engine.ask("setoption name UCI_ShowWDL value true")
    for where in root(), root(fen=SEED_WHITE):
        infos = play_out(engine, where, "depth 6").infos
        assert infos and all(info["wdl"][1] == 0 for info in infos)  # these games have no draw
    assert infos[-1]["wdl"] == [1000, 0, 0]
    assert play_out(engine, root(*FINISHED[0]), "depth 1").infos[-1].get("wdl", [0, 0, 1000]) == [0, 0, 1000]
