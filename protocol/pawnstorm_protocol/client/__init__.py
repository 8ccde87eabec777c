"""A client of UCI engines, which run as child processes.

process        EngineProcess: one engine, from its start to its end
info           reads an `info` line
option_faults  compares the options to be set with those that an engine has announced
pump           listens to all players of a game at once; their faults
debuglog       a log of every line to and from them
"""
