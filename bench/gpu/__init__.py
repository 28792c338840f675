"""Random games on a GPU, measured and compared game by game with the CPU.

1. ``python -m bench.gpu.prepare FOLDER`` here, where Quatuor is installed and no GPU is needed, compiles every game and
   plays the first games of every variant on the CPU.
2. ``python run.py FOLDER`` there, where the GPU is: run.py and FOLDER are all it takes, with NumPy and CuPy.
"""
