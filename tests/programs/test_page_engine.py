"""The engine of the page does what the executable does: the same moves at the same number of nodes, levels and book."""

import random
from collections import Counter
from pathlib import Path

import pytest
import repertoires
from boards import random_games
from pages import MEBIBYTES, page_engine, worker  # noqa: F401  a fixture
from test_perft import cases

from pawnstorm.core.state import WIN
from pawnstorm.evaluation import networks
from pawnstorm.games.notation import move_text, parse_fen, parse_move
from pawnstorm.games.position import Board
from pawnstorm.games.rules import GAMES, get_rules
from pawnstorm.openings.repertoire import Repertoire
from pawnstorm.proof import book
from pawnstorm.proof.prover import Prover
from pawnstorm.search.engine import Engine
from pawnstorm.search.limits import Limits
from pawnstorm.strength import levels
from pawnstorm_tools.playing_page import page

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(600)]


class Pair:
    """Both engines; go() has them search the same, and compares all that they say but times."""

    def __init__(self, other):
        self.other, self.infos, self.best = other, [], None
        self.engine = Engine(self.infos.append, self._on_best)
        self.engine.set_hash(MEBIBYTES)
        self.engine.prepare()

    def _on_best(self, board, best, ponder):
        self.best = best

    def new_game(self):
        self.engine.new_game()
        self.other.new_game()

    def go(self, board, multipv=1, elo=None, **limits):
        self.infos.clear()
        self.engine.multipv, self.engine.elo = multipv, elo
        self.engine.go(board, Limits(**limits))
        self.engine.wait()
        found = [(info.depth, info.seldepth, info.nodes, info.score, info.pv) for info in self.infos]
        line, infos = self.other.go(board, limits, multipv=multipv, elo=elo, seed=self.engine.game_seed)
        said = [
            (info["depth"], info["seldepth"], info["nodes"], score, line)
            for info in infos
            for score, line in info["lines"]
        ]
        assert said == found
        assert (line[0] if line else None) == self.best
        return self.best


@pytest.fixture
def pair(page_engine):
    made = Pair(page_engine)
    made.new_game()
    yield made
    made.engine.quit()


def opening(rules, chance, plies):
    """A random position that is not decided."""
    board = Board.start(rules)
    for _ in range(plies):
        children = [child for move in board.moves() if not (child := board.push(move)).is_game_over()]
        if not children:
            break
        board = chance.choice(children)
    return board


@pytest.mark.parametrize("name", ["twoflags", "breakthrough"])
def test_whole_games_at_a_number_of_nodes_are_the_same(name, pair):
    chance = random.Random(18)
    for _ in range(40):
        pair.new_game()
        board = opening(get_rules(name), chance, 4)
        while not board.is_game_over():
            board = board.push(pair.go(board, nodes=5000))


@pytest.mark.parametrize("name", GAMES)
def test_every_size_is_searched_alike(name, pair):
    chance = random.Random(name)
    for plies in (0, 3):
        board = opening(get_rules(name), chance, plies)
        pair.go(board, nodes=3000)
        pair.go(board, nodes=3000, multipv=3)
        pair.go(board, depth=4)


@pytest.mark.parametrize("name", ["twoflags", "breakthrough", "twoflags6x6"])
@pytest.mark.parametrize("elo", [levels.LOWEST, 1250, 1600, levels.HIGHEST])
def test_levels_play_the_same(name, elo, pair):
    chance = random.Random(elo)
    for _ in range(4):
        pair.new_game()
        board = opening(get_rules(name), chance, 2)
        while not board.is_game_over():
            board = board.push(pair.go(board, elo=elo, nodes=20_000))


@pytest.mark.parametrize("name, fen, depth, count", cases(200_000_000))
def test_perft(name, fen, depth, count, page_engine):
    assert page_engine.perft(parse_fen(get_rules(name), fen), depth) == count


@pytest.mark.parametrize("name", ["twoflags", "breakthrough6x6"])
def test_the_book_is_followed_in_timed_play(name, page_engine):
    """Against random replies, as the engine reads the book: its move and line, and the bound of the plies."""
    rules, chance, followed = get_rules(name), random.Random(4), 0
    shipped = book.for_game(rules)
    for _ in range(12):
        board = Board.start(rules)
        while (entry := shipped.probe(board)) is not None:
            line, infos = page_engine.go(board, {"movetime": 100})
            assert line == shipped.line(board) and infos[0]["nodes"] == 0
            assert len(infos) == 1 and infos[0]["lines"][0][0] == entry.value * (WIN - entry.plies)
            board, followed = (
                board.push(chance.choice([entry.move, *board.moves()] if entry.value < 0 else [entry.move])),
                followed + 1,
            )
    assert followed > 60
    # The worker says that it will be silent, before it reads a line book.
    assert page_engine.readings == 1 or name == "twoflags"


