"""Boards for python-chess: Two Flags and Breakthrough on 8x8.

Example::

    import sys
    import chess.engine
    from pawnstorm.chess import TwoFlagsBoard

    board = TwoFlagsBoard()
    with chess.engine.SimpleEngine.popen_uci([sys.executable, "-m", "pawnstorm"]) as engine:
        board.push(engine.play(board, chess.engine.Limit(time=1)).move)

Both boards are subclasses of `chess.Board` and work with the engines, PGN and pictures of python-chess. There are no draws,
checks or promotions. A game ends with `chess.Termination.VARIANT_LOSS`, the loss of the side to move. Importing this
module adds both boards to `chess.variant.VARIANTS`, so that `chess.pgn.read_game()` reads these games.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn

from pawnstorm.games.notation import parse_fen
from pawnstorm.games.rules import Rules, get_rules

try:
    import chess
    import chess.variant
except ImportError as error:
    raise ImportError("pawnstorm.chess needs python-chess: pip install chess") from error

__all__ = ["BreakthroughBoard", "TwoFlagsBoard"]

FAR_RANK = {chess.WHITE: chess.BB_RANK_8, chess.BLACK: chess.BB_RANK_1}
SECOND_RANK = {chess.WHITE: chess.BB_RANK_2, chess.BLACK: chess.BB_RANK_7}
UP = {chess.WHITE: 8, chess.BLACK: -8}
PROMOTION = re.compile("=?[qQ](?=[+#]?$)")
POSSIBLE_FAULTS = chess.STATUS_EMPTY | chess.STATUS_BAD_CASTLING_RIGHTS | chess.STATUS_INVALID_EP_SQUARE
TOO_MANY = {
    chess.WHITE: (chess.STATUS_TOO_MANY_WHITE_PAWNS, chess.STATUS_TOO_MANY_WHITE_PIECES),
    chess.BLACK: (chess.STATUS_TOO_MANY_BLACK_PAWNS, chess.STATUS_TOO_MANY_BLACK_PIECES),
}


class PawnBoard(chess.Board):
    """The board of a game of pawns. Each subclass sets the rules and the names of its game."""

    rules: Rules
    tbw_suffix = tbz_suffix = tbw_magic = tbz_magic = None

    def __init__(self, fen: str | None = "startpos", *, chess960: bool = False) -> None:
        """fen: "startpos" for the start of the game, None for an empty board. Raises ValueError if the FEN is wrong."""
        super().__init__(type(self).starting_fen if fen == "startpos" else fen, chess960=chess960)

    def reset(self) -> None:
        self.set_fen(type(self).starting_fen)

    def set_fen(self, fen: str) -> None:
        """Set up a FEN of one to six fields. The check is as strict as the engine's. Raises ValueError."""
        parse_fen(self.rules, fen)
        super().set_fen(fen)

    def set_chess960_pos(self, scharnagl: int) -> NoReturn:
        """Raise ValueError, since these games have only one start position. from_chess960_pos() calls this."""
        raise ValueError(f"{self.uci_variant} has no positions of Chess960: expected the start position, or a FEN")

    def generate_pseudo_legal_moves(
        self, from_mask: chess.Bitboard = chess.BB_ALL, to_mask: chess.Bitboard = chess.BB_ALL
    ) -> Iterator[chess.Move]:
        """The moves of all pawns; they are legal unless the game is over."""
        own, empty, up = self.occupied_co[self.turn], ~self.occupied, UP[self.turn]
        onto = chess.BB_ALL & ~own if self.rules.quiet_diagonals else self.occupied_co[not self.turn]
        for origin in chess.scan_reversed(self.pawns & own & from_mask & ~FAR_RANK[self.turn]):
            targets = chess.BB_PAWN_ATTACKS[self.turn][origin] & onto
            if chess.BB_SQUARES[origin + up] & empty:
                targets |= chess.BB_SQUARES[origin + up]
                if self.rules.double_step_squares and chess.BB_SQUARES[origin] & SECOND_RANK[self.turn]:
                    targets |= chess.BB_SQUARES[origin + 2 * up] & empty
            for target in chess.scan_reversed(targets & to_mask):
                yield chess.Move(origin, target)
        yield from self.generate_pseudo_legal_ep(from_mask, to_mask)

    def find_move(
        self, from_square: chess.Square, to_square: chess.Square, promotion: chess.PieceType | None = None
    ) -> chess.Move:
        """The legal move between two squares. Raises chess.IllegalMoveError."""
        move = chess.Move(from_square, to_square, promotion)
        if not self.is_legal(move):
            raise chess.IllegalMoveError(f"no matching legal move for {move.uci()} in {self.fen()}")
        return move

    def is_variant_end(self) -> bool:
        return self.is_variant_loss() or self.is_variant_win()

    def is_variant_loss(self) -> bool:
        """Whether the opponent has a pawn on its far rank, or the side to move has no pawn or no move."""
        if self.is_variant_win():
            return False
        return self._arrived(not self.turn) or not any(self.generate_pseudo_legal_moves())

    def is_variant_win(self) -> bool:
        """Whether the side to move already has a pawn on its far rank. This can occur after a null move, but never in a game."""
        return self._arrived(self.turn)

    def has_insufficient_material(self, color: chess.Color) -> bool:
        return False

    def is_seventyfive_moves(self) -> bool:
        return False

    def is_fifty_moves(self) -> bool:
        return False

    def status(self) -> chess.Status:
        """What is wrong with a position that was set up by hand. Pieces other than pawns count as too many pieces."""
        status = super().status() & POSSIBLE_FAULTS
        for color, (pawns, pieces) in TOO_MANY.items():
            own = self.occupied_co[color]
            if chess.popcount(own & self.pawns) > chess.popcount(self.rules.start_pawns):
                status |= pawns
            if own & ~self.pawns:
                status |= pieces
        return status

    def parse_san(self, san: str) -> chess.Move:
        """The legal move that a word of a PGN names, such as `e8`, `e8=Q` or `e7e8`."""
        return super().parse_san(PROMOTION.sub("", san))

    def _arrived(self, color: chess.Color) -> bool:
        return bool(self.pawns & self.occupied_co[color] & FAR_RANK[color])


