"""What `import canter` brings along."""

import subprocess
import sys
from importlib.metadata import version
from types import ModuleType

import pytest

import canter as ct

SCRIPT = """
import sys
before = set(sys.modules)  # site may load other packages
import canter
new = {name.partition(".")[0] for name in set(sys.modules) - before}
print(*sorted(new - set(sys.stdlib_module_names) - {"canter", "numpy"}))
"""


def test_import_needs_numpy_and_the_standard_library_alone():
    result = subprocess.run([sys.executable, "-c", SCRIPT], check=True, capture_output=True, text=True)
    assert result.stdout.split() == []


def canter_modules(after: str) -> list[str]:
    script = f"import sys, canter; {after}; print(*(name for name in sys.modules if name.startswith('canter.')))"
    return subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True).stdout.split()


def test_examples_metrics_and_plots_are_loaded_when_asked_for():
    assert not {
        name
        for name in canter_modules("pass")
        if name.startswith(("canter.examples", "canter.metrics", "canter.plot", "canter.player", "canter.html"))
    }
    assert "canter.examples.locomotion" in canter_modules("canter.examples.walk")
    assert "canter.plot.bones" in canter_modules("canter.plot.skeleton")
    assert "canter.metrics.slide" in canter_modules("canter.metrics.foot_slide")
    assert not {name for name in canter_modules("canter.metrics.foot_slide") if name.startswith(("canter.plot", "canter.player"))}


@pytest.mark.parametrize("module", [ct, ct.quat, ct.plot, ct.examples, ct.metrics], ids=lambda module: module.__name__)
def test_what_completes_is_what_is_public(module: ModuleType):
    assert dir(module) == sorted(module.__all__)


def test_the_package_knows_its_version():
    assert ct.__version__ == version("canter")
