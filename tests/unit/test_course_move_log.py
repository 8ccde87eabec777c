"""Move logs of the course's own server: what is read from them, and how the rules and the log share the result."""

import pytest

from pawnstorm_protocol.course import move_log

HEADER = "# AISimplifiedChess move log (replayable)\n# Format: <ply> <W|B> <move4>\n\n"
# Games that the server has logged: GAME 1, 3 and 8 of a published tournament.
HOME = (
    "e2e3 b7b6 a2a4 a7a6 b2b4 f7f6 c2c4 e7e5 d2d4 e5d4 e3d4 g7g5 g2g4 c7c6 c4c5 b6c5 d4c5 d7d5 c5d6 f6f5 d6d7 f5g4 "
    "d7d8 h7h6"
)
GHOST = (
    "h2h3 d7d6 a2a4 e7e5 b2b4 c7c6 c2c4 e5e4 d2d4 f7f5 e2e3 g7g6 f2f4 d6d5 c4d5 c6d5 g2g3 a7a5 b4a5 b7b5 a5b6 b5a4 "
    "b6b7 h7h6 b7b8 h6h5"
)
BLOCKED = (
    "d2d4 g7g6 h2h4 a7a5 a2a3 a5a4 e2e4 b7b5 d4d5 c7c5 c2c3 c5c4 h4h5 g6h5 f2f3 h5h4 b2b4 f7f6 g2g3 h4g3 f3f4 g3g2 "
    "d5d6 e7d6 f4f5 h7h5 e4e5 d6e5"
)


def logged(moves, result="", number=1, white="CLIENT1", black="CLIENT2"):
    """A game as the server logs it; result: the words after RESULT, without plies."""
    moves = moves.split()
    lines = [f"# GAME {number} WHITE={white} BLACK={black}"]
    lines += [f"{ply} {'BW'[ply % 2]} {move}" for ply, move in enumerate(moves, 1)]
    return "\n".join([*lines, *([f"RESULT {result} plies={len(moves)}"] if result else []), "", ""])


def read(text):
    """The PgnGame of a log's only game."""
    (game,) = move_log.games(text)
    return game.to_pgn()


def test_games_of_a_tournament_have_its_players_and_numbers():
    text = HEADER + logged(HOME, "BLACK reason=resignation") + logged(BLOCKED, "BLACK reason=resignation", 8, "b", "a")
    first, second = (game.to_pgn() for game in move_log.games(text + "\n# ELO CLIENT1 1484.8 CLIENT2 1515.2\n"))
    assert (first.tags["White"], first.tags["Black"], first.tags["Round"]) == ("CLIENT1", "CLIENT2", "1")
    assert (second.tags["White"], second.tags["Black"], second.tags["Round"]) == ("b", "a", "8")
    assert first.moves[:3] == ["e3", "b6", "a4"] and first.moves[-1] == "d8=Q" and second.moves[-1] == "dxe5"


def test_rules_decide_where_the_server_takes_the_winner_s_exit_for_a_loss():
    game = read(logged(HOME, "BLACK reason=resignation"))
    assert (game.result, game.last_comment) == ("1-0", "White wins: far rank reached")
    assert (len(game.moves), game.tags["LoggedResult"], game.tags["Result"]) == (23, "0-1", "1-0")


def test_a_result_that_the_rules_confirm_stands_alone():
    game = read(logged(BLOCKED, "BLACK reason=resignation"))
    assert (game.result, game.last_comment, len(game.moves)) == ("0-1", "Black wins: no move left", 28)
    assert "LoggedResult" not in game.tags and game.tags["Termination"] == "normal"


