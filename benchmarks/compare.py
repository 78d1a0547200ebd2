"""canter side by side with other packages: the same input, one process, one thread.

    pip install . -r benchmarks/requirements.txt
    python benchmarks/compare.py [CASE ...] [--repeat 7]

Every case runs canter and each rival in turn, several times over, and quotes the median of the ratios of neighbouring runs: load on the
machine that slows one of them slows its neighbour too. A ratio of 5 means that canter took a fifth of the time. Absolute times, and the
table of them at the end, are for orientation and mean nothing on another machine.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

import numpy as np

import canter as ct

FRAMES, JOINTS = 10_000, 31
IMPORT_MILLISECONDS, EXAMPLES_MILLISECONDS = 50, 200
Run = Callable[[], object]


@dataclass
class Case:
    """One row of the table: canter's run, the rivals' runs, and how many times as fast canter should be."""

    name: str
    canter: Run
    rivals: dict[str, Run]
    wanted: float
    notes: list[str] = field(default_factory=list)


def made_up_clip(frames: int = FRAMES, joints: int = JOINTS) -> ct.Clip:
    """Five limbs that wander smoothly: as many joints and digits as a motion-capture take."""
    random = np.random.default_rng(7)
    parents = np.array([-1, *(0 if j % 6 == 1 else j - 1 for j in range(1, joints))])
    offsets = random.uniform(-10, 10, (joints, 3))
    seconds_ = np.arange(frames)[:, None, None] / 120
    rate, phase = random.uniform(0.2, 1.5, (2, joints, 3))
    angles = 0.9 * np.sin(2 * np.pi * (rate * seconds_ + phase))
    translations = np.tile(offsets, (frames, 1, 1))
    t = seconds_[:, 0, 0]
    translations[:, 0] = np.stack([100 * np.sin(t), 90 + np.sin(7 * t), 50 * t], -1)
    tips = [(j, (0.0, 5.0, 0.0)) for j in range(joints) if j not in parents]
    skeleton = ct.Skeleton([f"joint{j}" for j in range(joints)], parents, offsets, tips=tips)
    return ct.Clip(skeleton, ct.quat.from_euler(angles, "ZXY"), translations, fps=120)


def load_cases(path: Path) -> list[Case]:
    import pybvh
    from pymotion.io.bvh import BVH

    lines = path.read_text().splitlines()
    rows = path.with_suffix(".txt")
    rows.write_text("\n".join(lines[next(i for i, line in enumerate(lines) if line.startswith("Frame Time")) + 1 :]))

    tracemalloc.start()
    clip = ct.load_bvh(path)
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    arrays = clip.rotations.nbytes + clip.translations.nbytes
    note = f"peak of allocations: {peak / arrays:.2f} x the public arrays, {peak / kept:.2f} x what is kept"

    rivals: dict[str, Run] = {"pybvh": lambda: pybvh.read_bvh_file(path), "pymotion": lambda: BVH().load(str(path))}
    return [
        Case("load BVH", lambda: ct.load_bvh(path), rivals, 5, [note]),
        Case("load BVH (against the numbers alone)", lambda: ct.load_bvh(path), {"numpy.loadtxt": lambda: np.loadtxt(rows)}, 3),
    ]


def write_case(path: Path) -> Case:
    import pybvh
    from pymotion.io.bvh import BVH

    clip, theirs, other = ct.load_bvh(path), pybvh.read_bvh_file(path), BVH()
    other.load(str(path))
    out = path.with_name("written.bvh")
    rivals: dict[str, Run] = {"pybvh": lambda: pybvh.write_bvh_file(theirs, out), "pymotion": lambda: other.save(str(out))}
    return Case("write BVH", lambda: ct.save(clip, out), rivals, 4)


def numpy_loop(parents: np.ndarray, offsets: np.ndarray, root: np.ndarray, local: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Forward kinematics as a careful NumPy user writes it: one pass over joints, components first, so every operation streams."""
    positions = np.empty((len(parents), 3, local.shape[2]), local.dtype)
    rotations = np.empty_like(local)
    for j, p in enumerate(parents):
        if p < 0:
            positions[j], rotations[j] = root, local[j]
            continue
        aw, ax, ay, az = rotations[p]
        bw, bx, by, bz = local[j]
        rotations[j, 0] = aw * bw - ax * bx - ay * by - az * bz
        rotations[j, 1] = aw * bx + ax * bw + ay * bz - az * by
        rotations[j, 2] = aw * by - ax * bz + ay * bw + az * bx
        rotations[j, 3] = aw * bz + ax * by - ay * bx + az * bw
        vx, vy, vz = offsets[j]
        tx, ty, tz = 2 * (ay * vz - az * vy), 2 * (az * vx - ax * vz), 2 * (ax * vy - ay * vx)
        positions[j, 0] = positions[p, 0] + vx + aw * tx + ay * tz - az * ty
        positions[j, 1] = positions[p, 1] + vy + aw * ty + az * tx - ax * tz
        positions[j, 2] = positions[p, 2] + vz + aw * tz + ax * ty - ay * tx
    return positions, rotations


