"""What is measured, with the peer beside it in the same run: ``make bench``."""
