"""pawnstorm.kaggle in the real kaggle-environments, from PyPI, in a virtual environment of its own.

PAWNSTORM_TOOLS     the folder that keeps the environment, kaggle-VERSION, which is half a gigabyte
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from client import ROOT

VERSION = "1.33.2"
LIMIT = 1800  # seconds for the installation, and for the games
GAMES = 20

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(3 * LIMIT)]

# Plays as a user would: prints for each game the opponent, our player, the rewards and the statuses of both.
PLAY = """
import json, sys
import pyspiel
from kaggle_environments import make
from pawnstorm import Limit
from pawnstorm.kaggle import make_agent

agents = {"callable": make_agent(Limit(time=0.1)), "file": sys.argv[1]}
game = pyspiel.load_game("breakthrough")

def mcts(observation, configuration):
    if observation.get("currentPlayer") != observation.get("playerId", -1):
        return {"submission": -1}
    state = game.new_initial_state()
    for move in json.loads(observation["observationString"])["move_history"]:
        state.apply_action(state.string_to_action(move))
    rollouts = pyspiel.RandomRolloutEvaluator(1, state.move_number())
    return {"submission": pyspiel.MCTSBot(game, rollouts, 2.0, 500, 100, True, 1, False).step(state)}

for number in range(int(sys.argv[2])):
    player, strict = number % 2, number % 4 > 1
    name, opponent = [("random", "random"), ("mcts", mcts)][number % 3 == 2]
    # Kaggle's "random" needs the legal actions; strict mode allows nothing but the action.
    env = make("open_spiel_breakthrough", {"includeLegalActions": name == "random", "strictMode": strict})
    agent = agents["file" if number % 5 == 4 else "callable"]
    env.run([agent, opponent] if player == 0 else [opponent, agent])
    told = [name, player, [state.reward for state in env.state], [state.status for state in env.state]]
    print("game", json.dumps(told), flush=True)
"""


def done(*words, **how):
    """Run a command; returns it when it has ended."""
    how = {"capture_output": True, "text": True, "stdin": subprocess.DEVNULL, "timeout": LIMIT} | how
    return subprocess.run([*map(str, words)], **how)


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """The Python of an environment with kaggle-environments and this checkout, whose core is built for it."""
    kept = os.environ.get("PAWNSTORM_TOOLS")
    folder = (Path(kept).resolve() if kept else tmp_path_factory.mktemp("kaggle")) / f"kaggle-{VERSION}"
    found = folder / "bin" / "python"
    if not found.exists():
        assert done(sys.executable, "-m", "venv", folder).returncode == 0
    installed = done(found, "-m", "pip", "install", "-q", f"kaggle-environments=={VERSION}")
    if installed.returncode:
        pytest.skip(f"kaggle-environments cannot be installed: {installed.stderr[-500:]}")
    wheel = done(found, "-m", "pip", "install", "-q", "--no-deps", "--force-reinstall", ROOT)
    assert wheel.returncode == 0, wheel.stderr[-3000:]
    return found


def test_games_in_kaggles_environment_are_won(python, tmp_path):
    """Against its agent "random" and against OpenSpiel's MCTS, as either player, as a function and as an agent file."""
    main = tmp_path / "main.py"
    main.write_text("from pawnstorm.kaggle import agent\n")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    played = done(python, "-c", PLAY, main, GAMES, cwd=tmp_path, env=environment)
    print(played.stdout)
    assert played.returncode == 0, played.stderr[-3000:]
    games = [json.loads(line.removeprefix("game ")) for line in played.stdout.splitlines() if line.startswith("game ")]
    assert len(games) == GAMES and {(name, player) for name, player, _, _ in games} == {
        (name, player) for name in ("random", "mcts") for player in (0, 1)
    }
    for _, player, rewards, statuses in games:
        assert rewards == ([1, -1] if player == 0 else [-1, 1]) and statuses == ["DONE", "DONE"]
