"""Layout of a line book in memory (engine/pawnstorm/kernels/line_book.py): indices of its words, constants of its range coder."""

CODE, RANGE, NEXT, END, MASK, LEFT, FAULT = range(7)
MODELS = 8  # the first probability
FLAG_MODELS = 1 << 9  # probabilities of the bit that says whether the book has a move
MOVE_BITS = 7  # of a move's number
SLOTS = MODELS + FLAG_MODELS + (4 << MOVE_BITS)  # the first slot of the table
PROBABILITY_BITS = 16
HALF = 1 << PROBABILITY_BITS - 1
RATE = 6  # log2 of the part by which a bit moves its probability
LEAST_RANGE = 1 << 24
LISTED = 1 << 20  # in the word about a position, this bit says that the table has the position
