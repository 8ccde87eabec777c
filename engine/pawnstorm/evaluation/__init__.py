"""What the evaluation knows: weights and networks, and how they are read."""
