"""The evaluation's weights and networks, and the code that reads them."""
