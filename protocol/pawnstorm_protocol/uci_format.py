"""Formats the engine's results as lines of UCI. Pure."""

import math

from pawnstorm.games.notation import line_text, move_text
from pawnstorm.search.limits import mate_in


def score_text(score):
    """The words after `score`: `cp 12` or `mate -3`."""
    mate = mate_in(score)
    return f"cp {score}" if mate is None else f"mate {mate}"


def wdl(score):
    """The expected (wins, draws, losses) in 1000 games at a score, by a logistic curve. Draws are always 0."""
    mate = mate_in(score)
    if mate is not None:
        return (1000, 0, 0) if score > 0 else (0, 0, 1000)
    wins = round(1000 / (1 + math.exp(-max(-2000, min(2000, score)) / 150)))
    return wins, 0, 1000 - wins


def info(report, show_wdl=False):
    """The `info` line of a search.limits.Info."""
    words = [f"info depth {report.depth}"]
    if report.depth:
        words.append(f"seldepth {report.seldepth} multipv {report.multipv}")
    # Some referees read `cp 0` with a line of one move as a draw. These games have no draws, so write `cp 1`.
    words.append("score " + score_text(report.score or int(len(report.pv) == 1)))
    if report.bound:
        words.append(report.bound + "bound")
    if show_wdl:
        words.append("wdl " + " ".join(map(str, wdl(report.score))))
    if report.depth:
        words.append(f"nodes {report.nodes} nps {report.nodes * 1000 // max(1, report.milliseconds)}")
        if report.hashfull is not None:
            words.append(f"hashfull {report.hashfull}")
        words.append(f"time {report.milliseconds}")
    if report.pv:
        words.append("pv " + line_text(report.board, report.pv))
    return " ".join(words)


def bestmove(board, best, ponder):
    """The line of a best move: `bestmove e2e4 ponder e7e5`, or `bestmove (none)` if best is None."""
    if best is None:
        return "bestmove (none)"
    reply = "" if ponder is None else f" ponder {move_text(board.push(best), ponder)}"
    return f"bestmove {move_text(board, best)}{reply}"


def variant(rules):
    """The line that follows a change of UCI_Variant. It has Fairy-Stockfish's form, because adapters read that form."""
    return (
        f"info string variant {rules.name} files {rules.files} ranks {rules.ranks} pocket 0 template fairy "
        f"startpos {rules.start_fen}"
    )
