"""What the words of fastchess and cutechess-cli make a match do: the lines that it prints, its files, its engines."""

import re
import subprocess
import sys

from client import DEADLINE
from matches import MATCH, fake, play, play_words, words

from pawnstorm import pgn
from pawnstorm_tools.programs import match as program


def run(capsys, line):
    """(status, stdout, stderr) of a match in this process."""
    status = program.main([str(word) for word in line])
    return status, *capsys.readouterr()


def show_bar(monkeypatch):
    """stderr passes for a terminal from here on."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)


def play_each(first, second, *more):
    """The records of a match of two engines with words of their own."""
    return play_words(["-engine", *first, "-engine", *second, "-each", "tc=10", "-variant", "twoflags", *more])


def test_a_line_for_each_finished_game_and_the_score_at_intervals(capsys, monkeypatch):
    show_bar(monkeypatch)
    status, output, error = run(
        capsys, words(fake("good"), fake("good"), "-rounds", 2, "-scoreinterval", 1, "-ratinginterval", 2)
    )
    assert status == 0, error
    lines = output.splitlines()
    names = r"\(Fake good vs Fake good \(2\)\)", r"\(Fake good \(2\) vs Fake good\)"
    for number, (line, players) in enumerate(zip([lines[at] for at in (0, 2, 7, 9)], names * 2), 1):
        assert re.fullmatch(rf"Finished game {number} {players}: (1-0|0-1) \{{(White|Black) wins: [^}}]+\}}", line)
    assert re.fullmatch(r"Score of Fake good vs Fake good \(2\): [01] - [01]   \d+.0 %", lines[1])
    assert lines[3] == "Fake good against Fake good (2): 2 games" and lines[4].startswith("Score   1 - 1")
    assert lines[10] == lines[14] == "Fake good against Fake good (2): 4 games", "then comes the summary"
    assert error.rstrip().endswith("2 - 2]"), "the bar has the score"


def test_a_tournament_of_three_has_its_standing_in_the_bar(capsys, monkeypatch):
    show_bar(monkeypatch)
    line = words(fake("good"), fake("illegal"), fake("crash"), "-scoreinterval", 6)
    status, output, error = run(capsys, line)
    assert status == 0, error
    assert "Score after 6 games: Fake good 4/4, " in output and output.count("Finished game ") == 6
    assert error.rstrip().endswith("Fa~ood 4/4, Fa~ash 2/4, Fa~gal 0/4]"), "the bar has room for so much"


def test_the_bar_has_the_ratio_of_a_test(capsys, monkeypatch):
    show_bar(monkeypatch)
    status, output, error = run(
        capsys, words(fake("good"), fake("clumsy"), "-rounds", 500, "-sprt", "elo0=0", "elo1=200")
    )
    assert status == 0 and "LLR +" in error, error


def test_there_is_no_bar_where_stderr_is_no_terminal(tmp_path):
    """Then both streams can go to one file."""
    with open(tmp_path / "log", "wb") as file:
        line = words(fake("good"), fake("good"), fake("illegal"), "-rounds", 2)
        done = subprocess.run([sys.executable, MATCH, *line], stdout=file, stderr=file, timeout=DEADLINE)
    text = (tmp_path / "log").read_text()
    assert done.returncode == 0 and "\r" not in text and "|" not in text, text
    assert text.startswith("Finished game 1 ("), text


def test_event_and_site_stand_in_the_pgn_and_a_match_that_begins_replaces_the_file(tmp_path, capsys):
    file, results = tmp_path / "x.pgn", tmp_path / "r"
    file.write_text('[Event "old"]\n\n1. e4 1-0\n')
    more = ["-event", "My event", "-site", 'my "site"', "-resume", results, "-pgnout", f"file={file}", "append=false"]
    line = words(fake("good"), fake("good"), *more)
    assert run(capsys, [*line, "-rounds", "1"])[0] == 0
    assert [(one.tags["Event"], one.tags["Site"]) for one in pgn.read(file)] == [("My event", 'my "site"')] * 2
    assert run(capsys, [*line, "-rounds", "2"])[0] == 0
    rounds = [one.tags["Round"] for one in pgn.read(file)]
    assert rounds == ["1.1", "1.2", "2.1", "2.2"], "a match that goes on keeps its games"


def test_two_matches_of_one_file_are_both_in_it_without_append_false(tmp_path, capsys):
    file = tmp_path / "x.pgn"
    for _ in range(2):
        assert run(capsys, words(fake("good"), fake("good"), "-games", 1, "-pgnout", f"file={file}"))[0] == 0
    assert len(list(pgn.read(file))) == 2


def test_what_does_nothing_is_said_once_before_the_match(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    status, output, error = run(
        capsys, words(fake("good"), fake("good"), "-games", 1, "-draw", "movenumber=5", "-report", "penta=false")
    )
    assert status == 0 and error.startswith("match.py: -draw has no effect: none of these games can be drawn\n")
    assert error.count("match.py:") == 1 and list(tmp_path.iterdir()) == [], "no page is written"


def test_openings_of_another_game_are_refused_in_one_line(tmp_path, capsys):
    book = tmp_path / "twoflags.epd"
    line = words(fake("good"), fake("good"), "-games", 1, "-openings", f"file={book}", variant="breakthrough")
    doubt = f"match.py: -openings: by its name '{book}' is for twoflags, and this is a match of breakthrough"
    book.write_text("8/1ppppppp/8/p7/8/8/PPPPPPPP/8 w - a6\n")
    status, output, error = run(capsys, line)
    assert status == 2 and output == "" and error.count("\n") == 1, error
    assert error.startswith(f"{doubt}; line 1: bad en passant square 'a6'"), error
    book.write_text("8/5p2/8/8/8/8/5P2/8 w - -\n")  # breakthrough can be played from here
    status, _, error = run(capsys, line)
    assert (status, error) == (0, f"{doubt}\n")


def test_penta_false_counts_games_instead_of_pairs(capsys):
    line = words(fake("good"), fake("good"), "-rounds", 2)
    _, output, _ = run(capsys, [*line, "-report", "penta=true"])
    assert "Pairs   0: 0   1/2: 0   1: 2   3/2: 0   2: 0" in output and "all pairs ended alike" in output
    _, output, _ = run(capsys, [*line, "-report", "penta=false"])
    assert "Pairs" not in output and "Elo     +0.0" in output


def test_nothing_to_play_is_a_wrong_command_line_and_help_is_not(capsys):
    status, output, error = run(capsys, [])
    assert status == 2 and output == "" and len(error.splitlines()) == 1
    assert error.startswith("match.py: nothing to play")
    status, output, error = run(capsys, ["-help"])
    assert status == 0 and "-pgnout" in output and error == ""


def test_an_engine_is_sent_its_first_lines_and_started_again_for_each_game(tmp_path):
    log, other = tmp_path / "log", tmp_path / "other"
    records = play_each(
        [f"cmd={fake('good', log)}", r"initstr=hello\nyou", "restart=on"], [f"cmd={fake('good', other)}"]
    )
    assert [record["reason"] for record in records] == ["normal"] * 2
    assert log.read_text().splitlines()[:3] == ["hello", "you", "uci"]
    assert (log.read_text().count("hello\nyou\nuci\n"), other.read_text().count("uci\n")) == (2, 1)


def test_stderr_goes_to_its_file_whole(tmp_path):
    file = tmp_path / "errors"
    records = play_each([f"cmd={fake('crash')}", f"stderr={file}"], [f"cmd={fake('good')}"], "-games", "1")
    assert [record["detail"] for record in records] == ["White loses: exited with status 3"]
    assert file.read_text() == "something broke\n"


def test_one_engine_ponders_alone(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    play_each([f"cmd={fake('ponder', one)}", "ponder"], [f"cmd={fake('ponder', two)}"], "-games", "1")
    assert "go ponder" in one.read_text() and "go ponder" not in two.read_text()


def test_reversed_match_begins_with_the_other_engine_as_white():
    assert [record["first"] for record in play(fake("good"), fake("good"), "-reverse")] == ["black", "white"]


def test_there_is_a_wait_between_two_games_and_none_after_the_last(monkeypatch):
    waits = []
    monkeypatch.setattr("pawnstorm_tools.referee.local_match.now_ns", lambda: 0)
    monkeypatch.setattr(
        "pawnstorm_tools.referee.local_match.pump",
        lambda players, done, deadline, wake: waits.append((players, deadline)),
    )
    play(fake("good"), fake("good"), "-wait", 70)
    assert waits == [((), 70_000_000)]


def test_a_time_loss_names_the_margin():
    (record,) = play(fake("late"), fake("good"), "-games", 1, limit="st=0.1 timemargin=20")
    assert re.fullmatch(r"White loses: time loss, 0\.\d+ s over \(timemargin=20\)", record["detail"])
