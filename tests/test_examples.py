"""The example that trains a network learns, in a short form."""

import subprocess
import sys
from pathlib import Path

import numpy as np

from examples.train_plus4 import Exam

ROOT = Path(__file__).parent.parent
SHORT = "--rounds 4 --games 128 --simulations 16 --turns 16 --width 64 --steps 60 --batch 256 --exam 200"


def test_a_few_rounds_of_self_play_lower_the_loss(tmp_path: Path) -> None:
    file = tmp_path / "net.npz"
    command = [sys.executable, "examples/train_plus4.py", *SHORT.split(), "--exam_simulations", "32"]
    done = subprocess.run([*command, "--save", str(file)], cwd=ROOT, capture_output=True, text=True, check=True)
    _, first, *_, last, opening = done.stdout.splitlines()
    (_, _, alone, searched), (played, _, better, found) = first.split(), last.split()
    assert played == "8,192"
    assert float(better) < 0.7 * float(alone)
    assert float(found) < float(searched)
    assert opening.rsplit(" ", 1)[1] in "abcd"
    assert next(iter(np.load(file).values())).shape == (32, 64)


def test_the_exam_is_exact() -> None:
    exam = Exam(100)
    assert exam.loss(exam.worth.argmax(axis=1)) == 0
    worst = np.where(np.isinf(exam.worth), np.inf, exam.worth).argmin(axis=1)
    assert exam.loss(worst) >= 1
    assert (exam.games.mask[np.arange(len(worst)), worst] == 1).all()
