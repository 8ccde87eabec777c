"""Game, read_pgn(), parse_pgn(): games with players, comments and results, read from PGN and written as PGN."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from typing import TextIO

from pawnstorm import pgn
from pawnstorm.board import Board, board_of
from pawnstorm.games.notation import COLOURS, move_text
from pawnstorm.games.rules import get_rules as rules_of
from pawnstorm.pgn.reader import LONGEST, PgnGame
from pawnstorm.system import textfile

UNFINISHED = "*"
RESULTS = (*pgn.DECIDED, UNFINISHED)
OWN_TAGS = ("Variant", "SetUp", "FEN", "Result")
TAG_NAME = re.compile(r"\w+")


class Game:
    """A game with its players, comments and result, as in PGN.

    Example::

        game = pawnstorm.Game(board, {"White": "Ann", "Black": "Pawnstorm"})
        game.comments[0] = "my favourite opening"
        game.append("games.pgn")

    `str(game)` is the game as PGN, with the moves as `Board.san()` writes them. Reading this text gives an equal game if each tag
    and comment is one line of printable text, without double spaces and with at most 10,000 letters, and if no comment has
    braces. Writing or reading changes any other tag or comment.

    Two games are equal if their first positions, moves, tags, comments and results are equal.

    Args:
        board: A board with the moves of the game. The game keeps a copy. The default is the start of Two Flags.
        tags: The tags of the PGN, such as `{"White": "Ann", "Black": "Bob"}`.

    Attributes:
        tags: Names and values of the tags, in order. `str(game)` makes `Variant`, `SetUp`, `FEN` and `Result` from the game,
            and ignores them here. A game that was read has none of the four in `tags`, unless it has no board.
        comment: The comment before the first move, or "".
        comments: The comment after each move, or "".
        result: "1-0", "0-1", "1/2-1/2" or "*". A new game has the result of its last position: "*" if nobody has won.
        errors: The faults of a game that was read; [] if there are none. `read_pgn()` lists the possible faults.

    Raises:
        TypeError: The board is not a Board.
    """

    __hash__ = None  # type: ignore[assignment]  # a game can change

    def __init__(self, board: Board | None = None, tags: Mapping[str, str] | None = None) -> None:
        if not isinstance(board, (Board, type(None))):
            raise TypeError(f"board must be a pawnstorm.Board, not {type(board).__name__}")
        self._board: Board | None = Board() if board is None else board.copy()
        self.tags = dict(tags or {})
        self.comment = ""
        self.comments = [""] * len(self._board.moves)
        winner = self._board.winner
        self.result = UNFINISHED if winner is None else "1-0" if winner == "white" else "0-1"
        self.errors: list[ValueError] = []

    @property
    def moves(self) -> list[str]:
        """The moves in order, each as two squares."""
        return [] if self._board is None else self._board.moves

    def board(self) -> Board:
        """A new board with the position after the last move. It holds all moves, so `pop()` can go back to the start.

        Raises:
            ValueError: The game was read from a text that leaves its rules or its first position unclear.
        """
        if self._board is None:
            raise ValueError(f"the game has no board: {self.errors[0]}")
        return self._board.copy()

    def mainline(self) -> Iterator[tuple[Board, str, str]]:
        """Iterate over the moves, as tuples (the board before the move, the move, the comment after it).

        Each board is a new one and holds all earlier moves.

        Raises:
            ValueError: As for `board()`. Or there are more or fewer `comments` than moves.
        """
        board, comments = self.board(), self._checked_comments()
        boards = (board_of(board._positions[: count + 1], board._moves[:count]) for count in range(len(comments)))
        return zip(boards, board._moves, comments)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the game to a file, whose content it replaces. Raises OSError, and the errors of `str(game)`."""
        text = f"{self}\n"
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)

    def append(self, path: str | os.PathLike[str]) -> None:
        """Add the game to the end of a file, which need not exist. Raises OSError, and the errors of `str(game)`."""
        pgn.append(path, f"{self}\n\n")

    def __str__(self) -> str:
        """The game as PGN.

        Raises:
            ValueError: The game has no board, or a tag's name, the result or the number of comments is wrong.
        """
        board = self.board()
        if self.result not in RESULTS:
            raise ValueError(f"'{self.result}' is not a result: expected one of {', '.join(RESULTS)}")
        for name in self.tags:
            if not TAG_NAME.fullmatch(name):
                raise ValueError(f"'{name}' is not the name of a tag: expected a word such as White")
        first = _first(board)
        own = {"Variant": board.game, "SetUp": "1", "FEN": first.fen, "Result": self.result}
        others = {name: value for name, value in self.tags.items() if name not in OWN_TAGS}
        moves = zip(board.moves, self._checked_comments())
        return str(pgn.pgn_text({**others, **own}, rules_of(board.game), moves, self.comment))

    def __repr__(self) -> str:
        names = " - ".join(self.tags.get(colour, "?") for colour in COLOURS)
        game = "unknown game" if self._board is None else self._board.game
        return f"<Game {names}: {game}, {len(self.moves)} moves, {self.result}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self._values() == other._values()

    def _checked_comments(self) -> list[str]:
        """The comments, if there is one for each move. Raises ValueError."""
        if len(self.comments) != len(self.moves):
            raise ValueError(
                f"{len(self.comments)} comments: expected {len(self.moves)}, one for each move, '' if it has none"
            )
        return self.comments

    def _values(self) -> tuple[object, ...]:
        start = None if self._board is None else _first(self._board)
        return start, self.moves, self.tags, self.comment, self.comments, self.result


