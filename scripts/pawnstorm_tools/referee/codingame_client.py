"""A bot of CodinGame's Breakthrough where the referee expects a UCI engine: it has the same methods.

A bot plays one game: its process is ended after it, and started again for the next one. Each turn it reads its opponent's
last move, `None` if it begins the game, the number of legal moves, and these moves, a line each. It answers with a line:
a move, after which a message may follow.
"""

from pawnstorm.games.notation import move_text, parse_fen, parse_move
from pawnstorm_protocol.client.process import EngineProcess
from pawnstorm_protocol.client.pump import EngineFault, now_ns


class CodinGameBot(EngineProcess):
    """An EngineProcess that speaks CodinGame's lines. Every line that it writes is an answer."""

    can_ponder = False

    def shake_hands(self):
        """Nothing: a bot says nothing before its first move."""
        self.uciok = True

    def new_game(self, opening=None, side=0, rules=None):
        """Prepare a game from the FEN of the opening by these Rules."""
        self.board, self.plies = parse_fen(rules, opening), 0

    def go(self, position, words, ponder=False):
        """Tell the bot that it is to move; returns when that was told. position: as in UCI; the limits are not told."""
        moves = position.partition(" moves ")[2].split()
        for move in moves[self.plies :]:
            self.board = self.board.push(parse_move(self.board, move))
        self.plies = len(moves)
        legal = [move_text(self.board, move) for move in self.board.moves()]
        self.bestmove, self.info, self.searching = None, b"", True
        super().send(moves[-1] if moves else "None", str(len(legal)), *legal)
        return now_ns()

    def on_line(self, line, heard):
        """Take in an answer. Empty lines are passed over."""
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

    # UCI, for which CodinGame has no words.

    def send(self, *lines, timeout=0):
        """Nothing."""

    def sync(self):
        """Nothing."""

    def stop(self):
        """A bot cannot be stopped: one that is still thinking is given up."""
        if self.searching:
            self.kill()
