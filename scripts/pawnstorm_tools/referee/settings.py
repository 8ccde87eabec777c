"""What a match is made of: plain values, whoever wrote them down."""

from dataclasses import dataclass, field

from pawnstorm.games.rules import Rules
from pawnstorm.numbers import pluralize
from pawnstorm_tools.referee.agent_keys import AgentSettings
from pawnstorm_tools.referee.clock import TimeControl
from pawnstorm_tools.referee.sprt_math import Sprt


@dataclass(frozen=True)
class Resign:
    """An engine has lost that has said `score` centipawns below zero, or worse, for `moves` of its own moves in a row.

    twosided    if, besides, its opponent has said `score` above zero, or better, for as many of its own

    The rule of cutechess-cli's `-resign movecount= score= twosided=`. A move without a score begins the count again.
    """

    moves: int
    score: int
    twosided: bool = False

    def __str__(self):
        opponent = f", the opponent's at +{self.score} or better" if self.twosided else ""
        return f"{pluralize(self.moves, 'move')} at -{self.score} centipawns or worse{opponent}"


@dataclass(frozen=True)
class EngineSettings:
    """How to run one engine and what it may spend. name is "" until the engine was asked for its own.

    proto    its protocol: a key of player.PROTOCOLS
    port     where an agent of the Two Flags course is waited for, started by the command if there is one;
             None for any other engine
    agent    what that agent understands, None for any other engine
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
    """Where the openings come from: a file in `format` (None: as its name says); of a PGN game the first `plies` moves
    are played (None: all).

    order   "sequential" or "random", shuffled by the seed
    start   the first of them in that order, counted from 1; those before it come last
    white_first   whether those with Black to move are left out
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
        """ "pgn" or "epd"."""
        return self.format or ("pgn" if self.file.lower().endswith(".pgn") else "epd")


@dataclass
class Settings:
    """One match. Paths, names and what else is None were not asked for.

    games            1 or 2 a round
    swap             whether colours alternate; reverse: whether those of every game are exchanged
    penta            whether the results of pairs are counted; None: where there are pairs
    append           whether pgnout keeps what it holds when a match begins
    page             the address of page.py's page, seen from the report
    wait             milliseconds between two games
    score_interval, rating_interval
                     after how many games a line with the score, or with the ratings too, is printed; 0: never
    notes            what the user is to be told of words that do nothing
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
        """Whether the unit of the statistics and of the test is the pair, games 2k - 1 and 2k, rather than the game."""
        return self.games == 2 and self.penta is not False
