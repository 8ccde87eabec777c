"""Code that depends on the operating system, for the protocols and programs. The engine's own is in engine/pawnstorm/system/.

terminal    text and colours that a terminal can show
polling     waits for several sockets and pipes at once; another thread can end the wait
pipes       the pipes of a child process, in a form that polling can wait for
child       a child process that never outlives this program
appendfile  files, devices and pipes that are only appended to
"""
