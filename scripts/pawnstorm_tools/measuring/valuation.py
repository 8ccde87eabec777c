"""Uses the solver to find who wins positions, and by which moves. Keeps the results in a file (known_values.py)."""

import statistics
import sys
import time
from functools import partial
from itertools import islice

from pawnstorm.core import native
from pawnstorm.games.notation import fen, move_text, parse_fen
from pawnstorm.games.rules import get_rules
from pawnstorm.numbers import pluralize
from pawnstorm.proof import interruptible
from pawnstorm.proof.prover import UNLIMITED
from pawnstorm_tools.common.bar import tqdm
from pawnstorm_tools.common.journal import Journal
from pawnstorm_tools.common.random_openings import candidates
from pawnstorm_tools.measuring.known_values import KEY, KIND, check
from pawnstorm_tools.referee import opening_book


class TooFew(RuntimeError):
    """A range of plies has fewer positions than were asked for."""


class Oracle:
    """Finds values by a Prover, whose table all positions share. Spends at most about `cap` nodes on each position.

    on_tick     called now and then during the work
    nodes       spent on the current position so far
    total       nodes spent on all earlier positions
    """

    def __init__(self, prover, cap=UNLIMITED):
        self.prover, self.cap, self._spent, self.total = prover, cap, 0, 0
        self.on_tick = lambda: None

    @property
    def nodes(self):
        return self._spent + self.prover.nodes

    def value(self, board, moves=False):
        """The fields of a record for a position: its value and the cost. If `moves`, also its winning and its losing moves."""
        self._spent, start = 0, time.monotonic()
        found = self._value_and_moves(board) if moves else self._value(board)
        self.total += self._spent
        return found | {"nodes": self._spent, "seconds": round(time.monotonic() - start, 2)}

    def _value(self, board):
        proof = self._prove(board)
        return {"value": proof.value, "within": proof.plies} if proof.value else {"skipped": self.cap}

    def _value_and_moves(self, board):
        found = self._value(board)
        if "skipped" in found:
            return found
        # In a lost position every move loses; in a won one the value of each move is needed.
        values = {move: 1 if found["value"] < 0 else self._prove(board.push(move)).value for move in board.moves()}
        if not all(values.values()):
            return {"skipped": self.cap}
        winning, losing = (
            [move_text(board, move) for move, value in values.items() if value == wanted] for wanted in (-1, 1)
        )
        return found | {"winning": winning, "losing": losing} | ({} if losing else {"rejected": True})

    def _prove(self, board):
        """The Proof of a board, within what is left of the cap."""
        proof = self.prover.probe(board)
        if not proof.value and self._spent < self.cap:
            proof = interruptible.prove(self.prover, board, self.on_tick, self.cap - self._spent)
            self._spent += self.prover.nodes
        return proof


def make(path, variant, plies, count, seed, oracle):
    """Add random positions to a file until it holds `count` for each range of plies from the start. However the run ends,
    prints what the file holds. plies: the ranges, each a pair (least, most). Raises TooFew.
    """
    rules = get_rules(variant)
    names = list(map(name_of, plies))
    # Each range has its own seed: otherwise the games of one range would continue those of another.
    parts = {name: candidates(rules, plies, f"{seed} {name}") for name, plies in zip(names, plies)}
    kept = journal(path, rules, {"parts": names, "seed": seed})
    try:
        fill(oracle, len(parts) * count, select(kept, parts, count, oracle))
    finally:
        kept.close()
        for name in names:
            summary(f"plies {name}", [record for record in kept.records.values() if record.get("part") == name])


def name_of(between):
    """The name of the part of a file for a range of plies (least, most), such as "4-8"."""
    return "{}-{}".format(*between)


