"""The games as data: a Rules holds the masks and numbers that the kernels work with.

No code branches on a game's name.

Squares are numbered a1 = 0, b1 = 1, ..., h1 = 7, a2 = 8, ... Every rank has eight numbers, whatever the board's width,
so that the same shifts work on every board. All masks are seen by the side to move, which always moves up the board:

    north-west << 7   north << 8   north-east << 9

    5 wide, 4 high      board = 0x1f1f1f1f      goal = rank 4      home = rank 1
"""

from pawnstorm.suggestions import did_you_mean

REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


class UnknownGame(ValueError):
    """No game has this name, or the game is not played on a board of this size. The message says what was expected."""


class Rules:
    """One game on one board.

    Treat it as immutable: there is only one Rules for each game, which all code shares.

    name                 the short canonical name (str)
    full_name            the name with family and size, as in twoflags8x8, even if there is a shorter one
    files, ranks         the board's size
    board                every square
    goal, home           the far rank, where the mover wins, and the near rank, where the opponent wins
    double_step_squares  squares from which a pawn may step twice
    quiet_diagonals      squares onto which a quiet diagonal step may go (empty: pawns step diagonally only to capture)
    ep_squares           squares on which an en passant capture may land (empty: no en passant)
    ep_victims           squares from which that capture removes a pawn (empty: the "ghost" rule, the captured pawn stays)
    pawn_rows            full rows of pawns that each side has at the start
    first_row            the first of these rows; 0 is the rank nearest to the player
    promotion_suffix     what follows the squares of a move to the far rank, "" or "q"
    """

    def __init__(self, name, full_name, files, ranks, first_row, pawn_rows, pawn_steps, promotion_suffix=""):
        row = (1 << files) - 1
        self.name, self.full_name, self.files, self.ranks = name, full_name, files, ranks
        self.first_row, self.pawn_rows, self.promotion_suffix = first_row, pawn_rows, promotion_suffix
        self.board = sum(row << 8 * r for r in range(ranks))
        self.home, self.goal = row, row << 8 * (ranks - 1)
        self.double_step_squares = row << 8 if pawn_steps == "chess" else 0
        self.quiet_diagonals = self.board if pawn_steps == "diagonal" else 0
        # The opponent's double step lands on its fourth rank. Counted from 1 on our side, it lands on rank ranks - 3
        # and passes rank ranks - 2.
        self.ep_squares = row << 8 * (ranks - 3) if pawn_steps == "chess" else 0
        self.ep_victims = self.ep_squares >> 8

    def __reduce__(self):
        return get_rules, (self.name,)  # so that pickle and copy make no second Rules of a game

    @property
    def family(self):
        """The name without size and en passant mode, as in twoflags or pawnsonly."""
        return self.name.partition("-")[0].rstrip("0123456789x")

    @property
    def flip_shift(self):
        """Bits of the right shift in flip(), after a byte swap: 8 for each rank fewer than eight."""
        return 8 * (8 - self.ranks)

    @property
    def mirror_shift(self):
        """Bits of the right shift in mirror(), after each byte is reversed: 1 for each file fewer than eight."""
        return 8 - self.files

    @property
    def max_moves(self):
        """An upper bound on the number of moves in a position, whatever pawns a FEN sets up.

        On 8x8 it is 96 in Breakthrough and 84 in Two Flags.

        Leave out double steps at first. Then each of the mover's n pawns has at most three moves, one in each direction, so
        there are at most 3n moves. Also, each square without a pawn of the mover is the target of at most three moves, one
        from each direction. If pawns go diagonally only to capture, it is the target of at most two: a straight step needs
        an empty square, the captures need a square that holds an enemy or was just passed, and no square allows both.
        So there are at most 3 (or 2) moves for each of these squares. The lesser of the two bounds holds for n pawns. The
        result is its maximum over n, plus one double step for each square that allows them. (The true maxima are 87 and
        56. In a game of Breakthrough, where each side has at most 16 pawns, the maximum is 48.)
        """
        squares, onto = self.files * self.ranks, 3 if self.quiet_diagonals else 2
        return max(min(3 * n, onto * (squares - n)) for n in range(squares)) + bin(self.double_step_squares).count("1")

    @property
    def start_pawns(self):
        """The mover's pawns at the start."""
        row = (1 << self.files) - 1
        return sum(row << 8 * r for r in range(self.first_row, self.first_row + self.pawn_rows))

    def flip(self, bitboard):
        """The same squares seen from the other side of the board. Flipping twice changes nothing."""
        return int.from_bytes(bitboard.to_bytes(8, "little"), "big") >> self.flip_shift

    def mirror(self, bitboard):
        """The same squares with left and right exchanged. Mirroring twice changes nothing."""
        return int.from_bytes(bitboard.to_bytes(8, "little").translate(REVERSED), "little") >> self.mirror_shift

    @property
    def start_fen(self):
        """The FEN of the start position, White to move."""
        empty = self.ranks - 2 * (self.first_row + self.pawn_rows)
        side = [str(self.files)] * self.first_row
        black, white = ["p" * self.files] * self.pawn_rows, ["P" * self.files] * self.pawn_rows
        return "/".join(side + black + [str(self.files)] * empty + white + side) + " w - - 0 1"


