"""Positions by the slow rules of naive.py, and what the output of a search may say about them.

audit() holds a search to points 18 to 22 of those that the files test_uci_*.py number.
"""

import re
from typing import NamedTuple

from pawnstorm_tools.checking import naive

TWOFLAGS = "8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 1"
BREAKTHROUGH = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1"
# A seed's example: f6f5 wins (mate 3), h6h5 loses (mate -3); with White to move f4f5 is mate 2 and g4g5 mate -2.
SEED = "8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1"
SEED_WHITE = SEED.replace(" b ", " w ")
ONE_MOVE = "8/7p/8/p7/P7/7P/8/8 w - - 0 1"  # only h3h4
FINISHED = [
    ("twoflags", "8/8/8/p7/P7/8/8/8 w - - 0 1"),  # no move
    ("twoflags", "4P3/8/8/p7/8/8/8/8 b - - 0 1"),  # the opponent is home
    ("twoflags", "8/8/8/8/8/4p3/8/8 w - - 0 1"),  # no pawn
    ("pawnsonly", "8/8/8/8/P7/8/8/1p6 w - - 0 1"),
    ("breakthrough", "pppppppp/pppppppp/8/8/8/8/PPPP1PPP/PPPpPPPP w - - 0 1"),
    ("hexapawn", "P1p/3/3 b - - 0 1"),
]
MOVE = "[a-h][1-8][a-h][1-8]q?"


class Root(NamedTuple):
    """A position of a game that the engine knows by name; moves are texts as the engine prints them."""

    game: str
    position: naive.Position

    def moves(self):
        return [self.spell(move) for move in naive.moves(self.position)]

    def spell(self, move):
        """The move with the letter that this game prints on the far rank."""
        wins = self.game == "pawnsonly" and move[3] == ("8" if self.position.side == "w" else "1")
        return move + "q" * wins

    def play(self, move):
        return Root(self.game, naive.play(self.position, move))

    def over(self):
        return naive.over(self.position)

    def fen(self):
        return naive.fen(self.position) + " 0 1"


def naive_game(name):
    """The plain rules behind a name of UCI_Variant."""
    name = {"pawnsonly": "twoflags", "minibreakthrough": "breakthrough5"}.get(name, name)
    family, width, height = re.fullmatch(r"([a-z]+?)(\d*)(?:x(\d+))?", name).groups()
    sizes = [int(width), int(height or width)] if width else []
    return {"twoflags": naive.twoflags, "breakthrough": naive.breakthrough, "hexapawn": naive.hexapawn}[family](*sizes)


def root(game="twoflags", fen=None, moves=""):
    rules = naive_game(game)
    position = naive.parse_fen(rules, fen) if fen else naive.start(rules)
    for move in moves.split():
        assert move in Root(game, position).moves(), move
        position = naive.play(position, move)
    return Root(game, position)


NUMBERS = {"depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "time"}


def parse_info(line):
    """The fields of an info line by name; fails on any that the engine does not print, and on numbers not whole.

    score is (kind, value, bound), bound being "lowerbound", "upperbound" or "".
    """
    info = {}
    words = line.split(" ")[1:]
    while words:
        field = words.pop(0)
        assert field not in info, line
        if field == "string":
            info[field], words = " ".join(words), []
        elif field == "pv":
            info[field], words = words, []
        elif field == "score":
            kind, value = words.pop(0), int(words.pop(0))
            bound = words.pop(0) if words and words[0] in ("lowerbound", "upperbound") else ""
            assert kind in ("cp", "mate"), line
            info[field] = kind, value, bound
        elif field == "wdl":
            info[field] = [int(words.pop(0)) for _ in range(3)]
            assert sum(info[field]) == 1000 and min(info[field]) >= 0, line
        else:
            assert field in NUMBERS, line
            info[field] = int(words.pop(0))
    return info


class Search(NamedTuple):
    """What one search said: infos with a score, its bestmove, and the last score of the first line as (kind, value)."""

    infos: list
    best: str
    score: tuple


def audit(where, lines):
    """Check a search's output, up to its bestmove, against points 18 to 22; the Search."""
    *before, answer = lines
    infos = [parse_info(line) for line in before if line.startswith("info ")]
    assert [line for line in before if not line.startswith("info ") and line != "readyok"] == []
    scored = [info for info in infos if "score" in info]
    assert scored, "no info line with a score"
    first = [info for info in scored if info.get("multipv", 1) == 1]
    if where.over():
        assert answer == "bestmove (none)"
        assert scored[-1]["depth"] == 0 and scored[-1]["score"] == ("mate", 0, "")
        return Search(scored, "(none)", ("mate", 0))
    match = re.fullmatch(f"bestmove ({MOVE})(?: ponder ({MOVE}))?", answer)
    assert match, answer
    best, ponder = match.groups()
    assert best in where.moves(), f"illegal {answer}"
    assert ponder is None or ponder in where.play(best).moves(), f"illegal {answer}"
    for field in "depth", "time", "nodes":
        values = [info[field] for info in scored if field in info]
        assert values == sorted(values), f"{field} goes backwards: {values}"
    assert first[0]["score"][2] == "", "the first finished depth is a bound"
    for info in scored:
        check_line(where, info)
    assert [info["pv"][0] for info in first if "pv" in info][-1:] == [best]
    return Search(scored, best, first[-1]["score"][:2])


def check_line(where, info):
    """The line is legal, a mate's reaches the end of the game within as many moves as its score says, and none looks
    like a draw.
    """
    line = info.get("pv", [])
    kind, value, bound = info["score"]
    at = where
    for move in line:
        assert move in at.moves(), f"illegal {move} in {info}"
        at = at.play(move)
    assert (kind, value, len(line)) != ("cp", 0, 1), f"variantfishtest reads a draw in {info}"
    assert (kind, value) != ("mate", 0), f"mate 0 in a game that goes on: {info}"
    if kind == "mate" and not bound:
        assert len(line) <= (2 * value - 1 if value > 0 else -2 * value), f"longer than its score: {info}"
        assert at.over(), f"not to the end of the game: {info}"
