"""Points 5 and 6: UCI_Variant, its names, and what a change of it does to the board."""

import re

import pytest
from uci_audit import BREAKTHROUGH, TWOFLAGS, audit, naive_game, root
from uci_engine import board_fen, command, engine, info_strings, options_of, process, shown  # noqa: F401

from pawnstorm.games.rules import GAMES as EVERY_GAME
from pawnstorm_tools.checking import naive


def test_05_every_listed_variant_can_be_set_and_played(engine):
    variant = options_of(engine)["UCI_Variant"]
    assert variant.kind == "combo" and variant.default == "twoflags" and variant.default in variant.values
    assert {"twoflags", "pawnsonly", "breakthrough", "hexapawn", "minibreakthrough"} <= set(variant.values)
    assert len(set(variant.values)) == len(variant.values)
    # UCI2WB, XBoard's adapter, loses the option where its line is longer, so not every size is listed; all can be set.
    assert len(next(line for line in engine.ask("uci") if "UCI_Variant" in line)) <= 290
    for name in sorted(EVERY_GAME, key=lambda name: name != "breakthrough"):  # the default is set after another one
        rules = naive_game(name)
        lines = engine.ask(f"setoption name UCI_Variant value {name}")
        assert len(lines) == 1, lines
        match = re.fullmatch(
            r"info string variant (\S+) files (\d+) ranks (\d+) pocket 0 template fairy startpos (.+)", lines[0]
        )
        assert match and (int(match[2]), int(match[3])) == (rules.files, rules.ranks), lines
        assert naive_game(match[1]) == rules
        start = root(name)
        assert match[4] == start.fen()
        assert shown(engine) == naive.fen(start.position)
        audit(start, engine.go("depth 2"))


@pytest.mark.parametrize("value", ["", " value", " value chess", " value twoflags9x8", " value three blind mice"])
def test_05_a_missing_or_unknown_variant_is_ignored_with_an_info_string(engine, value):
    engine.ask("setoption name UCI_Variant value breakthrough5", "position startpos moves a2a3")
    before = board_fen(engine)
    complaints = info_strings(engine.ask(f"setoption name UCI_Variant{value}"))
    assert complaints and not [text for text in complaints if text.startswith("variant ")]
    assert board_fen(engine) == before
    audit(root("breakthrough5", moves="a2a3"), engine.go("depth 2"))


def test_06_changing_the_variant_resets_the_board_and_prints_its_line(engine):
    engine.ask("position startpos moves a2a4")
    (line,) = engine.ask("setoption name UCI_Variant value breakthrough")
    assert line == f"info string variant breakthrough files 8 ranks 8 pocket 0 template fairy startpos {BREAKTHROUGH}"
    assert board_fen(engine) == BREAKTHROUGH
    engine.ask("position startpos moves a2b3")
    (line,) = engine.ask("setoption name UCI_Variant value twoflags")
    assert line == f"info string variant twoflags files 8 ranks 8 pocket 0 template fairy startpos {TWOFLAGS}"
    assert board_fen(engine) == TWOFLAGS
    audit(root(), engine.go("depth 4"))
