"""Runs the README's shell blocks (```sh) in order, in a fresh copy of the checkout, as a newcomer would.

Commands that are not for a newcomer stand in ```console blocks, which are left alone.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COPY = ROOT / "build" / "ci" / "readme" / "canter"


def copy_checkout() -> None:
    shutil.rmtree(COPY, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (COPY / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, COPY / name)


if __name__ == "__main__":
    blocks = re.findall(r"^```sh\n(.*?)^```", (ROOT / "README.md").read_text(), re.DOTALL | re.MULTILINE)
    if not any("pytest" in block for block in blocks):
        sys.exit("README.md has no ```sh block that runs pytest")
    copy_checkout()
    environment = {"CANTER_SHARED": str(ROOT.parent / "shared")} | os.environ
    for block in blocks:
        print(block, flush=True)
        subprocess.run(["bash", "-euxo", "pipefail", "-c", block], cwd=COPY, env=environment, check=True)
