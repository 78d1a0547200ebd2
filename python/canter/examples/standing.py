"""Standing: the posture that clips begin and end in, idle, and turning on the spot."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from canter._core import Clip
from canter.examples.body import SIDES, FootCurve, Posture, arm, make_clip, timeline, trunk, turn
from canter.examples.curves import Floats, ease, hump
from canter.examples.footfall import Footprint, Swing, contact_markers, follow

HEIGHT = 0.966  # of the hips: knees a little bent
WIDTH = 0.2  # between the feet
TOE_OUT = 0.12


def footprint(side: str, *, z: float = 0.0, heading: float = 0.0, **stay: float) -> Footprint:
    """Of one foot of a character that stands at x = 0; `stay` are further fields of Footprint."""
    half = SIDES[side] * WIDTH / 2.0
    return Footprint(half * np.cos(heading), z - half * np.sin(heading), heading + SIDES[side] * TOE_OUT, **stay)


ON_BOTH_FEET = contact_markers({side: [footprint(side)] for side in SIDES}, 0.0)


def feet(t: Floats) -> dict[str, FootCurve]:
    """Both feet, standing."""
    return {side: follow(t, [footprint(side)], Swing(0.0)) for side in SIDES}


def posture(count: int, *, heading: ArrayLike = 0.0, shift: ArrayLike = 0.0, breath: ArrayLike = 0.0, look: ArrayLike = 0.0) -> Posture:
    """Standing at the origin over `count` frames.

    `heading` and `look` (of the head beyond it) turn left; `shift` is 1 with the weight on the left leg and -1 on the right; `breath` is 1
    with full lungs.
    """
    heading, shift, breath, look, _ = (np.asarray(a) for a in np.broadcast_arrays(heading, shift, breath, look, np.empty(count)))
    aside = 0.035 * shift
    hips = np.stack([aside * np.cos(heading), HEIGHT - 0.01 * shift**2, -aside * np.sin(heading)], axis=-1)
    pelvis = turn(x=0.05, y=heading + 0.05 * shift, z=0.05 * shift)
    chest = turn(x=0.02 - 0.015 * breath, y=heading - 0.02 * shift, z=-0.025 * shift)
    rotations = trunk(pelvis, chest, turn(x=0.02, y=heading + look))
    for side, sign in SIDES.items():
        out = 0.13 + 0.012 * breath - 0.015 * sign * shift
        rotations |= arm(side, flexion=0.04 + 0.02 * breath, elbow=0.28 + 0.03 * breath, out=out)
    return Posture(hips, pelvis, rotations)


def idle(*, cycle: float = 8.0, joints: int = 18, fps: float = 60.0) -> Clip:
    """Standing at ease: breathing, the weight on the left leg and then on the right, looking to both sides; the feet do not move.

    Parameters
    ----------
    cycle : float, default 8.0
        Seconds; a breath takes about 4.
    joints : {18, 65}
        Of the body: see `humanoid`.
    fps : float, default 60.0
        About how many frames a second: a whole number of them makes the cycle.

    Returns
    -------
    Clip
        Looping; the last frame repeats the first, which is the posture that `start`, `jump` and `turn_in_place` begin and `stop` ends in.
        Its markers `left_down` and `right_down` are at 0, and no foot leaves the floor.

    Raises
    ------
    ValueError
        A number is not above 0.

    Examples
    --------
    >>> ct.examples.idle(fps=30)
    <Clip 'idle': 241 frames at 30 fps (8.00 s), 18 joints, looping>
    """
    t, frame_time = timeline(cycle, fps)
    angle = 2.0 * np.pi * t / cycle
    breaths = max(1, round(cycle / 4.0))
    still = 1.0 - np.cos(angle)  # begins and ends at rest
    body = posture(
        len(t), shift=0.77 * np.sin(angle) * still, breath=0.5 - 0.5 * np.cos(breaths * angle), look=0.09 * np.sin(2.0 * angle) * still
    )
    return make_clip(body, feet(t), joints=joints, frame_time=frame_time, name="idle", looping=True, markers=ON_BOTH_FEET, tags=("idle",))


STEP = 0.36  # seconds that a foot is in the air when turning on the spot
STANDS = 0.1  # seconds from one step to the next
LARGEST_STEP = 1.0  # radians


def turn_in_place(*, angle: float = np.pi / 2, joints: int = 18, fps: float = 60.0) -> Clip:
    """From standing to standing, turned on the spot, in steps; the head goes first.

    Parameters
    ----------
    angle : float, default pi / 2
        Radians, to the left; negative to the right. Each foot steps once for every radian, the inner one first.
    joints : {18, 65}
        Of the body: see `humanoid`.
    fps : float, default 60.0
        Frames a second.

    Returns
    -------
    Clip
        Named "turn_in_place_left" or "turn_in_place_right", with the markers of `walk`; both feet are down at 0.

    Raises
    ------
    ValueError
        The angle is not finite, or fps not above 0.

    Examples
    --------
    >>> clip = ct.examples.turn_in_place(angle=-1.0)
    >>> clip.name, clip.markers["right_up"], clip.markers["left_up"]
    ('turn_in_place_right', array([0.3]), array([0.76]))
    """
    if not np.isfinite(angle):
        raise ValueError(f"examples: angle is {angle}, expected radians")
    order = ("Left", "Right") if angle >= 0 else ("Right", "Left")
    rounds = max(1, int(np.ceil(abs(angle) / LARGEST_STEP - 1e-9)))
    lifts = {side: 0.3 + (STEP + STANDS) * (2 * np.arange(rounds) + k) for k, side in enumerate(order)}
    duration = float(lifts[order[1]][-1]) + STEP + 0.4
    t, frame_time = timeline(duration, fps, ends_at_rest=True)

    shift = np.zeros(len(t))
    prints = {}
    swings = np.concatenate(list(lifts.values()))

    def turned(seconds: Floats) -> Floats:
        """The heading, halfway between those of the feet."""
        return np.asarray(angle * np.mean(ease((seconds[:, None] - swings + 0.15) / (STEP + 0.35)), axis=-1))

    for side, ups in lifts.items():
        stays = [footprint(side, up=ups[0], leaving=0.3, roll_off=0.2)]
        for k, up in enumerate(ups):
            last = k + 1 == rounds
            there = {"heading": angle * (k + 1) / rounds, "down": up + STEP, "landing": 0.1, "roll_on": 0.1}
            stays.append(footprint(side, **there) if last else footprint(side, **there, up=ups[k + 1], leaving=0.3, roll_off=0.2))
            shift -= 0.9 * SIDES[side] * hump((t - up + 0.25) / (STEP + 0.5))  # onto the other leg
        prints[side] = stays

    heading = turned(t)
    body = posture(len(t), heading=heading, shift=shift, look=np.clip(turned(t + 0.15) - heading, -0.5, 0.5))
    stepping = {side: follow(t, prints[side], Swing(lift=0.06, pitch=((0.5, 0.25),))) for side in SIDES}
    name = f"turn_in_place_{order[0].lower()}"
    markers = contact_markers(prints, duration)
    return make_clip(body, stepping, joints=joints, frame_time=frame_time, name=name, markers=markers, tags=("turn_in_place",))
