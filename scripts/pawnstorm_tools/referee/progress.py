"""Prints the progress of a match: a line for each finished game, and the score.

The progress bar shows the score all the time. Lines with the score come at the intervals of -scoreinterval and
-ratinginterval. output.py makes the texts.
"""

import contextlib
import os
import sys
from collections import Counter

from pawnstorm.pgn import comment_text
from pawnstorm_tools.referee import output, stats


class Progress:
    """Counts and prints the finished games of a match.

    names   the engines' names
    bar     a tqdm, on stderr
    games   number -> record. The caller adds a finished game here before it calls add()
    """

    def __init__(self, settings, names, bar, games):
        self.settings, self.names, self.bar, self.games = settings, names, bar, games
        self.tally = stats.tally([], settings.pairs)
        self.won, self.played = Counter(), Counter()
        self.stream = stream(settings.pgnout)
        if settings.rating_interval and len(names) > 2:
            from pawnstorm_tools.referee import standings  # noqa: F401  numpy loads now, not while the clocks run
        for record in games.values():
            self.count_game(record)
        self.update_bar()

    def add(self, record):
        """Print the lines that are due after a game. Its record is already among the games."""
        self.count_game(record)
        self.print_line(output.finished_line(record))
        count = len(self.games)
        if due(self.settings.rating_interval, count):
            records, pairs = list(self.games.values()), self.settings.pairs
            self.print_line("\n".join(output.ratings(records, self.names, pairs, self.settings.sprt)))
        elif due(self.settings.score_interval, count):
            self.print_line(self.score())
        self.update_bar()
        self.bar.update()

    def decided(self):
        """Whether the match's test has a verdict."""
        return bool(self.settings.sprt and self.settings.sprt.verdict(self.settings.sprt.llr(self.tally.counts)))

    def count_game(self, record):
        if len(self.names) == 2:
            self.tally.add(record["game"], stats.points(record))
        self.won[record["white" if record["result"] == "1-0" else "black"]] += 1
        self.played.update((record["white"], record["black"]))

    def print_line(self, text):
        """Print a text. It goes above the bar if both are on a terminal."""
        if all(stream is not None and stream.isatty() for stream in (self.stream, sys.stderr)):
            self.bar.write(text, file=self.stream)
        else:
            print(text, file=self.stream, flush=True)

    def score(self):
        """The line of -scoreinterval."""
        count = len(self.games)
        if len(self.names) > 2:
            return output.standing_line(count, self.entries())
        return output.score_line(self.won[self.names[0]], count, self.names)

    def update_bar(self):
        """Put the score into the bar, if it is shown."""
        if self.bar.disable:
            return
        if len(self.names) > 2:
            others = 42 + 2 * len(str(self.bar.total))  # characters of the percentage, the games and the times
            text = output.standing(self.entries(), (self.bar.ncols or 80) - others)
        else:
            ratio = self.settings.sprt.llr(self.tally.counts) if self.settings.sprt else None
            text = output.bar_score(self.won[self.names[0]], len(self.games), ratio)
        self.bar.set_postfix_str(text, refresh=False)

    def entries(self):
        """(name, won, played) of the engines that have played, best first."""
        ranked = sorted(self.played, key=lambda name: (-self.won[name] / self.played[name], self.names.index(name)))
        return [(comment_text(name), self.won[name], self.played[name]) for name in ranked]


def stream(pgnout):
    """The stream of the lines: stdout, or stderr if the PGN goes to stdout."""
    with contextlib.suppress(OSError):
        if pgnout and os.path.samestat(os.stat(pgnout), os.fstat(1)):
            return sys.stderr
    return sys.stdout


def due(interval, count):
    return interval and count % interval == 0
