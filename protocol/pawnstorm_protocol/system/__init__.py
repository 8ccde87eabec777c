"""What programs need of the operating system, with every branch by platform; engine/pawnstorm/system/ holds what the
engine needs.

terminal    text and colours that a terminal can show
polling     waits for several sockets and pipes at once, and ends such a wait from another thread
pipes       the output of a child process, to be waited for
child       a child process that never outlives this program
appendfile  files that are only added to, also devices and pipes
"""
