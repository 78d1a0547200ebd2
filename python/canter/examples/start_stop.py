"""From standing to walking and back. Both join the cycle of `walk` where the left foot comes down, at its pose and its velocity."""

from __future__ import annotations

from dataclasses import replace

from canter._core import Clip
from canter.examples import standing
from canter.examples.body import SIDES, Posture, make_clip, timeline
from canter.examples.curves import Floats, ease, hump, travelled
from canter.examples.footfall import contact_markers, follow
from canter.examples.locomotion import WALK, steady
from canter.options import checked


def _sink(speed: float, cycle: float) -> float:
    """How much lower the hips must go for the steps between standing and a walk."""
    return 0.009 * (speed * cycle) ** 3


def _between(still: Posture, walking: Posture, weight: Floats, way: Floats, sink: Floats) -> Posture:
    """The mix of both, its hips `way` ahead of the origin and `sink` lower."""
    body = still.mix(walking, weight)
    hips = body.hips.copy()
    hips[:, 1] -= sink
    hips[:, 2] = way
    return replace(body, hips=hips)


@checked("examples.start")
def start(*, speed: float = 1.3, cycle: float = 1.0, contact: float = 0.6, joints: int = 18, fps: float = 60.0) -> Clip:
    """From standing to walking: the weight goes onto the left leg, the right foot steps, then the left.

    Parameters
    ----------
    speed, cycle, contact
        Of the `walk` that it leads to.
    joints : {18, 65}
        Of the body: see `humanoid`.
    fps : float, default 60.0
        About how many frames a second: a whole number of them makes the duration, 1.5 cycles.

    Returns
    -------
    Clip
        The first frame is that of `idle`, the last is that of `walk`, some way ahead and as fast. With the markers of `walk`; a foot
        that stands from the beginning is down at 0.

    Raises
    ------
    ValueError
        As for `walk`.

    Examples
    --------
    >>> start, walk = ct.examples.start(), ct.examples.walk()
    >>> bool(np.allclose(start.rotations[-1], walk.rotations[0], atol=1e-6))
    True
    """
    duration, wait, ramp = 1.5 * cycle, 0.1 * cycle, 1.3 * cycle
    t, frame_time = timeline(duration, fps)
    way = speed * ramp * travelled((t - wait) / ramp)
    gait = replace(steady(WALK, speed, cycle, contact), before=float(way[-1]))

    in_air = (1.0 - contact) * cycle
    prints = {}
    for side, number, leaving, roll_off in (("Left", 0, 0.9, 0.35), ("Right", -1, 0.9, 0.3)):
        there = gait.footprint(side, number)
        there = replace(there, down=there.down + duration, up=there.up + duration)
        prints[side] = [
            standing.footprint(side, up=there.down - in_air, leaving=leaving * gait.style.leaving, roll_off=roll_off * cycle),
            there,
        ]

    step = prints["Right"][0].up
    still = standing.posture(len(t), shift=0.8 * hump((t - step + 0.4 * cycle) / (in_air + 0.7 * cycle)))
    weight = ease((t - 0.05 * cycle) / (duration - 0.05 * cycle))
    body = _between(still, gait.posture(t - duration), weight, way, _sink(speed, cycle) * hump((t / cycle - 0.5) / 0.98))
    feet = {side: follow(t, prints[side], gait.style.swing) for side in SIDES}
    markers = contact_markers(prints, duration)
    return make_clip(body, feet, joints=joints, frame_time=frame_time, name="start", markers=markers, tags=("walk", "start"))


@checked("examples.stop")
def stop(*, speed: float = 1.3, cycle: float = 1.0, contact: float = 0.6, joints: int = 18, fps: float = 60.0) -> Clip:
    """From walking to standing: the right foot steps, then the left comes beside it.

    Parameters
    ----------
    speed, cycle, contact
        Of the `walk` that it follows.
    joints : {18, 65}
        Of the body: see `humanoid`.
    fps : float, default 60.0
        Frames a second.

    Returns
    -------
    Clip
        The first frame is that of `walk` and as fast, the last is that of `idle`, some way ahead. With the markers of `walk`; a
        foot that stands from the beginning is down at 0.

    Raises
    ------
    ValueError
        As for `walk`.

    Examples
    --------
    >>> stop, idle = ct.examples.stop(), ct.examples.idle()
    >>> bool(np.allclose(stop.rotations[-1], idle.rotations[0], atol=1e-6))
    True
    """
    duration, ramp = 1.6 * cycle, 1.3 * cycle
    t, frame_time = timeline(duration, fps, ends_at_rest=True)
    gait = steady(WALK, speed, cycle, contact)
    way = speed * (t - ramp * travelled(t / ramp))
    end = float(way[-1])

    in_air = (1.0 - contact) * cycle
    left, right = gait.footprint("Left", 0), gait.footprint("Right", -1)
    left = replace(left, up=left.up + 0.04 * cycle, leaving=gait.style.leaving)
    beside = {"z": end, "roll_on": 0.1 * cycle}
    prints = {
        "Left": [left, standing.footprint("Left", **beside, down=left.up + 1.1 * in_air, landing=-0.12)],
        "Right": [right, standing.footprint("Right", **beside, down=right.up + 1.02 * in_air, landing=-0.25)],
    }
    still = standing.posture(len(t), shift=-0.6 * hump((t / cycle - 0.45) / 0.9))
    body = _between(still, gait.posture(t), 1.0 - ease(t / (1.45 * cycle)), way, 0.9 * _sink(speed, cycle) * hump(t / cycle / 0.7))
    feet = {side: follow(t, prints[side], replace(gait.style.swing, lift=0.14)) for side in SIDES}
    markers = contact_markers(prints, duration)
    return make_clip(body, feet, joints=joints, frame_time=frame_time, name="stop", markers=markers, tags=("walk", "stop"))
