"""Random games and batches on a GPU, measured and compared with the CPU.

1. ``python -m bench.gpu.prepare FOLDER`` here, where Quatuor is installed and no GPU is needed, compiles every game and
   plays the first games and steps of every variant on the CPU.
2. There, where the GPU is: ``python run.py FOLDER`` plays random games; run.py and FOLDER are all it takes, with NumPy
   and CuPy. ``python -m bench.gpu.batch FOLDER`` steps batches; it takes this repository, NumPy and PyTorch.
"""
