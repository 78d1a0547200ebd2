"""Walking and running, turning, sideways and backward: styles of one generator, and the clips.

Angles, and when in the cycle they occur, follow J. Perry, *Gait Analysis* (1992) and D. A. Winter, *The Biomechanics and Motor Control of
Human Gait* (1987); in running T. F. Novacheck, *The biomechanics of running* (1998).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from canter._core import Clip
from canter.examples.footfall import Swing
from canter.examples.gait import Gait, Style
from canter.options import checked

# Fitted to the hip, knee and ankle curves of Perry and Winter, as near as feet that stand still at 30 keys a second allow.
WALK = Style(
    stride=1.3,
    landing=-0.328,
    leaving=0.902,
    roll_on=1 / 9,
    roll_off=0.498,
    under=0.389,
    swing=Swing(lift=0.118, settle=3.257, late=2.004, stop=2.157, pitch=((0.134, 1.155), (0.515, 0.409), (0.905, -0.44))),
    knee=0.078,
    bob=0.018,
    sway=0.021,
    rotation=0.032,
    list=0.044,
    tilt=0.117,
    lean=0.025,
    counter=0.07,
    shoulder=(-0.04, 0.25),
    elbow=(0.38, 0.17),
)
RUN = Style(
    stride=2.45,
    landing=-0.185,
    leaving=1.01,
    roll_on=0.262,
    roll_off=0.605,
    under=0.316,
    knee=0.274,
    swing=Swing(
        lift=0.292,
        rise=1.805,
        settle=2.5,
        late=2.172,
        stop=1.921,
        pitch=((0.274, 1.741), (0.612, 0.541), (0.898, -0.291)),
        toes=0.2,
    ),
    width=0.07,
    toe_out=0.05,
    force=0.13,
    sway=0.008,
    rotation=0.046,
    list=0.082,
    tilt=0.16,
    lean=0.16,
    counter=0.16,
    shoulder=(-0.22, 0.62),
    elbow=(1.55, 0.20),
    arm_out=0.24,
    inward=0.22,
)
# Backward walking is forward walking in reverse, with shorter steps and the trunk upright (A. Thorstensson, 1986): the foot comes down on
# the ball and leaves from the heel.
BACKWARD = replace(
    WALK,
    stride=1.0,
    landing=-0.20,
    leaving=0.75,
    roll_on=0.19,
    roll_off=0.56,
    under=0.45,
    swing=Swing(lift=0.07, pitch=((0.2, 0.8), (0.6, 0.05), (0.88, -0.2))),
    knee=0.08,
    bob=0.012,
    width=0.16,
    tilt=0.06,
    lean=0.0,
    shoulder=(0.0, 0.14),
    elbow=(0.5, 0.08),
    lag=-0.06,
)
STRAFE = Style(
    stride=0.525,
    landing=0.12,
    leaving=0.3,
    roll_on=0.17,
    roll_off=0.33,
    under=0.5,
    swing=Swing(lift=0.08, settle=2.0, pitch=((0.5, 0.25),)),
    width=0.2,
    toe_out=0.08,
    knee=0.25,
    bob=0.012,
    sway=0.012,
    list=0.04,
    tilt=0.08,
    lean=0.07,
    shoulder=(0.1, 0.05),
    elbow=(0.7, 0.05),
    arm_out=0.2,
)


def steady(
    style: Style, speed: float, cycle: float, contact: float, turn: float = 0.0, direction: float = 0.0, *, run: bool = False
) -> Gait:
    """The gait, its numbers checked."""
    for name, value, most in (("speed", speed, np.inf), ("cycle", cycle, np.inf), ("contact", contact, 1.0)):
        if not 0.0 <= value < most or (value == 0.0 and name != "speed"):
            wanted = {"speed": "0 or more", "cycle": "more than 0", "contact": "more than 0 and less than 1"}[name]
            raise ValueError(f"examples: {name} is {value}, expected {wanted}")
    if run and contact >= 0.5:
        raise ValueError(f"examples: contact is {contact}, and a run flies between its steps: expected less than 0.5, or a walk")
    if not run and contact < 0.5:
        raise ValueError(f"examples: contact is {contact}, and a walk always has a foot on the floor: expected 0.5 or more, or a run")
    return Gait(style.shortened(speed * cycle), speed, cycle, contact, turn, direction)


@checked("examples.walk")
def walk(
    *, speed: float = 1.3, cycle: float = 1.0, contact: float = 0.6, turn: float = 0.0, cycles: int = 1, joints: int = 18, fps: float = 60.0
) -> Clip:
    """Walking forward.

    Parameters
    ----------
    speed : float, default 1.3
        Metres a second.
    cycle : float, default 1.0
        Seconds for two steps.
    contact : float, default 0.6
        Part of the cycle that a foot is on the floor.
    turn : float, default 0.0
        Radians a second, to the left.
    cycles : int, default 1
        How many; a loop needs one.
    joints : {18, 65}
        Of the body: see `humanoid`.
    fps : float, default 60.0
        About how many frames a second: a whole number of them makes the cycle.

    Returns
    -------
    Clip
        Looping; from the left foot's contact on. It travels: `in_place` takes that out.

    Raises
    ------
    ValueError
        The speed is negative, or a number makes no gait that legs could do.

    Notes
    -----
    The last frame repeats the first, further along the way, and the cycle is `cycle` long at any `fps`. The markers `left_down`, `left_up`,
    `right_down` and `right_up` are the times at which a foot comes down and leaves the floor.

    Examples
    --------
    >>> clip = ct.examples.walk()
    >>> clip
    <Clip 'walk': 61 frames at 60 fps (1.00 s), 18 joints, looping>
    >>> clip.markers["right_down"]
    array([0.5])
    """
    return steady(WALK, speed, cycle, contact, turn).clip(name="walk", tags=("walk",), cycles=cycles, joints=joints, fps=fps)


@checked("examples.run")
def run(
    *,
    speed: float = 3.5,
    cycle: float = 0.7,
    contact: float = 0.34,
    turn: float = 0.0,
    cycles: int = 1,
    joints: int = 18,
    fps: float = 60.0,
) -> Clip:
    """Running forward, with both feet off the floor between the steps.

    Parameters
    ----------
    speed : float, default 3.5
        Metres a second.
    cycle : float, default 0.7
        Seconds for two steps.
    contact : float, default 0.34
        Part of the cycle that a foot is on the floor.
    turn : float, default 0.0
        Radians a second, to the left.
    cycles : int, default 1
        How many; a loop needs one.
    joints : {18, 65}
        Of the body: see `humanoid`.
    fps : float, default 60.0
        About how many frames a second: a whole number of them makes the cycle.

    Returns
    -------
    Clip
        Looping; from the left foot's contact on. It travels: `in_place` takes that out.

    Raises
    ------
    ValueError
        The speed is negative, or a number makes no gait that legs could do.

    Notes
    -----
    The last frame repeats the first, further along the way, and the cycle is `cycle` long at any `fps`. The markers `left_down`, `left_up`,
    `right_down` and `right_up` are the times at which a foot comes down and leaves the floor.

    Examples
    --------
    >>> ct.examples.run(fps=30)
    <Clip 'run': 22 frames at 30 fps (0.70 s), 18 joints, looping>
    """
    return steady(RUN, speed, cycle, contact, turn, run=True).clip(name="run", tags=("run",), cycles=cycles, joints=joints, fps=fps)


@checked("examples.turn_left")
def turn_left(
    *, rate: float = 1.0, speed: float = 1.3, cycle: float = 1.0, contact: float = 0.6, cycles: int = 1, joints: int = 18, fps: float = 60.0
) -> Clip:
    """Walking along a circle to the left.

    Parameters
    ----------
    rate : float, default 1.0
        Radians a second.
    speed : float, default 1.3
        Metres a second.
    cycle : float, default 1.0
        Seconds for two steps.
    contact : float, default 0.6
        Part of the cycle that a foot is on the floor.
    cycles : int, default 1
        How many; a loop needs one.
    joints : {18, 65}
        Of the body: see `humanoid`.
    fps : float, default 60.0
        About how many frames a second: a whole number of them makes the cycle.

    Returns
    -------
    Clip
        Looping; from the left foot's contact on. It travels: `in_place` takes that out.

    Raises
    ------
    ValueError
        The speed is negative, or a number makes no gait that legs could do.

    Notes
    -----
    The last frame repeats the first, further along the way, and the cycle is `cycle` long at any `fps`. The markers `left_down`, `left_up`,
    `right_down` and `right_up` are the times at which a foot comes down and leaves the floor.

    Examples
    --------
    >>> turned = ct.examples.turn_left(rate=0.8).root_motion().headings
    >>> round(float(turned[-1] - turned[0]), 3)
    0.8
    """
    return steady(WALK, speed, cycle, contact, rate).clip(name="turn_left", tags=("walk", "turn"), cycles=cycles, joints=joints, fps=fps)


@checked("examples.turn_right")
def turn_right(
    *, rate: float = 1.0, speed: float = 1.3, cycle: float = 1.0, contact: float = 0.6, cycles: int = 1, joints: int = 18, fps: float = 60.0
) -> Clip:
    """Walking along a circle to the right.

    Parameters
    ----------
    rate : float, default 1.0
        Radians a second.
    speed : float, default 1.3
        Metres a second.
    cycle : float, default 1.0
        Seconds for two steps.
    contact : float, default 0.6
        Part of the cycle that a foot is on the floor.
    cycles : int, default 1
        How many; a loop needs one.
    joints : {18, 65}
        Of the body: see `humanoid`.
    fps : float, default 60.0
        About how many frames a second: a whole number of them makes the cycle.

    Returns
    -------
    Clip
        Looping; from the left foot's contact on. It travels: `in_place` takes that out.

    Raises
    ------
    ValueError
        The speed is negative, or a number makes no gait that legs could do.

    Notes
    -----
    The last frame repeats the first, further along the way, and the cycle is `cycle` long at any `fps`. The markers `left_down`, `left_up`,
    `right_down` and `right_up` are the times at which a foot comes down and leaves the floor.

    Examples
    --------
    >>> turned = ct.examples.turn_right(rate=0.8).root_motion().headings
    >>> round(float(turned[-1] - turned[0]), 3)
    -0.8
    """
    return steady(WALK, speed, cycle, contact, -rate).clip(name="turn_right", tags=("walk", "turn"), cycles=cycles, joints=joints, fps=fps)


@checked("examples.walk_backward")
def walk_backward(
    *, speed: float = 1.0, cycle: float = 1.0, contact: float = 0.62, cycles: int = 1, joints: int = 18, fps: float = 60.0
) -> Clip:
    """Walking backward: the feet come down on the ball and leave from the heel.

    Parameters
    ----------
    speed : float, default 1.0
        Metres a second.
    cycle : float, default 1.0
        Seconds for two steps.
    contact : float, default 0.62
        Part of the cycle that a foot is on the floor.
    cycles : int, default 1
        How many; a loop needs one.
    joints : {18, 65}
        Of the body: see `humanoid`.
    fps : float, default 60.0
        About how many frames a second: a whole number of them makes the cycle.

    Returns
    -------
    Clip
        Looping; from the left foot's contact on. It travels: `in_place` takes that out.

    Raises
    ------
    ValueError
        The speed is negative, or a number makes no gait that legs could do.

    Notes
    -----
    The last frame repeats the first, further along the way, and the cycle is `cycle` long at any `fps`. The markers `left_down`, `left_up`,
    `right_down` and `right_up` are the times at which a foot comes down and leaves the floor.

    Examples
    --------
    >>> float(ct.examples.walk_backward().translations[-1, 0, 2].round(3))
    -1.0
    """
    gait = steady(BACKWARD, speed, cycle, contact)
    return gait.clip(name="walk_backward", tags=("walk", "backward"), cycles=cycles, joints=joints, fps=fps, backward=True)


def _strafe(speed: float, cycle: float, contact: float, direction: float) -> Gait:
    # The feet are widest and nearest half a step from their mean distance; nearest, they still don't touch.
    style = replace(STRAFE, width=max(STRAFE.width, 0.5 * speed * cycle + 0.13))
    return steady(style, speed, cycle, contact, direction=direction)


@checked("examples.strafe_left")
def strafe_left(
    *, speed: float = 0.7, cycle: float = 0.75, contact: float = 0.6, cycles: int = 1, joints: int = 18, fps: float = 60.0
) -> Clip:
    """Walking sideways to the left, facing forward.

    Parameters
    ----------
    speed : float, default 0.7
        Metres a second.
    cycle : float, default 0.75
        Seconds for two steps.
    contact : float, default 0.6
        Part of the cycle that a foot is on the floor.
    cycles : int, default 1
        How many; a loop needs one.
    joints : {18, 65}
        Of the body: see `humanoid`.
    fps : float, default 60.0
        About how many frames a second: a whole number of them makes the cycle.

    Returns
    -------
    Clip
        Looping; from the left foot's contact on. It travels: `in_place` takes that out.

    Raises
    ------
    ValueError
        The speed is negative, or a number makes no gait that legs could do.

    Notes
    -----
    The last frame repeats the first, further along the way, and the cycle is `cycle` long at any `fps`. The markers `left_down`, `left_up`,
    `right_down` and `right_up` are the times at which a foot comes down and leaves the floor.

    Examples
    --------
    >>> x = ct.examples.strafe_left(speed=0.7, cycle=1.0).translations[:, 0, 0]
    >>> round(float(x[-1] - x[0]), 3)
    0.7
    """
    return _strafe(speed, cycle, contact, np.pi / 2).clip(name="strafe_left", tags=("strafe",), cycles=cycles, joints=joints, fps=fps)


@checked("examples.strafe_right")
def strafe_right(
    *, speed: float = 0.7, cycle: float = 0.75, contact: float = 0.6, cycles: int = 1, joints: int = 18, fps: float = 60.0
) -> Clip:
    """Walking sideways to the right, facing forward.

    Parameters
    ----------
    speed : float, default 0.7
        Metres a second.
    cycle : float, default 0.75
        Seconds for two steps.
    contact : float, default 0.6
        Part of the cycle that a foot is on the floor.
    cycles : int, default 1
        How many; a loop needs one.
    joints : {18, 65}
        Of the body: see `humanoid`.
    fps : float, default 60.0
        About how many frames a second: a whole number of them makes the cycle.

    Returns
    -------
    Clip
        Looping; from the left foot's contact on. It travels: `in_place` takes that out.

    Raises
    ------
    ValueError
        The speed is negative, or a number makes no gait that legs could do.

    Notes
    -----
    The last frame repeats the first, further along the way, and the cycle is `cycle` long at any `fps`. The markers `left_down`, `left_up`,
    `right_down` and `right_up` are the times at which a foot comes down and leaves the floor.

    Examples
    --------
    >>> x = ct.examples.strafe_right(speed=0.7, cycle=1.0).translations[:, 0, 0]
    >>> round(float(x[-1] - x[0]), 3)
    -0.7
    """
    return _strafe(speed, cycle, contact, -np.pi / 2).clip(name="strafe_right", tags=("strafe",), cycles=cycles, joints=joints, fps=fps)
