"""A minimal agent of the Two Flags course, written from the description of its protocol alone: `python course_agent.py
PORT [WORDS]`.

It shares nothing with the project but the slow rules of naive.py. It plays en passant wherever it can, otherwise at
random, and prints `won W 34` or `lost B 17` for each game: its colour and the plies. Words:

tournament=N    asks for so many games              seed=N      of its random moves
moves=a2a4,...  plays these first                   ghost       en passant leaves the pawn where it is
crlf, bare      ends its lines so, or not at all    suffix      says e7e8q on the last rank
mute=N          never makes its N-th move           resign=N    gives up at its N-th move
late            says exit after the games that it has won too, as some do
forfeit         gives up right after its first move, while the other one thinks
eager           answers the Setup before it has come
info            says before each move how deep it searched, and once more after it
company         brings strangers along: one that is silent, one that talks nonsense, and later one that says OK
"""

import functools
import random
import socket
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "scripts"))

from pawnstorm_tools.checking import naive


class Agent:
    def __init__(self, port, words):
        self.words = dict(word.partition("=")[::2] for word in words)
        self.end = b"\r\n" if "crlf" in self.words else b"" if "bare" in self.words else b"\n"
        self.random = random.Random(int(self.words.get("seed", 1)))
        self.strangers, self.connect = [], functools.partial(socket.create_connection, ("127.0.0.1", port), timeout=60)
        for said in (b"", b"hello\n") if "company" in self.words else ():
            self.bring(said)
        self.socket = self.connect()
        self.lines = self.socket.makefile("r", encoding="ascii", newline="\n")
        self.games, self.reports = 0, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for connection in (self.lines, self.socket, *self.strangers):
            connection.close()

    def bring(self, said):
        self.strangers.append(self.connect())
        self.strangers[-1].sendall(said)

    def say(self, text):
        self.socket.sendall(text.encode() + self.end)

    def hear(self):
        line = self.lines.readline()
        if not line:
            sys.exit(0 if self.games else 1)
        return line.strip()

    def run(self):
        self.socket.sendall(b"OK\nOK") if "eager" in self.words else self.say("OK")
        word, *pawns = self.hear().split()
        assert word == "Setup", word
        if "company" in self.words:
            self.bring(b"OK\n")
        side = "b" if pawns[-1] == "BLACK" else "w"
        self.start = self.position([pawn for pawn in pawns if len(pawn) == 3], side)
        if "eager" not in self.words:
            self.say("OK")
        word, minutes = self.hear().split()
        assert word == "Time" and float(minutes) > 0, (word, minutes)
        self.say("OK")
        games = int(self.words.get("tournament", 0))
        if games:
            self.say(f"TOURNAMENT {games}")
            assert self.hear() == f"TournamentAccepted {games}"
        while self.games < max(1, games):
            if games:
                assert self.hear() == "Reset"
                self.say("Ready")
            self.play()
            self.games += 1

    def position(self, pawns, side):
        board = [["."] * 8 for _ in range(8)]
        for pawn in pawns:
            file, rank = naive.coordinates(pawn[1:])
            board[rank][file] = {"W": "P", "B": "p"}[pawn[0]]
        return naive.Position(naive.GAMES["twoflags8x8"], tuple(map("".join, board)), side)

    def play(self):
        self.position_now, self.plies, self.own = self.start, 0, 0
        line = self.hear()
        mine = self.start.side
        if line == "Begin":
            self.move()
        elif line != "exit":
            mine = naive.OTHER[mine]
            self.push(line)
            self.answer()
        while True:
            line = self.hear()
            if line.startswith("GameOver"):
                return self.report(line.split()[1][0] == mine.upper(), mine)
            if line == "exit":
                continue
            self.push(line)
            self.answer()

    def report(self, won, mine):
        if won and "late" in self.words:
            self.say("exit")
        self.reports.append(f"{'won' if won else 'lost'} {mine.upper()} {self.plies}")
        print(self.reports[-1], flush=True)

    def answer(self):
        """Move, or admit that the game is lost."""
        if naive.over(self.position_now):
            self.say("exit")
        else:
            self.move()

    def move(self):
        self.own += 1
        if self.own == int(self.words.get("resign", 0)):
            return self.say("exit")
        if self.own == int(self.words.get("mute", 0)):
            return
        moves = naive.moves(self.position_now)
        script = self.words.get("moves", "").split(",")
        if self.own <= len(script) and script[self.own - 1] in moves:
            move = script[self.own - 1]
        else:
            passing = [move for move in moves if move.endswith(self.position_now.ep)]
            move = self.random.choice(passing or moves)
        self.push(move)
        if "info" in self.words:
            self.say(f"info depth {2 + self.own} nodes {100 * self.own}")
        self.say(move + ("q" if "suffix" in self.words and move[3] in "18" else ""))
        if "info" in self.words:
            self.say("info depth 99")
        if "forfeit" in self.words and self.own == 1:
            self.say("exit")

    def push(self, move):
        before, self.plies = self.position_now, self.plies + 1
        assert move[:4] in naive.moves(before), (move, naive.fen(before))
        after = naive.play(before, move)
        if "ghost" in self.words and move[2:4] == before.ep:
            file, rank = naive.coordinates(move[2:4])[0], naive.coordinates(move[:2])[1]
            row = after.board[rank]
            row = row[:file] + naive.PAWN[after.side] + row[file + 1 :]
            after = after._replace(board=(*after.board[:rank], row, *after.board[rank + 1 :]))
            after = naive.with_ep(after, "-")
        self.position_now = after


if __name__ == "__main__":
    Agent(int(sys.argv[1]), sys.argv[2:]).run()
