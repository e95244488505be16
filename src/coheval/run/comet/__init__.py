"""Training of the estimator behind `comet` and `cometqe`: judged texts in, weights out."""
