"""What the engine needs from the operating system, with a module for each concern.

protocol/pawnstorm_protocol/system/ holds what the programs need.

clock    the time, and timers that end on time
pages    memory for large tables, and the size of the machine's memory
files    locks, owners and replacement of files
textfile text files, read as a whole
cache    machine code in the user's cache
threads  starting threads, and the size of their stacks
signals  interrupts: raised once, delayed, or ignored
console  what a Windows console needs; nothing on other systems
win32    functions of Windows that Python does not offer

Where systems differ, the branch is in one of these modules. All statements about Windows were tested only under Wine.
"""

import sys

WINDOWS = sys.platform == "win32"
