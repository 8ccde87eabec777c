"""The Two Flags course's protocol over TCP. `pawnstorm course --connect` plays at a server, `--serve` is one.

For both:     messages       splits bytes into lines, reads the messages of a line, and writes messages
              dialects       the forms of the protocol that servers use, by name
              move_log       reads the logs of the course's own server
              arguments      reads the command line
              command        runs the client or the server
The client:   session        has the connection, the engine and the clock
              client         decides what to send, without any of these
              client_board   the game as the client sees it
The server:   server         lets agents in and pairs them
              contest        the games of two players: rules, clocks, results
              agent          a player at the other end of a connection
              opponent       a UCI engine as a player
"""
