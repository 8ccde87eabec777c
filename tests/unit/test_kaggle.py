"""pawnstorm.kaggle: the agent is given observations as kaggle-environments makes them, from states of OpenSpiel.

tests/slow/test_kaggle_games.py plays in the real package.
"""

import json
import random
import time

import pytest

import pawnstorm.kaggle
from pawnstorm import Limit
from pawnstorm.kaggle import make_agent

pyspiel = pytest.importorskip("pyspiel")

FAST = Limit(nodes=300)
CONFIGURATION = {"actTimeout": 3600, "runTimeout": 172800, "openSpielGameName": "breakthrough"}
FIRST = {"remainingOverageTime": 12, "step": 0}  # what Kaggle gives to both players before the game begins


def in_json(state):
    """The text of a state as Kaggle writes it."""
    rows = [list(line[1:]) for line in str(state).split("\n")[:-2]]
    return json.dumps({"board": rows, "rows": len(rows), "columns": len(rows[0]), "move_number": state.move_number()})


def observation(state, player, text=in_json):
    return {
        "remainingOverageTime": 12,
        "step": state.move_number() + 1,
        "observationString": text(state),
        "currentPlayer": state.current_player(),
        "playerId": player,
        "isTerminal": state.is_terminal(),
    }


def play(game, agent, player, seed, text=in_json):
    """The return of the agent in a game against random play."""
    rng, state = random.Random(seed), game.new_initial_state()
    assert agent(FIRST, CONFIGURATION) == {"submission": -1}
    while not state.is_terminal():
        if state.current_player() == player:
            answer = agent(observation(state, player, text), CONFIGURATION)
            assert set(answer) == {"submission"} and answer["submission"] in state.legal_actions()
            state.apply_action(answer["submission"])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    return state.returns()[player]


@pytest.mark.compiled
@pytest.mark.parametrize("text", [in_json, str], ids=["json", "board"])
@pytest.mark.parametrize("player", [0, 1])
def test_agent_beats_random_play(player, text):
    """Both on the usual board and on another one; as text also the board that OpenSpiel itself writes."""
    agent = make_agent(FAST)
    for game in ("breakthrough", "breakthrough(rows=7,columns=6)"):
        for seed in range(2):
            assert play(pyspiel.load_game(game), agent, player, seed, text) == 1


@pytest.mark.compiled
def test_agent_is_silent_if_it_has_no_move():
    agent, state = make_agent(FAST), pyspiel.load_game("breakthrough").new_initial_state()
    assert agent(FIRST) == {"submission": -1}
    assert agent(observation(state, 1)) == {"submission": -1}  # player 0 is to move
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[-1])
    assert agent(observation(state, 0)) == agent(observation(state, 1)) == {"submission": -1}


@pytest.mark.compiled
def test_time_for_a_move_is_at_most_half_of_what_kaggle_gives():
    agent, state = make_agent(Limit(time=300)), pyspiel.load_game("breakthrough").new_initial_state()
    agent(FIRST)
    start = time.monotonic()
    assert agent(observation(state, 0), {"actTimeout": 0.2})["submission"] in state.legal_actions()
    assert time.monotonic() - start < 60


@pytest.mark.compiled
def test_a_level_makes_other_mistakes_in_each_game():
    """The same random opponent, but not the same game; the engine numbers its games."""
    agent, game = make_agent(FAST, elo=800), pyspiel.load_game("breakthrough(rows=6,columns=6)")
    answers = set()
    for _ in range(8):
        agent(FIRST)
        answers.add(agent(observation(game.new_initial_state(), 0))["submission"])
    assert len(answers) > 1


def callables(source):
    """The names of what can be called, in order, in a file that is run as Kaggle runs an agent's."""
    names = {}
    exec(compile(source, "main.py", "exec"), names)
    return [name for name, value in names.items() if callable(value)], names


@pytest.mark.compiled
@pytest.mark.parametrize("source", ["itself", "from pawnstorm.kaggle import agent\n"])
def test_file_is_an_agent_file(source):
    """Kaggle takes the last callable of a file."""
    with open(pawnstorm.kaggle.__file__) as file:
        found, names = callables(file.read() if source == "itself" else source)
    assert found[-1] == "agent"
    assert names["agent"].__code__.co_argcount == 2  # Kaggle gives as many arguments as it counts
    assert names["agent"](FIRST, CONFIGURATION) == {"submission": -1}


def test_wrong_arguments_are_refused():
    with pytest.raises(TypeError, match="limit must be a pawnstorm.Limit, not int"):
        make_agent(1)


@pytest.mark.compiled
def test_a_board_of_another_size_is_refused():
    agent, state = make_agent(FAST), pyspiel.load_game("breakthrough(rows=9,columns=9)").new_initial_state()
    with pytest.raises(ValueError, match="breakthrough\\(rows=9,columns=9\\): expected 4 to 8 rows and 2 to 8 columns"):
        agent(observation(state, 0))