def read_pgn(file: str | os.PathLike[str] | TextIO, game: str | None = None) -> Iterator[Game]:
    """Iterate over the games of a PGN file, or of a file with records of Little Golem.

    Example::

        for game in pawnstorm.read_pgn("games.pgn"):
            if not game.errors:
                for board, move, comment in game.mainline():
                    print(board.turn, board.san(move), comment)

    A faulty game does not stop the iteration: it is returned with its `errors`, and the games after it are read. The errors are:

    * UnknownGame, or ParseError for a wrong FEN: the game has no board and no moves.
    * ParseError, IllegalMove or AmbiguousMove, for a word that is not a legal move: the game has only the moves before this
      word.
    * ParseError, for a game that is cut off, or for a result that contradicts the tag `Result`, a resignation or the last
      position. (If the tag `Termination` names a fault, such as "time forfeit", a side may lose in any position.)

    The result is the one that is written, even if it contradicts the moves. If none is written, a resignation or the last
    position decides.

    The tag `Variant` names the rules of a game. If it is missing, the argument `game` names them. Without both, a record of
    Little Golem is Breakthrough, unless its tag `Event` names another game, as in "Tournament loa.mc.2013". Any other game gets
    the first rules that allow all its moves. With a FEN, the rules that fit the FEN are tried; without one, Two Flags and
    Breakthrough on 8x8.

    Variations and glyphs such as `$1` are left out. Several comments after one move become one. The word `resign` of
    Little Golem's records becomes the comment "White resigns" or "Black resigns".

    Args:
        file: A path, or a file that is open in text mode. The file is read as a whole. To read games from a str, use
            `parse_pgn()`.
        game: The rules of the games without a `Variant`, by name, as in `Board()`.

    Raises:
        OSError: The file cannot be read, is a device, or is larger than 1 GiB.
        UnknownGame: `game` is unknown.
        ValueError: The path has several lines, so it is probably the text of a PGN.
        TypeError: The argument is neither a path nor a file that is open in text mode.
    """
    if isinstance(file, (str, os.PathLike)):
        if "\n" in os.fspath(file):
            raise ValueError("the path has several lines: expected the path of a file (parse_pgn() reads a text)")
        return parse_pgn(textfile.text(file, "replace"), game)
    if not hasattr(file, "read"):
        raise TypeError(f"file must be a path or an open file, not {type(file).__name__}")
    return parse_pgn(file.read(), game)


def parse_pgn(text: str, game: str | None = None) -> Iterator[Game]:
    """Iterate over the games of a PGN text, as `read_pgn()` does for a file. Raises UnknownGame, TypeError."""
    if not isinstance(text, str):
        raise TypeError(f"text must be a str, not {type(text).__name__}")
    if not isinstance(game, (str, type(None))):
        raise TypeError(f"game must be a str, not {type(game).__name__}")
    if game is not None:
        rules_of(game)
    return (_game(played, game) for played in pgn.all_games(textfile.with_newlines(text.removeprefix("\ufeff"))))


def _game(played: PgnGame, name: str | None) -> Game:
    """The Game made from a PgnGame. name: the game (such as "breakthrough") whose rules apply if there is no tag Variant."""
    game = Game()
    notes: dict[int, list[str]] = {}
    for number, note in played.notes:
        notes.setdefault(number, []).append(note)
    game.tags = {tag: pgn.one_line(value) for tag, value in played.tags.items()}
    game.result = played.result
    try:
        found = pgn.replay(played, name)
    except ValueError as error:
        game._board, game.errors = None, [error]
        return game
    game.tags = {tag: value for tag, value in game.tags.items() if tag not in OWN_TAGS}
    game.result, game.errors = found.result, found.faults
    game._board = board_of(found.boards, [move_text(board, move) for board, move in zip(found.boards, found.moves)])
    if found.loser is not None:
        notes.setdefault(len(found.moves), []).append(f"{COLOURS[found.loser]} resigns")
    game.comment, *game.comments = (
        pgn.comment_text(" ".join(notes.get(number, ()))[:LONGEST]) for number in range(len(found.boards))
    )
    return game


def _first(board: Board) -> Board:
    """The board as it was before the first move."""
    return board_of(board._positions[:1], [])
