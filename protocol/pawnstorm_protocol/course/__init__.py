"""The Two Flags course's protocol over TCP. `pawnstorm course --connect` plays at a server, `--serve` is one.

For both:     messages       bytes -> lines, and a line -> what it says, and back
              dialects       the ways in which servers speak, by name
              move_log       reads the logs of the course's own server
              arguments      the words of the command line
              command        runs what they ask for
The client:   session        the connection, the engine and the clock
              client         what is heard and said, without any of these
              client_board   the game as the client believes it to stand
The server:   server         lets agents in and pairs them
              contest        the games of two players: rules, clocks, results
              agent          a player at a connection
              opponent       a UCI engine as a player
"""
