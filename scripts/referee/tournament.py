"""A match: which games are played, by how many workers, and what is done with each result."""

import os
import queue
import threading
from dataclasses import dataclass
from datetime import datetime

from referee.game import Game
from referee.player import Player
from referee.uciclient import EngineError, EngineFault, Stopped


@dataclass(frozen=True)
class Pairing:
    """One game to play: its number in the match, its round as PGN writes it, the engines' indices, the opening's FEN."""

    game: int
    round: str
    white: int
    black: int
    opening: str


def pairings(games, rounds, openings):
    """Every game of a match of engines 0 and 1, in order. A round is one opening, played `games` times with colours swapped.

    With one game a round the first engine is White in every other round.
    """
    made = []
    for number in range(games * rounds):
        turn, inside = divmod(number, games)
        first = inside if games == 2 else turn % 2
        made.append(Pairing(number + 1, f"{turn + 1}.{inside + 1}", first, 1 - first, openings[turn % len(openings)]))
    return made


class Match:
    """Plays pairings with `concurrency` games at a time. Each worker keeps its own two engines from game to game."""

    def __init__(self, settings):
        self.settings = settings
        self.wake, self.waker = os.pipe()   # readable once the match is to stop: every wait of every worker ends
        self.first = self.new_players()
        self.names = None

    def new_players(self):
        return [Player(index, engine, self.settings.rules, self.settings.ponder, self.wake)
                for index, engine in enumerate(self.settings.engines)]

    def check_engines(self):
        """Start each engine once. Returns warnings; afterwards .names holds the engines' names. Raises EngineError.

        An engine that answers `uci` and dies later takes part in the match; one that does not is an error of the command line.
        """
        warnings, names = [], []
        for player in self.first:
            fault = None
            try:
                player.start()
                warnings += [f"{player.engine.name} has no option '{name}'" for name in player.unknown_options]
                if "uci_variant" not in player.engine.options:
                    warnings.append(f"{player.engine.name} has no option UCI_Variant: it is taken to play {self.settings.rules.name}")
            except EngineFault as error:
                player.engine.kill()
                if not player.engine.uciok:
                    raise EngineError(f"'{player.settings.command}' is not a UCI engine: {error}") from None
                fault = error
            name = player.settings.name or player.engine.name
            names.append(name if name not in names else f"{name} (2)")
            if fault:
                warnings.append(f"{names[-1]}: {fault}")
        self.names = names
        return warnings

    def run(self, games):
        """Play the pairings; yields each finished game's record as it ends. Closing the generator, or an exception thrown into it,
        ends the games under way without a result and every engine with them."""
        todo, done = queue.SimpleQueue(), queue.SimpleQueue()
        for pairing in games:
            todo.put(pairing)
        sets = [self.first] + [self.new_players() for _ in range(min(self.settings.concurrency, len(games)) - 1)]
        workers = [threading.Thread(target=self.work, args=(players, todo, done)) for players in sets]
        for worker in workers:
            worker.start()
        running = len(workers)
        try:
            while running:
                match done.get():
                    case None:
                        running -= 1
                    case BaseException() as error:
                        raise error
                    case record:
                        yield record
        finally:
            self.stop()
            for worker in workers:
                worker.join()

    def stop(self):
        os.write(self.waker, b"x")

    def close(self):
        for player in self.first:
            player.engine.kill()
        os.close(self.wake)
        os.close(self.waker)

    def work(self, players, todo, done):
        """One worker: play what is still to be played, then quit the engines and put None."""
        try:
            while True:
                done.put(self.play(players, todo.get_nowait()))
        except (queue.Empty, Stopped):
            pass
        except BaseException as error:
            done.put(error)
        finally:
            for player in players:
                player.engine.quit()
            done.put(None)

    def play(self, players, pairing):
        white, black = players[pairing.white], players[pairing.black]
        date = datetime.now().strftime("%Y.%m.%d")
        record = Game(self.settings.rules, pairing.opening, (white, black), self.settings.ponder, self.wake).play()
        return {"game": pairing.game, "round": pairing.round, "date": date, "white": self.names[pairing.white],
                "black": self.names[pairing.black], "first": "white" if pairing.white == 0 else "black",
                "limits": {"white": str(white.settings.control), "black": str(black.settings.control)},
                "opening": pairing.opening} | record
