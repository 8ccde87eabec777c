"""Points 1 to 4: `uci` and its options, and `isready`, when idle and during a search."""

import os

import pytest
from client import Client
from uci_audit import audit, root
from uci_engine import RESERVED, command, engine, info_strings, options_of, process  # noqa: F401

from pawnstorm_protocol.options import OPTIONS
from pawnstorm_protocol.parse import INTEGERS, WORDS
from pawnstorm_protocol.uci import UCIEngine


def test_01_uci_is_answered_by_id_options_and_exactly_uciok(command):
    with Client(command) as engine:
        engine.send("uci")
        *lines, last = engine.expect(".*uciok.*")
        assert last == "uciok"  # Client.receive has refused a carriage return
        assert [line for line in lines if line.startswith("id name ")] and [
            line for line in lines if line.startswith("id author ")
        ]
        assert [line for line in lines if line.startswith("option name ")]
        assert [line for line in lines if not line.startswith(("id ", "option ")) or line != line.strip()] == []


def test_03_isready_during_a_search_is_answered_and_the_search_goes_on(engine):
    engine.send("go infinite")
    lines = engine.expect("info .*")
    for _ in range(3):
        engine.send("isready")
        lines += engine.expect("readyok", timeout=5)
        lines += engine.expect("info .* pv .*")  # the search still deepens
    assert not [line for line in lines if line.startswith("bestmove")]
    audit(root(), lines + engine.stop())


def test_04_options_are_well_formed(engine):
    options = options_of(engine)
    assert {option.name for option in OPTIONS.values()} == set(options)
    for name, option in options.items():
        assert name == " ".join(name.split()) and name, f"{name!r} has odd spaces"
        assert not RESERVED & set(name.lower().split()), f"{name} has a reserved word"
        if option.kind == "spin":
            assert int(option.low) <= int(option.default) <= int(option.high), name
        elif option.kind == "check":
            assert option.default in ("true", "false"), name
        elif option.kind == "combo":
            assert option.default in option.values, name
        elif option.kind == "string":
            assert option.default, f"{name} has no default"
        else:
            assert (option.kind, option.default) == ("button", None), name


@pytest.mark.parametrize("word", ["help me", "  ?  "])
def test_help_lists_all_commands_in_lines_that_no_gui_reads(engine, word):
    """Also during a search, which goes on."""
    lines = engine.ask(word)
    said = info_strings(lines)
    assert max(map(len, lines)) < 80
    words = set(" ".join(said).replace(",", " ").replace(";", " ").split())
    with open(os.devnull, "rb") as nothing, open(os.devnull, "wb") as nowhere:
        assert {*UCIEngine(nothing, nowhere).commands, *INTEGERS, *WORDS} <= words
    engine.send("go infinite")
    engine.expect("info .* pv .*")
    engine.send(word)
    assert said[-1] in engine.expect("info string quit.*")[-1]
    engine.stop()


def test_nothing_is_said_to_a_pipe_that_was_not_asked_for(command):
    with Client(command) as engine:
        assert engine.ask("banana", "e2e4") == []
