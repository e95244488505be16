"""The contract of a ranker: how natural texts are as language, so that wrong variants are wrong in nothing else."""
