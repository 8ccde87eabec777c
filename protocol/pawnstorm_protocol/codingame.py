"""`pawnstorm codingame`: a bot for CodinGame's Breakthrough, on stdin and stdout.

For each turn of the bot the referee writes these lines: the opponent's last move, or `None` if the bot makes the first move of
the game; the number of legal moves; and each legal move. The bot answers with its move. A message may follow it, but this bot
writes none. White is at the bottom of the board and moves first. No line says that the game is over: the referee ends the
process. If it keeps the process for another game, that game begins with `None`, or with the first turn after a finished game.
"""

import sys
from collections import namedtuple

from pawnstorm.core import native
from pawnstorm.games import rules
from pawnstorm.games.notation import IllegalMove, ParseError, move_text, parse_move
from pawnstorm.games.position import Board
from pawnstorm.numbers import parse_int
from pawnstorm.search.engine import Engine
from pawnstorm.search.limits import Limits
from pawnstorm.strength import levels
from pawnstorm.system import console
from pawnstorm_protocol import cli
from pawnstorm_protocol.uci import Writer

FIRST, FURTHER = 300, 75
"""Default milliseconds for the first move and for each later one. CodinGame allows 1000, including the start of the process,
and 100.
"""
MAX_MOVES = 1000
"""No position has so many legal moves: a larger number is an error."""
SHOWN = 5
"""The most moves that an error message lists."""


Turn = namedtuple("Turn", "last legal")
Turn.__doc__ = (
    """The referee's lines of one turn, as written. last: the opponent's move, or None; legal: the legal moves."""
)


def read_turn(source):
    """The next Turn of a byte stream; None at its end. Empty lines are skipped.

    Raises ValueError if the lines are not a turn, or if they end within one.
    """
    last = _read_line(source)
    if last is None:
        return None
    text = _read_line(source)
    if text is None:
        raise ValueError(f"the input ends after '{last[:40]}': expected the number of legal moves")
    count = parse_int(text, 0, MAX_MOVES, f"after '{last[:40]}' as the number of legal moves")
    legal = []
    while len(legal) < count:
        move = _read_line(source)
        if move is None:
            raise ValueError(f"the input ends after {len(legal)} legal moves: expected {count}")
        legal.append(move)
    return Turn(None if last.lower() == "none" else last, legal)


def _read_line(source):
    """The next line that is not empty, without surrounding spaces; None at the end."""
    for raw in iter(source.readline, b""):
        if line := raw.decode("utf-8", "replace").strip():
            return line
    return None


class Bot:
    """Plays games whose turns come from a stream. If a turn contradicts the rules, the bot reports that, and still answers with a
    move of the referee's list.
    """

    def __init__(self, game, first, further, level, report):
        """game: Rules; first, further: milliseconds for the first move of a game and for each later one; level: an Elo or None;
        report: called with each message for people.
        """
        self._rules, self._first, self._further, self._report = game, first, further, report
        self._board = Board.start(game)  # None while the position is unknown, after a move that was not legal
        self._begun = False  # whether the bot has moved in this game
        self._engine, self._best = Engine(on_best=self._on_best, on_warning=report), None
        self._engine.elo, self._engine.overhead = level, 0
        self._engine.prepare(game)

    def run(self, source, send):
        """Answer each turn until the end of the stream, by send(the move's text). Raises ValueError if a turn cannot be read."""
        while (turn := read_turn(source)) is not None:
            if (move := self.answer(turn)) is not None:
                send(move)

    def answer(self, turn):
        """The move to play, as the referee wrote it; None if the referee lists no move."""
        if turn.last is None or self._board is not None and self._board.is_game_over():
            self._begin()
        if turn.last is not None:
            self._push(turn.last.split()[0])
        if self._board is None:
            return self._unchecked(turn.legal)
        ours = {move_text(self._board, move): move for move in self._board.moves()}
        listed = {text.lower(): text for text in turn.legal}
        if ours.keys() != listed.keys():
            self._report(_difference(ours, listed))
        common = [ours[text] for text in listed if text in ours]
        if not common:
            if listed:
                self._board = None
            return self._unchecked(turn.legal)
        move = self._think(common if len(common) < len(ours) else [])
        text = listed[move_text(self._board, move)]
        self._board, self._begun = self._board.push(move), True
        return text

    def _begin(self):
        if self._begun or self._board is None:
            self._engine.new_game()
        self._board, self._begun = Board.start(self._rules), False

    def _push(self, text):
        """Play the opponent's move. If it is not legal, the position is unknown from now on."""
        if self._board is None:
            return
        try:
            self._board = self._board.push(parse_move(self._board, text.lower()))
        except (ParseError, IllegalMove) as error:
            self._report(
                f"the opponent's move '{text[:20]}': {error}; the first legal move listed is played from now on"
            )
            self._board = None

    def _unchecked(self, legal):
        """The first move of the list, for a position that is unknown."""
        return legal[0] if legal else None

    def _think(self, moves):
        """The best of these moves; [] means all legal moves."""
        limits = Limits(movetime=self._further if self._begun else self._first, searchmoves=moves)
        self._engine.go(self._board, limits)
        self._engine.wait()
        return self._best

    def _on_best(self, board, best, ponder):
        self._best = best


