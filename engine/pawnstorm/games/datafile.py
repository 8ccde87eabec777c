"""Data files that begin with a line of text.

This line names the kind of file and the game, and has numbers that describe the rest:

pawnstorm KIND VERSION GAME NAME N ... check CRC-32
"""

import zlib
from collections import namedtuple

from pawnstorm.system import files

LONGEST = 200  # bytes of a first line


class BadFile(ValueError):
    """A file is of the wrong kind or damaged. The message names the file and says what was expected."""


class Format(namedtuple("Format", "noun magic names")):
    """One kind of file.

    noun    the name of the kind in messages
    magic   the words that its first line begins with
    names   the names of the numbers that follow the game's name in that line; the last number is the checksum
    """

    __slots__ = ()

    def header(self, game, *numbers):
        """The first line, as bytes."""
        words = " ".join(f"{name} {number}" for name, number in zip(self.names, numbers))
        return f"{self.magic} {game} {words}\n".encode()

    def read(self, path, most, game=None):
        """Read a file; returns (game, numbers, rest of the file).

        most(numbers) is the maximum size of the rest in bytes. The rest is not read if it is larger, or if the first line is
        wrong. Raises OSError; BadFile if the file is not a valid file of this kind, or is not of the game `game`.
        """
        try:
            with files.open_regular(path) as file:
                name, numbers = self._parse_header(path, file.readline(LONGEST), game)
                return name, numbers, files.read_rest(file, most(numbers))
        except files.NotRegular:
            raise BadFile(f"{path} is not a regular file: expected a valid {self.noun}") from None
        except files.TooLarge as error:
            raise BadFile(str(error)) from None

    def _parse_header(self, path, line, game):
        """(game, numbers) of a first line. Raises BadFile."""
        words = line.decode("ascii", "replace").split()
        names, numbers = words[4::2], words[5::2]
        if (
            words[:3] != self.magic.split()
            or names != list(self.names)
            or len(numbers) != len(names)
            or not all(number.isdecimal() for number in numbers)
            or game not in (None, words[3])
        ):
            expected = self.header(game or "GAME", *"N" * len(self.names)).decode().rstrip()
            what = f"{self.noun} of {game}" if game else self.noun
            raise BadFile(f"{path} is not a valid {what}: expected a first line '{expected}'")
        return words[3], [int(number) for number in numbers]


def verify(path, data, size, check, expected):
    """Raise BadFile unless the data have this size and checksum. expected: the size, in words for the message."""
    if len(data) != size or zlib.crc32(data) != check:
        raise BadFile(f"{path} is damaged: expected {expected} with the checksum {check}")
