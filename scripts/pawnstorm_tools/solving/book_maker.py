"""Makes a book from a proof: the part of the winner's strategy that a solver alone would take long to find
(engine/pawnstorm/proof/book.py).

A BookMaker follows the winner's moves and every reply of the loser from the root. It stops at each position whose win a solver
with an empty table proves within `leaf_nodes` expansions, since the engine can do this again during a game. Then it measures the
strategy below each position, from the leaves up: its size, in which a transposition counts each time it is met, and the maximum
number of plies. make() does all this and writes the book. walk() yields a book's positions from a root, ends() draws some of the
positions at which the book's lines end, and write_proof() writes the book's strategy as a proof.

If the whole book would be too large, make_lines() makes a line book (engine/pawnstorm/proof/line_book.py), which has a set number
of moves: those that games are likely to need (likely_lines.py). extend_lines() adds moves to a line book in the positions in
which games leave that book. complete_lines() adds moves until every line ends in a position that the solver proves alone.

make_opening() makes the opening of a game, a table of its early lost positions, from the values of all positions after a number
of plies.
"""

import time
import zlib
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from queue import SimpleQueue
from typing import NamedTuple

from pawnstorm.games import position_table
from pawnstorm.games.notation import COLOURS, fen, move_text
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.numbers import pluralize
from pawnstorm.proof import book
from pawnstorm.proof.line_book import MOST_POSITIONS
from pawnstorm_tools.common import table_file
from pawnstorm_tools.common.random_openings import levels
from pawnstorm_tools.solving import Missing, NotWon, TooLarge, line_book_writer, output, winning_strategy
from pawnstorm_tools.solving.decisions import Decision, LeafTests
from pawnstorm_tools.solving.likely_lines import Choice, LikelyLines, replies
from pawnstorm_tools.solving.output import print_row
from pawnstorm_tools.solving.plans import Planner
from pawnstorm_tools.solving.progress import PositionsBar

BATCH = 1 << 10  # positions of the winner whose Decisions are made, and saved, at once


class Subtree(NamedTuple):
    """The strategy below a position.

    work    the number of the winner's positions in it, counted each time they are met, plus the solver's expansions at the leaves
    plies   the most plies to the end of the game
    move    the winner's move, or the reply of the loser that leaves most work; 0 where the strategy ends
    inner   whether the strategy has a move of the winner, at the position or below
    """

    work: int
    plies: int
    move: int = 0
    inner: bool = False


