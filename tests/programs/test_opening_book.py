"""scripts/opening_book.py: a tree is grown, interrupted and continued; the engine plays the book made from it."""

import json
import os
import re
import signal
import subprocess
import sys

import opening_book as program
import pytest
from client import ROOT
from engine_player import Player
from processes import wait_until

from pawnstorm.core.state import MIN_WIN_SCORE
from pawnstorm.games.notation import fen, move_text, parse_fen, parse_move
from pawnstorm.games.position import Board
from pawnstorm.games.position_table import bucket_bits, key, mirror_move
from pawnstorm.games.rules import get_rules
from pawnstorm.openings import repertoire
from pawnstorm_tools.opening_tree import growing, writing
from pawnstorm_tools.opening_tree.searching import Source

pytestmark = pytest.mark.compiled
GAME, NODES = "breakthrough5x5", 400
WORDS = ("--variant", GAME, "--nodes", str(NODES), "--hash", "1", "--margin", "15", "--ply", "20")


def grow(path, searches, *words, processes=1):
    return program.main(["grow", str(path), *WORDS, "--searches", str(searches), "--processes", str(processes), *words])


def lines(path):
    """The lines of a tree's file, without the run's id."""
    return [re.sub(r'"tree of openings": "\w+"', "", line) for line in path.read_text().splitlines()]


def records(path):
    return [json.loads(line) for line in path.read_text().splitlines()[1:]]


def said(capture, *words):
    """The program's output; the program must succeed."""
    assert program.main([str(word) for word in words]) == 0
    return capture.readouterr().out


@pytest.fixture(scope="module")
def grown(tmp_path_factory):
    """A tree of 150 searches."""
    path = tmp_path_factory.mktemp("grown") / "tree"
    assert grow(path, 150) == 0
    return path


def searched_again(record):
    """A new first search of a record's position, among all moves; of two mirror images, only the first counts."""
    board, first = parse_fen(get_rules(GAME), record["position"]), {}
    for move in board.moves():
        first.setdefault(board.push(move).canonical().bitboards, move)
    return Source(GAME, {"nodes": NODES}, 1).records((record["position"], list(first.values())))


def check_records(found):
    """Each record is a different search. Some of the first searches of a position are repeated."""
    assert [record["search"] for record in found] == list(range(len(found)))
    assert len({(record["position"], record["move"]) for record in found}) == len(found)
    first = {record["position"]: record for record in reversed(found)}
    for position, record in list(first.items())[::3]:
        assert fen(parse_fen(get_rules(GAME), position).canonical()) == position
        assert record["nodes"] >= NODES or abs(record["score"]) > MIN_WIN_SCORE
        assert record == {"search": record["search"]} | searched_again(record)
    return len(first)


def test_tree_has_a_record_for_each_search_which_finds_the_same_again(grown):
    assert 40 < check_records(records(grown)) < 110


