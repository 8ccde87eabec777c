"""The puzzles of the page in Chromium and Firefox: wrong moves and their refutations, solutions, wins that are played out, progress."""

import json
import re
from functools import cache
from urllib.parse import parse_qs, quote

import pytest
from page_hands import MOVES, make, reload, squares
from pages import browser, opened, scripted, written  # noqa: F401  fixtures

from pawnstorm import pgn
from pawnstorm.games.notation import fen, parse_fen
from pawnstorm.games.rules import get_rules
from pawnstorm.proof.prover import Prover
from pawnstorm_tools.playing_page import page

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(300)]
GAMES = ("twoflags", "breakthrough")
EXPANDED = 300_000  # positions, at most, for a proof of what the page says: it takes the page a second or two
TABLE = 32  # MiB of the solver that checks what the page says
STATE = "document.getElementById('training').dataset.state"
PAWNS = """[...document.querySelectorAll('#squares [data-square]')].filter(cell => cell.getAttribute('aria-label').includes('pawn'))
  .map(cell => cell.dataset.square + (cell.getAttribute('aria-label').includes('white') ? 'P' : 'p')).sort()"""
SEEN = "[...document.querySelectorAll('#seen button')].map(button => button.className).at(-1)"
"""The result of the last puzzle of this visit."""
KEPT = "localStorage.getItem('pawnstorm.puzzles')"
BUTTONS = ("again", "solution", "next-puzzle", "play-out", "watch", "play-puzzle", "analyse-puzzle")


@pytest.fixture
def learning(opened):
    """The browser with the page in its Learn mode, where nothing is known about puzzles before."""
    opened.press("#mode-learn")
    addressed(opened, on_board(opened)[0])
    return opened


@pytest.fixture(scope="module")
def prover():
    return Prover(TABLE)


def on_board(browser):
    """(Board, row of numbers.puzzles) of the puzzle whose position is on the board."""
    shown = browser.evaluate(PAWNS)
    row = next(row for row in rows(browser) if pawns(board_of(row["game"], row["fen"])) == shown)
    return board_of(row["game"], row["fen"]), row


@cache
def board_of(game, text):
    return parse_fen(get_rules(game), text)


def addressed(browser, board):
    """Wait until the address names the puzzle of a board; returns its words. A page that is about to change it may hinder Firefox
    in leaving it.
    """
    browser.until(f"decodeURIComponent(location.hash).replaceAll('+', ' ').includes('fen={fen(board)}&mode=learn')")
    return parse_qs(browser.evaluate("location.hash.slice(1)"))


def rows(browser):
    return browser.evaluate("JSON.parse(document.getElementById('numbers').textContent).puzzles")


@cache
def pawns(board):
    """The pawns of a board, as PAWNS has them."""
    ranks = fen(board).split()[0].split("/")
    found = []
    for rank, row in zip(range(board.rules.ranks, 0, -1), ranks):
        filled = re.sub(r"\d", lambda digit: " " * int(digit[0]), row)
        found += [f"{'abcdefgh'[file]}{rank}{letter}" for file, letter in enumerate(filled) if letter != " "]
    return sorted(found)


def answer(board, row):
    return next(move for move in board.moves() if "".join(squares(board, move)) == row["move"][:4])


def other(board, row):
    return next(move for move in board.moves() if "".join(squares(board, move)) != row["move"][:4])


def usable(browser):
    """The buttons that do something now."""
    return {name for name in BUTTONS if browser.evaluate(f"document.getElementById('{name}').ariaDisabled") == "false"}


def told(browser, pattern, seconds=30):
    """Wait until a puzzle's text fits a pattern; returns what the pattern's groups are."""
    browser.until(f"/{pattern}/.test(document.getElementById('lesson').textContent)", seconds)
    return re.search(pattern, browser.text("lesson")).groups()


def wins(prover, board):
    """Whether the side to move is soon proven to win."""
    return not board.is_game_over() and prover.prove(board, EXPANDED).value > 0


def loses(prover, board):
    return board.is_game_over() or prover.prove(board, EXPANDED).value < 0


REFUTED = r"^(\S+) loses: (White|Black) answers (\S+) and (?:wins within (\d+) plies|wins at once)\. Try again\.$"


