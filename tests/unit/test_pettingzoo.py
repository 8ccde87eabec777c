"""The environments for learning agents: PettingZoo's own tests, the slow rules of pawnstorm_tools/checking/naive.py, and
PettingZoo's own wrappers. Random games are random.Random(seed)'s.
"""

import copy
import importlib
import itertools
import pickle
import random
import sys
import types
import warnings

import numpy as np
import pytest

import pawnstorm
from pawnstorm import Board, IllegalMove, ParseError, UnknownGame
from pawnstorm_tools.checking import naive

pettingzoo = pytest.importorskip("pettingzoo")

with warnings.catch_warnings():  # of its games' old names, which its tests import
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo import test as pettingzoo_tests
from pettingzoo.utils import wrappers  # noqa: E402

from pawnstorm.pettingzoo import env, raw_env  # noqa: E402

pytestmark = pytest.mark.compiled  # plain Python would take minutes
GAMES = [
    "breakthrough",
    "breakthrough5x6",
    "twoflags",
    "twoflags3x8",
    "pawnsonly",
    "twoflags-ghost",
    "hexapawn",
    "hexapawn8x5",
]
AGENTS = {"w": "player_0", "b": "player_1"}
FINISHED = "4P3/8/8/8/8/8/p7/8 b - - 0 1"
# PettingZoo gives these to every environment whose observations are dictionaries, except its own, which it knows by name.
pettingzoo_own_tests = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably:UserWarning",
)
every_game = pytest.mark.parametrize("name", GAMES)


@every_game
@pettingzoo_own_tests
@pytest.mark.parametrize("make", [env, raw_env])
def test_passes_the_tests_of_pettingzoo(name, make, capsys):
    pettingzoo_tests.api_test(make(name), num_cycles=100)
    pettingzoo_tests.seed_test(lambda: make(name), num_cycles=50)
    pettingzoo_tests.render_test(lambda render_mode: make(name, render_mode))
    assert "Passed API test" in capsys.readouterr().out


@every_game
def test_runs_in_the_benchmark_of_pettingzoo(name, monkeypatch, capsys):
    module = sys.modules[pettingzoo_tests.performance_benchmark.__module__]
    assert module.__name__ == "pettingzoo.test.performance_benchmark"
    clock = itertools.count(0, 0.02)  # seconds; the benchmark stops after five
    monkeypatch.setattr(module, "time", types.SimpleNamespace(time=lambda: next(clock)))
    pettingzoo_tests.performance_benchmark(env(name))
    assert "turns per second" in capsys.readouterr().out


def seen(position, side):
    """The planes that a side sees of a position of naive.py, square by square."""
    game, board, mover, passed = position
    planes = np.zeros((3, game.ranks, game.files), np.int8)
    for rank, row in enumerate(board):
        for file, piece in enumerate(row):
            if piece != ".":
                planes[int(piece != naive.PAWN[side]), rank, file] = 1
    if passed != "-":
        file, rank = naive.coordinates(passed)
        planes[2, rank, file] = 1
    return planes[:, ::-1] if side == "b" else planes


@pytest.mark.parametrize("name", sorted(set(GAMES) - {"pawnsonly", "twoflags-ghost"}))
def test_games_are_those_of_the_slow_rules(name):
    rules = naive.GAMES[
        {"breakthrough": "breakthrough8x8", "twoflags": "twoflags8x8", "hexapawn": "hexapawn3x3"}.get(name, name)
    ]
    game, chance = env(name), random.Random(4)
    for _ in range(5):
        position = naive.start(rules)
        game.reset()
        while not naive.over(position):
            agent = game.agent_selection
            assert agent == AGENTS[position.side] and set(game.rewards.values()) == {0}
            for side, other in AGENTS.items():
                observed = game.observe(other)
                assert (observed["observation"] == seen(position, side)).all()
                assert game.observation_space(other).contains(observed)
                assert (other == agent) or not observed["action_mask"].any()
            board = Board(name, naive.fen(position))
            actions = {board.move_to_action(move): move for move in naive.moves(position)}
            assert set(np.flatnonzero(game.observe(agent)["action_mask"])) == set(actions)
            action = chance.choice(sorted(actions))
            position = naive.play(position, actions[action])
            game.step(np.int64(action))
        loser = AGENTS[position.side]
        assert game.rewards == {loser: -1, agent: 1} and all(game.terminations.values())
        assert not any(game.truncations.values()) and not game.observe(loser)["action_mask"].any()
        rewards = {}
        for agent in game.agent_iter():
            rewards[agent] = game.last()[1]
            game.step(None)
        assert rewards == {loser: -1, AGENTS[naive.OTHER[position.side]]: 1} and game.agents == []


def wrapped(name):
    """The environment in PettingZoo's own wrappers."""
    made = wrappers.TerminateIllegalWrapper(raw_env(name), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(made))


def outcome(call):
    """What a call returns, or the error that it raises, as text."""
    try:
        value = call()
    except Exception as error:  # also an AssertionError of PettingZoo
        return type(error).__name__, str(error)
    return repr(plain(value))


