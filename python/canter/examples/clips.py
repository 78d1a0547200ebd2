"""The whole set of clips."""

from __future__ import annotations

import numpy as np

from canter._core import Clip
from canter.examples.jump import jump
from canter.examples.locomotion import run, strafe_left, strafe_right, turn_left, turn_right, walk, walk_backward
from canter.examples.standing import idle, turn_in_place
from canter.examples.start_stop import start, stop
from canter.examples.upper_body import aim, breathe, lean, reload, wave
from canter.options import checked


@checked("examples.clips")
def clips(*, joints: int = 18, fps: float = 60.0) -> dict[str, Clip]:
    """Every clip of the humanoid with the default parameters, by name.

    Parameters
    ----------
    joints : {18, 65}
        Of the body: see `humanoid`.
    fps : float, default 60.0
        Frames a second; as near to it as a whole number of them allows where a cycle must be met.

    Returns
    -------
    dict of str to Clip

    Raises
    ------
    ValueError
        `joints` is neither 18 nor 65, or fps not above 0.

    Examples
    --------
    >>> walks = [clip.name for clip in ct.examples.clips(fps=30).values() if "walk" in clip.tags]
    >>> walks
    ['walk', 'turn_left', 'turn_right', 'walk_backward', 'start', 'stop']
    """
    makers = (idle, walk, run, turn_left, turn_right, walk_backward, strafe_left, strafe_right, start, stop, jump)
    made = [maker(joints=joints, fps=fps) for maker in (*makers, wave, aim, reload, lean, breathe)]
    made += [turn_in_place(angle=sign * np.pi / 2, joints=joints, fps=fps) for sign in (1, -1)]
    return {clip.name: clip for clip in made}
