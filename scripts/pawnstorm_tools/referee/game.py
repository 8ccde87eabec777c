"""Plays one game between two players: keeps the clocks, checks the moves, and decides the end by the rules or by a fault."""

import contextlib

from pawnstorm.games.notation import COLOURS, IllegalMove, loss_reason, move_text, parse_fen, parse_move
from pawnstorm_protocol.client.info import parse_info
from pawnstorm_protocol.client.process import STOP_TIMEOUT
from pawnstorm_protocol.client.pump import EngineFault, pump
from pawnstorm_tools.referee.clock import MILLISECOND, SECOND, Clock, go_words, now_ns
from pawnstorm_tools.referee.game_record import Adjudicator


class Game:
    """A game in progress; play() returns its record, a dict of plain values:

    result      "1-0" or "0-1" (there are no draws)
    reason      "normal", "adjudication", or the kind of the loser's fault (EngineFault.KINDS)
    detail      how the game ended, in words
    moves       for each move, the list that pgn.format_game() takes. Score, depth, nodes and search time are what the
                engine reports, including its pondering
    lags        microseconds from reading one engine's bestmove until the other engine's go or ponderhit was sent. After a
                wrong guess, they include the time that the other engine takes to stop pondering
    """

    def __init__(self, rules, opening, players, waker=None, resign=None):
        """players: (white, black); opening: a FEN; resign: a Resign or None. The players' engines need not run yet."""
        self.rules, self.opening, self.players, self.waker = rules, opening, players, waker
        self.clocks = [Clock(player.settings.time_control) for player in players]
        self.position = "position startpos" if opening == rules.start_fen else f"position fen {opening}"
        self.moves, self.lags = [], []
        self.adjudicator = resign and Adjudicator(resign)

    def play(self):
        """Play the game to its end; returns its record. Raises Stopped, and EngineError as Player.new_game() does."""
        try:
            for side, player in enumerate(self.players):
                player.new_game(self.opening, side, self.rules)
            loser, reason, detail = self.run()
        except EngineFault as fault:
            loser, reason, detail = int(fault.player is not self.players[0].engine), fault.kind, str(fault)
            detail = f"{COLOURS[loser]} loses: {detail}"
            if fault.kind != "resign":
                fault.player.kill()
        for player in self.players:
            player.engine.game_over([move[0] for move in self.moves], 1 - loser)
        self.stop_engines()
        return {
            "result": ("0-1", "1-0")[loser],
            "reason": reason,
            "detail": detail,
            "moves": [[*move, *parse_info(info)] for *move, info in self.moves],
            "lags": self.lags,
        }

    def run(self):
        """Play until the rules or the adjudication end the game; returns (loser, reason, detail)."""
        board = parse_fen(self.rules, self.opening)
        side = int(board.black_to_move)
        engines = [player.engine for player in self.players]
        ponder_moves = [None, None]  # the move that each engine ponders on
        played, reply, answered = None, None, 0
        while not board.is_game_over():
            engine, opponent = engines[side], engines[1 - side]
            if engine.searching and ponder_moves[side] == played:
                sent_at = engine.ponderhit()
            else:
                engine.stop()
                sent_at = engine.go(self.position_command(), self.go_words(side))
            if answered:
                self.lags.append((sent_at - answered) // 1000)
            if reply is not None:
                ponder_moves[1 - side] = self.start_pondering(board, reply, 1 - side)
            words = self.wait_for_move(engine, opponent, side, sent_at)
            answered = engine.answered_at
            try:
                move = parse_move(board, words[1] if len(words) > 1 else "")
            except ValueError as error:
                with contextlib.suppress(EngineFault):  # the engine may have ended
                    engine.refuse(board, "".join(words[1:2]))
                raise EngineFault(
                    engine, "illegal", str(error) if isinstance(error, IllegalMove) else f"illegal move: {error}"
                ) from None
            played = move_text(board, move)
            clock = self.clocks[side]
            clock.spend(answered - sent_at)
            self.moves.append(
                [
                    played,
                    (answered - sent_at) / MILLISECOND,
                    None if clock.left is None else clock.left / MILLISECOND,
                    engine.info,
                ]
            )
            board = board.push(move)
            loser = self.adjudicate(side)
            if loser is not None and not board.is_game_over():
                return loser, "adjudication", f"{COLOURS[loser]} resigns: {self.adjudicator.resign}"
            reply = words[3] if self.players[side].ponders and len(words) > 3 and words[2] == "ponder" else None
            side = 1 - side
        return side, "normal", f"{COLOURS[1 - side]} wins: {loss_reason(board)}"

    def adjudicate(self, side):
        """The side that counts as having resigned after the move that `side` has just made, or None."""
        return self.adjudicator and self.adjudicator.update(side, parse_info(self.moves[-1][-1])[0])

    def position_command(self, *more):
        """The `position` command for the game so far and some more moves."""
        moves = [move[0] for move in self.moves] + list(more)
        return self.position + " moves " + " ".join(moves) if moves else self.position

    def go_words(self, side):
        return go_words(*self.clocks, self.clocks[side])

    def start_pondering(self, board, reply, side):
        """Let the engine that has just moved ponder on the reply that it expects.

        Returns the reply, or None if the reply is illegal or ends the game; then the engine does not ponder.
        """
        try:
            guess = parse_move(board, reply)
        except ValueError:
            return None
        if board.push(guess).is_game_over():
            return None
        guess = move_text(board, guess)
        self.players[side].engine.go(self.position_command(guess), self.go_words(side), ponder=True)
        return guess

    def wait_for_move(self, engine, opponent, side, sent_at):
        """Wait for an engine's move; returns the words of its `bestmove`. Raises EngineFault if the move comes late or never.

        sent_at: when the engine was sent `go` or `ponderhit`, in nanoseconds.
        """
        allowed = self.clocks[side].allowed()
        if pump((engine, opponent), lambda: engine.bestmove is not None, sent_at + allowed, self.waker):
            over = engine.answered_at - sent_at - allowed
            if over <= 0:
                return engine.bestmove
        else:
            # The game is lost already. An engine that answers `stop` was late; one that does not answer hangs.
            engine.send("stop")
            if not pump((engine,), lambda: engine.bestmove is not None, now_ns() + STOP_TIMEOUT, self.waker):
                raise EngineFault(engine, "hang", f"no move within {allowed / SECOND:.3f} s, nor after stop")
            over = engine.answered_at - sent_at - allowed
        margin = self.clocks[side].time_control.margin // MILLISECOND
        raise EngineFault(engine, "time", f"time loss, {over / SECOND:.3f} s over (timemargin={margin})")

    def stop_engines(self):
        """Stop engines that still think, so that they are idle when the next game begins. A fault cannot change the result."""
        for player in self.players:
            if player.engine.process is not None:
                try:
                    player.engine.stop()
                except EngineFault:
                    player.engine.kill()
