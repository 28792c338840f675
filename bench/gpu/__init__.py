"""Random games and batches on a GPU, measured and compared with the CPU.

1. ``python -m bench.gpu.prepare FOLDER`` here, where Quatuor is installed and no GPU is needed, compiles every game and
   plays the first games and steps of every variant on the CPU.
2. On the machine with the GPU: ``python run.py FOLDER`` plays random games; it needs run.py and FOLDER, with NumPy
   and CuPy. ``python -m bench.gpu.batch FOLDER`` steps batches; it needs this repository, NumPy and PyTorch.
"""