@pytest.mark.parametrize(
    "result, expected",
    [
        ("WHITE reason=resignation", ("1-0", "normal", "White wins: Black resigns")),
        ("black REASON=Resignation", ("0-1", "normal", "Black wins: White resigns")),
        ("BLACK reason=disconnect", ("0-1", "abandoned", "Black wins: disconnect")),
        ("BLACK", ("0-1", "abandoned", "Black wins: no reason given")),
        ("", ("*", "unterminated", "the log has no RESULT")),
    ],
)
def test_the_log_decides_where_the_rules_do_not(result, expected):
    game = read(logged("e2e4 e7e5", result))
    assert (game.result, game.tags["Termination"], game.last_comment) == expected and "LoggedResult" not in game.tags


def test_the_rule_of_en_passant_is_the_first_that_allows_the_moves():
    assert read(logged(HOME)).tags["Variant"] == "twoflags"  # with en passant at ply 19
    ghost = read(logged(GHOST, "BLACK reason=resignation"))
    assert (ghost.tags["Variant"], ghost.result, len(ghost.moves)) == ("twoflags-ghost", "1-0", 25)


def test_a_game_without_a_head_is_read():
    first, second = move_log.games("1 W e2e4\n2 B e7e5\nRESULT WHITE reason=resignation plies=2\n1 w D2D4q\n")
    assert (first.to_pgn().tags["White"], first.to_pgn().moves) == ("?", ["e4", "e5"])
    assert second.fault is None and second.moves == [(4, "d2d4q")]


@pytest.mark.parametrize(
    "name, text, expected", [("a.MOVES", "", True), ("a", "\n# x", True), ("a.pgn", "1. e4", False)]
)
def test_a_log_is_known_by_its_name_or_its_first_letter(name, text, expected):
    assert move_log.is_log(name, text) == expected


@pytest.mark.parametrize(
    "lines, fault",
    [
        ("2 W e2e4", "line 2: '2': expected the ply 1, RESULT, or # before a comment"),
        ("1 W e2e4\n1 B e7e5", "line 3: '1': expected the ply 2, RESULT, or # before a comment"),
        ("1 B e7e5", "line 2: 'B': expected W, the side that moves at ply 1"),
        ("1 W e2e4\nx\n2 B e7\nRESULT X", "line 3: 'x': expected the ply 2, RESULT, or # before a comment"),
        ("1 W e2e9", "line 2: 'e2e9': expected a move as two squares, such as e2e4"),
        ("1 W", "line 2: '1 W': expected a ply, a side and a move, as in 1 W e2e4"),
        ("hello", "line 2: 'hello': expected the ply 1, RESULT, or # before a comment"),
        ("1 W e2e5", "line 2: illegal move 'e2e5' in 8/pppppppp/8/8/8/8/PPPPPPPP/8 w - - 0 1"),
        ("1 W e2e4\nRESULT DRAW", "line 3: 'RESULT DRAW': expected WHITE or BLACK after RESULT"),
        ("1 W e2e4\nRESULT", "line 3: 'RESULT': expected WHITE or BLACK after RESULT"),
        ("1 W e2e4\nRESULT WHITE plies=2", "line 3: 'plies=2': expected 1, the plies of this game"),
        ("", "line 1: game '7' has no moves"),
    ],
)
def test_a_fault_names_the_line_and_the_word_and_leaves_the_other_games(lines, fault):
    faulty, whole = move_log.games(f"# GAME 7\n{lines}\n\n" + logged(HOME, number=8))
    with pytest.raises(move_log.LogError) as error:
        faulty.to_pgn()
    assert str(error.value) == fault and len(whole.to_pgn().moves) == 23


def test_an_illegal_move_is_told_under_the_rule_that_allows_most():
    moves = GHOST.split()
    moves[23] = "a7a6"  # after the ghost has moved
    with pytest.raises(move_log.LogError, match="^line 25: illegal move 'a7a6' in "):
        read(logged(" ".join(moves)))


def test_moves_after_a_game_that_no_pawn_has_ended_are_illegal():
    with pytest.raises(move_log.LogError, match="^line 30: illegal move 'a3b3' in "):
        read(logged(BLOCKED + " a3b3"))
