"""Positions of known value: which ones, and who wins each of them by which moves.

They are kept in a journal (referee/journal.py), a record for each position that was judged. Random ones (select) have all of this,
given ones (appraise) neither part and ply nor winning, losing and rejected:

    fen, part, ply      the position, the range of plies that it was drawn for ("4-8"), and its own plies from the start
    value, within       1 where the side to move wins, -1 where it loses; plies to the end at the latest
    winning, losing     all its legal moves, by what they lead to
    rejected            true where every move wins, so that no choice is to be made; such a position is not one of the file's
    skipped             instead of these: the nodes that it was not settled by. Its place is taken, so that no position is left out for
                        being hard, and a run that may spend more judges it again
    nodes, seconds      what it took, with what the positions before it had left in the table
"""

import json
import time

from proving import watched
from referee import journal

from engine import native
from engine.notation import COLOURS, ParseError, fen, move_text, parse_fen
from engine.prover import UNLIMITED
from engine.rules import game

KIND, KEY = "selection", "fen"   # of the journal


class TooFew(RuntimeError):
    """A range of plies that has not as many positions as were asked for."""


class Judge:
    """Finds the values by a Prover, whose table all positions share; spends about `cap` nodes on each at most.

    look() is called now and then while it is at work; `nodes` is what the position under way has taken so far.
    """

    def __init__(self, prover, cap=UNLIMITED, look=lambda: None):
        self.prover, self.cap, self.look, self._spent = prover, cap, look, 0

    @property
    def nodes(self):
        return self._spent + self.prover.nodes

    def value(self, board):
        """The part of a record that tells a position's value, and what that took."""
        return self._measured(self._value, board)

    def verdict(self, board):
        """The same with all its moves."""
        return self._measured(self._verdict, board)

    def _measured(self, judgement, board):
        self._spent, began = 0, time.monotonic()
        return judgement(board) | {"nodes": self._spent, "seconds": round(time.monotonic() - began, 2)}

    def _value(self, board):
        proof = self._prove(board)
        return {"value": proof.value, "within": proof.plies} if proof.value else {"skipped": self.cap}

    def _verdict(self, board):
        found = self._value(board)
        if "skipped" in found:
            return found
        # Of a lost position every move loses; of a won one each is to be found out.
        values = {move: 1 if found["value"] < 0 else self._prove(board.push(move)).value for move in board.moves()}
        if not all(values.values()):
            return {"skipped": self.cap}
        winning, losing = ([move_text(board, move) for move, value in values.items() if value == wanted] for wanted in (-1, 1))
        return found | {"winning": winning, "losing": losing} | ({} if losing else {"rejected": True})

    def _prove(self, board):
        """The Proof of a board, by what is left of the cap."""
        proof = self.prover.known(board)
        if not proof.value and self._spent < self.cap:
            proof = watched.prove(self.prover, board, self.look, self.cap - self._spent)
            self._spent += self.prover.nodes
        return proof


def select(kept, parts, count, judge):
    """Judge candidates until each part has `count` places taken; yields each taken record as it comes, old ones from the journal too.

    kept        the Journal
    parts       name -> iterator over different Boards; the part with fewest places goes on, the first of several
    judge       a Judge

    No position comes twice, nor its mirror image. Which positions come follows from the candidates alone. Raises TooFew.
    """
    taken, seen = dict.fromkeys(parts, 0), set()
    while part := min((name for name in parts if taken[name] < count), key=taken.get, default=None):
        board = next(parts[part], None)
        if board is None:
            raise TooFew(f"only {taken[part]} positions {part} plies from the start, of {count} asked for")
        if native.race(board.rules, board.own, board.opp, board.ep) or board.canonical() in seen:
            continue
        seen.add(board.canonical())
        drawn = {"fen": fen(board), "part": part, "ply": 2 * (board.fullmove - 1) + board.black}
        record = judged(kept, judge, drawn, lambda: judge.verdict(board))
        if "rejected" not in record:
            taken[part] += 1
            yield record


def appraise(kept, boards, judge):
    """Judge the value of given Boards; yields a record for each as it comes, old ones from the journal too."""
    for board in boards:
        yield judged(kept, judge, {"fen": fen(board)}, lambda: judge.value(board))


def judged(kept, judge, found, judgement):
    """The journal's record of a position; where it has none, or one that was skipped at a smaller cap, `found` with the judgement."""
    record = kept.records.get(found["fen"])
    if record is None or record.get("skipped", judge.cap) < judge.cap:
        record = found | judgement()
        kept.add(record)
    return record


class Position:
    """A position of a file with its value.

    board, fen; part: the range of plies that it was drawn for, "" of a given one; value: 1 where the side to move wins, -1 where it loses;
    winner: "White" or "Black"; winning: the moves that win, as text, None where they are not known
    """

    def __init__(self, rules, record):
        self.board, self.fen = parse_fen(rules, record["fen"]), record["fen"]
        self.part, self.value, self.winning = record.get("part", ""), record["value"], record.get("winning")
        self.winner = COLOURS[self.board.black ^ (self.value < 0)]


def of_value(rules, records):
    """The Positions among records, in their order: those neither rejected nor skipped."""
    return [Position(rules, record) for record in records if "value" in record and "rejected" not in record]


def evenly(found, count):
    """`count` items of a list, or all of a shorter one, evenly from its first to its last."""
    count = min(count, len(found))
    return [found[(2 * number + 1) * len(found) // (2 * count)] for number in range(count)]


def read(path):
    """(id, rules, records) of a file that select() or appraise() has filled, which may be growing.

    Raises JournalError, UnknownGame, OSError.
    """
    identifier, settings, records = journal.read(path, KIND, KEY)
    if not isinstance(settings.get("variant"), str):
        raise journal.JournalError(f"{path} names no game: expected a 'variant' among the settings of its first line")
    rules = game(settings["variant"])
    for record in records.values():
        if fault := faulty(rules, record):
            raise journal.JournalError(f"{path} has a bad record, {json.dumps(record)[:100]}: {fault}")
    return identifier, rules, list(records.values())


def faulty(rules, record):
    """What is wrong with a record, in words; None where nothing is."""
    try:
        parse_fen(rules, str(record["fen"]))
    except ParseError as error:
        return error
    if "skipped" not in record and record.get("value") not in (1, -1):
        return "expected a 'value' of 1 or -1, or 'skipped'"
    if not isinstance(record.get("part", ""), str):
        return "expected text as its 'part'"
    moves = record.get("winning", [])
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        return "expected a list of moves as 'winning'"
    return None
