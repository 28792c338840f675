"""The conformance checks: each bundled game and variant passes them."""

import functools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from numba import types

from quatuor.engine.conformance import CHECKS, check, run_check
from quatuor.engine.conformance.samples import Sample, samples
from quatuor.games import NAMES, rulebook
from tests.seeded import fingerprint

CASES = [(name, variant.name) for name in NAMES for variant in rulebook(name).variants]
every_game = pytest.mark.parametrize("name", NAMES)


@functools.cache
def games(name: str, variant: str) -> list[Sample]:
    return [sample for sample in samples(rulebook(name), games=2) if sample.variant.name == variant]


@pytest.mark.parametrize("one", CHECKS, ids=lambda one: one.name)
@pytest.mark.parametrize(("name", "variant"), CASES)
def test_keeps_the_contract(name, variant, one):
    assert [problem.text for sample in games(name, variant) for problem in run_check(one, sample)] == []


def test_a_report_says_what_was_checked():
    report = check(rulebook("plus4"), games=1)
    assert report.checks == tuple(one.name for one in CHECKS)
    assert report.data() == {"game": "plus4", "passed": True, "checks": list(report.checks), "problems": []}


@every_game
def test_a_bundled_game_declares_its_clauses_and_its_cover(name):
    book = rulebook(name)
    assert book.clause_prefix
    assert book.endings
    assert book.cover is not None
    assert book.title.languages == ("en", "fr", "de")


# ---- the kernel


def in_a_process(name, **settings):
    """The fingerprints of ``tests.seeded``, made by a process with other compiler settings."""
    root = Path(__file__).parent.parent
    command = [sys.executable, "-W", "error::RuntimeWarning", "-m", "tests.seeded", name]
    done = subprocess.run(command, env=os.environ | settings, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def here(name):
    return [fingerprint(name, variant.name, seed) for variant in rulebook(name).variants for seed in (1, 2)]


@pytest.mark.slow
@every_game
def test_interpreted_where_no_index_may_leave_its_array_equals_compiled(name):
    assert in_a_process(name, NUMBA_DISABLE_JIT="1") == here(name)


@pytest.mark.slow
@every_game
def test_no_rule_is_compiled_for_two_kinds_of_arrays(name):
    assert in_a_process(name, QUATUOR_KERNELS="jit") == here(name)  # from a library, where one is built
    rules = {rule: getattr(value, "dispatcher", value) for rule, value in vars(rulebook(name).rules).items()}
    kept = {rule: kinds(value) for rule, value in rules.items() if hasattr(value, "signatures")}
    assert all(kept[rule] for rule in ("setup", "legal", "play", "outcome"))
    assert {rule: arrays for rule, arrays in kept.items() if len(arrays) > 1} == {}


def kinds(kernel):
    """The kinds of arrays for which the cache has machine code of any process."""
    index = kernel._cache._cache_file._load_index()  # Numba has no public API for this
    return {tuple(str(kind) for kind in signature[0] if isinstance(kind, types.Array)) for signature in index}
