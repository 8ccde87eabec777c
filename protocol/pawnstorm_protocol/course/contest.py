"""The games of two players: the server applies the rules, keeps the clocks and decides the results."""

from pawnstorm import pgn
from pawnstorm.games.notation import COLOURS, fen, loss_reason, move_text, parse_move
from pawnstorm.numbers import pluralize
from pawnstorm_protocol.client.info import parse_info
from pawnstorm_protocol.client.pump import MILLISECOND, SECOND, EngineFault, Stopped, now_ns, pump

TOURNAMENT_TIMEOUT = SECOND // 2
"""How long the server waits for an agent to ask for a tournament."""
MAX_GAMES = 10_000
FATAL_FAULTS = ("crash", "protocol", "hang", "start")
"""Faults after which no other game can follow, because the player has left or does not answer."""


class Contest:
    """One game, or a tournament with alternating colours. Each of the two players is an Agent or an Opponent.

    points   the number of games won by each player
    """

    def __init__(self, players, board, seconds, games, say, record=None, waker=None):
        """players: the first has White in the first game. board: the Board from which each game begins.

        seconds: each player's time for a game. games: the number of games, or 0 if the players may ask for a tournament.
        say(text) prints a line for people. record(text) takes the PGN of each game.
        """
        self._players, self._board, self._seconds, self._games = players, board, seconds, games
        self._say, self._record, self._waker = say, record, waker
        self.points = [0, 0]

    def play(self):
        """Play all games. The players have left when this returns. Raises Stopped."""
        reason = "the server has failed"
        try:
            for player in self._players:
                player.prepare(self._board, self._seconds)
            games = self._games or self._requested_games()
            for player in self._players if games else ():
                _without_fault(player.send_tournament_accepted, games)
            for number in range(1, (games or 1) + 1):
                if not self._game(number, bool(games)):
                    break
            reason = ""
        except EngineFault as fault:  # an engine that cannot be started
            reason = f"{fault.player.name}: {fault}"
            self._say(f"no game: {reason}")
            for player in self._players:
                if player is not fault.player:
                    _without_fault(player.opponent_left)
        except Stopped:
            reason = "the server was stopped"
            raise
        finally:
            for player in self._players:
                player.leave(reason)
            for player in self._players:
                player.close()
            if sum(self.points):
                self._say(" - ".join(f"{player.name} {points}" for player, points in zip(self._players, self.points)))

    def _requested_games(self):
        """Wait for an agent to ask for a tournament; returns the number of games, 0 for a single game.

        An agent that leaves during this wait loses the first game.
        """
        found = []

        def done():
            for player in self._players:
                found.extend(message.value for message, _ in player.inbox if message.kind == "tournament")
            return bool(found)

        _without_fault(pump, self._players, done, now_ns() + TOURNAMENT_TIMEOUT, self._waker)
        return min(found[0], MAX_GAMES) if found else 0

    def _game(self, number, called):
        """Play one game; returns whether another can follow. called: whether Reset calls the players to this game."""
        sides = self._players if number % 2 else self._players[::-1]
        moves, left, gone, fault = [], [round(self._seconds * SECOND)] * 2, [], None
        last = None
        try:
            for player in self._players if called else ():
                player.reset()
            board = self._run(sides, moves, left)
            loser, reason, detail = int(board.black_to_move), "normal", loss_reason(board)
            last = moves[-1][0] if moves else None
        except EngineFault as error:
            fault = error
            loser, reason, detail = (
                sides.index(fault.player),
                fault.kind,
                f"{COLOURS[sides.index(fault.player)]} {fault}",
            )
            gone += [fault.player] if fault.kind in FATAL_FAULTS else []
        winner = 1 - loser
        self.points[self._players.index(sides[winner])] += 1
        self._say(
            f"game {number}: {sides[0].name} - {sides[1].name}: {COLOURS[winner]} wins "
            f"after {pluralize(len(moves), 'ply')}: {detail}"
        )
        if self._record:
            self._record(self._pgn(number, sides, moves, winner, reason, f"{COLOURS[winner]} wins: {detail}"))
        try:
            if not fault and not _without_fault(sides[loser].await_resignation, last):
                gone.append(sides[loser])
        finally:  # also if the server was stopped during the wait
            for player in sides:
                if player not in gone and not _without_fault(
                    player.send_result, winner, player is sides[winner], len(moves), not fault
                ):
                    gone.append(player)
        if fault and fault.kind in FATAL_FAULTS:
            fault.player.leave(str(fault))
        return not gone

    def _run(self, sides, moves, left):
        """Play until the game is over on the board; returns the last Board. Updates moves and left after each move."""
        board, last, found = self._board, None, []
        for side, player in enumerate(sides):
            player.begin(side, side == board.black_to_move)

        def done():
            answer = mover.poll_move()
            found.extend([answer] if answer else [])
            if not found and other.has_resigned():
                raise EngineFault(other, "resign", "resigns")
            return bool(found)

        while not board.is_game_over():
            side = int(board.black_to_move)
            mover, other = sides[side], sides[1 - side]
            found.clear()
            sent_at = mover.request_move(board, last, left)
            if not pump(sides, done, sent_at + left[side], self._waker) or found[0][1] - sent_at > left[side]:
                raise EngineFault(mover, "time", f"has used up its {self._seconds:g} s")
            text, heard = found[0]
            if text == "exit":
                raise EngineFault(mover, "resign", "resigns")
            try:
                move = parse_move(board, text)
            except ValueError as error:
                _without_fault(mover.refuse, board, text)
                raise EngineFault(mover, "illegal", f"plays against the rules: {error}") from None
            last = move_text(board, move)
            taken = max(0, heard - sent_at)  # a move sent before it was asked for took no time
            left[side] -= taken
            moves.append([last, taken / MILLISECOND, left[side] / MILLISECOND, *parse_info(mover.info)])
            board = board.push(move)
        return board

    def _pgn(self, number, sides, moves, winner, reason, detail):
        rules, names = self._board.rules, [player.name for player in sides]
        tags = pgn.game_tags("Two Flags course", number, *names, rules.name, fen(self._board))
        record = {
            "result": ("1-0", "0-1")[winner],
            "reason": "normal" if reason == "resign" else reason,
            "detail": detail,
            "moves": moves,
        }
        return pgn.format_game(record, tags | {"TimeControl": f"{self._seconds:g}"}, rules)


def _without_fault(call, *arguments):
    """Call a function; returns whether it raised no EngineFault. For calls whose fault cannot change a result."""
    try:
        call(*arguments)
    except EngineFault:
        return False
    return True
