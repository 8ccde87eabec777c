"""The tree of openings: its values and growth, compared with slow twins; merged positions and refused records."""

import math
import random

import pytest
from boards import board as board_of
from boards import play

from pawnstorm.core.state import MIN_WIN_SCORE, WIN
from pawnstorm.games.notation import fen, move_text
from pawnstorm.games.position import Board
from pawnstorm.games.rules import get_rules
from pawnstorm.proof.prover import Prover
from pawnstorm_tools.opening_tree.searching import DecidedSearch, Source, signature
from pawnstorm_tools.opening_tree.tree import OTHER, OWN, Tree, before_move

pytestmark = pytest.mark.compiled
RULES = get_rules("breakthrough4x5")


def record(node, move, score):
    return {"position": fen(node.board), "move": move_text(node.board, move), "score": score}


def grow(tree, find, count=math.inf, at_once=1):
    """Grow a settled tree by find(board, moves) -> (move, score), with up to `at_once` searches in progress;
    yields each Task when it ends.
    """
    running, done = [], 0
    while done < count:
        while len(running) < at_once and (task := tree.wanted()):
            tree.begin(task)
            running.append(task)
        if not running:
            return
        task = running.pop(0)
        tree.settle(tree.add(record(task.node, *find(task.node.board, task.moves))))
        done += 1
        yield task


def drawn(seed, proofs=0.02):
    """A search that gives random scores, some of them proven, and finds each win in one ply."""
    chance = random.Random(seed)

    def find(board, moves):
        for move in moves:
            if board.push(move).is_game_over():
                return move, WIN - 1
        move, proven = chance.choice(moves), chance.random() < proofs
        return move, chance.choice((-1, 1)) * (WIN - chance.randint(2, 9)) if proven else chance.randint(-80, 80)

    return find


def searched(name, nodes):
    """A search by the engine."""
    source = Source(name, {"nodes": nodes}, 1)

    def find(board, moves):
        found = source.records((fen(board), moves))
        (move,) = (move for move in moves if move_text(board, move) == found["move"])
        return move, found["score"]

    return find


# The slow twins: by recursion over records alone.


def slow_value(node):
    """Negamax over the edges. A proof is one ply longer for each ply. A loss counts only if no moves are left to search."""
    if not node.edges:
        return None
    best = -math.inf
    for edge in node.edges:
        below = slow_value(edge.child)
        if below is None:
            value = edge.score
        elif abs(below) > MIN_WIN_SCORE:
            value = -(abs(below) - 1) if below > 0 else abs(below) - 1
        else:
            value = -below
        best = max(best, value)
    images = {min((b := node.board.push(move)).bitboards, b.mirrored().bitboards) for move in node.board.moves()}
    whole = len(images) == len(node.edges) or any(edge.score < -MIN_WIN_SCORE for edge in node.edges)
    return -MIN_WIN_SCORE if best < -MIN_WIN_SCORE and not whole else best


def slow_paths(tree, node, own, before=0.0):
    """Yield (cost, node to search) of every path on; own: whether the side to move plays by the book."""
    if not node.edges:
        if not node.searching:
            yield before, node
        return
    value = slow_value(node)
    if abs(value) > MIN_WIN_SCORE:
        return
    grown = [edge for edge in node.edges if edge.child.edges]
    for edge in node.edges:
        worth = before_move(slow_value(edge.child)) if edge in grown else edge.score
        if abs(worth) <= MIN_WIN_SCORE and not (own and value - worth > tree.margin):
            yield from slow_paths(tree, edge.child, not own, before + 1 + (value - worth) / tree.ply_score)
    if len(grown) == len(node.edges) and not node.complete and not node.searching:
        loss = max(0, value - node.edges[-1].score)
        if not (own and loss > tree.margin):
            yield before + 1 + loss / tree.ply_score, node


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("at_once", [1, 3])
def test_values_and_the_next_search_are_those_of_the_slow_twins(seed, at_once):
    tree = Tree(RULES, ply_score=20, margin=15)
    chance, steps = random.Random(seed), 0
    for _ in grow(tree, drawn(seed), 50, at_once):
        steps += 1
        for node in chance.sample(tree.nodes(), min(5, len(tree.nodes()))):
            assert node.value == slow_value(node)
        paths = [path for own in (True, False) for path in slow_paths(tree, tree.root, own)]
        task = tree.wanted()
        assert (task is None) == (not paths)
        if task:
            cheapest = min(cost for cost, _ in paths)
            assert min(tree.root.costs) == pytest.approx(cheapest)
            assert min(cost for cost, node in paths if node is task.node) == pytest.approx(cheapest)
            assert not task.node.searching
    assert steps > 8


