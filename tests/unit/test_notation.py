"""FEN and moves as text, and the properties of moves that text makes easy to state."""

import random

import pytest

from checking import naive
from pawnstorm.engine.games.board import Board
from pawnstorm.engine.games.notation import IllegalMove, ParseError, fen, move_text, parse_fen, parse_move
from pawnstorm.engine.games.rules import game

TWOFLAGS = "8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 1"
CHESS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
FASTCHESS = "3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27"


def board(text, name="twoflags"):
    return parse_fen(game(name), text)


def texts(one):
    return {move_text(one, move) for move in one.moves()}


def play(one, *line):
    """The board after these moves, given as text."""
    for text in line:
        one = one.push(parse_move(one, text))
    return one


# FEN


@pytest.mark.parametrize("fields", range(1, 7))
def test_fen_of_one_to_six_fields(fields):
    text = "8/8/8/3p4/8/8/4P3/8 w - - 0 1"
    assert fen(board(" ".join(text.split()[:fields]))) == text


@pytest.mark.parametrize(
    "text",
    [
        "8/8/8/3p4/8/8/4P3/8  b  -   - 3   7",
        "\t8/8/8/3p4/8/8/4P3/8\tb\t-\t-\t3\t7",
        "  8/8/8/3p4/8/8/4P3/8 b - - 3 7 \r\n",
    ],
)
def test_fen_with_spaces_tabs_and_line_ends(text):
    assert fen(board(text)) == "8/8/8/3p4/8/8/4P3/8 b - - 3 7"


def test_squares_are_numbered_from_a1_eight_to_a_rank():
    one = board("p3/4/1P2/3P w - -", "breakthrough4x4")
    assert (one.white, one.black_pawns) == (1 << 3 | 1 << 9, 1 << 24)
    assert (one.own, one.opp, one.black) == (one.white, one.black_pawns, False)


def test_black_to_move_sees_the_board_from_its_own_side():
    one = board("p3/4/1P2/3P b - -", "breakthrough4x4")
    assert (one.white, one.black_pawns) == (1 << 3 | 1 << 9, 1 << 24)
    assert (one.own, one.opp, one.black) == (1, 1 << 17 | 1 << 27, True)


@pytest.mark.parametrize("name", [*naive.GAMES, "pawnsonly"])
def test_start_is_its_own_fen(name):
    rules = game(name)
    assert fen(Board.start(rules)) == fen(parse_fen(rules, rules.start_fen)) == rules.start_fen


def bad(text, token, name="twoflags"):
    return pytest.param(name, text, token, id=text)


