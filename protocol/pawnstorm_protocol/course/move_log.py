"""Reads the move logs of the course's own server, files whose names end in `.moves`.

    # AISimplifiedChess move log (replayable)
    # Format: <ply> <W|B> <move4>

    # GAME 1 WHITE=CLIENT1 BLACK=CLIENT2
    1 W e2e3
    2 B b7b6
    RESULT BLACK reason=resignation plies=2

    # ELO CLIENT1 1484.8 CLIENT2 1515.2

No specification is public. This module follows logs of the 2026 server, which a student has published
(github.com/LoaiSaadi/Two-Flags-Pawn-Chess-Agent, folder logs/). In these logs, a game that was broken off has no RESULT.
`# ELO` follows a tournament if the server runs with --elo. The reason is `resignation`, or `disconnect` if a player has left.
This module also accepts any other reason, a fifth letter `q` in a move, capital letters, comments anywhere, and moves without
a `# GAME` line before them. A log has no depths, nodes, times or Setup: its games begin at the start of 8x8 Two Flags.

The server does not know the rules: after RESULT it writes the player who did not say `exit`. Agents often play on after a
pawn has reached the far rank, and then the winner may be the one who says `exit`. So here the rules decide the result; RESULT
decides it only if the game is not over by the rules.
"""

import re

from pawnstorm import pgn
from pawnstorm.games.notation import COLOURS, loss_reason, move_text, parse_move
from pawnstorm.games.position import Board
from pawnstorm.games.rules import EN_PASSANT_SUFFIXES
from pawnstorm.pgn.reader import PgnGame
from pawnstorm_protocol.course.client_board import twoflags_rules

SUFFIX = ".moves"
HEAD = re.compile(r"#\s*GAME\s+(?P<number>\S+)(?P<players>.*)", re.IGNORECASE)
PLAYER = re.compile(r"\b(WHITE|BLACK)=(\S+)", re.IGNORECASE)
MOVE = re.compile(r"(?:[a-h][1-8]){2}q?")
RESIGNATION = "resignation"
RESULTS = {"white": "1-0", "black": "0-1"}
LONGEST = 40
"""The most letters of a word that an error message quotes."""


class LogError(ValueError):
    """A fault in a game of a log. The message has the number of the line, the word in quotes, and what was expected."""


