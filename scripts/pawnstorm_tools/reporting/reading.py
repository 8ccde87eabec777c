"""Reads games for a report, from PGN and from the move logs of the course's server, and replays them by the rules.

The records of the games are like those of pawnstorm_tools.referee.game.Game, with additional fields.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from pathlib import Path

from pawnstorm import pgn
from pawnstorm.games.notation import COLOURS, fen, move_text, square_name
from pawnstorm.system import textfile
from pawnstorm_protocol.course import move_log
from pawnstorm_tools.common.bar import tqdm
from pawnstorm_tools.reporting import ReportError, search_statistics

TIME_CONTROL = {"white": "WhiteTimeControl", "black": "BlackTimeControl"}
GAME_ID = re.compile(r"(?P<match>\w+)\.(?P<game>[1-9][0-9]{0,8})")
"""The tag GameId of a game of match.py: the match's id, and the game's number in the match."""
SUFFIXES = (".pgn", move_log.SUFFIX)
"""The endings of the files that are read from a folder."""


@dataclass
class Games:
    """The games of a report.

    records   the records of the games that could be read, in the order of their numbers
    faults    a line about each game that could not be read
    pairs     whether the match's games 2k - 1 and 2k are a pair; None if that must be found from the games

    A record has these fields of the referee's records: result ("1-0", "0-1", or another text if nobody won), reason (PGN's
    Termination in lower case), detail, white, black, moves and opening (the FEN of the start). If both players have the
    same name, their colours are added to it. A record also has

    game     its number; see number_games()
    source   the name of its file
    round, date, rules, limits
    tags     the tags as read
    book     the FEN of the position in which the players began to think
    texts    each move as written
    steps    each move, such as "e2e4", followed by "xd5" if it captured a pawn on d5
    legal    the number of legal moves at each move
    """

    records: list
    faults: list
    pairs: bool | None = None

    @cached_property
    def searches(self):
        """The SearchStatistics of all players."""
        return [search_statistics.of_engine(self.records, name) for name in names(self.records)]


def files_of(paths):
    """The files at these paths. For a folder, these are its files whose names end in SUFFIXES, sorted.

    Raises ReportError for a folder without such files, and OSError.
    """
    found = []
    for path in map(Path, paths):
        if path.is_dir():
            inside = sorted(entry for entry in path.iterdir() if entry.suffix.lower() in SUFFIXES and entry.is_file())
            if not inside:
                raise ReportError(
                    f"'{path}' is a folder: expected files in it whose names end in {' or '.join(SUFFIXES)}"
                )
            found += inside
        else:
            found.append(path)
    return found


def read(paths, variant=None):
    """Read the Games of files. Raises ReportError, OSError.

    variant: the rules of games without a [Variant]; if None, they are found from the games.
    """
    return gather([(str(path), textfile.text(path, "replace")) for path in paths], variant)


def parse(text, source, variant=None):
    """Read the Games of a text. source: the text's name in error messages. Raises ReportError."""
    return gather([(source, text)], variant)


def gather(texts, variant):
    """Read the Games of [(source, text)]. Each text is a PGN or a move log. Raises ReportError."""
    several, entries, found = len(texts) > 1, [], Games([], [])
    for source, text in texts:
        games = list(move_log.games(text) if move_log.is_log(source, text) else pgn.all_games(text))
        entries += [(source if several else "", game) for game in games]
        if several and not games:
            found.faults.append(f"{source}: holds no game")
    numbers, found.pairs = number_games([game for _, game in entries])
    entries = sorted(zip(numbers, entries), key=itemgetter(0))
    for number, (source, game) in tqdm(entries, desc="reading", unit="game", delay=1, leave=False):
        try:
            played = game.to_pgn() if isinstance(game, move_log.LoggedGame) else game
            found.records.append(replay(number, played, variant) | {"source": Path(source).name})
        except ValueError as error:
            found.faults.append(f"{source + ': ' if source else ''}game {number}: {error}")
    if not found.records:
        raise ReportError(
            f"{'the files hold' if several else texts[0][0] + ' holds'} no game that can be read: "
            + (
                found.faults[0]
                if found.faults
                else "expected a PGN of Two Flags, Breakthrough or Hexapawn, or a .moves log"
            )
        )
    return found


def number_games(games):
    """Number games; returns (numbers, pairs). numbers: the number of each game, in the order of `games`.

    If all games are from one match of match.py, and none is there twice, they keep their numbers in this match. Then pairs is
    False if each game has a round of its own (game 3 is in round 3). Otherwise it is True: games 2k - 1 and 2k are a pair.

    In all other cases, the games get the numbers 1, 2, 3, ..., and pairs is None.
    """
    ids = [GAME_ID.fullmatch(played.tags.get("GameId", "")) for played in games]
    if not all(ids) or len({found["match"] for found in ids}) != 1 or len({found["game"] for found in ids}) < len(ids):
        return list(range(1, len(games) + 1)), None
    pairs = any(played.tags.get("Round", "").split(".")[0] != found["game"] for found, played in zip(ids, games))
    return [int(found["game"]) for found in ids], pairs


def replay(number, played, variant):
    """The record of one PgnGame. Raises ValueError if it is not a whole game by the rules."""
    found = pgn.replay(played, variant)
    if found.faults:
        raise found.faults[0]
    tags, start = played.tags, found.boards[0]
    names = [tags.get("White") or "?", tags.get("Black") or "?"]
    if names[0] == names[1]:
        names = [f"{names[0]} (White)", f"{names[1]} (Black)"]
    record = {
        "game": number,
        "round": tags.get("Round", "?"),
        "date": tags.get("Date", "?"),
        "white": names[0],
        "black": names[1],
        "rules": start.rules,
        "limits": {side: tags.get(tag, tags.get("TimeControl", "?")) for side, tag in TIME_CONTROL.items()},
        "result": found.result,
        "reason": tags.get("Termination", pgn.NORMAL).lower(),
        "detail": played.last_comment or ("" if found.loser is None else f"{COLOURS[found.loser]} resigns"),
        "opening": fen(start),
        "book": fen(start),
        "tags": tags,
        "texts": played.moves,
        "moves": [],
        "steps": [],
        "legal": [],
    }
    in_book = True
    for board, after, move, comment in zip(found.boards, found.boards[1:], found.moves, played.comments):
        record["legal"].append(len(board.moves()))
        record["steps"].append(step(board, after, move))
        record["moves"].append([move_text(board, move), *pgn.parse_comment(comment, board.black_to_move)])
        in_book = in_book and comment == "book"
        if in_book:
            record["book"] = fen(after)
    return record


def step(board, after, move):
    """A move, such as "e2e4", followed by "xd5" if it captured a pawn on d5.

    The captured pawn's square is given because it differs from the target square after en passant.
    """
    taken = board.white_pawns & ~after.white_pawns if board.black_to_move else board.black_pawns & ~after.black_pawns
    return move_text(board, move)[:4] + (f"x{square_name(taken.bit_length() - 1)}" if taken else "")


def decided_games(records):
    """The records of the games that somebody won."""
    return [record for record in records if record["result"] in ("1-0", "0-1")]


def names(records):
    """The players, in the order in which they appear."""
    return list(dict.fromkeys(name for record in records for name in (record["white"], record["black"])))
