"""scripts/figures.py: the counts of naive play, the rows of a log, tables that agree with the documents, and the same bytes."""

import re
import shutil
import xml.etree.ElementTree as ElementTree
from collections import Counter

import figures as program  # scripts/figures.py
import proofs
import pytest
from proof_checks import plans_of, start

from pawnstorm_tools.checking import naive, prooffile
from pawnstorm_tools.solving.figures import charts, progress_log, tables

pytestmark = pytest.mark.compiled
SOLVING = proofs.ROOT / "scripts" / "pawnstorm_tools" / "solving"
RUN = "a run"
LOG = """\

small: 0 positions [00:00]\r
small: 807k positions [00:10, 79.9k positions/s, proof 5, disproof 9, table 0%]\r
small: 1.36M positions [00:20, 80.1k positions/s, proof 6, disproof 4, table 1%]\r
small: 900k positions [00:00]\r
small: 1.10M positions [00:10, 80.1k positions/s, proof 7, disproof 3, table 1%]   \r
small: 12.0M positions [1:00:10, 80.1k positions/s, proven, table 2%]
small, proven again: 13.0M positions [00:10, 394k positions/s, proof 2147483648, disproof 8, table 2%]
strategy: 100%|####| 733k/733k [00:13<00:00, 52.7k positions/s]
"""
"""A run that went on from a table saved after 900,000 expansions."""


def made(path, name, use_paths=True):
    """Write the proof of a game that naive play makes; returns the Proof."""
    found = proofs.proof(start(name), plans_of(name, use_paths=use_paths))
    prooffile.write(path, found)
    return found


def naive_counts(proof):
    """{plies: positions} of a proof: the longest line to each position that has a record, by naive play."""
    longest, checker = {}, proofs.NaiveChecker(proof)

    def visit(position, plies):
        key = proofs.either(position)
        if longest.get(key, -1) >= plies or not (found := checker.plan(position)):
            return
        longest[key] = plies
        _, squares = found
        if len(squares) == 2:
            reply(naive.play(position, squares[0] + squares[1]), plies + 1)

    def reply(position, plies):
        for move in naive.moves(position):
            visit(naive.play(position, move), plies + 1)

    (visit if checker.root.side == proof.winner else reply)(checker.root, 0)
    return Counter(longest.values())


@pytest.mark.parametrize("use_paths", [True, False])
@pytest.mark.parametrize("name", ["hexapawn4x3", "breakthrough2x6", "breakthrough3x4", "twoflags4x6"])
def test_positions_by_plies_are_those_of_naive_play(name, use_paths, tmp_path):
    proof = made(tmp_path / "proof", name, use_paths)
    assert program.main(["depths", str(tmp_path / "proof"), "--tables", str(tmp_path)]) == 0
    rows = tables.read(tables.DEPTHS, tmp_path)
    assert {row["game"] for row in rows} == {name}
    assert {row["plies"]: row["positions"] for row in rows} == naive_counts(proof)


def test_counts_replace_those_of_the_same_game(tmp_path):
    for name in "hexapawn4x3", "breakthrough3x4", "hexapawn4x3":
        made(tmp_path / name, name)
        assert program.main(["depths", str(tmp_path / name), "--tables", str(tmp_path)]) == 0
    rows = tables.read(tables.DEPTHS, tmp_path)
    assert [game for game in dict.fromkeys(row["game"] for row in rows)] == ["breakthrough3x4", "hexapawn4x3"]
    assert len({(row["game"], row["plies"]) for row in rows}) == len(rows)


def test_proof_that_does_not_hold_is_named_and_not_counted(tmp_path, capsys):
    proof = made(tmp_path / "proof", "hexapawn4x3")
    prooffile.write(tmp_path / "proof", proof._replace(records=[]))
    assert program.main(["depths", str(tmp_path / "proof"), "--tables", str(tmp_path)]) == 2
    assert "the proof of hexapawn4x3 does not hold" in capsys.readouterr().err
    assert not (tmp_path / tables.DEPTHS.file).exists()


def test_log_gives_the_proof_numbers_of_its_last_run_up_to_the_proof(tmp_path):
    (tmp_path / "log").write_bytes(LOG.encode())
    assert program.main(["numbers", RUN, str(tmp_path / "log"), "--tables", str(tmp_path)]) == 0
    rows = tables.read(tables.PROOF_NUMBERS, tmp_path)
    assert [tuple(row.values()) for row in rows] == [
        (RUN, 807_000, 5, 9),
        (RUN, 1_100_000, 7, 3),
        (RUN, 12_000_000, None, None),
    ]