@pytest.mark.parametrize("seed", range(4))
def test_tree_that_is_read_again_is_the_same(seed):
    """A continued run reads all records first, then computes all values and costs."""
    tree, again, records = Tree(RULES, 20, 15), Tree(RULES, 20, 15), []
    find = drawn(seed)

    def kept(board, moves):
        found = find(board, moves)
        records.append({"position": fen(board), "move": move_text(board, found[0]), "score": found[1]})
        return found

    for _ in grow(tree, kept, 60):
        pass
    for one in records:
        again.add(one)
    again.settle_all()
    pairs = list(zip(tree.nodes(), again.nodes(), strict=True))
    assert all((a.board, a.value, a.costs, a.complete) == (b.board, b.value, b.costs, b.complete) for a, b in pairs)
    assert len(pairs) > 8 and again.line(again.root) == tree.line(tree.root)
    ends = tree.wanted(), again.wanted()
    assert ends == (None, None) or ends[0].node.board == ends[1].node.board and ends[0].moves == ends[1].moves


@pytest.mark.parametrize(
    "name, nodes", [("breakthrough4x4", 300), ("breakthrough3x5", 2000), ("hexapawn", 5), ("twoflags4x5", 300)]
)
def test_small_game_is_grown_to_its_end_and_all_that_is_decided_is_true(name, nodes):
    tree, prover = Tree(get_rules(name), 20, 15), Prover(16)
    for task in grow(tree, searched(name, nodes), 3000):
        assert task.moves
    assert tree.wanted() is None and abs(tree.root.value) > MIN_WIN_SCORE
    decided = 0
    for node in tree.nodes():
        if abs(node.value) > MIN_WIN_SCORE:
            proof = prover.prove(node.board)
            assert (node.value > 0) == (proof.value > 0), fen(node.board)
            decided += 1
    assert decided
    board = tree.root.board
    line = tree.line(tree.root)
    assert fen(play(board, *line))


def test_decided_position_is_never_searched_again():
    """Neither if its search proved a win, nor if its edges do. After a proven loss of all remaining moves, none remain."""
    tree = Tree(RULES, 20, 15)
    for _ in grow(tree, drawn(5, proofs=0.1), 200):
        pass
    assert len(tree.nodes()) > 10
    ends = [node for node in tree.nodes() if node.edges[0].score > MIN_WIN_SCORE]
    assert ends and all(len(node.edges) == 1 and not node.edges[0].child.edges for node in ends)
    lost = [node for node in tree.nodes() if node.edges[-1].score < -MIN_WIN_SCORE]
    assert lost and all(node.complete for node in lost)


def test_transpositions_and_mirror_images_are_searched_once():
    tree, seen = Tree(get_rules("hexapawn4x5"), 200, 200), []
    for task in grow(tree, drawn(11), 150):
        seen.append((task.node.board.bitboards, tuple(task.moves)))
    assert len(seen) == len(set(seen))
    firsts = [
        bitboards for bitboards, moves in seen if len(moves) == len(tree.moves_left(tree.root)) + len(tree.root.edges)
    ]
    assert len(firsts) == len(set(firsts))
    assert any(len(node.parents) > 1 for node in tree.nodes()), "no transposition came"
    for node in tree.nodes():
        image = node.board.mirrored()
        assert tree.node(image) is tree.node(node.board) is node


def test_of_two_images_of_a_move_one_is_left():
    tree = Tree(get_rules("breakthrough"), 20, 15)
    assert len(tree.root.board.moves()) == 22 and len(tree.moves_left(tree.root)) == 11


def test_both_colours_of_a_position_are_one_node():
    tree = Tree(RULES, 20, 15)
    root = tree.root.board
    assert tree.node(Board(RULES, root.own, root.opp, root.ep, True)) is tree.root


