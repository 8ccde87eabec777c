"""A CodinGame bot with the methods that the referee expects of a UCI engine.

Each game has its own process. At each turn the bot reads these lines: its opponent's last move, or `None` at the first move of
the game; the number of legal moves; and a line for each legal move. It answers with a line: a move, and possibly a message
after it.
"""

from pawnstorm.games.notation import move_text, parse_fen, parse_move
from pawnstorm_protocol.client.process import EngineProcess
from pawnstorm_protocol.client.pump import EngineFault, now_ns


class CodinGameBot(EngineProcess):
    """An EngineProcess that speaks CodinGame's protocol. Every line that the bot writes is an answer."""

    can_ponder = False

    def shake_hands(self):
        """Mark the bot as ready at once, because it says nothing before its first move."""
        self.uciok = True

    def new_game(self, opening=None, side=0, rules=None):
        """Set up the board for a game by the Rules `rules`. opening: the FEN of its first position. `side` is ignored."""
        self.board, self.plies = parse_fen(rules, opening), 0

    def go(self, position, words, ponder=False):
        """Tell the bot that it is to move; returns the time at which it was told.

        position: as in UCI. words: ignored, because bots get no limits.
        """
        moves = position.partition(" moves ")[2].split()
        for move in moves[self.plies :]:
            self.board = self.board.push(parse_move(self.board, move))
        self.plies = len(moves)
        legal = [move_text(self.board, move) for move in self.board.moves()]
        self.bestmove, self.info, self.searching = None, b"", True
        super().send(moves[-1] if moves else "None", str(len(legal)), *legal)
        return now_ns()

    def on_line(self, line, heard):
        """Process an answer. Empty lines are ignored."""
        words = line.decode("utf-8", "replace").split()
        if not words:
            return
        if not self.searching:
            raise EngineFault(self, "protocol", f"'{' '.join(words)[:40]}' when it was not to move")
        self.searching, self.bestmove, self.answered_at = False, ["bestmove", words[0]], heard

    def game_over(self, moves, winner):
        """End the bot, as CodinGame does."""
        self.kill()

    def quit(self):
        self.kill()

    # Commands of UCI for which CodinGame's protocol has no words.

    def send(self, *lines, timeout=0):
        """Do nothing."""

    def sync(self):
        """Do nothing."""

    def stop(self):
        """End a bot that is still thinking, because CodinGame's protocol has no `stop`."""
        if self.searching:
            self.kill()