def test_stopped_tree_grows_on_as_if_it_had_not_been_stopped(grown, tmp_path):
    path = tmp_path / "tree"
    for searches in (1, 7, 60, 150):
        assert grow(path, searches) == 0 and len(records(path)) == searches
    assert lines(path) == lines(grown)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_killed_run_goes_on_to_the_same_tree(how, grown, tmp_path):
    path = tmp_path / "tree"
    words = ["grow", str(path), *WORDS, "--searches", "150", "--processes", "1"]
    running = subprocess.Popen(
        [sys.executable, ROOT / "scripts" / "opening_book.py", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_until(lambda: path.exists() and path.read_text().count("\n") > 4, "a search")
    running.send_signal(how)
    out, err = running.communicate(timeout=60)
    assert "Traceback" not in err
    if how == signal.SIGINT and running.returncode:
        assert running.returncode == 130 and "the same command goes on" in err and out.startswith("tree  ")
    assert grow(path, 150) == 0 and lines(path) == lines(grown)


def test_line_that_a_kill_has_cut_off_is_searched_again(grown, tmp_path):
    path = tmp_path / "tree"
    path.write_bytes(grown.read_bytes())
    os.truncate(path, path.stat().st_size - 30)
    assert grow(path, 150) == 0 and lines(path) == lines(grown)


def test_two_processes_search_what_one_would_find(tmp_path):
    path = tmp_path / "tree"
    assert grow(path, 60, processes=2) == 0
    assert len(records(path)) == 60
    check_records(records(path))


@pytest.mark.parametrize(
    "words, named",
    [
        (("--nodes", "500"), "'nodes' was 400, now 500"),
        (("--hash", "2"), "'hash' was 1, now 2"),
        (("--variant", "breakthrough4x4"), "'variant' was breakthrough5, now breakthrough4"),
    ],
)
def test_tree_of_other_searches_is_left_as_it_is(words, named, grown, capsys):
    before = grown.read_bytes()
    flag = WORDS.index(words[0])
    given = [*WORDS[:flag], *words, *WORDS[flag + 2 :]]
    assert program.main(["grow", str(grown), *given, "--searches", "200"]) == 2
    err = capsys.readouterr().err
    assert named in err and err.count("\n") == 1 and grown.read_bytes() == before


def test_engine_that_plays_otherwise_needs_another_file(grown, monkeypatch, capsys):
    monkeypatch.setattr(growing, "signature", lambda rules: 7)
    assert grow(grown, 200) == 2
    assert (
        "the engine is not the one that began the file, or plays differently ('signature' was"
        in capsys.readouterr().err
    )


def test_searches_by_time_are_told_apart_from_searches_by_nodes(grown, tmp_path, capsys):
    path, words = tmp_path / "tree", ("--variant", GAME, "--movetime", "10", "--hash", "1", "--processes", "1")
    assert program.main(["grow", str(path), *words, "--searches", "5"]) == 0 and len(records(path)) == 5
    assert json.loads(path.read_text().splitlines()[0])["settings"]["movetime"] == 10
    assert program.main(["grow", str(grown), *words, "--searches", "200"]) == 2
    assert "'nodes' was 400, now None" in capsys.readouterr().err


def test_decided_game_ends_the_growth(tmp_path, capsys):
    path = tmp_path / "tree"
    words = ("grow", path, "--variant", "breakthrough4x4", "--nodes", 300, "--hash", 1, "--processes", 1)
    out = said(capsys, *words)
    assert re.search(r"^start +lost within \d+ plies for White$", out, re.M)
    before = path.read_bytes()
    assert said(capsys, *words) == out and path.read_bytes() == before


def test_a_damaged_record_is_named(grown, tmp_path, capsys):
    path = tmp_path / "tree"
    path.write_text(grown.read_text().replace('"move": ', '"move": "a1a5", "was": ', 1))
    before = path.read_bytes()
    for words in (["grow", str(path), *WORDS], ["show", str(path)]):
        assert program.main(words) == 2
        err = capsys.readouterr().err
        assert "search 0: " in err and "'a1a5'" in err and path.read_bytes() == before


# What is shown.


def test_show_names_the_moves_of_a_position_the_best_first(grown, capsys):
    out = said(capsys, "show", grown, "--margin", 15, "--ply", 20)
    rules = get_rules(GAME)
    moves = re.findall(r"^  (\w\d\w\d) +([+-]\d+) ", out, re.M)
    values = [int(value) for _, value in moves]
    assert values == sorted(values, reverse=True) and len(values) > 1
    assert all(parse_move(Board.start(rules), move) for move, _ in moves)
    best = moves[0][0]
    below = said(capsys, "show", grown, best, "--margin", 15, "--ply", 20)
    assert f"position   {fen(Board.start(rules).push(parse_move(Board.start(rules), best)))}: {-values[0]:+}\n" in below
    assert program.main(["show", str(grown), "a2a5"]) == 2 and "'a2a5'" in capsys.readouterr().err
    assert program.main(["show", str(grown), "a2a3", "a4a3"]) == 2


def test_mirror_image_is_shown_with_its_own_moves(grown, capsys):
    start = Board.start(get_rules(GAME))
    first = parse_move(start, next(record["move"] for record in records(grown) if " w " in record["position"]))
    tables = []
    for move in (first, mirror_move(start.rules, first)):
        board = start.push(move)
        out = said(capsys, "show", grown, move_text(start, move))
        assert f"position   {fen(board)}: " in out
        moves = re.findall(r"^  (\w\d\w\d) ", out, re.M)
        tables.append([board.push(parse_move(board, text)).canonical() for text in moves])
    assert tables[0] == tables[1] and len(tables[0]) > 1


def test_stop_between_a_search_and_its_values_leaves_a_summary(tmp_path, monkeypatch, capsys):
    settle = growing.Tree.settle

    def stop(tree, node):
        if any(edge.child.edges and edge.child.value is None for edge in tree.root.edges):
            raise KeyboardInterrupt
        settle(tree, node)

    monkeypatch.setattr(growing.Tree, "settle", stop)
    with pytest.raises(KeyboardInterrupt):
        growing.grow(tmp_path / "tree", get_rules(GAME), {"nodes": NODES}, 1, 20, 15, 9, 1)
    assert capsys.readouterr().out.startswith("tree       ")


# The book.


@pytest.fixture
def book(grown, tmp_path, capsys):
    """The Repertoire of the tree."""
    out = said(capsys, "write", grown, tmp_path / "book", "--margin", 15, "--ply", 20)
    found = repertoire.Repertoire(tmp_path / "book")
    assert (
        f": {(len(set(_keys(found)))):,} positions, {found.count:,} moves, {(tmp_path / 'book').stat().st_size:,} bytes"
        in out
    )
    return found


def _keys(found):
    """The first 32 bits of the keys, enough to tell the few positions of a test apart."""
    bits = bucket_bits(found.count)
    return [
        (bucket << 32 | found._key(place)) >> bits
        for bucket in range(1 << bits)
        for place in range(found._place(bucket), found._place(bucket + 1))
    ]


def values(path):
    """{canonical bitboards: [(move, value)]} of a tree's file, by records alone; the children by moves of the records."""
    rules, moves = get_rules(GAME), {}
    for record in records(path):
        board = parse_fen(rules, record["position"])
        move = parse_move(board, record["move"])
        moves.setdefault(board.bitboards, []).append((board, move, record["score"]))

    def value(bitboards):
        found = [(move, worth(board, move, score)) for board, move, score in moves[bitboards]]
        return max(worth for _, worth in found), found

    def worth(board, move, score):
        after = board.push(move).canonical().bitboards
        if after not in moves:
            return score
        below, _ = value(after)
        return -below if abs(below) <= MIN_WIN_SCORE else -below + (1 if below > 0 else -1)

    return {bitboards: value(bitboards) for bitboards in moves}


def test_book_has_the_moves_within_the_margin_with_their_values(grown, book):
    """It has none if a better move may not have been searched yet."""
    known, checked, rules = values(grown), 0, get_rules(GAME)
    for record in records(grown):
        board = parse_fen(rules, record["position"])
        choices = {choice.move: choice for choice in book.choices(board)}
        best, moves = known[board.bitboards]
        if not choices or board.mirrored().bitboards == board.bitboards or abs(best) >= MIN_WIN_SCORE:
            continue
        assert set(choices) == {move for move, value in moves if best - value <= 15}
        for move, value in moves:
            if move in choices:
                assert choices[move].score == value and choices[move].weight == 15 - round(14 * (best - value) / 15)
        checked += 1
    assert checked > 30


def test_whoever_plays_by_the_book_finds_a_move_as_long_as_the_tree_goes_on(grown, book):
    """The other side plays every move of the tree. The book has no position that neither side can reach."""
    tree, rules, met = growing.read(grown, 20, 15), get_rules(GAME), set()
    for ours in (False, True):
        waiting = [Board.start(rules)]
        for board in waiting:
            node = tree.node(board)
            if node is None or not node.edges:
                continue
            choices = book.choices(board)
            if board.black_to_move == ours:
                assert bool(choices) == bool(writing.played(node, 15))
                met.add(board.canonical().bitboards)
                moves = [choice.move for choice in choices]
            else:
                moves = board.moves()
            waiting += [
                after for after in map(board.push, moves) if tree.node(after) and after.canonical() not in waiting
            ]
    assert set(_keys(book)) <= {key(Board(rules, *bitboards, False)) >> 32 for bitboards in met}


def test_smaller_book_keeps_what_is_cheapest_to_come_to(grown, tmp_path, capsys):
    whole = tmp_path / "whole"
    said(capsys, "write", grown, whole, "--margin", 60, "--ply", 20)
    small = tmp_path / "small"
    said(capsys, "write", grown, small, "--margin", 60, "--ply", 20, "--size", 700)
    found, rules = repertoire.Repertoire(small), get_rules(GAME)
    assert small.stat().st_size <= 700 < whole.stat().st_size and found.count > 10
    assert set(_keys(found)) < set(_keys(repertoire.Repertoire(whole))) and found.choices(Board.start(rules))
    assert program.main(["write", str(grown), str(small), "--size", "100"]) == 2
    assert "expected more searches, or a larger --size" in capsys.readouterr().err


def test_engine_plays_the_book_that_was_written(grown, tmp_path, monkeypatch, capsys):
    said(capsys, "write", grown, tmp_path / f"{GAME}.repertoire", "--margin", 60, "--ply", 20)
    monkeypatch.setattr(repertoire, "FOLDER", str(tmp_path))
    one, seen = Player(), set()
    for _ in range(30):
        board, own = Board.start(get_rules(GAME)), 0
        while not board.is_game_over():
            move = one.play(board, movetime=5)
            if one.infos[-1].nodes:
                break
            board, own = board.push(move), own + 1
        seen.add(fen(board))
        assert own >= 2
    assert len(seen) > 3


def test_empty_tree_makes_no_book(tmp_path, capsys):
    path = tmp_path / "tree"
    settings = {"tree of openings": "0123456789ab", "settings": {"variant": GAME}}
    path.write_text(json.dumps(settings) + "\n")
    assert program.main(["write", str(path), str(tmp_path / "book")]) == 2
    assert "holds no search" in capsys.readouterr().err and not (tmp_path / "book").exists()