def test_opening_book_is_played_as_by_the_engine(tmp_path, monkeypatch):
    rules, chance = get_rules("breakthrough5x5"), random.Random(6)
    boards = list({board.canonical(): board for board in [Board.start(rules), *random_games(rules, 120, 7)]}.values())
    moves = {
        board: [
            (move, 15 if board is boards[0] else chance.randrange(1, 16), chance.randrange(-30000, 30000))
            for move in chance.sample(board.moves(), 2)
        ]
        for board in boards
        if len(board.moves()) > 1
    }
    (tmp_path / "made").write_bytes(repertoires.content(moves))
    numbers, parts = page.contents()
    games = [{**row, "repertoire": "made"} if row["full"] == rules.full_name else row for row in numbers["games"]]
    made = {**numbers, "games": games}, {**parts, "made": page.part((tmp_path / "made").read_bytes())}
    monkeypatch.setattr(page, "contents", lambda: made)
    shipped, limits, played = Repertoire(tmp_path / "made"), {"movetime": 5000}, Counter()
    with worker(tmp_path) as engine:
        for board in [one.mirrored() if chance.random() < 0.5 else one for one in moves]:
            line, (info,) = engine.go(board, limits)
            score = {choice.move: choice.score for choice in shipped.choices(board)}[line[0]]
            assert line == shipped.line(board, line[0]) and info["lines"] == [[score, line]] and info["nodes"] == 0
        for _ in range(60):
            played[engine.go(boards[0], limits)[0][0]] += 1
        for searched, settings in (
            ({"nodes": 500}, {}),
            ({"movetime": 20}, {"elo": 1500}),
            ({"movetime": 20}, {"multipv": 2}),
        ):
            assert engine.go(boards[0], searched, **settings)[1][-1]["nodes"] > 0
    assert set(played) == {choice.move for choice in shipped.choices(boards[0])} and len(played) > 2


SOLVED_WITH_A_NETWORK = sorted(path.stem for path in Path(networks.FOLDER).glob("*.solver"))


@pytest.mark.parametrize("name", [*SOLVED_WITH_A_NETWORK, "breakthrough7x6"])
def test_solver_expands_as_many_positions_as_the_engines(name, page_engine):
    """The page's solver has the same networks as the engine's, so it expands as many positions."""
    rules, chance, prover, found = get_rules(name), random.Random(name), Prover(MEBIBYTES), 0
    fewest, most = rules.files * (rules.ranks - 4) // 2 + 6, rules.files * (rules.ranks - 3) + 8
    for _ in range(200):
        board = opening(rules, chance, chance.randrange(fewest, most))
        prover.clear()
        proof = prover.prove(board, 10_000)  # as many as the page's solver expands at once
        if proof.value and prover.nodes > 100:
            page_engine.new_game()  # which empties the table
            said = page_engine.prove(board)
            assert (said["value"], said["plies"], said["nodes"]) == (proof.value, proof.plies, prover.nodes)
            found += 1
            if found == 3:
                return
    raise AssertionError(f"{found} positions found, expected 3")


def test_solver_of_6x6_wins_after_the_end_of_the_book(page_engine):
    """The page lost this game when its solver had no network: such a solver needs more expansions than the book allows for."""
    board = parse_fen(get_rules("breakthrough6"), "pppppp/ppppp1/4p1/1P4/1PPPPP/PPPPPP w - - 0 2")
    moves = (
        "f2e3 b5c4 b2c3 a6b5 d2d3 f6f5 a1b2 f5f4 f1f2 c5b4 d3e4 d5e4 b1a2 f4e3 f2e3 b4c3 b2c3 c4b3 c2b3 b5b4 c1b2 e6d5"
    )
    page_engine.new_game()
    for text in moves.split():
        if not board.black_to_move:
            line, _ = page_engine.go(board, {"movetime": 100})
            assert move_text(board, line[0]) == text  # by the book
        board = board.push(parse_move(board, text))
    line, _ = page_engine.go(board, {"movetime": 100})
    assert Prover(16).prove(board.push(line[0])).value < 0


def test_the_solver_proves_what_is_known(page_engine):
    rules = get_rules("twoflags")
    board = parse_fen(rules, "8/5p2/5p1p/8/5PP1/8/8/8 b - - 0 1")
    proof = page_engine.prove(board)
    assert proof["value"] == 1 and move_text(board, proof["line"][0]) == "f6f5"
    assert page_engine.prove(Board.start(rules))["value"] == 1
    assert page_engine.prove(Board.start(get_rules("breakthrough5x4")))["value"] == -1


@pytest.mark.parametrize("name", ["twoflags", "breakthrough", "breakthrough6"])
@pytest.mark.parametrize("milliseconds", [1, 30, 200, 1000])
def test_a_move_takes_its_time(name, milliseconds, page_engine):
    """Searches on a clock are cut into slices; each ends with a legal move, and all its lines are legal."""
    page_engine.new_game()
    board = opening(get_rules(name), random.Random(3), 6)
    line, infos = page_engine.go(board, {"movetime": milliseconds})
    assert line[0] in board.moves() and [info["depth"] for info in infos] == sorted(info["depth"] for info in infos)
    assert infos
    for info in infos:
        for _, told in info["lines"]:
            after = board
            for move in told:
                assert move in after.moves()
                after = after.push(move)
    page_engine.new_game()
    line, infos = page_engine.go(board, {"clock": [30 * milliseconds, 0]})
    assert line[0] in board.moves()
