"""Prepares our functions for the workers of a cluster, and their answers for the way back."""

from pathlib import Path

TOPIC = "pawnstorm"  # the topic of the events by which workers answer


def shipped(module, name):
    """A function of one of our modules, looked up on the machine that calls it.

    A worker looks for scripts/ on its sys.path, then in its working folder (a checkout or the scripts/ of one), then in
    the checkout that is installed on its machine, and at last under the path that it has here.
    """
    ours = str(Path(__file__).parents[1])

    def call(*words):
        import importlib  # imported here: only this function's code is sent to the worker
        import importlib.util
        import pathlib
        import sys

        if not importlib.util.find_spec("startup"):
            here, installed = pathlib.Path.cwd(), importlib.util.find_spec("pawnstorm")
            checkouts = pathlib.Path(installed.origin).parents if installed else ()
            folders = [here / "scripts", here, *(folder / "scripts" for folder in checkouts), pathlib.Path(ours)]
            sys.path[:0] = [str(folder) for folder in folders if (folder / "startup").is_dir()][:1]
        if importlib.util.find_spec("startup"):
            importlib.import_module("startup")
        return getattr(importlib.import_module(module), name)(*words)

    return call


def answering(function):
    """The function as a task of dask that answers by an event: a dict of the task's "key" and either the "answer" as JSON
    or the "error" in one line.
    """

    def call(*words):
        import json

        from distributed import get_worker

        worker = get_worker()
        said = {"key": worker.get_current_task()}
        try:
            said["answer"] = json.dumps(function(*words))
        except Exception as error:
            said["error"] = f"{type(error).__name__}: {error}".splitlines()[0].encode("utf-8", "replace").decode()
        worker.log_event(TOPIC, said)

    return call
