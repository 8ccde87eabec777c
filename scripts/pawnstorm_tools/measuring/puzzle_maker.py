"""Finds puzzles (puzzles.py) in games between the engine's levels, and grades them.

A puzzle is a position in which the solver proves, from an empty table and with few expansions, that one move wins and all
others lose. Positions with an obvious answer are left out: those that a race decides, and those in which

    - the win takes one move,
    - hardly any other move stops the opponent from winning at once,
    - the move captures a pawn that has just captured one,
    - the lowest level never misses the move.

Each game gives one puzzle at most. No two puzzles of a file are alike, and a cap on each group (MOST) keeps them varied.
"""

import random
import sys
from collections import Counter
from itertools import count as count_from
from typing import NamedTuple

from pawnstorm.core import native
from pawnstorm.games.notation import fen, move_text, parse_fen, parse_move
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.numbers import pluralize
from pawnstorm_tools.common.bar import tqdm
from pawnstorm_tools.common.journal import Journal
from pawnstorm_tools.measuring import difficulty, puzzles

PLAYERS = range(800, 2401, 200)
"""Levels; each game draws two of them."""
EXPANDED = 50_000
"""Most expansions to prove all claims of a puzzle, so that the page's solver refutes a wrong answer within a second."""
SHORTENING = 20_000
"""Expansions for each number of plies that is tried in the search for the shortest win."""
DEFENCES = 3
"""Least number of moves after which the opponent cannot win at once."""
LENGTHS = (3, 7, 11, 17)
"""Groups of puzzles by the plies to the end: the first number of plies of each group."""
LONGEST = 25
"""Most plies to the end."""
MOST = {"length": 0.4, "grade": 0.3, "capture": 0.5}
"""Largest share of a game's puzzles in one group: of length, of grade (400 Elo wide), or of whether the move takes a pawn."""
DIFFERENCE = 9
"""Least number of squares in which two puzzles differ, mirrored or not. So no puzzle arises within four plies of another."""
PATIENCE = 40
"""Games in a row without a puzzle that make the caps twice as large, step by step: no run waits for a rare combination."""
BARREN = 3_000
"""Games in a row without a puzzle after which a game counts as exhausted."""


class TooFew(RuntimeError):
    """Fewer puzzles of a game were found than asked for."""


class OnlyMove(NamedTuple):
    """A position in which only one move wins; within: an upper bound on the plies to the end of the game."""

    board: Board
    move: int
    within: int

    @property
    def takes(self):
        """Whether the move takes a pawn, en passant included."""
        return 1 << (self.move >> 6) & (self.board.opp | self.board.ep) != 0


def make(path, variants, count, seed, prover, player):
    """Add puzzles to a file until it has `count` of each game. However the run ends, the table of the file is printed.

    prover: a Prover; player: a LevelPlayer. Raises TooFew, JournalError, UnknownGame, OSError.
    """
    games = [get_rules(variant) for variant in variants]
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = Journal(path, puzzles.KIND, puzzles.KEY, puzzles.settings(seed), puzzles.check)
    try:
        for rules in games:
            fill(kept, rules, count, seed, prover, player)
    finally:
        kept.close()
        if kept.records:
            print(puzzles.table(list(kept.records.values())), flush=True)


def fill(kept, rules, count, seed, prover, player):
    """Add puzzles of one game to the Journal until there are `count`, with a bar for progress. Raises TooFew."""
    collection = Collection(rules, count, puzzles.of_game(kept.records.values(), rules))
    words = {"unit": " puzzles", "desc": rules.name, "smoothing": 0, "mininterval": 0.5}
    with tqdm(total=count, initial=min(collection.size, count), file=sys.stderr, **words) as bar:
        for number in count_from(collection.next_number):
            if collection.size >= count:
                return
            if number >= collection.next_number + BARREN:
                raise TooFew(
                    f"--count {count}: only {pluralize(collection.size, 'puzzle')} of {rules.name} found: expected a lower count"
                )
            bar.set_postfix_str(f"game {number}", refresh=False)
            bar.update(0)
            boards = play(rules, player, random.Random(f"{seed} {rules.name} {number}"))
            if record := collection.choose(number, only_moves(boards, prover), player):
                collection.add(record)
                kept.add(record)
                bar.update()


def play(rules, player, rng):
    """The Boards of a game between two levels, from the start to its end."""
    elos, seeds = ([rng.choice(PLAYERS) for _ in "wb"], [rng.getrandbits(32) for _ in "wb"])
    boards = [Board.start(rules)]
    while not boards[-1].is_game_over():
        side = boards[-1].black_to_move
        boards.append(boards[-1].push(player.move(boards[-1], elos[side], seeds[side])))
    return boards


