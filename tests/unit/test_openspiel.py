"""pawnstorm.openspiel: states and actions both ways, the bot in OpenSpiel's own loops, values and priors.

What is compared comes from pyspiel alone: its texts of states and actions, its legal actions and its results.
"""

import copy
import inspect
import itertools
import math
import pickle
import random
import runpy
import sys
import textwrap
from functools import cache

import pytest

import pawnstorm.openspiel
from pawnstorm import Board, IllegalMove, Limit, ParseError
from pawnstorm.openspiel import Bot, Evaluator, action_of, board_of, move_of, state_of

pyspiel = pytest.importorskip("pyspiel")

SEED = 39
SIZES = list(itertools.product(range(4, 9), range(2, 9)))  # rows, columns
FAST = Limit(nodes=200)
every_size = pytest.mark.parametrize("rows, columns", SIZES, ids=[f"{columns}x{rows}" for rows, columns in SIZES])


def load(rows, columns):
    return pyspiel.load_game(f"breakthrough(rows={rows},columns={columns})")


def random_game(game, rng):
    """All states of a random game, from the start to the end."""
    state = game.new_initial_state()
    while True:
        yield state
        if state.is_terminal():
            return
        state = state.child(rng.choice(state.legal_actions()))


def mirrored(text, rows):
    """A text with its ranks counted from the other side."""
    return "".join(str(rows + 1 - int(letter)) if letter.isdigit() else letter for letter in text)


def lines(board):
    """The ranks of a board's FEN, from the first."""
    return board.fen.split()[0].split("/")[::-1]


def rows_of(state, rows):
    """The rows of a state from the top, as a FEN writes ranks, with player 0 as White."""
    texts = (line[1:].translate(str.maketrans("bw", "Pp")) for line in str(state).split("\n")[:rows])
    return ["".join(str(len(list(run))) if cell == "." else "".join(run) for cell, run in itertools.groupby(text))
            for text in texts]  # fmt: skip


def check_both_ways(game, rng):
    """Every state of a random game becomes a board and a state again; its actions become moves and actions again."""
    rows = game.get_parameters()["rows"]
    for state in random_game(game, rng):
        board = board_of(state)
        assert lines(board) == rows_of(state, rows)
        assert board.turn == ("black" if len(state.history()) % 2 else "white")
        again = state_of(board)
        assert (str(again), again.history(), again.serialize()) == (str(state), state.history(), state.serialize())
        assert str(again.get_game()) == f"breakthrough(columns={game.get_parameters()['columns']},rows={rows})"
        actions = state.legal_actions()
        assert again.legal_actions() == actions and again.current_player() == state.current_player()
        moves = [mirrored(state.action_to_string(action).rstrip("*"), rows) for action in actions]
        assert sorted(board.legal_moves) == sorted(moves)
        assert [move_of(state, action) for action in actions] == moves
        assert [action_of(state, move) for move in moves] == actions
    assert board.winner == ("white" if state.returns() == [1, -1] else "black")


@pytest.mark.compiled
@every_size
def test_states_and_actions_both_ways(rows, columns):
    check_both_ways(load(rows, columns), random.Random(f"{SEED} {rows} {columns}"))


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.timeout(1800)
def test_states_and_actions_of_a_thousand_games_both_ways():
    rng = random.Random(SEED)
    for (rows, columns), _ in zip(itertools.cycle(SIZES), range(1000)):
        check_both_ways(load(rows, columns), rng)


def test_a_board_that_was_played_becomes_its_state():
    board = Board("breakthrough6")
    for move in ("a2a3", "f5e4", "a3b4"):
        board.push(move)
    state = state_of(board)
    assert [state.action_to_string(action) for action in state.history()] == ["a5a4", "f2e3", "a4b3"]
    assert board_of(state) == board and board_of(state).moves == board.moves