@pytest.mark.parametrize(
    "name, text, token",
    [
        # No board, or too many fields
        bad("", ""),
        bad("   ", ""),
        bad(TWOFLAGS + " 0", "7"),
        # Ranks: width and number
        bad("8/ppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 1", "ppppppp"),
        bad("8/ppppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 1", "ppppppppp"),
        bad("8/pppppppp1/8/8/8/8/PPPPPPPP/8 w - - 0 1", "pppppppp1"),
        bad("8/pppppppp/7/8/8/8/PPPPPPPP/8 w - - 0 1", "'7'"),
        bad("8/pppppppp//8/8/8/PPPPPPPP/8 w - - 0 1", "''"),
        bad("8/pppppppp/8/8/8/PPPPPPPP/8 w - - 0 1", "7 ranks"),
        bad("8/pppppppp/8/8/8/8/8/PPPPPPPP/8 w - - 0 1", "9 ranks"),
        bad("/pppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 1", "''"),
        bad("ppppp/ppppp/8/PPPPP/PPPPP w - - 0 1", "'8'", "breakthrough5"),
        bad("pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1", "8 ranks", "breakthrough5"),
        # Letters
        bad("8/ppppxppp/8/8/8/8/PPPPPPPP/8 w - - 0 1", "'x'"),
        bad("8/pppppppp/9/8/8/8/PPPPPPPP/8 w - - 0 1", "9"),
        bad("8/pppppppp/08/8/8/8/PPPPPPPP/8 w - - 0 1", "0"),
        bad("8/pppppppp/٨/8/8/8/PPPPPPPP/8 w - - 0 1", "٨"),
        bad("8/pppppppp/-8/8/8/8/PPPPPPPP/8 w - - 0 1", "-"),
        bad(CHESS, "'r'"),
        bad(FASTCHESS, "'r'"),
        bad(CHESS, "'r'", "breakthrough"),
        # Side to move
        bad("8/pppppppp/8/8/8/8/PPPPPPPP/8 x - - 0 1", "'x'"),
        bad("8/pppppppp/8/8/8/8/PPPPPPPP/8 W - - 0 1", "'W'"),
        bad("8/pppppppp/8/8/8/8/PPPPPPPP/8 - - - 0 1", "'-'"),
        bad("8/pppppppp/8/8/8/8/PPPPPPPP/8 wb - - 0 1", "'wb'"),
        # Castling
        bad("8/pppppppp/8/8/8/8/PPPPPPPP/8 w KQkq - 0 1", "'KQkq'"),
        # En passant square
        bad("8/8/8/8/3pP3/8/8/8 b - e9 0 1", "'e9'"),
        bad("8/8/8/8/3pP3/8/8/8 b - i3 0 1", "'i3'"),
        bad("8/8/8/8/3pP3/8/8/8 b - e 0 1", "'e'"),
        bad("8/8/8/8/3pP3/8/8/8 b - E3 0 1", "'E3'"),
        bad("8/8/8/8/3pP3/8/8/8 b - e3d3 0 1", "'e3d3'"),
        bad("8/8/8/8/3pP3/8/8/8 b - e4 0 1", "'e4'"),
        bad("8/8/8/8/3pP3/8/8/8 b - c3 0 1", "'c3'"),
        bad("8/8/8/8/3pP3/8/8/8 w - e3 0 1", "'e3'"),
        bad("8/8/8/3Pp3/8/8/8/8 b - e6 0 1", "'e6'"),
        bad("8/8/8/8/3pP3/4P3/8/8 b - e3 0 1", "'e3'"),
        bad("8/8/8/8/3pP3/8/4P3/8 b - e3 0 1", "'e3'"),
        bad("3/3/1pP/3/3 b - d2 0 1", "'d2'", "twoflags3x5"),
        bad("8/8/8/8/3pP3/8/8/8 b - e3 0 1", "'e3'", "breakthrough"),
        # Counters
        bad("8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - x 1", "'x'"),
        bad("8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 one", "'one'"),
        bad("8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - -1 1", "'-1'"),
        # No such position
        bad("8/8/8/8/8/8/8/8 w - - 0 1", "empty"),
        bad("8/8/8/8/8/8/4P3/8 w - - 0 1", "no pawn"),
        bad("8/4p3/8/8/8/8/8/8 b - - 0 1", "no pawn"),
        bad("4P3/8/8/8/8/8/4p3/8 w - - 0 1", "far rank"),
        bad("8/4P3/8/8/8/8/8/4p3 b - - 0 1", "far rank"),
        bad("4P3/8/8/8/8/8/8/4p3 w - - 0 1", "far rank"),
        bad("P4/5/5/5/p4 b - - 0 1", "far rank", "breakthrough5"),
    ],
)
def test_bad_fen_is_refused_and_the_fault_named(name, text, token):
    with pytest.raises(ParseError) as caught:
        parse_fen(game(name), text)
    assert token in str(caught.value)
    assert "\n" not in str(caught.value)


def test_parse_error_of_a_very_long_text_is_short():
    with pytest.raises(ParseError) as caught:
        board("8 " * 100_000)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    "name, text",
    [
        ("twoflags", "4P3/8/8/8/8/8/4p3/8 b - - 0 1"),
        ("twoflags", "8/4P3/8/8/8/8/8/4p3 w - - 0 1"),
        ("twoflags", "8/8/8/8/8/8/4P3/8 b - - 0 1"),
        ("twoflags", "8/8/8/4p3/8/8/8/8 w - - 0 1"),
        ("twoflags", "8/8/8/4p3/4P3/8/8/8 w - - 0 1"),
        ("pawnsonly", "4P3/8/8/8/8/8/4p3/8 b - - 0 1"),
        ("breakthrough5", "P4/5/5/1p3/5 b - - 0 1"),
        ("breakthrough5", "5/5/5/5/PP3 b - - 0 1"),
        ("hexapawn", "2p/2P/3 b - - 0 1"),
    ],
)
def test_finished_position_is_accepted_and_over(name, text):
    one = board(text, name)
    assert one.over() and one.moves() == [] and fen(one) == text


def test_pawn_on_its_own_first_rank_steps_one():
    assert texts(board("8/8/8/8/8/p7/8/4P3 w - -")) == {"e1e2"}
    assert texts(board("4p3/8/P7/8/8/8/8/8 b - -")) == {"e8e7"}


def test_pawn_set_up_on_the_second_rank_steps_two():
    assert texts(board("8/8/8/p7/8/8/4P3/8 w - -")) == {"e2e3", "e2e4"}


# En passant


