"""Covered lines of the core, the binding and Python after one pass of pytest, against the floors. Usage: check_coverage.py FOLDER"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Per cent of lines. Raise them when more is covered; never lower them to let a change in.
FLOORS = {"core": 93.5, "binding": 98.0, "python": 97.0}


def c_percent(objects: Path, folder: str) -> float:
    report = objects / f"{folder}.json"
    gcovr = [sys.executable, "-m", "gcovr", "--root", ".", "--object-directory", str(objects), "--filter", f"csrc/{folder}/"]
    gcovr += ["--gcov-ignore-parse-errors=negative_hits.warn", "--txt", "-", "--json-summary", str(report), str(objects)]
    subprocess.run(gcovr, cwd=ROOT, check=True)
    return float(json.loads(report.read_text())["line_percent"])


def python_percent(folder: Path) -> float:
    report = folder / "python.json"
    subprocess.run([sys.executable, "-m", "coverage", "report", "--show-missing"], cwd=ROOT, check=True)
    subprocess.run([sys.executable, "-m", "coverage", "json", "-q", "-o", str(report)], cwd=ROOT, check=True)
    return float(json.loads(report.read_text())["totals"]["percent_covered"])


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    found = {"core": c_percent(folder, "core"), "binding": c_percent(folder, "binding"), "python": python_percent(folder)}
    low = [f"{name} {found[name]:.1f} % is below its floor of {floor} %" for name, floor in FLOORS.items() if found[name] < floor]
    if low:
        sys.exit("\n".join(low))
    print(", ".join(f"{name} {percent:.1f} %" for name, percent in found.items()))
