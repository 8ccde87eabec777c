"""The engine as a bot for OpenSpiel's Breakthrough, and as a source of values for learning and search in OpenSpiel.

Example::

    import pyspiel
    from pawnstorm.openspiel import Bot

    game = pyspiel.load_game("breakthrough(rows=6,columns=6)")
    mcts = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, 1000, 100, True, 1, False)
    print(pyspiel.evaluate_bots(game.new_initial_state(), [Bot(game, 0), mcts], 1))

The board has 2 to 8 columns and 4 to 8 rows. In OpenSpiel player 0, "b", moves first, down from the upper rows. On a `Board`
White moves first, up from the lower ranks. So player 0 is White on a `Board`, player 1 is Black, and the ranks are mirrored:
on 8x8 the action "a7a6" is the move "a2a3". On four or five rows, OpenSpiel gives each side one row of pawns, not two. Action
numbers in this module are OpenSpiel's, not those of `Board.move_to_action()`.

Values are between -1, a loss, and 1, a win, like OpenSpiel's returns. A value is 1 or -1 only if the result is proven.
Otherwise it is 2 * p - 1 = tanh(score / (2 * scale)), where p = 1 / (1 + exp(-score / scale)) is the chance of winning. The
board's evaluation was trained with this scale: 160 centipawns on 4x6 (four columns), 5x6, 6x5, 6x6, 7x6, 7x7 and 8x8,
and 100 on all other boards.

`pip install 'pawnstorm[openspiel]'` installs OpenSpiel too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NoReturn

from pawnstorm.board import Board, board_at
from pawnstorm.core import native
from pawnstorm.core.state import MIN_WIN_SCORE, WIN
from pawnstorm.engine import Engine, Limit
from pawnstorm.evaluation import weights
from pawnstorm.games import openspiel as theirs
from pawnstorm.games.notation import fen, move_text, parse_move
from pawnstorm.games.position import Board as Position
from pawnstorm.games.rules import Rules

try:
    import pyspiel
except ImportError as error:
    raise ImportError("pawnstorm.openspiel needs OpenSpiel: pip install 'pawnstorm[openspiel]'") from error

__all__ = ["Bot", "Evaluator", "action_of", "board_of", "move_of", "state_of"]

DEFAULT_LIMIT = Limit(time=0.05)
MAX_LINES = 64  # lines of one analysis; no position has more than 48 moves
SURE = 10.0  # log-odds of a proven win in a prior; a static score rarely has more than half as much


class Bot(pyspiel.Bot):  # type: ignore[misc]  # OpenSpiel has no annotations
    """The engine as a `pyspiel.Bot`.

    The bot does not follow a game move by move; it keeps only the results of its searches. So `step()` takes any state of its
    game, whether or not `restart()` and `inform_action()` were called before. Use it in a `with` block, or call `close()`, to
    free its memory. Only one thread may use a bot at a time.

    Args:
        game: Breakthrough, as from `pyspiel.load_game("breakthrough(rows=6,columns=6)")`.
        player: The player whose moves the bot chooses: 0, which moves first, or 1; None for both.
        limit: When the search for a move ends: time, depth, nodes or mate.
        elo: The strength to play at, 800 to 3400. The default is full strength.
        hash: MiB of memory for the results of searches.
        threads: Threads that search together, 1 to 256.

    Raises:
        ValueError: The game is not Breakthrough on a board of 2 to 8 columns and 4 to 8 rows, or a value is out of bounds.
        TypeError: An argument has the wrong type.
        MemoryError: The memory cannot be allocated.
        RuntimeError: The core cannot be compiled.
    """

    def __init__(
        self,
        game: pyspiel.Game,
        player: int | None = None,
        limit: Limit = DEFAULT_LIMIT,
        elo: int | None = None,
        *,
        hash: int = 16,
        threads: int = 1,
    ) -> None:
        super().__init__()
        self._rules = _rules_of(game)
        if player not in (None, 0, 1):
            raise ValueError(f"player {player!r}: expected 0, 1, or None for both")
        self._player, self._limit = player, _checked(limit)
        self._engine = Engine(hash=hash, threads=threads, elo=elo)

    def player_id(self) -> int | None:
        """The argument `player`: 0, 1 or None."""
        return self._player

    def step(self, state: pyspiel.State) -> int:
        """The action to play. The state is not changed.

        Raises:
            ValueError: The state is of another game, the game is over, or the other player is to move.
            TypeError: The state is not a `pyspiel.State`.
            RuntimeError: The bot is closed, or another thread is using it.
            KeyboardInterrupt: Ctrl-C was pressed. The bot can be used again.
        """
        position = self._own_turn(state)
        move = self._engine.play(board_at(position), self._limit).move
        return theirs.action_of(position, parse_move(position, move))

    def step_with_policy(self, state: pyspiel.State) -> tuple[list[tuple[int, float]], int]:
        """The policy and the action to play, as a tuple (policy, action).

        The policy is each legal action with its probability: 1 for the action to play, 0 for the others.
        """
        action = self.step(state)
        return [(other, float(other == action)) for other in state.legal_actions()], action

    def get_policy(self, state: pyspiel.State) -> list[tuple[int, float]]:
        """Each legal action with its probability: 1 for the action that the bot would play, 0 for the others."""
        return self.step_with_policy(state)[0]

    def provides_policy(self) -> bool:
        return True

    def action_values(self, state: pyspiel.State) -> list[tuple[int, float]]:
        """Each legal action with its value for the player to move, from one search of all actions within the limit.

        This needs more time than `step()`, which need not find out how much worse the other actions are. An action that the
        search does not reach before its limit gets its static value. Raises the errors of `step()`.
        """
        position = self._own_turn(state)
        lines = self._engine.analyse(board_at(position), self._limit, multipv=MAX_LINES)
        scores = {parse_move(position, line.pv[0]): line.score for line in lines}
        left = [move for move in position.moves() if move not in scores]
        scores.update((move, -score) for move, score in zip(left, _static_scores(map(position.push, left))))
        scale = weights.odds_scale(position.rules)
        return sorted((theirs.action_of(position, move), _value(score, scale)) for move, score in scores.items())

    def restart(self) -> None:
        """Begin a new game: discard the results of earlier searches.

        A bot with an `elo` makes different mistakes in each game.
        """
        self._engine.new_game()

    def restart_at(self, state: pyspiel.State) -> None:
        """Begin a new game at a state. Raises ValueError if the state is of another game."""
        _check_game(self._rules, state)
        self._engine.new_game()

    def inform_action(self, state: pyspiel.State, player_id: int, action: int) -> None:
        """Do nothing: `step()` gets the whole state."""

    def inform_actions(self, state: pyspiel.State, actions: list[int]) -> None:
        """Do nothing: `step()` gets the whole state."""

    def close(self) -> None:
        """Free the bot's memory. It can then no longer play; closing it again does nothing."""
        self._engine.close()

    def __enter__(self) -> Bot:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Bot cannot be copied or pickled: make a new one with Bot(game)")

    def _own_turn(self, state: pyspiel.State) -> Position:
        """The position of a state.

        Raises TypeError if this is not a state, and ValueError if it is of another game or the bot is not to move.
        """
        _check_game(self._rules, state)
        mover = state.current_player()
        if mover < 0:
            raise ValueError("the game is over: expected a state with a legal action")
        if self._player not in (None, mover):
            raise ValueError(f"player {mover} is to move: this bot is player {self._player}")
        return _position(self._rules, state)


