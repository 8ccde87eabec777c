"""Addresses are read alike wherever they are written."""

import argparse

import pytest

from pawnstorm_protocol import addresses, cli


@pytest.mark.parametrize(
    "text, found",
    [
        ("localhost:9999", ("localhost", 9999)),
        ("a-host.example:65535", ("a-host.example", 65535)),
        ("xn--mhle-0ra:80", ("xn--mhle-0ra", 80)),
        ("[fe80::1%eth0]:9999", ("fe80::1%eth0", 9999)),
        ("[::ffff:127.0.0.1]:9999", ("::ffff:127.0.0.1", 9999)),
    ],
)
def test_address_is_a_host_and_a_port(text, found):
    assert addresses.address(text) == cli.address(text) == found


@pytest.mark.parametrize(
    "text",
    ["", ":", ":9", "host", "::1:9", "[::1]", "[::1:9", "::1]:9", "[]:9", "[a]:9", "a b:9", "a/b:9", "[1.2.3.4]:9"],
)
def test_what_has_no_host_is_no_address(text):
    with pytest.raises(ValueError, match="expected HOST:PORT") as caught:
        addresses.address(text)
    assert f"'{text}'" in str(caught.value)


@pytest.mark.parametrize(
    "port",
    ["", "0", "00", "09999", "00000123456", "65536", "123456", "9" * 5000, "+9", "-9", "1_0", "\u00b2", "9 ", "http"],
)
def test_port_is_a_whole_number_without_tricks(port):
    with pytest.raises(ValueError, match="1 to 65535") as caught:
        addresses.address(f"host:{port}")
    assert f"'{port[:20]}' in '" in str(caught.value) and len(str(caught.value)) < 160


@pytest.mark.parametrize(
    "read, text", [(addresses.address, "m\u00fchle:80"), (cli.address, "m\u00fchle:80"), (cli.host, "m\u00fchle")]
)
def test_host_of_other_characters_is_refused(read, text):
    """Nothing in the frozen engine could encode it."""
    with pytest.raises((ValueError, argparse.ArgumentTypeError), match="^host 'm\u00fchle': expected ASCII characters"):
        read(text)


@pytest.mark.parametrize("text, host", [("::", "::"), ("[::1]", "::1"), ("name", "name"), ("0.0.0.0", "0.0.0.0")])
def test_host_to_listen_at_may_have_its_brackets(text, host):
    assert cli.host(text) == host
