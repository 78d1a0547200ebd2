"""One small call of every public function and method, for tests that hold for all of them (memory that runs out, leaks).

Arguments are made beforehand, so that a call does as little as it can besides what it is about.
"""

from __future__ import annotations

import dataclasses
import io
import tempfile
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, SupportsFloat

import numpy as np

import canter as ct
from canter import _core
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


BLEND_METHODS: tuple[Any, ...] = ("gradient_band", "gradient_band_polar", "delaunay", "two_1d")


def refused(call: Call) -> Call:
    """The call, which must be refused."""

    def run() -> None:
        try:
            call()
        except (ValueError, TypeError, IndexError, NotImplementedError):
            return
        raise AssertionError("was not refused")

    return run


def rebuilt(value: Any) -> Call:
    """What pickling asks of a value, without pickle itself."""

    def run() -> object:
        make, arguments, *_ = value.__reduce_ex__(5)
        return make(*arguments)

    return run


def tracks_of(frame: Any) -> object:
    return frame.events, frame.curves


def public_calls() -> dict[str, Call]:
    skeleton = humanoid(8)
    names, parents, offsets = list(skeleton.names), np.array(skeleton.parents), np.array(skeleton.offsets)
    arms = ct.Skeleton(["Hips", "LeftArm", "RightArm"], [-1, 0, 0], np.zeros((3, 3)))
    rotations = np.tile([1.0, 0.0, 0.0, 0.0], (3, 8, 1))
    translations = np.zeros((3, 8, 3))
    not_finite = np.full((3, 8, 4), np.nan)
    pose = ct.Pose(rotations, translations)
    clip = wander(skeleton, 10)
    tracked = clip.replace(
        markers={"step": [0.0, 0.1]}, curves={"grip": np.arange(10), "aim": np.ones((10, 3)), "wrist": rotations[[0] * 10, 0]}
    )
    vertices, joints, weights = np.ones((20, 3)), np.zeros((20, 2), int), np.ones((20, 2))
    palette = skeleton.palette(pose)
    motion = clip.root_motion("Hips")
    times = np.linspace(0.0, clip.duration, 20)
    cross = np.array([(0, 0), (0, -1), (0, 1), (-1, 0), (1, 0)])
    line, plane = ct.BlendSpace1D([0.0, 1.4, 4.0]), ct.BlendSpace2D(cross, method="delaunay")
    marked = clip.replace(looping=True, markers={"left_down": [0.0], "right_down": [0.1]})
    two = ct.BlendSpace1D([0.0, 1.0])
    player = ct.BlendPlayer(two, [marked, marked])
    delta, additive = ct.additive(pose, skeleton), ct.additive(clip, clip[0], side="parent")
    mask = skeleton.mask("Spine1", depth=2)
    no_pose: Any = clip
    layer = ct.Layer(ct.ClipPlayer(clip), weight=0.5, space="mesh")

    def layers() -> list[ct.Layer]:
        add = ct.Layer(additive, mask=mask, weight=ct.param("lean"), mode="additive", space="mesh")
        return [ct.Layer(clip), ct.Layer(pose[0], mask=mask), add, ct.Layer(delta[0], mode="additive")]

    stack = ct.LayerStack(skeleton, layers())
    paced = ct.ClipPlayer(marked, rate=ct.param("pace"))
    shown = paced.update(0.15, {"pace": 1.0})

    class Shown(ct.PoseSource):
        def update(self, dt: SupportsFloat, params: Mapping[str, SupportsFloat] | None = None) -> ct.Frame:
            return shown

    written = ct.LayerStack(skeleton, [ct.Layer(Shown(skeleton))])

    def scrub() -> None:
        paced.time = 0.1

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
        "canter.Skeleton.sides": lambda: arms.sides,
        "canter.Skeleton.mask": lambda: skeleton.mask("Spine1", depth=2),
        "canter.Skeleton.forward_kinematics": lambda: skeleton.forward_kinematics(pose),
        "canter.Skeleton.forward_kinematics with workers": lambda: skeleton.forward_kinematics(pose, workers=2),
        "canter.Skeleton.matrices": lambda: skeleton.matrices(pose),
        "canter.Skeleton.palette": lambda: skeleton.palette(pose),
        "canter.Skeleton.tip_positions": lambda: skeleton.tip_positions(pose),
        "canter.blend": lambda: ct.blend([pose, pose], [1, 2], mask=np.ones(skeleton.rest.joint_count), rest=skeleton),
        "canter.blend of a batch": lambda: ct.blend(clip[:2].poses, np.ones((2, 3)), workers=2),
        "canter.blend of weights below 0": refused(lambda: ct.blend([pose, pose], [1, -1])),
        "canter.skin": lambda: ct.skin(vertices, joints, weights, palette, normals=vertices),
        "canter.skin of joints that are not there": refused(lambda: ct.skin(vertices, joints + 8, weights, palette)),
        "canter.Clip": lambda: ct.Clip(skeleton, rotations, translations, fps=30, name="still", markers={"left": [0.05]}, tags=["walk"]),
        "canter.Clip of bad shape": refused(lambda: ct.Clip(skeleton, rotations[:, 1:], fps=30)),
        "canter.Clip and its views": lambda: (clip.rotations, clip.translations, clip.poses, clip[3], clip[2:8], repr(clip)),
        "canter.Clip pickled": rebuilt(clip),
        "canter.Clip.sample": lambda: clip.sample(0.05),
        "canter.Clip.sample of many times": lambda: clip.sample(times, interpolation="cubic", wrap="loop", velocity=True),
        "canter.Clip.sample at no time": refused(lambda: clip.sample(np.nan)),
        "canter.Clip.sample_curves": lambda: tracked.sample_curves(times, wrap="loop"),
        "canter.Clip.sample_curves at no time": refused(lambda: tracked.sample_curves(np.nan)),
        "canter.Clip.curves through edits": lambda: (tracked[::-2], tracked.mirror(pairs=[]), tracked.resample(24), tracked.curves),
        "canter.Clip.curves of bad numbers": refused(lambda: clip.replace(curves={"bad": np.zeros((len(clip), 4))})),
        "canter.Clip.events": lambda: tracked.events(-1.0, 2.0, wrap="loop"),
        "canter.Clip.events of for ever": refused(lambda: tracked.events(0.0, 1e300, wrap="loop")),
        "canter.Frame with tracks": lambda: tracks_of(ct.Frame(pose[0], None, [ct.Event("step", 0.5)], curves={"grip": 1.0})),
        "canter.Frame of no events": refused(lambda: ct.Frame(pose[0], None, curves={"grip": np.nan})),
        "canter.ClipPlayer and its tracks": lambda: tracks_of(ct.ClipPlayer(tracked).update(0.2)),
        "canter.record with tracks": lambda: ct.record(ct.ClipPlayer(tracked), 0.2),
        "canter.Event": lambda: ct.Event("step", 0.5),
        "canter.Clip.resample": lambda: clip.resample(24),
        "canter.Clip.replace": lambda: clip.replace(name="again", looping=True),
        "canter.Clip.velocities": lambda: clip.velocities(),
        "canter.Clip.global_positions": lambda: clip.global_positions(),
        "canter.Clip.global_rotations": lambda: clip.global_rotations(),
        "canter.Clip.root_motion": lambda: clip.root_motion("Hips", smoothing=0.1, forward=(0, 0, 1)),
        "canter.Clip.in_place": lambda: clip.in_place(motion),
        "canter.Clip.with_root_motion": lambda: clip.with_root_motion(motion),
        "canter.Clip.scaled": lambda: clip.scaled(0.01),
        "canter.Clip.scaled by nothing": refused(lambda: clip.scaled(0)),
        "canter.Clip.converted": lambda: clip.converted(up="z"),
        "canter.Clip.grounded": lambda: clip.grounded(),
        "canter.Clip.with_rest_pose": lambda: clip.with_rest_pose(pose[0]),
        "canter.Clip.with_rest_from": lambda: clip.with_rest_from("mean"),
        "canter.Clip.simplify_channels": lambda: clip.simplify_channels(tolerance=0.1),
        "canter.Clip.with_tips_as_joints": lambda: clip.with_tips_as_joints(),
        "canter.Clip.view": lambda: clip.view(trail="Head"),
        "canter.Clip.view of no joint": refused(lambda: clip.view(trail="Tail")),
        "canter.Clip.speed": lambda: clip.speed,
        "canter.additive": lambda: ct.additive(pose, skeleton),
        "canter.additive of a clip": lambda: ct.additive(clip, clip[0], side="parent"),
        "canter.additive beside no pose": refused(lambda: ct.additive(pose, no_pose)),
        "canter.add": lambda: ct.add(pose, delta, [0.2, 0.5, 2.0], mask=mask, workers=2),
        "canter.add of no delta": refused(lambda: ct.add(pose, no_pose)),
        "canter.PoseDelta and its views": lambda: (delta[1].rotations, delta.translations, delta.scales, delta.side, repr(delta)),
        "canter.PoseDelta pickled": rebuilt(delta),
        "canter.AdditiveClip and its views": lambda: (additive.markers, additive.skeleton, additive.side, repr(additive)),
        "canter.AdditiveClip pickled": rebuilt(additive),
        "canter.AdditiveClip.sample": lambda: additive.sample(times),
        "canter.AdditiveClip.sample at no time": refused(lambda: additive.sample(np.nan)),
        "canter.PoseSource": lambda: Shown(skeleton, scales=True).skeleton,
        "canter.PoseSource.update": refused(lambda: ct.PoseSource(skeleton).update(0.1)),
        "canter.PoseSource of no skeleton": refused(lambda: ct.PoseSource(no_pose)),
        "canter.PoseSource in a stack": lambda: written.update(0.1),
        "canter.PoseSource.reset": written.reset,
        "canter.Frame": lambda: ct.Frame(pose[0], ((0, 0, 1), 0.1)),
        "canter.Frame and its views": lambda: (shown.pose, shown.root, repr(shown)),
        "canter.RootDelta": lambda: shown.root.turn,
        "canter.param": lambda: (ct.param("pace").name, repr(ct.param("pace"))),
        "canter.param pickled": rebuilt(ct.param("pace")),
        "canter.ClipPlayer": lambda: ct.ClipPlayer(marked, rate=ct.param("pace"), start=0.1, wrap="loop", interpolation="slerp"),
        "canter.ClipPlayer of a motion": lambda: ct.ClipPlayer(clip, root_motion=motion),
        "canter.ClipPlayer that starts outside": refused(lambda: ct.ClipPlayer(clip, start=9)),
        "canter.ClipPlayer and its views": lambda: (paced.clip, paced.time, paced.rate, paced.done, paced.skeleton, repr(paced)),
        "canter.ClipPlayer.time set": scrub,
        "canter.ClipPlayer.update": lambda: paced.update(0.01, {"pace": 1.0}),
        "canter.ClipPlayer.update without a parameter": refused(lambda: paced.update(0.01)),
        "canter.ClipPlayer.reset": paced.reset,
        "canter.record": lambda: ct.record(paced, 0.1, {"pace": 1.0}, velocity=(0, 0, 1)),
        "canter.record of a source written in Python": lambda: ct.record(written, 0.1),
        "canter.record without a parameter": refused(lambda: ct.record(paced, 0.1)),
        "canter.Layer and its views": lambda: (layer.source, layer.mask, layer.weight, layer.mode, layer.space, layer.root, repr(layer)),
        "canter.Layer": lambda: ct.Layer(additive, mask=mask, weight=ct.param("lean"), mode="additive", space="mesh"),
        "canter.Layer of what its mode has no use for": refused(lambda: ct.Layer(delta)),
        "canter.LayerStack": lambda: ct.LayerStack(skeleton, layers()).update(0.05, {"lean": 0.5}),
        "canter.LayerStack and its views": lambda: (stack.layers, stack.skeleton, repr(stack)),
        "canter.LayerStack.reset": stack.reset,
        "canter.LayerStack of a layer twice": refused(lambda: ct.LayerStack(skeleton, [layer, layer])),
        "canter.LayerStack.update": lambda: stack.update(0.05, {"lean": 0.5}),
        "canter.LayerStack.update without a parameter": refused(lambda: stack.update(0.05)),
        "canter.RootMotion and its views": lambda: (motion.positions, motion.headings, repr(motion)),
        "canter.RootMotion pickled": rebuilt(motion),
        "canter.RootMotion.at": lambda: motion.at(times),
        "canter.RootMotion.delta": lambda: motion.delta(0.0, times),
        "canter.BlendSpace1D": lambda: ct.BlendSpace1D([0.0, 1.4, 4.0]),
        "canter.BlendSpace1D of equal positions": refused(lambda: ct.BlendSpace1D([0.0, 1.4, 0.0])),
        "canter.BlendSpace1D and its views": lambda: (line.positions, len(line), hash(line), repr(line), line == line),
        "canter.BlendSpace1D pickled": rebuilt(line),
        "canter.BlendSpace1D.weights": lambda: line.weights(times),
        "canter.BlendSpace2D": lambda: [ct.BlendSpace2D(cross, method=method) for method in BLEND_METHODS],
        "canter.BlendSpace2D of no points": refused(lambda: ct.BlendSpace2D(cross[:0])),
        "canter.BlendSpace2D in no cross": refused(lambda: ct.BlendSpace2D(cross + 1, method="two_1d")),
        "canter.BlendSpace2D and its views": lambda: (plane.points, plane.triangles, len(plane), hash(plane), repr(plane), plane.method),
        "canter.BlendSpace2D pickled": rebuilt(plane),
        "canter.BlendSpace2D.weights": lambda: plane.weights(cross),
        "canter.BlendPlayer": lambda: ct.BlendPlayer(
            two, [marked, marked], speed="rate", markers=["left_down"], root_motion=[True, motion]
        ),
        "canter.BlendPlayer at measured speeds": lambda: ct.BlendPlayer(two, [marked, marked], speed="measured"),
        "canter.BlendPlayer of too few clips": refused(lambda: ct.BlendPlayer(two, [marked])),
        "canter.BlendPlayer of clips that share nothing": refused(lambda: ct.BlendPlayer(two, [marked, clip], sync="markers")),
        "canter.BlendPlayer and its views": lambda: (
            player.space,
            player.clips,
            player.params,
            player.markers,
            player.weights,
            player.times,
            player.phase,
            repr(player),
        ),
        "canter.BlendPlayer.update": lambda: player.update(0.01, {"speed": 0.5}),
        "canter.BlendPlayer.update without a parameter": refused(lambda: player.update(0.01, {})),
        "canter.BlendPlayer.reset": lambda: player.reset(),
        "canter.BlendCycle": lambda: player.cycle({"speed": 0.5}).speed,
        "canter.BlendPlayer.cycle": lambda: player.cycle({"speed": 0.5}),
        "canter.BlendPlayer.cycle without a parameter": refused(lambda: player.cycle({})),
        "canter.BlendSpace2D.weights of points that are not finite": refused(lambda: plane.weights([0, np.nan])),
        "canter.Clip.mirror": lambda: clip.mirror(pairs=[("Hips", "Hips")]),
        **file_calls(),
        **quaternion_calls(),
        **example_calls(),
        **metric_calls(),
    }


