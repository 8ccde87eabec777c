"""The settings that fastchess saves, read as a command line."""

import json

import pytest

from pawnstorm_tools.referee import commandline
from pawnstorm_tools.referee.settings import Book, Resign
from pawnstorm_tools.referee.sprt_math import Sprt

ENGINE = {
    "name": "one",
    "dir": "",
    "cmd": "/opt/my engine",
    "args": "--fast 'a b'",
    "restart": True,
    "options": [["Hash", "64"], ["Threads", "2"]],
    "limit": {
        "tc": {"increment": 80, "fixed_time": 0, "time": 8000, "moves": 40, "timemargin": 20},
        "nodes": 0,
        "plies": 0,
    },
    "variant": 0,
}
SAVED = {
    "resign": {"move_count": 3, "score": 600, "twosided": True, "enabled": True},
    "draw": {"move_number": 0, "move_count": 6, "score": 25, "enabled": False},
    "maxmoves": {"move_count": 1, "enabled": False},
    "tb_adjudication": {"syzygy_dirs": "", "max_pieces": 0, "ignore_50_move_rule": False, "enabled": False},
    "opening": {"file": "book.epd", "format": 0, "order": 0, "plies": -1, "start": 3},
    "pgn": {
        "additional_lines_rgx": [],
        "event_name": "Fastchess Tournament",
        "site": "?",
        "file": "games.pgn",
        "append_file": False,
        "notation": 0,
        "track_nodes": True,
        "track_seldepth": False,
        "min": False,
        "crc": False,
    },
    "epd": {"file": "", "append_file": True},
    "sprt": {"alpha": 0.05, "beta": 0.1, "elo0": 0.0, "elo1": 5.0, "model": "normalized", "enabled": True},
    "config_name": "config.json",
    "output": 0,
    "seed": 11640166910256665083,
    "variant": 0,
    "type": 0,
    "gauntlet_seeds": 1,
    "ratinginterval": 10,
    "scoreinterval": 1,
    "wait": 20,
    "autosaveinterval": 20,
    "games": 2,
    "rounds": 5,
    "concurrency": 4,
    "force_concurrency": False,
    "recover": True,
    "noswap": False,
    "reverse": True,
    "report_penta": True,
    "affinity": False,
    "show_latency": False,
    "log": {"file": "", "level": 2, "compress": False, "realtime": True, "engine_coms": False},
    "engines": [ENGINE, ENGINE | {"name": "two", "dir": "there", "cmd": "engine", "restart": False, "options": []}],
    "stats": {"one vs two": {"wins": 0, "losses": 0, "draws": 0, "penta_WW": 0}},
}


@pytest.fixture
def read(tmp_path):
    """read(change, words): the Settings of SAVED after change(it), under words of the command line."""
    path = tmp_path / "config.json"

    def reading(change=lambda data: None, words=""):
        data = json.loads(json.dumps(SAVED))
        change(data)
        path.write_text(json.dumps(data, indent=2))
        return commandline.parse([*words.split(), "-config", f"file={path}"])

    return reading


def test_every_setting_is_taken_over(read):
    asked = read()
    assert asked.notes == []
    assert asked.resign == Resign(3, 600, twosided=True) and asked.sprt == Sprt(0, 5, 0.05, 0.1, "normalized")
    assert asked.book == Book("book.epd", "epd", None, "random", 11640166910256665083 % (10**15 + 1), 3)
    assert (asked.pgnout, asked.append, asked.event, asked.site) == ("games.pgn", False, "Fastchess Tournament", "?")
    assert (asked.games, asked.rounds, asked.concurrency, asked.wait) == (2, 5, 4, 20)
    assert (asked.swap, asked.reverse, asked.pairs, asked.tournament) == (True, True, True, "roundrobin")
    assert (asked.rating_interval, asked.score_interval, asked.debug) == (10, 0, None)
    one, two = asked.engines
    assert (one.name, one.command, one.directory) == ("one", "'/opt/my engine' --fast 'a b'", None)
    assert (two.name, two.command, two.directory) == ("two", "./engine --fast 'a b'", "there")
    assert str(one.time_control) == "40/8+0.08" and one.time_control.margin == 20_000_000
    assert one.options == (("Hash", "64"), ("Threads", "2")) and one.restart and not two.restart


def test_words_of_the_command_line_win(read):
    asked = read(words="-rounds 9 -each st=1 -variant breakthrough")
    assert asked.rounds == 9 and {str(engine.time_control) for engine in asked.engines} == {"st=1"}
    assert asked.rules.name == "breakthrough"


