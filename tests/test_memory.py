"""When memory runs out a call raises MemoryError and harms nothing."""

import pytest

from public_calls import public_calls

_testcapi = pytest.importorskip("_testcapi", reason="only Python's _testcapi makes allocations fail", exc_type=ImportError)

# canter.quat, the examples and metrics allocate through NumPy, too, files go through Python's own file objects, and Clip.view makes text.
# Failing allocations are not taken everywhere there (np.cos of a number crashes). The C below files and metrics is called as canter._core.
PYTHON = ("canter.quat.", "canter.examples.", "canter.metrics.", "canter.load", "canter.save", "canter.Clip.view")
CALLS = {name: call for name, call in public_calls().items() if not name.startswith(PYTHON)}
MOST_ALLOCATIONS = 5000


def succeeds(call, first, last):
    """Runs the call while allocations first + 1 to last fail (to the end when last is 0); whether it succeeded all the same."""
    _testcapi.set_nomemory(first, last)
    try:
        call()
    except MemoryError:
        return False
    except SystemError as error:
        # Not canter's: the interpreter without memory to unwind a frame, and NumPy's machinery around ufuncs (np.vecdot does it too). A C
        # function of canter that forgets its exception reads "<built-in method ...> returned NULL without setting an exception".
        if str(error) != "error return without exception set" and not str(error).startswith("<ufunc "):
            raise
        return False
    finally:
        _testcapi.remove_mem_hooks()
    return True


@pytest.mark.parametrize("name", CALLS)
def test_every_allocation_may_fail(name):
    call = CALLS[name]
    call()
    count = next(n for n in range(MOST_ALLOCATIONS) if succeeds(call, n, 0))
    for n in range(count):
        succeeds(call, n, n + 1)
    call()
