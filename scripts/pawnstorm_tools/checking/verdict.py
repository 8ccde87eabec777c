"""Checks one proof: runs the compiled walk, compares the rules with the slow ones, and puts the result into words."""

import sys
import time

import numpy as np

from pawnstorm_tools.checking import naive, prooffile
from pawnstorm_tools.common import machinecode
from pawnstorm_tools.common.bar import tqdm

machinecode.load()

from pawnstorm_tools.checking import agreement, checker, pawnrules  # noqa: E402  kernels, loaded from the cache

COLOURS = {"w": "White", "b": "Black"}
SLICE = 1 << 20  # records inserted, or positions met, between two updates of the bar; Ctrl-C works only between them


class Check:
    """The check of one proof: the walk, and its result in words."""

    def __init__(self, proof, root, samples):
        if len(proof.records) > checker.MAX_RECORDS:
            raise prooffile.BadProof(f"{len(proof.records):,} records: expected {checker.MAX_RECORDS:,} at most")
        self.proof, self.root = proof, root
        if proof.within > prooffile.DEFAULT_WITHIN and not root.game.quiet_diagonals:
            raise prooffile.BadProof(
                f'"within" is {proof.within}: expected none, or {prooffile.DEFAULT_WITHIN}, in {proof.game}'
            )
        self.rules = pawnrules.make(self.root.game)
        self.walk = checker.new_walk(
            self.rules, proof.winner == "w", self.root.game.ranks, proof.within, proof.records, samples
        )

    def run(self):
        """Walk to the end or to a fault, then compare the rules on the sample; returns whether the proof holds.

        Raises agreement.RulesDiffer.
        """
        agreement.compare(self.root, self.rules)
        total, numbers = len(self.proof.records), self.walk.numbers
        for first in tqdm(range(0, total, SLICE), "entering", unit="M", file=sys.stderr, leave=False):
            checker.insert_records(first, min(first + SLICE, total), self.walk)
        start = checker.reach_position if self.root.side == self.proof.winner else checker.expand_replies
        numbers[checker.FAULT] = start(*agreement.to_words(self.root)[:3], 0, 1, self.walk)
        with tqdm(desc="checking", total=total, unit=" records", unit_scale=True, file=sys.stderr) as bar:
            going = not numbers[checker.FAULT]
            while going:
                going = checker.advance(SLICE, self.walk)
                bar.set_postfix_str(f"{self.positions():,} positions", False)
                bar.update(int(numbers[checker.LISTED]) - bar.n)
        for row in self.walk.samples[: numbers[checker.SAMPLED]]:
            agreement.compare(agreement.position(self.root.game, *row), self.rules)
        if not numbers[checker.FAULT] and numbers[checker.LISTED] != numbers[checker.REACHED]:
            raise agreement.RulesDiffer(
                "records were reached and not expanded: some ply has not brought the pawns nearer to their far ranks"
            )
        return not numbers[checker.FAULT]

    def positions(self):
        """The number of positions that the walk has met."""
        return int(checker.positions_met(self.walk.numbers))

    def fault(self):
        """The fault as (line, reason): the agreement.Line from the root to the fault, and a text that says what is wrong there.

        Raises agreement.RulesDiffer.
        """
        line, planned, chain = agreement.Line(self.root, self.rules), "", self.chain()
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
        """The numbers of the records on the way from the root to the one that failed; none if the root itself failed."""
        chain = [int(self.walk.numbers[checker.FAULT_RECORD])]
        while chain[0] >= 0:
            chain.insert(0, int(self.walk.parent[chain[0]]) - 2)
        return chain[1:]

    def plan(self, number, position):
        """A record's plan at `position`, as (moves, mirrored).

        mirrored: whether the position is the mirror image of the record's; the moves are then mirrored too.
        """
        white, black, word = self.proof.records[number]
        mirrored = (white, black, checker.plan_ep(word, self.walk)) != agreement.to_words(position)[:3]
        path = [agreement.name(square) for square in prooffile.plan_squares(word)]
        moves = [start + end for start, end in zip(path, path[1:])]
        return [naive.mirror_text(self.root.game.files, move) if mirrored else move for move in moves], mirrored

    def listed_as(self, number):
        """A function that says whether a position, or its mirror image, is the position of the record with this number."""
        return lambda position: checker.find(*agreement.to_words(position)[:3], self.walk) == number

    def noted(self, left, mirrored):
        """A function that says whether a position is the one that the walk has put into trail[left].

        If `mirrored`, the function says whether a position is the mirror image of that one.
        """
        row = self.walk.trail[left]
        wanted = tuple(pawnrules.mirror(word, self.rules.files) if mirrored else word for word in row)
        return lambda position: agreement.to_words(position)[:3] == wanted

    def reason(self, position, planned):
        """What is wrong in the position at the end of a line. planned: the plan's move that was tried last."""
        fault = self.walk.numbers[checker.FAULT]
        if position.side == self.proof.winner and naive.over(position):
            return f"{COLOURS[position.side]} has lost"
        return {
            checker.MISSING: "the position is not in the file",
            checker.MALFORMED: "the plan is malformed",
            checker.ILLEGAL: f"the planned move {planned} is not legal",
            checker.UNFINISHED: "the path ends and the game goes on",
        }[fault]

    def facts(self):
        """The lines that describe what was checked."""
        numbers = self.walk.numbers
        yield f"game       {self.proof.game}"
        yield f"root       {naive.fen(self.root)}"
        yield f"winner     {COLOURS[self.proof.winner]}"
        records = len(self.proof.records)
        yield f"records    {records:,}, {records - numbers[checker.REACHED]:,} of them not reached"
        yield (
            f"positions  {self.positions():,}: {numbers[checker.LISTED]:,} listed, {numbers[checker.UNLISTED]:,} that need "
            f"no record, {numbers[checker.IN_PATHS]:,} in paths, {numbers[checker.REPLYING]:,} with the loser to move"
        )
        plies = "1 ply" if numbers[checker.LONGEST] == 1 else f"{numbers[checker.LONGEST]} plies"
        yield f"longest    {plies}: the longest game that the proof allows; the shortest win may be shorter"
        yield f"compared   {numbers[checker.SAMPLED]:,} positions with scripts/pawnstorm_tools/checking/naive.py"


def check_proof(proof, root, samples, start):
    """Check a proof; returns (whether it holds, the lines to print). Raises BadProof, MemoryError.

    start: the time.monotonic() at which the check began.
    """
    check, line = Check(proof, root, samples), None
    try:
        with np.errstate(over="ignore"):  # hashes wrap around, about which NumPy warns if the walk is not compiled
            sound = check.run()
            line, reason = (None, "") if sound else check.fault()
    except agreement.RulesDiffer as differs:
        sound, reason = False, str(differs)
    lines = [*check.facts(), f"time       {time.monotonic() - start:.1f} s"]
    if line:
        lines += [f"line       {' '.join(line.moves) or 'none'}", f"position   {naive.fen(line.position)}"]
    return sound, [*lines, "verified" if sound else f"NOT verified: {reason}"]
