"""Trees of moves that the page writes as PGN and as links, under node: read back by the page, by python-chess and by our own reader."""

import io
import random
import re

import chess.pgn
import pytest
from pages import page_reader  # noqa: F401  a fixture

import pawnstorm.chess  # noqa: F401  python-chess knows the games by it
from pawnstorm import pgn
from pawnstorm.games.notation import move_text
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(300)]
ENDING = re.compile(r"\s?(White|Black) wins: (far rank reached|no move left|last pawn taken)$")
"""What the page writes where the board has decided the game."""
GLYPHS = ("!", "?", "!!", "??", "!?", "?!")
ODD = ["", "}", "{", "(", ")", ";", "%", "$1", "1.", "e4", "*", "1-0", "\\", '"', "[%clk 0:01]", "\t\n", "é", "💥", "\ud800", "\x85\u2028", "  ", "<b>&amp;"]  # fmt: skip


class Tree:
    """A game that grows at random. rows: [place of the parent, move, glyph, comment], the root first."""

    def __init__(self, name, chance):
        self.chance = chance
        self.boards, self.rows = [Board.start(get_rules(name))], [[-1, "", "", self._comment()]]

    def _comment(self):
        return "".join(self.chance.choices(ODD, k=self.chance.choice((0, 0, 0, 2, 8))))

    def add(self, parent):
        """Add a random move after a place; nothing if the game is over there, or the move is there already."""
        board = self.boards[parent]
        if board.is_game_over():
            return
        move = self.chance.choice(board.moves())
        text = move_text(board, move)[:4]
        if [parent, text] in (row[:2] for row in self.rows):
            return
        glyph = self.chance.choice(GLYPHS) if self.chance.random() < 0.2 else ""
        self.rows.append([parent, text, glyph, self._comment()])
        self.boards.append(board.push(move))

    def written(self):
        """The rows in the order in which they are written, and the places of the parents there."""
        after = {}
        for place, (parent, *_) in enumerate(self.rows):
            after.setdefault(parent, []).append(place)
        order = []

        def write_after(place):
            while children := after.get(place):
                place, *others = children
                order.append(place)
                for other in others:
                    order.append(other)
                    write_after(other)

        order.append(0)
        write_after(0)
        return [[order.index(row[0]) if row[0] >= 0 else -1, *row[1:3]] for row in map(self.rows.__getitem__, order)]


def grown(name, seed, size):
    """A Tree of at most so many nodes."""
    chance = random.Random(f"{name} {seed}")
    tree = Tree(name, chance)
    for _ in range(size):
        count = len(tree.rows)
        tree.add(chance.randrange(count) if chance.random() < 0.3 else count - 1)
    return tree


def nodes_in_chess(text):
    """What python-chess reads, as Tree.written() has it but with comments. Asserts that it finds no fault."""
    game = chess.pgn.read_game(io.StringIO(text))
    assert not game.errors
    nodes, found = {id(game): 0}, [[-1, "", "", game.comment]]

    def read_after(node):
        while node.variations:
            parent = nodes[id(node)]
            for child in node.variations:
                nodes[id(child)] = len(found)
                glyph = "".join(GLYPHS[nag - 1] for nag in child.nags)
                found.append([parent, child.move.uci()[:4], glyph, ENDING.sub("", child.comment)])
                if child is not node.variations[0]:
                    read_after(child)
            node = node.variations[0]

    read_after(game)
    return found


@pytest.mark.parametrize("name", ["twoflags", "breakthrough", "twoflags5x6", "breakthrough6"])
def test_every_reader_finds_the_tree_that_the_page_writes(name, page_reader):
    for seed in range(60):
        tree = grown(name, seed, 1 + seed * 3)
        written = page_reader("grown", name, tree.rows)["answer"]
        assert [row[:3] for row in written["nodes"]] == tree.written()
        assert page_reader("nodesOf", written["pgn"])["answer"]["nodes"] == written["nodes"], written["pgn"]
        check_link(written, page_reader)
        if name in ("twoflags", "breakthrough"):  # python-chess has no smaller boards
            assert nodes_in_chess(written["pgn"]) == written["nodes"], written["pgn"]
        check_main_line(name, written)


def check_link(written, page_reader):
    """Assert that the whole address leads back to the tree and its last node; a link to it at least to the line."""
    read = page_reader("nodesOf", written["address"])["answer"]
    assert (read["nodes"], read["place"]) == (written["nodes"], written["place"])
    read = page_reader("nodesOf", written["link"])["answer"]
    if len(written["address"]) <= 2000:
        assert written["link"] == written["address"]
    else:
        assert len(written["link"]) <= 2000
        ways = [
            way(nodes, place) for nodes, place in ((written["nodes"], written["place"]), (read["nodes"], read["place"]))
        ]
        assert ways[0] == ways[1]


def way(nodes, place):
    """The moves from the root to a place."""
    moves = []
    while place:
        place, move = nodes[place][:2]
        moves.append(move)
    return moves