def test_boards_that_openspiel_cannot_reach_are_refused():
    with pytest.raises(ValueError, match="a board of 'twoflags': expected a board of Breakthrough"):
        state_of(Board())
    with pytest.raises(ValueError, match="begin at '8/8/7p/8/8/P7/8/8 w - - 0 1': OpenSpiel cannot set up a position"):
        state_of(Board("breakthrough", "8/8/7p/8/8/P7/8/8 w"))
    with pytest.raises(ValueError, match="so they must begin at 'ppppp/5/5/5/PPPPP w - - 0 1'"):
        state_of(Board("breakthrough5"))  # two rows a side
    with pytest.raises(TypeError, match="board must be a pawnstorm.Board, not str"):
        state_of("8/8")


def test_faults_of_moves_and_actions_name_them():
    state = load(6, 6).new_initial_state()
    with pytest.raises(ParseError, match="'a2' is not a move"):
        action_of(state, "a2")
    with pytest.raises(IllegalMove, match="illegal move 'a5a4'"):
        action_of(state, "a5a4")  # a move there, but not here
    with pytest.raises(ValueError, match="action 5 is not legal here: expected one of \\[74, 76,"):
        move_of(state, 5)


# The bot


@pytest.mark.compiled
@every_size
def test_bot_plays_only_legal_actions(rows, columns):
    """A game as each player against random play. pyspiel.evaluate_bots does not check actions, so that they are checked here."""
    game = load(rows, columns)
    for player in (0, 1):
        with Bot(game, player, FAST, hash=1) as bot:
            other = pyspiel.make_uniform_random_bot(1 - player, SEED + rows * columns)
            state = game.new_initial_state()
            returns = pyspiel.evaluate_bots(state, [bot, other] if player == 0 else [other, bot], SEED)
        replayed = game.new_initial_state()
        for action in state.history():
            assert action in replayed.legal_actions()
            replayed.apply_action(action)
        assert replayed.is_terminal() and replayed.returns() == returns
        if rows >= 6 and columns >= 6:
            assert returns[player] == 1


@pytest.mark.compiled
def test_bot_in_the_loop_that_is_written_in_python():
    import numpy as np
    from open_spiel.python.algorithms import evaluate_bots
    from open_spiel.python.bots import uniform_random

    game = load(6, 6)
    rng = np.random.RandomState(SEED)
    with Bot(game, 1, FAST) as bot:
        assert evaluate_bots.evaluate_bots(
            game.new_initial_state(), [uniform_random.UniformRandomBot(0, rng), bot], rng
        ) == [-1, 1]


@pytest.mark.compiled
def test_policy_is_certain_of_the_action():
    game = load(5, 5)
    with Bot(game, None, FAST) as bot:
        assert bot.provides_policy() and bot.player_id() is None
        for state in random_game(game, random.Random(SEED)):
            if state.is_terminal():
                break
            policy, action = bot.step_with_policy(state)
            assert policy == [(other, float(other == action)) for other in state.legal_actions()]
            assert sum(share for _, share in bot.get_policy(state)) == 1


@pytest.mark.compiled
def test_bot_needs_neither_restart_nor_information():
    """Any state in any order, also one that was reached elsewhere; after a restart the same states give the same actions."""
    game = load(6, 5)
    states = list(random_game(game, random.Random(SEED)))[:-1]
    with Bot(game, None, Limit(nodes=2000)) as bot:
        for state in reversed(states):
            assert bot.step(state) in state.legal_actions()
        bot.restart()
        first = [bot.step(state) for state in states]
        bot.restart_at(states[3])
        bot.inform_action(states[0], 0, states[1].history()[0])
        bot.inform_actions(states[1], [])
        assert [bot.step(state) for state in states] == first


@cache
def wins(text, mover, rows, columns):
    """Whether the player to move wins a position, by all games from there that OpenSpiel allows."""
    state = REACHED[text, mover]
    return any(not outcome for outcome in children(state).values())


REACHED = {}


def children(state):
    """{action: whether the opponent then wins} of a state that is not over."""
    found = {}
    for action in state.legal_actions():
        child = state.child(action)
        if child.is_terminal():
            found[action] = child.returns()[child.move_number() % 2] == 1
        else:
            key = str(child), child.current_player()
            REACHED.setdefault(key, child)
            found[action] = wins(*key, *(child.get_game().get_parameters()[name] for name in ("rows", "columns")))
    return found