class Evaluator:
    """The engine's evaluation for OpenSpiel's MCTS in Python: use it as an `open_spiel.python.algorithms.mcts.Evaluator`.

    Example::

        from open_spiel.python.algorithms import mcts
        bot = mcts.MCTSBot(game, 1.0, 100, Evaluator(game), child_selection_fn=mcts.SearchNode.puct_value)

    (OpenSpiel's MCTS in C++, `pyspiel.MCTSBot`, takes no evaluator that is written in Python.)

    Args:
        game: Breakthrough, as for a `Bot`.
        limit: When the search for the value of a state ends. By default there is no search. The value then comes from the
            static score, or is proven if a pawn wins by running to the far rank, whatever the opponent does.
        temperature: `prior()` divides the log-odds of the actions by this number. A larger number makes the prior more even.
        hash: MiB of memory for the results of searches; used only with a limit.

    Raises:
        ValueError, TypeError, MemoryError, RuntimeError: As for a `Bot`.
    """

    def __init__(
        self, game: pyspiel.Game, limit: Limit | None = None, temperature: float = 1.0, *, hash: int = 16
    ) -> None:
        self._rules = _rules_of(game)
        if isinstance(temperature, bool) or not isinstance(temperature, (int, float)):
            raise TypeError(f"temperature must be a number, not {type(temperature).__name__}")
        if not 0 < temperature < math.inf:
            raise ValueError(f"temperature must be positive and finite, not {temperature}")
        native.core()
        self._limit = None if limit is None else _checked(limit)
        self._engine = None if limit is None else Engine(hash=hash)
        self._scale, self._temperature = weights.odds_scale(self._rules), temperature

    def evaluate(self, state: pyspiel.State) -> list[float]:
        """The values of a state for player 0 and player 1; OpenSpiel's returns if the game is over.

        Raises:
            ValueError: The state is of another game.
        """
        _check_game(self._rules, state)
        if state.is_terminal():
            return list(state.returns())
        position = _position(self._rules, state)
        if self._engine is None or self._limit is None:
            (score,) = _static_scores([position])
        else:
            score = self._engine.analyse(board_at(position), self._limit)[0].score
        value = _value(score, self._scale)
        return [-value, value] if position.black_to_move else [value, -value]

    def prior(self, state: pyspiel.State) -> list[tuple[int, float]]:
        """Each legal action with its probability, from the static scores of the positions after the actions.

        The probability is proportional to exp(log_odds / temperature). log_odds is the static score after the action, for the
        player who plays it, divided by the scale and limited to -10 to 10. It is 10 if the action wins at once, or if one of
        this player's pawns can then run to the far rank first, whatever the opponent does. It is -10 if one of the opponent's
        pawns can do so, whatever this player does.
        """
        _check_game(self._rules, state)
        position = _position(self._rules, state)
        moves = position.moves()
        odds = [self._odds(-score) for score in _static_scores([position.push(move) for move in moves])]
        largest = max(odds, default=0.0)
        shares = [math.exp((each - largest) / self._temperature) for each in odds]
        total = sum(shares)
        return sorted((theirs.action_of(position, move), share / total) for move, share in zip(moves, shares))

    def close(self) -> None:
        """Free the memory of searches; closing it again does nothing."""
        if self._engine is not None:
            self._engine.close()

    def __enter__(self) -> Evaluator:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _odds(self, score: int) -> float:
        return max(-SURE, min(SURE, score / self._scale))


