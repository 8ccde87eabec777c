"""Make the documents as web pages: `python scripts/docs.py --out DIR`; -h lists the flags.

Each document of the repository becomes a page, and the docstrings of `import pawnstorm` another. Beside them is the
report of a short match, DIR/report/index.html. The pages need no network.
"""

__extra__ = "dev,docs"

from pawnstorm_tools import startup  # first, before what takes long to import

# isort: split
import sys
from pathlib import Path

from pawnstorm_protocol import cli
from pawnstorm_tools.releasing.documents import DocumentsError
from pawnstorm_tools.releasing.documents.build import build
from pawnstorm_tools.releasing.documents.sample import sample_report


def parse(argv):
    parser = cli.Parser(description="The documents as web pages, and the report of a short match.")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where to write them; made if missing")
    return parser.parse_args(argv)


@startup.program(DocumentsError)
def main(argv):
    args = parse(argv)
    build(args.out)
    sample_report(args.out / "report" / "index.html")
    print(f"{args.out / 'index.html'}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
