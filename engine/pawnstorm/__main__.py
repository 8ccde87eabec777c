"""`python -m pawnstorm` starts the command line of pawnstorm_protocol, which no other module of this package imports."""

from pawnstorm_protocol.main import main

if __name__ == "__main__":
    main()
