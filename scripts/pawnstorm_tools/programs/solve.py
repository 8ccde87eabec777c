"""Find out who wins with best play: `python scripts/solve.py --variant breakthrough5x5`.

Proves a position by depth-first proof-number search (engine/pawnstorm/kernels/dfpn.py) and prints the winner, a bound on the
game's length and a forced line. Progress goes to stderr. With --save, the table is written every minute and at Ctrl-C.
The same command continues a run that was stopped or killed.

With --cluster, many processes share the work, on one machine or several (solving/jobs.py). --save then writes the tree
of their jobs.
"""

import contextlib
import functools
import signal
from pathlib import Path

from pawnstorm.core import native
from pawnstorm.games.notation import COLOURS, IllegalMove, ParseError, fen, move_text, parse_fen, parse_move
from pawnstorm.games.position import Board
from pawnstorm.games.rules import UnknownGame, get_rules
from pawnstorm.numbers import pluralize
from pawnstorm.proof import interruptible
from pawnstorm.proof.prover import Prover
from pawnstorm_protocol import cli
from pawnstorm_tools import startup
from pawnstorm_tools.cluster.workers import ClusterError
from pawnstorm_tools.common import arguments, atomicfile
from pawnstorm_tools.solving import NotWon, TooLong, cluster_jobs, jobs, output, savefile, strategy_file
from pawnstorm_tools.solving.output import print_row
from pawnstorm_tools.solving.run import Run

FIRST_LOOK = 100_000  # expansions after each reply to the expected move, before the replies are compared
EXACT = "exact: the shortest win, against the longest resistance"
BOUND = "a bound, by the proof that was found: the shortest win may be shorter, and --exact finds it"


def parse(argv):
    parser = cli.Parser(description="Prove who wins a position with best play, and by what line.")
    parser.add_argument(
        "--variant",
        default="twoflags",
        help="the game, such as twoflags, breakthrough or breakthrough6x5 (%(default)s)",
    )
    parser.add_argument("--fen", help="a position of this game (its start position)")
    parser.add_argument(
        "--expect",
        metavar="MOVE",
        help="first try to prove that this move wins, by proving the replies to it one after another: for a long proof, if the "
        "winning move is known or likely",
    )
    arguments.add_solver(parser, table="the table, and of each worker's")
    parser.add_argument(
        "--cluster",
        metavar="WHERE",
        help="share the work among the workers of a cluster: local:N starts N processes on this machine, each with --threads "
        "threads; tcp://host:port or tls://host:port joins a `dask scheduler`",
    )
    parser.add_argument(
        "--exact",
        action="store_true",
        help="find the shortest win too, and its line; may take far longer than the winner",
    )
    parser.add_argument(
        "--moves",
        action="store_true",
        help="also prove who wins after each move of the position; with --exact, find the length after each",
    )
    parser.add_argument(
        "--proof", type=Path, metavar="FILE", help="write the winner's strategy here; `verify` checks it"
    )
    arguments.add_save(parser, "what is known")
    args = parser.parse_args(argv)
    if args.exact and args.cluster:
        parser.error("argument --exact: not with --cluster, whose workers cannot limit the plies of a win")
    arguments.check_save(parser, args)
    if args.expect is not None and args.cluster:
        parser.error("argument --expect: not with --cluster, which chooses its own jobs")
    if args.keep and args.cluster:
        parser.error("argument --keep: not with --cluster, which saves a tree")
    return args


def start_run(args, board, stack):
    """The run that the arguments ask for. The stack closes it, and the connection to a cluster."""
    atomicfile.check(args.save, args.proof)  # errors come before hours of work, not after them
    stack.enter_context(savefile.lock_file(args.save))
    if args.proof:
        strategy_file.check(args.proof, board)
    rules = board.rules
    if args.cluster is None:
        run = Run(Prover(args.hash, args.threads, endings=True), rules.name, args.save, args.every, args.keep)
    else:
        workers = stack.enter_context(
            contextlib.closing(cluster_jobs.JobWorkers(args.cluster, rules.name, args.hash, args.threads))
        )
        run = jobs.Master(rules, workers, args.save, args.every, args.hash, args.threads)
    return stack.enter_context(contextlib.closing(run))


