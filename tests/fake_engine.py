"""A UCI engine that plays the first legal move, and misbehaves as its first argument asks: `python fake_engine.py MODE
[LOG]`.

With LOG, every line that it receives is appended to that file. Modes:

good        nothing wrong                       ponder      and names the reply it expects, rightly if the opponent is
            fake too
shy         ponder, but offers no such option
miss        ponder, but expects another reply   early       ponder, and answers a ponder search by itself
hang        never answers go or stop            late        answers go after 0.4 s, stopped or not
crash       exits with status 3 on its second go            dies        exits after uciok
gone        closes its output on go             illegal     plays a1a1       none    plays (none)      empty   an empty
            bestmove
garbage     binary noise and a line of 3 MB before each legal move          nonsense    a bestmove that is no text
flood       info lines without end instead of a move        stderr      1 MB on stderr before each move
twice       every bestmove two times            afterwards  a second bestmove some time after the first
silent      never answers uci
chess       offers no other variant, ignores unknown ones   wrong       says that it set another variant
plain       has no options at all               stillborn   is killed before its uciok
unborn      is killed so, but only once; LOG.died remembers
mortal      dies at its second ucinewgame and at each start after that; LOG.died remembers
clumsy      plays a1a1 in every third game      gloomy      says -9.00 of every move, and -M3 of its third; then talks
"""

import os
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "scripts"))

from pawnstorm_tools.checking import naive

SIZES = {
    "twoflags": "twoflags8x8",
    "pawnsonly": "twoflags8x8",
    "breakthrough": "breakthrough8x8",
    "hexapawn": "hexapawn3x3",
    "breakthrough5": "breakthrough5x5",
}


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def noise(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def sleep_for_ever():
    while True:
        time.sleep(1)


class Fake:
    """One conversation: hear() takes one line."""

    def __init__(self, mode, log):
        self.mode, self.log = mode, log
        self.game, self.position, self.searches = naive.GAMES["twoflags8x8"], None, 0
        self.games = 0
        self.awaited = None  # the words of the bestmove that a ponder search holds back

    def hear(self, line):
        if self.log:
            with open(self.log, "a", encoding="utf-8") as file:
                file.write(line + "\n")
        match line.split():
            case ["uci"] if self.mode != "silent":
                self.introduce()
            case ["isready"]:
                say("readyok")
            case ["setoption", "name", "UCI_Variant", "value", name]:
                self.set_variant(name)
            case ["ucinewgame"]:
                self.games += 1
                if self.mode == "mortal" and self.games == 2:
                    self.die_once()
            case ["position", *words]:
                self.set_position(words)
            case ["go", *words]:
                self.go("ponder" in words)
            case ["stop" | "ponderhit"] if self.awaited:
                say(self.awaited)
                self.awaited = None
            case ["quit"]:
                sys.exit()

    def die_once(self):
        """Be killed, unless LOG.died says that this has happened before."""
        if not os.path.exists(self.log + ".died"):
            open(self.log + ".died", "x").close()
            os.kill(os.getpid(), 9)

    def introduce(self):
        if self.mode == "unborn":
            self.die_once()
        elif self.mode == "stillborn" or self.mode == "mortal" and os.path.exists(self.log + ".died"):
            os.kill(os.getpid(), 9)
        say(f"id name Fake {self.mode}")
        if self.mode != "plain":
            say("option name Hash type spin default 1 min 1 max 64")
            if self.mode != "shy":
                say("option name Ponder type check default false")
            names = ["chess"] if self.mode == "chess" else SIZES
            say("option name UCI_Variant type combo default chess " + " ".join(f"var {name}" for name in names))
        say("uciok")
        if self.mode == "dies":
            sys.exit(1)

    def set_variant(self, name):
        if self.mode == "chess":
            return
        self.game = naive.GAMES[SIZES.get(name, name)]
        start = naive.fen(naive.start(self.game))
        shown = "chess" if self.mode == "wrong" else name
        say(
            f"info string variant {shown} files {self.game.files} ranks {self.game.ranks} pocket 0 template fairy startpos {start} 0 1"
        )

    def set_position(self, words):
        cut = words.index("moves") if "moves" in words else len(words)
        self.position = (
            naive.start(self.game) if words[0] == "startpos" else naive.parse_fen(self.game, " ".join(words[1:cut]))
        )
        for move in words[cut + 1 :]:
            self.position = naive.play(self.position, move)

    def go(self, pondering):
        self.searches += 1
        move = naive.moves(self.position)[0]
        answer = f"bestmove {move}"
        if self.mode in ("ponder", "shy", "miss", "early"):
            replies = naive.moves(naive.play(self.position, move))
            if replies:
                answer += f" ponder {replies[-1 if self.mode == 'miss' else 0]}"
        score = "cp 12" if self.mode != "gloomy" else "mate -3" if self.searches % 3 == 0 else "cp -900"
        say(f"info depth 3 score {score} nodes 100 time 5 pv {move}")
        if self.mode == "gloomy":
            say("info string the score is cp 12, score is what counts")
        match self.mode:
            case "hang":
                sleep_for_ever()
            case "late":
                time.sleep(0.4)
            case "crash" if self.searches == 2:
                print("something broke", file=sys.stderr)
                sys.exit(3)
            case "gone":
                os.close(1)
                sleep_for_ever()
            case "illegal" | "clumsy" if self.mode == "illegal" or self.games % 3 == 0:
                answer = "bestmove a1a1"
            case "none":
                answer = "bestmove (none)"
            case "empty":
                answer = "bestmove"
            case "garbage":
                noise(bytes(range(256)) * 4 + b"\n\r\n \n" + b"\xff" * 3_000_000 + b"\n")
            case "nonsense":
                noise(b"bestmove \xff\xfe\x00\n")
                return
            case "flood":
                while True:
                    noise(b"info depth 1 score cp 0 nodes 1 pv a2a3\n" * 1000)
            case "stderr":
                print("x" * 1_000_000, file=sys.stderr, flush=True)
            case "twice":
                noise(f"{answer}\n{answer}\n".encode())
                return
            case "afterwards":
                say(answer)
                time.sleep(0.02)
        if pondering and self.mode != "early":
            self.awaited = answer
        else:
            say(answer)


if __name__ == "__main__":
    fake = Fake(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None)
    for line in sys.stdin:
        fake.hear(line.rstrip("\n"))
