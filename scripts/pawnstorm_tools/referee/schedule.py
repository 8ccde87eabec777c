"""Lists the games of a match in their order."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Pairing:
    """A game to play: its number in the match, its round in the form of PGN, the engines' indices, and the opening's FEN."""

    game: int
    round: str
    white: int
    black: int
    opening: str


def meetings(tournament, engines):
    """The meetings of a round, as pairs of engine indices, lower index first. engines: the number of engines.

    In a gauntlet, engine 0 meets all others, and these do not meet.
    """
    return [
        (first, second)
        for first in range(1 if tournament == "gauntlet" else engines)
        for second in range(first + 1, engines)
    ]


def of_match(settings, openings):
    """The Pairings of a match by its Settings. openings: FENs."""
    pairs = meetings(settings.tournament, len(settings.engines))
    return pairings(settings.games, settings.rounds, openings, pairs, settings.swap, settings.reverse)


def pairings(games, rounds, openings, meetings=((0, 1),), swap=True, reverse=False):
    """The Pairings of all games of a match, in order.

    meetings: the pairs of engines that play each other, as indices. A round has one opening, which each meeting plays `games`
    times, 1 or 2. Two games are a pair: colours are swapped, and the games have the numbers 2k - 1 and 2k. With one game, the
    first engine of a meeting is White in the rounds 1, 3, 5, ... and Black in the others. Without `swap`, this engine is
    White in every game. `reverse` exchanges the colours of every game.

    The rounds come one after the other, so that a stopped match is as balanced as possible, and more rounds do not change a
    game's number.
    """
    made = []
    for turn in range(rounds):
        for place, pair in enumerate(meetings):
            for inside in range(games):
                first = (inside if games == 2 else turn % 2) if swap else 0
                if reverse:
                    first = 1 - first
                made.append(
                    Pairing(
                        len(made) + 1,
                        f"{turn + 1}.{place * games + inside + 1}",
                        pair[first],
                        pair[1 - first],
                        openings[turn % len(openings)],
                    )
                )
    return made
