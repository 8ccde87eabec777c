"""A client of a dask scheduler that reads the messages of the cluster as data, and runs no code from them.

dask's own Client unpickles many things that a worker sends: a result's type, an error, a warning, the result of Client.run(), and
every value that is marked as serialized, anywhere in a message. This client does not read them. It only learns whether a task has
ended, failed or been lost. The result arrives as an event, which is a msgpack message.

Some pickles cannot be left unread: when dask decodes a message, it unpickles any value that is marked as pickled. As in any dask
cluster, the scheduler also unpickles data that a worker sends. So a worker can run any code there, and the scheduler may then
send harmful pickles to a client. A pickle can run code only if it names a function or a class. If the client's reading thread
meets a pickle that names one, it raises an error, and the client stops listening.
"""

import pickle
import sys
import threading
import weakref

import distributed
from distributed.protocol.pickle import dumps

_readers = weakref.WeakSet()  # the threads that read for clients


def _refuse_pickles(event, words):
    if event == "pickle.find_class" and threading.current_thread() in _readers:
        raise pickle.UnpicklingError(f"a pickle that names {words[0]}.{words[1]}")


sys.addaudithook(_refuse_pickles)  # it stays for ever, because an audit hook cannot be removed


class DataClient(distributed.Client):
    """A client of the scheduler at an address.

    hear(event) is called in the client's thread for every event of `topic`. An event is (time, message). If a worker's message
    is a dict, the scheduler has set its "worker" to the worker's address.

    fault   the exception that ended the listening, or None
    """

    def __init__(self, address, topic, hear, **words):
        self._topic, self._hear, self.fault = topic, hear, None
        super().__init__(address, set_as_default=False, **words)

    async def call(self, function, *words, worker):
        """Have a worker call a function outside its tasks; returns when the call has ended, even by an error. Raises OSError."""
        message = {"op": "run", "function": dumps(function), "args": dumps(words), "kwargs": dumps({}), "wait": True}
        await self.scheduler.broadcast(msg=message, workers=[worker], on_error="return_pickle")

    async def _ensure_connected(self, timeout=None):
        _readers.add(threading.current_thread())
        self.rpc.deserialize = False
        before = self.scheduler_comm
        await super()._ensure_connected(timeout)
        if self.scheduler_comm is not before:
            self.scheduler_comm.comm.deserialize = False
            self._send_to_scheduler({"op": "subscribe-topic", "topic": self._topic, "client": self.id})

    async def _handle_report(self):
        try:
            await super()._handle_report()
        except Exception as error:
            self.fault = error

    async def _handle_event(self, topic, event):
        if topic == self._topic:
            self._hear(event)

    def _handle_key_in_memory(self, key=None, type=None, workers=None):
        super()._handle_key_in_memory(key)

    def _handle_task_erred(self, key=None, exception=None, traceback=None):
        super()._handle_task_erred(key, RuntimeError("not read"))
