"""What a match is made of: plain values, whoever wrote them down."""

from dataclasses import dataclass, field

from engine.rules import Rules

from referee.adjudication import Resign
from referee.clock import Control
from referee.sprt import Sprt


@dataclass(frozen=True)
class EngineSettings:
    """How to run one engine and what it may spend. name is "" until the engine was asked for its own.

    port    where an agent of the Two Flags course is waited for, started by the command if there is one; None for a UCI engine
    """

    command: str
    control: Control
    name: str = ""
    directory: str | None = None
    options: tuple[tuple[str, str], ...] = ()
    port: int | None = None


@dataclass
class Book:
    """Where the openings come from: a file in `format` (None: as its name says); of a PGN game the first `plies` (None: all).

    order   "sequential" or "random", shuffled by the seed
    """

    file: str
    format: str | None = None
    plies: int | None = None
    order: str = "sequential"
    seed: int = 0


@dataclass
class Settings:
    """One match. games is 1 or 2 a round, swap whether colours alternate; book, cluster, sprt, resign and the paths are None where not
    asked for."""

    engines: list[EngineSettings] = field(default_factory=list)
    rules: Rules = None
    tournament: str = "roundrobin"
    book: Book | None = None
    games: int = 2
    swap: bool = True
    rounds: int = 1
    concurrency: int = 1
    cluster: str | None = None
    ponder: bool = False
    sprt: Sprt | None = None
    resign: Resign | None = None
    pgnout: str | None = None
    report: str | None = None
    resume: str | None = None
    debug: str | None = None
