"""python-chess plays the games with the engine: what a user of chess.engine gets, pondering included."""

import logging

import chess
import chess.engine as engines
import client
import pytest
from client import DEADLINE, ROOT

from pawnstorm.chess import BreakthroughBoard, TwoFlagsBoard


@pytest.fixture(scope="module")
def command():
    return client.command("source")


@pytest.fixture
def start(command, caplog):
    """A function that starts one engine under python-chess, which may not log a single warning about it."""
    caplog.set_level(logging.WARNING, logger="chess.engine")
    started = []

    def popen():
        started.append(engines.SimpleEngine.popen_uci(command, timeout=DEADLINE, cwd=ROOT))
        return started[-1]

    yield popen
    for engine in started:
        engine.quit()
    assert [record.getMessage() for record in caplog.records] == []


def test_a_whole_game_with_pondering(start):
    """Two processes, each pondering on the other's time; python-chess raises on an illegal bestmove and checks every
    line printed.
    """
    players = {chess.WHITE: start(), chess.BLACK: start()}
    sent = record_lines(players.values())
    board, game = TwoFlagsBoard(), object()
    limit = engines.Limit(white_clock=1.5, black_clock=1.5, white_inc=0.02, black_inc=0.02)
    while not board.is_game_over():
        before = len(sent)
        played = players[board.turn].play(board, limit, game=game, ponder=True, info=engines.INFO_ALL)
        assert played.move in board.legal_moves
        if "ponderhit" not in sent[before:]:  # python-chess drops what was said while pondering
            assert "score" in played.info
        board.push(played.move)
    assert board.outcome().termination in (chess.Termination.VARIANT_LOSS, chess.Termination.VARIANT_WIN)
    assert any("go ponder" in line for line in sent)
    assert "ponderhit" in sent, "in a whole game not one move was foreseen"


def record_lines(players):
    """What python-chess sends to these engines, in a list that grows."""
    sent = []
    for player in players:

        def send_line(line, forward=player.protocol.send_line):
            sent.append(line)
            forward(line)

        player.protocol.send_line = send_line
    return sent


def test_analysis_gives_lines_and_mates(start):
    engine = start()
    infos = engine.analyse(TwoFlagsBoard(), engines.Limit(depth=6), multipv=3)
    assert len(infos) == 3 and len({info["pv"][0] for info in infos}) == 3
    board = TwoFlagsBoard("8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1")
    info = engine.analyse(board, engines.Limit(depth=12))
    assert info["score"].relative == engines.Mate(3) and info["pv"][0].uci() == "f6f5"
    for move in info["pv"]:
        board.push(move)
    assert board.is_variant_loss()
    board = TwoFlagsBoard("8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1")
    info = engine.analyse(board, engines.Limit(depth=12), root_moves=[chess.Move.from_uci("h6h5")])
    assert info["score"].relative == engines.Mate(-3)


def test_analysis_without_limit_runs_until_stopped(start):
    with start().analysis(BreakthroughBoard(), info=engines.INFO_ALL) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 5 and "pv" in info:
                break
    assert analysis.wait().move in BreakthroughBoard().legal_moves


def test_a_board_without_uci_variant_is_refused(start):
    """python-chess asks for chess then, which the engine does not list."""
    with pytest.raises(engines.EngineError, match="UCI_Variant.*got: chess"):
        start().play(chess.Board(TwoFlagsBoard.starting_fen), engines.Limit(nodes=100))