def test_limits_of_every_kind(read):
    def limit(tc, **more):
        def change(data):
            data["engines"][0]["limit"] = {"tc": tc, **more}

        return str(read(change).engines[0].time_control)

    assert limit({"fixed_time": 250}) == "st=0.25"
    assert limit({}, nodes=5000) == "nodes=5000" and limit({}, plies=7) == "depth=7"
    assert limit({"time": 1500}, nodes=9) == "1.5+0 nodes=9"


def test_other_forms_of_the_file(read):
    """Words in place of numbers, a tournament of cutechess-cli's output, openings of a PGN."""

    def change(data):
        data["opening"] |= {"file": "book", "format": "Pgn", "order": "Sequential", "plies": 8, "start": 0}
        data |= {"type": "Gauntlet", "variant": "Standard", "output": "Cutechess", "scoreinterval": 7, "noswap": True}
        data |= {"report_penta": False, "affinity": True, "engines": [*data["engines"], ENGINE | {"name": "three"}]}
        del data["sprt"], data["stats"], data["seed"]

    asked = read(change)
    assert asked.book == Book("book", "pgn", 8, "sequential", 0, 1)
    assert (asked.tournament, asked.score_interval, asked.swap, asked.penta) == ("gauntlet", 7, False, False)
    assert [note.split()[0] for note in asked.notes] == ["-use-affinity", "-report"]


def test_what_the_match_passes_over_is_named(read):
    def change(data):
        data["gauntlet_seeds"] = 2  # of which a round robin does not speak
        data["draw"]["enabled"] = data["maxmoves"]["enabled"] = data["pgn"]["track_nps"] = True
        data["colour"] = data["pgn"]["font"] = data["engines"][1]["mood"] = 1
        data["stats"]["one vs two"]["wins"] = 12

    notes = read(change).notes
    for part in (
        "config.json: unknown key 'colour' has no effect",
        "config.json: unknown key 'pgn.font' has no effect",
        "config.json: unknown key 'engines[1].mood' has no effect",
        "config.json: 'stats' has no effect: -resume FILE",
        "-draw has no effect",
        "-maxmoves has no effect",
        "nps has no effect",
    ):
        assert sum(part in note for note in notes) == 1, (part, notes)
    assert len(notes) == 7


@pytest.mark.parametrize(
    "place, value, part",
    [
        (("rounds",), "many", "rounds: '\"many\"' is not accepted, expected a whole number from 0 to"),
        (("rounds",), True, "rounds: 'true'"),
        (("resign",), 3, "resign: '3' is not accepted, expected an object"),
        (("engines",), {}, "engines: '{}' is not accepted, expected a list"),
        (("engines", 1, "limit", "tc", "time"), -5, "engines[1].limit.tc.time: '-5'"),
        (
            ("engines", 0, "options"),
            [["Hash"]],
            'engines[0].options[0]: \'["Hash"]\' is not accepted, expected ["NAME", ',
        ),
        (("engines", 0, "cmd"), "a\0b", "engines[0].cmd: "),
        (
            ("opening", "format"),
            7,
            "opening.format: '7' is not accepted, expected epd, pgn, none, or their number from 0",
        ),
        (("sprt", "elo0"), float("nan"), "sprt.elo0: 'NaN'"),
        (("sprt", "alpha"), 10**400, "sprt.alpha: '1000"),
        (("epd", "file"), "x.epd", "-epdout is not supported: -pgnout FILE"),
        (("variant",), 1, "-variant: unknown game 'frc'"),
    ],
)
def test_a_faulty_value_is_named(read, place, value, part):
    def change(data):
        *way, last = place
        for step in way:
            data = data[step]
        data[last] = value

    with pytest.raises(commandline.UsageError) as caught:
        read(change)
    assert part in str(caught.value)


@pytest.mark.parametrize(
    "text, part",
    [
        ('{"rounds": 5,}', "line 1 column"),
        ("{", "line 1 column 2"),
        ('{"a": ' * 100_000, "nested too deep"),
        ('{"rounds": ' + "9" * 5000 + "}", "more digits"),
    ],
)
def test_a_file_that_is_no_json_is_named(text, part, tmp_path):
    path = tmp_path / "x"
    path.write_text(text)
    with pytest.raises(commandline.UsageError, match=f"-config {path}: ") as caught:
        commandline.parse(["-config", str(path)])
    assert part in str(caught.value)


def test_the_other_words_of_config(tmp_path):
    two = "-engine cmd=x -engine cmd=y -each tc=1 ".split()
    (note,) = commandline.parse([*two, "-config", "outname=config.json"]).notes
    assert note.startswith("-config outname= has no effect: -resume FILE")
    assert commandline.parse([*two, "-config", f"file={tmp_path / 'none'}", "discard=true", "stats=false"]).rounds == 1
    with pytest.raises(commandline.UsageError, match="did you mean file=?"):
        commandline.parse([*two, "-config", "fil=x"])
