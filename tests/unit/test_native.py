"""How the native core is found, built and loaded, and that every way of running the kernels gives the same numbers."""
import ast
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from client import ROOT
from engine import build, native
from engine.bench import bench
from engine.cache import DIGEST
from engine.engine import Engine

ARM = os.uname().machine in ("aarch64", "arm64")
LEVELS = ["aarch64"] if ARM else ["x86-64", "x86-64-v2", "x86-64-v3"]

# What every way of running has to agree on: (score, nodes, line) of searches in several games, en passant at hand in one.
COUNT = """
from engine.board import Board
from engine.engine import Engine, Limits
from engine.notation import parse_fen
from engine.rules import game
told = []
for name, fen, depth in [("twoflags", None, 3), ("twoflags", "8/p4p2/8/2pPp1pP/8/4P3/1P6/8 w - c6 0 1", 4), ("twoflags5x6", None, 4),
                         ("breakthrough", None, 2), ("breakthrough4x5", None, 4), ("hexapawn4x5", None, 6)]:
    rules, engine = game(name), Engine(lambda info: told.append((info.score, info.nodes, info.line)))
    engine.set_hash(1)
    engine.go(parse_fen(rules, fen) if fen else Board.start(rules), Limits(depth=depth))
    engine.wait()
print(told)
"""


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """A copy of the packages, so that nobody's edit comes between two runs."""
    return copied(tmp_path_factory.mktemp("checkout"))


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """A cache folder that the tests of one checkout share."""
    return tmp_path_factory.mktemp("cache")


def copied(folder):
    for package in ("engine", "protocol"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def environment(cache, **changes):
    """Ours, with a cache folder of the test's own and nothing that would change how numba works."""
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "PYTHON", "PAWNSTORM_"))}
    return ours | {"PAWNSTORM_CACHE": str(cache), "PYTHONDONTWRITEBYTECODE": "1"} | changes


def python(checkout, cache, *arguments, text="", **changes):
    """Run Python in a checkout to its end."""
    return subprocess.run([sys.executable, *arguments], cwd=checkout, env=environment(cache, **changes), input=text, capture_output=True,
                          text=True, timeout=300)


def counted(checkout, cache, **changes):
    """(numbers of COUNT, what came on stderr)."""
    done = python(checkout, cache, "-c", COUNT, **changes)
    assert done.returncode == 0, done.stderr
    return ast.literal_eval(done.stdout), done.stderr


def files(cache):
    """Names of all files in all folders of a cache."""
    return sorted(path.name for path in Path(cache).rglob("*") if path.is_file())


# Which level a processor gets.

SSE = sum(1 << bit for bit in (0, 9, 13, 19, 20, 23))
AVX = sum(1 << bit for bit in (12, 22, 27, 28, 29))
BMI_AVX2 = 1 << 3 | 1 << 5 | 1 << 8


def level(basic=SSE | AVX, extended=1 | 1 << 5, leaf7=BMI_AVX2, highest=7, highest_extended=0x80000008, xcr0=0b111):
    """cpu_level() of a processor with these words; a leaf that it does not have must not be asked for."""
    leaves = {0: (highest, 0, 0, 0), 1: (0, 0, basic, 0), 0x80000000: (highest_extended, 0, 0, 0)}
    if highest_extended >= 0x80000001:
        leaves[0x80000001] = (0, 0, extended, 0)
    if highest >= 7:
        leaves[7] = (0, leaf7, 0, 0)

    def xgetbv():
        assert basic >> 27 & 1, "XGETBV is an illegal instruction where the system has not set OSXSAVE"
        return xcr0
    return native.cpu_level(lambda leaf, subleaf, register: leaves[leaf][register], xgetbv)


def test_processor_with_everything_is_v3():
    assert level() == "x86-64-v3"


def test_processor_without_avx_is_v2():
    assert level(basic=SSE, leaf7=0) == "x86-64-v2"


def test_processor_of_the_first_hour_is_the_baseline():
    assert level(basic=0, extended=0, highest=1) == "x86-64"
    assert level(basic=0, highest=1, highest_extended=0) == "x86-64"


