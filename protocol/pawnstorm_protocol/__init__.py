"""How others talk to the engine: UCI, a terminal, and the Two Flags course's protocol. protocol/*.md describe them."""
