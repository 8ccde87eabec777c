"""What programs need of the operating system, and what a port to another one has to look at.

signals      interrupts: once, later, or not at all
appendfile   files that are only added to, also devices and pipes
textfile     files that are read as a whole
terminal     text and colours that a terminal can show
"""
