"""What a file said about itself, and what is believed about it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Source:
    """Where a clip came from: facts of the file as it was read, before any option changed the clip.

    Nothing here has been applied to the clip; a belief is for a person, or for an option of the next `load`.

    Attributes
    ----------
    path : str
        As given to `load`, or the name of the file object.
    format : str
        "BVH".
    frame_time : float
        Seconds a frame as the file says; 0 when it says nothing of use.
    declared_frames : int
        How many frames the file says it has; the clip has those that it really has.
    warnings : tuple of str
        All that was odd, each as "line:column: what was met and what was done".
    channels : tuple of tuple of str
        The channels of every joint, in the order of the file.
    tip_names : tuple of str
        What follows "End" for every end site, nearly always "Site".
    root_offset : str
        "replace" or "add": how position channels of roots were read.
    """

    path: str
    format: str
    frame_time: float
    declared_frames: int
    warnings: tuple[str, ...]
    channels: tuple[tuple[str, ...], ...]
    tip_names: tuple[str, ...]
    root_offset: str
