"""Tests whether an engine wins a solved game: against every choice of the loser's first moves, and then against random replies
or another engine.

The winner of a walk is an object with begin(), called before each game, and answer(board), which returns its move. The loser of
a walk is another such object, or None for random replies.

first_positions() has a book itself play the winner, and gives the positions after the loser's first moves.
"""

import contextlib
import random
import sys
import time
from types import SimpleNamespace

from pawnstorm.games.notation import COLOURS, fen, move_text
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.numbers import pluralize
from pawnstorm.proof.prover import Prover
from pawnstorm_tools.common.bar import tqdm
from pawnstorm_tools.referee.player import Player
from pawnstorm_tools.referee.settings import EngineSettings, TimeControl
from pawnstorm_tools.solving.output import print_row


def frontier(winner, board, black, replies):
    """The distinct positions after `replies` moves of the loser; mirror images count once. black: whether Black is the winner.

    Games that the winner has won by then are left out, as are positions in which its answer is None. Positions in which
    the loser has won by then are included.
    """
    boards, mine = {board.canonical(): board}, board.black_to_move == black
    while replies:
        winner.begin()
        # A position in which the other side has won stays, as a lost game without further moves.
        lost = [each for each in boards.values() if each.is_game_over()]
        children = [
            each.push(move)
            for each in tqdm(boards.values(), desc="positions", leave=False)
            if not each.is_game_over()
            for move in ([winner.answer(each)] if mine else each.moves())
            if move is not None
        ]
        # A position in which the winner has won is done.
        boards = {
            child.canonical(): child
            for child in lost + [child for child in children if not (mine and child.is_game_over())]
        }
        replies, mine = replies - (not mine), not mine
    return list(boards.values())


def first_positions(book, replies, count):
    """At most `count` positions after `replies` moves of the loser, drawn at random, but always the same.

    The winner plays the moves of a Book. Lines that leave the book before that are left out.
    """

    def answer(board):
        entry = book.probe(board)
        return entry and entry.move

    winner = SimpleNamespace(begin=lambda: None, answer=answer)
    boards = frontier(winner, Board.start(get_rules(book.game)), wins_as_black(book), replies)
    return random.Random(1).sample(boards, min(count, len(boards)))


def wins_as_black(book):
    """Whether Black is the winner in a Book's game."""
    root = Board.start(get_rules(book.game))
    known = book.probe(root)
    return (known.value if known else Prover(64).prove(root).value) < 0


def play(winner, loser, board, black):
    """Play a game to its end; returns (whether the winner has won it, its moves as text)."""
    winner.begin()
    loser.begin()
    played = []
    while not board.is_game_over():
        move = (winner if board.black_to_move == black else loser).answer(board)
        played.append(move_text(board, move))
        board = board.push(move)
    return board.black_to_move != black, played


def walk(winner, board, black, replies, seed, sample=None, loser=None):
    """Play a game from each position of frontier(); yields (position, whether the winner won, moves) for each.

    sample: how many of the positions to play from, drawn by the seed; None: from all.
    """
    boards = frontier(winner, board, black, replies)
    if sample is not None:
        boards = random.Random(seed).sample(boards, min(sample, len(boards)))
    for number, start in enumerate(tqdm(boards, desc="games", smoothing=0)):
        opponent = loser or _random_player(random.Random(f"{seed} {number}"))
        yield (start, *play(winner, opponent, start, black))


def _random_player(rng):
    return SimpleNamespace(begin=lambda: None, answer=lambda board: rng.choice(board.moves()))


class EnginePlayer:
    """An engine as a player of a walk. movetime: milliseconds for each of its moves; options: (name, value) pairs."""

    def __init__(self, command, movetime, rules, options=()):
        self._player = Player(EngineSettings(command, TimeControl(), options=tuple(options)), rules)
        self._movetime = movetime
        self._player.start()
        self.begin = self._player.new_game

    def answer(self, board):
        return self._player.answer(board, self._movetime)[0]

    def quit(self):
        self._player.engine.quit()


def run(book, command, movetime, replies, seed, sample, opponent=None):
    """Let an engine play the winning side of a Book's game by walk(), and print the results; returns whether it won all.

    opponent: the arguments of the EnginePlayer that plays the loser, without the rules; None for random replies.
    """
    rules = get_rules(book.game)
    root, black = Board.start(rules), wins_as_black(book)
    games, won, begun = 0, 0, time.monotonic()
    with contextlib.ExitStack() as stack:

        def started(command, movetime, options=()):
            player = EnginePlayer(command, movetime, rules, options)
            stack.callback(player.quit)
            return player

        engine, loser = started(command, movetime), opponent and started(*opponent)
        try:
            for start, is_won, moves in walk(engine, root, black, replies, seed, sample, loser):
                games, won = games + 1, won + is_won
                if not is_won:
                    print_row("lost", f"{fen(start)} moves {' '.join(moves)}")
        finally:
            seconds = time.monotonic() - begun
            print_row("walk", f"{COLOURS[black]} won {won:,} of {pluralize(games, 'game')} in {seconds:.0f} s")
    if not games:
        print(
            f"strategy.py: no game was left to play, as {COLOURS[black]} had won before {COLOURS[not black]}'s "
            f"move {replies} in every line: expected fewer --replies or a longer game",
            file=sys.stderr,
        )
    return won == games > 0
