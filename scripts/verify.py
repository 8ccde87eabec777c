"""Check a proof of who wins: `python scripts/verify.py FILE`.

FILE (proving/prooffile.py) names a game, a position and its winner, and has a plan for each position in which the winner may find
itself. From the root on every reply of the loser is tried. Nothing in the file is trusted, and nothing of engine/ is used. The walk is
compiled (proving/checker.py) and has rules of its own (proving/pawnrules.py), which are compared with tests/naive.py's at the root, at
positions sampled evenly from all that the walk meets, and along a line that fails.

Prints what was checked and `verified`; or the line of play that leads to the fault, and `NOT verified` with the reason. The longest line
is the longest game that the loser can make of it. Exit codes: 0 verified, 1 not, 2 where FILE is no proof file, 130 after Ctrl-C.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
from tqdm import tqdm

from proving import arguments, checker, pawnrules, prooffile, twin
from proving.twin import naive

COLOURS = {"w": "White", "b": "Black"}
SLICE = 1 << 20     # records entered, or positions met, between two looks at the clock and the keyboard


class Check:
    """The check of one proof: the walk, and in words what it found."""

    def __init__(self, proof, samples):
        if len(proof.records) > checker.MOST:
            raise prooffile.BadProof(f"{len(proof.records):,} records: expected {checker.MOST:,} at most")
        self.proof, self.root = proof, twin.root(proof.game, proof.fen)
        self.rules = pawnrules.make(self.root.game)
        self.walk = checker.begin(self.rules, proof.winner == "w", self.root.game.ranks, proof.records, samples)

    def run(self):
        """Walk to the end or to a fault, then compare the sample; returns whether the proof holds. Raises Differs."""
        twin.compare(self.root, self.rules)
        total, numbers = len(self.proof.records), self.walk.numbers
        for first in tqdm(range(0, total, SLICE), "entering", unit="M", file=sys.stderr, leave=False):
            checker.enter(first, min(first + SLICE, total), self.walk)
        start = checker.arrive if self.root.side == self.proof.winner else checker.replied
        numbers[checker.FAULT] = start(*twin.words(self.root)[:3], 0, 1, self.walk)
        with tqdm(desc="checking", total=total, unit=" records", unit_scale=True, file=sys.stderr) as bar:
            going = not numbers[checker.FAULT]
            while going:
                going = checker.advance(SLICE, self.walk)
                bar.set_postfix_str(f"{self.met():,} positions", False)
                bar.update(int(numbers[checker.LISTED]) - bar.n)
        for row in self.walk.samples[:numbers[checker.SAMPLED]]:
            twin.compare(twin.position(self.root.game, *row), self.rules)
        if not numbers[checker.FAULT] and numbers[checker.LISTED] != numbers[checker.REACHED]:
            raise twin.Differs("records were reached and not expanded: some ply has not brought the pawns nearer to their far ranks")
        return not numbers[checker.FAULT]

    def met(self):
        """How many positions the walk has met."""
        return int(self.walk.numbers[[checker.LISTED, checker.IN_PATHS, checker.REPLYING]].sum())

    def fault(self):
        """(line, reason): the twin.Line from the root to the fault, and what is wrong at its end. Raises Differs."""
        line, planned, chain = twin.Line(self.root, self.rules), "", self.chain()
        if line.position.side != self.proof.winner:
            line.reply(self.listed_as(chain[0]) if chain else self.noted(1, False))
        for number, following in zip(chain, chain[1:]):
            moves, _ = self.plan(number, line.position)
            line.play(moves[0])
            line.reply(self.listed_as(following))
        if chain and self.walk.numbers[checker.FAULT] != checker.MALFORMED:
            moves, mirrored = self.plan(chain[-1], line.position)
            for left, planned in zip(range(len(moves), 0, -1), moves):
                if not line.play(planned) or not self.walk.trail[left].any():
                    break
                line.reply(self.noted(left, mirrored))
        return line, self.reason(line.position, planned)

    def chain(self):
        """The numbers of the records from the root to the one that failed; none where the root itself did."""
        chain = [int(self.walk.numbers[checker.AT])]
        while chain[0] >= 0:
            chain.insert(0, int(self.walk.parent[chain[0]]) - 2)
        return chain[1:]

    def plan(self, number, position):
        """(moves, mirrored) of a record, for its position or the mirror image, whichever this is."""
        white, black, word = self.proof.records[number]
        mirrored = (white, black, checker.taken(word, self.walk)) != twin.words(position)[:3]
        path = [twin.name(square) for square in prooffile.path(word)]
        moves = [start + end for start, end in zip(path, path[1:])]
        return [naive.mirror_text(self.root.game.files, move) if mirrored else move for move in moves], mirrored

    def listed_as(self, number):
        """Whether a position is that of a record."""
        return lambda position: checker.find(*twin.words(position)[:3], self.walk) == number

    def noted(self, left, mirrored):
        """Whether a position is the one that the walk noted, on its way to the fault, with so many moves left in a plan."""
        row = self.walk.trail[left]
        wanted = tuple(pawnrules.mirror(row, self.rules.files) if mirrored else row)
        return lambda position: twin.words(position)[:3] == wanted

    def reason(self, position, planned):
        """What is wrong in the position where a line ends; `planned` is the last move that its plan had."""
        fault = self.walk.numbers[checker.FAULT]
        if position.side == self.proof.winner and naive.over(position):
            return f"{COLOURS[position.side]} has lost"
        return {
            checker.MISSING: "the position is not in the file",
            checker.MALFORMED: "the plan is malformed",
            checker.ILLEGAL: f"the planned move {planned} is not legal",
            checker.UNFINISHED: "the path ends and the game goes on",
        }[fault]


def parse(words):
    parser = argparse.ArgumentParser(description="Check a proof of who wins a position, by rules that share nothing with the solver's.")
    parser.add_argument("file", type=Path, help="the proof")
    parser.add_argument("--sample", type=arguments.positive, default=2000, metavar="N",
                        help="compare the rules with tests/naive.py's at N positions, or up to twice as many (%(default)s)")
    return parser.parse_args(words)


def tell(check, began):
    """Print what was checked."""
    numbers = check.walk.numbers
    print(f"game       {check.proof.game}")
    print(f"root       {naive.fen(check.root)}")
    print(f"winner     {COLOURS[check.proof.winner]}")
    print(f"records    {len(check.proof.records):,}, {len(check.proof.records) - numbers[checker.REACHED]:,} of them not reached")
    print(f"positions  {check.met():,}: {numbers[checker.LISTED]:,} listed, {numbers[checker.IN_PATHS]:,} in paths, "
          f"{numbers[checker.REPLYING]:,} with the loser to move")
    print(f"longest    {numbers[checker.LONGEST]} plies")
    print(f"compared   {numbers[checker.SAMPLED]:,} positions with tests/naive.py")
    print(f"time       {time.monotonic() - began:.1f} s")


def main(words):
    asked, began = parse(words), time.monotonic()
    try:
        check = Check(prooffile.read(asked.file), asked.sample)
        try:
            with np.errstate(over="ignore"):     # machine words wrap in a hash; NumPy says so where the walk is not compiled
                sound = check.run()
                line, reason = (None, "") if sound else check.fault()
        except twin.Differs as differs:
            sound, line, reason = False, None, str(differs)
        tell(check, began)
        if line:
            print(f"line       {' '.join(line.moves) or 'none'}")
            print(f"position   {naive.fen(line.position)}")
        print("verified" if sound else f"NOT verified: {reason}")
        return 0 if sound else 1
    except (prooffile.BadProof, OSError, MemoryError) as error:
        print(f"verify.py: {error or 'not enough memory'}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("verify.py: stopped", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
