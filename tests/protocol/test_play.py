"""Games in a terminal: a real process behind a pseudo-terminal, from source and frozen, to a PGN that reads back."""

import os
import re
import signal
import subprocess

import chess.pgn
import client
import pexpect
import pytest

from pawnstorm import pgn
from pawnstorm.chess import TwoFlagsBoard
from pawnstorm.games.notation import parse_fen, parse_move
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm_protocol.picture import picture
from pawnstorm_protocol.uci import NAME

PROMPT = "(?:White|Black)> "
UTF8 = {"TERM": "xterm", "LC_ALL": "C.UTF-8"}
pytestmark = pytest.mark.compiled


class Terminal(pexpect.spawn):
    """`pawnstorm play` with somebody at the keys."""

    def __init__(self, command, *words, env=UTF8, columns=200):
        program, *first = command
        super().__init__(
            program,
            [*first, "play", *map(str, words)],
            timeout=client.DEADLINE,
            cwd=str(client.ROOT),
            encoding="utf-8",
            env=os.environ | env,
            echo=False,
            dimensions=(24, columns),
        )
        self.delaybeforesend = None

    def ask(self, line):
        """Type a line at the prompt; all that comes before the next one, or before the end."""
        self.sendline(line)
        return self.heard()

    def heard(self):
        self.expect([PROMPT, pexpect.EOF])
        return self.before.replace("\r\n", "\n")

    def ended(self, code=0):
        """Wait for the end; the last words."""
        self.expect(pexpect.EOF)
        self.wait()
        assert (self.exitstatus, self.signalstatus) == (code, None), self.before
        return self.before.replace("\r\n", "\n")


@pytest.fixture(scope="module")
def command():
    return client.command("source")


@pytest.fixture
def play(command):
    """Starts games, which are ended with the test."""
    started = []

    def start(*words, **how):
        started.append(Terminal(command, *words, **how))
        return started[-1]

    yield start
    for terminal in started:
        terminal.close(force=True)


def printed(said):
    """The one game at the end of what was said."""
    (read,) = pgn.games(said[said.index("[Event") :])
    return read


def replayed(read):
    """The board at the end of a game as read."""
    board = parse_fen(get_rules(read.tags["Variant"]), read.tags["FEN"])
    for text in read.moves:
        board = board.push(pgn.parse_san(board, text))
    return board


def test_whole_game_ends_in_a_pgn_that_reads_back(play, tmp_path, caplog):
    path = tmp_path / "game.pgn"
    path.write_text('[Event "before"]\n\n1. e4 *')
    terminal = play("--level", 800, "--movetime", 30, "--pgn", path)
    said, moves = terminal.heard(), 0
    assert f"you are White against {NAME} at 800" in said and "easier" not in said and "●" in said
    while terminal.after != pexpect.EOF:
        hint = terminal.ask("hint").strip()
        said = terminal.ask(hint)
        moves += 1
    terminal.ended()
    _, read = pgn.read(path)
    board = replayed(read)
    assert board.is_game_over() and read.result == ("1-0" if board.black_to_move else "0-1")
    assert re.search(r"(White|Black) wins: (far rank reached|last pawn taken|no move left): (1-0|0-1)\n$", said)
    assert (
        (len(read.moves) + 1) // 2 == moves and read.tags["White"] == "Human" and read.tags["Termination"] == "normal"
    )
    assert all(re.match(r"[+-](\d|M)", comment) for comment in read.comments[1::2])
    with open(path) as file:
        _, theirs = chess.pgn.read_game(file), chess.pgn.read_game(file)
    assert not theirs.errors and not caplog.records and theirs.headers["Result"] == read.result
    assert len(list(theirs.mainline_moves())) == len(read.moves) and theirs.end().board().result() == read.result
    assert isinstance(theirs.board(), TwoFlagsBoard)


@pytest.mark.parametrize("variant", ["breakthrough5", "hexapawn4x4"])
def test_black_sees_the_board_from_the_other_side_and_the_game_is_printed(variant, play):
    terminal = play("--variant", variant, "--black", "--movetime", 20)
    said = terminal.heard()
    last = re.search(r"plays (\w\d\w\d)", said)[1]
    board = Board.start(get_rules(variant))
    board = board.push(parse_move(board, last))
    assert picture(board, last, True, colours=True) in said
    assert said.count("   " + "  ".join("hgfedcba"[-board.rules.files :])) == 1, "the board is drawn once a turn"
    while terminal.after != pexpect.EOF:
        said = terminal.ask(terminal.ask("hint").strip())
    read = printed(said)
    assert replayed(read).is_game_over() and read.tags["Black"] == "Human" and read.moves[0] == last


