"""The referee: plays matches between UCI engines and judges every move by engine/'s rules.

Programs in scripts/ import this package first: it is the one place that makes a checkout's own engine/ importable from there.
POSIX only, since it waits on pipes with poll().
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
if (ROOT / "engine" / "rules.py").exists() and str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))
