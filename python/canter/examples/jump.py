"""A standing jump: crouch, push off, free flight, landing, and upright again."""

from __future__ import annotations

import numpy as np

from canter._core import Clip
from canter.examples import standing
from canter.examples.body import SIDES, Posture, arm, make_clip, timeline, trunk, turn
from canter.examples.curves import Floats, hump, through
from canter.examples.footfall import Swing, contact_markers, follow
from canter.examples.gait import GRAVITY

# Heights of the hips: as the feet leave the floor, on their balls with the knees nearly straight; as they touch it again, less stretched;
# at the lowest before and after.
TAKE_OFF, LANDING, CROUCH, ABSORBED = 1.02, 0.965, 0.69, 0.75
DELAY = 0.045  # seconds in which the feet follow the hips into the air, and in which they come to rest before they land


def _late(after: Floats, speed: float) -> Floats:
    """How far a foot is behind the hips, this long after they went off at this speed."""
    return np.where(after < DELAY, speed * after * (1.0 - after / DELAY) ** 2, 0.0)


def jump(*, height: float = 0.35, distance: float = 0.0, joints: int = 18, fps: float = 60.0) -> Clip:
    """From standing to standing: crouch, push off, free flight, landing.

    Parameters
    ----------
    height : float, default 0.35
        Metres that the hips rise after the feet have left the floor.
    distance : float, default 0.0
        Metres from where it stands to where it lands.
    joints : {18, 65}
        Of the body: see `humanoid`.
    fps : float, default 60.0
        Frames a second.

    Returns
    -------
    Clip
        The first and the last frame are that of `idle`. With the markers of `walk`; what is on the floor from the beginning is down at 0.

    Raises
    ------
    ValueError
        The height is not between 0.1 and 1, the distance not between -0.4 and 1.5, or fps not above 0.

    Examples
    --------
    >>> clip = ct.examples.jump()
    >>> clip.markers["left_up"].round(2), clip.markers["left_down"].round(2)
    (array([0.76]), array([0.  , 1.31]))
    """
    if not 0.1 <= height <= 1.0:
        raise ValueError(f"examples: height is {height}, expected 0.1 to 1 m")
    if not -0.4 <= distance <= 1.5:
        raise ValueError(f"examples: distance is {distance}, expected -0.4 to 1.5 m")
    take_off_speed = float(np.sqrt(2.0 * GRAVITY * height))
    landing_speed = float(np.sqrt(2.0 * GRAVITY * (height + TAKE_OFF - LANDING)))
    flight = (take_off_speed + landing_speed) / GRAVITY
    push = (TAKE_OFF - CROUCH) / (0.6 * take_off_speed)  # a force that grows at once and falls off at the end
    crouched = 0.55
    up = crouched + push
    down = up + flight
    absorbed = down + 0.75 * push
    duration = absorbed + 0.85
    t, frame_time = timeline(duration, fps, ends_at_rest=True)

    in_flight = np.clip(t - up, 0.0, flight)
    part = in_flight / flight
    rise = in_flight * (take_off_speed - GRAVITY / 2.0 * in_flight)
    before = through(np.minimum(t, up), [(0.0, standing.HEIGHT), (crouched, CROUCH), (up, TAKE_OFF)], slopes=(0.0, take_off_speed))
    after = through(np.maximum(t, down), [(down, LANDING), (absorbed, ABSORBED), (duration, standing.HEIGHT)], slopes=(-landing_speed, 0.0))
    y = np.where(t < up, before, np.where(t > down, after, TAKE_OFF + rise))

    def curve(*values: float) -> Floats:
        """Through the values at the start, in the crouch, at take-off, at landing, at the lowest after it and at the end."""
        return through(t, list(zip((0.0, crouched, up, down, absorbed, duration), values, strict=True)))

    z = curve(0.0, -0.06, 0.09, 0.05, -0.03, 0.0) + distance * part
    pelvis = turn(x=curve(0.05, 0.62, 0.0, 0.12, 0.50, 0.05))
    rotations = trunk(pelvis, turn(x=curve(0.02, 0.80, -0.04, 0.12, 0.62, 0.02)), turn(x=curve(0.02, 0.15, -0.10, 0.20, 0.10, 0.02)))
    for side in SIDES:
        rotations |= arm(
            side,
            flexion=curve(0.04, -0.95, 2.3, 0.9, 0.25, 0.04),
            elbow=curve(0.28, 0.35, 0.45, 0.6, 0.6, 0.28),
            out=curve(0.13, 0.2, 0.3, 0.4, 0.3, 0.13),
        )

    prints = {
        side: [
            standing.footprint(side, up=up, leaving=1.0, roll_off=0.8 * push),
            standing.footprint(side, z=distance, down=down, landing=0.5, roll_on=0.7 * push),
        ]
        for side in SIDES
    }
    # In the air the feet hang from the hips, drawn up a little.
    lift = (
        rise + (TAKE_OFF - LANDING) * part - _late(in_flight, take_off_speed) - _late(flight - in_flight, landing_speed) + 0.12 * hump(part)
    )
    feet = {side: follow(t, prints[side], Swing(0.0, pitch=((0.2, 0.95), (0.6, 0.35)))) for side in SIDES}
    for foot in feet.values():
        foot.ankle[:, 1] += lift
    posture = Posture(np.stack([0.0 * t, y, z], axis=-1), pelvis, rotations)
    markers = contact_markers(prints, duration)
    return make_clip(posture, feet, joints=joints, frame_time=frame_time, name="jump", markers=markers, tags=("jump",))