def test_commands_and_wrong_input(play):
    terminal = play("--movetime", 20, "--variant", "breakthrough7x6")
    start = terminal.heard()
    assert "pawnstorm play --level 1000" in start
    assert all(word in terminal.ask("help") for word in ("e2e4", "hint", "eval", "back", "board", "resign", "quit"))
    assert re.match(
        r"'foo' is not a command: expected a move such as [a-g]2[a-g]3, or a command; help lists them",
        terminal.ask("foo"),
    )
    assert (
        "'b2b' is not a move: expected one such as e4, exd5 or e2e4; help lists" in terminal.ask("b2b")
        and "help lists" in terminal.before
    )
    assert "'b9' is not a square of breakthrough7x6: expected a1 to g6" in terminal.ask("b2 b9")
    assert re.match(r"'b2b4' is not possible: expected (b2[abc]3 or ){2}b2[abc]3; help lists", terminal.ask("b2b4"))
    assert re.match(r"'b3b4' is not possible: expected (..[a-g]3 or ){3}others; help lists", terminal.ask("b3b4"))
    assert "is not a command" in terminal.ask("\x1b[A\x00 é {}")
    assert terminal.ask("") == ""
    assert "no move of yours" in terminal.ask("back")
    assert re.fullmatch(
        r"[+-]\d+\.\d\d pawns for you, \d+ pl(y|ies) deep: ([a-g][1-6]){2}.*", terminal.ask("eval").strip()
    )
    board = start[start.index("6 ") :]
    assert board == terminal.ask("board").lstrip("\n")
    assert "plays" in terminal.ask("  B2   b3 ") and re.search(r"\[●\]", terminal.before)
    assert terminal.before.count("   a  b  c  d  e  f") == 1, "the board is drawn once a turn"
    assert terminal.ask("back").lstrip("\n") == board
    terminal.ask("c2c3")
    read = printed(terminal.ask("resign"))
    assert (read.result, read.last_comment, len(read.moves), read.moves[0]) == ("0-1", "White resigns", 2, "c2c3")
    terminal.ended()


def test_moves_may_be_typed_as_in_chess(play):
    """After b2 in Hexapawn only the captures win for Black."""
    terminal = play("--movetime", 20, "--variant", "hexapawn")
    terminal.heard()
    assert "'b3' is not possible: expected" in terminal.ask("b3")
    assert "'axb2' is not possible: expected b1b2; help lists" in terminal.ask("axb2")
    assert re.search("plays [ac]3b2", terminal.ask("b2"))
    assert "'b2' is ambiguous: expected a1b2 or c1b2; help lists" in terminal.ask("b2")
    assert "'b4' is not a square of hexapawn" in terminal.ask("c3b4")
    terminal.ask("Cxb2")
    read = printed(terminal.ask("resign") if terminal.after != pexpect.EOF else terminal.before)
    assert read.moves[0] == "b1b2" and read.moves[2] == "c1b2"


def test_proven_end_is_told_in_plies(play):
    terminal = play("--movetime", 1000, "--variant", "breakthrough3x4")  # it is proven long before
    terminal.heard()
    assert re.match(r"you (win|lose) in at most \d+ plies: ([a-c][1-4]){2}", terminal.ask("eval").strip())


def test_win_by_the_book_is_told_as_on_the_page(play):
    terminal = play("--movetime", 1000)
    terminal.heard()
    assert terminal.ask("eval").strip().startswith("you win in at most 45 plies by the book: b2b4 ")


@pytest.mark.parametrize("how, code", [("q", 0), ("end", 0), ("ctrl-c", 130), ("terminated", 130)])
def test_game_that_is_left_is_kept_as_unfinished(how, code, play):
    terminal = play("--movetime", 20)
    terminal.heard()
    terminal.ask("a2a3")
    match how:
        case "q":
            terminal.sendline(how)
        case "end":
            terminal.sendeof()
        case "ctrl-c":
            terminal.sendintr()
        case "terminated":
            terminal.kill(signal.SIGTERM)
    said = terminal.ended(code)
    read = printed(said)
    assert (read.result, read.tags["Termination"], len(read.moves)) == (
        "*",
        "unterminated",
        2,
    ) and "Traceback" not in said


def test_game_that_cannot_be_kept_is_printed(play):
    terminal = play("--movetime", 20, "--pgn", "/dev/full")
    terminal.heard()
    terminal.ask("a2a3")
    terminal.sendline("resign")
    said = terminal.ended(1)
    assert "--pgn '/dev/full' cannot be written" in said and printed(said).result == "0-1"


