"""The texts in a script of JavaScript, found without a parser: its strings, and the calls of a function."""

import re

TOKEN = re.compile(
    r"""/\*.*?\*/|//[^\n]*|(?P<string>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")|(?P<template>`)|"""
    r"""(?<=[(,=:?&|!\[])\ ?/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/\w*""",
    re.S | re.X,
)
"""A comment, a string, the beginning of a template, or a regular expression."""
HOLE = "${}"
"""Stands in a string for what a template fills in."""


def strings(source):
    """[(place, text)] of all strings and templates, also of those inside a template's holes."""
    found, at = [], 0
    while token := TOKEN.search(source, at):
        at = token.end()
        if token["string"]:
            found.append((token.start(), token["string"][1:-1]))
        elif token["template"]:
            text, at, inner = _template(source, at)
            found += [(token.start(), text), *inner]
    return found


def _template(source, at):
    """(text, place behind it, strings in its holes) of a template that begins there."""
    text, inner = "", []
    while source[at] != "`":
        if source.startswith("${", at):
            end = closing(source, at + 2, "}")
            inner += [(at + 2 + place, found) for place, found in strings(source[at + 2 : end])]
            text, at = text + HOLE, end + 1
        else:
            length = 2 if source[at] == "\\" else 1
            text, at = text + source[at : at + length], at + length
    return text, at + 1, inner


def closing(source, at, ends):
    """The place of the first of these signs behind a place that is in no brackets and no string."""
    depth = 0
    while depth or source[at] not in ends:
        if token := TOKEN.match(source, at):
            at = _template(source, token.end())[1] if token["template"] else token.end()
            continue
        depth += (source[at] in "([{") - (source[at] in ")]}")
        at += 1
    return at


def calls(source, name):
    """[[argument, ...]] of the calls of a function, each argument as it is written."""
    found = []
    for call in re.finditer(rf"(?<![\w.$]){name}\((?!name, values)", source):
        arguments, at = [], call.end()
        while True:
            end = closing(source, at, ",)")
            arguments.append(source[at:end].strip())
            if source[end] == ")":
                break
            at = end + 1
        found.append(arguments)
    return found


def parts(source):
    """What stands between the commas of a list."""
    found, at = [], 0
    while at < len(source):
        end = closing(f"{source},", at, ",")
        found.append(source[at:end].strip())
        at = end + 1
    return found
