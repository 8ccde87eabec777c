"""Records in the form in which Little Golem gives the games of its players, written by hand, with what becomes of each.

The site ends each tag with a space, writes all moves on one line, and puts `resign` in the place of a move.
"""

from typing import NamedTuple

QUIET = ["d2d3", "e7e6", "d3d4", "e6e5", "d4e5", "d7d6", "e5d6", "c7d6"]
WON = ["a2a3", "h7h6", "a3a4", "h6h5", "a4a5", "h5h4", "a5a6", "h4h3", "a6b7", "h3g2", "b7a8"]


class Record(NamedTuple):
    """A record, and how it is to be read.

    moves    those that can be played
    result   of the game, in every reader
    errors   a part of each error that the package finds; a report names the first error
    page     a part of what the page says, or "" if it says nothing
    refused  whether the page refuses to open the game
    """

    name: str
    text: str
    moves: list[str]
    result: str
    errors: tuple[str, ...] = ()
    page: str = ""
    refused: bool = False
    game: str | None = "breakthrough"
    comments: dict[int, str] = {}


def tags(result=None, event="Tournament null", white="ann_bot", black="Bob"):
    lines = {"Event": event, "Site": "www.littlegolem.net", "White": white, "Black": black, "Result": result}
    return "".join(f'[{name} "{value}"] \n' for name, value in lines.items() if value)


