"""Prepares an engine for a match: sends its options, sets and checks its variant, and restarts it if it has died."""

from pawnstorm.games.notation import IllegalMove, ParseError, fen, parse_move
from pawnstorm.games.rules import UnknownGame, get_rules
from pawnstorm_protocol.client.option_faults import name_fault, value_fault
from pawnstorm_protocol.client.process import EngineError, EngineFault, EngineProcess
from pawnstorm_tools.referee.agent_client import CourseAgent
from pawnstorm_tools.referee.clock import MILLISECOND, SECOND
from pawnstorm_tools.referee.codingame_client import CodinGameBot
from pawnstorm_tools.referee.ugi_client import UGIProcess

PROTOCOLS = {"uci": EngineProcess, "ugi": UGIProcess, "codingame": CodinGameBot, "course": CourseAgent}
"""Values of proto= -> the classes that speak these protocols."""
ATTEMPTS = 3
PATIENCE = 10 * SECOND
"""Nanoseconds that answer() waits beyond movetime before an engine counts as hanging."""


class Player:
    """One engine process with its settings.

    These attributes exist after set_up():

    unknown_options    the given options that the engine does not have
    notes              the engine's messages while its options were set
    ponders            whether `go ponder` may be sent: the settings ask for it, the engine offers it, and the options allow it
    """

    def __init__(self, settings, rules, waker=None, log=None):
        self.settings, self.rules = settings, rules
        self.engine = (
            CourseAgent(settings, waker, log)
            if settings.proto == "course"
            else PROTOCOLS[settings.proto](
                settings.command, settings.directory, waker, log, settings.initstr, settings.stderr
            )
        )

    def start(self):
        """Start the program and set it up. Raises EngineError if it does not play the game, EngineFault if it hangs, or if it
        dies at each attempt.

        If it dies meanwhile, it is started again, up to ATTEMPTS times in all, because another process may have killed it.
        """
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return self.set_up()
            except EngineFault as fault:
                if fault.kind != "crash" or attempt == ATTEMPTS:
                    raise
                self.engine.kill()

    def set_up(self):
        """Try once to start the program and set its options and variant."""
        engine = self.engine
        engine.start()
        options = {name.lower(): (name, value) for name, value in self.settings.options}
        for name, value in self.settings.options:
            if "\n" in name + value:
                raise EngineError(f"option.{name}='{value}' has a line break: expected one line")
        if self.settings.ponder:
            options.setdefault("ponder", ("Ponder", "true"))
        self.fixed_variant = "uci_variant" in options
        _, variant = options.pop("uci_variant", (None, self.rules.name))
        self.unknown_options = [name for key, (name, _) in options.items() if key not in engine.options]
        known = [option for key, option in options.items() if key in engine.options]
        for name, value in known:
            if fault := value_fault(name, value, engine.options[name.lower()]):
                raise EngineError(f"{self.label}: {fault}")
        self.ponders = (
            self.settings.ponder
            and engine.can_ponder
            and "ponder" in engine.options
            and options["ponder"][1].lower() != "false"
        )
        engine.notes.clear()
        engine.send(*(f"setoption name {name} value {value}" for name, value in known))
        engine.sync()
        if "uci_variant" in engine.options:
            self.set_variant(variant)
        self.notes = list(engine.notes)

    def require_options(self, optional):
        """Raise EngineError if the engine lacks an option that was given and is not in `optional`."""
        wanted = {name for name, _ in self.settings.options} - set(optional)
        if unknown := [name for name in self.unknown_options if name in wanted]:
            raise EngineError(f"{self.label} has {name_fault(unknown, self.engine.option_names)}")

    @property
    def label(self):
        """The engine's name in errors: its name in the match, or else its own."""
        return self.settings.name or self.engine.name

    def set_variant(self, variant):
        """Set UCI_Variant and check that the engine has changed its game. Raises EngineError.

        Fairy-Stockfish silently keeps the old game if it does not know the new one.
        """
        engine, listed = self.engine, [word.lower() for word in self.engine.options["uci_variant"]]
        engine.variant_line = None
        engine.send(f"setoption name UCI_Variant value {variant}")
        engine.sync()
        line = engine.variant_line
        if line is None:
            if variant.lower() not in listed:
                raise EngineError(
                    f"{engine.name} does not know the variant '{variant}'; if it is Fairy-Stockfish, give it the file "
                    f"that defines it: option.VariantPath=scripts/variants.ini"
                )
            return
        name = line[3] if len(line) > 3 else ""
        if canonical(name) != canonical(variant):
            raise EngineError(f"{engine.name} plays '{name}' instead of '{variant}'")
        start = line[line.index("startpos") + 1 :][:2] if "startpos" in line else None
        if start and start != self.rules.start_fen.split()[:2]:
            raise EngineError(f"{engine.name} starts '{name}' from {' '.join(start)}, not from {self.rules.start_fen}")

    def new_game(self, opening=None, side=0, rules=None):
        """Prepare a game from a FEN, as White (0) or Black (1). Start the engine again if it has died or does not respond.

        rules: the Rules of the game, or None for those of the last game. Raises EngineFault if the engine also dies or hangs in
        the restart, and EngineError if its program cannot be run or does not play the game.
        """
        changed = rules not in (None, self.rules)
        self.rules = rules or self.rules
        if self.engine.alive():
            try:
                if changed and "uci_variant" in self.engine.options and not self.fixed_variant:
                    self.set_variant(self.rules.name)
                return self.engine.new_game(opening, side, self.rules)
            except EngineFault:
                pass
        self.engine.kill()
        try:
            self.start()
            self.engine.new_game(opening, side, self.rules)
        except EngineFault as fault:
            raise EngineFault(self.engine, "start", f"could not be started: {fault}") from None

    def answer(self, board, movetime):
        """Ask for a move in a position; returns (move, milliseconds until it came).

        movetime: the milliseconds that the engine is given. Raises EngineFault, also if the move is illegal.
        """
        engine = self.engine
        sent = engine.go(f"position fen {fen(board)}", f"movetime {movetime}")
        engine.expect(lambda: engine.bestmove is not None, movetime * MILLISECOND + PATIENCE, "bestmove")
        try:
            return parse_move(board, " ".join(engine.bestmove[1:2])), (engine.answered_at - sent) / MILLISECOND
        except (ParseError, IllegalMove) as error:
            raise EngineFault(engine, "illegal", str(error)) from None


def canonical(variant):
    """The name that Pawnstorm uses for a variant. If a game has several names, all of them give this one.

    A name that Pawnstorm does not know is only put into lower case.
    """
    try:
        return get_rules(variant).name
    except UnknownGame:
        return variant.lower()