def board_of(state: pyspiel.State) -> Board:
    """The `Board` of a state, with the moves played.

    Raises:
        ValueError: The game is not Breakthrough on a board of 2 to 8 columns and 4 to 8 rows.
    """
    board = board_at(theirs.start_of(_rules_of(state.get_game())))
    for action in state.history():
        board.push(move_text(board._position, theirs.move_of(board._position, action)))
    return board


def state_of(board: Board) -> pyspiel.State:
    """The state of a `Board`, with all moves.

    OpenSpiel cannot set up a position. So the board's moves must begin at the start position of OpenSpiel's game. They do so on
    every board from `board_of()`, and on every board that began as a new `Board` with at least six ranks.

    Raises:
        ValueError: The board is not of Breakthrough, or its moves do not begin at that position.
        TypeError: The argument is not a `Board`.
    """
    first = _first_of(board)
    if first.rules.family != "breakthrough":
        raise ValueError(f"a board of '{first.rules.name}': expected a board of Breakthrough")
    start = theirs.start_of(first.rules)
    if (first.bitboards, first.black_to_move) != (start.bitboards, False):
        raise ValueError(
            f"the moves begin at '{fen(first)}': OpenSpiel cannot set up a position, so they must begin at '{fen(start)}'"
        )
    state = pyspiel.load_game(f"breakthrough(rows={first.rules.ranks},columns={first.rules.files})").new_initial_state()
    position = start
    for text in board.moves:
        move = parse_move(position, text)
        state.apply_action(theirs.action_of(position, move))
        position = position.push(move)
    return state


