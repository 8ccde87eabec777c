"""Boards from text for the tests, and moves as text."""

import random

from pawnstorm.games.notation import move_text, parse_fen, parse_move
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules


def board(text, name="twoflags"):
    return parse_fen(get_rules(name), text)


def texts(one):
    """The legal moves."""
    return {move_text(one, move) for move in one.moves()}


def play(one, *line):
    """The board after these moves, given as text."""
    for text in line:
        one = one.push(parse_move(one, text))
    return one


def random_games(rules, count, seed):
    """Boards of random games, about `count`, none of them over."""
    chance, board = random.Random(seed), Board.start(rules)
    for _ in range(count):
        board = Board.start(rules) if board.is_game_over() else board.push(chance.choice(board.moves()))
        if not board.is_game_over():
            yield board


def playout(rules, chance):
    """The boards of a random game, from the start to the finished one."""
    line = [Board.start(rules)]
    while not line[-1].is_game_over():
        line.append(line[-1].push(chance.choice(line[-1].moves())))
    return line


def walk(board, plies, chance):
    """The board after so many random moves, or where the game ends before."""
    for _ in range(plies):
        board = board if board.is_game_over() else board.push(chance.choice(board.moves()))
    return board


def after(board, line):
    """The board after these moves, which have to be legal."""
    for move in line:
        assert move in board.moves()
        board = board.push(move)
    return board
