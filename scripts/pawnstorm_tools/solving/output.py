"""What solve.py and strategy.py print: lines of a word, a gap and a value."""

from pawnstorm.games.notation import COLOURS, fen, move_text
from pawnstorm.numbers import counted

BOUND = "by the proof that was found: the shortest win may be shorter, and --exact finds it"


def winner(board, proof):
    """The colour that a Proof says wins."""
    return COLOURS[board.black ^ (proof.value < 0)]


def tell(name, text):
    """Print one line."""
    print(f"{name:11}{text}", flush=True)


def solution(board, proof, plies, exact, line):
    """Print who wins a position, in how many plies, what that number is, and the line.

    exact: whether the number is the length of the shortest win; otherwise it is the bound that the proof gives.
    """
    moves, at = [], board
    for move in line:
        moves.append(move_text(at, move))
        at = at.push(move)
    tell("position", fen(board))
    tell("winner", f"{winner(board, proof)}, in {'' if exact else 'at most '}{counted(plies, 'ply')}")
    if line:
        tell("length", "exact: the shortest win, against the longest resistance" if exact else f"a bound, {BOUND}")
    tell("line", " ".join(moves) or "the game is over")


def effort(nodes, seconds):
    """Print what a run has spent."""
    tell("expanded", f"{counted(nodes, 'position')} in {seconds:.1f} s")


def move(board, move, proof):
    """Print what a move leads to, by the Proof of the position after it."""
    child = board.push(move)
    tell("move", f"{move_text(board, move)}: {winner(child, proof)} wins, in at most {counted(proof.plies + 1, 'ply')}")


def proof(path, records, black, of_the_book=None):
    """Print where a strategy was written, of how many records, for whom, and how many of its moves are a book's."""
    part = "" if of_the_book is None else f", in {of_the_book:,} of them the book's"
    tell("proof", f"{path}: {COLOURS[black]}'s move in {counted(records, 'position')}{part}")


def book(path, black, plies, entries, leaves):
    """Print what a book holds; leaves: the expansions that each of its leaves takes."""
    tell("winner", f"{COLOURS[black]}, in at most {counted(plies, 'ply')}")
    tell("length", "a bound, by the strategy of the book: the shortest win may be shorter")
    tell("book", f"{path}: {counted(len(entries), 'entry')}, {path.stat().st_size:,} bytes")
    mean = sum(leaves) / len(leaves)
    tell("leaves", f"{len(leaves):,}, of {mean:.0f} expansions on average and {max(leaves):,} at most")


def opening(path, plies, positions, entries):
    """Print what an opening holds."""
    tell("opening", f"{path}: {counted(len(entries), 'entry')}, {path.stat().st_size:,} bytes")
    tell("lost", f"{len(entries):,} of {counted(positions, 'position')} up to {counted(plies, 'ply')} from the start")


def time(proof, book):
    """Print how many seconds a proof and its book took."""
    tell("time", f"{proof:.1f} s for the proof, {book:.1f} s for the book")


def lost_game(start, moves):
    """Print a game that the engine should have won, from a position on."""
    tell("lost", f"{fen(start)} moves {' '.join(moves)}")


def walk(black, won, games, seconds):
    """Print how many of the games the winner of the book has won."""
    tell("walk", f"{COLOURS[black]} won {won:,} of {counted(games, 'game')} in {seconds:.0f} s")
