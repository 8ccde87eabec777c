"""Which games a match consists of, and in what order."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Pairing:
    """One game to play: its number in the match, its round as PGN writes it, the engines' indices, the opening's FEN."""

    game: int
    round: str
    white: int
    black: int
    opening: str


def meetings(tournament, engines):
    """Who meets whom in a round: pairs of indices, the lower first; in a gauntlet engine 0 meets each other."""
    return [
        (first, second)
        for first in range(1 if tournament == "gauntlet" else engines)
        for second in range(first + 1, engines)
    ]


def of_match(settings, openings):
    """The Pairings of a match by its Settings, from openings as FENs."""
    pairs = meetings(settings.tournament, len(settings.engines))
    return pairings(settings.games, settings.rounds, openings, pairs, settings.swap, settings.reverse)


def pairings(games, rounds, openings, meetings=((0, 1),), swap=True, reverse=False):
    """Every game of a match, in order.

    A round is one opening: in each meeting it is played `games` times with colours swapped, so that the two games of a
    pair have numbers 2k - 1 and 2k. With one game a round the first engine of a meeting is White in every other round.
    Without `swap` it is White in every game. `reverse` exchanges the colours of every game. Rounds come one after the
    other: a match that is stopped, or gets more rounds later, is as even as it can be, and no game changes its number.
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
