"""python-chess plays the games with the engine: what a user of chess.engine gets, pondering included."""
import logging
import random

import naive
import pytest
import client
from client import DEADLINE, ROOT

chess = pytest.importorskip("chess")
engines = pytest.importorskip("chess.engine")

FAR_RANK = {chess.WHITE: chess.BB_RANK_8, chess.BLACK: chess.BB_RANK_1}
FIRST_RANK = {chess.WHITE: chess.BB_RANK_1, chess.BLACK: chess.BB_RANK_8}


class PawnBoard(chess.Board):
    """A game of pawns for python-chess: they do not promote; the side to move has lost when it has no pawn, no move, or the opponent
    stands on its far rank. A game of it gives its names, its start and the moves of its pawns."""

    def __init__(self, fen=None, chess960=False):
        super().__init__(self.starting_fen if fen is None else fen, chess960=chess960)

    def reset(self):
        self.set_fen(self.starting_fen)

    def is_variant_end(self):
        return self.is_variant_loss()

    def is_variant_loss(self):
        opponent_home = self.occupied_co[not self.turn] & FAR_RANK[not self.turn]
        return bool(opponent_home) or not any(self.generate_pseudo_legal_moves())

    def is_variant_win(self):
        return False

    def is_variant_draw(self):
        return False

    def has_insufficient_material(self, color):
        return False


class TwoFlagsBoard(PawnBoard):
    aliases = ["Two Flags", "Pawn game"]
    uci_variant = "twoflags"
    starting_fen = "8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 1"

    def generate_pseudo_legal_moves(self, from_mask=chess.BB_ALL, to_mask=chess.BB_ALL):
        for move in super().generate_pseudo_legal_moves(from_mask, to_mask):
            steps = abs(chess.square_rank(move.to_square) - chess.square_rank(move.from_square))
            if steps == 2 and chess.BB_SQUARES[move.from_square] & FIRST_RANK[self.turn]:
                continue  # python-chess follows Horde, where a pawn on its first rank may step twice
            if move.promotion is None:
                yield move
            elif move.promotion == chess.QUEEN:  # one of four promotions stands for the plain step
                yield chess.Move(move.from_square, move.to_square)


class BreakthroughBoard(PawnBoard):
    aliases = ["Breakthrough"]
    uci_variant = "breakthrough"
    starting_fen = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1"

    def generate_pseudo_legal_moves(self, from_mask=chess.BB_ALL, to_mask=chess.BB_ALL):
        up = 8 if self.turn == chess.WHITE else -8
        for origin in chess.SquareSet(self.occupied_co[self.turn] & from_mask & ~FAR_RANK[self.turn]):
            ahead = origin + up
            forward = chess.BB_SQUARES[ahead] & ~self.occupied
            diagonal = chess.BB_PAWN_ATTACKS[self.turn][origin] & ~self.occupied_co[self.turn]
            for target in chess.SquareSet((forward | diagonal) & to_mask):
                yield chess.Move(origin, target)


BOARDS = {TwoFlagsBoard: naive.twoflags, BreakthroughBoard: naive.breakthrough}


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


@pytest.mark.parametrize("make", BOARDS)
def test_the_boards_play_their_games(make):
    """The subclasses themselves, against naive.py, to the end of random games."""
    source = random.Random(5)
    for _ in range(20):
        board, position = make(), naive.start(BOARDS[make]())
        while not naive.over(position):
            assert not board.is_game_over()
            legal = sorted(move.uci() for move in board.legal_moves)
            assert legal == sorted(naive.moves(position))
            move = source.choice(legal)
            board.push_uci(move)
            position = naive.play(position, move)
        assert board.is_game_over() and not list(board.legal_moves)
        assert board.outcome().winner == (not board.turn)


def test_a_whole_game_with_pondering(start):
    """Two processes, each pondering on the other's time; python-chess raises on an illegal bestmove and checks every line printed."""
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


@pytest.mark.parametrize("make", BOARDS)
def test_a_game_by_fixed_limits(start, make):
    """One process for both sides, every kind of limit in turn."""
    engine, board = start(), make()
    limits = [engines.Limit(depth=5), engines.Limit(nodes=2000), engines.Limit(time=0.02),
              engines.Limit(white_clock=1, black_clock=1, remaining_moves=5)]
    while not board.is_game_over():
        board.push(engine.play(board, limits[board.ply() % len(limits)]).move)


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
    with start().analysis(TwoFlagsBoard(), info=engines.INFO_ALL) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 5 and "pv" in info:
                break
    assert analysis.wait().move in TwoFlagsBoard().legal_moves


def test_a_board_without_uci_variant_is_refused(start):
    """python-chess asks for chess then, which the engine does not list."""
    with pytest.raises(engines.EngineError, match="UCI_Variant.*got: chess"):
        start().play(chess.Board(TwoFlagsBoard.starting_fen), engines.Limit(nodes=100))
