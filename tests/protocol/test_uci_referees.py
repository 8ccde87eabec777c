"""What referees send: the customary extras, the compliance check of fastchess, and a whole game."""

import re

from uci_audit import FINISHED, TWOFLAGS, audit, root
from uci_engine import command, engine, process, setup  # noqa: F401


def test_d_and_eval_answer(engine):
    assert [line for line in engine.ask("d") if TWOFLAGS in line]
    assert [line for line in engine.ask("eval") if re.search(r"-?\d", line)]
    for where in (root(*each) for each in FINISHED):
        setup(engine, where)
        assert engine.ask("d") and engine.ask("eval")


def test_the_compliance_check_of_fastchess(engine):
    """Its sequence: full chess positions, and the clock of one side only."""
    fen = "3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27"
    assert engine.ask("ucinewgame") == []
    assert engine.ask("position startpos") == []
    audit(root(), engine.go("wtime 100 btime 100"))
    for position in "position startpos", f"position fen {fen}", f"position fen {fen.replace(' w ', ' b ')}":
        for limits in (
            "wtime 100",
            "btime 100",
            "wtime 100 btime 100 winc 100 binc 100",
            "btime 100 winc 100 wtime 100 binc 100",
            "nodes 100",
            "depth 3",
        ):
            complaints = engine.ask("ucinewgame", position)
            assert bool(complaints) == ("fen" in position)
            audit(root(), engine.go(limits))


def test_a_whole_game_against_itself(engine):
    where, moves = root("breakthrough5"), []
    engine.ask("setoption name UCI_Variant value breakthrough5")
    while not where.over():
        engine.send("position startpos moves " + " ".join(moves))
        moves.append(audit(where, engine.go("wtime 300 btime 300")).best)
        where = where.play(moves[-1])