def value(path, variant, openings, count, oracle):
    """Find who wins each position of an EPD file, or each of its first `count` positions, and add the results to the file at
    `path`. However the run ends, prints a summary of the results so far. openings: the path of the EPD file.
    """
    rules = get_rules(variant)
    boards = [parse_fen(rules, text) for text in islice(opening_book.read_epd(openings, rules), count)]
    # Who wins depends on nothing but the game, so the file may also hold positions from elsewhere.
    kept = journal(path, rules)
    try:
        fill(oracle, len(boards), appraise(kept, boards, oracle))
    finally:
        kept.close()
        distinct = dict.fromkeys(map(fen, boards))
        summary(openings.name, [kept.records[text] for text in distinct if text in kept.records])


def journal(path, rules, settings=None, check=check):
    """The Journal of a game's positions in a file, which is created if missing. settings: the journal's settings,
    without the game. check(record, rules) raises ValueError if a record is wrong.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    return Journal(path, KIND, KEY, {"variant": rules.name} | (settings or {}), partial(check, rules=rules))


def fill(oracle, total, records):
    """Go through the `total` records of select() or appraise(), with a progress bar."""
    with tqdm(total=total, unit=" positions", file=sys.stderr, smoothing=0, mininterval=0.5) as bar:

        def show():
            bar.set_postfix_str(f"{pluralize(oracle.nodes, 'node')} for the next", refresh=False)
            bar.update(0)

        oracle.on_tick = show
        for _ in records:
            bar.update()


def select(kept, parts, count, oracle):
    """Find the values of candidates until each part has `count` records; yields each record as it comes, also those that the
    Journal `kept` already has. Rejected records do not count and are not yielded.

    parts: name -> iterator over different Boards. The next candidate comes from the part with the fewest records; if several
    parts have as few, from the first of them. A position is left out if a race decides it, or if it or its mirror image came
    before. The choice depends on the candidates alone, with one exception: a skipped position counts, even if a larger cap
    would show that it has to be rejected. Raises TooFew.
    """
    taken, seen = dict.fromkeys(parts, 0), set()
    while part := min((name for name in parts if taken[name] < count), key=taken.get, default=None):
        board = next(parts[part], None)
        if board is None:
            raise TooFew(
                f"--count {count}: only {pluralize(taken[part], 'position')} found {part} plies from the start: "
                "expected a lower count, or more --plies"
            )
        if native.race(board.rules, board.own, board.opp, board.ep) or board.canonical() in seen:
            continue
        seen.add(board.canonical())
        record = record_of(kept, oracle, board, True, part=part, ply=2 * (board.fullmove - 1) + board.black_to_move)
        if "rejected" not in record:
            taken[part] += 1
            yield record


def appraise(kept, boards, oracle):
    """Find the values of Boards; yields a record for each as it comes, also those that the Journal `kept` already has."""
    for board in boards:
        yield record_of(kept, oracle, board, False)


def record_of(kept, oracle, board, moves, **fields):
    """The journal's record of a position. If there is none, or if the position was skipped at a smaller cap, adds a new
    record, which has `fields` and the fields that Oracle.value() returns.
    """
    record = kept.records.get(fen(board))
    if record is None or record.get("skipped", oracle.cap) < oracle.cap:
        record = {"fen": fen(board)} | fields | oracle.value(board, moves)
        kept.add(record)
    return record


def summary(title, records):
    """Print how many positions some records hold, and what they cost."""
    won, lost = (
        sum(record.get("value") == value and "rejected" not in record for record in records) for value in (1, -1)
    )
    rejected, skipped = (sum(name in record for record in records) for name in ("rejected", "skipped"))
    print(
        f"{title}: {pluralize(won + lost, 'position')}, {won} won, {lost} lost; "
        + (f"{rejected} rejected as won by every move, " if rejected else "")
        + f"{skipped} skipped"
    )
    if records:
        nodes, seconds = (sorted(record[field] for record in records) for field in ("nodes", "seconds"))
        print(
            f"  median {statistics.median(nodes):,.0f} nodes, {statistics.median(seconds):.1f} s; "
            f"most {pluralize(nodes[-1], 'node')}, {seconds[-1]:.1f} s; "
            f"in all {pluralize(sum(nodes), 'node')}, {sum(seconds):,.0f} s",
            flush=True,
        )
