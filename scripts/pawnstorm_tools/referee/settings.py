"""The settings of a match, as plain values that do not depend on the command line."""

from dataclasses import dataclass, field

from pawnstorm.games.rules import Rules
from pawnstorm.numbers import pluralize
from pawnstorm_tools.referee.agent_keys import AgentSettings
from pawnstorm_tools.referee.clock import TimeControl
from pawnstorm_tools.referee.sprt_math import Sprt


@dataclass(frozen=True)
class Resign:
    """When an engine resigns: after `moves` of its own moves in a row with a score of -`score` centipawns or worse.

    twosided    whether its opponent must also have had a score of `score` or better for as many of its own moves

    This is the rule of cutechess-cli's `-resign movecount= score= twosided=`. A move without a score restarts the count.
    """

    moves: int
    score: int
    twosided: bool = False

    def __str__(self):
        opponent = f", the opponent's at +{self.score} or better" if self.twosided else ""
        return f"{pluralize(self.moves, 'move')} at -{self.score} centipawns or worse{opponent}"


@dataclass(frozen=True)
class EngineSettings:
    """How to run one engine, and its limits.

    name     its name in the match; "" if the engine's own name is used
    proto    its protocol: a key of player.PROTOCOLS
    port     the port to which an agent of the Two Flags course connects; None for any other engine. The agent is started by
             the command, or by the user if the command is ""
    agent    the AgentSettings of that agent; None for any other engine
    ponder   whether it may think in its opponent's time
    restart  whether it is ended after each game
    initstr  lines to send before `uci` or `ugi`
    stderr   the file to which its stderr is appended, or None
    """

    command: str
    time_control: TimeControl
    name: str = ""
    directory: str | None = None
    options: tuple[tuple[str, str], ...] = ()
    port: int | None = None
    agent: AgentSettings | None = None
    ponder: bool = False
    restart: bool = False
    initstr: tuple[str, ...] = ()
    stderr: str | None = None
    proto: str = "uci"


@dataclass
class Book:
    """The source of the openings.

    format        the form of the file: "pgn" or "epd", or None to go by the file's name
    plies         how many moves of a PGN's game are played, or None for all
    order         "sequential", or "random": shuffled by the seed
    start         the number of the first opening in that order, from 1. The openings before it come last
    white_first   whether openings with Black to move are left out
    """

    file: str
    format: str | None = None
    plies: int | None = None
    order: str = "sequential"
    seed: int = 0
    start: int = 1
    white_first: bool = False

    @property
    def kind(self):
        """The form of the file: "pgn" or "epd"."""
        return self.format or ("pgn" if self.file.lower().endswith(".pgn") else "epd")


@dataclass
class Settings:
    """One match. A setting is None if it was not asked for.

    games            1 or 2 games in a round
    swap             whether colours alternate
    reverse          whether the colours of every game are exchanged
    penta            whether the results of pairs are counted; None to count them if there are pairs
    append           whether a new match keeps the contents of pgnout
    page             the address of page.py's page, relative to the report
    wait             milliseconds between two games
    score_interval   N to print a line with the score after every N games; 0 for never
    rating_interval  N to print the score and the ratings after every N games; 0 for never
    notes            messages to the user about words that have no effect
    """

    engines: list[EngineSettings] = field(default_factory=list)
    rules: Rules = None
    tournament: str = "roundrobin"
    book: Book | None = None
    games: int = 2
    swap: bool = True
    reverse: bool = False
    rounds: int = 1
    concurrency: int = 1
    cluster: str | None = None
    wait: int = 0
    ponder: bool = False
    sprt: Sprt | None = None
    resign: Resign | None = None
    pgnout: str | None = None
    append: bool = True
    event: str | None = None
    site: str | None = None
    report: str | None = None
    page: str | None = None
    penta: bool | None = None
    resume: str | None = None
    debug: str | None = None
    score_interval: int = 0
    rating_interval: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def pairs(self):
        """Whether the unit of the statistics and of the test is the pair (games 2k - 1 and 2k) and not the game."""
        return self.games == 2 and self.penta is not False
