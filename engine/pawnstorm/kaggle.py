"""An agent for Breakthrough in kaggle-environments, which uses OpenSpiel's game.

Example::

    from kaggle_environments import make
    from pawnstorm.kaggle import agent

    env = make("open_spiel_breakthrough", {"includeLegalActions": True})  # the agent "random" needs them
    env.run([agent, "random"])

`agent` plays at full strength and takes a second a move; `make_agent()` makes others. If Kaggle wants the path of an agent file,
give it this file, or a file with one line::

    from pawnstorm.kaggle import agent

This module does not import `kaggle-environments`: an agent only gets observations.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Optional

from pawnstorm.board import board_at
from pawnstorm.engine import Engine, Limit
from pawnstorm.games import openspiel as theirs
from pawnstorm.games.notation import parse_move
from pawnstorm.games.position import Board as Position

__all__ = ["agent", "make_agent"]

Observation = Mapping[str, Any]
Action = dict[str, int]
Agent = Callable[[Observation, Optional[Mapping[str, Any]]], Action]

SHARE = 0.5  # the largest share of Kaggle's time for a move that the engine uses
NO_ACTION = -1  # submitted when the agent is not to move


class _Player:
    """An agent's engine, and the step of its game."""

    def __init__(self, limit: Limit, elo: int | None) -> None:
        self._limit, self._elo = limit, elo
        self._engine: Engine | None = None
        self._step = 0

    def act(self, observation: Observation, configuration: Mapping[str, Any] | None) -> int:
        """The action to play, or NO_ACTION. Raises ValueError."""
        if self._engine is None:
            self._engine = Engine(elo=self._elo)  # made here: Kaggle's first call has no position and allows more time
        step, self._step = self._step, observation.get("step", 0)
        if self._step <= step:
            self._engine.new_game()
        position = _position(observation)
        if position is None:
            return NO_ACTION
        move = self._engine.play(board_at(position), self._limit_in(configuration or {})).move
        return theirs.action_of(position, parse_move(position, move))

    def _limit_in(self, configuration: Mapping[str, Any]) -> Limit:
        """The agent's limit, with a time of at most SHARE of Kaggle's time for a move."""
        given = configuration.get("actTimeout")
        if self._limit.time is None or not given:
            return self._limit
        return replace(self._limit, time=min(self._limit.time, SHARE * given))


def _position(observation: Observation) -> Position | None:
    """The position of an observation; None if the game has not begun, is over, or the other player is to move."""
    text = observation.get("observationString")
    player = observation.get("currentPlayer", NO_ACTION)
    if not text or player not in (0, 1) or player != observation.get("playerId", player):
        return None
    if text.startswith("{"):
        rows = ["".join(row) for row in json.loads(text)["board"]]
    else:  # the text of OpenSpiel's state, with rank numbers and file letters
        rows = [line[1:] for line in text.split("\n") if line[:1].isdigit()]
    return theirs.board_of(theirs.rules_of(len(rows), len(rows[0]) if rows else 0), rows, player)


def make_agent(limit: Limit | None = None, elo: int | None = None) -> Agent:
    """An agent: a function of Kaggle's observation and configuration that returns {"submission": action}.

    Args:
        limit: When the search for a move ends; by default after a second. A time above half of `actTimeout` is cut to that half.
        elo: The strength to play at, 800 to 3400. The default is full strength.

    Raises:
        TypeError: The limit is not a `Limit`.
    """
    if limit is None:
        limit = Limit(time=1)
    elif not isinstance(limit, Limit):
        raise TypeError(f"limit must be a pawnstorm.Limit, not {type(limit).__name__}")
    player = _Player(limit, elo)

    def agent(observation: Observation, configuration: Mapping[str, Any] | None = None) -> Action:
        return {"submission": player.act(observation, configuration)}

    return agent


agent = make_agent()
"""Plays at full strength, a second a move."""