@pytest.mark.parametrize(
    "text, line, square",
    [
        ("8/8/8/8/3p4/8/4P3/8 w - - 0 1", "e2e4", "e3"),
        ("8/8/8/8/5p2/8/4P3/8 w - - 0 1", "e2e4", "e3"),
        ("8/8/8/8/4p3/8/4P3/8 w - - 0 1", "e2e3", "-"),
        ("8/8/8/8/2p5/8/4P3/8 w - - 0 1", "e2e4", "-"),
        # Across the edge, by one bit more or less than a neighbour.
        ("8/8/8/7p/8/8/P7/8 w - - 0 1", "a2a4", "-"),
        ("8/8/8/8/8/p7/7P/8 w - - 0 1", "h2h4", "-"),
        ("8/4p3/8/3P4/8/8/8/8 b - - 0 1", "e7e5", "e6"),
        ("8/4p3/8/2P5/8/8/8/8 b - - 0 1", "e7e5", "-"),
    ],
)
def test_en_passant_square_is_printed_only_when_a_capture_on_it_exists(text, line, square):
    assert fen(play(board(text), line)).split()[3] == square


@pytest.mark.parametrize(
    "text",
    [
        "8/8/8/8/2p1P3/8/8/8 b - e3 0 1",
        "8/8/8/2P1p3/8/8/8/8 w - e6 0 1",
        # Across the edge
        "8/8/8/p7/7P/8/8/8 w - a6 0 1",
        "8/8/P7/7p/8/8/8/8 w - h6 0 1",
        "8/8/8/7p/P7/8/8/8 b - a3 0 1",
        "8/8/8/8/7P/p7/8/8 b - h3 0 1",
    ],
)
def test_en_passant_square_without_a_capture_is_accepted_and_dropped(text):
    assert fen(board(text)).split()[3] == "-"


def test_en_passant_takes_the_pawn_that_was_passed():
    one = board("8/8/8/8/3pP3/8/8/8 b - e3 0 1")
    assert texts(one) == {"d4d3", "d4e3"}
    assert fen(play(one, "d4e3")).split()[0] == "8/8/8/8/8/4p3/8/8"


@pytest.mark.parametrize("line", [("g2g3", "a7a6"), ("g2g4", "h7h5")])
def test_en_passant_right_lasts_one_ply(line):
    one = play(board("8/p6p/8/8/3p4/8/4P1P1/8 w - - 0 1"), "e2e4")
    assert "d4e3" in texts(one)
    later = play(one, line[1], line[0])
    assert "d4e3" not in texts(later) and fen(later).split()[3] == "-"
    with pytest.raises(IllegalMove, match="d4e3"):
        parse_move(later, "d4e3")


def test_no_en_passant_after_two_single_steps():
    one = play(board("8/p7/8/8/3p4/8/4P3/8 w - - 0 1"), "e2e3", "a7a6", "e3e4")
    assert "d4e3" not in texts(one)


# Moves


@pytest.mark.parametrize("name, winning", [("twoflags", "e7e8"), ("pawnsonly", "e7e8q")])
def test_winning_push_is_read_with_and_without_its_letter(name, winning):
    one = board("8/4P3/8/8/8/8/p7/8 w - -", name)
    assert texts(one) == {winning}
    assert parse_move(one, "e7e8") == parse_move(one, "e7e8q")
    assert play(one, "e7e8").over()


@pytest.mark.parametrize("name", ["breakthrough", "breakthrough5x8", "hexapawn5x8", "twoflags5x8"])
def test_winning_push_of_black_is_read_with_and_without_its_letter(name):
    rules = game(name)
    rows = ["5" if rules.files == 5 else "8"] * 8
    rows[1], rows[6] = rows[1].replace("5", "P4").replace("8", "P7"), rows[6].replace("5", "4p").replace("8", "4p3")
    one = parse_fen(rules, "/".join(rows) + " b")
    assert "e2e1" in texts(one)
    assert parse_move(one, "e2e1") == parse_move(one, "e2e1q")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "e2",
        "e2e",
        "e2-e4",
        "e2e4q4",
        "e2e4n",
        "e2e4Q",
        "E2E4",
        "i2i4",
        "e2e9",
        "e0e1",
        "0000",
        "null",
        "ee24",
        "e2 e4",
        "O-O",
    ],
)
def test_text_that_is_no_move_is_a_parse_error_that_names_it(text):
    one = Board.start(game("twoflags"))
    with pytest.raises(ParseError) as caught:
        parse_move(one, text)
    assert any(f"'{token}'" in str(caught.value) for token in (text, text[:2], text[2:4]))


@pytest.mark.parametrize(
    "name, text",
    [
        ("twoflags", "e2e5"),
        ("twoflags", "e2d3"),
        ("twoflags", "e7e5"),
        ("twoflags", "e4e5"),
        ("twoflags", "e2e2"),
        ("twoflags", "e2e1"),
        ("twoflags", "e2e4q"),
        ("pawnsonly", "e2e4q"),
        ("breakthrough", "e2e4"),
        ("breakthrough", "a2h3"),
        ("breakthrough", "h2a4"),
        ("breakthrough", "b1b2"),
        ("breakthrough", "h7h6"),
    ],
)
def test_illegal_move_is_refused_by_name(name, text):
    one = Board.start(game(name))
    with pytest.raises(IllegalMove) as caught:
        parse_move(one, text)
    assert f"'{text}'" in str(caught.value)