@pytest.mark.parametrize("game, way", [("twoflags", "click"), ("breakthrough", "touch drag")])
def test_wrong_move_is_refuted_and_then_tried_again(game, way, learning, prover):
    learning.choose("#prefer-puzzle-game", game)
    board, row = on_board(learning)
    assert board.rules.name == game and wins(prover, board)
    assert learning.text("lesson").startswith(f"{'Black' if board.black_to_move else 'White'} to move. One move wins")
    assert (
        learning.evaluate("document.getElementById('flip').getAttribute('aria-pressed')")
        == str(board.black_to_move).lower()
    )
    assert usable(learning) == {"solution", "next-puzzle"}
    wrong = other(board, row)
    make(learning, board, wrong, way)
    learning.until(f"{STATE} === 'wrong'")
    assert usable(learning) == {"again", "solution", "next-puzzle"}
    after = board.push(wrong)
    move, side, reply, plies = told(learning, REFUTED)
    assert pgn.parse_san(board, move) == wrong and (side == "White") == board.black_to_move
    refuted = after.push(pgn.parse_san(after, reply))
    learning.until(f"({PAWNS}).join() === '{','.join(pawns(refuted))}'")
    assert loses(prover, refuted) and refuted.is_game_over() == (plies is None)
    learning.until(f"{STATE} === 'solving' && ({PAWNS}).join() === '{','.join(pawns(board))}'")
    assert told(learning, REFUTED)[0] == move  # it can still be read
    assert learning.evaluate(SEEN) == "failed"
    make(learning, board, answer(board, row), "keys")
    told(learning, rf"^Right: \S+ wins within {row['within']} plies\.$")
    assert learning.evaluate(SEEN) == "later" and usable(learning) == set(BUTTONS) - {"solution"}


def test_refutation_is_cut_short(learning):
    board, row = on_board(learning)
    make(learning, board, other(board, row), "tap")
    learning.act("again")
    assert learning.evaluate(STATE) == "solving" and learning.evaluate(PAWNS) == pawns(board)
    make(learning, board, answer(board, row), "drag")
    told(learning, "^Right: ")


def test_move_that_is_being_judged_is_taken_back(learning, prover):
    board, row = on_board(learning)
    learning.press("#solution")
    learning.press("#play-out")
    board = board.push(answer(board, row))
    board = board.push(pgn.parse_san(board, told(learning, r"wins\. (?:White|Black) answers (\S+):")[0]))
    winning = next(move for move in board.moves() if loses(prover, board.push(move)))
    make(learning, board, winning, "click")  # it is answered after a pause
    learning.act("again")
    assert learning.evaluate(STATE) == "winning" and learning.evaluate(PAWNS) == pawns(board)


def test_solution_is_shown_on_request_and_counts_as_failed(learning):
    board, row = on_board(learning)
    learning.press("#solution")
    told(learning, rf"^The solution is \S+: it wins within {row['within']} plies\.$")
    solved = board.push(answer(board, row))
    assert learning.evaluate(PAWNS) == pawns(solved) and learning.evaluate(SEEN) == "failed"
    learning.press("#again")
    make(learning, board, answer(board, row), "click")
    told(learning, "^Right: ")
    assert learning.evaluate(SEEN) == "failed"


@pytest.mark.parametrize("game", GAMES)
def test_win_is_played_out_and_may_be_lost_on_the_way(game, learning, prover):
    row = max(
        (row for row in rows(learning) if row["game"] == game and row["within"] <= 17), key=lambda row: row["within"]
    )
    board = board_of(game, row["fen"])
    learning.load(
        f"{learning.evaluate('location.href.replace(/#.*/, String())')}#game={game}&fen={quote(row['fen'])}&mode=learn"
    )
    assert on_board(learning)[0] == board
    move = answer(board, row)
    make(learning, board, move, "click")
    told(learning, "^Right: ")
    learning.press("#play-out")
    lost = False
    while True:
        board = board.push(move)
        if board.is_game_over():
            break
        text, side, reply = told(learning, r"^(\S+) wins\. (White|Black) answers (\S+): win ")
        assert (side == "White") != board.black_to_move
        board = board.push(pgn.parse_san(board, reply))
        assert wins(prover, board)
        learning.until(f"{STATE} === 'winning' && ({PAWNS}).join() === '{','.join(pawns(board))}'")
        losing = [move for move in board.moves() if wins(prover, board.push(move))]
        if losing and not lost:
            lost = True
            make(learning, board, losing[0], "click")
            told(learning, REFUTED)
            learning.until(f"{STATE} === 'winning' && ({PAWNS}).join() === '{','.join(pawns(board))}'")
        winning = [move for move in board.moves() if loses(prover, board.push(move))]
        move = min(winning, key=lambda move: prover.probe(board.push(move)).plies)
        make(learning, board, move, "click")
        learning.until(f"({PAWNS}).join() !== '{','.join(pawns(board))}'")
    assert told(learning, r"^(White|Black) wins: .*\. Well done\.$") == ("White" if board.black_to_move else "Black",)
    assert lost and learning.evaluate(STATE) == "won"


