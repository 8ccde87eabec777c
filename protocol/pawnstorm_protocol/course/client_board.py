"""The game as the client sees it. Legal moves are played; illegal moves are put onto the board too."""

from pawnstorm.games.notation import IllegalMove, parse_move, parse_square
from pawnstorm.games.position import Board
from pawnstorm.games.rules import DEFAULT_GAME, EN_PASSANT_SUFFIXES, get_rules


def twoflags_rules(mode):
    """The Rules of Two Flags with a mode of en passant, a key of EN_PASSANT_SUFFIXES."""
    return get_rules(DEFAULT_GAME + EN_PASSANT_SUFFIXES[mode])


class ClientBoard:
    """The board, and the moves that led to it from the start or from the position after the last illegal move.

    mode    the mode of en passant. play() changes it if the moves are legal only in another mode
    board   the Board          plies   the number of moves played in all
    """

    def __init__(self, mode, start):
        """start: a Board. Its rules are replaced by those of the mode."""
        self.mode, self.start, self.moves = mode, start, []
        self.board = self._replay(mode, [])
        self.plies = 0

    def play(self, text):
        """Play a move of the side to move; returns a message if it is illegal in the mode, or ""."""
        self.plies += 1
        try:
            self.board = self.board.push(parse_move(self.board, text))
            self.moves.append(text)
            return ""
        except IllegalMove as error:
            fault = str(error)
        for mode in EN_PASSANT_SUFFIXES:
            try:
                self.board = self._replay(mode, [*self.moves, text])
            except IllegalMove:
                continue
            self.mode = mode
            self.moves.append(text)
            return f"{fault}; legal with en passant '{mode}', which is played from here on"
        self._force(text)
        return f"{fault}; put onto the board as it is"

    def _replay(self, mode, moves):
        """Play these moves from the start in a mode; returns the Board. Raises IllegalMove."""
        start = self.start
        board = Board(
            twoflags_rules(mode), start.own, start.opp, 0, start.black_to_move, start.halfmove, start.fullmove
        )
        for text in moves:
            board = board.push(parse_move(board, text))
        return board

    def _force(self, text):
        """Put a move that is illegal in every mode onto the board. The position after it becomes the new start."""
        board, rules = self.board, self.board.rules
        source, target = (1 << parse_square(rules, name) for name in (text[:2], text[2:4]))
        mover, other = (
            (board.black_pawns, board.white_pawns) if board.black_to_move else (board.white_pawns, board.black_pawns)
        )
        mover, other = mover & ~source | target, other & ~target
        own, opp = (other, mover) if board.black_to_move else (rules.flip(other), rules.flip(mover))
        self.start = Board(rules, own, opp, 0, not board.black_to_move, 0, board.fullmove + board.black_to_move)
        self.board, self.moves = self.start, []