RECORDS = [
    Record(
        "White resigns",
        tags("0-1") + "1. d2-d3 e7-e6 2. d3-d4 e6-e5 3. d4xe5 d7-d6 4. e5xd6 c7xd6 5. resign 0-1\n",
        QUIET,
        "0-1",
        comments={8: "White resigns"},
    ),
    Record(
        "Black resigns in a tournament",
        tags("1-0", "Tournament breakthrough.mc.2019.mar.1.7")
        + "1. d2-d3 e7-e6 2. d3-d4 e6-e5 3. d4xe5 d7-d6 4. e5xd6 resign 1-0\n",
        QUIET[:7],
        "1-0",
        comments={7: "Black resigns"},
    ),
    Record(
        "won on the board, with the lines of Windows",
        (
            tags("1-0")
            + "1. a2-a3 h7-h6 2. a3-a4 h6-h5 3. a4-a5 h5-h4 4. a5-a6 h4-h3 5. a6xb7 h3xg2 6. b7xa8 1-0\n"
        ).replace("\n", "\r\n"),
        WON,
        "1-0",
    ),
    Record(
        "line breaks inside a pair of moves, and comments",
        tags("0-1") + "1. d2-d3\ne7-e6 {solid\nand slow} 2.\nd3-d4 e6-e5 ; why not\n3. d4xe5 d7-d6 4. e5xd6 c7xd6\n5.\nresign\n0-1\n",
        QUIET,
        "0-1",
        comments={2: "solid and slow", 4: "why not", 8: "White resigns"},
    ),
    Record(
        "no result at all",
        tags() + "1. d2-d3 e7-e6 2. d3-d4 e6-e5 3. d4xe5 resign\n",
        QUIET[:5],
        "1-0",
        comments={5: "Black resigns"},
    ),
    Record(
        "no result where the board decides",
        tags() + "1. a2-a3 h7-h6 2. a3-a4 h6-h5 3. a4-a5 h5-h4 4. a5-a6 h4-h3 5. a6xb7 h3xg2 6. b7xa8\n",
        WON,
        "1-0",
    ),
    Record(
        "upper case",
        tags("0-1") + "1. D2-D3 E7-E6 2. D3-D4 E6-E5 3. D4XE5 D7-D6 4. e5Xd6 C7xD6 5. Resign 0-1\n",
        QUIET,
        "0-1",
        comments={8: "White resigns"},
    ),
    Record(
        "wrong numbers, of a game that goes on",
        tags("*") + "1. d2-d3 e7-e6 1. d3-d4 7...e6-e5 03. d4xe5 d7-d6 e5xd6 c7xd6 *\n",
        QUIET,
        "*",
    ),
    Record(
        "an illegal move",
        tags("0-1") + "1. d2-d3 e7-e6 2. d3-d4 e6-e4 3. a2-a3 resign 1-0\n",
        QUIET[:3],
        "1-0",
        ("illegal move 'e6-e4' in pppppppp/pppp1ppp/4p3/8/3P4/8/PPP1PPPP/PPPPPPPP b", 'contradicts the tag [Result "0-1"]'),
        "Illegal move “e6-e4” in pppppppp/pppp1ppp/4p3/8/3P4/8/PPP1PPPP/PPPPPPPP b",
        refused=True,
    ),
    Record(
        "cut off between two moves",
        tags("1-0") + "1. d2-d3 e7-e6 2. d3-d4 e6-e5 3. d4xe5",
        QUIET[:5],
        "1-0",
        ("cut off: expected a result such as 1-0",),
    ),
    Record(
        "cut off inside a move",
        tags() + "1. d2-d3 e7-e6 2. d3-",
        QUIET[:2],
        "*",
        ("'d3-' is not a move: expected one such as", "cut off"),
        "“d3-” is not a move: expected one such as",
        refused=True,
    ),
    Record(
        "a result against the resignation",
        tags("1-0") + "1. d2-d3 e7-e6 2. resign 1-0\n",
        QUIET[:2],
        "1-0",
        ("result '1-0' contradicts 'resign' of White: expected '0-1'",),
        "Its result is given as 1-0, but its moves lead to 0-1.",
        comments={2: "White resigns"},
    ),
    Record(
        "a result against the board",
        tags("0-1") + "1. a2-a3 h7-h6 2. a3-a4 h6-h5 3. a4-a5 h5-h4 4. a5-a6 h4-h3 5. a6xb7 h3xg2 6. b7xa8 0-1\n",
        WON,
        "0-1",
        ("result '0-1' contradicts the last position: expected '1-0'",),
        "Its result is given as 0-1, but its moves lead to 1-0.",
    ),
    Record(
        "two results",
        tags("1-0") + "1. d2-d3 e7-e6 0-1\n",
        QUIET[:2],
        "0-1",
        ("result '0-1' contradicts the tag [Result \"1-0\"]",),
        "It has two results: 0-1 after its moves, 1-0 in its tag.",
    ),
    Record(
        "moves after a resignation",
        tags("1-0") + "1. d2-d3 resign 2. d3-d4 1-0\n",
        QUIET[:1],
        "1-0",
        ("'d3-d4' follows 'resign': expected the end of the game",),
        "“d3-d4” follows a resignation",
        refused=True,
        comments={1: "Black resigns"},
    ),
    Record(
        "a size in the name of the event",
        tags("0-1", "Tournament breakthrough.6x6.2026.1") + "1. a2-b3 c5-d4 2. b3-c4 d5xc4 3. resign 0-1\n",
        ["a2b3", "c5d4", "b3c4", "d5c4"],
        "0-1",
        game="breakthrough6",
        comments={4: "White resigns"},
    ),
    Record(
        "a size that nobody plays here",
        tags("0-1", "Breakthrough, size 10") + "1. a2-a3 resign 1-0\n",
        [],
        "1-0",
        ("unknown game 'breakthrough10x10': breakthrough is played on boards 2 to 8 wide",),
        "Unknown game “breakthrough10x10”",
        refused=True,
        game=None,
    ),
    Record(
        "another game of the site",
        tags("*", "Tournament loa.mc.2013.jul.2.1") + "1. f1-f3 a5-c7 2. b1-d3 h7-e7 *\n",
        [],
        "*",
        ("unknown game 'loa'",),
        "Unknown game “loa”",
        refused=True,
        game=None,
    ),
    Record(
        "nothing but moves",
        "1. d2-c3 e7-f6 2. c3-d4 resign",
        ["d2c3", "e7f6", "c3d4"],
        "1-0",
        comments={3: "Black resigns"},
    ),
    Record("a resignation at once", tags("0-1") + "1. resign 0-1\n", [], "0-1", comments={0: "White resigns"}),
]  # fmt: skip
