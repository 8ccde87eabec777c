"""A dask worker that attacks or lies: `dask worker --preload evil_worker.py` with EVIL in its environment.

EVIL is a key of WAYS. A process that unpickles a Payload appends its process id to the file EVIL_FILE.
"""

import json
import os
import pickle

import cloudpickle
from distributed.protocol.serialize import Serialize, ToPickle

INFINITE = (1 << 32) - 1
CODE = f"import os; open({os.environ.get('EVIL_FILE')!r}, 'a').write(str(os.getpid()) + ' ')"


class Payload:
    def __reduce__(self):
        return exec, (CODE,)


class Relay:
    """Runs nothing when the scheduler unpickles it, but becomes a Payload that the scheduler sends on."""

    def __reduce__(self):
        def payload(code=CODE):
            class Payload:
                def __reduce__(self):
                    return exec, (code,)

            return Payload()

        return eval, (f"__import__('cloudpickle').loads({cloudpickle.dumps(payload)!r})()",)


def answers(change):
    """A way that changes the event that answers a job; change(the event's message) returns a list of messages."""

    def way(message):
        said = message.get("msg")
        if message["op"] != "log-event" or said["key"].startswith("prepare"):
            return [message]
        return [message | {"msg": one} for one in change(said)]

    return way


def lies(change):
    """A way that changes what a job has found; change() takes the answer as decoded JSON and returns another."""
    return answers(lambda said: [said | {"answer": json.dumps(change(json.loads(said["answer"])))}])


def ended(change):
    """A way that changes the message that reports the end of a job's task; change(message) returns the new fields."""

    def way(message):
        job = message["op"] == "task-finished" and not message["key"].startswith("prepare")
        return [message | change(message) if job else message]

    return way


def swapped(answer):
    """A proof of the opposite; an undecided position becomes a win."""
    (value, *_), _, nodes, seconds = answer
    proof = [-1, 8, None, INFINITE, 0] if value > 0 else [1, 9, None, 0, INFINITE]
    return [proof, [], nodes, seconds]


def record(**fields):
    return lies(lambda answer: [answer[0] | fields, answer[1]])


def moves(change):
    return lies(lambda answer: [answer[0] | {"moves": change(answer[0]["moves"])}, answer[1]])


def of_another_job(said):
    """The answer under the key of the job before this one."""
    keys.append(said["key"])
    return [said | {"key": keys[-2]}]


keys = ["play-0"]
PICKLE = pickle.dumps(Payload())
WAYS = {
    # Attacks: pickles, wherever dask's own client would unpickle one.
    "serialized": answers(lambda said: [said | {"answer": Serialize(Payload())}]),
    "event": answers(lambda said: [Serialize(Payload())]),
    "pickled": answers(lambda said: [said | {"answer": PICKLE}]),
    "relay": answers(lambda said: [said | {"answer": ToPickle(Relay())}]),
    "type": ended(lambda message: {"type": PICKLE}),
    "error": ended(
        lambda message: {
            "op": "task-erred",
            "status": "error",
            "exception": Serialize(PICKLE),
            "traceback": Serialize(Payload()),
            "exception_text": "",
            "traceback_text": "",
        }
    ),
    "warn": lambda message: [message, {"op": "log-event", "topic": "warn", "msg": {"message": PICKLE}}],
    "print": lambda message: [message, {"op": "log-event", "topic": "print", "msg": {"args": ("EVIL",)}}],
    "stop": lambda message: [message],
    # Lies about proofs.
    "swapped": lies(swapped),
    "short": lies(lambda answer: [answer[0], answer[1][:-1], *answer[2:]] if answer[1] else answer),
    "much": lies(lambda answer: [*answer[:2], 1 << 60, answer[3]]),
    "fast": lies(lambda answer: [*answer[:3], 0]),
    "nonsense": answers(lambda said: [said | {"answer": "[[[" * 10_000}]),
    "number": lies(lambda answer: 7),
    # Lies about games.
    "illegal": moves(lambda moves: [["a1a3", *moves[0][1:]], *moves[1:]]),
    "unfinished": moves(lambda moves: moves[:-1]),
    "more": moves(lambda moves: [*moves, moves[-1]]),
    "result": lies(
        lambda answer: [answer[0] | {"result": {"1-0": "0-1", "0-1": "1-0"}[answer[0]["result"]]}, answer[1]]
    ),
    "reason": record(reason="adjudication"),
    "number of the game": record(game=1000),
    "name": record(white="somebody"),
    "opening": record(opening="ppp/3/PPP b - - 0 1"),
    "limits": record(limits={"white": "1", "black": "1"}),
    "variant": record(variant="hexapawn"),
    "log": lies(lambda answer: [answer[0], 7]),
    # Lies about jobs.
    "twice": answers(lambda said: [said, said | {"answer": "7"}]),
    "silent": answers(lambda said: []),
    "other job": answers(of_another_job),
    "hang": lambda message: [] if message.get("key", "").startswith(("solve", "play")) else [message],
}


def lied(way, answer):
    """The answer to a job, as decoded JSON, after an evil worker has changed it in this way."""
    (message,) = WAYS[way]({"op": "log-event", "msg": {"key": "job-1", "answer": json.dumps(answer)}})
    return json.loads(message["msg"]["answer"])


def dask_setup(worker):
    send, way = worker.batched_send, WAYS[os.environ["EVIL"]]

    def forge(message):
        for one in way(message):
            send(one)

    async def run(*_, **__):
        return {"status": "OK", "result": Serialize(Payload())}

    worker.batched_send = forge
    if os.environ["EVIL"] == "stop":
        worker.handlers["run"] = run
