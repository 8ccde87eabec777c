"""Board: a game in progress, with positions and moves as text."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Literal, SupportsIndex

from pawnstorm.games.actions import action_count, action_of, move_of
from pawnstorm.games.detection import possible_games
from pawnstorm.games.notation import (
    IllegalMove,
    ParseError,
    diagram,
    fen,
    move_text,
    parse_fen,
    parse_move,
    parse_square,
    square_name,
)
from pawnstorm.games.position import Board as Position
from pawnstorm.games.rules import DEFAULT_GAME, Rules
from pawnstorm.games.rules import get_rules as rules_of
from pawnstorm.pgn import move_san, parse_san

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

Side = Literal["white", "black"]


def side(black: bool) -> Side:
    """The name of a side: "black" if `black` is true, else "white"."""
    return "black" if black else "white"


class Board:
    """A game in progress: a position, and the moves that led to it.

    A FEN does not name its game. If only one game can lead to the position, `Board(fen=...)` finds that game. Otherwise
    name it, as in `Board("breakthrough", fen)`; a named game also accepts positions that cannot arise in play.

    `str(board)` is a diagram. Two boards are equal if they have the same game and the same FEN; their moves may differ.
    A board can be a member of a set or a key of a dict. Do not play on such a board. If you want to go on playing, put a `copy()`
    into the set or dict.

    Args:
        game: A name, such as "twoflags", "breakthrough" or "hexapawn", or one with files and ranks, such as
            "breakthrough6x5", in upper or lower case. The UCI option UCI_Variant takes the same names. The default is the
            game that the FEN fits, or "twoflags" without a FEN.
        fen: The first position, as a FEN of one to six fields. The default is the start of the game.

    Raises:
        UnknownGame: No game has this name, or the game is not played on a board of this size.
        ParseError: The FEN is wrong. Or no game is named, and the position can arise in no game, or in more than one.
        TypeError: An argument is not a str.
    """

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
        """The game's name in its usual spelling, as in "breakthrough6" for "Breakthrough6x6"."""
        return self._position.rules.name

    @property
    def fen(self) -> str:
        """The position as a FEN of six fields. The fourth is "-" unless a pawn can be captured en passant."""
        return fen(self._position)

    @property
    def turn(self) -> Side:
        """The side to move; once the game is over, the side that has lost."""
        return side(self._position.black_to_move)

    @property
    def legal_moves(self) -> list[str]:
        """All moves of the side to move; [] if the game is over."""
        return [move_text(self._position, move) for move in self._position.moves()]

    @property
    def winner(self) -> Side | None:
        """The side that has won, or None if the game is not over. There are no draws."""
        return side(not self._position.black_to_move) if self._position.is_game_over() else None

    @property
    def moves(self) -> list[str]:
        """The moves that were played on this board, in order."""
        return list(self._moves)

    def is_game_over(self) -> bool:
        """Whether a side has won."""
        return self._position.is_game_over()

    def pieces(self, side: Side) -> list[str]:
        """The squares of a side's pawns, rank by rank, beginning at a1.

        Raises:
            ValueError: The side is neither "white" nor "black".
        """
        if side not in ("white", "black"):
            raise ValueError(f"'{side}' is not a side: expected 'white' or 'black'")
        pawns = self._position.white_pawns if side == "white" else self._position.black_pawns
        return [square_name(square) for square in range(64) if pawns >> square & 1]

    def piece_at(self, square: str) -> Side | None:
        """The side that has a pawn on a square, such as "e2", or None if the square is empty.

        Raises:
            ParseError: The board has no such square.
            TypeError: The square is not a str.
        """
        bit = 1 << parse_square(self._position.rules, _text(square, "square"))
        if self._position.white_pawns & bit:
            return "white"
        return "black" if self._position.black_pawns & bit else None

    def is_capture(self, move: str) -> bool:
        """Whether a legal move captures a pawn, en passant included.

        Takes the same argument as `push()`, and raises the same errors.
        """
        position = self._position
        target = parse_move(position, _text(move, "move")) >> 6 & 63
        return bool((position.opp | position.ep) >> target & 1)

    def san(self, move: str) -> str:
        """A legal move in the notation of PGN. Takes the same argument as `push()`, and raises the same errors.

        In Two Flags on 8x8 this is standard algebraic notation, as in chess: "e4", "exd5", "e8=Q". In all other games it is
        the two squares: "e2e3".
        """
        position = self._position
        return move_san(position.rules, move_text(position, parse_move(position, _text(move, "move"))))

    def parse_san(self, text: str) -> str:
        """The legal move that a text names, returned as two squares.

        Args:
            text: As in PGN, "e4" or "exd5", or two squares in any of the usual forms: "e2e4", "e2-e4", "E4xD5". Marks such as
                "+", "!" or "e.p." may follow.

        Raises:
            ParseError: The text is not a move.
            IllegalMove: The position does not allow the move.
            AmbiguousMove: The text fits several legal moves. This is an IllegalMove too.
            TypeError: The text is not a str.
        """
        return move_text(self._position, parse_san(self._position, _text(text, "text")))

    def push_san(self, text: str) -> str:
        """Play the move that a text names, and return it as two squares.

        Takes the argument and raises the errors of `parse_san()`.
        """
        move = self.parse_san(text)
        self.push(move)
        return move

    def push(self, move: str) -> None:
        """Play a move. If this raises an error, the board does not change.

        Args:
            move: Two squares, such as "e2e4". A "q" may follow if the pawn arrives on the far rank.

        Raises:
            ParseError: The text is not a move on this board.
            IllegalMove: The position does not allow the move.
            TypeError: The move is not a str.
        """
        position = self._position
        played = parse_move(position, _text(move, "move"))
        self._positions.append(position.push(played))
        self._moves.append(move_text(position, played))

    def pop(self) -> str:
        """Take back the last move, and return it.

        Raises:
            IndexError: No move was played on this board.
        """
        if not self._moves:
            raise IndexError("no move to take back")
        self._positions.pop()
        return self._moves.pop()

    def copy(self) -> Board:
        """A new board with the same game, position and moves. Playing on one does not change the other."""
        return board_of(list(self._positions), list(self._moves))

    def to_array(self) -> NDArray[np.uint8]:
        """The position as an array (4, ranks, files) of zeros and ones; element [plane, 0, 0] belongs to a1.

        The planes are White's pawns, Black's pawns, the en passant square, and the side to move (all ones for Black).
        `pawnstorm.planes` has a drawing.

        Raises:
            ImportError: numpy is not installed.
        """
        from pawnstorm import planes

        return planes.position_planes(self._position)

    @classmethod
    def from_array(cls, array: ArrayLike, game: str | None = None) -> Board:
        """A new board from an array such as `to_array()` returns. Its move counters are those of a new game.

        Args:
            array: (4, ranks, files), each element 0 or 1; the numbers may have any type.
            game: As in `Board()`. By default it is found from the position, if only one game can lead to it.

        Raises:
            UnknownGame: No game has this name.
            ParseError: The position is wrong. Or no game is named, and the position can arise in no game, or in more than one.
            ValueError: The array has another shape, or holds something other than 0 and 1.
            ImportError: numpy is not installed.
        """
        from pawnstorm import planes

        rules = None if game is None else rules_of(_text(game, "game"))
        return cls(game, planes.planes_fen(planes.check_planes(array, rules, batch=False)[0]))

    @property
    def action_count(self) -> int:
        """How many actions the game has, legal or not. They are numbered from 0.

        An action is the square that a pawn leaves, and a direction, both seen by the side to move. Its number is
        (direction * ranks + rank) * files + file. The rank and the file are those of the square, counted from 0. For Black,
        ranks count from the top. The direction is 0 towards the a-file, 1 straight ahead, 2 towards the h-file, and 3 for a
        double step, which only some games have.
        """
        return action_count(self._position.rules)

    def move_to_action(self, move: str) -> int:
        """The action number of a legal move. Raises the errors of `push()`."""
        return action_of(self._position.rules, parse_move(self._position, _text(move, "move")))

    def action_to_move(self, action: SupportsIndex) -> str:
        """The legal move with an action number.

        Raises:
            IllegalMove: The position does not allow the action, or no action has this number.
            TypeError: The action is not an integer.
        """
        position, number = self._position, index(action)
        if 0 <= number < self.action_count and (move := move_of(position.rules, number)) in position.moves():
            return move_text(position, move)
        raise IllegalMove(f"illegal action {number} in {self.fen}: expected the number of a legal move")

    def action_mask(self) -> NDArray[np.bool_]:
        """A bool array (action_count,), which is True for each legal action. If the game is over, it is all False.

        Raises:
            ImportError: numpy is not installed.
        """
        from pawnstorm import planes

        return planes.action_masks(self._position.rules, planes.position_bitboards(self._position))[0]

    @property
    def _position(self) -> Position:
        return self._positions[-1]

    def __eq__(self, other: object) -> bool:
        return self._position == other._position if isinstance(other, Board) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._position)

    def __str__(self) -> str:
        return diagram(self._position)

    def __repr__(self) -> str:
        return f"Board({self.game!r}, {self.fen!r})"

    def __reduce__(self) -> tuple[object, ...]:
        # For pickle and copy; the new board shares nothing with this one.
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


def board_of(positions: list[Position], moves: list[str]) -> Board:
    """The Board of a game, from its positions and the moves between them. The Board does not copy the lists."""
    board = Board.__new__(Board)
    board._positions, board._moves = positions, moves
    return board


def _replay(game: str, start: str, moves: list[str]) -> Board:
    """The board after some moves from a FEN."""
    board = Board(game, start)
    for move in moves:
        board.push(move)
    return board


def _text(value: object, what: str) -> str:
    """Return the value if it is a str. Otherwise raise a TypeError that calls it `what`."""
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a str, not {type(value).__name__}")
    return value


def board_position(board: object) -> Position:
    """The position of a Board. Raises TypeError."""
    if not isinstance(board, Board):
        raise TypeError(f"board must be a pawnstorm.Board, not {type(board).__name__}")
    return board._position


def position_of(board: object) -> Position:
    """The position of a Board whose game is not over. Raises TypeError, ValueError."""
    position = board_position(board)
    if position.is_game_over():
        winner = side(not position.black_to_move)
        raise ValueError(f"the game is over, {winner} has won: expected a position with a legal move")
    return position


def board_at(position: Position) -> Board:
    """A Board with a position and no moves."""
    return board_of([position], [])
