"""Tries as a stranger to talk to the ports of a cluster: `python strangers.py ADDRESS ...`, such as tcp://127.0.0.1:8786.

If run as root, it becomes another user first. Prints each address that answers it, and finally `tried`.
"""

import asyncio
import os
import sys

import tornado.platform.asyncio  # noqa: F401  imported while this user may still read it
from distributed.comm import tcp  # noqa: F401
from distributed.core import connect
from distributed.security import Security

TIMEOUT = 4  # seconds; some ports are those of web servers, which never answer
NOBODY = 65534


async def ask(address, security):
    """Print an address if it answers a message: it would then also obey one that runs code."""

    async def identity():
        comm = await connect(address, **security.get_connection_args("client"))
        await comm.write({"op": "identity", "reply": True})
        found = await comm.read()
        await comm.close()
        return found

    try:
        answer = await asyncio.wait_for(identity(), TIMEOUT)
    except (OSError, TypeError, ValueError):  # a TimeoutError is the first
        return
    if isinstance(answer, dict) and "id" in answer:
        print(address, answer["type"], flush=True)


async def ask_all(addresses):
    own = Security.temporary()
    if os.getuid() == 0:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    ports = [address.partition("://")[2] for address in addresses]
    await asyncio.gather(
        *(ask(f"tcp://{port}", Security()) for port in ports), *(ask(f"tls://{port}", own) for port in ports)
    )
    print("tried")


asyncio.run(ask_all(sys.argv[1:]))
