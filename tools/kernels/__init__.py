"""The build of the libraries: ``python -m tools.kernels``. docs/everywhere.md describes it."""