class BookMaker:
    """The strategy from a root, and its size and length. All boards are canonical.

    A position that the solver proves won within `leaf_nodes` expansions is a leaf. wins: whether the side to move at the root
    wins. decisions: the Decisions known so far; grow() adds new ones, but keeps every move that was chosen before. prover: a
    prover that has already searched a position of the game; wins in its table need no new proof.
    """

    def __init__(self, prover, root, wins, leaf_nodes, decisions):
        self.leaf_nodes, self.root, self.decisions = leaf_nodes, root.canonical(), decisions
        self._threads, self._wins, self._planners = prover.threads, wins, SimpleQueue()
        self._all = [Planner(prover.sharing_copy(), root.rules) for _ in range(prover.threads)]  # one for each thread
        for planner in self._all:
            self._planners.put(planner)  # those that no thread uses now
        self.subtrees = {}  # bitboards -> Subtree; filled from the leaves up

    def grow(self, most=None):
        """Find all positions of the winner in the strategy, and make the Decision about each. Raises NotWon, OSError.

        most: how many positions the book may have, if there is a limit; grow() raises TooLarge as soon as there are more.
        """
        met, waiting, moves = set(), deque(), 0
        lost = set() if self._wins else {self.root.bitboards}

        def meet(boards):
            new = [board for board in boards if board.bitboards not in met]
            met.update(board.bitboards for board in new)
            waiting.extend(new)

        meet([self.root] if self._wins else replies(self.root))
        with (
            PositionsBar(desc="strategy") as bar,
            LeafTests(self._threads) as tests,
            ThreadPoolExecutor(self._threads) as pool,
        ):
            while waiting:
                batch = [waiting.popleft() for _ in range(min(BATCH, len(waiting)))]
                self._test(batch, tests)
                inner = [board for board in batch if not self.decisions.is_leaf(board, self.leaf_nodes)]
                self._choose(inner, pool)
                for board in inner:
                    after = board.push(self.decisions.of(board).move).canonical()
                    if after.bitboards not in lost:
                        lost.add(after.bitboards)
                        meet(replies(after))
                moves += len(inner)
                if most is not None and moves + len(lost) > most:
                    raise TooLarge(f"the book would have more than {most:,} positions: expected a greater --leaf")
                bar.total = len(met)
                bar.update(len(batch))

    def _test(self, boards, tests):
        """Find out which of the winner's positions are leaves."""
        untested = [board for board in boards if not self.decisions.is_tested(board, self.leaf_nodes)]
        found = tests.run(untested, self.leaf_nodes)
        self.decisions.add(
            untested, [new._replace(move=self.decisions.of(board).move) for board, new in zip(untested, found)]
        )

    def _choose(self, boards, pool):
        """Choose the winner's move in each of these positions."""
        boards = [board for board in boards if not self.decisions.of(board).move]
        try:
            moves = list(pool.map(self._move, boards))
        except BaseException:  # such as Ctrl-C: a running proof has no other end
            for planner in self._all:
                planner.stop()
            raise
        self.decisions.add(boards, [self.decisions.of(board)._replace(move=move) for board, move in zip(boards, moves)])

    def _move(self, board):
        """The winner's move."""
        planner = self._planners.get()
        try:
            return planner.move(board)
        finally:
            self._planners.put(planner)

    def measure(self, board, winning=None):
        """The Subtree of a position. Measures the positions below it first; a recursion is no deeper than a game is long.

        winning: whether the winner is to move; None at the root.
        """
        winning = self._wins if winning is None else winning
        if board.bitboards not in self.subtrees:
            self.subtrees[board.bitboards] = self._measured(board, winning)
        return self.subtrees[board.bitboards]

    def _measured(self, board, winning):
        if not winning:
            behind = [(self.measure(board.push(move).canonical(), True), move) for move in board.moves()]
            return Subtree(
                sum(below.work for below, _ in behind),
                max(below.plies for below, _ in behind) + 1,
                max(behind)[1],
                any(below.inner for below, _ in behind),
            )
        found = self.decisions.of(board)
        if self.decisions.is_leaf(board, self.leaf_nodes):
            return Subtree(found.nodes + 1, found.plies)
        behind = self.measure(board.push(found.move).canonical(), False)
        return Subtree(behind.work + 1, behind.plies + 1, found.move, True)

    def entries(self):
        """[(board, move, plies)] of the book's positions: the winner's positions that have a move, and the loser's positions
        from which a reply leads to one of these.
        """
        self.measure(self.root)
        return [
            (Board(self.root.rules, *bitboards, False), below.move, below.plies)
            for bitboards, below in self.subtrees.items()
            if below.inner
        ]


def write(path, game, leaf_nodes, entries):
    """Write a book of entries (canonical board, move or 0, plies)."""
    rows = [(board, book.pack(board, move, plies)) for board, move, plies in entries]
    table_file.write(path, book.FORMAT, game, (leaf_nodes,), rows, book.ENTRY)


def walk(shipped, root):
    """Yield (canonical position, Entry) for each position to which a book leads from a root, each once.

    In a position of the loser, walk() follows every reply, even if the book names none. It yields no position without an Entry.
    """
    first = root.canonical()
    entry = shipped.probe(first)
    waiting = [(first, bool(entry) and entry.value < 0)]
    seen = {first}
    for board, losing in waiting:
        entry = shipped.listed(board)
        if entry:
            yield board, entry
        for move in board.moves() if losing else [entry.move] if entry else []:
            child = board.push(move).canonical()
            # The ends of a large book's lines would take too much memory: they are neither kept nor visited.
            if child not in seen and not (losing and shipped.listed(child) is None):
                seen.add(child)
                waiting.append((child, not losing))


def ends(shipped, root, count):
    """At most `count` positions of the winner at which the lines of a book end, drawn at random: those with the least checksums.

    The book has no move in them. The player who wins the game wins each of them, if the book is right.
    """
    chosen, most = {}, 1 << 32
    losing = [] if (entry := shipped.probe(root)) and entry.value > 0 else [root.canonical()]
    after = (board.push(entry.move).canonical() for board, entry in walk(shipped, root) if entry.value > 0)
    with PositionsBar(desc="positions of the book") as bar:
        for board in chain(losing, after):
            for child in replies(board):
                mark = zlib.crc32(repr(child.bitboards).encode())
                if mark < most and shipped.probe(child) is None:
                    chosen[mark] = child
            if len(chosen) >= 2 * count:
                chosen = dict(sorted(chosen.items())[:count])
                most = max(chosen)
            bar.update()
    return [chosen[mark] for mark in sorted(chosen)[:count]]