def only_moves(boards, prover):
    """Yield the OnlyMoves of a game, except those with an obvious answer. Go backwards from the end of the game, and stop at
    a position that the solver cannot prove.
    """
    for ply in reversed(range(len(boards))):
        if is_decided(boards[ply]):
            continue
        try:
            found = only_move(boards[ply], prover)
        except Unproven:
            return
        if found and not (ply and retakes(found, boards[ply - 1])):
            found = found._replace(within=shortest(found, prover))
            if 3 <= found.within <= LONGEST:
                yield found


class Unproven(Exception):
    """The solver found no proof in EXPANDED expansions."""


def only_move(board, prover):
    """The OnlyMove of a position, None unless exactly one move wins. Raises Unproven."""
    prover.clear()
    left = EXPANDED

    def prove(board):
        nonlocal left
        proof = prover.probe(board)
        if not proof.value and left > 0:
            proof = prover.prove(board, left)
            left -= prover.nodes
        if not proof.value:
            raise Unproven
        return proof

    moves = board.moves()
    if not moves or (proof := prove(board)).value < 0:
        return None
    winning = []
    for move in moves:
        if prove(board.push(move)).value < 0:
            winning.append(move)
            if len(winning) > 1:
                return None
    return OnlyMove(board, winning[0], proof.plies)


def shortest(found, prover):
    """The length in plies of the shortest win that the solver proves for an OnlyMove; its `within` if none is shorter."""
    tried = range(3, found.within, 2)
    return next((plies for plies in tried if prover.prove(found.board, SHORTENING, plies).value > 0), found.within)


def is_decided(board):
    """Whether a race decides the game, or fewer than DEFENCES moves stop the opponent from winning at once."""
    moves = board.moves()
    if len(moves) < DEFENCES or native.race(board.rules, *board.bitboards):
        return True
    return sum(not wins_at_once(board.push(move)) for move in moves) < DEFENCES


def wins_at_once(board):
    """Whether the side to move can end the game with its next move."""
    rules, before_goal = board.rules, board.rules.goal >> 8
    if rules.quiet_diagonals and not board.own & before_goal and board.opp & (board.opp - 1):
        return False  # the far rank is two moves away, and an opponent that has a pawn can move
    return any(board.push(move).is_game_over() for move in board.moves())


def retakes(found, before):
    """Whether the move takes a pawn that has just taken one: in the Board `before`, a pawn of ours stood on the target square."""
    return bool(1 << (found.move >> 6) & found.board.opp & before.rules.flip(before.opp))


class Collection:
    """The puzzles of one game in a file; decides which others may join them.

    size          the number of puzzles
    next_number   the number of the match game that comes after the last puzzle's match game
    """

    def __init__(self, rules, count, records):
        self.rules, self._count, self.size, self.next_number = rules, count, 0, 1
        self._boards, self._groups = [], Counter()
        for record in records:
            self.add(record)

    def add(self, record):
        found = puzzle_of(self.rules, record)
        self._boards.append(found.board)
        self._groups.update([*kinds(found), grade_group(record["grade"])])
        self.size, self.next_number = self.size + 1, puzzles.number_of(record) + 1

    def choose(self, number, candidates, player):
        """The record of the first candidate that may join the puzzles; None if none may. Rare kinds are tried first.

        number: the number of a match game; candidates: its OnlyMoves; player: a LevelPlayer
        """
        room = 1 + (number - self.next_number) / PATIENCE
        for found in sorted(candidates, key=lambda found: self._crowd(kinds(found))):
            if self._crowd(kinds(found)) >= room or not self._is_new(found.board):
                continue
            misses = difficulty.count_misses(player, found.board, found.move)
            grade = difficulty.grade(misses)
            if misses[0] and self._crowd([grade_group(grade)]) < room:
                return {
                    "id": puzzles.name(self.rules, number),
                    "game": self.rules.name,
                    "fen": fen(found.board),
                    "move": move_text(found.board, found.move),
                    "within": found.within,
                    "fails": misses,
                    "grade": grade,
                }
        return None

    def _crowd(self, groups):
        """The fill level of the fullest of these groups: its number of puzzles, divided by the largest number that MOST
        allows.
        """
        return max(self._groups[group] / (MOST[group[0]] * self._count) for group in groups)

    def _is_new(self, board):
        return all(difference(board, other) >= DIFFERENCE for other in self._boards)


def puzzle_of(rules, record):
    """The OnlyMove of a record."""
    board = parse_fen(rules, record["fen"])
    return OnlyMove(board, parse_move(board, record["move"]), record["within"])


def kinds(found):
    """The groups of an OnlyMove, without the group of its grade. A group is a pair: a key of MOST, and the value that all
    puzzles of the group share.
    """
    return [("length", max(first for first in LENGTHS if first <= found.within)), ("capture", found.takes)]


def grade_group(grade):
    return "grade", grade // 400


def difference(one, other):
    """The number of squares in which two Boards differ, each seen by its side to move. If mirroring one of them makes the
    number smaller, the smaller number counts.
    """
    return min(bin((one.own ^ board.own) | (one.opp ^ board.opp)).count("1") for board in (other, other.mirrored()))
