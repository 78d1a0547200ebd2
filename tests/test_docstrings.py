"""The examples in docstrings and in the README give what they say."""

import doctest

import numpy as np
import pytest

import canter as ct
from conftest import ROOT
from public_names import public_objects

OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def check(text, name, folder, monkeypatch):
    monkeypatch.chdir(folder)  # an example may write files
    test = doctest.DocTestParser().get_doctest(text, {"ct": ct, "np": np}, name, name, 0)
    output: list[str] = []
    result = doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=output.append)
    assert result.failed == 0, "".join(output)


DOCUMENTED = {name: value.__doc__ for name, value in public_objects().items() if ">>>" in (getattr(value, "__doc__", None) or "")}


@pytest.mark.parametrize("name", DOCUMENTED)
def test_docstring_example_holds(name, tmp_path, monkeypatch):
    check(DOCUMENTED[name], name, tmp_path, monkeypatch)


def test_readme_examples_hold(tmp_path, monkeypatch):
    check((ROOT / "README.md").read_text().replace("\n```", "\n\n```"), "README.md", tmp_path, monkeypatch)
