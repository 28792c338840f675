"""``python -m quatuor``: the command line."""

from quatuor.cli import main

main()
