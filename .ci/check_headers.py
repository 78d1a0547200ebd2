"""The core's includes against the drawing in csrc/core/README.md, and each header on its own.

A concept is a file name without its ending; a source without a header of its name, say `clip_sample.c`, belongs to the longest name that
begins it (`clip`). The drawing is the first fenced block of the README, one `concept -> what it includes` a line, and what a line names
must stand further down: so there are no circles.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CORE, BINDING = ROOT / "csrc" / "core", ROOT / "csrc" / "binding"
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)
DRAWING = re.compile(r"```\n(.*?)```", re.DOTALL)


# Headers that the files of one concept share, and sources that don't begin with its name.
PARTS = {
    "kernels_levels": "kernels",
    "bvh_reader": "bvh",
    "bvh_writer": "bvh",
    "bvh_angles": "bvh",
    "clip_tips": "clip_edit",
    "root_joint": "root_motion",
}


def concept(name: str) -> str:
    stem = Path(name).stem
    if stem in PARTS:
        return PARTS[stem]
    names = {path.stem for path in CORE.iterdir() if path.suffix == ".h"} - PARTS.keys() | {"wide"}
    if stem in names or stem.endswith("_kernels"):
        return stem
    return max((other for other in names if stem.startswith(f"{other}_")), key=len, default=stem)


def files(*folders: Path) -> list[Path]:
    return sorted(path for folder in folders for path in folder.iterdir() if path.suffix in (".c", ".h", ".inc"))


def included() -> dict[str, set[str]]:
    graph: dict[str, set[str]] = {}
    for path in files(CORE):
        below = graph.setdefault(concept(path.name), set())
        for name in INCLUDE.findall(path.read_text()):
            if (CORE / name).exists() and concept(name) != concept(path.name):
                below.add(concept(name))
    return graph


def drawn() -> dict[str, list[str]]:
    block = DRAWING.search((CORE / "README.md").read_text())
    assert block, "csrc/core/README.md has no drawing"
    lines = [line.partition("->") for line in block[1].splitlines() if line.strip()]
    return {name.strip(): below.split() for name, _, below in lines}


def drawing_problems() -> list[str]:
    graph, drawing = included(), drawn()
    order = list(drawing)
    problems = [f"{name} is in the core but not in the drawing" for name in sorted(graph.keys() - drawing.keys())]
    problems += [f"{name} is in the drawing but not in the core" for name in sorted(drawing.keys() - graph.keys())]
    for name in drawing.keys() & graph.keys():
        above = order[: order.index(name)]
        problems += [f"{name} includes {other}, which the drawing lacks" for other in sorted(graph[name] - set(drawing[name]))]
        problems += [f"{name} does not include {other}, as drawn" for other in sorted(set(drawing[name]) - graph[name])]
        problems += [f"{other} must stand below {name}" for other in drawing[name] if other in above]
    return problems


def description_problems() -> list[str]:
    """Every concept has a line in the README's table; `*_kernels` describes many."""
    patterns = re.findall(r"^\| `([\w*]+)` \|", (CORE / "README.md").read_text(), re.MULTILINE)
    return [f"{name} has no line in the table" for name in sorted(included()) if not any(fnmatch(name, pattern) for pattern in patterns)]


def boundary_problems() -> list[str]:
    """The core knows neither Python nor the binding."""
    foreign = {"Python.h", *(path.name for path in files(BINDING))}
    problems = []
    for path in files(CORE):
        for name in INCLUDE.findall(path.read_text()):
            if name in foreign or name.startswith("numpy/"):
                problems.append(f"{path.name} includes {name}: the core must not know Python or the binding")
    return problems


def name_problems() -> list[str]:
    counts = Counter(path.name for path in files(CORE, BINDING, ROOT / "csrc" / "tests"))
    return [f"{name} is the name of {count} files" for name, count in counts.items() if count > 1]


def alone_problems() -> list[str]:
    problems = []
    for path in files(CORE):
        if path.suffix != ".h":
            continue
        command = ["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c", "-I", str(CORE), "-"]
        # Twice: the include guard is part of standing alone.
        text = f'#include "{path.name}"\n' * 2
        result = subprocess.run(command, input=text, text=True, capture_output=True)
        if result.returncode != 0:
            problems.append(f"{path.name} does not compile alone:\n{result.stderr}")
    return problems


def draw() -> str:
    """The drawing as the code has it, users above what they use."""
    graph, lines = included(), list[str]()
    while graph:
        used = {other for below in graph.values() for other in below}
        free = sorted(name for name in graph if name not in used)
        if not free:
            return "in a circle: " + ", ".join(sorted(graph))
        lines += [f"{name:<20} -> {' '.join(sorted(graph.pop(name)))}".rstrip(" ->") for name in free]
    return "\n".join(lines)


if __name__ == "__main__":
    if sys.argv[1:] == ["--draw"]:
        readme = CORE / "README.md"
        readme.write_text(DRAWING.sub(f"```\n{draw()}\n```", readme.read_text(), count=1))
        sys.exit()
    problems = drawing_problems() + description_problems() + boundary_problems() + name_problems() + alone_problems()
    if problems:
        sys.exit("\n".join([*problems, "(python3 .ci/check_headers.py --draw draws it as the code has it)"]))
