"""Tests whether an engine wins a solved game: against every choice of the loser's first moves, then against random replies
to the end.

The winner of a walk is an object with begin(), called before each game, and answer(board), which returns its move.
"""

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
    """The distinct positions after `replies` moves of the loser; mirror images count once. black: whether Black wins."""
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
        ]
        # A position in which the winner has won is done.
        boards = {
            child.canonical(): child
            for child in lost + [child for child in children if not (mine and child.is_game_over())]
        }
        replies, mine = replies - (not mine), not mine
    return list(boards.values())


def play(winner, board, black, rng):
    """Play a game to its end against random replies; returns (whether the winner has won it, its moves as text)."""
    winner.begin()
    played = []
    while not board.is_game_over():
        move = winner.answer(board) if board.black_to_move == black else rng.choice(board.moves())
        played.append(move_text(board, move))
        board = board.push(move)
    return board.black_to_move != black, played


def walk(winner, board, black, replies, seed, sample=None):
    """Play a game from each position of the frontier, or from `sample` of them, drawn by the seed; yields (position,
    whether it was won, moves).
    """
    boards = frontier(winner, board, black, replies)
    if sample is not None:
        boards = random.Random(seed).sample(boards, min(sample, len(boards)))
    for number, start in enumerate(tqdm(boards, desc="games", smoothing=0)):
        yield (start, *play(winner, start, black, random.Random(f"{seed} {number}")))


def run(book, command, movetime, replies, seed, sample):
    """Let an engine play the winning side of a Book's game by walk(), and print the results; returns whether it won all."""
    rules = get_rules(book.game)
    root = Board.start(rules)
    known = book.probe(root)
    black = (known.value if known else Prover(64).prove(root).value) < 0
    player = Player(EngineSettings(command, TimeControl()), rules)
    player.start()
    engine = SimpleNamespace(begin=player.new_game, answer=lambda board: player.answer(board, movetime)[0])
    games, won, begun = 0, 0, time.monotonic()
    try:
        for start, is_won, moves in walk(engine, root, black, replies, seed, sample):
            games, won = games + 1, won + is_won
            if not is_won:
                print_row("lost", f"{fen(start)} moves {' '.join(moves)}")
    finally:
        player.engine.quit()
        seconds = time.monotonic() - begun
        print_row("walk", f"{COLOURS[black]} won {won:,} of {pluralize(games, 'game')} in {seconds:.0f} s")
    if not games:
        print(
            f"strategy.py: no game was left to play, as {COLOURS[black]} had won before {COLOURS[not black]}'s "
            f"move {replies} in every line: expected fewer --replies or a longer game",
            file=sys.stderr,
        )
    return won == games > 0