def test_system_that_does_not_keep_wide_registers_gets_v2():
    assert level(xcr0=0b001) == level(xcr0=0b011) == level(xcr0=0b101) == "x86-64-v2"
    assert level(basic=SSE | AVX & ~(1 << 27)) == "x86-64-v2"


def test_missing_leaf_seven_is_v2():
    assert level(highest=6) == level(highest=1) == "x86-64-v2"


@pytest.mark.parametrize("bit", [0, 9, 13, 19, 20, 23])
def test_every_feature_of_v2_counts(bit):
    assert level(basic=(SSE | AVX) & ~(1 << bit)) == "x86-64"
    assert level(extended=1 << 5) == "x86-64"


@pytest.mark.parametrize("words", [{"basic": SSE | AVX & ~(1 << bit)} for bit in (12, 22, 28, 29)] + [{"extended": 1}]
                         + [{"leaf7": BMI_AVX2 & ~(1 << bit)} for bit in (3, 5, 8)], ids=str)
def test_every_feature_of_v3_counts(words):
    assert level(**words) == "x86-64-v2"


@pytest.mark.compiled
def test_probe_tells_what_the_system_says_of_this_processor():
    told = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    flags = next((line.split() for line in told.splitlines() if line.startswith("flags")), [])
    if not flags or ARM:
        pytest.skip("no list of x86 features to compare with")
    wide = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"} <= set(flags)
    older = {"popcnt", "sse4_1", "sse4_2", "ssse3", "cx16", "lahf_lm"} <= set(flags)
    assert native.core().level == ("x86-64-v3" if older and wide else "x86-64-v2" if older else "x86-64")


# Where it is kept.

def cache_folder(checkout, cache, **changes):
    """(folder, stderr) that a process chooses."""
    done = python(checkout, cache, "-c", "from engine import cache; print(cache.folder())", **changes)
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip()), done.stderr


def test_changed_kernel_never_runs_old_machine_code(tmp_path):
    checkout = copied(tmp_path)
    folders = [cache_folder(checkout, tmp_path / "cache")[0]]
    assert cache_folder(checkout, tmp_path / "cache") == (folders[0], "") and folders[0].parent == tmp_path / "cache"
    for module in ("movegen", "bits", "kernel", "core", "state", "build"):
        source = checkout / "engine" / f"{module}.py"
        source.write_text(source.read_text() + "\n# changed\n")
        folders.append(cache_folder(checkout, tmp_path / "cache")[0])
    assert len(set(folders)) == len(folders)


def test_plain_module_may_change_without_a_build(tmp_path):
    checkout = copied(tmp_path)
    before = cache_folder(checkout, tmp_path / "cache")[0]
    for module in ("engine/timeman", "engine/notation", "engine/rules", "protocol/format"):
        source = checkout / f"{module}.py"
        source.write_text(source.read_text() + "\n# changed\n")
    assert cache_folder(checkout, tmp_path / "cache")[0] == before


def test_folder_follows_the_customary_variables(checkout, tmp_path):
    home, xdg = tmp_path / "home", tmp_path / "xdg"
    env = {"PAWNSTORM_CACHE": "", "HOME": str(home), "XDG_CACHE_HOME": ""}
    assert cache_folder(checkout, "", **env)[0].parent == home / ".cache" / "pawnstorm"
    assert cache_folder(checkout, "", **env | {"XDG_CACHE_HOME": str(xdg)})[0].parent == xdg / "pawnstorm"


@pytest.mark.compiled
@pytest.mark.parametrize("fault", ["missing", "writable"])
def test_unfit_folder_is_replaced_for_one_start_with_a_word(fault, beginners, checkout, cache, tmp_path):
    """A temporary folder, filled by a compiler that only copies, goes behind the start; what is loaded stays usable."""
    (tmp_path / "temporary").mkdir()
    if fault == "missing":   # and not even the superuser can make it
        (tmp_path / "file").touch()
        unfit = tmp_path / "file" / "cache"
    else:
        unfit = tmp_path / "shared"
        shutil.copytree(cache, unfit)
        unfit.chmod(0o777)
    built = next(path.parent for path in cache.rglob("core-probe.o"))
    code = (f"import shutil\nfrom engine import build, cache\ndef copy(level, folder):\n"
            f"    shutil.copy({str(built)!r} + f'/core-{{level}}.o', folder + '/new')\n"
            f"    cache.put(folder + '/new', folder + f'/core-{{level}}.o')\nbuild.compile_level = copy\n"
            "from engine.board import Board\nfrom engine.rules import game\nprint(len(Board.start(game('hexapawn')).moves()))\n")
    done = python(checkout, unfit, "-c", code, TMPDIR=str(tmp_path / "temporary"))
    assert (done.returncode, done.stdout) == (0, "3\n"), done.stderr
    if build.c_compiler():
        assert done.stderr.count("\n") == 1
    assert str(unfit) in done.stderr and "PAWNSTORM_CACHE" in done.stderr
    assert files(tmp_path / "temporary") == []