def test_a_proof_is_a_ply_longer_one_ply_earlier():
    assert before_move(WIN - 5) == -(WIN - 6) and before_move(-(WIN - 4)) == WIN - 5
    assert before_move(30) == -30 and before_move(-MIN_WIN_SCORE) == MIN_WIN_SCORE


@pytest.mark.parametrize(
    "position, move, named",
    [
        ("pppp/pppp/3P/PPP1/PPPP b - - 0 1", "a4a3", "not a position of the tree"),
        ("pppp/pppp/4/PPPP/PPPP w - - 0 1", "a2a4", "a2a4"),
        ("pppp/pppp/4/PPPP/PPPP w - - 0 1", "b2c3", "was found before"),
        ("pppp/pppp/4/PPPP/PPPP w - - 0 1", "c2b3", "was found before"),
        ("pppp/pppp/4 w", "b2c3", "pppp/pppp/4"),
    ],
)
def test_record_that_does_not_fit_is_refused(position, move, named):
    tree = Tree(RULES, 20, 15)
    tree.add({"position": fen(tree.root.board), "move": "b2c3", "score": 3})
    with pytest.raises(ValueError) as refused:
        tree.add({"position": position, "move": move, "score": 3})
    assert named in str(refused.value)
    assert len(tree.root.edges) == 1


def test_roles_differ_in_the_moves_of_the_side_that_plays_by_the_book():
    """A bad second move is a continuation only on paths of the opponent's book."""
    tree = Tree(RULES, ply_score=10, margin=15)
    for move, score in zip(tree.moves_left(tree.root), (20, -40)):
        tree.add(record(tree.root, move, score))
    tree.settle(tree.root)
    assert [cost for cost, _ in tree.ways(tree.root, OWN)] == [1]
    assert [cost for cost, _ in tree.ways(tree.root, OTHER)] == [1, 7]


# The searches.


def test_search_counts_a_loss_only_if_a_whole_iteration_found_it():
    """In an iteration that was cut short, the last report may say only that the moves so far lose."""

    class Info:
        def __init__(self, score):
            self.score = score

    search = DecidedSearch.__new__(DecidedSearch)
    for scores, lost, score in (
        ((5, -WIN + 8), False, -MIN_WIN_SCORE),
        ((5, -WIN + 8, -WIN + 10), True, -WIN + 8),
        ((5, WIN - 3), False, WIN - 3),
        ((5, 7), False, 7),
        ((-WIN + 8,), False, -MIN_WIN_SCORE),
    ):
        search.infos = [Info(score) for score in scores]
        assert search.lost == lost and search.result()[1] == score


def test_search_ends_with_the_proof_and_has_only_the_moves_that_are_left():
    board = board_of("p2p/1P2/4/2p1/P2P w - - 0 1", "breakthrough4x5")
    source = Source("breakthrough4x5", {"nodes": 10**9}, 1)
    found = source.records((fen(board), board.moves()))
    assert found["score"] > MIN_WIN_SCORE and found["nodes"] < 10**6
    others = [move for move in board.moves() if move_text(board, move) != found["move"]]
    assert source.records((fen(board), others))["move"] != found["move"]


def test_same_search_finds_the_same_whatever_came_before():
    one, other = (Source("breakthrough6", {"nodes": 3000}, 1) for _ in range(2))
    start = Board.start(get_rules("breakthrough6"))
    items = [(fen(board), board.moves()) for board in (start, play(start, "a2a3"), play(start, "b2c3", "e5e4"))]
    found = [one.records(item) for item in items]
    assert [other.records(item) for item in reversed(items)] == found[::-1]
    assert all(record["nodes"] >= 3000 for record in found)


def test_signature_follows_the_evaluation(monkeypatch):
    rules = get_rules("breakthrough6")
    before = signature(rules)
    assert signature(rules) == before
    monkeypatch.setattr("pawnstorm.evaluation.networks.addresses", lambda rules: {"network": 0, "ntuple": 0})
    assert signature(rules) != before


@pytest.mark.parametrize("name", ["hexapawn", "breakthrough2x4", "twoflags3x5"])
def test_every_game_has_a_signature(name):
    assert signature(get_rules(name)) > 0
