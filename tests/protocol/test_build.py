"""How the native core is built and loaded, and that every way of running the kernels gives the same numbers."""

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import client
import pytest
from checkouts import cache, copied, environment, files, python  # noqa: F401  cache: a fixture

from pawnstorm.core import linker, native
from pawnstorm.core.targets import PROBE, TARGETS, host_platform, target_name, targets_of
from pawnstorm.system.cache import DIGEST

STARTS = 8
LIBRARY = Path(TARGETS[targets_of(host_platform())[-1]].library)  # of the best target here


# The compiler takes long, so a copy of what it has made of these kernels before stands in for it.
COPYING = """
def compile_here(names, folder):
    import shutil, time

    time.sleep(0.5)  # in which others come for the same core
    for name in names:
        made = shutil.copy(object_file(name, {built!r}), os.path.join(folder, f"copied-{{name}}"))
        cache.install(made, object_file(name, folder))


"""


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A folder with a copy of the package, so that nobody's edit comes between two runs, and COPYING."""
    folder = copied(tmp_path_factory.mktemp("checkout"))
    if not native.PLAIN_PYTHON:
        build = folder / "pawnstorm" / "core" / "build.py"
        before, main, after = build.read_text().partition("def main():")
        build.write_text(before + COPYING.format(built=str(client.build_core())).lstrip("\n") + main + after)
    return folder


# What every way of running has to agree on: (score, nodes, line) of searches in several games, en passant at hand in
# one. Bounds are told of a search that takes more than a second.
COUNT = """
from pawnstorm.games.position import Board
from pawnstorm.search.engine import Engine
from pawnstorm.search.limits import Limits
from pawnstorm.games.notation import parse_fen
from pawnstorm.games.rules import get_rules
told = []
for name, fen, depth in [("twoflags", None, 3), ("twoflags", "8/p4p2/8/2pPp1pP/8/4P3/1P6/8 w - c6 0 1", 4), ("twoflags5x6", None, 4),
                         ("breakthrough", None, 2), ("breakthrough4x5", None, 4), ("hexapawn4x5", None, 6)]:
    rules, engine = get_rules(name), Engine(lambda info: info.bound or told.append((info.score, info.nodes, info.pv)))
    engine.set_hash(1)
    engine.go(parse_fen(rules, fen) if fen else Board.start(rules), Limits(depth=depth))
    engine.wait()
print(told)
"""


def counted(checkout, cache, **changes):
    """(numbers of COUNT, what came on stderr)."""
    done = python(checkout, cache, "-c", COUNT, **changes)
    assert done.returncode == 0, done.stderr
    return ast.literal_eval(done.stdout), done.stderr


# Where it is kept.


def cache_folder(checkout, cache, **changes):
    """(folder, stderr) that a process chooses."""
    done = python(checkout, cache, "-c", "from pawnstorm.core import sources; print(sources.cache_folder())", **changes)
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip()), done.stderr


def test_changed_kernel_never_runs_old_machine_code_and_a_plain_module_may_change_without_a_build(tmp_path):
    checkout = copied(tmp_path)
    folders = [cache_folder(checkout, tmp_path / "cache")[0]]

    def changed(*modules):
        for module in modules:
            source = checkout / f"{module}.py"
            source.write_text(source.read_text() + "\n# changed\n")
        return cache_folder(checkout, tmp_path / "cache")

    plain = ("pawnstorm/search/time_budget", "pawnstorm/games/rules", "pawnstorm_protocol/uci_format")
    assert changed(*plain) == (folders[0], "") and folders[0].parent == tmp_path / "cache"
    for module in ("kernels/movegen", "kernels/core", "core/state", "core/build", "core/exports", "core/parameters"):
        folders.append(changed(f"pawnstorm/{module}")[0])
    assert len(set(folders)) == len(folders)


def test_other_parameters_have_a_core_of_their_own(checkout, tmp_path):
    default, changed = (
        cache_folder(checkout, tmp_path, PAWNSTORM_PARAMETERS=values)[0] for values in ("", "RFP_MARGIN=70")
    )
    assert default != changed and cache_folder(checkout, tmp_path)[0] == default


@pytest.fixture(scope="module")
def plain(checkout, cache):
    """The numbers of the kernels as plain Python."""
    return counted(checkout, cache, NUMBA_DISABLE_JIT="1")[0]


def test_parameters_of_the_environment_are_searched_with(plain, checkout, tmp_path):
    parameters = "LMR_MIN_MOVES=2 QUIESCENCE_PLIES=2"
    assert counted(checkout, tmp_path, NUMBA_DISABLE_JIT="1", PAWNSTORM_PARAMETERS=parameters)[0] != plain


@pytest.mark.compiled
@pytest.mark.parametrize("fault", ["missing", "writable", "homeless"])
def test_unfit_folder_is_replaced_for_one_start_with_a_word(fault, beginners, checkout, cache, tmp_path):
    """A temporary folder goes after the start; what is loaded stays usable."""
    (tmp_path / "temporary").mkdir()
    if fault == "missing":  # and not even the superuser can make it
        (tmp_path / "file").touch()
        unfit = tmp_path / "file" / "cache"
    elif fault == "homeless":
        unfit = ""
    else:
        unfit = tmp_path / "shared"
        shutil.copytree(cache, unfit)
        unfit.chmod(0o777)
    code = (
        "from pawnstorm.games.position import Board\nfrom pawnstorm.games.rules import get_rules\n"
        "print(len(Board.start(get_rules('hexapawn')).moves()))\n"
    )
    nowhere = {"HOME": "~", "XDG_CACHE_HOME": ""}  # as Python has it of a user whom the system does not know
    done = python(checkout, unfit, "-c", code, TMPDIR=str(tmp_path / "temporary"), **nowhere)
    assert (done.returncode, done.stdout) == (0, "3\n"), done.stderr
    if linker.c_compiler():
        assert done.stderr.count("\n") == 1
    assert str(unfit or "'~' is not a home folder") in done.stderr and "PAWNSTORM_CACHE" in done.stderr
    assert not list(checkout.glob("~*"))
    assert files(tmp_path / "temporary") == []


