"""The course's client without a socket: what it says to the lines that it hears."""

from pawnstorm.games.notation import parse_move
from pawnstorm.games.rules import get_rules
from pawnstorm_protocol.course.client import Client
from pawnstorm_protocol.course.messages import parse

START = get_rules("twoflags").start_fen
SETUP = "Setup " + " ".join(f"W{file}2" for file in "abcdefgh") + " " + " ".join(f"B{file}7" for file in "abcdefgh")


class Talk:
    """A Client, what it has said, and a mover that plays its first legal move."""

    def __init__(self, *arguments, **keywords):
        self.said, self.notes = [], []
        self.client = Client(self.said.append, self.notes.append, *arguments, **keywords)

    def hear(self, *lines):
        """What the client says to these lines."""
        self.said.clear()
        for line in lines:
            found = parse(line)
            for message in found:
                self.client.on_message(message)
        return list(self.said)

    def move(self, text=None):
        """Have it move; what it says."""
        self.said.clear()
        board = self.client.board_to_move()
        self.client.move(parse_move(board, text) if text else board.moves()[0], 1.0)
        return list(self.said)
