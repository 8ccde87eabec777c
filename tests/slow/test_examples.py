"""Each example of the documents runs in an environment with the package and what its first line names, nothing else."""

import os
import subprocess
import sys
import venv

import client
import pytest
from examples import examples

from pawnstorm.core.targets import TARGETS, host_platform, targets_of

pytestmark = [pytest.mark.slow, pytest.mark.compiled, pytest.mark.timeout(1200)]
ALL = examples()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel for this machine."""
    made = tmp_path_factory.mktemp("wheel")
    (core,) = (client.frozen() / "pawnstorm").rglob(TARGETS[targets_of(host_platform())[0]].library)
    words = ["wheel", "--no-deps", "--no-build-isolation", "-w", made, "."]
    env = os.environ | {"PAWNSTORM_CORES": str(core.parent)}
    subprocess.run([sys.executable, "-m", "pip", *words], cwd=client.ROOT, env=env, check=True, capture_output=True)
    (path,) = made.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def pythons(wheel, tmp_path_factory):
    """packages -> the Python of an environment that has them."""
    made = {}

    def python(packages):
        if packages not in made:
            folder = tmp_path_factory.mktemp("environment")
            venv.create(folder, with_pip=True)
            made[packages] = folder / "bin" / "python"
            words = [package.replace("pawnstorm", str(wheel), 1) for package in packages]
            subprocess.run([made[packages], "-m", "pip", "install", "-q", *words], check=True, capture_output=True)
        return made[packages]

    return python


@pytest.mark.parametrize("name", list(ALL))
def test_example_runs_with_the_packages_that_it_names(name, pythons, tmp_path):
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    assert ALL[name].run(pythons(ALL[name].packages), tmp_path, env)
