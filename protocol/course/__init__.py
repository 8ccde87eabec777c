"""The Two Flags course's protocol over TCP: `pawnstorm course --connect` plays, `--serve` holds games and tournaments.

    wire       bytes -> lines                    messages   text -> what it says, and back
    dialects   the ways in which servers speak   account    a game as a client believes it to stand
    client     plays with our engine             agent      the server's side of one conversation
    contest    the games of two players          server     lets agents in, two by two
"""
