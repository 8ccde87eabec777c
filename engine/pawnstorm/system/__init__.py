"""What the engine needs of the operating system, a module for each concern; protocol/pawnstorm_protocol/system/ holds
what programs need.

clock    the time, and timers that end in time
pages    the memory of large tables, and how much the machine has
files    locks, owners and replacement of files
textfile text files, read as a whole
cache    machine code that is kept in the user's cache
threads  how threads are started, and the size of their stacks
signals  interrupts: once, later, or not at all
console  what a Windows console needs; nothing elsewhere
win32    functions of Windows that Python does not offer

Where systems differ, the branch is in one of these modules. Everything said of Windows was tested under Wine only.
"""

import sys

WINDOWS = sys.platform == "win32"