def solve(run, board, exact, expected):
    """Prove a board and print what was found. expected: the move to prove first, or None."""
    if expected is None:
        proof = run.prove(board, run.name)
    else:
        replies = functools.partial(prove_replies, run=run, board=board, move=expected)
        proof = run.prove(board, run.name, prepare=replies)
    if exact:
        plies = length(run.prove, board, proof)
        line = shortest_line(run.prove, board, plies)
    else:
        line = interruptible.run(run.prover, lambda: run.prover.line(board))
        plies = max(proof.plies, len(line))  # a proof that was made again for the line may be longer
    print_row("position", fen(board))
    print_row("winner", f"{winner(board, proof)}, {how_soon(plies, exact)}")
    if line:
        print_row("length", EXACT if exact else BOUND)
    moves = []
    for move in line:
        moves.append(move_text(board, move))
        board = board.push(move)
    print_row("line", " ".join(moves) or "the game is over")
    print_row("expanded", f"{pluralize(run.nodes, 'position')} in {run.seconds:.1f} s")


def prove_replies(prove, run, board, move):
    """Prove the positions after the replies to a move of the board, one by one. Stop at a reply that refutes the move. If the
    board is already proven, do nothing.

    prove: the function with which Run.prove() calls `prepare`. Each reply that the table lacks first gets
    FIRST_LOOK expansions. After that, the next reply to prove is always the one with the least phi. Each proof has the whole
    table, while a search of the board divides the table among all moves and replies.
    """
    if prove(board, run.name, nodes=0).value:
        return
    probe = run.prover.probe
    text, board = move_text(board, move), board.push(move)
    left = {f"{text} {move_text(board, reply)}": board.push(reply) for reply in board.moves()}
    for label, position in left.items():
        proof = probe(position)
        if proof.phi is None:
            proof = prove(position, label, FIRST_LOOK)
        if proof.value < 0:
            return  # this reply refutes the move
    while left:
        label = min(left, key=lambda label: probe(left[label]).phi or 0)
        if prove(left.pop(label), label).value < 0:
            return


def length(prove, board, proof):
    """The plies of the winner's quickest win against the longest resistance, from a position whose Proof is known.

    prove(board, label, within) -> Proof, as Run.prove(). It finds out whether one side wins in at most `within` plies: the
    side to move if `within` is odd, its opponent if it is even. If this side does not, the Proof names the other side as the
    winner.
    """
    plies, shorter = proof.plies, proof
    while plies > 1 and shorter.value == proof.value:
        plies = shorter.plies
        shorter = prove(board, f"in {pluralize(plies - 2, 'ply')}", plies - 2)
    return plies


def shortest_line(prove, board, plies):
    """The moves of a game with best play by both sides, which takes exactly `plies` plies; prove as for length()."""
    moves = []
    while plies:
        # If `plies` is odd, the side to move wins: after its move the opponent loses within the plies that are left. If
        # `plies` is even, it loses: after its best move the opponent cannot win two plies sooner.
        within = plies - 1 if plies % 2 else plies - 3
        move = next(
            move
            for move in board.moves()
            if within < 0
            or prove(board.push(move), f"ply {len(moves) + 1}: {move_text(board, move)}", within).value < 0
        )
        moves.append(move)
        board, plies = board.push(move), plies - 1
    return moves


def winner(board, proof):
    """The colour that a Proof says wins."""
    return COLOURS[board.black_to_move ^ (proof.value < 0)]


def how_soon(plies, exact):
    """How soon the game ends, in words: an exact length, or a bound."""
    return f"in {'' if exact else 'at most '}{pluralize(plies, 'ply')}"


def print_moves(run, board, exact):
    """For every move of a board, prove who wins after it, and print the result."""
    for move in board.moves():
        text, child = move_text(board, move), board.push(move)
        proof = run.prove(child, text)
        plies = 1 + (length(run.prove, child, proof) if exact else proof.plies)
        print_row("move", f"{text}: {winner(child, proof)} wins, {how_soon(plies, exact)}")


def write_proof(run, board, path):
    """Write the winner's strategy from a board that the run has proven."""
    from pawnstorm_tools.solving import winning_strategy  # late: numba takes a second, or more with an empty cache

    with startup.when_stopped(f"{strategy_file.part_path(path)} is kept, and the same command goes on from it"):
        output.proof(path, *winning_strategy.write(run.prover, board, path))


@startup.program(UnknownGame, ParseError, IllegalMove, savefile.BadSave, ClusterError, NotWon, TooLong)
def main(argv):
    args = parse(argv)
    saved = "the same command goes on" if args.save else "nothing was saved, as no --save was given"
    with startup.when_stopped(saved), contextlib.ExitStack() as stack:
        rules = get_rules(args.variant)
        board = Board.start(rules) if args.fen is None else parse_fen(rules, args.fen)
        native.core()
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        expected = None if args.expect is None else parse_move(board, args.expect)
        run = start_run(args, board, stack)
        solve(run, board, args.exact, expected)
        if args.moves:
            print_moves(run, board, args.exact)
        if args.proof:
            write_proof(run, board, args.proof)