def make(run, root, first, leaf_nodes, path, decisions):
    """Write the book of a root, and print its figures. The run has proven the root, or the position after the winner's move
    `first` if that is not 0. leaf_nodes, decisions: as for BookMaker. Raises NotWon, OSError.
    """
    start = time.monotonic()
    wins, first = proven_root(run.prover, root, first)
    if first:
        decisions.add([root.canonical()], [decisions.of(root.canonical())._replace(move=first)])
    maker = BookMaker(run.prover, root, wins, leaf_nodes, decisions)
    maker.grow()
    entries = maker.entries()
    write(path, root.rules.full_name, leaf_nodes, entries)
    _print_winner(root, maker.measure(maker.root).plies)
    print_row("book", f"{path}: {pluralize(len(entries), 'entry')}, {path.stat().st_size:,} bytes")
    edge = [below.work - 1 for below in maker.subtrees.values() if not below.move]
    if edge:
        mean = sum(edge) / len(edge)
        print_row("leaves", f"{len(edge):,}, of {mean:.0f} expansions on average and {max(edge):,} at most")
    _print_time(run, start)


def make_lines(run, root, first, leaf_nodes, path, count, log, searcher, games=()):
    """Write a line book of `count` moves, or of all if there are fewer, and print its figures. Raises NotWon, OSError.

    log, searcher: as for LikelyLines; games: as for LikelyLines.grow(); other arguments: as for make().
    """
    start = time.monotonic()
    wins, first = proven_root(run.prover, root, first)
    lines = LikelyLines(run.prover, root, wins, first, leaf_nodes, log, searcher)
    moves = {position: choice.move for position, choice in lines.grow(count, games).items()}
    _write_lines(path, root, wins, leaf_nodes, moves, lambda board: run.prover.prove(board).plies)
    _print_time(run, start)


def extend_lines(run, root, shipped, path, count, log, searcher, games):
    """Write a line book of `count` moves, and print its figures. Raises NotWon, OSError.

    It has the moves of the LineBook `shipped`, and others where games leave that book. The claim of `shipped` about who wins is
    trusted, not proven. The other arguments are those of make_lines().
    """
    start = time.monotonic()
    known = {
        board.bitboards: Choice(entry.move, entry.plies) for board, entry in walk(shipped, root) if entry.value > 0
    }
    wins = bool(shipped.plies & 1)
    lines = LikelyLines(run.prover, root, wins, 0, shipped.leaf_nodes, log, searcher, known)
    moves = {position: choice.move for position, choice in lines.grow(count, games).items()}
    edge = set()  # the positions of the winner that follow a new move
    for bitboards in moves.keys() - known.keys():
        after = Board(root.rules, *bitboards, False).push(moves[bitboards])
        edge.update(child.bitboards for child in replies(after))

    def bound(board):
        """An upper bound of the plies to the end from a position at which a new line ends.

        If only a line of the old book ends there, the value is a placeholder, 1. This does not lower the bounds of the positions
        before it below those of the old book, which are in `least`.
        """
        return run.prover.prove(board).plies if board.bitboards in edge else 1

    least = {bitboards: choice.plies for bitboards, choice in known.items()} | {
        root.canonical().bitboards: shipped.plies
    }
    _write_lines(path, root, wins, shipped.leaf_nodes, moves, bound, least)
    _print_time(run, start)


def complete_lines(run, root, shipped, leaf_nodes, path, decisions):
    """Write a line book in which each line ends in a position that the solver proves within `leaf_nodes` expansions.

    It has the moves of the LineBook `shipped`, and new ones where that book's lines end too early. Prints its figures. The
    claim of `shipped` about who wins is trusted, not proven. decisions: as for BookMaker. Raises NotWon, TooLarge, OSError.
    """
    start = time.monotonic()
    given = {
        board: Decision(leaf_nodes, 0, entry.move)  # not tested whether it is a leaf: nearly none is
        for board, entry in walk(shipped, root)
        if entry.value > 0 and decisions.kept_move(board, leaf_nodes) != entry.move
    }
    decisions.add(given, given.values())
    run.prover.prove(root, 1)
    wins = bool(shipped.plies & 1)
    maker = BookMaker(run.prover, root, wins, leaf_nodes, decisions)
    maker.grow(MOST_POSITIONS)
    moves = decisions.moves(leaf_nodes)
    _write_lines(path, root, wins, leaf_nodes, moves, lambda board: decisions.of(board).plies)
    _print_time(run, start)