def test_proof_is_watched_to_the_end(learning):
    learning.choose("#prefer-puzzle-level", "easy")
    board, row = on_board(learning)
    learning.press("#solution")
    learning.press("#watch")
    learning.until(f"{STATE} === 'watching'")
    assert told(learning, "^(White|Black) wins: ", 60) == ("Black" if board.black_to_move else "White",)
    assert "watch" not in usable(learning)


def test_puzzle_is_analysed_and_played_on(learning):
    board, row = on_board(learning)
    make(learning, board, other(board, row), "click")
    told(learning, REFUTED)
    learning.press("#solution")
    learning.press("#analyse-puzzle")
    learning.until("document.getElementById('mode-analyse').getAttribute('aria-pressed') === 'true'")
    assert learning.evaluate("document.activeElement.id") == "mode-analyse"  # what was pressed is no longer there
    assert pgn.parse_san(board, learning.evaluate(MOVES)[0]) == answer(board, row)
    assert learning.evaluate(PAWNS) == pawns(board.push(answer(board, row)))
    learning.press("#mode-learn")
    assert on_board(learning)[0] == board
    learning.press("#solution")
    learning.press("#play-puzzle")
    learning.choose("#time", "move 100")
    learning.press("#new-game")
    learning.until("document.getElementById('mode-play').getAttribute('aria-pressed') === 'true'")
    texts = learning.until(f"(texts => texts.length >= 2 && texts)({MOVES})", 60)  # the engine has answered
    assert pgn.parse_san(board, texts[0]) == answer(board, row)


def test_next_puzzle_is_an_unsolved_one_of_the_choice(learning):
    for game in (*GAMES, "both"):
        learning.choose("#prefer-puzzle-game", game)
        for level in ("easy", "medium", "hard", "fitting"):
            learning.choose("#prefer-puzzle-level", level)
            seen = []
            for _ in range(2):
                board, row = on_board(learning)
                title = learning.text("training-title")
                assert title.endswith(f": rated {row['grade']}")
                assert level == "fitting" or f", {level}:" in title
                assert game in ("both", row["game"])
                seen.append(fen(board))
                make(learning, board, answer(board, row), "click")
                told(learning, "^Right: ")
                learning.press("#next-puzzle")
            assert len(set(seen)) == 2
    solved = re.match(r"(\d+) of (\d+) solved · (\d+) in a row", learning.text("score")).groups()
    assert solved == ("24", str(len(rows(learning))), "24")


def test_level_follows_the_rating(learning):
    def shown():
        return on_board(learning)[1]["grade"]

    first = shown()
    for _ in range(4):
        board, row = on_board(learning)
        make(learning, board, answer(board, row), "click")
        told(learning, "^Right: ")
        learning.press("#next-puzzle")
    better = shown()
    for _ in range(8):
        learning.press("#solution")
        learning.press("#next-puzzle")
    assert shown() < better > first


def solve_one(browser):
    board, row = on_board(browser)
    make(browser, board, answer(board, row), "click")
    told(browser, "^Right: ")
    return board


def test_progress_and_choice_are_kept_until_the_user_starts_again(learning):
    learning.choose("#prefer-puzzle-game", "breakthrough")
    learning.choose("#prefer-puzzle-level", "easy")
    board = solve_one(learning)
    assert not learning.evaluate("document.getElementById('new-here').checkVisibility()")
    addressed(learning, board)
    reload(learning)
    learning.until(f"({PAWNS}).join() === '{','.join(pawns(board))}'")
    told(learning, "^(White|Black) to move")
    score = r"1 of \d+ solved · 1 in a row · your rating \d+$"
    assert re.match(score, learning.text("score")) and learning.evaluate(SEEN) == "first"
    learning.load(learning.evaluate("location.href.replace(/#.*/, '')"))
    learning.press("#mode-learn")
    assert re.match(score, learning.text("score")) and learning.evaluate(SEEN) == "open"
    other, row = on_board(learning)
    assert other != board and row["game"] == "breakthrough" and "easy" in learning.text("training-title")
    learning.press("#show-forget")
    learning.press("#forget-dialog .bar [data-closes]")
    assert learning.text("score").startswith("1 of ")
    learning.press("#show-forget")
    learning.press("#forget")
    assert re.match(r"0 of \d+ solved · 0 in a row$", learning.text("score"))
    assert learning.evaluate("document.getElementById('new-here').checkVisibility()")