def _difference(ours, listed):
    """The message about a list of legal moves (`listed`) that differs from ours."""

    def some(moves):
        return ", ".join(f"'{move[:20]}'" for move in moves[:SHOWN]) + ", ..." * (len(moves) > SHOWN)

    more, fewer = [move for move in listed if move not in ours], [move for move in ours if move not in listed]
    found = [f"{some(more)} {'is' if len(more) == 1 else 'are'} illegal"] * bool(more)
    found += [f"{some(fewer)} {'is' if len(fewer) == 1 else 'are'} missing"] * bool(fewer)
    return f"the list of legal moves: {'; '.join(found)}"


def run(argv):
    """Play with the options of the command line until the end of the input; returns the exit code.

    Raises SystemExit for -h, and for wrong options.
    """
    args = _parser().parse_args(argv)
    console.exit_on_interrupt()
    native.core()  # a fresh clone builds the core here
    try:
        Bot(args.variant, args.first, args.movetime, args.level, _print).run(
            sys.stdin.buffer, Writer(sys.stdout.buffer)
        )
    except (ValueError, MemoryError) as error:
        _print(str(error) or "not enough memory")
        return 1
    return 0


def _print(text):
    """Print a message for people. CodinGame shows stderr to the bot's author."""
    if sys.stderr is not None:  # print() would otherwise write to stdout
        print(f"pawnstorm codingame: {text}", file=sys.stderr, flush=True)


def _parser():
    parser = cli.Parser(
        "pawnstorm codingame",
        usage="%(prog)s [-h] [OPTION ...]",
        description="A bot for CodinGame's Breakthrough. It reads the opponent's move or None, the number of legal moves, and "
        "the legal moves from stdin, and writes its move, such as a2a3, to stdout.",
    )
    parser.add_argument(
        "--variant",
        type=cli.typed(rules.get_rules),
        default="breakthrough",
        metavar="GAME",
        help="the game; CodinGame has only 8x8 (%(default)s)",
    )
    for flag, default, moves in (
        ("--first", FIRST, "the first move; CodinGame allows 1000 ms, including the start of the program"),
        ("--movetime", FURTHER, "each later move; CodinGame allows 100 ms"),
    ):
        parser.add_argument(
            flag,
            type=cli.int_range(1, 10**8),
            default=default,
            metavar="MS",
            help=f"milliseconds for {moves} (%(default)s)",
        )
    parser.add_argument(
        "--level",
        type=cli.int_range(levels.LOWEST, levels.HIGHEST),
        metavar="ELO",
        help=f"the strength, {levels.LOWEST} to {levels.HIGHEST} (full strength)",
    )
    return parser
