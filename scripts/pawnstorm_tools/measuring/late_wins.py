"""Hard wins near the end of games, each with all its winning moves, for a file of positions of known value (known_values.py).

The solver walks backwards through a game, one ply at a time, with a table that is empty at first. It stops at the first
position that it does not decide within a quarter of `cap` expansions. The limit is only a quarter because deciding the moves of
a position takes more work than deciding its value.

Each game has one of the given ranges of plies to the end: the first game has the first range, the next game the next range,
and so on; after the last range comes the first again. The solver sorts the wins that it has met: the wins in the game's
range come before the others, and in each of these two groups the win farthest from the end comes first. In this order, it
takes the first win with these properties:

    - the side to move wins, whoever won the game, and neither the position nor one of its moves wins by a race,
    - the solver does not decide it within `least` expansions from an empty table,
    - the solver decides all its moves within `cap` expansions, with the walk's table,
    - of the moves that do not lose by a race, at most half win.

If it fails to decide the moves of two wins, it takes none from the game.

The plies to the end are counted in the game or in the proof, whichever ends sooner. The games, the ranges,
`least`, the cap and the size of the table alone determine the positions.
"""

import sys
from itertools import islice
from typing import NamedTuple

from pawnstorm import pgn
from pawnstorm.core import native
from pawnstorm.games.notation import fen, parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.numbers import pluralize
from pawnstorm.proof.prover import Prover
from pawnstorm_tools.common import pool
from pawnstorm_tools.common.bar import tqdm
from pawnstorm_tools.common.fields import is_int, require, text
from pawnstorm_tools.measuring import known_values, valuation
from pawnstorm_tools.referee.opening_book import replay

WALK = 4
"""The part of the cap that the walk has for each position, 1 / WALK."""
TRIES = 2
"""Wins of a game whose moves may remain undecided. Each of them has cost the whole cap."""
EASY_HASH = 64
"""MiB of the table for the search of at most `least` expansions; a position that it decides is too easy."""
AHEAD = 4
"""Games for each process that may be finished ahead of the next one in order."""
FIELDS = {"part": (text, "text"), "game": (lambda value: is_int(value, 1), "a whole number from 1")}
"""The fields of a record besides those of any position of known value."""


class Walk(NamedTuple):
    """The result of a walk through a game.

    game        its number
    record      the record of the position that was taken; None if none was taken
    nodes       expansions used
    fault       what is wrong with the game, in words, or ""
    """

    game: int
    record: dict | None
    nodes: int
    fault: str


class Win(NamedTuple):
    """A won position of a game.

    left    plies to the end of the game
    part    the name of the range that it is in
    """

    board: Board
    left: int
    part: str