def objects_only(cache, folder):
    """Fill a cache with the objects of another, as if nothing had been linked."""
    for path in cache.rglob("*.o*"):
        (folder / path.parent.name).mkdir(exist_ok=True)
        shutil.copy(path, folder / path.parent.name)


# How it is built and loaded. The first test that needs it builds the shared cache.

@pytest.fixture(scope="module")
def beginners(checkout, cache):
    """[(answers, stderr)] of two engines that start at the same moment on an empty cache."""
    engines = [subprocess.Popen([sys.executable, "-m", "protocol"], cwd=checkout, env=environment(cache), stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    for engine in engines:
        engine.stdin.write("isready\n")
        engine.stdin.flush()
    answers = [engine.stdout.readline() for engine in engines]
    return [(answer + rest, said) for answer, engine in zip(answers, engines) for rest, said in [engine.communicate("quit\n", timeout=60)]]


@pytest.mark.compiled
def test_two_first_starts_build_once_and_both_answer(beginners, cache):
    assert [answer for answer, _ in beginners] == ["readyok\n"] * 2
    lines = "".join(said for _, said in beginners).splitlines()
    assert len(lines) == 1 and "building the native core" in lines[0] and str(cache) in lines[0]


@pytest.mark.compiled
def test_build_leaves_nothing_half_written(beginners, cache):
    names = {name.removesuffix(DIGEST).rpartition(".") for name in files(cache)}
    stems = {stem for stem, _, _ in names}
    assert stems == {"core-probe", f"core-{native.core().level}"} or ARM
    assert {ending for _, _, ending in names} <= {"so", "o", "lock"}
    assert {name.removesuffix(DIGEST) for name in files(cache) if name.endswith(DIGEST)} == {
        name for name in files(cache) if name.endswith((".so", ".o"))}


@pytest.mark.compiled
def test_built_core_is_loaded_in_silence(beginners, checkout, cache):
    began = time.monotonic()
    done = python(checkout, cache, "-m", "protocol", "build")
    assert (done.returncode, done.stderr) == (0, "") and str(cache) in done.stdout
    assert time.monotonic() - began < 3, "that was a build"


@pytest.mark.compiled
def test_library_counts_as_the_kernels_do_as_plain_python(beginners, checkout, cache):
    compiled, said = counted(checkout, cache)
    plain, _ = counted(checkout, cache, NUMBA_DISABLE_JIT="1")
    assert len(compiled) > 20 and compiled == plain and said == ""


@pytest.mark.compiled
@pytest.mark.parametrize("compiler, reason", [
    ("/nonexistent/cc", "no C compiler found"), (shutil.which("false") or "false", "linking failed")], ids=["missing", "failing"])
def test_where_nothing_links_the_object_is_loaded_and_counts_alike(compiler, reason, beginners, checkout, cache, tmp_path):
    """With a word on stderr; the objects are those of the shared cache, which any machine would make."""
    objects_only(cache, tmp_path)
    linked, _ = counted(checkout, cache)
    loaded, said = counted(checkout, tmp_path, CC=compiler)
    assert loaded == linked
    assert said.count("\n") == 1 and reason in said and "llvmlite" in said
    assert not [name for name in files(tmp_path) if name.endswith(".so")]


@pytest.mark.compiled
def test_compiler_that_comes_later_links_what_is_there(beginners, checkout, cache, tmp_path):
    if build.c_compiler() is None:
        pytest.skip("there is no C compiler")
    objects_only(cache, tmp_path)
    done = python(checkout, tmp_path, "-m", "protocol", "build")
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.endswith(".so\n")


@pytest.mark.compiled
@pytest.mark.parametrize("name", LEVELS)
def test_every_level_counts_alike(name, tmp_path, monkeypatch):
    if LEVELS.index(name) > LEVELS.index(native.core().level):
        pytest.skip(f"this processor cannot run {name}")
    expected = bench(Engine(), 6)[0]
    path = native.core().source
    if name != native.core().level:
        build.compile_level(name, str(tmp_path))
        assert files(tmp_path) == [f"core-{name}.o", f"core-{name}.o{DIGEST}"]
        path = build.link(name, str(tmp_path)) if build.c_compiler() else str(tmp_path / f"core-{name}.o")
    monkeypatch.setattr(native, "_core", native.Core(native._functions(path, native.SIGNATURES), name, path))
    assert native.core().level == name and bench(Engine(), 6)[0] == expected


# What can go wrong.

@pytest.mark.compiled
@pytest.mark.parametrize("damage", [
    lambda data: b"", lambda data: data[:len(data) // 2], lambda data: data[:64] + bytes(len(data) - 64)], ids=["empty", "cut", "zeros"])
def test_damaged_library_is_made_anew_with_a_word(damage, beginners, checkout, cache, tmp_path):
    """Loaded, each of them would end the process: by an error, SIGBUS or SIGSEGV."""
    if build.c_compiler() is None:
        pytest.skip("there is no C compiler")
    shutil.copytree(cache, tmp_path / "cache")
    library, = (path for path in (tmp_path / "cache").rglob("core-*.so") if "probe" not in path.name)
    library.write_bytes(damage(library.read_bytes()))
    done = python(checkout, tmp_path / "cache", "-m", "protocol", "build")
    assert (done.returncode, done.stdout.endswith(f"{library}\n")) == (0, True), done.stderr
    assert done.stderr.count("\n") == 1 and f"{library} is damaged" in done.stderr
    again = python(checkout, tmp_path / "cache", "-m", "protocol", "build")
    assert (again.returncode, again.stdout, again.stderr) == (0, done.stdout, "")


@pytest.mark.compiled
@pytest.mark.parametrize("fault, reason", [
    ("def broken(:\n", "SyntaxError"),
    ("\n\n@kernel(u64(u64))\ndef broken(word):\n    return word.nothing\n", "nothing")], ids=["syntax", "type"])
def test_kernel_that_does_not_compile_ends_the_engine_by_name(fault, reason, tmp_path):
    """It promises nothing on stdout and leaves nothing half-written."""
    checkout = copied(tmp_path)
    source = checkout / "engine" / "position.py"
    source.write_text(source.read_text() + fault)
    done = python(checkout, tmp_path / "cache", "-m", "protocol", text="isready\n")
    assert done.returncode == 1 and done.stdout == ""
    for part in ("building the native core for", "failed", "position.py", reason):
        assert part in done.stderr, done.stderr
    assert not [name for name in files(tmp_path / "cache") if not name.endswith(".lock") and "probe" not in name]


def test_failures_name_their_step(tmp_path, monkeypatch):
    with pytest.raises(build.BuildError, match="building the native core for nonsense failed"):
        build.compile_level("nonsense", str(tmp_path))
    monkeypatch.setenv("CC", "/nonexistent/cc")
    with pytest.raises(build.BuildError, match="no C compiler"):
        build.link("probe", str(tmp_path))
    monkeypatch.setenv("CC", shutil.which("false") or "false")
    with pytest.raises(build.BuildError, match="linking failed: .*false -shared"):
        build.link("probe", str(tmp_path))
    assert files(tmp_path) == []


def test_compiler_is_the_named_one_or_none(monkeypatch):
    monkeypatch.setenv("CC", "/nonexistent/cc")
    assert build.c_compiler() is None
    monkeypatch.setenv("CC", f"{sys.executable} -x c")
    assert build.c_compiler() == [sys.executable, "-x", "c"]
    monkeypatch.delenv("CC")
    monkeypatch.setenv("PATH", "/nonexistent")
    assert build.c_compiler() is None
