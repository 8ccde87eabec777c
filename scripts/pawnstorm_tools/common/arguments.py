"""Flags of the command line that several programs share."""

import argparse
import os
from pathlib import Path

from pawnstorm_protocol import cli


class _Range(argparse.Action):
    """The argparse action of a flag with two numbers, LEAST and MOST, which become a pair.

    several: whether the flag may be given several times. The value is then a list of pairs.
    """

    def __init__(self, option_strings, dest, several=False, **rest):
        super().__init__(option_strings, dest, nargs=2, type=int, metavar=("LEAST", "MOST"), **rest)
        self.several = several

    def __call__(self, parser, args, values, option_string=None):
        least, most = values
        if not 0 <= least <= most:
            raise argparse.ArgumentError(self, f"{least} {most}: expected LEAST from 0 to MOST")
        before = getattr(args, self.dest)
        earlier = [] if before is self.default else before
        setattr(args, self.dest, [*earlier, (least, most)] if self.several else (least, most))


def add_plies(parser, default, help="random plies", several=False):
    """Add --plies LEAST MOST. several: whether it may be given several times; the default is then a list of pairs."""
    told = " and ".join(f"{least} {most}" for least, most in (default if several else [default]))
    parser.add_argument("--plies", action=_Range, several=several, default=default, help=f"{help} ({told})")


def add_seed(parser):
    """Add --seed N."""
    parser.add_argument("--seed", type=int, default=1, help="the seed of the random moves (%(default)s)")


def add_result(parser, default):
    """Add --result SHARE."""
    parser.add_argument(
        "--result",
        type=cli.fraction,
        default=default,
        help="share of the game's result in the target; the search's score has the rest (%(default)s)",
    )


def add_processes(parser):
    """Add --processes N."""
    parser.add_argument(
        "--processes", type=cli.positive, default=os.cpu_count(), help="how many share the work (%(default)s)"
    )


def add_uci_options(parser, usual, flag="--option"):
    """Add --option NAME=VALUE, or another flag. usual: the options that are set by default, for the help."""
    parser.add_argument(
        flag,
        action="append",
        type=cli.name_value,
        default=[],
        metavar="NAME=VALUE",
        help=f"a UCI option of this engine; may be repeated ({usual})",
    )


def add_solver(parser, hash=1024, table="the solver's table"):
    """Add --hash and --threads."""
    parser.add_argument("--hash", type=cli.positive, default=hash, metavar="MB", help=f"size of {table} (%(default)s)")
    parser.add_argument("--threads", type=cli.positive, default=1, help="threads that search (%(default)s)")


def add_save(parser, what):
    """Add --save, --every and --keep, for check_save() to check. what: what is saved, for the help."""
    parser.add_argument(
        "--save", type=Path, metavar="FILE", help=f"save {what} in FILE during the run; if FILE exists, go on from it"
    )
    parser.add_argument(
        "--every", type=cli.seconds, default=60.0, metavar="SECONDS", help="time between two saves (%(default)s)"
    )
    parser.add_argument(
        "--keep",
        type=cli.positive,
        metavar="MB",
        help="the largest size of the saved file, which keeps the positions that took the most work (64, or a 16th of the table "
        "if that is more)",
    )


def check_save(parser, args):
    """End the program with an error if --keep is given without --save."""
    if args.keep and not args.save:
        parser.error("argument --keep: needs --save FILE")
