"""Checks a game's record from a results file, which anybody may have edited: its fields and its moves."""

import json
import re

from pawnstorm.games.notation import parse_fen, parse_move
from pawnstorm.games.rules import get_rules
from pawnstorm_protocol.client.pump import EngineFault
from pawnstorm_tools.common.fields import is_int, is_list_of, number, require, text

MOVE = re.compile(r"[a-h][1-8][a-h][1-8]q?")
MATE = re.compile(r"-?M[0-9]{1,16}")
REASONS = ("normal", "adjudication", *EngineFault.KINDS)
SIDES = ("white", "black")


def count(value):
    return value is None or is_int(value, 0)


def move(value):
    """Whether a value is a move in the form that format_game() of engine/pawnstorm/pgn/ needs."""
    if not (isinstance(value, list) and len(value) == 7):
        return False
    played, taken, left, score, *counts = value
    return (
        text(played)
        and bool(MOVE.fullmatch(played))
        and number(taken)
        and (left is None or number(left))
        and (score is None or is_int(score) or text(score) and bool(MATE.fullmatch(score)))
        and all(map(count, counts))
    )


FIELDS = {
    "game": (lambda value: is_int(value, 1), "a whole number from 1"),
    "round": (text, "text"),
    "date": (text, "text"),
    "white": (text, "an engine's name"),
    "black": (text, "an engine's name"),
    "first": (lambda value: value in SIDES, "white or black"),
    "limits": (
        lambda value: isinstance(value, dict) and all(text(value.get(side)) for side in SIDES),
        "texts for white and black",
    ),
    "opening": (text, "a FEN"),
    "result": (lambda value: value in ("1-0", "0-1"), "1-0 or 0-1"),
    "reason": (lambda value: value in REASONS, f"one of {', '.join(REASONS)}"),
    "detail": (text, "text"),
    "moves": (is_list_of(move), "moves with their times, scores and counts"),
    "lags": (is_list_of(number), "microseconds"),
}


def check(record, rules, names):
    """Raise ValueError unless a record has valid fields and is of a game between two of these engines.

    The moves are left to replay(). rules: the match's Rules; a record's `variant` overrides them. names: the engines' names; if
    it is empty, all names are accepted.
    """
    require(record, FIELDS)
    for side in SIDES:
        if names and record[side] not in names:
            raise ValueError(f"'{side}' is '{record[side][:40]}', expected one of {', '.join(names)}")
    if len(record["opening"].split()) != 6:
        raise ValueError(f"'opening' is '{record['opening'][:40]}', expected a FEN of six fields")
    if "variant" in record:  # the game has an agent's en passant rule
        if not text(record["variant"]):
            raise ValueError(f"'variant' is {json.dumps(record['variant'])[:40]}, expected the name of a game")
        rules = get_rules(record["variant"])
    parse_fen(rules, record["opening"])


def replay(record, rules, resign=None):
    """Raise ValueError unless the moves of a record are legal and end the game as the record says.

    The record must have passed check(). A fault of either side may end the game at any move. resign: the match's Resign, or
    None.
    """
    board = parse_fen(rules, record["opening"])
    adjudicator, loser = resign and Adjudicator(resign), None
    for place, (word, _, _, score, *_) in enumerate(record["moves"], 1):
        if board.is_game_over() or loser is not None:
            raise ValueError(f"move {place}, '{word}', comes after the end of the game")
        side = int(board.black_to_move)
        try:
            board = board.push(parse_move(board, word))
        except ValueError as error:
            raise ValueError(f"move {place}: {error}") from None
        loser = adjudicator and adjudicator.update(side, score)
    if board.is_game_over():
        reason, loser = "normal", int(board.black_to_move)
    else:
        reason = "adjudication" if loser is not None else "a fault"
    if reason != (record["reason"] if record["reason"] in ("normal", "adjudication") else "a fault"):
        raise ValueError(f"'reason' is {record['reason']}, expected {reason}")
    if loser is not None and record["result"] != ("0-1", "1-0")[loser]:
        raise ValueError(f"'result' is {record['result']}, expected {('0-1', '1-0')[loser]}")


class Adjudicator:
    """Decides when a game is resigned.

    losing_streak, winning_streak   for each side, the number of its moves in a row with a losing or a winning score
    """

    def __init__(self, resign):
        self.resign, self.losing_streak, self.winning_streak = resign, [0, 0], [0, 0]

    def update(self, side, score):
        """Count a move of `side`; returns the side that has now lost, or None.

        score: the mover's score in centipawns, or a mate score such as "M4" or "-M4", or None if it is not known.
        """
        if isinstance(score, str):
            score = -self.resign.score if score.startswith("-") else self.resign.score
        self.losing_streak[side] = (
            self.losing_streak[side] + 1 if score is not None and score <= -self.resign.score else 0
        )
        self.winning_streak[side] = (
            self.winning_streak[side] + 1 if score is not None and score >= self.resign.score else 0
        )
        for loser in (side, 1 - side):
            agreed = not self.resign.twosided or self.winning_streak[1 - loser] >= self.resign.moves
            if agreed and self.losing_streak[loser] >= self.resign.moves:
                return loser
        return None