def check_main_line(name, written):
    """Assert that our reader finds the moves of the main line, with their comments."""
    (record,) = pgn.games(written["pgn"])
    board, place = Board.start(get_rules(name)), 0
    for text, comment in zip(record.moves, record.comments, strict=True):
        move = pgn.parse_san(board, text)
        place = next(index for index, row in enumerate(written["nodes"]) if row[0] == place)
        _, expected, _, note = written["nodes"][place]
        assert (move_text(board, move)[:4], ENDING.sub("", comment)) == (expected, note)
        board = board.push(move)
    assert place not in (row[0] for row in written["nodes"])


def long_tree(variations=50, plies=4):
    """The longest game of Breakthrough that quiet moves give, with variations of so many plies."""
    chance = random.Random(3)
    tree = Tree("breakthrough", chance)
    while not (board := tree.boards[-1]).is_game_over():
        after = {move: board.push(move) for move in board.moves()}

        def haste(move):
            text, pawns = move_text(board, move), after[move].white_pawns | after[move].black_pawns
            return (
                after[move].is_game_over(),
                -pawns.bit_count(),
                abs(int(text[1]) - (1 if not board.black_to_move else 8)) + 3 * chance.random(),
            )

        move = min(after, key=haste)
        tree.rows.append([len(tree.rows) - 1, move_text(board, move)[:4], "", ""])
        tree.boards.append(after[move])
    length = len(tree.rows)
    for _ in range(variations):
        place = chance.randrange(length)
        for _ in range(plies):
            count = len(tree.rows)
            tree.add(place)
            place = len(tree.rows) - 1 if len(tree.rows) > count else place
    return tree


def test_long_game_with_many_variations_is_written_and_read(page_reader):
    tree = long_tree()
    assert len(tree.rows) > 300
    written = page_reader("grown", "breakthrough", tree.rows)["answer"]
    assert (
        page_reader("nodesOf", written["pgn"])["answer"]["nodes"] == written["nodes"] == nodes_in_chess(written["pgn"])
    )
    check_link(written, page_reader)
    check_main_line("breakthrough", written)


@pytest.mark.parametrize(
    "text, rows",
    [
        ("1. e4 (1. d4 d5 (1... e5)) e5", [[-1, ""], [0, "e2e4"], [0, "d2d4"], [2, "d7d5"], [2, "e7e5"], [1, "e7e5"]]),
        ("1. e4 e5 (1... e5 2. a4) 2. a3", [[-1, ""], [0, "e2e4"], [1, "e7e5"], [2, "a2a3"], [2, "a2a4"]]),
        ("(1. a3) 1. e4", [[-1, ""], [0, "e2e4"], [0, "a2a3"]]),
        ("1. e4 () (()) e5 )) 2. a3", [[-1, ""], [0, "e2e4"], [1, "e7e5"], [2, "a2a3"]]),
        ("1. e4 (1. d4 x5 e5 (e6) {no}) e5", [[-1, ""], [0, "e2e4"], [0, "d2d4"], [1, "e7e5"]]),
        ("1. e4 (1. d4", [[-1, ""], [0, "e2e4"], [0, "d2d4"]]),
        ("e2-e4 d7d5 e4xd5", [[-1, ""], [0, "e2e4"], [1, "d7d5"], [2, "e4d5"]]),
        ("e2e4 d5 exd5", [[-1, ""], [0, "e2e4"], [1, "d7d5"], [2, "e4d5"]]),
        ("e4 d5 e4d5", [[-1, ""], [0, "e2e4"], [1, "d7d5"], [2, "e4d5"]]),
    ],
)
def test_variations_are_read_as_they_are_meant(text, rows, page_reader):
    assert [row[:2] for row in page_reader("nodesOf", text)["answer"]["nodes"]] == rows


def test_comments_and_glyphs_are_read(page_reader):
    text = "{start} 1. e4!? {one} ; two\n $1 ({why} 1. d4 ?? {a}) ({b} 1. c4 {c} $140) e5 $2 2. a3?!"
    assert [row[1:] for row in page_reader("nodesOf", text)["answer"]["nodes"]] == [
        ["", "", "start"],
        ["e2e4", "!", "one two"],
        ["d2d4", "??", "why a"],
        ["c2c4", "", "b c"],
        ["e7e5", "?", ""],
        ["a2a3", "?!", ""],
    ]


@pytest.mark.parametrize(
    "text",
    [
        "1. e4 (1. d4 d5 2. c4) 1... e5 2. a3 *",
        "1. e4 e5 (1... d5 2. exd5 (2. e5) 2... a5) (1... c5) 2. a3 *",
        "{start} 1. e4 $1 {one} e5 $6 {two} (1... d5 {three}) 2. a3 *",
        "{[%csl Ge4]} 1. e4 {[%csl Rd4,Ba1][%cal Gd2d4] why} e5 {[%cal Yb2b4]} *",
    ],
)
def test_movetext_has_the_numbers_that_pgn_asks_for(text, page_reader):
    assert page_reader("written", text)["answer"].split("\n\n")[1] == text + "\n"


