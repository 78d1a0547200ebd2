"""What `import canter` brings along."""

import subprocess
import sys

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
