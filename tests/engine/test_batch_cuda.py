"""A batch on a GPU equals the one on the CPU: simulated step by step, compiled to machine code, called as Numba does.

These tests need no GPU; ``bench.gpu.batch`` runs on one.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import quatuor
from quatuor.engine import batch_cuda
from quatuor.engine.batch_cuda import BY_ROW, KERNELS, Cuda, compiled
from quatuor.engine.batch_kernels import Games, StepRules, forms
from quatuor.games import names, rulebook
from quatuor.kernel import device
from quatuor.kernel.cuda import HOPPER
from tests.engine import simulate_batch
from tests.kernel.ptx import kept_ptx

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("name", names())
def test_every_array_equals_the_cpus_in_every_step(name):
    process = subprocess.run(
        [sys.executable, "-m", "tests.engine.simulate_batch", name],
        cwd=ROOT,
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    stories = json.loads(process.stdout)
    assert list(stories) == [variant.name for variant in rulebook(name).variants]
    for variant, story in stories.items():
        expected = simulate_batch.story(name, variant, "cpu")
        assert len(expected) == simulate_batch.STEPS + 1
        assert "cannot play action" in expected[-1]
        assert story == expected, variant


class OnTheGpu:
    """A NumPy array with the attributes of an array on a GPU."""

    def __init__(self, array):
        self.__cuda_array_interface__ = array.__array_interface__


@pytest.mark.parametrize("name", names())
def test_every_kernel_becomes_machine_code_once_and_takes_the_words_it_is_given(name, tmp_path, monkeypatch):
    texts = []

    def noted(*how):
        made = kept_ptx(*how)
        texts.append(made.text)
        return made

    monkeypatch.setattr("quatuor.kernel.cuda.cache_folder", lambda: tmp_path)
    monkeypatch.setattr("quatuor.kernel.cuda.compile_ptx", noted)
    monkeypatch.setattr(batch_cuda, "_codes", {})
    codes = compiled(rulebook(name), HOPPER)
    assert tuple(codes) == KERNELS
    for kernel, code in codes.items():
        assert code.startswith(b"\x7fELF")
        assert f"{kernel}_each_{name}".encode() in code
    monkeypatch.setattr(batch_cuda, "_codes", {})
    monkeypatch.setattr("quatuor.kernel.cuda.compile_ptx", None)  # cached machine code is not compiled again
    assert compiled(rulebook(name), HOPPER) == codes

    arrays = Games(
        *(
            OnTheGpu(np.zeros(shape, kind, order="C" if array in BY_ROW else "F"))
            for array, (shape, kind) in forms(quatuor.new(name), 3, 4, look=True).items()
        )
    )
    actions, some = OnTheGpu(np.zeros((3, 2), np.int64)), OnTheGpu(np.zeros(1, np.int64))
    given = {
        "restart": (some, arrays),
        "refresh": (4, arrays),
        "step": (actions, StepRules(2, 4, 1), some, arrays),
        "draw": (actions, arrays.moves, arrays.counts, arrays.rngs),
        "first_illegal": (actions, some, arrays.active, arrays.counts, arrays.mask),
    }
    backend = SimpleNamespace(_kept={id(array): (array, device.array_words(array)) for array in arrays})
    for kernel, text in zip(KERNELS, texts, strict=True):
        taken = re.findall(rf"\.param \.(\w+) {kernel}_each_{name}_param_\d+", text)
        assert set(taken) == {"u64"}  # words of 8 bytes, one after the other
        assert len(taken) == sum(len(list(Cuda._words(backend, argument))) for argument in given[kernel])


@pytest.mark.parametrize("order", ["C", "F"])
def test_an_array_is_described_as_numba_expects_it(order):
    array = np.zeros((4, 3, 2), np.int8, order=order)
    assert device.array_words(OnTheGpu(array)) == [0, 0, 24, 1, array.ctypes.data, 4, 3, 2, *array.strides]


def test_missing_packages_are_named(monkeypatch):
    with pytest.raises(ValueError, match="device='gpu': choose cpu or cuda"):
        quatuor.batch("plus4", 2, device="gpu")
    with pytest.raises(ValueError, match="threads=2 is for the CPU"):
        quatuor.batch("plus4", 2, device="cuda", threads=2)
    monkeypatch.setattr(device, "LIBRARIES", ())
    with pytest.raises(ImportError, match="needs PyTorch or CuPy"):
        quatuor.batch("plus4", 2, device="cuda")


def test_without_numba_the_extra_is_named(monkeypatch):
    monkeypatch.setattr(batch_cuda, "_codes", {})
    monkeypatch.setitem(sys.modules, "quatuor.kernel.cuda", None)  # as if the import failed
    with pytest.raises(ImportError, match=r"pip install 'quatuor\[cuda\]'"):
        compiled(rulebook("plus4"), HOPPER)


@pytest.mark.parametrize(
    ("name", "module"),
    [("torch", SimpleNamespace(cuda=SimpleNamespace(is_available=bool))), ("cupy", SimpleNamespace(is_available=bool))],
)
def test_without_a_gpu_the_library_says_so(monkeypatch, name, module):
    for other in device.LIBRARIES:
        monkeypatch.delitem(sys.modules, other, raising=False)
    monkeypatch.setitem(sys.modules, name, module)  # neither library is among the packages for tests
    with pytest.raises(RuntimeError, match="finds no NVIDIA GPU"):
        quatuor.batch("plus4", 2, device="cuda")


def test_actions_elsewhere_or_of_another_type_are_refused():
    backend = Cuda.__new__(Cuda)
    backend._library = SimpleNamespace(wrap=lambda array: array)
    with pytest.raises(ValueError, match="actions in a ndarray: give an array that lies on the GPU"):
        backend.take(np.zeros(3, np.int64))
    narrow = OnTheGpu(np.zeros(3, np.int32))
    narrow.dtype = np.dtype(np.int32)
    with pytest.raises(ValueError, match="int32: give int64"):
        backend.take(narrow)
