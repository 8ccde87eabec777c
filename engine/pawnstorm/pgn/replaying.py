"""Replays a game that was read: finds its rules, its positions and moves, its result and its faults."""

import re

from pawnstorm.games.detection import readable_games
from pawnstorm.games.notation import COLOURS, IllegalMove, ParseError, parse_fen
from pawnstorm.games.position import Board
from pawnstorm.games.rules import DEFAULT_GAME, UnknownGame, get_rules
from pawnstorm.pgn.san import parse_san

WINS = ("1-0", "0-1")
DECIDED = (*WINS, "1/2-1/2")
NORMAL = "normal"
FAIR = (NORMAL, "adjudication", "unterminated")
"""Values of [Termination], in lower case, that name no fault of a player. With these, the board decides the result."""
UNNAMED = (DEFAULT_GAME, "breakthrough")
"""The games that are tried, in this order, for a game without [Variant] and [FEN]."""

# Little Golem's records have no tag for the game. Outside a tournament the event is "Tournament null". In a tournament,
# the game follows the word Tournament: "Tournament breakthrough.mc.2013.jul.2.1", or "Tournament loa.mc.2013.jul.2.1" for
# Lines of Action.
LITTLE_GOLEM = re.compile("little ?golem", re.IGNORECASE)
TOURNAMENT = re.compile(r"\s*tournament\s+(?!null\b)(\w+)\.", re.IGNORECASE)
SIZE = re.compile(r"\b(\d{1,2})x(\d{1,2})\b|\bsize\W?(\d{1,2})\b", re.IGNORECASE)


class Replay:
    """A game, up to the first move that could not be replayed.

    boards   the first position, and the position after each move
    moves    the moves, as Board.moves() has them
    result   "1-0", "0-1", "1/2-1/2" or "*": the one that is written, or else the one that the board or a resignation gives
    loser    True if Black resigned, False if White did, None if nobody did
    faults   what is wrong with the game, a list of ValueErrors
    """

    def __init__(self, rules, played):
        """Raises ParseError if the FEN is wrong."""
        tags = played.tags
        self.boards = [parse_fen(rules, tags["FEN"]) if "FEN" in tags else Board.start(rules)]
        self.moves, self.loser, self.faults = [], None, []
        self._play(played.moves, played.resigned_after)
        self._settle(played)

    def _play(self, moves, resigned_after):
        """Play the moves before the first one that cannot be read or played. resigned_after: as in a PgnGame."""
        try:
            for text in moves[:resigned_after]:
                move = parse_san(self.boards[-1], text)
                self.boards.append(self.boards[-1].push(move))
                self.moves.append(move)
        except ValueError as error:
            self.faults.append(error)
            return
        if resigned_after is None:
            return
        self.loser = self.boards[-1].black_to_move
        if resigned_after < len(moves):
            after = moves[resigned_after][:20]
            self.faults.append(IllegalMove(f"'{after}' follows 'resign': expected the end of the game"))

    def _settle(self, played):
        """Find the result, and add a fault for whatever contradicts it."""
        tag, last = played.tags.get("Result", ""), self.boards[-1]
        self.result = played.result if played.result in DECIDED else tag if tag in DECIDED else "*"
        if tag in DECIDED and tag != self.result:
            self.faults.append(ParseError(f"result '{self.result}' contradicts the tag [Result \"{tag}\"]"))
        expected = None
        if not self.faults and (self.loser is not None or last.is_game_over()):
            expected = WINS[not last.black_to_move]
        if expected and self.result == "*":
            self.result = expected
        elif expected and self.result != expected and self._is_fair(played):
            what = "the last position" if self.loser is None else f"'resign' of {COLOURS[self.loser]}"
            self.faults.append(ParseError(f"result '{self.result}' contradicts {what}: expected '{expected}'"))
        if not played.end_offset and not expected:
            self.faults.append(ParseError("cut off: expected a result such as 1-0 at its end"))

    def _is_fair(self, played):
        """Whether the board or a resignation decides the game, rather than a player's fault such as a loss on time."""
        return self.loser is not None or played.tags.get("Termination", NORMAL).lower() in FAIR


def replay(played, game=None):
    """The Replay of a PgnGame. game: the name of its rules, used if there is no [Variant].

    If there is neither a [Variant] nor a name, a record of Little Golem is Breakthrough, unless [Event] names another game. Its
    board has the size that [Event] names, or else is 8x8. For a record from elsewhere several rules are tried: readable_games()
    of its FEN, or UNNAMED if it has no FEN. The first rules that allow all moves are taken. If none do, the rules that allow the
    most moves are taken. Raises ValueError if the rules or the first position cannot be found.
    """
    found = fault = None
    for rules in _candidates(played.tags, game):
        try:
            tried = Replay(rules, played)
        except ParseError as error:
            fault = fault or error
            continue
        if found is None or len(tried.moves) > len(found.moves):
            found = tried
        if len(found.moves) == len(played.moves):
            break
    if found is None:
        raise fault
    return found


def _candidates(tags, game):
    """The Rules that a game with these tags may have, the likeliest first. Raises ValueError."""
    name = tags.get("Variant", game)
    if name is None and LITTLE_GOLEM.search(tags.get("Site", "")):
        event = tags.get("Event", "")
        try:
            return [get_rules(_little_golem_game(event))]
        except UnknownGame as error:
            raise UnknownGame(f'{error}; the name of the game is taken from [Event "{event[:40]}"]') from None
    if name is not None:
        return [get_rules("".join(name.split()))]
    return readable_games(tags["FEN"]) if "FEN" in tags else list(map(get_rules, UNNAMED))


def _little_golem_game(event):
    """The name of the game in an [Event] of Little Golem. It may be a game that this program does not have."""
    other, size = TOURNAMENT.match(event), SIZE.search(event)
    if other and not other[1].lower().startswith("breakthrough"):
        return other[1]
    return "breakthrough" + (f"{size[1] or size[3]}x{size[2] or size[3]}" if size else "")
