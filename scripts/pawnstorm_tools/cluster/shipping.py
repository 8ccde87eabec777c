"""Prepares our functions for the workers of a cluster, and their answers for the way back."""

from pathlib import Path

TOPIC = "pawnstorm"  # the topic of the events by which workers answer


def shipped(module, name):
    """A function of one of our modules, looked up on the machine that calls it.

    A worker imports from its working folder if that is a checkout or its scripts/; otherwise from the packages installed
    on its machine; otherwise from the path that the packages have here.
    """
    ours = Path(__file__).parents[2]

    def call(*words):
        import importlib  # imported here: only this function's code is sent to the worker
        import importlib.util
        import pathlib
        import sys

        if "pawnstorm_tools" not in sys.modules:
            here = pathlib.Path.cwd()
            folders = [here / "scripts", here, *([] if importlib.util.find_spec("pawnstorm_tools") else [ours])]
            sys.path[:0] = [str(folder) for folder in folders if (folder / "pawnstorm_tools").is_dir()][:1]
        importlib.import_module("pawnstorm_tools")  # in a checkout it finds the other packages
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