@pytest.mark.compiled
@pytest.mark.parametrize("rows, columns", [(4, 3), (6, 2)])
def test_proven_values_are_those_of_all_games(rows, columns):
    """Full depth proves every position of these boards."""
    game, rng = load(rows, columns), random.Random(SEED)
    deep = Limit(depth=60)
    with Bot(game, None, deep, hash=4) as bot, Evaluator(game, deep, hash=4) as searching, Evaluator(game) as static:
        for _ in range(3):
            for state in random_game(game, rng):
                if state.is_terminal():
                    assert searching.evaluate(state) == static.evaluate(state) == state.returns()
                    break
                truth = {action: -1.0 if lost else 1.0 for action, lost in children(state).items()}
                assert dict(bot.action_values(state)) == truth
                assert truth[bot.step(state)] == max(truth.values())
                value = searching.evaluate(state)
                assert value[state.current_player()] == max(truth.values()) == -value[1 - state.current_player()]
                guess = static.evaluate(state)[state.current_player()]
                assert abs(guess) < 1 or guess == max(truth.values())


@pytest.mark.compiled
def test_every_action_has_a_value_however_short_the_search():
    game, rng = load(7, 7), random.Random(SEED)
    with Bot(game, None, Limit(nodes=1)) as bot:
        for state in itertools.chain(*(random_game(game, rng) for _ in range(4))):
            if not state.is_terminal():
                values = bot.action_values(state)
                assert [action for action, _ in values] == state.legal_actions()
                assert all(-1 <= value <= 1 for _, value in values)


@pytest.mark.compiled
def test_a_level_plays_weaker():
    """800 against full strength, from both sides of the board."""
    game = load(6, 6)
    for weak in (0, 1):
        bots = [Bot(game, player, Limit(nodes=3000), 800 if player == weak else None) for player in (0, 1)]
        assert pyspiel.evaluate_bots(game.new_initial_state(), bots, SEED)[weak] == -1


def test_other_games_sizes_and_players_are_refused():
    game = load(6, 6)
    for wrong, fault in (
        (load(9, 9), "breakthrough\\(rows=9,columns=9\\): expected 4 to 8 rows and 2 to 8 columns"),
        (load(3, 3), "breakthrough\\(rows=3,columns=3\\): expected 4 to 8 rows"),
        (pyspiel.load_game("chess"), "the game is 'chess\\(\\)': expected OpenSpiel's breakthrough"),
    ):
        for made in (Bot, Evaluator):
            with pytest.raises(ValueError, match=fault):
                made(wrong)
        with pytest.raises(ValueError, match=fault):
            board_of(wrong.new_initial_state())
    with pytest.raises(TypeError, match="game must be a pyspiel.Game, not str"):
        Bot("breakthrough")
    with pytest.raises(ValueError, match="player 2: expected 0, 1, or None for both"):
        Bot(game, 2)
    with pytest.raises(ValueError, match="OpenSpiel has no clock: expected a limit of time"):
        Bot(game, 0, Limit(white_clock=60, black_clock=60))
    with pytest.raises(TypeError, match="limit must be a pawnstorm.Limit, not float"):
        Evaluator(game, 0.5)
    with pytest.raises(ValueError, match="temperature must be positive and finite, not 0"):
        Evaluator(game, temperature=0)
    with pytest.raises(TypeError, match="temperature must be a number, not str"):
        Evaluator(game, temperature="1")


@pytest.mark.compiled
def test_wrong_states_are_refused():
    game = load(4, 2)
    start = game.new_initial_state()
    *_, end = random_game(game, random.Random(SEED))
    with Bot(game, 1, FAST) as bot, Evaluator(game) as evaluator:
        with pytest.raises(ValueError, match="player 0 is to move: this bot is player 1"):
            bot.step(start)
        with pytest.raises(ValueError, match="the game is over: expected a state with a legal action"):
            bot.step(end)
        elsewhere = load(5, 2).new_initial_state()
        for asked in (bot.step, bot.restart_at, bot.action_values, evaluator.evaluate, evaluator.prior):
            with pytest.raises(ValueError, match="the state is of 'breakthrough\\(columns=2,rows=5\\)': expected brea"):
                asked(elsewhere)
            with pytest.raises(TypeError, match="state must be a pyspiel.State, not str"):
                asked(str(start))
    with pytest.raises(RuntimeError, match="the engine is closed"):
        bot.step(start.child(start.legal_actions()[0]))
    bot.close()
    for copied in (copy.copy, pickle.dumps):
        with pytest.raises(TypeError, match="a Bot cannot be copied or pickled"):
            copied(bot)


