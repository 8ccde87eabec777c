"""A match that a sequential test ends, or does not."""

from matches import fake, run


def test_match_stops_by_itself_when_the_test_is_decided(tmp_path):
    line = [fake("good"), fake("clumsy"), "-rounds", 500, "-resume", tmp_path / "r", "-sprt", "elo0=0", "elo1=200"]
    status, output, error = run(*line)
    assert status == 0 and "LLR +" in output and "H1 accepted" in output, output + error
    assert "nElo" in output and "1000 games" not in output
    assert run(*line)[1] == output[output.index("Fake good against") :], "a decided test plays no more games"
    status, _, error = run(*line[:-1], "elo1=100")
    assert status == 2 and "'test' was" in error
    bounds = ("elo0=0", "elo1=150", "model=normalized")
    status, output, _ = run(fake("clumsy"), fake("good"), "-rounds", 500, "-sprt", *bounds)
    assert status == 0 and "H0 accepted" in output


def test_match_of_equal_pairs_runs_to_its_end_undecided():
    status, output, _ = run(fake("good"), fake("good"), "-rounds", 10, "-sprt", "elo0=0", "elo1=10", "-concurrency", 2)
    assert status == 0 and "20 games" in output and "LLR none, all ended alike" in output and "undecided" in output
