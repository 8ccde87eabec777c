"""`python -m pawnstorm`: the command line lies with the protocols, which know this package and not the other way round."""

from pawnstorm_protocol.main import main

if __name__ == "__main__":
    main()
