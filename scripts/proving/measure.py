"""What a UCI engine makes of positions of known value: whether it keeps a win, and whether it has proven who wins."""

import statistics

from scipy.stats import binomtest

from proving import asking
from referee.game import search_info
from protocol.uciclient import EngineFault

from engine.notation import move_text


def claim(info):
    """1 where an info line, as bytes, tells that the side to move is proven to win, -1 to lose, 0 neither. A bound tells one half only."""
    score, *_ = search_info(info)
    if not isinstance(score, str):
        return 0
    told = -1 if score.startswith("-") else 1
    return 0 if (b" upperbound" if told > 0 else b" lowerbound") in info else told


def ask(player, position, movetime):
    """The record of one search, from an empty table and of `movetime` ms: fen, move, claim, score as told and ms to the answer.

    Or fen and fault, in words, where there was no legal answer. Raises EngineFault when an engine that has died cannot be started again.
    """
    player.new_game()
    try:
        move, milliseconds = asking.answer(player, position.board, movetime)
    except EngineFault as fault:
        player.engine.kill()
        return {"fen": position.fen, "fault": f"{fault.kind}: {fault}"}
    info = player.engine.info
    return {"fen": position.fen, "move": move_text(position.board, move), "claim": claim(info), "score": search_info(info)[0],
            "ms": round(milliseconds, 1)}


def keeps(position, answer):
    """Whether a won position is still won after the answer."""
    return answer.get("move") in position.winning


def proves(position, answer):
    """Whether the answer came with a proof of the position's value."""
    return answer.get("claim") == position.value


def errs(position, answer):
    """Whether the answer came with a proof of the contrary."""
    return answer.get("claim") == -position.value


def share(counts):
    """`117 of 118  99.2 % (95 %: 95.4 to 100.0 %)` of a list of truth values; the interval is Clopper and Pearson's."""
    good, total = sum(counts), len(counts)
    text = f"{good} of {total}"
    if total:
        low, high = binomtest(good, total).proportion_ci(method="exact")
        text = f"{text:12} {good / total:6.1%}   (95 %: {low:.1%} to {high:.1%})"
    return text


def report(answers):
    """Lines about a list of (Position, record of ask())."""
    won, lost = ([pair for pair in answers if pair[0].value == value] for value in (1, -1))
    lines = [f"  win kept    {share([keeps(*pair) for pair in won])}"]
    for name, pairs in ("proven", answers), ("  won", won), ("  lost", lost):
        lines.append(f"  {name:11} {share([proves(*pair) for pair in pairs])}")
    lines.append(f"  wrong       {sum(errs(*pair) for pair in answers)} proofs of the contrary, "
                 f"{sum('fault' in answer for _, answer in answers)} faults")
    times = [answer["ms"] for _, answer in answers if "ms" in answer]
    if times:
        lines.append(f"  time        median {statistics.median(times):.0f} ms, longest {max(times):.0f} ms")
    return lines


def failures(answers):
    """A line for each win that was not kept, each wrong proof and each fault."""
    for position, answer in answers:
        if "fault" in answer:
            yield f"fault       {position.fen}: {answer['fault']}"
        elif errs(position, answer):
            yield f"wrong       {position.fen}: the engine says {answer['score']}, the value is {position.value}"
        if position.value > 0 and "move" in answer and not keeps(position, answer):
            yield f"not kept    {position.fen}: {answer['move']} instead of {' or '.join(position.winning)}"
