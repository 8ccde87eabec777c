"""A UGI engine, written from the protocol's description alone: `python ugi_engine.py MODE GAME`.

It follows the game by the slow rules of naive.py, and ends with status 9 if it hears anything that UGI does not have. It
plays at random, and misbehaves as MODE asks: good, hang, late (1.3 s), crash, illegal (each at its second `go`), silent
(never says ugiok). Mode uci is a UCI engine.
"""

import random
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "scripts"))

from pawnstorm_tools.checking import naive

CLOCKS = ("p1time", "p2time", "p1inc", "p2inc")
NUMBERS = ("movetime", "depth", "nodes")


def say(text):
    print(text, flush=True)


def fail(text):
    print(text, file=sys.stderr)
    sys.exit(9)


class Engine:
    def __init__(self, mode, game):
        self.mode, self.game, self.position, self.searches = mode, game, None, 0
        self.random, self.greeted = random.Random(7), False

    def hear(self, line):
        words = line.split()
        if not self.greeted and words != ["ugi"]:
            fail(f"'{line}' before ugi")
        match words:
            case ["ugi"]:
                self.greeted = True
                if self.mode != "silent":
                    say("id name Random\nid author Nobody\noption name hash type spin default 1 min 1 max 8\nugiok")
            case ["isready"]:
                say("readyok")
            case ["uginewgame"]:
                self.position = None
            case ["setoption", "name", "hash", "value", number] if number.isdigit():
                pass
            case ["position", "startpos", *rest]:
                self.set_up(naive.start(self.game), rest)
            case ["position", "fen", *rest]:
                cut = rest.index("moves") if "moves" in rest else len(rest)
                self.set_up(naive.parse_fen(self.game, " ".join(rest[:cut])), rest[cut:])
            case ["go", *limits]:
                self.go(limits)
            case ["stop"]:
                pass
            case ["quit"]:
                sys.exit()
            case _:
                fail(f"no word of UGI: {line}")

    def set_up(self, position, words):
        if words and words[0] != "moves":
            fail(f"no moves: {words}")
        for move in words[1:]:
            if move not in naive.moves(position):
                fail(f"illegal: {move}")
            position = naive.play(position, move)
        self.position = position

    def go(self, limits):
        names, numbers = limits[::2], limits[1::2]
        own = "p1time" if self.position.side == "w" else "p2time"
        fits = set(names) <= {*CLOCKS, *NUMBERS} and len(names) == len(numbers) and all(map(str.isdigit, numbers))
        if not fits or not {own, *NUMBERS} & set(names):
            fail(f"limits: {limits}")
        self.searches += 1
        move = self.random.choice(naive.moves(self.position))
        match self.mode, self.searches:
            case ("late", 2):
                time.sleep(1.3)
            case ("hang", 2):
                while True:
                    time.sleep(1)
            case ("crash", 2):
                print("something broke", file=sys.stderr)
                sys.exit(3)
            case ("illegal", 2):
                move = move[2:] + move[:2]
        say(f"info depth 1 score cp 17 nodes 5 pv {move}")
        say(f"bestmove {move}")


if __name__ == "__main__":
    engine = Engine(sys.argv[1], naive.GAMES[sys.argv[2]])
    for line in sys.stdin:
        engine.hear(line.rstrip("\n"))
