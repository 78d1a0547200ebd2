"""What the upper body does while the legs stand: wave, aim, reload, lean, breathe. Made to be layered over other clips."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from canter import quat
from canter._core import Clip
from canter.examples import curves, standing
from canter.examples.arms import COLLARBONE, FOREARM, SHOULDER, UPPER_ARM, Hand, chest_joint, hand_rotation, reach
from canter.examples.body import SIDES, make_clip, timeline, trunk, turn
from canter.examples.curves import Floats, ease, through
from canter.examples.hands import GRIP, OPEN, HandShape, fingers, mixed
from canter.examples.humanoid import humanoid

STILL = np.array([1.0, 0.0, 0.0, 0.0])


class _Figure:
    """A body that stands as idle does at first, whose upper part is turned: the trunk first, then what the hands do."""

    def __init__(self, duration: float, *, joints: int, fps: float, once: bool = False) -> None:
        self.skeleton = humanoid(joints=joints)
        self.t, self.frame_time = timeline(duration, fps, ends_at_rest=once)
        self.phase = self.t / duration
        self.standing = standing.posture(len(self.t))
        self.rotations = dict(self.standing.rotations)
        self.turn_trunk()

    def turn_trunk(self, *, chest: Floats = STILL, head: Floats = STILL) -> None:
        """Further than they are when standing, about axes of the world."""
        hips, hips_rotation = self.standing.hips, self.standing.hips_rotation
        spine = quat.multiply(hips_rotation, self.standing.rotations["Spine"])
        upright = quat.multiply(spine, self.standing.rotations["Chest"])
        level = quat.multiply(upright, self.standing.rotations["Head"])
        self.chest = quat.multiply(chest, upright)
        self.rotations |= trunk(hips_rotation, self.chest, quat.multiply(head, level))
        self.chest_joint = chest_joint(hips, hips_rotation, quat.multiply(hips_rotation, self.rotations["Spine"]))

    def reach(self, side: str, hand: Hand, *, elbow: ArrayLike, shrug: Any = 0.0) -> None:
        """A hand to its place; see `arms.reach`."""
        self.rotations |= reach(self.skeleton, side, self.chest_joint, self.chest, hand, elbow=elbow, shrug=shrug)

    def shape_hands(self, **shapes: HandShape) -> None:
        """Those of "left" and "right" that are given; others are relaxed."""
        self.rotations |= fingers(self.skeleton, **shapes)

    def clip(self, name: str, *, tags: tuple[str, ...], looping: bool = False, markers: Mapping[str, Floats] | None = None) -> Clip:
        return make_clip(
            replace(self.standing, rotations=self.rotations),
            standing.feet(self.t),
            joints=len(self.skeleton),
            frame_time=self.frame_time,
            name=name,
            looping=looping,
            markers={**standing.ON_BOTH_FEET, **(markers or {})},
            tags=tags,
        )


def _check_angle(angle: float) -> None:
    if not abs(angle) < np.pi / 2:  # degrees, most likely
        raise ValueError(f"examples: angle is {angle}, expected radians, less than a right angle")


def _points(*components: ArrayLike) -> Floats:
    return np.stack(np.broadcast_arrays(*(np.asarray(c, dtype=np.float64) for c in components)), axis=-1)


def _unit(vector: ArrayLike) -> Floats:
    return np.asarray(vector / np.linalg.norm(vector, axis=-1, keepdims=True))


def _steps(x: Floats, *keys: tuple[float, float]) -> Floats:
    """A smooth curve through keys (x, value), that stays where it is before the first and after the last."""
    return through(np.clip(x, keys[0][0], keys[-1][0]), keys)


def wave(*, cycle: float = 0.9, angle: float = 0.42, joints: int = 18, fps: float = 60.0) -> Clip:
    """Wave with the raised right hand. The whole clip loops: fade it in and out, or give its layer a weight that does.

    Parameters
    ----------
    cycle : float, default 0.9
        Seconds from one side to the other and back.
    angle : float, default 0.42
        How far the forearm swings to either side, radians.
    joints : {18, 65}
        Of the body: see `humanoid`.
    fps : float, default 60.0
        About how many frames a second: a whole number of them makes the cycle.

    Returns
    -------
    Clip
        Tagged "upper_body". The feet stand as in `idle`.

    Raises
    ------
    ValueError
        The cycle has no two frames, or the angle is a right angle or more.

    Examples
    --------
    >>> clip = ct.examples.wave(cycle=0.8)
    >>> clip
    <Clip 'wave': 49 frames at 60 fps (0.80 s), 18 joints, looping>
    >>> hand, head = (clip.global_positions()[:, clip.skeleton.index(name)] for name in ("RightHand", "Head"))
    >>> bool((hand[:, 1] > head[:, 1]).all())
    True
    """
    _check_angle(angle)
    figure = _Figure(cycle, joints=joints, fps=fps)
    phase = figure.phase
    chest = turn(y=curves.wave(phase, 0.015, 0.5), z=curves.wave(phase, 0.012, 0.55) - 0.03)
    figure.turn_trunk(chest=chest, head=turn(y=-0.12, z=0.07 + curves.wave(phase, 0.015, 0.6)))

    # The elbow is out to the side, a little below the shoulder; the forearm swings about straight up, and the hand follows late.
    shoulder = figure.chest_joint + quat.rotate(figure.chest, (COLLARBONE + SHOULDER) * (-1.0, 1.0, 1.0))
    elbow = shoulder + UPPER_ARM * _unit(_points(-0.86, curves.wave(phase, 0.05, 0.0) - 0.12, 0.42))
    swing = 0.10 + curves.wave(phase, angle, 0.0)
    wrist = elbow + FOREARM * _unit(_points(-np.sin(swing), np.cos(swing), 0.12))
    late = 0.08 + curves.wave(phase, 1.35 * angle, 0.08)
    hand = hand_rotation("Right", _points(-np.sin(late), np.cos(late), 0.05), (0.15, 0.0, 1.0))
    figure.reach("Right", Hand(wrist, hand), elbow=elbow - (shoulder + wrist) / 2, shrug=0.12)
    figure.shape_hands(right=OPEN)
    return figure.clip("wave", tags=("upper_body",), looping=True)


# Of a rifle, seen from the top of its grip: x to the left, y up, z to the muzzle.
_RIGHT_WRIST = np.array([-0.018, -0.055, -0.075])
_GUARD, _WELL = np.array([0.0, -0.03, 0.21]), np.array([0.0, -0.13, 0.10])  # where the left hand holds it; where the magazine goes in
_AIMED, _LOWERED = np.array([-0.085, 1.50, 0.40]), np.array([-0.06, 1.31, 0.30])  # in the world
# Where the left hand's fingers point and its palm faces.
_ON_GUARD = np.array([(-0.55, 0.35, 0.8), (-0.5, 0.85, -0.1)])
_ON_WELL = np.array([(-0.45, 0.45, 0.75), (-0.85, 0.5, 0.0)])
_AT_HIP = np.array([(-0.05, -0.90, 0.35), (-1.0, -0.05, 0.1)])
_HIP_WRIST = np.array([0.205, 1.03, 0.09])
_LEFT_ELBOW, _LEFT_ELBOW_AT_HIP, _RIGHT_ELBOW = np.array([(0.35, -1.0, -0.1), (0.6, -0.45, -0.8), (-1.0, -0.7, -0.1)])


@dataclass(frozen=True)
class _Rifle:
    """One over time, in the world, and where it needs the hands."""

    position: Floats  # (F, 3)
    rotation: Floats  # (F, 4)

    def right_hand(self) -> Hand:
        hand = hand_rotation("Right", (0.2, 0.2, 1.0), (1.0, -0.1, -0.2))
        return Hand(self.position + quat.rotate(self.rotation, _RIGHT_WRIST), quat.multiply(self.rotation, hand))

    def left_hand(self, point: Floats, directions: Floats) -> Hand:
        """With its palm on a point of the rifle."""
        directions = _unit(directions)
        along, palm = directions[..., 0, :], directions[..., 1, :]
        wrist = point - 0.085 * along - 0.03 * palm
        hand = hand_rotation("Left", along, palm)
        return Hand(self.position + quat.rotate(self.rotation, wrist), quat.multiply(self.rotation, hand))


def _mix(a: Floats, b: Floats, weight: Floats) -> Floats:
    """Points from `a` (weight 0) to `b` (weight 1)."""
    return np.asarray(a + weight[:, None] * (b - a))


def aim(*, cycle: float = 4.0, joints: int = 18, fps: float = 60.0) -> Clip:
    """Aim a rifle straight ahead with both hands, swaying with the breath; loops.

    Parameters
    ----------
    cycle : float, default 4.0
        Seconds of one breath.
    joints : {18, 65}
        Of the body: see `humanoid`.
    fps : float, default 60.0
        About how many frames a second: a whole number of them makes the cycle.

    Returns
    -------
    Clip
        Tagged "upper_body". The feet stand as in `idle`. The hands keep the places to each other that a rigid rifle gives them.

    Raises
    ------
    ValueError
        The cycle has no two frames, or `fps` is not above 0.

    Examples
    --------
    >>> body = ct.examples.humanoid(joints=65)
    >>> clip = ct.examples.aim(joints=65)
    >>> mask = ct.examples.upper_body_mask(body)  # to lay it over a walk
    >>> int(mask.sum()), len(clip)
    (24, 241)
    """
    figure = _Figure(cycle, joints=joints, fps=fps)
    phase = figure.phase
    breath = 0.5 + curves.wave(phase, -0.5, 0.0)
    figure.turn_trunk(chest=turn(y=-0.38, x=0.06 - 0.012 * breath), head=turn(y=-0.06, x=0.11, z=0.12))
    sway = np.sin(2.0 * np.pi * phase)
    rifle = _Rifle(_AIMED + _points(0.003 * sway, 0.006 * breath, 0.0), turn(x=-0.006 * breath, y=0.004 * sway))
    figure.reach("Right", rifle.right_hand(), elbow=_RIGHT_ELBOW, shrug=0.05)
    figure.reach("Left", rifle.left_hand(_GUARD, _ON_GUARD), elbow=_LEFT_ELBOW, shrug=0.05)
    figure.shape_hands(left=GRIP, right=GRIP)
    return figure.clip("aim", tags=("upper_body",), looping=True)


def reload(*, duration: float = 2.2, from_aim: bool = True, joints: int = 18, fps: float = 60.0) -> Clip:
    """Reload the rifle of `aim`: it is lowered, the left hand fetches a magazine from the hip, and it goes up again.

    Parameters
    ----------
    duration : float, default 2.2
        Seconds.
    from_aim : bool, default True
        Begin and end in the first pose of `aim`; False: with hanging arms, as in the first pose of `lean`.
    joints : {18, 65}
        Of the body: see `humanoid`.
    fps : float, default 60.0
        Frames a second.

    Returns
    -------
    Clip
        Tagged "upper_body"; plays once, at rest at both ends. The feet stand as in `idle`. Its markers say when the old magazine goes
        ("magazine_out") and when the new one is in ("magazine_in").

    Raises
    ------
    ValueError
        The duration has no two frames, or `fps` is not above 0.

    Examples
    --------
    >>> clip = ct.examples.reload(duration=2.0)
    >>> clip.markers["magazine_out"], clip.markers["magazine_in"]
    (array([0.48]), array([1.3]))
    """
    figure = _Figure(duration, joints=joints, fps=fps, once=True)
    u = figure.phase
    lowered = _steps(u, (0.0, 0.0), (0.17, 1.0), (0.80, 1.0), (1.0, 0.0))
    at_well = _steps(u, (0.06, 0.0), (0.20, 1.0), (0.70, 1.0), (0.86, 0.0))
    at_hip = _steps(u, (0.23, 0.0), (0.42, 1.0), (0.46, 1.0), (0.63, 0.0))
    push = _steps(u, (0.60, 0.0), (0.65, 1.0), (0.72, 0.0))

    figure.turn_trunk(
        chest=turn(y=-0.38 + 0.26 * lowered, x=0.06 + 0.05 * lowered, z=-0.05 * at_hip),
        head=turn(y=-0.06 - 0.04 * lowered + 0.34 * at_hip, x=0.11 + 0.22 * lowered + 0.06 * at_hip, z=0.12 - 0.12 * lowered),
    )
    position = _mix(_AIMED, _LOWERED, lowered) + _points(0.0, 0.015 * push, 0.0)
    rifle = _Rifle(position, turn(x=-0.38 * lowered, y=0.25 * lowered, z=0.35 * lowered))
    figure.reach("Right", rifle.right_hand(), elbow=_RIGHT_ELBOW, shrug=0.05)

    held = rifle.left_hand(_mix(_GUARD, _WELL, at_well), _ON_GUARD + at_well[:, None, None] * (_ON_WELL - _ON_GUARD))
    arc = 4.0 * at_hip * (1.0 - at_hip)  # before the belly
    wrist = _mix(held.wrist, _HIP_WRIST, at_hip) + _points(0.05 * arc, 0.0, 0.06 * arc)
    hand = quat.nlerp(held.rotation, hand_rotation("Left", *_AT_HIP), at_hip)
    elbow = _mix(_LEFT_ELBOW, _LEFT_ELBOW_AT_HIP, at_hip)
    figure.reach("Left", Hand(wrist, hand), elbow=elbow, shrug=0.05 * (1.0 - at_hip))
    opened = _steps(u, (0.19, 0.0), (0.28, 0.6), (0.35, 0.6), (0.45, 0.0), (0.62, 0.0), (0.71, 0.5), (0.78, 0.5), (0.88, 0.0))
    figure.shape_hands(left=mixed(GRIP, OPEN, opened), right=GRIP)
    if not from_aim:
        raised = ease(u / 0.17) * ease((1.0 - u) / 0.17)
        hanging = {**figure.standing.rotations, **fingers(figure.skeleton)}
        figure.rotations = {name: quat.nlerp(hanging.get(name, STILL), r, raised) for name, r in figure.rotations.items()}
    markers = {"magazine_out": np.array([0.24 * duration]), "magazine_in": np.array([0.65 * duration])}
    return figure.clip("reload", tags=("upper_body",), markers=markers)


def lean(*, angle: float = 0.26, direction: float = 0.0, duration: float = 0.5, joints: int = 18, fps: float = 60.0) -> Clip:
    """Lean over from the hips upward, to be added to other clips. Its first frame is the reference: standing straight.

    Parameters
    ----------
    angle : float, default 0.26
        How far the chest leans at the end, radians. The head follows half the way, to look where it looked.
    direction : float, default 0.0
        Where to: radians to the left of ahead.
    duration : float, default 0.5
        Seconds from the reference to the lean, at rest at both ends.
    joints : {18, 65}
        Of the body: see `humanoid`.
    fps : float, default 60.0
        Frames a second.

    Returns
    -------
    Clip
        Tagged "additive" and "upper_body". The pose to add is its last frame, ``clip[-1]``, and the reference to take it against its
        first, ``clip[0]``.

    Raises
    ------
    ValueError
        The duration has no two frames, the angle is a right angle or more, or the direction is not finite.

    Examples
    --------
    >>> clip = ct.examples.lean(angle=0.4)
    >>> pose, reference = clip[-1], clip[0]
    >>> chest = clip.global_rotations()[:, clip.skeleton.index("Chest")]
    >>> round(float(ct.quat.angle(chest[-1], chest[0])), 3)
    0.4
    """
    _check_angle(angle)
    if not np.isfinite(direction):
        raise ValueError(f"examples: direction is {direction}, expected radians")
    figure = _Figure(duration, joints=joints, fps=fps, once=True)
    axis = (np.cos(direction), 0.0, -np.sin(direction))
    leaned = angle * ease(figure.phase)
    figure.turn_trunk(chest=quat.from_axis_angle(axis, leaned), head=quat.from_axis_angle(axis, leaned / 2.0))
    return figure.clip("lean", tags=("additive", "upper_body"))


def breathe(*, cycle: float = 4.0, angle: float = 0.02, joints: int = 18, fps: float = 60.0) -> Clip:
    """Breathe once: the chest rises and the arms part a little. Loops; small, to be added to other clips. Its first frame is the reference.

    Parameters
    ----------
    cycle : float, default 4.0
        Seconds.
    angle : float, default 0.02
        How far the chest lifts, radians.
    joints : {18, 65}
        Of the body: see `humanoid`.
    fps : float, default 60.0
        About how many frames a second: a whole number of them makes the cycle.

    Returns
    -------
    Clip
        Tagged "additive" and "upper_body". Its first frame is the body that stands, breathed out: the reference to take the others
        against.

    Raises
    ------
    ValueError
        The cycle has no two frames, or the angle is a right angle or more.

    Examples
    --------
    >>> ct.examples.breathe(fps=30)
    <Clip 'breathe': 121 frames at 30 fps (4.00 s), 18 joints, looping>
    """
    _check_angle(angle)
    figure = _Figure(cycle, joints=joints, fps=fps)
    breath = 0.5 + curves.wave(figure.phase, -0.5, 0.0)
    figure.turn_trunk(chest=turn(x=-angle * breath))
    for side, sign in SIDES.items():
        lift = turn(z=sign * angle * breath)
        if f"{side}Shoulder" in figure.skeleton.names:
            figure.rotations[f"{side}Shoulder"] = lift
        else:
            figure.rotations[f"{side}Arm"] = quat.multiply(lift, figure.rotations[f"{side}Arm"])
    return figure.clip("breathe", tags=("additive", "upper_body"), looping=True)
