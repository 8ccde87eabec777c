"""A bot of CodinGame's Breakthrough, written from CodinGame's statement alone: `python codingame_bot.py MODE [GAME]`.

It follows the game by the slow rules of naive.py, and ends with status 9 if the referee writes anything that does not fit
them. It plays at random, and misbehaves as MODE asks:

good      nothing wrong             message   says something after each move
crlf      ends its lines so         blank     writes an empty line before each move, and one after it
late1     takes 1.3 s for its first move                  late2     for its second
illegal   its second move is one of its opponent's      garbage   is no text
info      is a line of UCI                              case      in capitals
none      is the word None                              twice     is written two times
hang      never comes                                   flood     has no end
crash     ends with status 3 before it                  gone      closes its output instead
early     writes a move before it is asked for one
"""

import os
import random
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "scripts"))

from pawnstorm_tools.checking import naive


def fail(text):
    print(text, file=sys.stderr)
    sys.exit(9)


def write(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def hear():
    line = sys.stdin.readline()
    if not line:
        sys.exit(0)
    if not line.endswith("\n") or line.strip() + "\n" != line:
        fail(f"not a clean line: {line!r}")
    return line.strip()


class Bot:
    def __init__(self, mode, game):
        self.mode, self.position, self.turns, self.random = mode, naive.start(game), 0, random.Random(mode)

    def turn(self):
        last = hear()
        if last == "None":
            if self.turns:
                fail("None in the middle of a game")
        elif last not in naive.moves(self.position):
            fail(f"illegal: {last}")
        else:
            self.position = naive.play(self.position, last)
        listed = [hear() for _ in range(int(hear()))]
        legal = naive.moves(self.position)
        if sorted(listed) != sorted(legal) or not legal:
            fail(f"listed {listed}, legal {legal}")
        self.turns += 1
        return self.random.choice(legal)

    def answer(self, move):
        match self.mode, self.turns:
            case ("late1", 1) | ("late2", 2):
                time.sleep(1.3)
            case ("illegal", 2):
                move = naive.moves(self.position._replace(side=naive.OTHER[self.position.side]))[0]
            case ("garbage", 2):
                return b"\xff\xfe\x00" * 1000 + b"\n"
            case ("info", 2):
                return b"info depth 1 score cp 5 pv a2a3\n"
            case ("case", 2):
                return move.upper().encode() + b"\n"
            case ("none", 2):
                return b"None\n"
            case ("twice", 2):
                return f"{move}\n{move}\n".encode()
            case ("hang", 2):
                while True:
                    time.sleep(1)
            case ("flood", 2):
                while True:
                    write(b"a" * 100_000)
            case ("crash", 2):
                print("something broke", file=sys.stderr)
                sys.exit(3)
            case ("gone", 2):
                os.close(1)
                time.sleep(100)
            case ("message", _):
                return f"{move} I play {move}, score cp -500\n".encode()
            case ("crlf", _):
                return f"{move}\r\n".encode()
            case ("blank", _):
                return f"\n{move}\n\n".encode()
        return move.encode() + b"\n"

    def run(self):
        if self.mode == "early":
            write(b"a2a3\n")
        while True:
            move = self.turn()
            write(self.answer(move))
            self.position = naive.play(self.position, move)


if __name__ == "__main__":
    name = sys.argv[2] if len(sys.argv) > 2 else "breakthrough8x8"
    Bot(sys.argv[1], naive.GAMES[name]).run()
