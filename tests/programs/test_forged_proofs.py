"""scripts/verify.py and the second checker give the same verdict on proofs of the solver, whole and forged."""

import proofs
import pytest
from second_checker import verdict
from solve_runs import here, solve, told

from pawnstorm_tools.checking import agreement, naive, prooffile
from pawnstorm_tools.common import machinecode
from pawnstorm_tools.programs import verify

machinecode.load()

from pawnstorm_tools.checking import checker  # noqa: E402

pytestmark = pytest.mark.compiled

# Both colours win. In the first, wins by threats need no record; the second has en passant.
GAMES = ("breakthrough2x6", "twoflags3x6", "hexapawn3x4")


@pytest.fixture(scope="module", params=GAMES)
def proof(request, tmp_path_factory):
    """The prooffile.Proof that the solver writes for a game."""
    path = tmp_path_factory.mktemp("proof") / "proof"
    told(solve("--variant", request.param, "--proof", path))
    return prooffile.read(path)


@pytest.fixture
def accepted(tmp_path, monkeypatch):
    """Whether both checkers accept a proof, given as bytes or as a Proof; fails if only one does."""
    monkeypatch.setattr(checker, "MEMORY", 1 << 10)

    def judge(made):
        path = tmp_path / "forged.proof"
        path.write_bytes(made if isinstance(made, bytes) else content(made))
        verdicts = here(verify, path, "--sample", "1").returncode == 0, verdict(path) == "verified"
        assert verdicts[0] == verdicts[1], path.read_bytes()
        return verdicts[0]

    return judge


def content(made):
    """The bytes of a Proof's file."""
    records = b"".join(word.to_bytes(8, "little") for record in made.records for word in map(int, record))
    return prooffile.header(made.game, made.fen, made.winner, made.within) + records


def listed(made):
    return [list(map(int, record)) for record in made.records]


def position(made, record):
    """The position of a record, in the form of naive.py."""
    game, (white, black, plan) = naive.GAMES[made.game], record
    file, rank = plan >> 4 & 15, game.ranks - 3 if made.winner == "w" else 2
    return agreement.position(game, white, black, 1 << 8 * rank + file - 1 if file else 0, made.winner == "w")


def test_whole_proof_is_accepted(proof, accepted):
    assert accepted(proof)


def test_proof_of_the_other_winner_is_rejected(proof, accepted):
    assert not accepted(proof._replace(winner=naive.OTHER[proof.winner]))


def test_proof_without_one_of_its_records_is_rejected_unless_the_position_needs_none(proof, accepted):
    records = listed(proof)
    for number, record in enumerate(records):
        needless = proofs.unlisted_win_plies(position(proof, record), proof.within) > 0
        assert accepted(proof._replace(records=records[:number] + records[number + 1 :])) == needless


def test_proof_with_one_illegal_move_is_rejected(proof, accepted):
    """The first move of a record is changed so that the pawn stays where it stands."""
    for number, (white, black, plan) in enumerate(listed(proof)):
        start, _, *rest = prooffile.plan_squares(plan)
        records = listed(proof)
        records[number] = [white, black, prooffile.encode_plan([start, start, *rest], plan >> 4 & 15)]
        assert not accepted(proof._replace(records=records))


def test_proof_with_a_losing_move_is_rejected_and_after_the_winning_one_accepted(proof, accepted):
    """Of several records of a position, the first counts."""
    records, forged = listed(proof), 0
    for record in records:
        before = position(proof, record)
        for move in naive.moves(before):
            if proofs.wins(naive.play(before, move)):
                losing = proofs.record(before, [move[:2], move[2:4]])
                assert not accepted(proof._replace(records=[losing, *records]))
                assert accepted(proof._replace(records=[*records, losing]))
                forged += 1
    assert forged


def test_proof_that_is_cut_short_or_has_a_byte_too_many_is_rejected(proof, accepted):
    """The cuts are in the first line, after it, after a record, and in a record."""
    whole, size = content(proof), prooffile.RECORD
    header = len(whole) - size * len(proof.records)
    for length in {0, 1, header // 2, header - 1, header, header + size, len(whole) - 1}:
        assert not accepted(whole[:length])
    assert not accepted(whole + b"\0")


def test_both_checkers_agree_whichever_bit_is_flipped(proof, accepted):
    """Flips one bit of each byte of the first line and of the records; of many records, only in every fifth byte."""
    whole = content(proof)
    header = len(whole) - prooffile.RECORD * len(proof.records)
    places = [*range(len(whole[:header].rstrip())), *range(header - 1, len(whole), 5 if len(proof.records) > 10 else 1)]
    verdicts = set()
    for place in places:
        forged = bytearray(whole)
        forged[place] ^= 1 << place % 8
        verdicts.add(accepted(bytes(forged)))
    assert verdicts == {True, False}
