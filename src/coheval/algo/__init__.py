"""Arrays in, arrays out: the mathematics, which knows nothing of metrics or models."""