def test_game_that_has_not_begun_leaves_nothing(play, tmp_path):
    terminal = play("--pgn", tmp_path / "g.pgn")
    terminal.heard()
    terminal.sendeof()
    assert "[" not in terminal.ended() and (tmp_path / "g.pgn").read_text() == ""


def test_interrupt_while_the_engine_thinks(play):
    terminal = play("--movetime", 60_000, "--variant", "breakthrough7")
    terminal.heard()
    terminal.sendline("a2a3")
    terminal.expect("plays $")
    terminal.sendintr()
    read = printed(terminal.ended(130))
    assert read.moves == ["a2a3"]


def test_game_outlives_its_terminal(play, tmp_path):
    path = tmp_path / "g.pgn"
    terminal = play("--movetime", 20, "--pgn", path)
    terminal.heard()
    terminal.ask("a2a3")
    terminal.ptyproc.fileobj.close()  # hangs up
    terminal.wait()
    (read,) = pgn.read(path)
    assert (read.result, len(read.moves)) == ("*", 2)


@pytest.mark.parametrize(
    "words, env",
    [
        (["--ascii"], UTF8),
        ([], UTF8 | {"TERM": "dumb"}),
        ([], UTF8 | {"NO_COLOR": "1"}),
        ([], {"TERM": "xterm", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
    ],
)
def test_letters_where_colours_or_symbols_are_missing_or_unwanted(words, env, play):
    said = play(*words, env=env).heard()
    assert picture(Board.start(get_rules("twoflags"))) in said and said.isascii() and "\x1b" not in said


def test_letters_in_a_pipe(command):
    said = subprocess.run(
        [*command, "play"], input="", stdout=subprocess.PIPE, env=os.environ | UTF8, text=True, timeout=client.DEADLINE
    ).stdout
    assert picture(Board.start(get_rules("twoflags"))) in said and said.isascii() and "\x1b" not in said


@pytest.mark.parametrize(
    "words, part",
    [
        (["--movetime", "1s"], "--movetime: '1s': expected a whole number from 1 to 100000000"),
        (["--pgn", "/no/such/folder/g"], "--pgn: '/no/such/folder/g' cannot be written"),
        (["e2e4"], "unrecognized arguments: e2e4"),
    ],
)
def test_words_that_mean_nothing_are_named(words, part, play):
    assert part in " ".join(play(*words).ended(2).split())


@pytest.mark.parametrize("columns", [80, 50])
def test_lines_fit_the_terminal(columns, play):
    """Whole words, and no line that the terminal breaks."""
    terminal = play("--movetime", 20, columns=columns)
    said = terminal.heard() + terminal.ask("help") + terminal.ask("a2a5") + terminal.ask("eval")
    said += terminal.ask("nonsense") + play("-h", columns=columns).ended()
    lines = [re.sub(r"\x1b\[[\d;]*m", "", line) for line in said.splitlines()]
    assert max(map(len, lines)) < columns and max(map(len, lines)) > columns - 12
    words = " ".join(said.split())
    assert "Type your moves as two squares, such as a2a3; help lists the commands." in words
    assert "without it the game is printed at its end" in words


def test_picture_of_either_side():
    board = parse_fen(get_rules("breakthrough4x5"), "pp1p/2p1/1P2/4/PPPP b - - 0 1")
    assert (
        picture(board, "c2b3")
        == """\
5  B  B  .  B
4  .  .  B  .
3  . [W] .  .
2  .  . [.] .
1  W  W  W  W
   a  b  c  d"""
    )
    assert (
        picture(board, turned=True)
        == """\
1  W  W  W  W
2  .  .  .  .
3  .  .  W  .
4  .  B  .  .
5  B  .  B  B
   d  c  b  a"""
    )


def test_picture_in_colours_depends_on_no_colour_of_the_terminal():
    """Every square sets its background and its foreground: White's pawns are white, Black's are black."""
    board = parse_fen(get_rules("breakthrough4x5"), "pp1p/2p1/1P2/4/PPPP b - - 0 1")
    drawn = picture(board, "c2b3", colours=True)
    cells = re.findall(r"\x1b\[48;5;(\d+);38;5;(\d+)m([ \[])([ ●])[ \]]", drawn)
    assert len(cells) == 20 and drawn.count("\x1b[0m") == 5
    assert [(colour, shown) for _, colour, _, shown in cells if shown != " "] == [("16", "●")] * 4 + [("231", "●")] * 5
    assert [index for index, cell in enumerate(cells) if cell[2] == "["] == [9, 14]  # b3 and c2, from a5 on
    assert {(cell[0], (index % 4 + index // 4) % 2) for index, cell in enumerate(cells)} == {("94", 0), ("137", 1)}
