"""A game against the engine in a terminal. `pawnstorm play -h` lists the options; `help` in the game lists the commands."""

import re
import sys
import time

from pawnstorm import pgn
from pawnstorm.core import native
from pawnstorm.core.state import MIN_WIN_SCORE, WIN
from pawnstorm.games import rules
from pawnstorm.games.notation import (
    COLOURS,
    AmbiguousMove,
    IllegalMove,
    ParseError,
    line_text,
    loss_reason,
    move_text,
    parse_move,
)
from pawnstorm.games.position import Board
from pawnstorm.numbers import pluralize
from pawnstorm.proof import book
from pawnstorm.search.engine import Engine
from pawnstorm.search.limits import Limits, mate_in
from pawnstorm.strength import levels
from pawnstorm.system import console, signals
from pawnstorm.system.clock import now_ns
from pawnstorm_protocol import cli
from pawnstorm_protocol.picture import DISC, picture
from pawnstorm_protocol.system import terminal
from pawnstorm_protocol.uci import NAME

FIRST_LEVEL = 1000
"""The level that the program suggests to a beginner."""
HELP = """\
e2e4      a move: the square where it begins and the square where it ends; or as in chess, e4 and exd5
hint      what the engine would play
eval      who stands better, and how the game may go on
back      take back your last move and the answer; undo is the same
board     show the board again
resign    give up
quit      leave the game unfinished, as Ctrl-C and the end of input do; q and exit are the same
help      this

You win if a pawn of yours reaches the far rank, if you capture the last enemy pawn, or if your opponent cannot move."""
PERSON = "Human"
COORDINATES = re.compile("[a-z][0-9][a-z][0-9]")
"""The beginning of a move in coordinates. The squares need not be on the board."""
SPACED = re.compile("^([a-z][0-9]) ([a-z][0-9]q?)$")
"""A move whose squares are typed as two words."""


class PlayerQuit(Exception):
    """The person has left the game."""


def run(argv):
    """Play one game with the options of the command line; returns the exit code.

    Raises SystemExit for -h, and for wrong options.
    """
    args = _parser().parse_args(argv)
    signals.interrupt_once()
    sys.stdout.reconfigure(errors="replace")
    native.core()  # a fresh clone builds the core here, not while the person waits for a move
    game, code = TerminalGame(args, not args.ascii and terminal.can_show(sys.stdout, DISC)), 0
    try:
        game.play()
        signals.ignore()
    except KeyboardInterrupt:
        code = 130
    return game.finish() or code


def flags():
    """The names of all flags of `pawnstorm play`, such as "--level"."""
    return set(_parser()._option_string_actions)


def _parser():
    parser = cli.Parser(
        "pawnstorm play",
        usage="%(prog)s [-h] [OPTION ...]",
        description=f"Play against the engine in a terminal. To begin with, try --level {FIRST_LEVEL}.",
    )
    parser.add_argument(
        "--variant",
        type=cli.typed(rules.get_rules),
        default=rules.DEFAULT_GAME,
        metavar="GAME",
        help="the game (%(default)s)",
    )
    parser.add_argument(
        "--level",
        type=cli.int_range(levels.LOWEST, levels.HIGHEST),
        metavar="ELO",
        help=f"the engine's strength, {levels.LOWEST} to {levels.HIGHEST}; without it as strong as it can",
    )
    parser.add_argument(
        "--black", action="store_true", help="you have the black pawns, and see the board from their side"
    )
    parser.add_argument(
        "--movetime",
        type=cli.int_range(1, 10**8),
        default=1000,
        metavar="MS",
        help="milliseconds that the engine may take for a move, a hint or an evaluation (%(default)s)",
    )
    parser.add_argument(
        "--pgn",
        type=cli.appendable,
        metavar="FILE",
        help="append the game to this file; without it the game is printed at its end",
    )
    parser.add_argument(
        "--ascii",
        action="store_true",
        help="draw the board with letters, without colours; NO_COLOR=1 in the environment does the same",
    )
    return parser


def _print(text):
    print(text, flush=True)


def _print_wrapped(text):
    """Print prose, wrapped to the width of the terminal."""
    _print(terminal.fit(text, sys.stdout))


