"""One small call of every public function and method, for tests that hold for all of them (memory that runs out, leaks).

Arguments are made beforehand, so that a call does as little as it can besides what it is about.
"""

from __future__ import annotations

import dataclasses
import io
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

import canter as ct
from conftest import humanoid, wander

Call = Callable[[], object]

BVH = b"""HIERARCHY
ROOT Hips
{
    OFFSET 0 0 0
    CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
    JOINT Knee
    {
        OFFSET 0 -40 0
        CHANNELS 4 Zrotation Xrotation Yrotation Smile
        End Site
        {
            OFFSET 0 -42 0
        }
    }
}
MOTION
Frames: 2
Frame Time: 0.033333
1 90 2 10 20 30 40 50 60 1
1 91 2 11 21 31 41 51 61 2
"""


def refused(call: Call) -> Call:
    """The call, which must be refused."""

    def run() -> None:
        try:
            call()
        except (ValueError, TypeError, IndexError):
            return
        raise AssertionError("was not refused")

    return run


def rebuilt(value: object) -> Call:
    """What pickling asks of a value, without pickle itself."""

    def run() -> object:
        make, arguments, *_ = value.__reduce_ex__(5)
        return make(*arguments)

    return run


def public_calls() -> dict[str, Call]:
    skeleton = humanoid(8)
    names, parents, offsets = list(skeleton.names), np.array(skeleton.parents), np.array(skeleton.offsets)
    arms = ct.Skeleton(["Hips", "LeftArm", "RightArm"], [-1, 0, 0], np.zeros((3, 3)))
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (3, 8, 1))
    translations = np.zeros((3, 8, 3))
    not_finite = np.full((3, 8, 4), np.nan)
    pose = ct.Pose(rotations, translations)
    clip = wander(skeleton, 10)
    path = Path(tempfile.mkdtemp(), "walk.bvh")
    path.write_bytes(BVH.replace(b" Smile", b"").replace(b"4 Z", b"3 Z").replace(b"60 1", b"60").replace(b"61 2", b"61"))
    loaded = ct.load(path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with_curve = ct.load_bvh(io.BytesIO(BVH))
    times = np.linspace(0.0, clip.duration, 20)

    return {
        "canter.simd_level": ct.simd_level,
        "canter.Pose": lambda: ct.Pose(rotations, translations, np.ones((3, 8, 3))),
        "canter.Pose of bad shape": refused(lambda: ct.Pose(translations)),
        "canter.Pose that is not finite": refused(lambda: ct.Pose(not_finite)),
        "canter.Pose and its views": lambda: (pose[1].rotations, pose.translations, pose.scales, repr(pose)),
        "canter.Pose pickled": rebuilt(pose),
        "canter.Skeleton": lambda: ct.Skeleton(names, parents, offsets, tips=[(3, (0.0, 0.1, 0.0))]),
        "canter.Skeleton of bad parents": refused(lambda: ct.Skeleton(names, parents[::-1], offsets)),
        "canter.Skeleton and its views": lambda: (skeleton.names, skeleton.parents, skeleton.offsets, skeleton.rest, repr(skeleton)),
        "canter.Skeleton pickled": rebuilt(skeleton),
        "canter.Skeleton.index": lambda: skeleton.index("Spine"),
        "canter.Skeleton.index of no joint": refused(lambda: skeleton.index("Spin")),
        "canter.Skeleton.chain": lambda: skeleton.chain("Hips", "Head"),
        "canter.Skeleton.branch": lambda: skeleton.branch("Spine1"),
        "canter.Skeleton.children": lambda: skeleton.children("Hips"),
        "canter.Skeleton.mirror_map": lambda: arms.mirror_map(),
        "canter.Skeleton.mask": lambda: skeleton.mask("Spine1", depth=2),
        "canter.Skeleton.forward_kinematics": lambda: skeleton.forward_kinematics(pose),
        "canter.Skeleton.forward_kinematics with workers": lambda: skeleton.forward_kinematics(pose, workers=2),
        "canter.Skeleton.matrices": lambda: skeleton.matrices(pose),
        "canter.Skeleton.palette": lambda: skeleton.palette(pose),
        "canter.Skeleton.tip_positions": lambda: skeleton.tip_positions(pose),
        "canter.Clip": lambda: ct.Clip(skeleton, rotations, translations, fps=30, name="still", markers={"left": [0.05]}, tags=["walk"]),
        "canter.Clip of bad shape": refused(lambda: ct.Clip(skeleton, rotations[:, 1:], fps=30)),
        "canter.Clip and its views": lambda: (clip.rotations, clip.translations, clip.poses, clip[3], clip[2:8], repr(clip)),
        "canter.Clip pickled": rebuilt(clip),
        "canter.Clip.sample": lambda: clip.sample(0.05),
        "canter.Clip.sample of many times": lambda: clip.sample(times, interpolation="cubic", wrap="loop", velocity=True),
        "canter.Clip.sample at no time": refused(lambda: clip.sample(np.nan)),
        "canter.Clip.resample": lambda: clip.resample(24),
        "canter.Clip.replace": lambda: clip.replace(name="again", looping=True),
        "canter.Clip.velocities": lambda: clip.velocities(),
        "canter.Clip.global_positions": lambda: clip.global_positions(),
        "canter.Clip.global_rotations": lambda: clip.global_rotations(),
        "canter.Clip.mirror": lambda: clip.mirror(pairs=[("Hips", "Hips")]),
        "canter.Source": lambda: dataclasses.replace(loaded.source, path="x"),
        "canter.load": lambda: ct.load(path),
        "canter.load of another suffix": refused(lambda: ct.load("x.fbx")),
        "canter.load_bvh": lambda: ct.load_bvh(io.BytesIO(BVH.replace(b"Smile", b"Xscale")), strict=True, scale=0.01, rename=str.upper, rest_from="mean"),
        "canter.save": lambda: ct.save(loaded, path),
        "canter.save_bvh": lambda: ct.save_bvh(loaded, io.BytesIO()),
        "canter.save_bvh in a layout": lambda: ct.save_bvh(with_curve, io.BytesIO(), layout=with_curve.source.channels),
        "canter.save_bvh in a layout that does not fit": refused(lambda: ct.save_bvh(loaded, io.BytesIO(), layout=[[], []])),
        "canter.load_bvh of a broken file": refused(lambda: ct.load_bvh(io.BytesIO(BVH[:-20]), strict=True)),
    }
