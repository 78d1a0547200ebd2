"""One small call of every public function and method, for tests that hold for all of them (memory that runs out, leaks).

Arguments are made beforehand, so that a call does as little as it can besides what it is about.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import canter as ct
from conftest import humanoid

Call = Callable[[], object]


def refused(call: Call) -> Call:
    """The call, which must be refused."""

    def run() -> None:
        try:
            call()
        except (ValueError, TypeError, IndexError):
            return
        raise AssertionError("was not refused")

    return run


def public_calls() -> dict[str, Call]:
    skeleton = humanoid(8)
    names, parents, offsets = list(skeleton.names), np.array(skeleton.parents), np.array(skeleton.offsets)
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (3, 8, 1))
    translations = np.zeros((3, 8, 3))
    not_finite = np.full((3, 8, 4), np.nan)
    pose = ct.Pose(rotations, translations)

    return {
        "canter.simd_level": ct.simd_level,
        "canter.Pose": lambda: ct.Pose(rotations, translations, np.ones((3, 8, 3))),
        "canter.Pose of bad shape": refused(lambda: ct.Pose(translations)),
        "canter.Pose that is not finite": refused(lambda: ct.Pose(not_finite)),
        "canter.Pose views": lambda: (pose[1].rotations, pose.translations, pose.scales, repr(pose)),
        "canter.Skeleton": lambda: ct.Skeleton(names, parents, offsets, tips=[(3, (0.0, 0.1, 0.0))]),
        "canter.Skeleton of bad parents": refused(lambda: ct.Skeleton(names, parents[::-1], offsets)),
        "canter.Skeleton views": lambda: (skeleton.names, skeleton.parents, skeleton.offsets, skeleton.rest, repr(skeleton)),
        "canter.Skeleton.index": lambda: skeleton.index("Spine"),
        "canter.Skeleton.index of no joint": refused(lambda: skeleton.index("Spin")),
        "canter.Skeleton.chain": lambda: skeleton.chain("Hips", "Head"),
        "canter.Skeleton.branch": lambda: skeleton.branch("Spine1"),
        "canter.Skeleton.mask": lambda: skeleton.mask("Spine1", depth=2),
        "canter.Skeleton.forward_kinematics": lambda: skeleton.forward_kinematics(pose),
        "canter.Skeleton.forward_kinematics with workers": lambda: skeleton.forward_kinematics(pose, workers=2),
        "canter.Skeleton.matrices": lambda: skeleton.matrices(pose),
        "canter.Skeleton.palette": lambda: skeleton.palette(pose),
    }