class TimedEngine:
    """An engine that is asked for one move at a time."""

    def __init__(self, milliseconds, elo=None):
        self._limits = Limits(movetime=milliseconds)
        self._engine = Engine(self._on_info, self._on_best)
        self._engine.elo = elo
        self._engine.game_seed = time.time_ns() & 0xFFFF  # so that a level makes other errors in each game

    def think(self, board):
        """Search a board whose game is not over; returns (best move, Info)."""
        self._engine.go(board, self._limits)
        self._engine.wait()
        return self._best, self._info

    def source(self, board):
        """How the engine knows who wins: " by the book", or "" for a search."""
        try:
            known = book.for_game(board.rules)
        except (OSError, ValueError, MemoryError):  # the engine has reported this, and plays without the book
            return ""
        return " by the book" if known and known.probe(board) else ""

    def _on_info(self, info):
        if not info.bound:
            self._info = info

    def _on_best(self, board, best, ponder):
        self._best = best


class TerminalGame:
    """One game in the terminal. play() plays it to the end; finish() writes its PGN."""

    def __init__(self, args, colours):
        """args: the options that _parser() has read. colours: whether to draw the board in colours."""
        self._rules, self._black, self._pgn, self._colours = args.variant, args.black, args.pgn, colours
        self._boards = [Board.start(args.variant)]  # the positions so far
        self._moves = []  # the moves between them, in the form that format_game() takes
        self._result, self._reason, self._detail = "*", "unfinished", "left unfinished"
        self._opponent, self._adviser = TimedEngine(args.movetime, args.level), TimedEngine(args.movetime)
        self._level, self._name = args.level, f"{NAME} at {args.level}" if args.level else NAME
        self._commands = {
            "help": self._help,
            "hint": self._hint,
            "eval": self._eval,
            "back": self._back,
            "undo": self._back,
            "board": self._show,
            "resign": self._resign,
            **dict.fromkeys(("quit", "q", "exit"), self._quit),
        }

    def play(self):
        """Play until the game is over, the person leaves it, or the terminal closes. Passes on a KeyboardInterrupt."""
        try:
            mine = self._board.push(self._board.moves()[0]) if self._black else self._board
            if mine.is_game_over():  # the engine's first move wins, so Black has no move to show as the example
                mine = self._board
            _print_wrapped(
                f"{self._rules.name}: you are {COLOURS[self._black]} against {self._name}. "
                f"Type your moves as two squares, such as {move_text(mine, mine.moves()[0])}; help lists the commands."
            )
            if not self._level:
                _print_wrapped(
                    f"It plays as strongly as it can. For an easier game start `pawnstorm play --level {FIRST_LEVEL}` "
                    f"({levels.LOWEST} to {levels.HIGHEST})."
                )
            if not self._black:
                self._show()
            while not self._board.is_game_over():
                if self._board.black_to_move == self._black:
                    self._ask_move()
                else:
                    self._engine_move()
                    self._show()
            if self._board.black_to_move != self._black:  # the person has made the last move
                self._show()
        except (PlayerQuit, OSError):
            return
        loser = self._board.black_to_move
        self._end(loser, f"{COLOURS[not loser]} wins: {loss_reason(self._board)}")

    def finish(self):
        """Print the result, and append the PGN of the game to the file of --pgn; returns the exit code.

        Without --pgn, or if the file cannot be written, the PGN is printed instead. If the game has no moves and nobody
        has resigned, do nothing.
        """
        if not self._moves and self._result == "*":
            return 0
        names = (self._name, PERSON) if self._black else (PERSON, self._name)
        name = self._rules.name
        text = pgn.format_game(
            {"result": self._result, "reason": self._reason, "detail": self._detail, "moves": self._moves},
            pgn.game_tags(f"{name} game", "-", *names, name, self._rules.start_fen),
            self._rules,
        )
        kept = False
        try:
            if self._pgn:
                pgn.append(self._pgn, text)
                kept = True
        except OSError as error:
            print(f"pawnstorm play: --pgn '{self._pgn}' cannot be written: {error.strerror}", file=sys.stderr)
        try:
            _print_wrapped(f"\n{self._detail[0].upper()}{self._detail[1:]}: {self._result}")
            if not kept:
                _print(f"\n{text.rstrip()}")
        except OSError:  # the terminal has closed
            return 1
        return int(bool(self._pgn) and not kept)

    @property
    def _board(self):
        return self._boards[-1]

    def _push(self, move, start, *about):
        """Play a move. start: when the thinking began, in monotonic nanoseconds.

        about: the arguments of comment() (pgn/comments.py) after `elapsed`.
        """
        self._moves.append([move_text(self._board, move), (now_ns() - start) / 1e6, *about])
        self._boards.append(self._board.push(move))

    def _end(self, loser, detail):
        self._result, self._reason, self._detail = ("0-1", "1-0")[loser], "normal", detail

    def _engine_move(self):
        start = now_ns()
        print(f"\n{self._name} plays ", end="", flush=True)
        move, info = self._opponent.think(self._board)
        mate = mate_in(info.score)
        _print(move_text(self._board, move))
        score = info.score if mate is None else f"{'-' if mate < 0 else ''}M{abs(mate)}"
        self._push(move, start, None, score, info.depth, info.nodes, info.milliseconds)

    def _ask_move(self):
        """Ask the person until a move is made or taken back. Raises PlayerQuit."""
        start, board = now_ns(), self._board
        while self._board is board:
            print(f"{COLOURS[self._black]}> ", end="", flush=True)
            line = console.read_line(sys.stdin.buffer)
            if not line:
                _print("")
                raise PlayerQuit
            word = SPACED.sub(r"\1\2", pgn.comment_text(line.decode("utf-8", "replace")).lower())
            if word in self._commands:
                self._commands[word]()
            elif word:
                self._try(word, start)

    def _try(self, word, start):
        """Play a word as a move, or print what is wrong with it. start: as in _push()."""
        board = self._board
        try:
            move = (parse_move if COORDINATES.match(word) else pgn.parse_san)(board, word)
        except IllegalMove as error:
            legal = sorted(move_text(board, move) for move in board.moves())
            fitting = [text for text in legal if text[:2] == word[:2]]
            fitting = fitting or [text for text in legal if text[2:4] == word[-2:]] or legal
            shown = fitting[:3] + ["others"] * (len(fitting) > 3)
            fault = "ambiguous" if isinstance(error, AmbiguousMove) else "not possible"
            _print_wrapped(f"'{word}' is {fault}: expected {' or '.join(shown)}; help lists the commands")
        except ParseError as error:
            if any(map(str.isdigit, word)):
                _print_wrapped(f"{error}; help lists the commands")
            else:
                example = move_text(board, board.moves()[0])
                _print_wrapped(
                    f"'{word[:20]}' is not a command: expected a move such as {example}, or a command; help lists them"
                )
        else:
            self._push(move, start)

    # The commands.

    def _help(self):
        _print_wrapped(HELP)

    def _show(self):
        last = self._moves[-1][0] if self._moves else ""
        _print("\n" + picture(self._board, last, self._black, self._colours) + "\n")

    def _hint(self):
        _print(move_text(self._board, self._adviser.think(self._board)[0]))

    def _eval(self):
        _, info = self._adviser.think(self._board)
        if abs(info.score) <= MIN_WIN_SCORE:
            verdict = f"{info.score / 100:+.2f} pawns for you, {pluralize(info.depth, 'ply')} deep"
        else:
            plies = WIN - abs(info.score)
            within = f"in {'' if plies == 1 else 'at most '}{pluralize(plies, 'ply')}"
            verdict = f"you {'win' if info.score > 0 else 'lose'} {within}{self._adviser.source(self._board)}"
        _print_wrapped(f"{verdict}: {line_text(self._board, info.pv)}")

    def _back(self):
        if len(self._moves) < 2:
            _print_wrapped("there is no move of yours to take back")
            return
        del self._boards[-2:], self._moves[-2:]
        self._show()

    def _resign(self):
        self._end(self._black, f"{COLOURS[self._black]} resigns")
        raise PlayerQuit

    def _quit(self):
        raise PlayerQuit
