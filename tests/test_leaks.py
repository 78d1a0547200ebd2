"""A call that is repeated keeps no memory: neither Python's blocks nor bytes of the core."""

import gc
import sys
import tracemalloc

import numpy as np
import pytest

from public_calls import public_calls

pytestmark = pytest.mark.slow  # once, on an ordinary build: a sanitizer's allocator keeps more than the calls do

CALLS = public_calls()
WARM_UP, ROUNDS, REPEATS, ATTEMPTS = 50, 5, 80, 5


def held() -> tuple[int, int]:
    gc.collect()
    return sys.getallocatedblocks(), tracemalloc.get_traced_memory()[0]


@pytest.fixture(scope="module")
def frozen():
    """Collections look at what the calls make and not, again and again, at all that was imported."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture
def traced(frozen):
    tracemalloc.start(1)
    yield
    tracemalloc.stop()


@pytest.mark.parametrize("name", CALLS)
def test_a_repeated_call_keeps_no_memory(name, traced):
    call = CALLS[name]
    for _ in range(WARM_UP):  # caches and free lists fill
        call()
    # A leak shows in every round, however many there are; a cache that still grows, as NumPy's of small blocks does, is full some day.
    for _ in range(ATTEMPTS):
        samples = []
        for _ in range(ROUNDS):
            for _ in range(REPEATS):
                call()
            samples.append(held())
        blocks, size = (min(np.diff(column)) / REPEATS for column in zip(*samples, strict=True))
        if blocks < 0.5 and size < 16:
            return
    pytest.fail(f"{blocks:.1f} blocks and {size:.0f} bytes stay of every call")
