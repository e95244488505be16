"""`python -m coheval` is the `coheval` command."""

from coheval.cli import main

main()