class LoggedGame:
    """A game as logged. to_pgn() applies the rules to it.

    number     the number of the game, as written
    players    {"white": name, "black": name}
    moves      for each ply (line number, move as two squares)
    winner     "white" or "black", or None if the game has no RESULT
    reason     the reason of the RESULT
    fault      the first LogError of its lines, or None
    """

    def __init__(self, line=1, number="?", players=()):
        self.line, self.number, self.players = line, number, {"white": "?", "black": "?"} | dict(players)
        self.moves, self.winner, self.reason, self.fault = [], None, "", None
        self.tags = {}  # like a PgnGame's tags; empty, because a log has no GameId

    def read_line(self, number, words):
        """Read the words of a line, which is a move or the RESULT. If it is wrong, set `fault`; later lines are then ignored."""
        if self.fault is None:
            try:
                (self._read_result if words[0].upper() == "RESULT" else self._read_move)(number, words)
            except LogError as error:
                self.fault = LogError(f"line {number}: {error}")

    def _read_move(self, number, words):
        ply = len(self.moves) + 1
        side = "W" if ply % 2 else "B"
        if words[0] != str(ply):
            raise LogError(f"'{words[0][:LONGEST]}': expected the ply {ply}, RESULT, or # before a comment")
        if len(words) != 3:
            raise LogError(f"'{' '.join(words)[:LONGEST]}': expected a ply, a side and a move, as in {ply} {side} e2e4")
        if words[1].upper() != side:
            raise LogError(f"'{words[1][:LONGEST]}': expected {side}, the side that moves at ply {ply}")
        if not MOVE.fullmatch(words[2].lower()):
            raise LogError(f"'{words[2][:LONGEST]}': expected a move as two squares, such as e2e4")
        self.moves.append((number, words[2].lower()))

    def _read_result(self, _, words):
        named = dict(word.lower().split("=", 1) for word in words[2:] if "=" in word)
        winner = "".join(words[1:2]).lower()
        if winner not in RESULTS:
            raise LogError(f"'{' '.join(words)[:LONGEST]}': expected WHITE or BLACK after RESULT")
        if named.get("plies", str(len(self.moves))) != str(len(self.moves)):
            raise LogError(f"'plies={named['plies'][:LONGEST]}': expected {len(self.moves)}, the plies of this game")
        self.winner, self.reason = winner, named.get("reason", "")

    def to_pgn(self):
        """Convert the game to a PgnGame, up to its end by the rules. Raises LogError.

        The tag Variant has the first en passant mode in which the moves are legal. If the log and the rules name different
        winners, the tag LoggedResult has the log's result.
        """
        if self.fault:
            raise self.fault
        if not self.moves and not self.winner:
            raise LogError(f"line {self.line}: game '{self.number}' has no moves")
        board, texts = self._replayed()
        logged = RESULTS.get(self.winner, "*")
        game = PgnGame()
        game.moves = [pgn.move_san(board.rules, text) for text in texts]
        game.result, reason, end = self._end(board, logged)
        own = [(len(texts), "")] * bool(texts)  # an empty comment for the last move: the next one describes the end
        game.notes = [*own, (len(texts), end)]
        game.end_offset = 1  # marks the game as complete
        game.tags = {
            "Event": "Two Flags course",
            "Site": "?",
            "Date": "?",
            "Round": self.number,
            "White": self.players["white"],
            "Black": self.players["black"],
            "Variant": board.rules.name,
            "Result": game.result,
            "Termination": reason,
        }
        if logged not in (game.result, "*"):
            game.tags["LoggedResult"] = logged
        return game

    def _end(self, board, logged):
        """(result, PGN's Termination, the end in words)."""
        if board.is_game_over():
            loser = int(board.black_to_move)
            return ("0-1", "1-0")[loser], "normal", f"{COLOURS[1 - loser]} wins: {loss_reason(board)}"
        if logged == "*":
            return logged, "unterminated", "the log has no RESULT"
        winner, loser = ("White", "Black") if self.winner == "white" else ("Black", "White")
        if self.reason == RESIGNATION:
            return logged, "normal", f"{winner} wins: {loser} resigns"
        return logged, "abandoned", f"{winner} wins: {self.reason or 'no reason given'}"

    def _replayed(self):
        """(Board, moves) at the end of the game by the rules, or else at the end of the log. Raises LogError."""
        furthest, fault = -1, None
        for mode in EN_PASSANT_SUFFIXES:
            board, texts = Board.start(twoflags_rules(mode)), []
            for line, text in self.moves:
                if board.opp & board.rules.home:  # the agents did not notice that the game is over
                    break
                try:
                    move = parse_move(board, text)
                except ValueError as error:
                    if len(texts) > furthest:
                        furthest, fault = len(texts), LogError(f"line {line}: {error}")
                    break
                texts.append(move_text(board, move))
                board = board.push(move)
            else:
                return board, texts
            if board.opp & board.rules.home:
                return board, texts
        raise fault


def is_log(name, text):
    """Whether a file is a move log and not a PGN, by its name or its first character."""
    return str(name).lower().endswith(SUFFIX) or text.lstrip().startswith("#")


def games(text):
    """The LoggedGames of a log's text, in their order."""
    found, game = [], None
    for number, line in enumerate(text.split("\n"), 1):
        words = line.split()
        if head := HEAD.match(line.strip()):
            players = {colour.lower(): name for colour, name in PLAYER.findall(head["players"])}
            game = LoggedGame(number, head["number"][:LONGEST], players)
            found.append(game)
        elif words and not words[0].startswith("#"):
            if game is None:
                game = LoggedGame(number, str(len(found) + 1))
                found.append(game)
            game.read_line(number, words)
            if words[0].upper() == "RESULT":
                game = None
    return found
