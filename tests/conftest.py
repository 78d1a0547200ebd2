"""What the tests stand on: made-up skeletons and clips from fixed seeds, and the real files of ../shared where there are any."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis
import numpy as np
import pytest

import canter as ct

# Neither chance nor the load of the machine has a say.
hypothesis.settings.register_profile("canter", derandomize=True, deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("canter")

ROOT = Path(__file__).resolve().parents[1]

FINGERS = ("Thumb", "Index", "Middle", "Ring", "Pinky")

# (name, parent, offset in metres) of a character that faces +Z with its left at +X. Any number of joints from the front is a skeleton too.
HUMANOID: list[tuple[str, str | None, tuple[float, float, float]]] = [
    ("Hips", None, (0.0, 0.95, 0.0)),
    ("Spine", "Hips", (0.0, 0.10, 0.0)),
    ("Spine1", "Spine", (0.0, 0.12, 0.0)),
    ("Spine2", "Spine1", (0.0, 0.13, 0.0)),
    ("Neck", "Spine2", (0.0, 0.18, -0.01)),
    ("Head", "Neck", (0.0, 0.09, 0.02)),
    ("HeadTop", "Head", (0.0, 0.18, 0.0)),
]
for side, x in (("Left", 1.0), ("Right", -1.0)):
    HUMANOID += [
        (f"{side}UpLeg", "Hips", (0.09 * x, -0.05, 0.0)),
        (f"{side}Leg", f"{side}UpLeg", (0.0, -0.42, 0.01)),
        (f"{side}Foot", f"{side}Leg", (0.0, -0.40, -0.01)),
        (f"{side}ToeBase", f"{side}Foot", (0.0, -0.07, 0.12)),
        (f"{side}Toe", f"{side}ToeBase", (0.0, 0.0, 0.06)),
    ]
for side, x in (("Left", 1.0), ("Right", -1.0)):
    HUMANOID += [
        (f"{side}Shoulder", "Spine2", (0.05 * x, 0.12, 0.0)),
        (f"{side}Arm", f"{side}Shoulder", (0.12 * x, 0.0, 0.0)),
        (f"{side}ForeArm", f"{side}Arm", (0.27 * x, 0.0, 0.0)),
        (f"{side}Hand", f"{side}ForeArm", (0.25 * x, 0.0, 0.0)),
    ]
for side, x in (("Left", 1.0), ("Right", -1.0)):
    for i, finger in enumerate(FINGERS):
        base = (0.03 * x, 0.0, 0.03) if finger == "Thumb" else (0.09 * x, 0.0, 0.03 - 0.02 * i)
        HUMANOID += [
            (f"{side}Hand{finger}{k}", f"{side}Hand{finger}{k - 1}" if k > 1 else f"{side}Hand", (0.03 * x, 0.0, 0.0) if k > 1 else base)
            for k in (1, 2, 3, 4)
        ]


@pytest.fixture
def closed_figures() -> Any:
    """Draws without windows, and leaves no figure open."""
    import matplotlib
    import matplotlib.pyplot as plt

    matplotlib.use("Agg")
    yield
    plt.close("all")


@pytest.fixture(scope="session")
def walk() -> ct.Clip:
    """Three strides of the example walk as a file would hold them: they do not loop, and the hips have no offset."""
    clip = ct.examples.walk(speed=1.1, cycle=1.1, cycles=3)
    body = clip.skeleton
    offsets = body.offsets.copy()
    offsets[0] = 0.0
    skeleton = ct.Skeleton(body.names, body.parents, offsets, tips=body.tips)
    return ct.Clip(skeleton, clip.rotations, clip.translations, frame_time=clip.frame_time, name="walk")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real motion-capture files; it is not part of the project."""
    path = Path(os.environ.get("CANTER_SHARED", ROOT.parent / "shared"))
    if not path.is_dir():
        pytest.skip(f"needs real files: no folder {path} (set CANTER_SHARED to another place)")
    return path


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20260717)


@pytest.fixture
def random_rotations(rng: np.random.Generator) -> Callable[..., np.ndarray]:
    """random_rotations(*shape): unit quaternions (*shape, 4) in float64, uniform over all rotations."""

    def make(*shape: int) -> np.ndarray:
        q = rng.standard_normal((*shape, 4))
        return np.asarray(q / np.linalg.norm(q, axis=-1, keepdims=True))

    return make


def humanoid(joints: int = 65) -> ct.Skeleton:
    """The first `joints` joints of a humanoid of 65; above 65, the others hang on it at random."""
    rng = np.random.default_rng(joints)
    kept = HUMANOID[:joints]
    names = [name for name, _, _ in kept]
    parents = [-1 if parent is None else names.index(parent) for _, parent, _ in kept]
    offsets = [offset for _, _, offset in kept]
    for j in range(len(kept), joints):
        names.append(f"Extra{j}")
        parents.append(int(rng.integers(j)))
        offsets.append(tuple(rng.uniform(-0.1, 0.1, 3)))
    return ct.Skeleton(names, parents, np.array(offsets))


def wander(skeleton: ct.Skeleton, frames: int = 40, *, seed: int = 0, fps: float = 60.0, **options: Any) -> ct.Clip:
    """Smooth motion: every joint turns about an axis of its own by two sines, and the root walks towards +Z at 1.2 m/s."""
    rng = np.random.default_rng(seed)
    joints = len(skeleton.names)
    t = np.arange(frames)[:, None] / fps
    angle = sum(rng.uniform(0.1, 0.5, joints) * np.sin(rng.uniform(1.0, 6.0, joints) * t + rng.uniform(0, 6.3, joints)) for _ in range(2))
    axis = rng.standard_normal((joints, 3))
    axis /= np.linalg.norm(axis, axis=-1, keepdims=True)
    rotations = np.concatenate([np.cos(angle / 2)[..., None], np.sin(angle / 2)[..., None] * axis], axis=-1)

    translations = np.tile(np.asarray(skeleton.offsets, dtype=np.float64), (frames, 1, 1))
    translations[:, 0, 2] += 1.2 * t[:, 0]
    translations[:, 0, 1] += 0.02 * np.sin(9.0 * t[:, 0])
    return ct.Clip(skeleton, rotations, translations, fps=fps, **options)


def positions(clip: ct.Clip) -> np.ndarray:
    """Of joints, then tips, (F, J + tips, 3)."""
    return np.concatenate([clip.global_positions(), clip.skeleton.tip_positions(clip.poses)], axis=1)


@pytest.fixture(scope="session")
def make_skeleton() -> Callable[..., ct.Skeleton]:
    """make_skeleton(joints=65): see humanoid."""
    return humanoid


@pytest.fixture(scope="session")
def make_clip() -> Callable[..., ct.Clip]:
    """make_clip(frames=40, joints=65, *, seed=0, fps=60.0, skeleton=None, **options of Clip): see wander."""

    def make(frames: int = 40, joints: int = 65, *, skeleton: ct.Skeleton | None = None, **options: Any) -> ct.Clip:
        return wander(skeleton if skeleton is not None else humanoid(joints), frames, **options)

    return make
