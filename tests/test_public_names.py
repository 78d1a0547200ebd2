"""The public names are a promise: a change of them is seen here, in tests/public_names.txt.

After a change that is meant:  python tests/test_public_names.py > tests/public_names.txt
"""

import inspect
from pathlib import Path

import pytest

from public_calls import public_calls
from public_names import public_objects

RECORDED = Path(__file__).with_suffix(".txt").with_name("public_names.txt")
OBJECTS = public_objects()


def test_public_names_are_the_recorded_ones():
    recorded = RECORDED.read_text().split()
    assert sorted(set(recorded) - set(OBJECTS)) == [], "names are gone"
    assert sorted(set(OBJECTS) - set(recorded)) == [], "names are new"


@pytest.mark.parametrize("name", OBJECTS)
def test_public_name_has_a_docstring(name):
    assert (getattr(OBJECTS[name], "__doc__", None) or "").strip()


FUNCTIONS = {name: value for name, value in OBJECTS.items() if inspect.isroutine(value) and not isinstance(value, type)}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_arguments_of_a_public_function_have_names(name):
    """What its signature calls an argument can be given by that name; the parser of the C types lists the names that it takes."""
    parameters = [p for p in inspect.signature(FUNCTIONS[name]).parameters.values() if p.name != "self"]
    assert [p.name for p in parameters if p.kind is p.POSITIONAL_ONLY] == []


def test_every_public_function_has_a_call():
    """So that it is swept for leaks and for memory that runs out."""
    functions = {name for name, value in OBJECTS.items() if callable(value) and not name.startswith("canter.plot.")}
    not_called = {"canter.CanterWarning", "canter.PoseVelocity"}  # made by the package alone
    assert sorted(functions - not_called - {name.split()[0] for name in public_calls()}) == []


if __name__ == "__main__":
    print("\n".join(OBJECTS))
