"""Instructions of the core's inner loops under callgrind, against csrc/tests/instructions.json. `--record` writes that file anew.

Counts depend on the compiler, so a file recorded with another gcc is not compared, and the last line says so.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RECORDED = ROOT / "csrc" / "tests" / "instructions.json"
BUILD = ROOT / "build" / "ci" / "bench"
TOLERANCE = 0.02


def output(*command: str | Path) -> str:
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True, cwd=ROOT).stdout.strip()


def count(program: Path, case: str, function: str) -> int:
    out = BUILD / f"{case}.callgrind"
    command = ["valgrind", "--tool=callgrind", "--collect-atstart=no", f"--toggle-collect={function}", f"--callgrind-out-file={out}"]
    subprocess.run([*command, str(program), case], check=True, capture_output=True)
    total = re.search(r"^(?:summary|totals): (\d+)", out.read_text(), re.MULTILINE)
    if not total or int(total[1]) == 0:
        sys.exit(f"{case}: {function} never ran; was it inlined or renamed?")
    return int(total[1])


def counts() -> dict[str, int]:
    subprocess.run(["make", "-s", "-C", "csrc/tests", "bench", "CC=gcc", "OPTIMISE=-O3", f"BUILD={BUILD}"], check=True, cwd=ROOT)
    (program,) = BUILD.glob("*/bench_core")
    return {case: count(program, case, function) for case, function in (line.split() for line in output(program).splitlines())}


def compare(recorded: dict[str, int], found: dict[str, int]) -> list[str]:
    problems = [f"{case} is recorded but gone" for case in recorded.keys() - found.keys()]
    for case, now in found.items():
        was = recorded.get(case)
        if was is None:
            problems.append(f"{case} takes {now} instructions and is not recorded")
        elif abs(now / was - 1) > TOLERANCE:
            problems.append(f"{case} takes {now} instructions, {now / was - 1:+.1%} of the {was} recorded")
    return problems


if __name__ == "__main__":
    compiler = output("gcc", "-dumpfullversion") + " " + output("gcc", "-dumpmachine")
    if sys.argv[1:] == ["--record"]:
        RECORDED.write_text(json.dumps({"gcc": compiler, "instructions": counts()}, indent=2) + "\n")
        sys.exit()
    recorded = json.loads(RECORDED.read_text())
    if recorded["gcc"] != compiler:
        sys.exit(print(f"recorded with gcc {recorded['gcc']}, here {compiler}: skipped"))
    problems = compare(recorded["instructions"], counts())
    if problems:
        sys.exit("\n".join([*problems, "(if that is meant: python3 .ci/check_instructions.py --record)"]))
    print(f"{len(recorded['instructions'])} counts within {TOLERANCE:.0%}")