def _write_lines(path, root, *arguments):
    """Write a line book, and print its figures; the arguments are those of line_book_writer.write()."""
    written = line_book_writer.write(path, root, *arguments)
    _print_winner(root, written.plies)
    print_row("book", f"{path}: {pluralize(written.moves, 'move')}, {path.stat().st_size:,} bytes")


def proven_root(prover, root, first):
    """(whether the side to move at the root wins, `first` as a move on the canonical root). If `first` is 0, it stays 0.

    The prover has proven the root, or the position after `first`. Raises NotWon if `first` does not win.
    """
    wins = prover.prove(root.push(first) if first else root).value * (-1 if first else 1) > 0
    if first and not wins:
        raise NotWon(f"'{move_text(root, first)}' loses: expected a first move that wins")
    return wins, first and position_table.seen_from(root, first)


def _print_winner(root, plies):
    black = root.black_to_move == bool(plies & 1)
    print_row("winner", f"{COLOURS[black]}, in at most {pluralize(plies, 'ply')}")
    print_row("length", "a bound, by the strategy of the book: the shortest win may be shorter")


def _print_time(run, start):
    print_row("time", f"{run.seconds:.1f} s for the proof, {time.monotonic() - start:.1f} s for the book")


def write_proof(shipped, prover, path):
    """Write the strategy of a Book or a LineBook as a proof, and print its figures. A prover completes the strategy below the
    book. Raises NotWon, OSError.
    """
    root = Board.start(get_rules(shipped.game))
    with PositionsBar(walk(shipped, root), desc="positions of the book") as bar:
        moves = [(board, entry.move) for board, entry in bar if entry.value > 0]
    known = shipped.probe(root)
    written = winning_strategy.write(prover, root, path, moves, known.value if known else 0)
    output.proof(path, *written, len(moves))


def make_opening(path, rules, known, plies):
    """Write the opening of a game, its lost positions up to `plies` plies from the start, and print its figures.

    known: the bounds of all positions after `plies` plies, {bitboards of a canonical Board: plies to the end, at most}. If
    a bound is even, the side to move loses. Raises OSError, and Missing if one of these positions has no bound.
    """
    *earlier, last = levels(rules, plies)
    bounds = _last(last, known)
    boards = {board.bitboards: board for level in (*earlier, last) for board in level}
    for level in reversed(earlier):
        # A position can also be in a later level, or arise for the other colour: the lower bound counts.
        bounds |= {
            board.bitboards: min(bound := _bound(board, bounds), bounds.get(board.bitboards, bound)) for board in level
        }
    entries = [(boards[position], 0, bound) for position, bound in bounds.items() if bound % 2 == 0]
    write(path, rules.full_name, 0, entries)
    print_row("opening", f"{path}: {pluralize(len(entries), 'entry')}, {path.stat().st_size:,} bytes")
    print_row(
        "lost",
        f"{len(entries):,} of {pluralize(len(bounds), 'position')} up to {pluralize(plies, 'ply')} from the start",
    )


def _last(level, known):
    """The bounds of the positions in the last level. Raises Missing."""
    missing = [board for board in level if known.get(board.bitboards) is None]
    if missing:
        raise Missing(
            f"the values of {len(missing):,} of {pluralize(len(level), 'position')} are missing, {fen(missing[0])} among them: "
            "expected the file that `positions.py value` writes for all positions that `positions.py all` prints"
        )
    return {board.bitboards: known[board.bitboards] for board in level}


def _bound(board, bounds):
    """The bound of a position, from the bounds after its moves. After a move that ends the game, the bound is 0."""
    behind = [bounds.get(board.push(move).canonical().bitboards, 0) for move in board.moves()]
    lost = [plies for plies in behind if plies % 2 == 0]
    return 1 + (min(lost) if lost else max(behind))
