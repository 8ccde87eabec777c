"""A game against the engine in a terminal: `pawnstorm play -h` tells its words, `help` what can be typed."""

import argparse
import os
import sys
import time

from engine import levels, native, rules
from engine.board import Board
from engine.engine import Engine, Limits, mate_in
from engine.notation import COLOURS, IllegalMove, ParseError, ending, move_text, parse_move
from engine.pgn import clean, format_game, written
from protocol import gamefile, signals
from protocol.format import line_text, picture
from protocol.parse import integer
from protocol.uci import NAME

HELP = """\
e2e4      a move: the square where it begins and the square where it ends
hint      what the engine would play
eval      who stands better, and how the game may go on
back      take back your last move and the answer; undo is the same
board     show the board again
resign    give up
quit      leave the game unfinished, as Ctrl-C and the end of input do
help      this"""
CHESS, LETTERS = ".♙♟", ".Pp"
BARE = ("dumb", "linux")   # values of TERM where chess symbols are missing, whatever the encoding
PERSON = "Human"


class Left(Exception):
    """The person has left the game."""


def run(words):
    """Play one game as the words of the command line ask; returns the exit code. SystemExit for -h, and for words that mean nothing."""
    asked = _parser().parse_args(words)
    signals.interrupt_once()
    sys.stdout.reconfigure(errors="replace")
    native.core()   # a fresh checkout builds it here, not while somebody waits for a move
    game, code = Play(asked, _symbols(asked.ascii)), 0
    try:
        game.play()
        signals.ignore()
    except KeyboardInterrupt:
        code = 130
    return game.finish() or code


def _parser():
    parser = argparse.ArgumentParser(
        "pawnstorm play", usage="%(prog)s [-h] [OPTION ...]", description="Play against the engine in a terminal.",
        allow_abbrev=False,
        # Left alone it asks shutil for the width, which the executable does without.
        formatter_class=lambda prog: argparse.HelpFormatter(prog, max_help_position=30, width=100))
    parser.add_argument("--variant", type=_game, default=rules.DEFAULT, metavar="GAME", help="the game (%(default)s)")
    parser.add_argument("--level", type=_between(levels.LOWEST, levels.HIGHEST), metavar="ELO",
                        help=f"the engine's strength, {levels.LOWEST} to {levels.HIGHEST}; without it as strong as it can")
    parser.add_argument("--black", action="store_true", help="you have the black pawns, and see the board from their side")
    parser.add_argument("--movetime", type=_between(1, 10**8), default=1000, metavar="MS",
                        help="milliseconds that the engine may take for a move, a hint or an evaluation (%(default)s)")
    parser.add_argument("--pgn", type=_file, metavar="FILE", help="append the game to this file; without it the game is printed at its end")
    parser.add_argument("--ascii", action="store_true", help="pawns as letters, also where the terminal seems to have chess symbols")
    return parser


def _game(text):
    try:
        return rules.game(text)
    except rules.UnknownGame as error:
        raise argparse.ArgumentTypeError(error) from None


def _file(text):
    try:
        open(text, "ab").close()
    except OSError as error:
        raise argparse.ArgumentTypeError(f"'{text[:80]}' cannot be written: {error.strerror}") from None
    return text


def _between(low, high):
    """A function that reads a whole number within the bounds."""
    def number(text):
        value = integer(text)
        if value is None or not low <= value <= high:
            raise argparse.ArgumentTypeError(f"'{text[:20]}' is not a whole number from {low} to {high}")
        return value
    return number


def _symbols(ascii_only):
    """The symbols of the board: those of chess where the terminal can be expected to show them."""
    try:
        CHESS.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return LETTERS
    return LETTERS if ascii_only or os.environ.get("TERM") in BARE else CHESS


def _say(text):
    print(text, flush=True)


class Thinker:
    """An engine that is asked and waited for."""

    def __init__(self, milliseconds, elo=None):
        self._limits = Limits(movetime=milliseconds)
        self._engine = Engine(self._on_info, self._on_best)
        self._engine.elo = elo
        self._engine.games = time.time_ns() & 0xFFFF   # otherwise a level would err alike in every game of every evening

    def think(self, board):
        """(best move, Info about it) for a board whose game is not over."""
        self._engine.go(board, self._limits)
        self._engine.wait()
        return self._best, self._info

    def _on_info(self, info):
        if not info.bound:
            self._info = info

    def _on_best(self, board, best, ponder):
        self._best = best