def kinematics_case(path: Path) -> Case:
    import pybvh
    from pymotion.ops.skeleton_np import fk_quat

    clip = ct.load_bvh(path)
    skeleton, poses = clip.skeleton, clip.poses
    out = (np.empty((FRAMES, JOINTS, 3), np.float32), np.empty((FRAMES, JOINTS, 4), np.float32))

    theirs = pybvh.read_bvh_file(path)
    topology, root, angles = theirs.fk_topology, theirs.root_pos, theirs.joint_angles

    rotations = np.ascontiguousarray(clip.rotations)
    travel = np.ascontiguousarray(clip.translations[:, 0])
    local, root_rows = np.ascontiguousarray(np.moveaxis(rotations, 0, 2)), np.ascontiguousarray(travel.T)
    parents, offsets = np.array(skeleton.parents), np.array(skeleton.offsets)

    positions = skeleton.forward_kinematics(poses, out=out)[0]
    assert np.allclose(positions, np.moveaxis(numpy_loop(parents, offsets, root_rows, local)[0], 2, 0), atol=2e-3)
    rivals: dict[str, Run] = {
        "pybvh": lambda: pybvh.frames_to_node_positions(topology, root, angles),
        "pymotion": lambda: fk_quat(rotations, travel, offsets, parents),
        "a NumPy loop over joints": lambda: numpy_loop(parents, offsets, root_rows, local),
    }
    return Case("forward kinematics", lambda: skeleton.forward_kinematics(poses, out=out), rivals, 10)


def euler_cases() -> list[Case]:
    from scipy.spatial.transform import Rotation

    angles = np.random.default_rng(1).uniform(-1.5, 1.5, (FRAMES * JOINTS, 3))
    theirs = Rotation.from_euler("ZXY", angles)
    ours = ct.quat.from_euler(angles, "ZXY")
    assert np.allclose(np.abs(np.sum(ct.quat.to_scipy(ours) * theirs.as_quat(), -1)), 1, atol=1e-12)
    return [
        Case("Euler to quaternion", lambda: ct.quat.from_euler(angles, "ZXY"), {"scipy": lambda: Rotation.from_euler("ZXY", angles)}, 10),
        Case("quaternion to Euler", lambda: ct.quat.to_euler(ours, "ZXY"), {"scipy": lambda: theirs.as_euler("ZXY")}, 4),
    ]


def sampling_case() -> Case:
    clip = made_up_clip(FRAMES, 65)
    shuffled = np.random.default_rng(2).uniform(0, clip.duration, FRAMES)
    ordered = np.sort(shuffled)
    return Case("sample in random order", lambda: clip.sample(shuffled), {"the same times sorted": lambda: clip.sample(ordered)}, 1 / 1.5)


