"""The course's server and client at every kind of address: IPv4, IPv6, both, and names."""

import socket

import pytest
from course_processes import core, ours, server  # noqa: F401
from course_sessions import Serving

from pawnstorm_protocol.course.server import _listening


def has_ipv6():
    """Whether this machine has ::1."""
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        return False
    return True


ipv6 = pytest.mark.skipif(not has_ipv6(), reason="expected an address ::1")


@pytest.mark.parametrize(
    "host, clients",
    [
        pytest.param("[::1]", ("[0:0:0:0:0:0:0:1]", "[::1]"), marks=ipv6),
        pytest.param("::", ("[::1]", "127.0.0.1"), marks=ipv6),
        ("localhost", ("localhost", "127.0.0.1")),
    ],
)
def test_two_clients_play_at_an_address(host, clients):
    with server("--host", host, "--time", 1, "--sessions", 1) as (process, port):
        with ours(port, host=clients[0]) as one, ours(port, host=clients[1]) as two:
            told = [each.finish() for each in (one, two, process)]
    assert [errors for _, errors in told] == [""] * 3
    assert "wins after" in told[2][0] and sorted(out.splitlines()[-1] for out, _ in told[:2]) == [
        "0 won, 1 lost",
        "1 won, 0 lost",
    ]


@ipv6
def test_a_name_of_both_kinds_of_address_is_that_of_ipv4(monkeypatch):
    """Many agents know no other; a name that has only one of IPv6 is taken too."""
    known = {b"both": ["::1", "127.0.0.1"], b"new": ["::1"]}

    def looked_up(host, port, **_):
        return [row for address in known[host] for row in found(address, port, type=socket.SOCK_STREAM)]

    found = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", looked_up)
    for host, address in ("both", "127.0.0.1"), ("new", "::1"):
        with _listening(host, 0) as listener:
            assert listener.getsockname()[0] == address


@pytest.mark.parametrize("host", ["no.such.host.invalid", "a..b", "a" * 70, "203.0.113.7"])
def test_where_nobody_can_listen_is_named(host):
    with pytest.raises(OSError, match=f"^cannot listen on {host} port 0: [^(]*$"):
        Serving("--host", host)


def test_a_port_in_use_is_named():
    with Serving() as serving:
        with pytest.raises(OSError, match=f"^cannot listen on 127.0.0.1 port {serving.port}: Address already in use$"):
            _listening("127.0.0.1", serving.port)
