"""Environments for learning agents, with PettingZoo's AEC interface: Two Flags, Breakthrough and Hexapawn, on every board.

Example::

    from pawnstorm.pettingzoo import env

    game = env("breakthrough", render_mode="ansi")
    game.reset(seed=1)
    for agent in game.agent_iter():
        observation, reward, termination, truncation, info = game.last()
        over = termination or truncation
        game.step(None if over else game.action_space(agent).sample(observation["action_mask"]))

**Agents.** "player_0" is White, "player_1" is Black. White moves first.

**Observation.** It is a dictionary. "observation" is an int8 array (3, ranks, files) of zeros and ones. It shows the board as the
agent sees it: the agent's own pawns move up. So for Black, rank 0 of the array is the top rank of the board. File 0 is the a-file
for both. ::

    plane   is 1 on
    0       the squares of the agent's own pawns
    1       the squares of the opponent's pawns
    2       the square on which an en passant capture may land; on none if there is no such capture

"action_mask" is an int8 array with a 1 for each legal action. It is all zeros for an agent who is not to move.

**Actions.** They are the numbers of `pawnstorm.Board.move_to_action()`. They too are seen from the agent's side of the board. ::

    action = (direction * ranks + rank) * files + file    rank and file, from 0, of the square that the pawn leaves
    direction   0 towards the a-file, 1 straight, 2 towards the h-file, 3 a double step (in Two Flags only)

**Rewards.** At the end of the game, the winner gets 1 and the loser -1. All other rewards are 0. There are no draws. In `env()`
an illegal action ends the game: the agent that played it gets -1 and the other one 0, as in PettingZoo's classic games. In
`raw_env` it raises IllegalMove.

**Options.** `reset(options={"fen": FEN})` starts from another position. Nothing is random, so `seed` changes nothing.

Newer versions of PettingZoo can also make an environment by name. After `import pawnstorm.pettingzoo`, call
`pettingzoo.make("aec", "pawnstorm/breakthrough-v0")`; twoflags and hexapawn have such names too. The argument
`game="breakthrough6"` chooses another board.

PettingZoo is an extra: `pip install 'pawnstorm[pettingzoo]'`.
"""

from __future__ import annotations

from operator import attrgetter, index
from struct import pack
from typing import Any

from pawnstorm.games.actions import action_count, directions, move_of, sources
from pawnstorm.games.notation import IllegalMove, diagram, fen, parse_fen
from pawnstorm.games.position import Board as Position
from pawnstorm.games.rules import FAMILIES, Rules, get_rules

try:
    import numpy as np
    import pettingzoo
    from gymnasium import logger, spaces
    from numpy.typing import NDArray
    from pettingzoo.utils import wrappers
    from pettingzoo.utils.env_logger import EnvLogger
except ImportError as error:
    raise ImportError("pawnstorm.pettingzoo needs PettingZoo: pip install 'pawnstorm[pettingzoo]'") from error

__all__ = ["env", "raw_env"]

Observation = dict[str, NDArray[np.int8]]
WHITE, BLACK = AGENTS = ("player_0", "player_1")
RENDER_MODES = ["human", "ansi"]
OTHER = {WHITE: BLACK, BLACK: WHITE}


def env(game: str = "breakthrough", render_mode: str | None = None) -> pettingzoo.AECEnv:
    """An environment that checks actions and the order of calls.

    Args:
        game: The name of a game, such as "breakthrough" or "twoflags6x6", as `pawnstorm.Board` takes it.
        render_mode: "ansi": `render()` returns a diagram. "human": each diagram is printed. None: nothing is drawn.

    Raises:
        UnknownGame: No game has this name, or the game is not played on a board of this size.
        ValueError: There is no such render mode.
    """
    return _Checked(raw_env(game, render_mode))


class _Checked(wrappers.OrderEnforcingWrapper):  # type: ignore[misc]  # PettingZoo has no annotations for type checkers
    """A wrapper that does the work of three of PettingZoo's wrappers, in a fraction of their time.

    The three are TerminateIllegalWrapper, AssertOutOfBoundsWrapper and OrderEnforcingWrapper.
    """

    env: raw_env
    # Before reset() the environment does not have these, and __getattr__() raises the error that says so.
    agents = property(attrgetter("env.agents"))
    agent_selection = property(attrgetter("env.agent_selection"))
    rewards = property(attrgetter("env.rewards"))
    terminations = property(attrgetter("env.terminations"))
    truncations = property(attrgetter("env.truncations"))

    def __str__(self) -> str:
        return str(self.env)

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        return self.env.last(observe) if self._has_reset else super().last(observe)

    def step(self, action: int | None) -> None:
        game = self.env
        if not self._has_reset or not game.agents:
            super().step(action)
            return
        self._has_updated = True
        agent = game.agent_selection
        try:
            game.step(action)
        except (TypeError, ValueError):
            assert game.action_space(agent).contains(action), "action is not in action space"
            if game.terminations[agent]:
                raise
            EnvLogger.warn_on_illegal_move()
            game.lose_by_illegal_action()