def test_square_beside_a_narrow_board_is_a_parse_error():
    with pytest.raises(ParseError, match="f3"):
        parse_move(Board.start(game("breakthrough5")), "e2f3")
    with pytest.raises(ParseError, match="a6"):
        parse_move(Board.start(game("breakthrough5")), "a5a6")


@pytest.mark.parametrize("text", ["4P3/8/8/8/8/8/4p3/8 b - - 0 1", "8/8/8/4p3/4P3/8/8/8 w - - 0 1"])
def test_no_move_is_legal_in_a_finished_game(text):
    one = board(text)
    with pytest.raises(IllegalMove, match="e2e1"):
        parse_move(one, "e2e1")


def test_counters_of_moves_go_on():
    one = play(Board.start(game("twoflags")), "e2e4", "d7d5", "e4d5")
    assert fen(one) == "8/ppp1pppp/8/3P4/8/8/PPPP1PPP/8 b - - 0 2"


# Properties at random positions. Playouts are random.Random(seed)'s.

PROPERTY_GAMES = [
    "twoflags",
    "pawnsonly",
    "twoflags5x6",
    "twoflags3x5",
    "breakthrough",
    "breakthrough5",
    "breakthrough2x7",
    "hexapawn",
    "hexapawn7x5",
]


def playouts(name, seed, games=10):
    """All boards of random games from the start, the finished ones included."""
    rng = random.Random(seed)
    for _ in range(games):
        one = Board.start(game(name))
        yield one
        while not one.over():
            one = one.push(rng.choice(one.moves()))
            yield one


@pytest.mark.parametrize("name", PROPERTY_GAMES)
def test_printed_fen_reads_back_as_the_same_board(name):
    for one in playouts(name, seed=1):
        again = parse_fen(one.rules, fen(one))
        assert again == one and fen(again) == fen(one)


@pytest.mark.parametrize("name", PROPERTY_GAMES)
def test_printed_moves_read_back_as_themselves(name):
    for one in playouts(name, seed=2):
        assert [parse_move(one, move_text(one, move)) for move in one.moves()] == one.moves()
        assert len(texts(one)) == len(one.moves())


@pytest.mark.parametrize("name", PROPERTY_GAMES)
def test_captures_and_pushes_partition_the_moves(name):
    """A capture takes one pawn off the opponent and changes file; a push changes only where the mover stands."""
    rules = game(name)
    steps = {8} | ({16} if rules.doubles else set()) | ({7, 9} if rules.diagonals else set())
    for one in playouts(name, seed=3, games=4):
        for move in one.moves():
            after = one.push(move)
            lost = one.opp.bit_count() - after.own.bit_count()
            source, target = move & 63, move >> 6 & 63
            assert after.opp.bit_count() == one.own.bit_count()
            takes = bool((one.opp | one.ep) >> target & 1)
            assert lost == takes
            assert target - source in ({7, 9} if takes else steps)


@pytest.mark.parametrize("name", PROPERTY_GAMES)
def test_mirrored_position_has_the_mirrored_moves(name):
    for one in playouts(name, seed=4):
        files = one.rules.files
        placement, side, castling, passed, *counters = fen(one).split()
        rows = [row[::-1] for row in placement.split("/")]
        mirrored = " ".join(["/".join(rows), side, castling, naive.mirror_text(files, passed), *counters])
        assert texts(board(mirrored, name)) == {naive.mirror_text(files, text[:4]) + text[4:] for text in texts(one)}


def other_side(text):
    """A FEN with the board turned over and the colours swapped."""
    placement, side, castling, passed, half, full = text.split()
    rows = placement.swapcase().split("/")
    if passed != "-":
        passed = passed[0] + str(len(rows) + 1 - int(passed[1]))
    return " ".join(["/".join(reversed(rows)), naive.OTHER[side], castling, passed, half, full])


@pytest.mark.parametrize("name", PROPERTY_GAMES)
def test_colours_swapped_is_the_same_position_to_the_mover(name):
    for one in playouts(name, seed=5):
        swapped = parse_fen(one.rules, other_side(fen(one)))
        assert (swapped.own, swapped.opp, swapped.ep, swapped.black) == (one.own, one.opp, one.ep, not one.black)
        assert swapped.moves() == one.moves()


@pytest.mark.parametrize("name", PROPERTY_GAMES)
def test_pushing_leaves_the_board_as_it_was(name):
    for one in playouts(name, seed=7, games=2):
        before = fen(one)
        for move in one.moves():
            one.push(move)
        assert fen(one) == before
