"""The UCI options: a row of OPTIONS has an option's name, type, default and bounds, and what happens when it is set.

To add an option, add a row. Its effect is a function of (uci, value). uci is the UCIEngine of uci.py. `uci.values` is a dict
option name -> value. During the call, it still has the old value of this option.
"""

from pawnstorm.evaluation import networks
from pawnstorm.games import rules
from pawnstorm.numbers import parse_int
from pawnstorm.search import settings
from pawnstorm.suggestions import did_you_mean

EMPTY = "<empty>"  # how UCI writes an empty string


class Option:
    """One option.

    kind: UCI's type. A spin has bounds, a combo has choices, a string may be EMPTY, and a button has no value.
    effect: None if the value is only stored, and read when it is needed.
    """

    def __init__(self, name, kind, default=None, low=None, high=None, choices=(), effect=None):
        self.name, self.kind, self.default, self.low, self.high, self.choices = name, kind, default, low, high, choices
        self.effect = effect

    def line(self):
        """The line that announces the option to a GUI."""
        text = f"option name {self.name} type {self.kind}"
        if self.kind == "check":
            text += f" default {'true' if self.default else 'false'}"
        elif self.kind != "button":
            text += f" default {self.default}"
        if self.kind == "spin":
            text += f" min {self.low} max {self.high}"
        return text + "".join(f" var {choice}" for choice in self.choices)

    def parse(self, text):
        """The option's value that a text means; None for a button. Raises ValueError.

        text: None if the command gave no value. Then a string is EMPTY, and a check, spin or combo raises the error.
        """
        if self.kind == "button":
            return None
        text, place = (text or "").strip(), f"for option {self.name}"
        if self.kind == "spin":
            return parse_int(text, self.low, self.high, place)
        if self.kind == "check" and text.lower() in ("true", "false"):
            return text.lower() == "true"
        if self.kind == "combo" and text:
            return text  # games that are not listed can be set as well
        if self.kind == "string":
            return text or EMPTY
        expected = "true or false" if self.kind == "check" else "a game, such as twoflags7x6"
        raise ValueError(f"'{text[:40]}' {place}: expected {expected}")

    def set(self, uci, text):
        """Set the option to the value that a text names. Raises ValueError or MemoryError, and then keeps the old value."""
        value = self.parse(text)
        if self.effect:
            self.effect(uci, value)
        uci.values[self.name] = value


def spin(setting, effect):
    """The option that changes one of the engine's settings (search/settings.py)."""
    return Option(setting.name, "spin", setting.default, setting.low, setting.high, effect=effect)


def _set_strength(uci, limited, elo):
    uci.engine.elo = elo if limited else None


def _set_network(uci, path):
    try:
        networks.set_eval_file(None if path == EMPTY else path)
    except OSError as error:
        raise ValueError(f"'{path}' for option EvalFile: {error.strerror or error}") from error
    uci.engine.clear_hash()  # its scores come from the previous network


def _set_book(uci, own, analysing):
    uci.engine.own_book = own and not analysing


OPTIONS = {
    option.name.lower(): option
    for option in (
        Option(
            "UCI_Variant",
            "combo",
            rules.DEFAULT_GAME,
            choices=rules.GUI_GAMES,
            effect=lambda uci, name: uci.set_game(name),
        ),
        spin(settings.HASH, effect=lambda uci, size: uci.engine.set_hash(size)),
        spin(settings.THREADS, effect=lambda uci, count: uci.engine.set_threads(count)),
        Option("Ponder", "check", False),  # `go ponder` works either way
        Option("OwnBook", "check", True, effect=lambda uci, on: _set_book(uci, on, uci.values["UCI_AnalyseMode"])),
        spin(settings.MULTIPV, effect=lambda uci, lines: setattr(uci.engine, "multipv", lines)),
        spin(settings.OVERHEAD, effect=lambda uci, ms: setattr(uci.engine, "overhead", ms)),
        Option("Clear Hash", "button", effect=lambda uci, _: uci.engine.clear_hash()),
        Option(
            "UCI_LimitStrength", "check", False, effect=lambda uci, on: _set_strength(uci, on, uci.values["UCI_Elo"])
        ),
        spin(settings.ELO, effect=lambda uci, elo: _set_strength(uci, uci.values["UCI_LimitStrength"], elo)),
        Option("EvalFile", "string", EMPTY, effect=lambda uci, path: _set_network(uci, path)),
        Option("UCI_ShowWDL", "check", False),  # read with each report
        Option("UCI_AnalyseMode", "check", False, effect=lambda uci, on: _set_book(uci, uci.values["OwnBook"], on)),
    )
}
"""Name in lower case -> Option, in the order in which `uci` lists them."""


def find_option(options, name):
    """Find an option by its name, in upper or lower case. Raises ValueError if there is none."""
    option = options.get(name.lower())
    if option is None:
        names = [known.name for known in options.values()]
        raise ValueError(f"no such option '{name[:40]}'{did_you_mean(name, names)}: expected one of {', '.join(names)}")
    return option
