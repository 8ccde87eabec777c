"""A match on this machine. Each worker, a thread with engines of its own, plays one game at a time."""

import queue
import threading
from datetime import datetime

from pawnstorm.system import clock, signals
from pawnstorm.system.threads import start_all
from pawnstorm_protocol.client.debuglog import DebugLog
from pawnstorm_protocol.client.process import EngineError, EngineFault
from pawnstorm_protocol.client.pump import MILLISECOND, Stopped, now_ns, pump
from pawnstorm_protocol.system.polling import Waker
from pawnstorm_protocol.system.terminal import escaped
from pawnstorm_tools.referee.agent_keys import clock_warning, rules_between
from pawnstorm_tools.referee.game import Game
from pawnstorm_tools.referee.player import Player


class LocalMatch:
    """Plays pairings with `concurrency` games at a time.

    Each worker keeps the engines of its last game for the next one. It ends the engines that do not play in the next game,
    because an idle engine could still take processor time from the playing ones.
    """

    def __init__(self, settings, log=None, number=1):
        """log: a DebugLog to use instead of the one that settings.debug names. number: the first worker's number in the log.

        Raises OSError.
        """
        self.settings = settings
        self.log = log or (DebugLog(settings.debug) if settings.debug else None)
        self.waker = Waker()  # woken when the match must stop; it ends every wait of every worker
        self.first_players = self.new_players(number)
        self.names = None

    def new_players(self, worker):
        return [
            Player(
                engine,
                self.settings.rules,
                self.waker,
                self.log and self.log.writer(f"{engine.name or index + 1}.{worker}"),
            )
            for index, engine in enumerate(self.settings.engines)
        ]

    def check_engines(self):
        """Start each engine once and set .names to the engines' names; returns warnings. Raises EngineError.

        An engine that never answers `uci` is an error. An engine that answers and dies later takes part in the match. An option
        that an engine lacks is an error, with two exceptions: another engine is given this option too and has it, as with
        -each; or the engine announces no options at all. In these cases there is a warning, and the option is not sent.
        """
        warnings, names = [], []
        for player in self.first_players:
            try:
                player.start()
                said = [f" has no option '{name}'" for name in player.unknown_options]
                said += [f": {note}" for note in player.notes]
                if player.settings.agent and (note := clock_warning(player.settings)):
                    said.append(f": {note}")
                if player.settings.proto == "codingame":
                    if self.settings.rules.name != "breakthrough":
                        said.append(f": CodinGame has breakthrough alone, and this is {self.settings.rules.name}")
                elif "uci_variant" not in player.engine.options and player.settings.proto != "course":
                    said.append(f" has no option UCI_Variant: it is taken to play {self.settings.rules.name}")
            except EngineFault as error:
                player.engine.kill()
                if not player.engine.uciok:
                    raise EngineError(str(error)) from None
                said = [f": {error}"]
            names.append(unique_name(escaped(player.settings.name) or player.engine.name, names))
            warnings += [names[-1] + text for text in said]
            if len(self.first_players) > 2:
                player.engine.quit()
        for player in self.first_players:
            if player.engine.options:  # an engine that announces none may still accept some
                player.require_options(self.optional_options(player))
        self.names = names
        return warnings

    def optional_options(self, player):
        """The player's options that another engine is given too, and has."""
        has = {
            name.lower()
            for other in self.first_players
            for name, _ in other.settings.options
            if name.lower() in other.engine.options
        }
        return [name for name, _ in player.settings.options if name.lower() in has]

    def run(self, games):
        """Play the pairings; yields each game's record when the game ends.

        If the generator is closed, or an exception is thrown into it, all engines are ended, and the running games have no
        result.
        """
        todo, done = queue.SimpleQueue(), queue.SimpleQueue()
        for pairing in games:
            todo.put(pairing)
        sets = [self.first_players] + [
            self.new_players(worker) for worker in range(2, min(self.settings.concurrency, len(games)) + 1)
        ]
        workers = [threading.Thread(target=self.work, args=(players, todo, done)) for players in sets]
        try:
            with signals.deferred():
                running = len(start_all(workers))
            if workers and not running:
                raise EngineError(
                    "no thread can be started for a game: expected a higher limit on processes (ulimit -u)"
                )
            while running:
                match clock.get_from_queue(done):
                    case None:
                        running -= 1
                    case BaseException() as error:
                        raise error
                    case record:
                        yield record
        finally:
            with signals.uninterrupted():
                self.stop()
                for worker in workers:
                    if worker.ident:  # None if the thread was never started
                        worker.join()

    def stop(self):
        self.waker.wake()

    def close(self):
        for player in self.first_players:
            player.engine.kill()
        self.waker.close()
        if self.log:
            self.log.close()

    def work(self, players, todo, done):
        """Be one worker: play the remaining pairings, then quit the engines and put None into `done`."""
        try:
            while True:
                done.put(self.play(players, todo.get_nowait()))
                if self.settings.wait and not todo.empty():
                    pump((), lambda: False, now_ns() + self.settings.wait * MILLISECOND, self.waker)
        except (queue.Empty, Stopped):
            pass
        except BaseException as error:
            done.put(error)
        finally:
            try:
                for player in players:
                    player.engine.quit()
            finally:
                done.put(None)

    def play(self, players, pairing):
        white, black = players[pairing.white], players[pairing.black]
        for player in players:
            if player not in (white, black):
                player.engine.quit()
        date = datetime.now().strftime("%Y.%m.%d")
        rules = rules_between(self.settings.rules, white.settings, black.settings)
        record = Game(rules, pairing.opening, (white, black), self.waker, self.settings.resign).play()
        for player in (white, black):
            if player.settings.restart:
                player.engine.quit()
        return (
            record_header(pairing, self.names, self.settings.engines)
            | {"date": date}
            | ({"variant": rules.name} if rules is not self.settings.rules else {})
            | record
        )


def record_header(pairing, names, engines):
    """The fields of a game's record that are known before the game, except the date."""
    white, black = pairing.white, pairing.black
    return {
        "game": pairing.game,
        "round": pairing.round,
        "white": names[white],
        "black": names[black],
        "first": "white" if white < black else "black",
        "limits": {"white": str(engines[white].time_control), "black": str(engines[black].time_control)},
        "opening": pairing.opening,
    }


def unique_name(name, names):
    """The name, with a number after it if another engine has this name."""
    number, unique = 1, name
    while unique in names:
        number += 1
        unique = f"{name} ({number})"
    return unique