class raw_env(pettingzoo.AECEnv):  # type: ignore[misc]
    """An environment without wrappers, for programs that need speed; its arguments are those of `env()`."""

    metadata: dict[str, Any] = {
        "render_modes": RENDER_MODES,
        "name": "pawnstorm_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, game: str = "breakthrough", render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"render_mode '{render_mode}': expected None, 'human' or 'ansi'")
        self.render_mode = render_mode
        self.rules = rules = get_rules(game)
        self.metadata = {**self.metadata, "name": f"{rules.name}_v0"}
        self._moves = [_action(rules, number) for number in range(action_count(rules))]
        self._no_moves = [0] * directions(rules)
        self._format = f"<{3 + directions(rules)}Q"  # of the bitboards that make up an observation
        bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
        self._row_squares = bits[:, : rules.files].astype(np.int8)  # by byte of a bitboard: each byte is a rank
        self.possible_agents = list(AGENTS)
        self.action_spaces = {agent: spaces.Discrete(action_count(rules)) for agent in AGENTS}
        planes, mask = (3, rules.ranks, rules.files), (action_count(rules),)
        self.observation_spaces = {
            agent: spaces.Dict(
                {"observation": spaces.Box(0, 1, planes, np.int8), "action_mask": spaces.Box(0, 1, mask, np.int8)}
            )
            for agent in AGENTS
        }

    def observation_space(self, agent: str) -> spaces.Dict[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[np.int64]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game.

        Args:
            seed: Ignored, since nothing is random.
            options: {"fen": FEN} starts from this position. The game must not be over in it. Other keys are ignored.

        Raises:
            ParseError: The FEN is wrong.
            ValueError: The game is over in that position.
            TypeError: The FEN is not a str.
        """
        given = (options or {}).get("fen")
        if not isinstance(given, (str, type(None))):
            raise TypeError(f"options['fen'] must be a str, not {type(given).__name__}")
        start = Position.start(self.rules) if given is None else parse_fen(self.rules, given)
        if start.is_game_over():
            raise ValueError(f"the game is over in '{given}': expected a position with a legal move")
        self.agents = list(AGENTS)
        self.rewards: dict[str, float] = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._skip_agent_selection = None
        self._set(start)

    def _set(self, position: Position) -> None:
        """Make this the current position."""
        self._position = position
        self._sources = self._no_moves if position.opp & self.rules.home else sources(self.rules, *position.bitboards)
        self.agent_selection = AGENTS[position.black_to_move]
        if self.render_mode == "human":
            print(diagram(position))

    def step(self, action: int | None) -> None:
        """Play an action of the agent that is to move. If that agent has terminated, the action must be None.

        Raises IllegalMove, or TypeError if the action is not an integer.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._set(self._position.push(self._legal_move(action)))
        self._cumulative_rewards[agent] = 0
        if not any(self._sources):
            self.rewards = {agent: 1, OTHER[agent]: -1}
            self.terminations = dict.fromkeys(AGENTS, True)
            self._accumulate_rewards()

    def _legal_move(self, action: int | None) -> int:
        """The move of an action. Raises IllegalMove, or TypeError if it is not an integer."""
        if action is not None and 0 <= (number := index(action)) < len(self._moves):
            direction, origin, move = self._moves[number]
            if self._sources[direction] & origin:
                return move
        raise IllegalMove(
            f"illegal action {action} in {fen(self._position)}: expected an action with a 1 in the action mask"
        )

    def lose_by_illegal_action(self) -> None:
        """End the game: the agent that is to move gets -1, the other 0."""
        loser = self.agent_selection
        self.rewards = {agent: -1.0 if agent == loser else 0 for agent in AGENTS}
        self._cumulative_rewards[loser] = 0
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(AGENTS, True)
        self.truncations = dict.fromkeys(AGENTS, True)
        self._deads_step_first()

    def observe(self, agent: str) -> Observation:
        """The observation of an agent, with its action mask, in new arrays. Raises ValueError if there is no such agent."""
        if agent not in OTHER:
            raise ValueError(f"agent '{agent}': expected 'player_0' or 'player_1'")
        rules, position = self.rules, self._position
        own, opp, ep = position.bitboards
        legal = self._sources
        if agent != AGENTS[position.black_to_move]:
            own, opp, ep = rules.flip(opp), rules.flip(own), rules.flip(ep)
            legal = self._no_moves
        rows = np.frombuffer(pack(self._format, own, opp, ep, *legal), np.uint8)
        squares = self._row_squares.take(rows, 0).reshape(-1, 8, rules.files)[:, : rules.ranks]
        return {"observation": squares[:3], "action_mask": squares[3:].reshape(-1)}

    def render(self) -> str | None:
        """A diagram of the board if the render mode is "ansi", else None."""
        if self.render_mode is None:
            logger.warn("render() draws nothing: expected an environment with render_mode='ansi' or 'human'")
        return diagram(self._position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


def _action(rules: Rules, number: int) -> tuple[int, int, int]:
    """(direction, bit of the square that the pawn leaves, move) of an action."""
    move = move_of(rules, number)
    return number // (rules.ranks * rules.files), 1 << (move & 63), move


if hasattr(pettingzoo, "register"):
    for _family in FAMILIES:
        pettingzoo.register("aec", f"pawnstorm/{_family}-v0", f"{__name__}:env", kwargs={"game": f"{_family}"})