def file_calls() -> dict[str, Call]:
    path = Path(tempfile.mkdtemp(), "walk.bvh")
    plain = BVH.replace(b"Smile", b"Xscale")
    path.write_bytes(plain)
    clip = ct.load(path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with_curve = ct.load_bvh(io.BytesIO(BVH))
    source, curve_source = clip.source, with_curve.source
    assert source is not None
    assert curve_source is not None
    return {
        "canter.Source": lambda: dataclasses.replace(source, path="x"),
        "canter.load": lambda: ct.load(path),
        "canter.load of another suffix": refused(lambda: ct.load("x.fbx")),
        "canter.load_bvh": lambda: ct.load_bvh(io.BytesIO(plain), strict=True, scale=0.01, rename=str.upper, rest_from="mean"),
        "canter.load_bvh of a broken file": refused(lambda: ct.load_bvh(io.BytesIO(plain[:-20]), strict=True)),
        "canter.save": lambda: ct.save(clip, path),
        "canter.save_bvh": lambda: ct.save_bvh(clip, io.BytesIO()),
        "canter.save_bvh in a layout that does not fit": refused(lambda: ct.save_bvh(clip, io.BytesIO(), layout=[[], []])),
        "canter._core.check_bvh": lambda: _core.check_bvh(BVH),
        "canter._core.read_bvh": lambda: _core.read_bvh(BVH, "walk.bvh"),
        "canter._core.read_bvh of a broken file": refused(lambda: _core.read_bvh(plain[:-20], "walk.bvh", strict=True)),
        "canter._core.write_bvh": lambda: _core.write_bvh(clip, len, None, ()),
        "canter._core.write_bvh in a layout": lambda: _core.write_bvh(with_curve, len, curve_source.channels, curve_source.tip_names),
    }


def quaternion_calls() -> dict[str, Call]:
    q = np.tile([0.6, 0.0, 0.8, 0.0], (3, 1))
    v = np.tile([0.1, -0.2, 0.3], (3, 1))
    quat = ct.quat
    return {
        "canter.quat.multiply": lambda: quat.multiply(q, q),
        "canter.quat.multiply of bad shape": refused(lambda: quat.multiply(q, v)),
        "canter.quat.multiply of shapes that do not fit": refused(lambda: quat.multiply(q, q[:2])),
        "canter.quat.conjugate": lambda: quat.conjugate(q),
        "canter.quat.rotate": lambda: quat.rotate(q, v),
        "canter.quat.normalize": lambda: quat.normalize(q),
        "canter.quat.nlerp": lambda: quat.nlerp(q, q, 0.5),
        "canter.quat.slerp": lambda: quat.slerp(q, q, 0.5),
        "canter.quat.exp": lambda: quat.exp(v),
        "canter.quat.log": lambda: quat.log(q),
        "canter.quat.from_euler": lambda: quat.from_euler(v, "ZXY"),
        "canter.quat.from_euler of no order": refused(lambda: quat.from_euler(v, "ZZY")),
        "canter.quat.to_euler": lambda: quat.to_euler(q, "ZXY", continuous=True),
        "canter.quat.from_matrix": lambda: quat.from_matrix(np.eye(3)),
        "canter.quat.to_matrix": lambda: quat.to_matrix(q),
        "canter.quat.from_axis_angle": lambda: quat.from_axis_angle(v, 1.0),
        "canter.quat.to_axis_angle": lambda: quat.to_axis_angle(q),
        "canter.quat.from_6d": lambda: quat.from_6d(np.ones(6)),
        "canter.quat.to_6d": lambda: quat.to_6d(q),
        "canter.quat.between": lambda: quat.between(v, v[0]),
        "canter.quat.swing_twist": lambda: quat.swing_twist(q, v),
        "canter.quat.angle": lambda: quat.angle(q, q),
        "canter.quat.unroll": lambda: quat.unroll(q),
        "canter.quat.angular_velocity": lambda: quat.angular_velocity(q, 0.1),
        "canter.quat.from_scipy": lambda: quat.from_scipy(q),
        "canter.quat.to_scipy": lambda: quat.to_scipy(q),
    }


def metric_calls() -> dict[str, Call]:
    walk = ct.examples.walk(fps=8)
    body, positions = walk.skeleton, walk.global_positions()
    slide, depth, error = ct.metrics.foot_slide(walk), ct.metrics.penetration(walk), ct.metrics.bone_length_error(walk)
    points, planted = positions.astype(np.float64), np.zeros(len(body))
    return {
        "canter._core.planted_heights": lambda: _core.planted_heights(points),
        "canter._core.planted_heights of no samples": refused(lambda: _core.planted_heights(points[:0])),
        "canter._core.ground_slide": lambda: _core.ground_slide(points, planted, 0.1),
        "canter._core.ground_slide of bad shape": refused(lambda: _core.ground_slide(points, planted[1:], 0.1)),
        "canter._core.ground_contacts": lambda: _core.ground_contacts(points, planted, 3, 0.2, 0.3, 0.1, 0.2),
        "canter._core.ground_contacts of no window": refused(lambda: _core.ground_contacts(points, planted, 0, 0.2, 0.3, 0.1, 0.2)),
        "canter._core.ground_penetration": lambda: _core.ground_penetration(points, 0.1, 0.0),
        "canter._core.bone_length_errors": lambda: _core.bone_length_errors(points, body),
        "canter._core.bone_length_errors that are not finite": refused(
            lambda: _core.bone_length_errors(np.full_like(points, np.nan), body)
        ),
        "canter.metrics.foot_slide": lambda: ct.metrics.foot_slide(walk),
        "canter.metrics.foot_slide of no foot": refused(lambda: ct.metrics.foot_slide(walk, ["Foot"])),
        "canter.metrics.FootSlide": lambda: repr(dataclasses.replace(slide, slide=1.0)),
        "canter.metrics.contacts": lambda: ct.metrics.contacts(walk),
        "canter.metrics.contacts of no window": refused(lambda: ct.metrics.contacts(walk, window=-1.0)),
        "canter.metrics.penetration": lambda: ct.metrics.penetration(walk),
        "canter.metrics.Penetration": lambda: repr(dataclasses.replace(depth, joints=body.names)),
        "canter.metrics.bone_length_error": lambda: ct.metrics.bone_length_error(positions, body),
        "canter.metrics.bone_length_error of bad shape": refused(lambda: ct.metrics.bone_length_error(positions[:, 1:], body)),
        "canter.metrics.BoneLengthError": lambda: repr(dataclasses.replace(error, max=1.0)),
    }


def example_calls() -> dict[str, Call]:
    body, mesh = ct.examples.humanoid(), ct.examples.skinned_humanoid()
    return {
        "canter.examples.aim": lambda: ct.examples.aim(fps=4),
        "canter.examples.breathe": lambda: ct.examples.breathe(fps=4),
        "canter.examples.lean": lambda: ct.examples.lean(fps=8),
        "canter.examples.lean to nowhere": refused(lambda: ct.examples.lean(direction=np.inf)),
        "canter.examples.reload": lambda: ct.examples.reload(fps=4),
        "canter.examples.wave": lambda: ct.examples.wave(fps=8),
        "canter.examples.clips": lambda: ct.examples.clips(fps=8),
        "canter.examples.idle": lambda: ct.examples.idle(fps=8),
        "canter.examples.jump": lambda: ct.examples.jump(fps=8),
        "canter.examples.run": lambda: ct.examples.run(fps=8),
        "canter.examples.start": lambda: ct.examples.start(fps=8),
        "canter.examples.stop": lambda: ct.examples.stop(fps=8),
        "canter.examples.strafe_left": lambda: ct.examples.strafe_left(fps=8),
        "canter.examples.strafe_right": lambda: ct.examples.strafe_right(fps=8),
        "canter.examples.turn_in_place": lambda: ct.examples.turn_in_place(fps=8),
        "canter.examples.turn_left": lambda: ct.examples.turn_left(fps=8),
        "canter.examples.turn_right": lambda: ct.examples.turn_right(fps=8),
        "canter.examples.walk": lambda: ct.examples.walk(fps=8),
        "canter.examples.walk_backward": lambda: ct.examples.walk_backward(fps=8),
        "canter.examples.walk too fast": refused(lambda: ct.examples.walk(speed=9.0)),
        "canter.examples.humanoid": lambda: ct.examples.humanoid(joints=65),
        "canter.examples.humanoid of another size": refused(lambda: ct.examples.humanoid(joints=20)),
        "canter.examples.skinned_humanoid": lambda: ct.examples.skinned_humanoid(),
        "canter.examples.SkinnedMesh": lambda: dataclasses.replace(mesh, skeleton=body),
        "canter.examples.upper_body_mask": lambda: ct.examples.upper_body_mask(body),
    }