# The evaluator


@pytest.mark.compiled
@pytest.mark.parametrize("rows, columns, scale", [(6, 6, 160), (6, 5, 160), (5, 5, 100)])
def test_static_value_is_the_logistic_function_of_the_score(rows, columns, scale):
    from pawnstorm.core import native

    game = load(rows, columns)
    evaluator, compared, rng = Evaluator(game), 0, random.Random(SEED)
    states = [state for _ in range(8) for state in itertools.islice(random_game(game, rng), 6)]
    for state in states:
        position = board_of(state)._position
        if state.is_terminal() or native.race(position.rules, *position.bitboards):
            continue
        score = native.evaluate(position.rules, *position.bitboards)
        chance = 1 / (1 + math.exp(-score / scale))
        values = evaluator.evaluate(state)
        assert values[state.current_player()] == pytest.approx(2 * chance - 1, abs=1e-12) and sum(values) == 0
        compared += 1
    assert compared >= 12


@pytest.mark.compiled
def test_prior_prefers_the_action_with_the_best_static_value():
    game = load(6, 6)
    evaluator, even = Evaluator(game), Evaluator(game, temperature=1000.0)
    for state in random_game(game, random.Random(SEED)):
        if state.is_terminal():
            break
        prior = evaluator.prior(state)
        actions = state.legal_actions()
        assert [action for action, _ in prior] == actions
        assert sum(share for _, share in prior) == pytest.approx(1)
        mover = state.current_player()
        values = {action: evaluator.evaluate(state.child(action))[mover] for action in actions}
        ranked = sorted(prior, key=lambda pair: pair[1])
        # Beyond the odds of a certain win, values still differ in digits that a prior does not see.
        assert [values[action] for action, _ in ranked] == pytest.approx(sorted(values.values()), abs=1e-3)
        assert max(share for _, share in even.prior(state)) < 1.03 / len(actions)


@pytest.mark.compiled
def test_python_mcts_searches_with_the_evaluator():
    """Few simulations beat random play from both sides; with `solve`, a won ending is proven by the tree."""
    import numpy as np
    from open_spiel.python.algorithms import mcts

    game = load(6, 4)
    for player in (0, 1):
        rng = np.random.RandomState(SEED)
        bot = mcts.MCTSBot(
            game, 1.0, 25, Evaluator(game), random_state=rng, child_selection_fn=mcts.SearchNode.puct_value
        )
        other = pyspiel.make_uniform_random_bot(1 - player, SEED)
        returns = pyspiel.evaluate_bots(game.new_initial_state(), [bot, other] if player == 0 else [other, bot], SEED)
        assert returns[player] == 1


def example(text):
    """The code of the first example in a docstring."""
    lines = inspect.cleandoc(text).partition("Example::\n\n")[2].split("\n")
    return textwrap.dedent("\n".join(itertools.takewhile(lambda line: not line or line.startswith("    "), lines)))


@pytest.mark.compiled
def test_examples_of_the_docstrings_run(capsys):
    names = {"Evaluator": Evaluator}
    exec(example(pawnstorm.openspiel.__doc__), names)
    assert capsys.readouterr().out in ("[1.0, -1.0]\n", "[-1.0, 1.0]\n")
    exec(example(Evaluator.__doc__), names)
    state = names["game"].new_initial_state()
    assert names["bot"].step(state) in state.legal_actions()


def test_missing_openspiel_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(
        ImportError, match="pawnstorm.openspiel needs OpenSpiel: pip install 'pawnstorm\\[openspiel\\]'"
    ):
        runpy.run_path(pawnstorm.openspiel.__file__)