def test_progress_belongs_to_positions_not_to_their_numbers(browser, written, tmp_path):
    """The next version of the page has the puzzles in another order, and one of them seen in a mirror."""
    path = tmp_path / "page.html"
    path.write_text(text := written.read_text())
    browser.load(f"{path.as_uri()}#game=twoflags&mode=learn")
    board, row = on_board(browser)
    addressed(browser, board)
    solve_one(browser)
    found = rows(browser)
    mirrored = dict(row, fen=fen(board.mirrored()))
    file = dict(zip("abcdefgh", "hgfedcba"))
    mirrored["move"] = "".join(file.get(letter, letter) for letter in row["move"])
    rest = [other for other in found if other != row]
    old, new = (page.report.embed_json(part)[1:-1] for part in (found, [*reversed(rest), mirrored]))
    assert old in text
    path.write_text(text.replace(old, new))
    browser.load(f"{path.as_uri()}#game=twoflags&mode=learn")
    assert browser.text("score").startswith("1 of ")
    browser.load(f"{path.as_uri()}#game=twoflags&fen={quote(mirrored['fen'])}&mode=learn")
    assert on_board(browser)[0] == board.mirrored() and browser.evaluate(SEEN) == "first"
    browser.evaluate("(localStorage.clear(), 0)")


@pytest.mark.parametrize(
    "kept",
    [
        "",
        "null",
        "7",
        "[" * 100000,
        '{"results": 7, "ratings": "x", "streak": -1}',
        '{"results": {"__proto__": "first", "twoflags,1,2": "first", "twoflags,1,2,x": "first", "twoflags,1,2,3": "best"}, "streak": 0.5}',
        '{"ratings": {"twoflags": "900", "chess": 900, "breakthrough": 1e9, "__proto__": 800}, "streak": "3"}',
    ],
)
def test_what_the_page_has_not_kept_of_puzzles_is_dropped(kept, learning):
    learning.evaluate(f"(localStorage.setItem('pawnstorm.puzzles', {json.dumps(kept)}), 0)")
    reload(learning)
    assert re.match(r"0 of \d+ solved · 0 in a row$", learning.text("score"))
    solve_one(learning)
    kept = json.loads(learning.evaluate(KEPT))
    assert list(kept["results"].values()) == ["first"] and list(kept["ratings"]) == ["twoflags"] and kept["streak"] == 1


@pytest.mark.parametrize("refused", [["setItem"], ["getItem", "setItem"]])
def test_browser_that_keeps_nothing_still_counts(refused, browser, scripted):
    script = f"for (const name of {refused}) Storage.prototype[name] = () => {{ throw new DOMException('no', 'SecurityError'); }};"
    scripted(script)
    browser.press("#mode-learn")
    solve_one(browser)
    browser.press("#next-puzzle")
    solve_one(browser)
    assert re.match(r"2 of \d+ solved · 2 in a row", browser.text("score"))


def test_link_of_a_puzzle_leads_to_it(learning):
    learning.press("#next-puzzle")
    board, row = on_board(learning)
    make(learning, board, other(board, row), "click")
    told(learning, REFUTED)
    assert set(addressed(learning, board)) == {"game", "fen", "mode"}
    link = learning.evaluate("location.href")
    learning.load(link)
    assert on_board(learning)[0] == board
    learning.load(re.sub(r"fen=[^&]*", "fen=8/8/8/3p4/8/3P4/8/8+w", link))
    told(
        learning,
        "^This page has no puzzle with the position of the link. Here is another puzzle. (White|Black) to move",
    )
    on_board(learning)


def test_first_visitor_is_led_to_the_rules(learning):
    learning.press("#new-here button")
    assert learning.evaluate("document.getElementById('rules-dialog').open")
    assert learning.evaluate("document.querySelectorAll('#rules-dialog figcaption').length") == 8


def test_list_of_this_visit_opens_its_puzzles(learning):
    board = solve_one(learning)
    learning.press("#next-puzzle")
    learning.until(f"({PAWNS}).join() !== '{','.join(pawns(board))}'")
    learning.press("#seen button")
    assert on_board(learning)[0] == board
    assert learning.evaluate("document.activeElement.parentElement.parentElement.id") == "seen"
