"""Checks values of positions: writes the winner's strategy as a proof, and lets the checker (checking/) verify it."""

import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import NamedTuple

from pawnstorm.games.notation import COLOURS, fen, move_text
from pawnstorm.games.position import Board
from pawnstorm.numbers import pluralize
from pawnstorm.proof import interruptible
from pawnstorm_tools.checking import prooffile
from pawnstorm_tools.checking.filecheck import check_file
from pawnstorm_tools.common.bar import tqdm
from pawnstorm_tools.common.fields import require, text
from pawnstorm_tools.common.journal import Journal
from pawnstorm_tools.common.random_openings import evenly
from pawnstorm_tools.measuring import known_values
from pawnstorm_tools.solving import winning_strategy

FIELDS = {"verified": (lambda value: isinstance(value, bool), "true or false"), "said": (text, "text")}  # of a record
SAMPLES = 2000  # positions at which the checker's rules are compared with the slow ones


class Claim(NamedTuple):
    """The claim that `winner`, "White" or "Black", wins a position."""

    board: Board
    fen: str
    winner: str


def check(file, count, moves, prover, results_path):
    """Check `count` values, taken evenly from a ValueFile, and print the result; returns whether all of them hold.

    moves: also check the position after each move. Raises Unsuitable if the file lacks the winning moves.
    """
    if moves:
        file.require_moves()
    chosen = evenly(sorted(file.positions, key=lambda position: position.part), count)
    found = [claim for position in chosen for claim in (position, *(after_moves(position) if moves else ()))]
    settings = {"positions": file.identifier}
    results = Journal(results_path, "check", known_values.KEY, settings, partial(require, fields=FIELDS))
    try:
        with (
            tempfile.TemporaryDirectory(prefix="positions-") as folder,
            tqdm(found, unit=" values", file=sys.stderr, smoothing=0, mininterval=0.5) as bar,
        ):

            def show():
                bar.set_postfix_str(pluralize(prover.nodes, "node"), refresh=False)
                bar.update(0)

            for position in bar:
                if position.fen not in results.records:
                    results.add(check_value(position, prover, show, Path(folder, "proof")))
    finally:
        results.close()
        done = [record for position in found if (record := results.records.get(position.fen))]
        for record in done:
            if not record["verified"]:
                print(f"NOT verified: {record['fen']}: {record['said']}")
        verified = sum(record["verified"] for record in done)
        print(f"{verified} of {len(done)} values verified, {len(found) - len(done)} left", flush=True)
    return verified == len(done)


def after_moves(position):
    """The Claims about the positions after a Position's winning and losing moves, except where the game is over."""
    board = position.board
    for move in board.moves():
        after = board.push(move)
        if not after.is_game_over():
            wins = move_text(board, move) in position.winning
            yield Claim(after, fen(after), COLOURS[board.black_to_move ^ (not wins)])


def check_value(position, prover, on_tick, path):
    """The record of checking a Position or a Claim: fen, verified, said (the checker's words), and the number of positions
    that the checker reports. The proof remains at `path`.

    A value is verified if the proof is sound, and if the checker reports the expected game, root and winner. Nothing else
    counts. on_tick() is called now and then while the solver proves the position again.
    """
    board = position.board
    interruptible.prove(prover, board, on_tick)
    winning_strategy.write(prover, board, path)
    try:
        sound, (*facts, verdict) = check_file(path, SAMPLES)
    except prooffile.BadProof:
        sound, facts, verdict = False, (), "the checker cannot read the proof"
    facts = dict(line.split(maxsplit=1) for line in facts)
    expected = {"game": board.rules.full_name, "root": " ".join(position.fen.split()[:4]), "winner": position.winner}
    wrong = [
        f"{name} {facts.get(name)} instead of {value}" for name, value in expected.items() if facts.get(name) != value
    ]
    return {
        "fen": position.fen,
        "verified": sound and not wrong,
        "said": ", ".join([verdict, *wrong]),
        "positions": facts.get("positions"),
    }