def test_tags_are_kept(page_reader):
    text = '[Event "Cup"]\n[Round "3"]\n[Result "1-0"]\n[Annotator "A B"]\n\n1. e4 1-0'
    written = page_reader("written", text)["answer"]
    read = chess.pgn.read_game(io.StringIO(written))
    assert [read.headers[name] for name in ("Event", "Round", "Result", "Annotator")] == ["Cup", "3", "1-0", "A B"]
    assert written.endswith("\n\n1. e4 1-0\n")


def test_what_is_left_out_of_long_variations_is_told(page_reader):
    for unit in ("(d4) ", "("):
        told = page_reader("repeated", "twoflags", "1. e4 ", unit, 30_000, "")["answer"]["told"]
        assert (
            told
            == "Found: 1 move of Two Flags, 8 by 8. Only the first 20,000 moves and comments of the variations were read."
        )


@pytest.mark.parametrize("fen", ["8/P7/8/8/8/8/7p/8 w - - 0 1", "8/P7/8/8/8/8/p7/8 w"])
@pytest.mark.parametrize("text", ["a8", "a8=Q", "a7a8", "a7a8q", "a7-a8", "a8Q"])
def test_last_rank_is_reached_with_a_queen_or_without(fen, text, page_reader):
    assert page_reader("nodesOf", f'[Variant "twoflags"]\n[FEN "{fen}"]\n\n{text}')["answer"]["nodes"][1][1] == "a7a8"


def test_variation_that_cannot_be_read_is_told(page_reader):
    assert "A variation was cut off at an illegal move" in page_reader("nodesOf", "1. e4 (1. e5) e5")["answer"]["told"]
    assert page_reader("nodesOf", "1. e4 (1. d4) e4")["refused"].startswith("Illegal move “e4”")


@pytest.mark.parametrize(
    "words, result, ending",
    [
        ("1. e4 {Black wins: White has resigned} 0-1", "0-1", "Black wins: White has resigned"),
        ("1. e4 {Black wins: White has resigned} *", None, ""),
        ("1. e4 {Black wins: White has resigned} e5 2. e6", None, None),
        ("1. e4 0-1", "0-1", "Black wins: as the PGN says"),
    ],
)
def test_end_of_a_game_is_read(words, result, ending, page_reader):
    tag = f'[Result "{words.split()[-1]}"]\n\n' if ending is not None else ""
    found = page_reader("nodesOf", tag + words)
    if ending is None:
        assert found["refused"].startswith("Illegal move")
    else:
        assert (found["answer"]["result"], found["answer"]["ending"]) == (result, ending)


@pytest.mark.parametrize(
    "name, fen, expected",
    [
        ("twoflags", "8/8/8/3p4/4P3/8/8/8 w", {"exd5", "e5"}),
        ("twoflags", "7p/P7/8/8/8/8/8/8 w", {"a8"}),
        ("breakthrough", "8/1p6/P7/8/8/8/8/8 w", {"a6xb7", "a6a7"}),
        ("breakthrough6", "6/1p4/P5/6/6/6 w", {"a4xb5", "a4a5"}),
        ("twoflags5x6", "5/5/1p3/P4/5/5 w", {"a3xb4", "a3a4"}),
    ],
)
def test_captures_are_shown_as_such(name, fen, expected, page_reader):
    assert set(page_reader("shown", name, fen)["answer"]) == expected


def test_old_links_are_read(page_reader):
    read = page_reader("nodesOf", "#game=breakthrough&moves=a2a3a7a6b2b3b7b6&ply=2&mode=analyse")["answer"]
    assert (len(read["nodes"]), read["place"]) == (5, 2)


@pytest.mark.parametrize(
    "moves", ["*e2e4", "e2e4*d2d4*", "e2e4.", "-1e2e4", "e2e4-9", "e2e4-", "e2e4*.", "e2e4**", "e2e4*d7d5."]
)
def test_damaged_links_are_refused_or_read(moves, page_reader):
    assert "failed" not in page_reader("nodesOf", f"#game=twoflags&moves={moves}")


@pytest.mark.parametrize("more", ["at=9", "at=-1", "at=x", "end=9&lost=white", "note=x", "note=9+x", "ply=x"])
def test_places_that_a_link_does_not_have_are_refused(more, page_reader):
    assert page_reader("nodesOf", f"#game=twoflags&moves=e2e4&{more}")["refused"].startswith("The link has a bad ")


@pytest.mark.parametrize(
    "text",
    [
        '[Result "1-0"]\n[Termination "time } h4 { lost"]\n\n1. e4 e5 1-0',
        "#game=twoflags&moves=e2e4e7e5&lost=black&ending=%7Dh4%0A%7B",
    ],
)
def test_words_of_an_end_do_not_end_their_comment(text, page_reader):
    read = page_reader("nodesOf", text)["answer"]
    again = page_reader("nodesOf", page_reader("written", text)["answer"])["answer"]
    assert len(read["nodes"]) == 3 and again["nodes"] == read["nodes"] and again["ending"] == read["ending"]


def test_end_without_words_has_those_of_an_address(page_reader):
    read = page_reader("nodesOf", "#game=twoflags&moves=e2e4&lost=white&ending=")["answer"]
    assert read["ending"] == "Black wins: as the address says"
