"""A client of UCI engines, which run as child processes.

process        EngineProcess: one engine, from its start to its end
info           reads an `info` line
option_faults  finds options, and values of options, that an engine does not have
pump           listens to all players of a game at once, and defines their faults
debuglog       logs every line to and from the engines
"""
