"""The KEY=VALUE words of -engine for an agent of the Two Flags course (proto=course), and the settings that they make."""

from dataclasses import dataclass

from pawnstorm.games.rules import EN_PASSANT_SUFFIXES, Rules
from pawnstorm_protocol.client.pump import SECOND
from pawnstorm_protocol.course.client_board import twoflags_rules
from pawnstorm_protocol.course.dialects import DIALECTS, NEWLINES, Dialect, customized, whole_units
from pawnstorm_tools.referee.flag_values import Key, choice, text

KEYS = {
    "firstmove": Key(
        choice("white", "either"),
        "for proto=course, as are the next seven keys. white: the agent gets only openings with White to move; either: it "
        "understands BLACK at the end of a Setup (white)",
    ),
    "minutes": Key(
        choice("whole", "fractions"),
        "whole: Time is a whole number of minutes, at least 1; fractions: 0.25 will do (whole)",
    ),
    "enpassant": Key(
        choice(*EN_PASSANT_SUFFIXES),
        "the rule of its games, for its opponents too; ghost: the captured pawn stays on its square (standard)",
    ),
    "dialect": Key(
        text("NAME", "a dialect"), f"how to speak to it: {' '.join(DIALECTS)}; shown by `pawnstorm course -h` (course)"
    ),
    "greeting": Key(text("TEXT", "a text", empty=True), "a first line to greet it with, such as Connected"),
    "role": Key(
        text("LINE", "a line", empty=True),
        "the line that tells White its colour, such as 'Color W'; Black's is derived from it",
    ),
    "move": Key(
        text("LINE", "a line", empty=True),
        "the line that reports a move, written for the move e2e4, such as 'MOVE e2e4'",
    ),
    "newline": Key(text("|".join(NEWLINES), "a newline", empty=True), "what ends a line"),
}


@dataclass(frozen=True)
class AgentSettings:
    """The dialect for an agent, and what the agent understands. rules: the Rules of its games."""

    dialect: Dialect = DIALECTS["course"]
    white_first: bool = True
    whole: bool = True
    mode: str = "standard"

    @property
    def rules(self) -> Rules:
        return twoflags_rules(self.mode)

    def time(self, base):
        """The seconds that the agent is told. base: its clock in nanoseconds."""
        return whole_units(self.dialect, base / SECOND) if self.whole else base / SECOND


def settings(values):
    """The AgentSettings for one engine's words. values: key -> value. Raises ValueError that names the word."""
    dialect = customized(
        values.get("dialect", "course"), *(values.get(key) for key in ("greeting", "role", "move", "newline"))
    )
    return AgentSettings(
        dialect,
        values.get("firstmove") != "either",
        values.get("minutes") != "fractions",
        values.get("enpassant", "standard"),
    )


def rules_between(rules, *engines):
    """The Rules of a game between engines: the rules of an agent, if one of the engines is an agent, otherwise `rules`.

    rules: the Rules of the match. engines: EngineSettings. Raises ValueError if two agents have different rules.
    """
    found = {engine.agent.mode: engine.agent.rules for engine in engines if engine.agent}
    if len(found) > 1:
        modes = " and ".join(sorted(found))
        raise ValueError(f"enpassant: agents that play {modes} cannot meet: expected the same rule for both")
    return next(iter(found.values()), rules)


def clock_warning(engine):
    """The warning if an agent is told another time than its clock has, or ""."""
    told, base = engine.agent.time(engine.time_control.base), engine.time_control.base / SECOND
    if told == base:
        return ""
    return (
        f"the agent at port {engine.port} has {base:g} s but is told {told / 60:g} min: expected tc= of whole "
        "minutes, or minutes=fractions for an agent that reads them"
    )
