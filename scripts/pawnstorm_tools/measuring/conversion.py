"""How often a player wins the games in which it has the winning side, from a match's PGN and the values of its openings."""

from collections import Counter
from typing import NamedTuple

from pawnstorm import pgn
from pawnstorm.games.notation import fen, parse_fen
from pawnstorm.games.position import Board
from pawnstorm.numbers import pluralize
from pawnstorm.pgn import comment_text
from pawnstorm_tools.common.random_openings import epd
from pawnstorm_tools.measuring.engine_measurement import share
from pawnstorm_tools.measuring.known_values import Position, Unsuitable
from pawnstorm_tools.referee.opening_book import check_variant

WINNERS = {"1-0": "White", "0-1": "Black"}


class Outcome(NamedTuple):
    """A game that was played to its end from a position of known value.

    number: which game of the file, from 1, not counting games that are cut off; players: names by colour; winner: a colour;
    ending: PGN's Termination
    """

    number: int
    position: Position
    players: dict
    winner: str
    ending: str

    @property
    def favourite(self):
        """The name of the player that had the winning side."""
        return self.players[self.position.winner]

    @property
    def converted(self):
        """Whether the player that had the winning side won."""
        return self.winner == self.position.winner


def tell(file, pgn_path):
    """Print how often the players of a match won with the winning side of a ValueFile's positions. Raises Unsuitable."""
    outcomes, left_out = read(pgn_path, file.rules, file.positions)
    for line in left_out:
        print(f"left out      {line}")
    if not outcomes:
        raise Unsuitable(
            f"none of the {pluralize(len(left_out), 'game')} in {pgn_path} was played to its end from a position whose value "
            f"{file.path} tells"
        )
    for line in failures(outcomes):
        print(line)
    print("\n".join(report(outcomes, len(left_out))), flush=True)


def read(path, rules, found):
    """Read a PGN file as (Outcomes, a line for each game that is left out, with the reason).

    found: the Positions of known value. A game without [FEN] began at the start. A game that is cut off is ignored.
    Raises OSError.
    """
    values = {epd(position.board): position for position in found}
    outcomes, left_out = [], []
    for number, played in enumerate(pgn.read(path), 1):
        try:
            check_variant(played.tags.get("Variant", ""), rules)
            board = parse_fen(rules, played.tags["FEN"]) if "FEN" in played.tags else Board.start(rules)
            if epd(board) not in values:
                raise ValueError(f"no value is known of {fen(board)}")
            if played.result not in WINNERS:
                raise ValueError(f"it has no winner: {played.result}")
        except ValueError as error:
            left_out.append(comment_text(f"game {number}: {error}"))
            continue
        players = {colour: comment_text(played.tags.get(colour, "?")) for colour in WINNERS.values()}
        ending = comment_text(played.tags.get("Termination", "normal"))
        outcomes.append(Outcome(number, values[epd(board)], players, WINNERS[played.result], ending))
    return outcomes, left_out


def report(outcomes, left_out):
    """The lines of a report on Outcomes. left_out: the number of games that were left out."""
    openings = {outcome.position.fen for outcome in outcomes}
    lines = [
        f"winning sides converted: {pluralize(len(outcomes), 'game')} from {pluralize(len(openings), 'opening')}, "
        f"{pluralize(left_out, 'game')} left out"
    ]
    names = list(dict.fromkeys(name for outcome in outcomes for name in outcome.players.values()))
    width = max(len("  as White"), *map(len, names))
    for name in names:
        own = [outcome for outcome in outcomes if outcome.favourite == name]
        lines.append(f"  {name:{width}}  {share([outcome.converted for outcome in own])}")
        for colour in WINNERS.values():
            part = [outcome.converted for outcome in own if outcome.position.winner == colour]
            lines.append(f"  {'  as ' + colour:{width}}  {share(part)}")
    # A win by the opponent's fault counts as a win, as in a match, and is listed here.
    faults = Counter(
        (outcome.players[outcome.winner], outcome.ending) for outcome in outcomes if outcome.ending != "normal"
    )
    return lines + [f"  not on the board: {count} won by {name} ({ending})" for (name, ending), count in faults.items()]


def failures(outcomes):
    """A line for each game in which the winning side lost."""
    for outcome in outcomes:
        if not outcome.converted:
            ending = "" if outcome.ending == "normal" else f" ({outcome.ending})"
            position = outcome.position
            yield f"not converted game {outcome.number}: {outcome.favourite} as {position.winner}: {position.fen}{ending}"