def action_of(state: pyspiel.State, move: str) -> int:
    """The action of a move such as "a2a3". The move is written as on the `Board` of the state.

    Raises:
        ParseError: The text is not a move on this board.
        IllegalMove: The position does not allow the move.
    """
    position = _position(_rules_of(state.get_game()), state)
    return theirs.action_of(position, parse_move(position, move))


def move_of(state: pyspiel.State, action: int) -> str:
    """The move of a legal action, such as "a2a3". The move is written as on the `Board` of the state.

    Raises:
        ValueError: The action is not legal.
    """
    position = _position(_rules_of(state.get_game()), state)
    return move_text(position, theirs.move_of(position, action))


def _rules_of(game: Any) -> Rules:
    """The Rules of an OpenSpiel game. Raises TypeError, ValueError."""
    if not isinstance(game, pyspiel.Game):
        raise TypeError(f"game must be a pyspiel.Game, not {type(game).__name__}")
    if game.get_type().short_name != "breakthrough":
        raise ValueError(f"the game is '{game}': expected OpenSpiel's breakthrough")
    parameters = game.get_parameters()
    return theirs.rules_of(parameters["rows"], parameters["columns"])


def _check_game(rules: Rules, state: Any) -> None:
    """Raise TypeError or ValueError if this is not a state of the game."""
    if not isinstance(state, pyspiel.State):
        raise TypeError(f"state must be a pyspiel.State, not {type(state).__name__}")
    if _rules_of(state.get_game()) is not rules:
        raise ValueError(
            f"the state is of '{state.get_game()}': expected breakthrough(rows={rules.ranks},columns={rules.files})"
        )


def _checked(limit: Any) -> Limit:
    """The limit, if it has no clocks. Raises TypeError, ValueError."""
    if not isinstance(limit, Limit):
        raise TypeError(f"limit must be a pawnstorm.Limit, not {type(limit).__name__}")
    if limit.white_clock is not None or limit.black_clock is not None:
        raise ValueError("OpenSpiel has no clock: expected a limit of time, depth, nodes or mate")
    return limit


def _position(rules: Rules, state: Any) -> Position:
    """The position of a state. If the game is over, the side to move is the side that did not make the last move."""
    rows = [line[1:] for line in str(state).split("\n")[: rules.ranks]]
    return theirs.board_of(rules, rows, state.move_number() % 2)


def _first_of(board: Any) -> Position:
    """The position at which a Board begins. Raises TypeError."""
    if not isinstance(board, Board):
        raise TypeError(f"board must be a pawnstorm.Board, not {type(board).__name__}")
    first: Position = board._positions[0]
    return first


def _static_scores(positions: Iterable[Position]) -> list[int]:
    """The score of each position without a search, in centipawns for the side to move.

    If the game is over or decided by a race (engine/pawnstorm/kernels/race.py), the score is WIN - n for a win and n - WIN for
    a loss within n plies.
    """
    scores = []
    for position in positions:
        if position.is_game_over():
            scores.append(-WIN)
        elif plies := native.race(position.rules, *position.bitboards):
            scores.append(WIN - plies if plies > 0 else -WIN - plies)
        else:
            scores.append(native.evaluate(position.rules, *position.bitboards))
    return scores


def _value(score: int, scale: int) -> float:
    """The value, from -1 to 1, that belongs to a score in centipawns."""
    if abs(score) >= MIN_WIN_SCORE:
        return math.copysign(1.0, score)
    return math.tanh(score / (2 * scale))
