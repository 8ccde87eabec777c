"""Reads the openings of a match from a file, checks them by the rules, and puts them in order."""

import os
import random

from pawnstorm import pgn
from pawnstorm.games.detection import possible_games
from pawnstorm.games.notation import fen, parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import FAMILIES, UnknownGame, get_rules
from pawnstorm.numbers import pluralize
from pawnstorm.system import textfile

FIELDS = 6
"""The number of fields of a FEN."""


class OpeningError(ValueError):
    """An opening is illegal in the game. The text names the file, and the line or the game in it."""


def positions(book, rules):
    """The openings of a Book as FENs, in the order in which a match uses them. Raises OpeningError, OSError."""
    try:
        found = read_pgn(book.file, rules, book.plies) if book.kind == "pgn" else read_epd(book.file, rules)
    except OpeningError as error:
        if not (why := wrong_game_hint(book.file, rules)):
            raise
        raise OpeningError(f"-openings: {why}; {str(error).removeprefix(book.file).lstrip(', ')}") from None
    if book.white_first and not (found := [text for text in found if text.split()[1] == "w"]):
        raise OpeningError(
            f"{book.file}: Black is to move in every opening, and some agents of the course cannot read such an opening; "
            "say firstmove=either for an agent that can"
        )
    if book.start > len(found):
        raise OpeningError(
            f"{book.file} holds {pluralize(len(found), 'opening')}: start={book.start}, expected {len(found)} at most"
        )
    found = in_order(found, book.order, book.seed)
    return found[book.start - 1 :] + found[: book.start - 1]


def wrong_game_hint(path, rules):
    """A hint that a file is probably for another game, because its name begins with that game's family; "" if not.

    The positions give no such hint: one with few pawns may belong to any family.
    """
    family = next((family for family in FAMILIES if os.path.basename(path).lower().startswith(family)), "")
    if rules.full_name.startswith(family):
        return ""
    return f"by its name '{path}' is for {family}, and this is a match of {rules.name}"


def read_epd(path, rules):
    """Read the positions of an EPD or FEN file, as FENs, in the file's order. Raises OpeningError, OSError.

    A line has a FEN's fields, and EPD operations may follow. Empty lines and lines that begin with # are skipped, whatever
    their encoding.
    """
    found = []
    for number, line in enumerate(textfile.text(path, "backslashreplace").split("\n"), 1):
        fields = line.split(None, FIELDS)[:FIELDS]
        if not fields or fields[0].startswith("#"):
            continue
        counters = 6 if len(fields) == FIELDS and fields[4].isdigit() and fields[5].isdigit() else 4
        try:
            board = parse_fen(rules, " ".join(fields[:counters]))
            check_position(board)
        except ValueError as error:
            raise OpeningError(f"{path}, line {number}: {error}") from None
        if board.is_game_over():
            raise OpeningError(f"{path}, line {number}: the game is already over in '{' '.join(fields[:counters])}'")
        found.append(fen(board))
    if not found:
        raise OpeningError(f"{path} holds no opening: expected lines of EPD or FEN")
    return found


def read_pgn(path, rules, plies=None):
    """Read the positions after the first `plies` moves of each game of a PGN file, as FENs. Raises OpeningError, OSError.

    plies: None for all moves. A shorter game gives its last position, in which the game must not be over. A game's [Variant]
    may be missing or unknown, such as chess, but it must not be another game that Pawnstorm knows.
    """
    found = []
    for number, played in enumerate(pgn.read(path), 1):
        try:
            named = check_variant(played.tags.get("Variant", ""), rules)
            board = parse_fen(rules, played.tags["FEN"]) if "FEN" in played.tags else Board.start(rules)
            if not named:
                check_position(board)
            for text in played.moves[:plies]:
                board = board.push(pgn.parse_san(board, text))
        except ValueError as error:
            raise OpeningError(f"{path}, game {number}: {error}") from None
        if board.is_game_over():
            raise OpeningError(
                f"{path}, game {number}: the game is over after {pluralize(len(played.moves[:plies]), 'ply')}; "
                "say plies=N to play fewer plies of each game"
            )
        found.append(fen(board))
    if not found:
        raise OpeningError(f"{path} holds no finished game: expected PGN with a result such as 1-0")
    return found


def check_variant(name, rules):
    """Whether a PGN's Variant is a game that Pawnstorm knows. Raises OpeningError if it is not the game that `rules` describe.

    Start positions are compared, because a game may have several names, such as pawnsonly and twoflags.
    """
    try:
        other = get_rules(name).start_fen != rules.start_fen
    except UnknownGame:
        return False
    if other:
        raise OpeningError(f'[Variant "{name}"] is another game than {rules.name}')
    return True


def replay(game, rules):
    """The Boards of a PgnGame. Raises ValueError if it is of another game or against the rules."""
    check_variant(game.tags.get("Variant", ""), rules)
    found = pgn.replay(game, rules.name)
    if found.faults:
        raise found.faults[0]
    return found.boards


def check_position(board):
    """Raise OpeningError if a position can only come from other games on a board of this size."""
    found = possible_games(fen(board))
    if found and board.rules.start_fen not in [rules.start_fen for rules in found]:
        names = " or ".join(rules.name for rules in found)
        raise OpeningError(f"'{fen(board)}' is a position of {names}: no game of {board.rules.name} leads to it")


def in_order(openings, order, seed):
    """The openings in the order in which a match uses them: unchanged, or shuffled by the seed."""
    openings = list(openings)
    if order == "random":
        random.Random(seed).shuffle(openings)
    return openings
