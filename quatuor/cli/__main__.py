"""``python -m quatuor.cli``: the command line where the command itself is not installed."""

from quatuor.cli import main

main()
