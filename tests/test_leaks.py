"""A call that is repeated keeps no memory: neither Python's blocks nor bytes of the core."""

import gc
import sys
import tracemalloc

import pytest

from public_calls import public_calls

CALLS = public_calls()
ROUNDS, REPEATS = 4, 40


def held() -> tuple[int, int]:
    gc.collect()
    return sys.getallocatedblocks(), tracemalloc.get_traced_memory()[0]


@pytest.fixture
def traced():
    tracemalloc.start(1)
    yield
    tracemalloc.stop()


@pytest.mark.parametrize("name", CALLS)
def test_a_repeated_call_keeps_no_memory(name, traced):
    call = CALLS[name]
    for _ in range(REPEATS):  # fills caches and free lists
        call()
    samples = []
    for _ in range(ROUNDS):
        for _ in range(REPEATS):
            call()
        samples.append(held())
    # A leak is at least a block, or a few bytes, a call; less is the interpreter's, or the samples themselves.
    calls = (ROUNDS - 1) * REPEATS
    blocks, size = ((after - before) / calls for before, after in zip(samples[0], samples[-1], strict=True))
    assert blocks < 0.5, f"{blocks:.1f} blocks stay of every call"
    assert size < 8, f"{size:.0f} bytes stay of every call"
