"""Games of pawnstorm.openspiel's bot against OpenSpiel's MCTS: the work of openspiel_match.py.

A record of the journal is a game, or says who wins with best play on boards of one size:

    {"game": "5x6 1000 3", "size": "5x6", "simulations": 1000, "player": 1, "won": true, "actions": [...], "illegal": null}
    {"game": "5x6 value", "size": "5x6", "winner": 1}

`player` is the bot's number, and `won` says whether the bot won. Player 0 moves first. `winner` is the number of the player who
wins with best play, or null if the solver has not found it.
"""

import random
import sys
from collections import defaultdict

import pyspiel

from pawnstorm.engine import Limit
from pawnstorm.openspiel import Bot, board_of
from pawnstorm.solver import solve
from pawnstorm_tools.common.bar import tqdm

UCT_C = 2.0  # the constant of OpenSpiel's own examples
MCTS_MEMORY = 1000  # MiB
SEEDS = 1 << 30
VALUES = {0: "player 0", 1: "player 1", None: "?"}


class Match:
    """The games of a Journal. The Journal's settings are the bot's time, the bot's nodes (if set, they replace the
    time), the bot's elo, and a seed.

    expansions: the most positions that the solver expands for a size
    """

    def __init__(self, journal, expansions):
        self.journal, self.expansions = journal, expansions

    @property
    def games(self):
        """The records of games."""
        return [record for record in self.journal.records.values() if "simulations" in record]

    @property
    def illegal(self):
        """The number of games with an illegal action."""
        return sum(game["illegal"] is not None for game in self.games)

    def play(self, sizes, opponents, number):
        """Play `number` games on each size against each opponent, except games that the journal already has.

        opponents: numbers of simulations of MCTS
        """
        todo = [
            (size, simulations, game)
            for simulations in opponents
            for size in sizes
            for game in range(number)
            if f"{size} {simulations} {game}" not in self.journal.records
        ]
        total = len(sizes) * len(opponents) * number
        with tqdm(total=total, initial=total - len(todo), unit="game", file=sys.stderr) as bar:
            for size, simulations, game in todo:
                bar.set_description(f"{size}, {simulations} simulations")
                self._solve(size)
                self.journal.add(self._game(size, simulations, game))
                bar.update()

    def _solve(self, size):
        """Find who wins with best play on a board of this size, and record it, unless the journal already has it."""
        key = f"{size} value"
        if key not in self.journal.records:
            solution = solve(board_of(game_of(size).new_initial_state()), nodes=self.expansions)
            winner = None if solution is None else int(solution.winner == "black")
            self.journal.add({"game": key, "size": size, "winner": winner})

    def _game(self, size, simulations, number):
        """Play a game; returns its record."""
        key, game, player = f"{size} {simulations} {number}", game_of(size), number % 2
        settings = self.journal.settings
        seed = random.Random(f"{settings['seed']} {key}").randrange(SEEDS)
        limit = Limit(nodes=settings["nodes"]) if settings["nodes"] else Limit(time=settings["time"])
        rollouts = pyspiel.RandomRolloutEvaluator(1, seed)
        mcts = pyspiel.MCTSBot(game, rollouts, UCT_C, simulations, MCTS_MEMORY, True, seed, False)
        state = game.new_initial_state()
        with Bot(game, player, limit, settings["elo"]) as bot:
            returns = pyspiel.evaluate_bots(state, [bot, mcts] if player == 0 else [mcts, bot], seed)
        actions = state.history()
        return {
            "game": key,
            "size": size,
            "simulations": simulations,
            "player": player,
            "won": returns[player] > 0,
            "actions": actions,
            "illegal": first_illegal(game, actions),
        }

    def table(self):
        """The lines of a table of all games, then a line with the total for each opponent, then a line with the number of games
        that have an illegal action.
        """
        scores = defaultdict(lambda: [0, 0])  # (size, simulations, player) -> won, played
        for game in self.games:
            score = scores[game["size"], game["simulations"], game["player"]]
            score[0] += game["won"]
            score[1] += 1
        opponents = sorted({simulations for _, simulations, _ in scores})
        heads = [f"{simulations:,}, as player {player}" for simulations in opponents for player in (0, 1)]
        yield f"| size | best play wins | {' | '.join(heads)} |"
        yield "|---|---|" + "---|" * len(heads)
        for size in dict.fromkeys(game["size"] for game in self.games):
            value = VALUES[self.journal.records[f"{size} value"]["winner"]]
            cells = [scores[size, simulations, player] for simulations in opponents for player in (0, 1)]
            yield f"| {size} | {value} | {' | '.join(f'{won} of {played}' for won, played in cells)} |"
        for simulations in opponents:
            of = [game for game in self.games if game["simulations"] == simulations]
            yield f"{simulations:,} simulations: {sum(game['won'] for game in of):,} of {len(of):,} games won"
        yield f"Illegal actions: {self.illegal}"


def game_of(size):
    """OpenSpiel's Breakthrough on a board whose size is written as columns x rows, such as 6x8."""
    columns, rows = size.split("x")
    return pyspiel.load_game(f"breakthrough(rows={rows},columns={columns})")


def first_illegal(game, actions):
    """The first action of a game that is not in OpenSpiel's list of legal actions, or None."""
    state = game.new_initial_state()
    for action in actions:
        if action not in state.legal_actions():
            return action
        state.apply_action(action)
    return None
