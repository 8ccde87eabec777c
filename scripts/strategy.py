"""Make the book of a solved game, and a proof of it.

    python scripts/strategy.py make engine/data/twoflags8x8.book --variant twoflags --leaf 1000 --hash 4096 --threads 2 --save table
    python scripts/strategy.py prove engine/data/twoflags8x8.book --proof twoflags.proof
    python scripts/verify.py twoflags.proof
    python scripts/strategy.py walk engine/data/twoflags8x8.book --engine dist/pawnstorm/pawnstorm --movetime 10

`make` proves the game's start, as scripts/solve.py does, then writes the winner's strategy down to the positions that a solver with an
empty table proves within --leaf expansions (engine/book.py, proving/bookmaking.py). With --save the table of the proof is written every
minute and at Ctrl-C, and read again by the next run; what follows it takes minutes and begins anew.

`prove` writes the strategy of a book, completed below it by the solver, as a proof for scripts/verify.py. `walk` has an engine play
the winner against everything that the loser can begin with, and random replies from then on.
"""

import ctrl_c  # noqa: F401  first, before what takes long to import

import argparse
import contextlib
import sys
import time
from pathlib import Path

import referee  # noqa: F401  makes engine/ importable
from proving import arguments, savefile, shortest, walkover, wholefile
from proving.errors import NotWon, TooLong
from protocol.uciclient import EngineError, EngineFault
from solve import Run

from engine import native
from engine.board import Board
from engine.book import BadBook, Book
from engine.notation import COLOURS, fen
from engine.prover import Prover
from engine.rules import UnknownGame, game


def parse(words):
    parser = argparse.ArgumentParser(description="Make the book of a solved game, or a proof of a book.")
    tasks = parser.add_subparsers(dest="task", required=True)
    make = tasks.add_parser("make", help="solve a game and write its book")
    make.add_argument("book", type=Path, help="the file to write")
    make.add_argument("--variant", default="twoflags", help="the game, such as twoflags7x7 (%(default)s)")
    make.add_argument("--leaf", type=arguments.positive, default=1000, metavar="N",
                      help="expansions that are left to the solver (%(default)s)")
    make.add_argument("--save", type=Path, metavar="FILE", help="the proof's table, written as it goes, and read again where it exists")
    make.add_argument("--every", type=arguments.seconds, default=60.0, metavar="SECONDS", help="between two writings of it (%(default)s)")
    prove = tasks.add_parser("prove", help="write the strategy of a book as a proof")
    prove.add_argument("book", type=Path, help="the file to read")
    prove.add_argument("--proof", type=Path, required=True, metavar="FILE", help="the file to write, for scripts/verify.py")
    walk = tasks.add_parser("walk", help="have an engine win the game of a book")
    walk.add_argument("book", type=Path, help="the file to read")
    walk.add_argument("--engine", required=True, metavar="COMMAND", help="a UCI engine")
    walk.add_argument("--movetime", type=arguments.positive, default=10, metavar="MS", help="for each of its moves (%(default)s)")
    walk.add_argument("--replies", type=arguments.positive, default=3, metavar="N",
                      help="moves of the loser that are all tried (%(default)s)")
    walk.add_argument("--seed", type=int, default=1, help="of the random ones (%(default)s)")
    for task in (make, prove):
        task.add_argument("--hash", type=arguments.positive, default=1024, metavar="MB", help="size of the solver's table (%(default)s)")
        task.add_argument("--threads", type=arguments.positive, default=1, help="(%(default)s)")
    return parser.parse_args(words)


def make(asked):
    """Solve a game and write its book."""
    rules = game(asked.variant)
    wholefile.check(asked.book, asked.save)     # said before hours of work, not after them
    native.core()
    with contextlib.closing(Run(Prover(asked.hash, asked.threads), rules.name, asked.save, asked.every)) as run:
        proof = run.prove(Board.start(rules), rules.name)
        run.save()
        write_book(asked, run, proof)


def write_book(asked, run, proof):
    """Write the book of a game of which the run has found the Proof, and tell about it."""
    from proving import bookmaking    # numba: some seconds
    board = Board.start(game(asked.variant))
    began = time.monotonic()
    maker = bookmaking.Maker(run.prover, board, asked.leaf)
    maker.grow()
    entries = maker.entries()
    bookmaking.write(asked.book, board.rules.full_name, asked.leaf, entries)
    whole = maker.measure(maker.root)
    leaves = [left.work - 1 for left in maker.left.values() if not left.move]
    print(f"winner     {COLOURS[proof.value < 0]}, in at most {shortest.counted(whole.plies)}")
    print(f"book       {asked.book}: {len(entries):,} entries, {asked.book.stat().st_size:,} bytes")
    print(f"leaves     {len(leaves):,}, of {sum(leaves) / len(leaves):.0f} expansions on average and {max(leaves):,} at most")
    print(f"time       {run.seconds:.1f} s for the proof, {time.monotonic() - began:.1f} s for the book")


def prove(asked):
    """Write the strategy of a book as a proof."""
    wholefile.check(asked.proof)
    shipped = Book(asked.book)
    native.core()
    from proving import bookmaking, prooffile, tree    # numba: some seconds
    root, prover = Board.start(game(shipped.game)), Prover(asked.hash, asked.threads)
    moves = [(board, entry.move) for board, entry in bookmaking.walk(shipped, root) if entry.value > 0]
    known = shipped.look(root)
    records, black = tree.strategy(prover, root, moves, known.value if known else 0)
    prooffile.write(asked.proof, tree.proof(root, records, black))
    print(f"proof      {asked.proof}: {COLOURS[black]}'s move in {len(records):,} positions, in {len(moves):,} of them the book's")


def walk(asked):
    """Have an engine win the game of a book from everywhere; the exit status tells whether it did."""
    shipped = Book(asked.book)
    rules = game(shipped.game)
    native.core()
    root = Board.start(rules)
    known = shipped.look(root)
    black = (known.value if known else Prover(64).prove(root).value) < 0
    player = walkover.Walkover(asked.engine, rules, asked.movetime)
    games, lost, begun = 0, 0, time.monotonic()
    try:
        for start, won, moves in walkover.walk(player, root, black, asked.replies, asked.seed):
            games, lost = games + 1, lost + (not won)
            if not won:
                print(f"lost       {fen(start)} moves {' '.join(moves)}", flush=True)
    finally:
        player.close()
        print(f"walk       {COLOURS[black]} won {games - lost:,} of {games:,} games in {time.monotonic() - begun:.0f} s")
    if not games:
        print(f"strategy.py: no game was left to play, as {COLOURS[black]} had won before {COLOURS[not black]}'s move {asked.replies} in "
              "every line: expected fewer --replies or a longer game", file=sys.stderr)
    return 1 if lost or not games else 0


def main(words):
    asked = parse(words)
    try:
        return {"make": make, "prove": prove, "walk": walk}[asked.task](asked) or 0
    except (UnknownGame, BadBook, NotWon, savefile.BadSave, TooLong, EngineError, EngineFault, OSError, MemoryError) as error:
        print(f"strategy.py: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("strategy.py: stopped", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
