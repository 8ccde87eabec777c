"""scripts/dataset.py: what its folder holds, that it follows from the words alone, and what stopping it leaves."""

import collections
import contextlib
import io
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import textwrap
import venv

import datasets_checks
import numpy as np
import pyarrow
import pytest
import yaml
from client import ROOT
from oracle import pyffish
from processes import wait_until
from pyarrow import parquet

from pawnstorm.games.rules import get_rules
from pawnstorm.system import files as locks
from pawnstorm_protocol.system.appendfile import AppendFile
from pawnstorm_tools.checking import naive
from pawnstorm_tools.datasets import npz_file, parquet_file
from pawnstorm_tools.datasets.columns import COLUMNS, NAMES
from pawnstorm_tools.programs import dataset as program

pytestmark = pytest.mark.compiled
GAME = "breakthrough5x4"
SCRIPT = ROOT / "scripts" / "dataset.py"
SAMPLE = ROOT / "scripts" / "positions" / "sample"
WORDS = (
    "--nodes",
    "60",
    "--expansions",
    "60",
    "--plies",
    "0",
    "3",
    "--hash",
    "1",
    "--shard",
    "20",
    "--validation",
    "0.3",
)


def make(folder, *words, games=50, processes=2, game=GAME):
    return program.main([game, str(folder), "--games", str(games), *WORDS, "--processes", str(processes), *words])


def read(folder, split="*"):
    """The rows of a folder's Parquet files, in the order of its shards."""
    files = sorted(folder.glob(f"{split}-*.parquet"), key=lambda path: (path.name.split("-")[1], path.name))
    return [row for path in files for row in parquet.read_table(path).to_pylist()]


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def content(folder):
    """files(), but for the name of the folder, which the card tells."""
    card = (folder / "README.md").read_text().replace(f" {GAME} {folder.name} ", f" {GAME} FOLDER ")
    return files(folder) | {"README.md": card}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made") / "whole"
    assert make(folder) == 0
    return folder


