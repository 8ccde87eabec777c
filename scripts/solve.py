"""Who wins with best play: `python scripts/solve.py --variant breakthrough5x5`.

Proves a position by depth-first proof-number search (engine/solver.py) and prints the winner, a bound of the game's length and a line
that is really forced. Progress goes to stderr. With --save the table is written every minute and at Ctrl-C; a run that was stopped, or
killed, goes on from there when it is started again with the same words.

With --cluster many processes share the work, on this machine or on any number (proving/jobs.py); what is saved is then the tree of their
jobs.
"""

import ctrl_c  # noqa: F401  first, before what takes long to import

import argparse
import contextlib
import signal
import sys
import time
from pathlib import Path

try:
    from tqdm import tqdm
except ModuleNotFoundError:
    sys.exit("solve.py: tqdm is missing: expected after pip install '.[scripts]'")

import referee  # noqa: F401  makes engine/ importable
from cluster.workers import ClusterError
from proving import arguments, autosave, cluster, jobs, saved, savefile, shortest, watched, wholefile
from proving.errors import NotWon, TooLong

from engine import native
from engine.board import Board
from engine.notation import COLOURS, ParseError, fen, move_text, parse_fen
from engine.prover import NO_LIMIT, Prover
from engine.rules import UnknownGame, game


def parse(words):
    parser = argparse.ArgumentParser(description="Prove who wins a position with best play, and by what line.")
    parser.add_argument("--variant", default="twoflags", help="the game, such as twoflags, breakthrough or breakthrough6x5 (%(default)s)")
    parser.add_argument("--fen", help="a position of it; without, its start")
    parser.add_argument("--hash", type=arguments.positive, default=1024, metavar="MB",
                        help="size of the table, and of each worker's (%(default)s)")
    parser.add_argument("--threads", type=arguments.positive, default=1, help="(%(default)s)")
    parser.add_argument("--cluster", metavar="WHERE", help="share the work: local:N, N processes of so many threads on this machine, or "
                        "tcp://host:port, the workers of a `dask scheduler`")
    parser.add_argument("--exact", action="store_true", help="find the shortest win too, and its line; may take far longer than the winner")
    parser.add_argument("--moves", action="store_true", help="prove every move of the position too")
    parser.add_argument("--proof", type=Path, metavar="FILE", help="write the winner's strategy here, for scripts/verify.py")
    parser.add_argument("--save", type=Path, metavar="FILE", help="what is known, written as the run goes, and read again where it exists")
    parser.add_argument("--every", type=arguments.seconds, default=60.0, metavar="SECONDS",
                        help="between two writings of it (%(default)s)")
    asked = parser.parse_args(words)
    if asked.exact and asked.cluster:
        parser.error("argument --exact: not with --cluster, whose workers prove without a limit")
    return asked


class Run:
    """One run of the solver: what it has spent, its file, and its progress."""

    def __init__(self, prover, name, path, every):
        self.prover, self.name, self._path = prover, name, path
        self.nodes, self.seconds = 0, 0.0   # by all earlier proofs and runs
        self._began = None                  # when the running proof did
        self._saving = autosave.Autosave(path, every, self._write)
        if path and path.exists():
            about = saved.load(path, prover.table, name)
            self.nodes, self.seconds = about["nodes"], about["seconds"]

    def prove(self, board, label, within=NO_LIMIT):
        """The Proof of a board, which tells a winner; within as Prover.prove()'s. Raises TooLong."""
        self._began = time.monotonic()
        with tqdm(desc=label, unit=" positions", unit_scale=True, file=sys.stderr, initial=self.nodes, mininterval=0.5,
                  leave=within == NO_LIMIT) as bar:
            def look():
                proof = self.prover.known(board, within)
                bar.n = self.nodes + self.prover.nodes
                numbers = "proven" if proof.value else f"proof {proof.phi}, disproof {proof.delta}"
                bar.set_postfix_str(f"{numbers}, table {saved.fill(self.prover.table):.0%}", False)
                bar.update(0)
                self._saving.look()

            try:
                proof = watched.prove(self.prover, board, look, within=within)
            finally:
                self.nodes, self.seconds = self._spent()
                self._began = None
        if not proof.value:
            raise TooLong("lines from here are longer than the solver's stack: expected a position with fewer pawns")
        return proof

    def save(self):
        """Write the table, where a file was asked for; where that fails, it is told."""
        self._saving.save()

    def close(self):
        """Write the table, unless save() has done it. Raises OSError."""
        self._saving.close()

    def _spent(self):
        """(nodes, seconds) of all proofs, with what the running one has taken so far."""
        if self._began is None:
            return self.nodes, self.seconds
        return self.nodes + self.prover.nodes, self.seconds + time.monotonic() - self._began

    def _write(self):
        nodes, seconds = self._spent()
        saved.save(self._path, self.prover.table, {"game": self.name, "nodes": nodes, "seconds": seconds})


