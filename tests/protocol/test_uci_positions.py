"""Points 8 to 11: `position`, its FEN and its moves, and what stays where they are wrong."""

import re

import pytest
from uci_audit import TWOFLAGS, audit, root
from uci_engine import command, engine, info_strings, process, shown  # noqa: F401

from pawnstorm_tools.checking import naive

CHESS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


@pytest.mark.parametrize("fields, moves", [(1, ""), (1, "b7b6"), (3, "b7b6"), (6, "")])
def test_09_a_fen_may_have_one_to_six_fields(engine, fields, moves):
    fen = "8/pppppppp/8/8/P7/8/1PPPPPPP/8 b - - 0 1"
    if fields == 1:  # White is to move when nothing else is said
        fen, moves = TWOFLAGS, moves and "b2b3"
    text = " ".join(fen.split()[:fields])
    assert engine.ask(f"position fen {text}" + f" moves {moves}" * bool(moves)) == []
    assert shown(engine) == naive.fen(root(fen=fen, moves=moves).position)


@pytest.mark.parametrize(
    "line",
    [
        "position startpos moves a2a3 \t ",
        "position  fen  " + TWOFLAGS.replace(" ", "   ") + "  moves  a2a3",
        "\tposition fen " + TWOFLAGS.replace(" ", "\t") + "\tmoves a2a3\r",
    ],
)
def test_09_spaces_tabs_and_carriage_returns_are_accepted(engine, line):
    assert engine.ask(line) == []
    assert shown(engine) == naive.fen(root(moves="a2a3").position)
    engine.send("isready\r")
    assert engine.expect("readyok") == ["readyok"]


@pytest.mark.parametrize(
    "text, named",
    [
        pytest.param("fen 8/pppppppp1/8/8/8/8/PPPPPPPP/8 w - - 0 1", "pppppppp1|9", id="long rank"),
        pytest.param("fen 8/pppppppp/8/8/8/8/8/PPPPPPPP/8 w - - 0 1", "9|ranks", id="too many ranks"),
        pytest.param("fen ppppp/ppppp/5/PPPPP/PPPPP w - - 0 1", "ppppp|5|ranks", id="another board"),
        pytest.param("fen 8/pppppppp/8/8/8/8/PPPPPPPP/8 x - - 0 1", "x", id="side"),
        pytest.param("fen 8/pppppppp/8/8/8/8/PPPPPPPP/8 w - z9 0 1", "z9", id="en passant square"),
        pytest.param("fen 4P3/8/8/p7/8/8/8/8 w - - 0 1", "rank|home|won|over", id="the side to move is home"),
        pytest.param(f"fen {CHESS}", "r|letter", id="chess"),
        pytest.param("fen moves a2a3", "", id="no FEN but moves"),
        pytest.param("nonsense", "nonsense", id="neither word"),
        pytest.param("startpos e2e4", "'e2e4'.*expected the word moves", id="moves without the word"),
    ],
)
def test_10_a_bad_fen_is_named_and_the_old_position_stays(engine, text, named):
    engine.ask("position startpos moves a2a4")
    complaints = info_strings(engine.ask(f"position {text}".strip()))
    assert [line for line in complaints if re.search(named, line)], complaints
    assert shown(engine) == naive.fen(root(moves="a2a4").position)
    audit(root(moves="a2a4"), engine.go("depth 3"))


@pytest.mark.parametrize(
    "moves, kept", [("a2a4 a2a4 b7b5", "a2a4"), ("a2a5", ""), ("a2a4 nonsense a7a5", "a2a4"), ("a2a4 i7i5", "a2a4")]
)
def test_11_an_illegal_move_ends_the_list_with_an_info_string(engine, moves, kept):
    complaints = info_strings(engine.ask(f"position startpos moves {moves}"))
    wrong = moves.split()[len(kept.split())]
    # the move, or the square at fault
    assert [line for line in complaints if wrong in line or wrong[:2] in line or wrong[2:] in line], complaints
    assert shown(engine) == naive.fen(root(moves=kept).position)
    audit(root(moves=kept), engine.go("depth 3"))
