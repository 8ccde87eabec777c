"""Reads the addresses of servers, HOST:PORT.

The UCI engine does not import this module, because `re` would take a tenth of the engine's start-up time.
"""

import re

HOST = re.compile(r"\[([0-9A-Fa-f.]*:[0-9A-Fa-f:.]*(?:%[^\s\[\]]+)?)\]|([^\s:/\[\]]+)")
"""A host as it is written before its port: an IPv6 address in brackets, or any other address or name."""


def host_name(text):
    """The host as bytes, in the form that the socket module accepts.

    For a str, the socket module would load the codec idna, whose tables would add a twelfth to the frozen engine's size.
    Raises ValueError, which names the text and what is expected.
    """
    if not text.isascii():
        raise ValueError(
            f"host '{text[:80]}': expected ASCII characters; write a name with other characters as xn--..."
        )
    return text.encode()


def address(text):
    """Read HOST:PORT, such as localhost:9999 or [::1]:9999, as (host, port). The host has no brackets.

    Raises ValueError, which names the text and what is expected.
    """
    name, _, port = text.rpartition(":")
    found = HOST.fullmatch(name)
    if not found:
        raise ValueError(f"'{text[:80]}': expected HOST:PORT, as in localhost:9999 or [::1]:9999")
    if not re.fullmatch("[1-9][0-9]{0,4}", port) or int(port) > 65535:
        raise ValueError(f"'{port[:20]}' in '{text[:80]}': expected a port from 1 to 65535")
    host = found[1] or found[2]
    host_name(host)
    return host, int(port)
