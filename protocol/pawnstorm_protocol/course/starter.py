"""A starter agent for the Two Flags course: `python starter.py [HOST [PORT [GAMES]]]`, GAMES for a tournament.

It plays random legal moves. Copy this file, which needs nothing but Python, and write a better choose().
"""

import random
import re
import socket
import sys

FAR = {"W": "8", "B": "1"}  # the rank on which a side's pawn wins


def choose(game):
    """The move to play, one of game.moves()."""
    return random.choice(game.moves())


class Game:
    """A position. pawns: "e2" -> "W" or "B"; side: whose turn it is; passed: the square that a pawn has just jumped over."""

    def __init__(self, setup):
        words = setup.split()[1:]
        self.pawns = {word[1:]: word[0] for word in words if len(word) == 3}
        self.side, self.passed = "B" if words[-1] == "BLACK" else "W", ""

    def moves(self):
        """All legal moves, such as "e2e4"; none if the side to move has lost."""
        up, home = (1, "2") if self.side == "W" else (-1, "7")
        found, lost = [], any(colour != self.side and FAR[colour] == at[1] for at, colour in self.pawns.items())
        for at in [] if lost else [at for at, colour in self.pawns.items() if colour == self.side]:
            ahead, beyond = (f"{at[0]}{int(at[1]) + steps * up}" for steps in (1, 2))
            if ahead not in self.pawns:
                found.append(at + ahead)
                if at[1] == home and beyond not in self.pawns:
                    found.append(at + beyond)
            for target in (chr(ord(at[0]) + aside) + ahead[1] for aside in (-1, 1)):
                if target == self.passed or self.pawns.get(target, self.side) != self.side:
                    found.append(at + target)
        return found

    def play(self, move):
        """Make a legal move of the side to move."""
        source, target = move[:2], move[2:4]
        if target == self.passed:
            del self.pawns[target[0] + source[1]]  # en passant
        self.pawns[target] = self.pawns.pop(source)
        middle = (int(source[1]) + int(target[1])) / 2
        self.passed = f"{source[0]}{middle:.0f}" if middle.is_integer() else ""
        self.side = "B" if self.side == "W" else "W"


def main(host="localhost", port="9999", games="", *others):
    if others:
        sys.exit(f"starter.py: {others[0]!r}: expected nothing after HOST PORT GAMES")
    for word, what in ((port, "port"), (games or "1", "number of games")):
        if not re.fullmatch("[1-9][0-9]{0,4}", word) or int(word) > 65535:
            sys.exit(f"starter.py: {word!r} is not a valid {what}: expected a whole number from 1 to 65535")
    with socket.create_connection((host, int(port))) as server, server.makefile(encoding="ascii") as lines:

        def say(text):
            server.sendall(f"{text}\n".encode())

        def answer():
            move = choose(game) if game.moves() else "exit"  # exit: I have lost
            if move != "exit":
                game.play(move)
            say(move)

        setup = game = None
        say("OK")
        for line in map(str.strip, lines):
            if line.startswith("Setup "):
                setup, game = line, Game(line)
                say("OK")
            elif line.startswith("Time "):  # the minutes for a game; random moves do not need them
                say(f"OK\nTOURNAMENT {games}" if games else "OK")
            elif line == "Reset":  # the next game of a tournament
                game = Game(setup)
                say("Ready")
            elif line == "Begin":
                answer()
            elif re.fullmatch("[a-h][1-8][a-h][1-8]q?", line):
                game.play(line)
                answer()
            else:
                print(line, flush=True)  # GameOver, the reason why a move was illegal, and all other messages


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (OSError, UnicodeError) as error:  # UnicodeError: the host cannot be a name
        sys.exit(f"starter.py: {getattr(error, 'strerror', '') or error}: expected a server that listens at HOST PORT")