# family -> (row of the first pawns, rows of pawns, how pawns step, files allowed, ranks allowed). The checker of proofs has
# its own table (scripts/pawnstorm_tools/checking/naive.py).
FAMILIES = {
    "twoflags": (1, 1, "chess", range(3, 9), range(5, 9)),
    "breakthrough": (0, 2, "diagonal", range(2, 9), range(4, 9)),
    "hexapawn": (0, 1, "single", range(1, 9), range(3, 9)),
}
# full name -> short name, which is the canonical spelling of this size
SHORT = {
    "twoflags8x8": "twoflags",
    "breakthrough8x8": "breakthrough",
    "hexapawn3x3": "hexapawn",
    "breakthrough5x5": "breakthrough5",
    "breakthrough6x6": "breakthrough6",
    "breakthrough7x7": "breakthrough7",
}
EN_PASSANT_SUFFIXES = {"standard": "", "ghost": "-ghost", "off": "-noep"}
"""The end of a game's name for each en passant mode, as in twoflags-noep.

In "ghost", an en passant capture leaves the captured pawn standing. In "off", there are no such captures.
"""
FULL = {short: full for full, short in SHORT.items()} | {"minibreakthrough": "breakthrough5x5"}

DEFAULT_GAME = "twoflags"
GAMES = tuple(
    [DEFAULT_GAME, "pawnsonly", "breakthrough", "minibreakthrough", "hexapawn"]
    + [
        SHORT.get(name, name)
        for family, (*_, files, ranks) in FAMILIES.items()
        for w in files
        for h in ranks
        if (name := f"{family}{w}x{h}") not in ("twoflags8x8", "breakthrough8x8", "hexapawn3x3")
    ]
)
"""Every name of a game, the default first."""
GUI_GAMES = (
    DEFAULT_GAME,
    "pawnsonly",
    "breakthrough",
    "breakthrough7",
    "breakthrough6",
    "breakthrough5",
    "minibreakthrough",
    "hexapawn",
)
"""The names that are listed for a GUI. All other names can be set too.

The list is short because UCI2WB, XBoard's adapter, loses an option whose line is longer than about 300 characters.
"""

NAMES = (*GAMES, *(DEFAULT_GAME + suffix for suffix in EN_PASSANT_SUFFIXES.values() if suffix))
"""The names to suggest for an unknown name."""

_made = {}


def get_rules(name):
    """The Rules of a game, by its name in upper or lower case. Raises UnknownGame.

    The name is one of GAMES, or a family and a size as in `twoflags7x6`. A name that begins with twoflags may end with a
    suffix of EN_PASSANT_SUFFIXES.
    """
    key = name.strip().lower()
    if key not in _made:
        rules = _make(key, name)
        _made[key] = _made.setdefault(rules.name, rules)  # one Rules for each game, whichever name was used
    return _made[key]


def _make(key, name):
    promotion, suffix = "", ""
    if key.startswith("twoflags"):
        suffix = next((mode for mode in EN_PASSANT_SUFFIXES.values() if mode and key.endswith(mode)), "")
        key = key.removesuffix(suffix)
    if key == "pawnsonly":
        key, promotion = "twoflags8x8", "q"
    full = FULL.get(key, key)
    family = full.rstrip("0123456789x")
    if family not in FAMILIES:
        raise UnknownGame(
            f"unknown game '{name[:40]}'{did_you_mean(key, NAMES)}: expected one of {', '.join(GAMES[:5])}, or one of "
            f"{', '.join(FAMILIES)} with a size, such as twoflags7x6"
        )
    first, rows, steps, files, ranks = FAMILIES[family]
    size = full[len(family) :].split("x")
    if (
        len(size) != 2
        or not all(part.isdigit() for part in size)
        or int(size[0]) not in files
        or int(size[1]) not in ranks
    ):
        raise UnknownGame(
            f"unknown game '{name[:40]}': {family} is played on boards {files[0]} to {files[-1]} wide and "
            f"{ranks[0]} to {ranks[-1]} high, as in {family}{files[-1]}x{ranks[-1]}"
        )
    full = f"{family}{int(size[0])}x{int(size[1])}"
    short = "pawnsonly" if promotion else SHORT.get(full, full)
    rules = Rules(short + suffix, full + suffix, int(size[0]), int(size[1]), first, rows, steps, promotion)
    if suffix:
        rules.ep_victims = 0
    if suffix == EN_PASSANT_SUFFIXES["off"]:
        rules.ep_squares = 0
    return rules