def test_long_log_is_thinned_and_keeps_its_last_row():
    rows = [(number, number, number) for number in range(1000)]
    kept = progress_log.thinned(rows, 200)
    assert len(kept) == 200 and kept[-1] == rows[-1] and kept == sorted(set(kept))
    assert progress_log.thinned(rows[:200], 200) == rows[:200]


def test_log_without_proof_numbers_is_named(tmp_path, capsys):
    (tmp_path / "log").write_text("strategy: 0 positions [00:00]\n")
    assert program.main(["numbers", RUN, str(tmp_path / "log"), "--tables", str(tmp_path)]) == 2
    assert "log has no proof numbers" in capsys.readouterr().err


def solved(document):
    """{(family, files, ranks): (winner, plies)} in the tables of who wins."""
    text, found = (SOLVING / document).read_text(), {}
    for family, title in (("twoflags", "Two Flags"), ("breakthrough", "Breakthrough"), ("hexapawn", "Hexapawn")):
        head, _, *rows = re.search(rf"^\| {title} \|.*?\n\n", text, re.M | re.S)[0].splitlines()
        widths = [int(re.search(r"\d", cell)[0]) for cell in head.split("|")[2:-1]]
        for row in filter(None, rows):
            ranks, *cells = row.split("|")[1:-1]
            for files, cell in zip(widths, cells):
                if told := re.match(r" ([WB]) (\d+)", cell):
                    found[family, files, int(ranks.split()[0])] = told[1], int(told[2])
    return found


@pytest.mark.parametrize("document", ["README.md", "paper.md"])
def test_table_of_the_work_has_each_solved_board_as_the_document_has_it(document):
    rows = tables.read(tables.GROWTH)
    assert {(row["game"], row["files"], row["ranks"]): (row["winner"], row["plies"]) for row in rows} == solved(
        document
    )
    assert len(rows) == len(solved(document)) > 80


def test_counts_of_a_proof_add_up_to_its_records():
    records = {f"{row['game']}{row['files']}x{row['ranks']}": row["records"] for row in tables.read(tables.GROWTH)}
    counts = Counter()
    for row in tables.read(tables.DEPTHS):
        counts[row["game"]] += row["positions"]
    assert len(counts) >= 5 and counts == {game: records[game] for game in counts}


def test_committed_figures_are_those_of_the_tables_and_small(tmp_path):
    pytest.importorskip("vl_convert")
    assert program.main(["draw", "-o", str(tmp_path)]) == 0
    for name in program.FIGURES:
        drawn = (tmp_path / name).read_bytes()
        assert drawn == (program.PICTURES / name).read_bytes(), "run scripts/figures.py draw"
        assert len(drawn) < 60_000 and ElementTree.fromstring(drawn).tag.endswith("svg")


@pytest.mark.parametrize("chart, table", program.FIGURES.values())
def test_charts_show_every_row_of_their_table(chart, table):
    rows, values = tables.read(table), chart(tables.read(table))["data"]["values"]
    if table is tables.PROOF_NUMBERS:  # two values a row, and one where it is proven
        assert len(values) == sum(1 if row["proof"] is None else 2 for row in rows)
    else:
        assert len(values) == len(rows)


def test_named_boards_are_the_last_of_their_lines_and_the_hardest_so_far():
    row = {"game": "hexapawn", "expansions": 0}
    shown = [(3, 3, 10), (4, 3, 20), (3, 4, 30), (5, 3, 25), (1, 3, 0)]
    rows = [row | {"files": files, "ranks": ranks, "expansions": work} for files, ranks, work in shown]
    assert [value["label"] for value in charts.growth(rows)["data"]["values"]] == ["", "", "3x4", ""]


@pytest.mark.parametrize(
    "file, old, new, named",
    [
        ("growth.csv", "expansions,", "nodes,", "nodes"),
        ("growth.csv", "B,6,14,", "B,6,many,", "line 2: 'expansions' is 'many'"),
        ("depths.csv", "1,7\n", "1,-7\n", "line 2: 'positions' is '-7'"),
        ("depths.csv", "1,7\n", "1,\n", "line 2: 'positions' is ''"),
        ("proof_numbers.csv", "5044224", "5e6", "'proof' is '5e6'"),
    ],
)
def test_bad_table_is_named_and_nothing_is_drawn(file, old, new, named, tmp_path, capsys):
    for table in tables.GROWTH, tables.DEPTHS, tables.PROOF_NUMBERS:
        shutil.copy(tables.FOLDER / table.file, tmp_path)
    text = (tmp_path / file).read_text()
    assert old in text
    (tmp_path / file).write_text(text.replace(old, new, 1))
    (tmp_path / "out").mkdir()
    assert program.main(["draw", "--tables", str(tmp_path), "-o", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert file in error and named in error and list((tmp_path / "out").iterdir()) == []
