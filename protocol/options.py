"""The options: name, type, default, bounds. What setting one does is the protocol's; here a text becomes a value or a fault."""

from engine import levels, rules
from engine.hashtable import MAX_MEBIBYTES

MAX_THREADS = 256


class Option:
    """One line of the option list. kind is UCI's type; a spin has bounds, a combo has choices, a button has no value."""

    def __init__(self, name, kind, default=None, low=None, high=None, choices=()):
        self.name, self.kind, self.default, self.low, self.high, self.choices = name, kind, default, low, high, choices

    def line(self):
        """How the option is told to a GUI."""
        text = f"option name {self.name} type {self.kind}"
        if self.kind == "check":
            text += f" default {'true' if self.default else 'false'}"
        elif self.kind != "button":
            text += f" default {self.default}"
        if self.kind == "spin":
            text += f" min {self.low} max {self.high}"
        return text + "".join(f" var {choice}" for choice in self.choices)

    def parse(self, text):
        """The value that a text gives this option. Raises ValueError."""
        if self.kind == "button":
            return None
        if text is None or not text.strip():
            raise ValueError(f"option {self.name} needs a value: expected {self._expected()}")
        text = text.strip()
        if self.kind == "spin":
            digits = text.removeprefix("-")
            if not (digits.isascii() and digits.isdigit() and len(digits) < 16 and self.low <= int(text) <= self.high):
                raise ValueError(f"option {self.name} cannot be '{text[:40]}': expected {self._expected()}")
            return int(text)
        if self.kind == "check":
            if text.lower() not in ("true", "false"):
                raise ValueError(f"option {self.name} cannot be '{text[:40]}': expected {self._expected()}")
            return text.lower() == "true"
        return text

    def _expected(self):
        if self.kind == "spin":
            return f"{self.low} to {self.high}"
        return {"check": "true or false", "combo": "a game, such as twoflags7x6"}[self.kind]


OPTIONS = {option.name.lower(): option for option in (
    Option("UCI_Variant", "combo", rules.DEFAULT, choices=rules.LISTED),
    Option("Hash", "spin", 16, 1, MAX_MEBIBYTES),
    Option("Threads", "spin", 1, 1, MAX_THREADS),
    Option("Ponder", "check", False),
    Option("OwnBook", "check", True),
    Option("MultiPV", "spin", 1, 1, 64),
    Option("Move Overhead", "spin", 10, 0, 10000),
    Option("Clear Hash", "button"),
    Option("UCI_LimitStrength", "check", False),
    Option("UCI_Elo", "spin", 1500, levels.LOWEST, levels.HIGHEST),
    Option("UCI_ShowWDL", "check", False),
    Option("UCI_AnalyseMode", "check", False),
)}
"""By lower-case name, in the order in which they are listed."""


def find(options, name):
    """The option of that name, in any case. Raises ValueError."""
    option = options.get(name.lower())
    if option is None:
        raise ValueError(f"no such option '{name[:40]}': expected one of {', '.join(known.name for known in options.values())}")
    return option