class Play:
    """One game; play() leads it to its end, finish() hands over its PGN."""

    def __init__(self, asked, symbols):
        """asked: what _parser() reads; symbols: as picture() wants them."""
        self._rules, self._black, self._pgn, self._symbols = asked.variant, asked.black, asked.pgn, symbols
        self._boards, self._moves = [Board.start(asked.variant)], []   # the positions so far; the moves between, as format_game wants them
        self._result, self._reason, self._detail = "*", "unfinished", "left unfinished"
        self._opponent, self._adviser = Thinker(asked.movetime, asked.level), Thinker(asked.movetime)
        self._name = f"{NAME} at {asked.level}" if asked.level else NAME
        self._commands = {"help": self._help, "hint": self._hint, "eval": self._eval, "back": self._back, "undo": self._back,
                          "board": self._show, "resign": self._resign, "quit": self._quit}

    def play(self):
        """Play until the game is over, or the person or the terminal has gone. KeyboardInterrupt is passed on."""
        try:
            mine = self._board.push(self._board.moves()[0]) if self._black else self._board
            _say(f"{self._rules.name}: you are {COLOURS[self._black]} against {self._name}. Type your moves as two squares, such as "
                 f"{move_text(mine, mine.moves()[0])}; help lists the commands.")
            self._show()
            while not self._board.over():
                if self._board.black == self._black:
                    self._turn()
                else:
                    self._answer()
        except (Left, OSError):
            return
        loser = self._board.black
        self._end(loser, f"{COLOURS[not loser]} wins: {ending(self._board)}")

    def finish(self):
        """Write the PGN where it belongs; returns the exit code. Nothing is written of a game that has not begun."""
        if not self._moves and self._result == "*":
            return 0
        names = [PERSON, self._name]
        start = self._rules.start_fen
        tags = {"Event": f"{self._rules.name} game", "Site": "?", "Date": time.strftime("%Y.%m.%d"), "Round": "-",
                "White": names[self._black], "Black": names[not self._black], "Variant": self._rules.name, "SetUp": "1", "FEN": start}
        text = format_game({"result": self._result, "reason": self._reason, "detail": self._detail, "moves": self._moves}, tags,
                           [written(self._rules, move[0]) for move in self._moves])
        kept = False
        try:
            if self._pgn:
                gamefile.append(self._pgn, text)
                kept = True
        except OSError as error:
            print(f"pawnstorm play: --pgn '{self._pgn}' cannot be written: {error.strerror}", file=sys.stderr)
        try:
            _say(f"\n{self._detail[0].upper()}{self._detail[1:]}: {self._result}" + ("" if kept else f"\n\n{text.rstrip()}"))
        except OSError:   # nobody is there to read it
            return 1
        return int(bool(self._pgn) and not kept)

    @property
    def _board(self):
        return self._boards[-1]

    def _push(self, move, began, *about):
        """Play a move that took since `began` (monotonic nanoseconds); about: score, depth, nodes and milliseconds searched."""
        self._moves.append([move_text(self._board, move), (time.monotonic_ns() - began) / 1e6, None, *about])
        self._boards.append(self._board.push(move))
        self._show()

    def _end(self, loser, detail):
        self._result, self._reason, self._detail = ("0-1", "1-0")[loser], "normal", detail

    def _answer(self):
        """The engine's move."""
        began = time.monotonic_ns()
        move, info = self._opponent.think(self._board)
        mate = mate_in(info.score)
        _say(f"\n{self._name} plays {move_text(self._board, move)}")
        score = info.score if mate is None else f"{'-' if mate < 0 else ''}M{abs(mate)}"
        self._push(move, began, score, info.depth, info.nodes, info.milliseconds)

    def _turn(self):
        """Ask the person until a move was made or one was taken back. Raises Left."""
        began, board = time.monotonic_ns(), self._board
        while self._board is board:
            print(f"{COLOURS[self._black]}> ", end="", flush=True)
            line = sys.stdin.buffer.readline()
            if not line:
                _say("")
                raise Left
            word = clean(line.decode("utf-8", "replace")).lower()
            if word in self._commands:
                self._commands[word]()
            elif word:
                self._try(word, began)

    def _try(self, word, began):
        """Play what should be a move."""
        try:
            move = parse_move(self._board, word)
        except IllegalMove:
            legal = [move_text(self._board, move) for move in self._board.moves()]
            fitting = [text for text in legal if text[:2] == word[:2]] or legal
            shown = fitting[:3] + ["others"] * (len(fitting) > 3)
            _say(f"'{word}' is not possible: expected {' or '.join(shown)}; help lists the commands")
        except ParseError as error:
            if any(map(str.isdigit, word)):
                _say(f"{error}; or a command, help lists them")
            else:
                example = move_text(self._board, self._board.moves()[0])
                _say(f"'{word[:20]}' is not a command: expected one of those that help lists, or a move such as {example}")
        else:
            self._push(move, began, None, None, None, None)

    # The commands.

    def _help(self):
        _say(HELP)

    def _show(self):
        _say("\n" + picture(self._board, self._moves[-1][0] if self._moves else "", self._black, self._symbols) + "\n")

    def _hint(self):
        _say(move_text(self._board, self._adviser.think(self._board)[0]))

    def _eval(self):
        _, info = self._adviser.think(self._board)
        mate = mate_in(info.score)
        if mate is None:
            verdict = f"{info.score / 100:+.2f} pawns for you, {info.depth} plies deep"
        else:
            verdict = f"you {'win' if mate > 0 else 'lose'} in {abs(mate)} {'move' if abs(mate) == 1 else 'moves'} at most"
        _say(f"{verdict}: {line_text(self._board, info.line)}")

    def _back(self):
        if len(self._moves) < 2:
            _say("there is no move of yours to take back")
            return
        del self._boards[-2:], self._moves[-2:]
        self._show()

    def _resign(self):
        self._end(self._black, f"{COLOURS[self._black]} resigns")
        raise Left

    def _quit(self):
        raise Left
