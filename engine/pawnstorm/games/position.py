"""A board with a side to move, for all code that is not a kernel. rules.py has the games and sizes."""

from pawnstorm.core import native


class Board:
    """One position of one game. Treat it as immutable: push() returns a new Board.

    own, opp, ep    bitboards seen by the side to move (engine/pawnstorm/kernels/position.py)
    black_to_move   whether that side is Black
    halfmove, fullmove  the two counters of a FEN; every move is a pawn's, so push() sets halfmove to 0
    """

    __slots__ = ("rules", "own", "opp", "ep", "black_to_move", "halfmove", "fullmove")

    def __init__(self, rules, own, opp, ep, black_to_move, halfmove=0, fullmove=1):
        self.rules, self.own, self.opp, self.ep = rules, own, opp, ep
        self.black_to_move, self.halfmove, self.fullmove = black_to_move, halfmove, fullmove

    @classmethod
    def start(cls, rules):
        """The start position, White to move."""
        return cls(rules, rules.start_pawns, rules.flip(rules.start_pawns), 0, False)

    @property
    def bitboards(self):
        """(own, opp, ep)."""
        return self.own, self.opp, self.ep

    def is_valid(self):
        """Whether the position is valid, as kernels assume.

        In a valid position all pawns stand on the board, and no square holds two pawns. If there is an en passant square, an
        enemy pawn has just passed it by a double step. Seen by the side to move, this pawn stands one rank below the square and
        came from one rank above it. The square and the pawn's origin are empty.
        """
        rules, taken = self.rules, self.own | self.opp
        if taken & ~rules.board or self.own & self.opp:
            return False
        ep, empty = self.ep, self.ep << 8 | self.ep
        return not ep or not (ep & (ep - 1) or ep & ~rules.ep_squares or taken & empty or not self.opp & ep >> 8)

    @property
    def white_pawns(self):
        """White's pawns seen by White: bit 0 is a1."""
        return self.rules.flip(self.opp) if self.black_to_move else self.own

    @property
    def black_pawns(self):
        """Black's pawns seen by White: bit 0 is a1."""
        return self.rules.flip(self.own) if self.black_to_move else self.opp

    def moves(self):
        """The legal moves: ints `from | to << 6`, seen by the mover; [] if the game is over."""
        return native.moves(self.rules, self.own, self.opp, self.ep)

    def push(self, move):
        """The Board after a legal move."""
        own, opp, ep = native.make_move(self.rules, self.own, self.opp, self.ep, move)
        return Board(self.rules, own, opp, ep, not self.black_to_move, 0, self.fullmove + self.black_to_move)

    def mirrored(self):
        """The Board with left and right exchanged."""
        return Board(
            self.rules, *map(self.rules.mirror, self.bitboards), self.black_to_move, self.halfmove, self.fullmove
        )

    def canonical(self):
        """The Board that represents this one and its mirror image: the lesser of the two, with new counters."""
        return Board(self.rules, *min(self.bitboards, self.mirrored().bitboards), self.black_to_move)

    def is_game_over(self):
        """Whether the game is over. The side to move has then lost, since there are no draws."""
        return not self.moves()

    def __eq__(self, other):
        return isinstance(other, Board) and all(getattr(self, name) == getattr(other, name) for name in Board.__slots__)

    def __hash__(self):
        return hash((self.rules.name, self.own, self.opp, self.ep, self.black_to_move))
