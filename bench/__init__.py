"""Measurements of Quatuor and its peers, side by side in the same run: ``make bench``."""