class Source:
    """Finds hard wins in games, in one process. plies: as in make(). Raises MemoryError."""

    def __init__(self, variant, plies, least, cap, mebibytes):
        self._rules, self._plies = get_rules(variant), plies
        self._prover = Prover(mebibytes, endings=True)
        self._walker, self._oracle = (valuation.Oracle(self._prover, nodes) for nodes in (cap // WALK, cap))
        self._easy = valuation.Oracle(Prover(EASY_HASH, endings=True), least)

    def records(self, numbered):
        """The Walk for (number, PgnGame)."""
        number, game = numbered
        try:
            boards = replay(game, self._rules)
        except ValueError as fault:
            return Walk(number, None, 0, pgn.comment_text(str(fault)))
        self._prover.clear()  # so that the position does not depend on earlier games
        before = self._spent()
        first = valuation.name_of(self._plies[(number - 1) % len(self._plies)])
        record = take(walk(boards, self._plies, self._walker), first, self._oracle, self._easy)
        return Walk(number, record and record | {"game": number}, self._spent() - before, "")

    def _spent(self):
        return sum(oracle.total for oracle in (self._walker, self._oracle, self._easy))


def walk(boards, plies, oracle):
    """Walk backwards from the end of a game, and yield the Wins that are in one of the ranges `plies`. Stop at a position that
    the oracle does not decide.
    """
    least, most = min(plies)[0], max(most for _, most in plies)
    for left in range(least, min(most + 1, len(boards))):
        board = boards[-1 - left]
        if race(board):
            continue
        found = oracle.value(board)
        if "skipped" in found:
            return
        if found["value"] > 0 and (part := part_of(min(left, found["within"]), plies)):
            yield Win(board, left, part)


def take(wins, first, oracle, easy):
    """The record of the Win that is chosen, or None if none is suitable. first: the name of the range that is tried first.

    easy: an Oracle; a Win that it can decide is too easy
    """
    undecided = 0
    for board, left, part in sorted(wins, key=lambda win: (win.part != first, -win.left)):
        if undecided == TRIES:
            break
        choices = count_choices(board)
        if choices < 2 or decides(easy, board):
            continue
        found = oracle.value(board, moves=True)
        if "skipped" in found:
            undecided += 1
        elif 2 * len(found["winning"]) <= choices:
            found.pop("losing")
            return {"fen": fen(board), "part": part, "left": left} | found
    return None


def decides(oracle, board):
    """Whether an Oracle, with its table emptied, finds the value of a position within its cap."""
    oracle.prover.clear()
    return "skipped" not in oracle.value(board)


def race(board):
    """The plies within which a race decides a position: positive if the side to move wins it, negative if it loses it, 0 if
    no race decides the position.
    """
    return native.race(board.rules, *board.bitboards)


def count_choices(board):
    """The number of moves to positions that no race decides; 0 if a move wins by a race."""
    found = [race(board.push(move)) for move in board.moves()]
    return 0 if min(found) < 0 else found.count(0)


def part_of(count, plies):
    """The name of the first range that includes `count` plies, None if none does."""
    return next((valuation.name_of(between) for between in plies if between[0] <= count <= between[1]), None)


def check(record, rules):
    """Raise ValueError, which names the fault, unless `record` is the record of a position from a game."""
    known_values.check(record, rules)
    require(record, FIELDS)


def make(path, variant, games, plies, count, least, cap, mebibytes, processes):
    """Add positions from the games of a PGN file to a file until it holds `count`. However the run ends, prints what the
    file holds.

    plies: ranges of plies to the end of the game, each a pair (fewest, most). least, cap: in expansions.
    Raises TooFew, JournalError, OSError, pool.PoolError.
    """
    rules, names = get_rules(variant), list(map(valuation.name_of, plies))
    kept = valuation.journal(path, rules, {"games": games.name, "parts": names, "least": least, "cap": cap}, check)
    try:
        if len(kept.records) < count:
            native.core()  # so that a fresh clone builds it here, not in each process
            with pool.workers(__name__, (variant, plies, least, cap, mebibytes), processes) as workers:
                fill(kept, rules, games, count, lambda items: workers.in_order(items, AHEAD * processes))
    finally:
        kept.close()
        for name in names:
            some = [record for record in kept.records.values() if record["part"] == name]
            valuation.summary(f"{name} plies to the end", some)


def fill(kept, rules, games, count, walk):
    """Add positions to the Journal `kept` until it has `count`, with a progress bar. Raises TooFew, OSError.

    walk(items): yields the Walk for each (number, PgnGame), in order
    """
    seen = {canonical(rules, record) for record in kept.records.values()}
    number = done = max((record["game"] for record in kept.records.values()), default=0)
    nodes = 0
    words = {"unit": " positions", "smoothing": 0, "mininterval": 0.5}
    with tqdm(total=count, initial=len(kept.records), file=sys.stderr, **words) as bar:
        for number, record, spent, fault in walk(islice(enumerate(pgn.read(games), 1), done, None)):
            if fault:
                bar.write(f"game {number} left out: {fault}", file=sys.stderr)
            if record and canonical(rules, record) not in seen:
                kept.add(record)
                seen.add(canonical(rules, record))
            nodes += spent
            bar.set_postfix_str(f"game {number}, {pluralize(nodes, 'node')} by this run", refresh=False)
            bar.update(len(kept.records) - bar.n)
            if len(kept.records) == count:
                return
    raise valuation.TooFew(
        f"--count {count}: only {pluralize(len(kept.records), 'position')} found in the {pluralize(number, 'game')} of {games}: "
        "expected a lower count, or more games"
    )


def canonical(rules, record):
    """The Board that stands for a record's position and its mirror image."""
    return parse_fen(rules, record["fen"]).canonical()
