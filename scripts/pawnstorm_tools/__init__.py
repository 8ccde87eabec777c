"""The code of the programs in scripts/, one package for each subject.

In a clone, it imports the engine and the protocols of the clone, even if others are installed.
"""

import os
import sys

_checkout = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
if os.path.isdir(os.path.join(_checkout, "engine", "pawnstorm")):
    sys.path[:0] = [os.path.join(_checkout, folder) for folder in ("engine", "protocol")]
