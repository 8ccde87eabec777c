"""What opening_book.py prints."""

from pawnstorm.core.state import MIN_WIN_SCORE, WIN
from pawnstorm.games.notation import COLOURS, fen, move_text
from pawnstorm.games.position_table import seen_from
from pawnstorm.numbers import pluralize


def score_text(value):
    """A value as text, in centipawns or as a proof; "unknown" for None."""
    if value is None:
        return "unknown"
    if abs(value) > MIN_WIN_SCORE:
        return f"{'won' if value > 0 else 'lost'} within {pluralize(WIN - abs(value), 'ply')}"
    return f"{value:+}"


def print_row(name, text):
    """Print one line."""
    print(f"{name:11}{text}", flush=True)


def summary(tree):
    """Print what a Tree holds."""
    nodes = tree.nodes()
    searches = sum(len(node.edges) for node in nodes)
    print_row("tree", f"{pluralize(len(nodes), 'position')}, {pluralize(searches, 'search')}")
    print_row("start", f"{score_text(tree.root.value)} for {COLOURS[tree.root.board.black_to_move]}")
    print_row("line", " ".join(tree.line(tree.root)))


def position(node, board, played):
    """Print the moves of a Node, best first, as moves on `board`, which is the node's Board or its mirror image.

    played: the moves that a book plays, as writing.played() returns them.
    """
    weights = {move: weight for move, weight, _ in played}
    print_row("position", f"{fen(board)}: {score_text(node.value)}")
    for edge in sorted(node.edges, key=lambda edge: -edge.value):
        move = seen_from(board, edge.move)
        grown = (
            f"after {pluralize(len(edge.child.edges), 'search')} of the position"
            if edge.child.edges
            else "by the search that found it"
        )
        book = f", weight {weights[edge.move]} in the book" if edge.move in weights else ""
        print_row("  " + move_text(board, move), f"{score_text(edge.value)} {grown}{book}")
