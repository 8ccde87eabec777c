"""The code behind the programs of scripts/, one package for each subject. In a checkout it uses the checkout's own engine
and protocol, whatever is installed.
"""

import os
import sys

_checkout = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
if os.path.isdir(os.path.join(_checkout, "engine", "pawnstorm")):
    sys.path[:0] = [os.path.join(_checkout, folder) for folder in ("engine", "protocol")]
