"""A process that has used the package forks, as multiprocessing does by default before Python 3.14: neither process disturbs the other."""

import multiprocessing
import random

import pytest

from pawnstorm import Board, Engine, Limit, evaluate

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="the system has no fork"),
    pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning"),
]


def boards(number=40):
    """Positions of random games."""
    chance, found = random.Random(1), []
    for _ in range(number):
        board = Board(chance.choice(("breakthrough", "twoflags", "breakthrough5")))
        for _ in range(chance.randrange(8)):
            board.push(chance.choice(board.legal_moves))
        found.append(board)
    return found


def play_and_score(seed):
    """Many calls of the core: scores of the positions of a random game."""
    chance, scores = random.Random(seed), []
    for board in boards():
        while not board.is_game_over():
            scores.append(evaluate(board))
            board.push(chance.choice(board.legal_moves))
    return scores


def best_moves(engine):
    engine.new_game()
    return [engine.play(board, Limit(nodes=500)).move for board in boards(8)]


def in_fork(work, *arguments):
    """What work() returns in a forked process, while this one does the same; both."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(target=lambda: theirs.send(work(*arguments)), daemon=True)
    child.start()
    own = work(*arguments)
    assert ours.poll(60), "the fork hangs"
    found = ours.recv()
    child.join()
    return found, own


def test_scores_and_moves_are_the_same_in_a_fork_and_beside_it():
    alone = play_and_score(1)
    assert in_fork(play_and_score, 1) == (alone, alone)


def test_engine_made_before_the_fork_plays_in_both_processes():
    with Engine() as engine:
        alone = best_moves(engine)
        assert in_fork(best_moves, engine) == (alone, alone)
