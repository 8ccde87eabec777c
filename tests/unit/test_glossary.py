"""The words that CONTRIBUTING.md replaces do not come back: not in the documents, and not in texts that users see."""

import ast
import re
from pathlib import Path

import pytest
from client import ROOT

GLOSSARY = ROOT / ".github" / "CONTRIBUTING.md"
HEADING = "### One word for each thing\n"
FOLDERS = ("engine", "protocol", "scripts", ".github")
CODE = re.compile(r"^```.*?^```|^(?:    [^\n]*\n)+|`[^`\n]*`", re.M | re.S)
COMMENT = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.S)
QUOTED = re.compile(r"""'[^'\n]*'|"[^"\n]*"|`[^`]*`""")
SIGNATURE = re.compile(r"pawnstorm [a-z ]+ \d+")  # the beginning of a file, which keeps its words
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def replaced():
    """{word not to use: word to use} of the table in CONTRIBUTING.md."""
    rows = [
        line.strip("| ").split(" | ") for line in GLOSSARY.read_text().partition(HEADING)[2].splitlines() if "|" in line
    ]
    return {word: use for use, words, _ in rows[2:] for word in words.split(", ")}


def documents():
    """(place, text) of each document, without code and without the table itself."""
    for path in sorted([*ROOT.glob("*.md"), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.md"))]):
        text = path.read_text(encoding="utf-8")
        yield path.relative_to(ROOT).as_posix(), CODE.sub("", text.partition(HEADING)[0] if path == GLOSSARY else text)


def messages(source):
    """(line, text) of the strings in a module that have more than one word: messages and help, but no docstrings."""
    tree = ast.parse(source)
    skipped = {
        id(statement.value)
        for node in ast.walk(tree)
        if isinstance(node, DOCUMENTED)
        for statement in node.body
        if isinstance(statement, ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            if id(node) not in skipped and not SIGNATURE.fullmatch(node.value):
                yield node.lineno, node.value


def quoted(script):
    """The strings in JavaScript that have more than one word, a line each."""
    return "\n".join(match[0] for match in QUOTED.finditer(COMMENT.sub("", script)) if " " in match[0])


def texts():
    """(place, text) of all texts in the scope."""
    yield from documents()
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for line, text in messages(path.read_text(encoding="utf-8")):
                yield f"{path.relative_to(ROOT)}:{line}", text
        for path in sorted([*(ROOT / folder).rglob("*.html"), *(ROOT / folder).rglob("*.js")]):
            text = path.read_text(encoding="utf-8")
            yield path.relative_to(ROOT).as_posix(), text if path.suffix == ".html" else quoted(text)


@pytest.fixture(scope="module")
def scope():
    return list(texts())


def found(texts, word):
    """The places whose texts have a word."""
    pattern = re.compile(r"(?<![\w-])" + word.replace(" ", r"\s+") + r"(?![\w-])", re.I)
    return [place for place, text in texts if pattern.search(text)]


def test_scope_has_documents_messages_and_pages(scope):
    places = [place for place, _ in scope]
    assert {"README.md", ".github/CHANGELOG.md"} <= set(places)
    assert sum(".py:" in place for place in places) > 1000 and {".html", ".js"} <= {
        Path(place).suffix for place in places
    }


@pytest.mark.parametrize("word, use", replaced().items())
def test_replaced_word_does_not_come_back(word, use, scope):
    assert found(scope, word) == [], f"use '{use}'"


def test_replaced_words_are_found_in_prose_and_messages_only():
    source = '"""A checkout."""\nprint(f"a  far\\nrow {1}")\nMAGIC = "pawnstorm repertoire 1"\n'
    assert found(messages(source), "far row") == [2]
    assert not found(messages(source), "checkout") and not found(messages(source), "repertoire")
    assert quoted("judge(x); // a 'far row'\nshow('Your far row');") == "'Your far row'"
    assert CODE.sub("", "a `checkout`,\n\n    git checkout x\n\nand a clone\n") == "a ,\n\n\nand a clone\n"
