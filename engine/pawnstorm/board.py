"""Board: a game in progress, in texts."""

from __future__ import annotations

from typing import Literal

from pawnstorm.games.detection import possible_games
from pawnstorm.games.notation import ParseError, diagram, fen, move_text, parse_fen, parse_move
from pawnstorm.games.position import Board as Position
from pawnstorm.games.rules import DEFAULT_GAME, Rules
from pawnstorm.games.rules import get_rules as rules_of

Side = Literal["white", "black"]


def side(black: bool) -> Side:
    """The name of a side."""
    return "black" if black else "white"


class Board:
    """A game in progress: a position, and the moves that led to it. str() draws it.

    game    a name in any case, such as "twoflags", "breakthrough", "hexapawn", or one with files and ranks as in
            "breakthrough6x5"; None for the game of the FEN, or for "twoflags" without one
    fen     the position to begin with, one to six fields; None for the game's start

    A FEN does not name its game. If only one game can lead to the position, by its board and pawns, that is the game;
    otherwise name the game: Board("breakthrough", fen). Any pawns can be set up in a named game. Boards are equal if
    they have the same game and the same FEN, however that was reached. Raises UnknownGame for the name and ParseError
    for the FEN, also if the game is missing and cannot be told; both are ValueErrors.
    """

    __hash__ = None  # type: ignore[assignment]  # a board changes

    def __init__(self, game: str | None = None, fen: str | None = None) -> None:
        if game is not None:
            rules = rules_of(_text(game, "game"))
        elif fen is not None:
            rules = _only_game(_text(fen, "fen"))
        else:
            rules = rules_of(DEFAULT_GAME)
        first = Position.start(rules) if fen is None else parse_fen(rules, _text(fen, "fen"))
        self._positions = [first]
        self._moves: list[str] = []

    @property
    def game(self) -> str:
        """The game's name in its usual spelling: "breakthrough6" for "Breakthrough6x6"."""
        return self._position.rules.name

    @property
    def fen(self) -> str:
        """The position in six fields. The fourth names a square only if a pawn can be captured en passant there."""
        return fen(self._position)

    @property
    def turn(self) -> Side:
        """The side to move, also in a finished game."""
        return side(self._position.black_to_move)

    @property
    def legal_moves(self) -> list[str]:
        """What the side to move can play; [] if the game is over."""
        return [move_text(self._position, move) for move in self._position.moves()]

    @property
    def winner(self) -> Side | None:
        """The side that has won; None while the game goes on. There are no draws."""
        return side(not self._position.black_to_move) if self._position.is_game_over() else None

    @property
    def moves(self) -> list[str]:
        """The moves played on this board so far."""
        return list(self._moves)

    def push(self, move: str) -> None:
        """Play a legal move. Raises ParseError or IllegalMove, both ValueErrors, and then changes nothing."""
        position = self._position
        played = parse_move(position, _text(move, "move"))
        self._positions.append(position.push(played))
        self._moves.append(move_text(position, played))

    def pop(self) -> str:
        """Take the last move back and return it. Raises IndexError if there is none."""
        if not self._moves:
            raise IndexError("no move to take back")
        self._positions.pop()
        return self._moves.pop()

    def copy(self) -> Board:
        """A board of its own with the same game and moves."""
        board = Board.__new__(Board)
        board._positions, board._moves = list(self._positions), list(self._moves)
        return board

    @property
    def _position(self) -> Position:
        return self._positions[-1]

    def __eq__(self, other: object) -> bool:
        return self._position == other._position if isinstance(other, Board) else NotImplemented

    def __str__(self) -> str:
        return diagram(self._position)

    def __repr__(self) -> str:
        return f"Board({self.game!r}, {self.fen!r})"

    def __reduce__(self) -> tuple[object, ...]:
        # For pickle and copy: every process has its own Rules, and two Rules are never equal.
        return _replay, (self.game, fen(self._positions[0]), self._moves)


def _only_game(fen: str) -> Rules:
    """The one game that can lead to a position. Raises ParseError if there are several or none."""
    found = possible_games(fen)
    if len(found) == 1:
        return found[0]
    names = ", ".join(rules.name for rules in found)
    shown = fen.strip()[:80]
    fault = f"'{shown}' fits several games, {names}" if found else f"no game leads to the position '{shown}'"
    raise ParseError(f'{fault}: expected the name of the game too, as in Board("breakthrough", fen)')


def _replay(game: str, start: str, moves: list[str]) -> Board:
    """A board that began with a FEN and some moves."""
    board = Board(game, start)
    for move in moves:
        board.push(move)
    return board


def _text(value: object, what: str) -> str:
    """The value, if it is a text. Raises TypeError, and says what it is of."""
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a str, not {type(value).__name__}")
    return value


def position_of(board: object) -> Position:
    """The position of a Board in which the game goes on. Raises TypeError, ValueError."""
    if not isinstance(board, Board):
        raise TypeError(f"board must be a pawnstorm.Board, not {type(board).__name__}")
    if board.winner is not None:
        raise ValueError(f"the game is over, {board.winner} has won: expected a position with a legal move")
    return board._position
