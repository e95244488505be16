"""The parts of the discourse parser `rst`: what it sees of a text, its network, and how a tree is found."""