class TwoFlagsBoard(PawnBoard):
    """Two Flags, also known as the pawn game: chess with nothing but pawns.

    In PGN a move to the far rank is written `e8=Q`, so that programs that know only chess can read the game.

    Args:
        fen: A FEN of one to six fields, or None for an empty board. The default is the start of the game.
        chess960: Has no effect.

    Raises:
        ValueError: The FEN is wrong.
    """

    rules = get_rules("twoflags")
    aliases = ["twoflags", "pawnsonly", "Two Flags"]
    uci_variant = xboard_variant = rules.name
    starting_fen = rules.start_fen

    def _algebraic_without_suffix(self, move: chess.Move, *, long: bool = False) -> str:
        text = super()._algebraic_without_suffix(move, long=long)
        return text + "=Q" if move and chess.BB_SQUARES[move.to_square] & chess.BB_BACKRANKS else text


class BreakthroughBoard(PawnBoard):
    """Breakthrough: pawns step straight or diagonally, and capture diagonally.

    In PGN a move is written as its two squares, `e2e3`.

    Args:
        fen: A FEN of one to six fields, or None for an empty board. The default is the start of the game.
        chess960: Has no effect.

    Raises:
        ValueError: The FEN is wrong.
    """

    rules = get_rules("breakthrough")
    aliases = ["breakthrough"]
    uci_variant = xboard_variant = rules.name
    starting_fen = rules.start_fen

    def _algebraic_without_suffix(self, move: chess.Move, *, long: bool = False) -> str:
        return move.uci() if move else "--"


chess.variant.VARIANTS += [TwoFlagsBoard, BreakthroughBoard]