def plain(value):
    """Arrays as lists."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, tuple):
        return [plain(inner) for inner in value]
    return value.tolist() if isinstance(value, np.ndarray) else value


def shown(game):
    """All that a program can read of an environment."""
    names = (
        "agents",
        "num_agents",
        "agent_selection",
        "rewards",
        "terminations",
        "truncations",
        "infos",
        "_cumulative_rewards",
    )
    found = [outcome(lambda name=name: getattr(game, name)) for name in names]
    return [*found, outcome(game.last), outcome(lambda: game.last(observe=False)), outcome(game.render), str(game)]


def random_action(game, chance):
    """Mostly a legal action; sometimes an illegal one, one out of bounds, or something else."""
    kind = chance.random()
    if not getattr(game, "agents", None) or any(game.terminations.values()):
        return None if kind < 0.8 else chance.choice([0, -1, 10**6])
    if kind < 0.9:
        return chance.choice(np.flatnonzero(game.observe(game.agent_selection)["action_mask"]))
    return chance.choice([None, -1, 10**6, 1.5, "a", np.int32(0), 0, 8, np.array(20), np.array([20])])


@pytest.mark.parametrize("name", ["breakthrough5", "hexapawn"])
def test_checks_are_those_of_the_wrappers_of_pettingzoo(name):
    chance, faults = random.Random(5), set()
    for _ in range(60):
        one, other = env(name), wrapped(name)
        iterators = outcome(one.agent_iter), outcome(other.agent_iter)
        assert ("AssertionError" in iterators[0]) and iterators[0] == iterators[1]
        assert shown(one) == shown(other) and outcome(lambda: one.step(0)) == outcome(lambda: other.step(0))
        one.reset(), other.reset()
        walks = iter(one.agent_iter()), iter(other.agent_iter())
        for _ in range(chance.randrange(1, 30)):
            action = random_action(one, chance)
            if chance.random() < 0.9:  # otherwise no loop over agent_iter()
                assert outcome(lambda: next(walks[0])) == outcome(lambda: next(walks[1]))
            stepped = outcome(lambda: one.step(action))
            assert stepped == outcome(lambda: other.step(action))
            assert shown(one) == shown(other)
            faults.add(stepped)
    assert {fault[0] for fault in faults if fault != "None"} == {"AssertionError", "ValueError"}


def test_raw_environment_refuses_an_illegal_action():
    game = raw_env("breakthrough")
    game.reset()
    for action in (0, -1, 192, None):
        with pytest.raises(IllegalMove, match=f"illegal action {action} in ppp"):
            game.step(action)
    with pytest.raises(TypeError):
        game.step(72.0)
    assert game.agent_selection == "player_0"
    game.step(72)
    assert game.agent_selection == "player_1"


def test_game_can_start_from_a_position():
    game = env("twoflags", render_mode="ansi")
    game.reset(options={"fen": "8/8/8/8/1p6/8/P7/8 w"})
    game.step(Board("twoflags").move_to_action("a2a4"))
    observed = game.observe("player_1")
    assert game.agent_selection == "player_1" and np.argwhere(observed["observation"][2]).tolist() == [[5, 0]]
    assert "4  P p . . . . . .\n" in game.render()
    game.reset(options={"fen": "8/8/8/8/1p6/8/P7/8 b"})
    assert game.agent_selection == "player_1"
    with pytest.raises(ParseError, match="'8/8'"):
        game.reset(options={"fen": "8/8"})
    with pytest.raises(ValueError, match=f"the game is over in '{FINISHED}'"):
        game.reset(options={"fen": FINISHED})


def test_what_an_agent_saw_does_not_change():
    game = env("breakthrough")
    game.reset()
    first = game.observe("player_0")
    before = copy.deepcopy(first)
    game.step(72)
    first["observation"][:] = 0
    assert (first["action_mask"] == before["action_mask"]).all() and game.observe("player_0")["observation"].sum() == 32


@pytest.mark.parametrize("way", [copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))])
def test_copies_go_on_from_the_same_position(way):
    game = env("hexapawn", render_mode="ansi")
    game.reset()
    game.step(9)
    twin = way(game)
    assert twin.render() == game.render() and twin.agent_selection == "player_1"
    twin.step(10)
    assert twin.render() != game.render() and game.agent_selection == "player_1"


def test_human_mode_prints_each_board(capsys):
    game = env("hexapawn", render_mode="human")
    game.reset()
    assert game.render() is None and capsys.readouterr().out.count("Game: hexapawn") == 1
    game.step(9)
    assert "2  P . .\n" in capsys.readouterr().out


def test_environment_without_a_render_mode_warns():
    game = env("hexapawn")
    game.reset()
    with pytest.warns(UserWarning, match="render_mode='ansi'"):
        assert game.render() is None


def test_faults_are_named():
    with pytest.raises(UnknownGame, match="'chess'"):
        env("chess")
    with pytest.raises(ValueError, match="render_mode 'rgb_array': expected None, 'human' or 'ansi'"):
        env(render_mode="rgb_array")
    game = env()
    with pytest.raises(TypeError, match=r"options\['fen'\] must be a str, not int"):
        game.reset(options={"fen": 7})
    game.reset()
    with pytest.raises(ValueError, match="agent 'white': expected 'player_0' or 'player_1'"):
        game.observe("white")


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="this PettingZoo has no registry")
@pytest.mark.parametrize("family", ["twoflags", "breakthrough", "hexapawn"])
def test_environments_are_made_by_name(family):
    assert str(pettingzoo.make("aec", f"pawnstorm/{family}-v0")) == f"{family}_v0"
    assert str(pettingzoo.make("aec", f"pawnstorm/{family}-v0", game=f"{family}6x7")) == f"{family}6x7_v0"


@pytest.mark.parametrize("missing", ["pettingzoo", "gymnasium", "numpy"])
def test_missing_package_names_the_extra(missing, monkeypatch):
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.delitem(sys.modules, "pawnstorm.pettingzoo")
    monkeypatch.delattr(pawnstorm, "pettingzoo")
    with pytest.raises(ImportError, match=r"pip install 'pawnstorm\[pettingzoo\]'"):
        importlib.import_module("pawnstorm.pettingzoo")
