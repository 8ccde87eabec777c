"""Speed of random games in our environments for learning agents, and in those of OpenSpiel and PettingZoo.

A player is a function play(games, seed) -> plies. It plays a number of games, with random moves chosen evenly from the legal
ones, and returns the number of plies.
"""

import random
import statistics
import time

import numpy as np

from pawnstorm import planes

OPENSPIEL_MOVES, OPENSPIEL_TENSORS = "OpenSpiel, moves", "OpenSpiel, tensors"


def agents(environment):
    """A player of a PettingZoo environment. The mask is taken from the observation, or else from the info."""

    def play(games, seed):
        chance, plies = random.Random(seed), 0
        for _ in range(games):
            environment.reset()
            for _ in environment.agent_iter():
                observation, _, terminated, truncated, info = environment.last()
                if terminated or truncated:
                    environment.step(None)
                    continue
                mask = observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]
                environment.step(chance.choice(mask.nonzero()[0]))
                plies += 1
        return plies

    return play


def ours(rules):
    from pawnstorm.pettingzoo import env

    return agents(env(rules.name))


def ours_raw(rules):
    from pawnstorm.pettingzoo import raw_env

    return agents(raw_env(rules.name))


def ours_batch(rules):
    """A player that plays all games at once in numpy. It makes the observation and the mask of each position."""

    def play(games, seed):
        chance, plies = np.random.default_rng(seed), 0
        start = rules.start_pawns
        bitboards = np.tile(np.array([start, rules.flip(start), 0], np.uint64), (games, 1))
        while len(bitboards):
            planes.unpack(rules, bitboards)
            masks = planes.action_masks(rules, bitboards)
            counts = np.count_nonzero(masks, axis=1)
            bitboards, counts = bitboards[counts > 0], counts[counts > 0]
            chosen = np.cumsum(counts) - counts + chance.integers(counts)
            actions = np.flatnonzero(masks)[chosen] % masks.shape[1]
            bitboards = planes.play(rules, bitboards, actions)
            plies += len(actions)
        return plies

    return play


def _openspiel_game(rules):
    import pyspiel

    return pyspiel.load_game(f"breakthrough(rows={rules.ranks},columns={rules.files})")


def openspiel_moves(rules):
    """A player of OpenSpiel's game that only makes the moves, without observations and masks."""
    game = _openspiel_game(rules)

    def play(games, seed):
        chance, plies = random.Random(seed), 0
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(chance.choice(state.legal_actions()))
                plies += 1
        return plies

    return play


def openspiel_tensors(rules):
    """A player of OpenSpiel's game. It makes the arrays that a PettingZoo environment gives: the observation and the mask."""
    game = _openspiel_game(rules)
    shape, actions = game.observation_tensor_shape(), game.num_distinct_actions()

    def play(games, seed):
        chance, plies = random.Random(seed), 0
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                legal = state.legal_actions()
                np.array(state.observation_tensor(), np.float32).reshape(shape)
                np.zeros(actions, np.int8)[legal] = 1
                state.apply_action(chance.choice(legal))
                plies += 1
        return plies

    return play


def openspiel_environment(rules):
    """A player of OpenSpiel's own environment for learning agents."""
    from open_spiel.python import rl_environment

    environment = rl_environment.Environment(_openspiel_game(rules))

    def play(games, seed):
        chance, plies = random.Random(seed), 0
        for _ in range(games):
            step = environment.reset()
            while not step.last():
                agent = step.observations["current_player"]
                step = environment.step([chance.choice(step.observations["legal_actions"][agent])])
                plies += 1
        return plies

    return play


def shimmy(rules):
    """A player of OpenSpiel's game as a PettingZoo environment."""
    from shimmy import OpenSpielCompatibilityV0

    return agents(OpenSpielCompatibilityV0(env=_openspiel_game(rules)))


def chess(rules):
    return _classic("chess")


def connect_four(rules):
    return _classic("connect_four")


def _classic(name):
    """A player of a game that comes with PettingZoo."""
    from importlib import import_module

    return agents(import_module(f"pettingzoo.classic.{name}.{name}").env())


PLAYERS = {
    "env()": ours,
    "raw_env()": ours_raw,
    "planes, all games at once": ours_batch,
    OPENSPIEL_MOVES: openspiel_moves,
    OPENSPIEL_TENSORS: openspiel_tensors,
    "OpenSpiel, rl_environment": openspiel_environment,
    "OpenSpiel in PettingZoo (Shimmy)": shimmy,
    "PettingZoo's connect_four": connect_four,
    "PettingZoo's chess": chess,
}
FEW = {"OpenSpiel in PettingZoo (Shimmy)": 10, "PettingZoo's chess": 20}
"""Slow players -> the divisor of their number of games."""
MANY = {"planes, all games at once": 50}
"""Fast players -> the factor of their number of games."""


def measure(rules, games, runs):
    """Print the medians of games a second and microseconds a ply over all runs, by the processor time of this process.

    The last two columns are speeds relative to OpenSpiel: medians of the ratios of microseconds a ply in the same run.
    """
    players = {}
    for name, make in PLAYERS.items():
        try:
            players[name] = make(rules)
        except ImportError as error:
            print(f"{name:34} left out: {error}")
    figures = {name: [] for name in players}
    for run in range(runs + 1):
        for name, play in players.items():
            count = max(1, games * MANY.get(name, 1) // FEW.get(name, 1))
            start = time.process_time()
            plies = play(count, run)
            seconds = time.process_time() - start
            if run:  # the first is a warm-up
                figures[name].append((count / seconds, 1e6 * seconds / plies))
    print(
        f"{rules.name}, random games, medians of {runs} runs: games a second, microseconds a ply, and how many times as"
    )
    print(f"fast a ply is as with {OPENSPIEL_MOVES} (A), {OPENSPIEL_TENSORS} (B)")
    print(f"{'':34}{'games/s':>11}{'us/ply':>10}{'A':>9}{'B':>9}")
    for name, results in figures.items():
        speed, ply = (statistics.median(column) for column in zip(*results))
        ratios = [
            f"{statistics.median(b / a for (_, a), (_, b) in zip(results, figures[reference])):9.2f}"
            for reference in (OPENSPIEL_MOVES, OPENSPIEL_TENSORS)
            if reference in figures
        ]
        print(f"{name:34}{speed:11,.0f}{ply:10.2f}{''.join(ratios)}", flush=True)
