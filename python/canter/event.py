"""What happens at a moment of a clip."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from canter._core import AdditiveClip, Clip


class Event(NamedTuple):
    """Something that happens at a moment: a foot comes down, a hand lets go.

    Clips tell their markers as events (`Clip.events`), pose sources those that they played (`Frame.events`).

    Attributes
    ----------
    name : str
        That of the marker.
    time : float
        Seconds in the clip: of `Clip.events` going on from round to round of a loop, of `Frame.events` inside the clip.
    clip : Clip or AdditiveClip, optional
        Whose marker it is.
    weight : float, default 1.0
        The clip's part in the pose, 0 to 1.

    Examples
    --------
    >>> import canter as ct
    >>> ct.Event("throw", 0.25)
    Event(name='throw', time=0.25, clip=None, weight=1.0)
    """

    name: str
    time: float
    clip: Clip | AdditiveClip | None = None
    weight: float = 1.0