def winner(board, proof):
    """The colour that a Proof says wins."""
    return COLOURS[board.black ^ (proof.value < 0)]


def tell(run, board, exact):
    """Prove a board and print what was found."""
    proof = run.prove(board, run.name)
    if exact:
        plies = shortest.length(run.prove, board, proof)
        line = shortest.line(run.prove, board, plies)
    else:
        line = watched.call(run.prover, lambda: run.prover.line(board))
        plies = max(proof.plies, len(line))   # what had to be proven again for the line may take longer
    moves, at = [], board
    for move in line:
        moves.append(move_text(at, move))
        at = at.push(move)
    print(f"position   {fen(board)}")
    print(f"winner     {winner(board, proof)}, in {'' if exact else 'at most '}{shortest.counted(plies)}")
    print(f"line       {' '.join(moves) or 'the game is over'}")
    print(f"expanded   {run.nodes:,} positions in {run.seconds:.1f} s", flush=True)


def tell_moves(run, board):
    """Prove and print every move of a board."""
    for move in board.moves():
        child = board.push(move)
        proof = run.prove(child, move_text(board, move))
        length = shortest.counted(proof.plies + 1)
        print(f"move       {move_text(board, move)}: {winner(child, proof)} wins, in at most {length}", flush=True)


def started(asked, rules, stack):
    """The run that was asked for; its end, or a cluster's, is left with the stack."""
    wholefile.check(asked.save, asked.proof)     # said before hours of work, not after them
    if asked.cluster is None:
        run = Run(Prover(asked.hash, asked.threads), rules.name, asked.save, asked.every)
    else:
        workers = stack.enter_context(contextlib.closing(cluster.Cluster(asked.cluster, rules.name, asked.hash, asked.threads)))
        run = jobs.Master(rules, workers, asked.save, asked.every, asked.hash, asked.threads)
    return stack.enter_context(contextlib.closing(run))


def solve(asked, stack):
    """Do what was asked for."""
    rules = game(asked.variant)
    board = parse_fen(rules, asked.fen) if asked.fen else Board.start(rules)
    native.core()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    run = started(asked, rules, stack)
    tell(run, board, asked.exact)
    if asked.moves:
        tell_moves(run, board)
    if asked.proof:
        print("solve.py: compiling what writes proofs", file=sys.stderr)
        from proving import prooffile, tree   # numba: some seconds
        records, black = tree.strategy(run.prover, board)
        prooffile.write(asked.proof, tree.proof(board, records, black))
        print(f"proof      {asked.proof}: {COLOURS[black]}'s move in {len(records):,} positions")


def main(words):
    asked = parse(words)
    try:
        with contextlib.ExitStack() as stack:
            solve(asked, stack)
    except (UnknownGame, ParseError, savefile.BadSave, ClusterError, NotWon, TooLong, OSError, MemoryError) as error:
        print(f"solve.py: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"solve.py: stopped; {'start it again to go on' if asked.save else 'nothing was saved, as no --save was given'}",
              file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