def test_folder_holds_shards_of_both_splits_and_a_card(made, capsys):
    names = {f"{split}-0000{shard}.parquet" for split in ("train", "validation") for shard in range(3)}
    assert names | {"README.md"} == set(files(made))
    games = {split: {row["game_number"] for row in read(made, split)} for split in ("train", "validation")}
    assert not games["train"] & games["validation"] and len(games["train"]) > len(games["validation"]) > 5
    shards = [
        {row["game_number"] // 20 for row in parquet.read_table(path).to_pylist()} for path in made.glob("*-00001.*")
    ]
    assert shards == [{1}, {1}]


def test_no_position_comes_twice_nor_its_mirror_image(made, tmp_path):
    game, rows = naive.GAMES[GAME], read(made)
    assert len({datasets_checks.same(game, row) for row in rows}) == len(rows)
    make(tmp_path / "all", "--keep-duplicates")
    every = sorted(read(tmp_path / "all"), key=lambda row: (row["game_number"], row["ply"]))
    first = {}
    for row in every:
        first.setdefault(datasets_checks.same(game, row), row)
    assert sorted(rows, key=lambda row: (row["game_number"], row["ply"])) == list(first.values())
    left_out = len(every) - len(rows)
    assert left_out > 20 and f"**Duplicates**: {left_out} positions left out" in (made / "README.md").read_text()


def test_kept_games_are_whole_and_legal(tmp_path):
    make(tmp_path / "all", "--keep-duplicates", "--random", "0.1", game="twoflags4x6", games=12)
    game, games = naive.GAMES["twoflags4x6"], collections.defaultdict(list)
    for row in read(tmp_path / "all"):
        games[row["game_number"]].append(row)
    assert len(games) == 12
    for rows in games.values():
        datasets_checks.check_legal(game, rows)
        datasets_checks.check_whole_game(game, rows)


def test_rows_do_not_depend_on_the_number_of_processes(made, tmp_path):
    make(tmp_path / "one", processes=1)
    assert content(tmp_path / "one") == content(made)


def test_more_games_add_to_the_folder_what_a_longer_run_makes(made, tmp_path):
    make(tmp_path / "some", games=27)
    before = read(tmp_path / "some")
    make(tmp_path / "some")
    assert content(tmp_path / "some") == content(made)
    assert before == [row for row in read(made) if row["game_number"] < 27]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_stopped_run_goes_on_to_the_same_files(how, made, tmp_path):
    folder = tmp_path / "stopped"
    words = [GAME, folder, "--games", "50", *WORDS, "--processes", "1"]
    running = subprocess.Popen(
        [sys.executable, SCRIPT, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    journal = folder / "journal" / "games-00001.jsonl"
    wait_until(lambda: journal.exists() and journal.read_text().count("\n") > 3, "a game of the second shard")
    running.send_signal(how)
    out, err = running.communicate(timeout=60)
    assert "Traceback" not in err
    if how == signal.SIGINT:
        assert running.returncode == 130 and "the same command goes on" in err
        done = int(re.search(r"\*\*Not finished: (\d+) of 50 games are done", (folder / "README.md").read_text())[1])
        assert 20 < done < 50 and f"{len(read(folder))} positions" in out
        assert read(folder) == [row for row in read(made) if row["game_number"] < done]
    assert program.main(list(map(str, words))) == 0
    assert content(folder) == content(made)


def test_torn_last_line_of_a_killed_run_is_made_again(made, tmp_path):
    folder = tmp_path / "killed"
    make(folder, games=30)
    journal = folder / "journal" / "games-00001.jsonl"
    os.truncate(journal, journal.stat().st_size - 40)
    record = folder / "journal" / "shards.jsonl"
    record.write_text("".join(line + "\n" for line in record.read_text().splitlines()[:2]))  # as it was while it played
    make(folder)
    assert content(folder) == content(made)


@pytest.mark.parametrize(
    "words, told",
    [
        (["--seed", "2"], "'seed' was 1, now 2"),
        (["--nodes", "61"], "'nodes' was 60, now 61"),
        (["--games", "49"], "holds 50 games already: expected --games 50 or more"),
        (["--format", "npz"], '\'format\' was "parquet", now "npz"'),
    ],
)
def test_folder_of_another_dataset_is_refused_and_left_as_it_is(made, words, told, capsys):
    before = files(made)
    assert make(made, *words) == 2
    assert told in capsys.readouterr().err and files(made) == before


def test_shard_that_was_changed_is_named(made, tmp_path, capsys):
    shutil.copytree(made, tmp_path / "copy")
    (tmp_path / "copy" / "train-00000.parquet").write_bytes(b"x")
    assert make(tmp_path / "copy", games=60) == 2
    assert "train-00000.parquet is missing or has changed" in capsys.readouterr().err


def test_folder_that_a_run_uses_is_refused(made, capsys):
    with contextlib.closing(AppendFile(made / "journal" / "shards.jsonl")) as held:
        locks.lock(held, wait=False)
        assert make(made) == 2
    assert "is in use by a dataset that is running" in capsys.readouterr().err


# The formats.


def test_fields_of_the_parquet_say_what_they_mean(made):
    schema = parquet.read_schema(made / "train-00000.parquet")
    assert schema.names == list(NAMES)
    for column in COLUMNS:
        field = schema.field(column.name)
        assert field.metadata[b"description"].decode() == column.meaning
        assert field.metadata.get(b"unit", b"").decode() == column.unit
        assert field.nullable == (column.missing is not None)
    settings = json.loads(schema.metadata[b"settings"])
    assert settings["game"] == GAME and (settings["nodes"], settings["seed"]) == (60, 1)


def test_parquet_is_written_in_groups_that_can_be_read_alone(monkeypatch):
    row = [1 if column.kind != "text" else "x" for column in COLUMNS]
    file = io.BytesIO()
    monkeypatch.setattr(parquet_file, "ROWS", 100)
    parquet_file.write(file, None, [row] * 250, {})
    assert parquet.ParquetFile(pyarrow.BufferReader(file.getvalue())).num_row_groups == 3


def test_npz_has_the_same_rows_and_planes_of_their_boards(made, tmp_path):
    make(tmp_path / "npz", "--format", "npz")
    game = naive.GAMES[GAME]
    for path in made.glob("*.parquet"):
        rows = parquet.read_table(path).to_pylist()
        with np.load(tmp_path / "npz" / f"{path.stem}.npz", allow_pickle=False) as arrays:
            for column in COLUMNS:
                known = [column.missing if row[column.name] is None else row[column.name] for row in rows]
                found = arrays[column.name].tolist()
                assert known == [text.decode() for text in found] if column.kind == "text" else known == found
            check_planes(game, rows, arrays["planes"])
    assert "configs:" not in (tmp_path / "npz" / "README.md").read_text()
    make(tmp_path / "npz", "--format", "npz", games=65)  # it reads its own shards again
    assert len(list((tmp_path / "npz").glob("train-*.npz"))) == 4


def check_planes(game, rows, planes):
    assert planes.shape == (len(rows), 4, game.ranks, game.files) and planes.dtype == np.uint8
    for row, (white, black, ep, side) in zip(rows, planes):
        position = datasets_checks.position(game, row)
        letters = np.array([list(rank) for rank in position.board])
        assert (white == (letters == "P")).all() and (black == (letters == "p")).all()
        assert side.tolist() == [[int(position.side == "b")] * game.files] * game.ranks
        squares = [naive.square(file, rank) for rank, file in np.argwhere(ep)]
        assert squares == ([] if position.ep == "-" else [position.ep])


def test_planes_have_the_en_passant_square():
    game = naive.GAMES["twoflags8x8"]
    row = [1 if column.kind != "text" else "x" for column in COLUMNS]
    row[NAMES.index("fen")] = "8/8/8/3pP3/8/8/8/8 w - d6 0 1"
    file = io.BytesIO()
    npz_file.write(file, get_rules("twoflags"), [row], {})
    file.seek(0)
    with np.load(file) as arrays:
        check_planes(game, [dict(zip(NAMES, row))], arrays["planes"])
        assert arrays["planes"][0, 2].sum() == 1


# The card.


def head(folder):
    """The YAML at the top of a card."""
    return yaml.safe_load((folder / "README.md").read_text().split("---\n")[1])


def test_card_has_the_head_that_hugging_face_reads(made):
    found = head(made)
    assert found["license"] == "mit" and found["size_categories"] == ["n<1K"] and "board-games" in found["tags"]
    (config,) = found["configs"]
    for data in config["data_files"]:
        assert len(list(made.glob(data["path"]))) == 3
    assert [data["split"] for data in config["data_files"]] == ["train", "validation"]


def test_card_counts_what_the_files_hold(made):
    text = (made / "README.md").read_text()
    for split, column in (("train", 3), ("validation", 4)):
        rows = read(made, split)
        for kind, value, wanted in (
            ("positions", "", len(rows)),
            ("`result`", "won", sum(row["result"] == 1 for row in rows)),
            ("`proven`", "unknown", sum(row["proven"] is None for row in rows)),
            ("`proven_by`", "solver", sum(row["proven_by"] == "solver" for row in rows)),
            ("`ply`", "0 to 9", sum(row["ply"] < 10 for row in rows)),
        ):
            (line,) = re.findall(rf"^\| {kind} \| {value} \|.*$", text, re.M)
            assert int(line.split("|")[column].replace(",", "")) == wanted


def test_command_in_the_card_makes_the_dataset(made, tmp_path):
    (line,) = re.findall("^    pawnstorm (dataset .*)$", (made / "README.md").read_text(), re.M)
    subprocess.run(
        [sys.executable, "-m", "pawnstorm", *shlex.split(line)], cwd=tmp_path, check=True, capture_output=True
    )
    assert files(tmp_path / "whole") == files(made)


# Games from PGN, and wrong words.

PGN = """[Variant "breakthrough5"]

1. b2b3 {+0.25/12 n=20030} d4d3 {-1.20/3} 2. c2d3 e4d3 1-0

[Variant "breakthrough5"]

1. b2b3 {+0.25/12 n=20030} d4d3 {-1.20/3} 2. c2d3 c4d3 0-1

1. e4 e5 *

[Variant "breakthrough5"]

1. b2b3
"""


def test_pgn_files_become_a_dataset_that_names_them(tmp_path, capsys):
    (tmp_path / "some.pgn").write_text(PGN)
    words = ["breakthrough5", str(tmp_path / "out"), "--pgn", str(tmp_path / "some.pgn"), "--validation", "0"]
    assert program.main([*words, "--processes", "1"]) == 0
    rows, printed = read(tmp_path / "out"), capsys.readouterr()
    assert [row["move"] for row in rows] == ["b2b3", "d4d3", "c2d3", "e4d3", "c4d3"][:4]
    assert [row["score"] for row in rows] == [25, -120, None, None] and rows[0]["nodes"] == 20030
    assert "left out game 3 of the PGN: illegal move 'e4'" in printed.err
    assert "left out game 4 of the PGN: cut off: expected a result" in printed.err
    assert "; 2 games left out" in printed.out
    text = (tmp_path / "out" / "README.md").read_text()
    assert (
        "`some.pgn` (SHA-256 " in text
        and "license: unknown" in text
        and "self-play" not in text
        and "validation-" not in text.split("## How")[0]
    )
    (tmp_path / "some.pgn").write_text(PGN + "\n")
    assert program.main(words) == 2 and "'files' was" in capsys.readouterr().err


def test_card_names_games_of_another_encoding_and_without_a_move(tmp_path):
    (tmp_path / "some.pgn").write_bytes(b"1. \xe94 1-0\n\n1-0\n")
    words = ["twoflags", str(tmp_path / "out"), "--pgn", str(tmp_path / "some.pgn"), "--processes", "1"]
    assert program.main(words) == 0
    text = (tmp_path / "out" / "README.md").read_text()
    assert "game 1 of the PGN: '?4' is not a move" in text
    assert "**Without a position**: 1 game without a move." in text


@pytest.mark.parametrize(
    "words, told",
    [
        (["chess", "out"], "'chess'"),
        (["hexapawn", "out", "--pgn", "none.pgn"], "none.pgn"),
        (["hexapawn", "out", "--pgn", "empty.pgn"], "empty.pgn: expected PGN with a game"),
    ],
)
def test_wrong_words_are_told_in_one_line(words, told, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty.pgn").write_text("\n")
    assert program.main(words) == 2
    err = capsys.readouterr().err
    assert err.startswith("dataset.py: ") and err.count("\n") == 1 and told in err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "words, told",
    [
        (["hexapawn", "out", "--format", "csv"], "'csv': expected one of parquet, npz"),
        (["hexapawn", "out", "--pgn", "x.pgn", "--plies", "3", "9"], "--plies: not with --pgn"),
        (["hexapawn", "out", "--pgn", "x.pgn", "--random", "0.1"], "--random: not with --pgn"),
        (["hexapawn", "out", "--license", "My own"], "'My own': expected a licence"),
        (["hexapawn", "out", "--validation", "2"], "'2': expected a number from 0 to 1"),
        (["hexapawn", "out", "--games", str(2**31 + 1)], "'2147483649': expected a whole number from 1 to 2147483648"),
        (["hexapawn", "out", "--hash", "100000000"], "'100000000' for option Hash: expected a whole number from 1 to"),
    ],
)
def test_wrong_flags_are_told(words, told, capsys):
    with pytest.raises(SystemExit) as ended:
        program.main(words)
    assert ended.value.code == 2 and told in capsys.readouterr().err


# The sample in the repository.


def test_sample_is_legal_by_fairy_stockfish_and_without_a_double():
    game, rows = naive.GAMES["breakthrough8x8"], read(SAMPLE)
    assert len(rows) > 1500 and len({datasets_checks.same(game, row) for row in rows}) == len(rows)
    datasets_checks.check_legal(game, rows)
    for row in rows[::5]:
        assert row["move"] in pyffish().legal_moves("breakthrough", row["fen"], [])


def test_short_proofs_of_the_sample_hold_by_exhaustive_play():
    rows = [row for row in read(SAMPLE) if (row["proven_plies"] or 99) <= 3]
    assert datasets_checks.check_proofs(naive.GAMES["breakthrough8x8"], rows) > 50


def test_first_games_of_the_sample_are_made_again(tmp_path):
    """After a change of play the whole sample is to be made again, by the command in its card."""
    (line,) = re.findall("^    pawnstorm (dataset .*)$", (SAMPLE / "README.md").read_text(), re.M)
    words = shlex.split(line)[1:]
    words[1] = str(tmp_path / "again")
    words[words.index("--games") + 1] = "3"
    assert program.main(words) == 0
    again = read(tmp_path / "again")
    assert len(again) > 100 and again == [row for row in read(SAMPLE) if row["game_number"] < 3]


def test_sample_is_small():
    assert sum(path.stat().st_size for path in SAMPLE.iterdir()) < 150_000


# Read back by the libraries that its readers have.


@pytest.fixture(scope="module")
def readers(tmp_path_factory):
    """The Python of an environment with pandas and polars alone."""
    folder = tmp_path_factory.mktemp("readers")
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "-q", "pandas", "polars", "pyarrow"], check=True)
    return python


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_lines_of_the_card_read_the_sample(readers):
    snippets = re.findall("```python\n(.*?)```", (SAMPLE / "README.md").read_text(), re.S)
    assert len(snippets) == 2 and all(len(re.findall("^.+$", snippet, re.M)) == 3 for snippet in snippets)
    wanted = len(read(SAMPLE, "train"))
    for snippet in snippets:
        code = f"{snippet}\nprint(len(data), data['result'].sum(), data['proven'].count())"
        done = subprocess.run([readers, "-c", code], cwd=SAMPLE, capture_output=True, text=True, check=True)
        rows = read(SAMPLE, "train")
        proven = sum(row["proven"] is not None for row in rows)
        assert done.stdout.splitlines()[-1] == f"{wanted} {sum(row['result'] for row in rows)} {proven}"


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_lines_of_the_document_read_the_sample(readers):
    document = (ROOT / "scripts" / "pawnstorm_tools" / "datasets" / "README.md").read_text()
    examples = [textwrap.dedent(block) for block in re.findall(r"(?m)^    import .*\n(?:    .*\n)+", document)]
    assert len(examples) == 2 and all(len(example.splitlines()) == 3 for example in examples)
    for example in examples:
        done = subprocess.run([readers, "-c", example], cwd=ROOT, capture_output=True, text=True, check=True)
        assert "proven" in done.stdout and "score" in done.stdout