def objects_only(cache, folder):
    """Fill a cache with the objects of another, as if nothing had been linked."""
    for path in cache.rglob("*.o*"):
        (folder / path.parent.name).mkdir(exist_ok=True)
        shutil.copy(path, folder / path.parent.name)


@pytest.mark.compiled
def test_home_may_have_any_name(beginners, checkout, cache, tmp_path):
    home = tmp_path / "my h\nome \N{GRINNING FACE}"
    shutil.copytree(cache, home / ".cache" / "pawnstorm")
    plain = {"HOME": str(home), "XDG_CACHE_HOME": "no/full/path"}
    for locale in ("C.UTF-8", "C"):
        assert counted(checkout, "", LC_ALL=locale, **plain) == counted(checkout, cache)


# How it is built and loaded. The first test that needs it builds the shared cache.


@pytest.fixture(scope="module")
def beginners(checkout, cache):
    """[(answers, stderr)] of engines that start at the same moment on an empty cache."""
    engines = [
        subprocess.Popen(
            [sys.executable, "-m", "pawnstorm"],
            cwd=checkout,
            env=environment(cache),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(STARTS)
    ]
    for engine in engines:
        engine.stdin.write("isready\n")
        engine.stdin.flush()
    answers = [engine.stdout.readline() for engine in engines]
    return [
        (answer + rest, said)
        for answer, engine in zip(answers, engines)
        for rest, said in [engine.communicate("quit\n", timeout=60)]
    ]


@pytest.mark.compiled
def test_first_starts_at_once_build_once_and_all_answer(beginners, cache):
    assert [answer for answer, _ in beginners] == ["readyok\n"] * STARTS
    lines = "".join(said for _, said in beginners).splitlines()
    assert len(lines) == 1 and "building the native core" in lines[0] and str(cache) in lines[0]


@pytest.mark.compiled
def test_build_leaves_nothing_half_written(beginners, cache):
    names = {name.removesuffix(DIGEST).rpartition(".") for name in files(cache)}
    stems = {stem for stem, _, _ in names}
    used = {native.core().target, target_name(host_platform(), PROBE)} & {*targets_of(host_platform())}
    assert stems == {f"core-{name}" for name in used}
    assert {ending for _, _, ending in names} <= {LIBRARY.suffix[1:], "o", "lock"}
    assert {name.removesuffix(DIGEST) for name in files(cache) if name.endswith(DIGEST)} == {
        name for name in files(cache) if name.endswith((LIBRARY.suffix, ".o"))
    }


@pytest.mark.compiled
def test_library_counts_as_the_kernels_do_as_plain_python(beginners, plain, checkout, cache):
    compiled, said = counted(checkout, cache)
    assert len(compiled) > 20 and compiled == plain and said == ""


@pytest.mark.compiled
@pytest.mark.parametrize(
    "compiler, reason",
    [("/nonexistent/cc", "no C compiler found"), (shutil.which("false") or "false", "linking failed")],
    ids=["missing", "failing"],
)
def test_where_nothing_links_the_object_is_loaded_and_counts_alike(
    compiler, reason, beginners, plain, checkout, cache, tmp_path
):
    """With a word on stderr; the objects are those of the shared cache, which any machine would make."""
    objects_only(cache, tmp_path)
    loaded, said = counted(checkout, tmp_path, CC=compiler)
    assert loaded == plain
    assert said.count("\n") == 1 and reason in said and "llvmlite" in said
    assert not [name for name in files(tmp_path) if name.endswith(LIBRARY.suffix)]


@pytest.mark.compiled
def test_compiler_that_comes_later_links_what_is_there(beginners, checkout, cache, tmp_path):
    if linker.c_compiler() is None:
        pytest.skip("there is no C compiler")
    objects_only(cache, tmp_path)
    done = python(checkout, tmp_path, "-m", "pawnstorm", "build")
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.endswith(f"{LIBRARY.suffix}\n")


# What can go wrong.


@pytest.mark.compiled
def test_damaged_library_is_made_anew_with_a_word(beginners, checkout, cache, tmp_path):
    """Loaded, it would end the process by SIGBUS."""
    if linker.c_compiler() is None:
        pytest.skip("there is no C compiler")
    shutil.copytree(cache, tmp_path / "cache")
    (library,) = (path for path in (tmp_path / "cache").rglob(f"core-*{LIBRARY.suffix}") if PROBE not in path.name)
    library.write_bytes(library.read_bytes()[:10_000])
    done = python(checkout, tmp_path / "cache", "-m", "pawnstorm", "build")
    assert (done.returncode, done.stdout.endswith(f"{library}\n")) == (0, True), done.stderr
    assert done.stderr.count("\n") == 1 and f"{library} is damaged" in done.stderr
    again = python(checkout, tmp_path / "cache", "-m", "pawnstorm", "build")
    assert (again.returncode, again.stdout, again.stderr) == (0, done.stdout, "")