def numpy_bands(samples: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Gradient bands as a careful NumPy user writes them: all queries at once, a pair of samples at a time."""
    x, y = np.ascontiguousarray(points.T)
    weights = np.empty((len(samples), len(points)))
    for i, sample in enumerate(samples):
        least, there = np.full(len(points), np.inf), (x - sample[0], y - sample[1])
        for to in np.delete(samples, i, axis=0) - sample:
            along = to / (to @ to)
            np.minimum(least, 1 - (there[0] * along[0] + there[1] * along[1]), out=least)
        weights[i] = np.maximum(least, 0)
    return np.ascontiguousarray((weights / weights.sum(axis=0)).T)


def blend_space_cases() -> list[Case]:
    from scipy.interpolate import LinearNDInterpolator

    ring = np.arange(8) * np.pi / 4
    samples = 1.4 * np.array([(0, 0), *zip(np.sin(ring), np.cos(ring), strict=True)])
    points = np.random.default_rng(4).uniform(-0.9, 0.9, (200_000, 2))
    out = np.empty((len(points), len(samples)))
    bands, triangles = ct.BlendSpace2D(samples), ct.BlendSpace2D(samples, method="delaunay")
    theirs = LinearNDInterpolator(samples, np.eye(len(samples)))
    assert np.allclose(bands.weights(points), numpy_bands(samples, points), atol=1e-12)
    assert np.allclose(triangles.weights(points) @ samples, theirs(points) @ samples, atol=1e-12)
    return [
        Case("gradient bands", lambda: bands.weights(points, out=out), {"numpy": lambda: numpy_bands(samples, points)}, 5),
        Case("Delaunay weights", lambda: triangles.weights(points, out=out), {"scipy": lambda: theirs(points)}, 1.5),
    ]


def cases(folder: Path) -> list[Case]:
    path = folder / "take.bvh"
    ct.save(made_up_clip(), path)
    size = path.stat().st_size / 1e6
    print(f"{FRAMES} frames x {JOINTS} joints, {size:.1f} MB as BVH; SIMD level {ct.simd_level()}", file=sys.stderr)
    return [*load_cases(path), write_case(path), kinematics_case(path), *euler_cases(), sampling_case(), *blend_space_cases()]


def one_by_one(call: Callable[[Any], object], inputs: Iterable[Any]) -> Run:
    items = list(inputs)

    def run() -> None:
        for item in items:
            call(item)

    return run


def orientation() -> dict[str, tuple[Run, int]]:
    """Work on a character of 65 joints, and into how many poses or vertices its time is divided."""
    count, vertices = 1000, 20_000
    random = np.random.default_rng(3)
    clip = made_up_clip(FRAMES, 65)
    skeleton, sequence = clip.skeleton, np.arange(count) / 90
    shuffled = cycle(random.uniform(0, clip.duration, (FRAMES // count, count)))  # other frames every time
    poses = clip.sample(sequence)
    matrices, matrix = np.empty((count, 65, 4, 4), np.float32), np.empty((65, 4, 4), np.float32)

    points, skinned = random.uniform(-1, 1, (2, vertices, 3)).astype(np.float32)
    joints = random.integers(0, 65, (vertices, 4)).astype(np.int32)
    weights = random.uniform(0, 1, (vertices, 4)).astype(np.float32)
    palette = skeleton.palette(poses[0])
    clips = [clip.sample(sequence + 0.05 * k) for k in range(4)]
    shares, masks = random.uniform(0, 1, (4, count)), random.uniform(0, 1, (4, 65))
    upper_body, lean = ct.Layer(clip, mask=skeleton.mask(3, depth=3), weight=ct.param("w")), ct.additive(clip, clip[0])
    stack = ct.LayerStack(skeleton, [ct.Layer(clip), upper_body, ct.Layer(lean, mode="additive", weight=0.5)])
    share = {"w": 0.8}
    return {
        "blend of 2, a batch": (lambda: ct.blend(clips[:2], shares[:2]), count),
        "blend of 4, a batch": (lambda: ct.blend(clips, shares), count),
        "blend of 4 with masks, a batch": (lambda: ct.blend(clips, shares, mask=masks), count),
        "a frame of 3 layers": (one_by_one(lambda _: stack.update(1 / 60, share), range(count)), count),
        "sample in sequence, a batch": (lambda: clip.sample(sequence), count),
        "sample in sequence, one pose a call": (one_by_one(clip.sample, sequence), count),
        "sample at random, a batch": (lambda: clip.sample(next(shuffled)), count),
        "sample at random, one pose a call": (lambda: one_by_one(clip.sample, next(shuffled))(), count),
        "matrices, a batch": (lambda: skeleton.matrices(poses, out=matrices), count),
        "matrices, one pose a call": (one_by_one(lambda pose: skeleton.matrices(pose, out=matrix), poses), count),
        "skin by 4 joints, a vertex": (lambda: ct.skin(points, joints, weights, palette, out=skinned), vertices),
    }


# Programs that print seconds of the processor, each run in a process of its own, so nothing is left from the last run.
IMPORT = "import numpy, time; start = time.process_time(); import canter; print(time.process_time() - start)"
EXAMPLES = """
import inspect, time
from canter import examples
functions = [getattr(examples, name) for name in examples.__all__]
makers = [make for make in functions if "fps" in inspect.signature(make).parameters]
start = time.process_time()
clips = [make() for make in makers]
print(time.process_time() - start)
"""


def milliseconds_of(program: str, repeat: int) -> float:
    def run() -> float:
        return float(subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout)

    return statistics.median(run() for _ in range(repeat)) * 1e3


def seconds(run: Run) -> float:
    """Of the processor: what other programs take does not count."""
    start = time.process_time()
    run()
    return time.process_time() - start


def measure(case: Case, repeat: int) -> tuple[float, dict[str, float]]:
    """Median time of canter, and the median ratio of every rival's time to it."""
    case.canter()
    for rival in case.rivals.values():
        rival()
    times: list[float] = []
    ratios: dict[str, list[float]] = {name: [] for name in case.rivals}
    for _ in range(repeat):
        for name, rival in case.rivals.items():
            ours = seconds(case.canter)
            ratios[name].append(seconds(rival) / ours)
            times.append(ours)
    return statistics.median(times), {name: statistics.median(r) for name, r in ratios.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", metavar="CASE", help="run only the cases whose names hold this")
    parser.add_argument("--repeat", type=int, default=7)
    options = parser.parse_args()

    def is_asked(name: str) -> bool:
        return not options.cases or any(word in name for word in options.cases)

    missed = 0
    print("| work (one thread) | canter, ms | against | times as fast | at least |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for case in filter(lambda case: is_asked(case.name), cases(Path(folder))):
            ours, ratios = measure(case, options.repeat)
            missed += min(ratios.values()) < case.wanted
            for i, (rival, ratio) in enumerate(ratios.items()):
                name, milliseconds = (case.name, f"{ours * 1e3:.2f}") if i == 0 else ("", "")
                print(f"| {name} | {milliseconds} | {rival} | {ratio:.2f} | {case.wanted:.2f} |", flush=True)
            for note in case.notes:
                print(f"| | | {note} | | |")

    print("\n| for orientation: 65 joints, one thread | ns |\n|---|---|")
    for name, (run, count) in orientation().items():
        if is_asked(name):
            print(f"| {name} | {statistics.median(seconds(run) for _ in range(3 * options.repeat)) / count * 1e9:.1f} |", flush=True)
    for name, program, limit in (
        ("import canter after NumPy", IMPORT, IMPORT_MILLISECONDS),
        ("make all example clips of the humanoid", EXAMPLES, EXAMPLES_MILLISECONDS),
    ):
        if is_asked(name):
            took = milliseconds_of(program, options.repeat)
            missed += took > limit
            print(f"\n{name}: {took:.0f} ms (at most {limit})")
    return missed > 0


if __name__ == "__main__":
    sys.exit(main())
