"""When feet are on the ground, as the markers of a clip tell: ``left_down`` holds the times at which the left foot comes down, ``left_up``
those at which it leaves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from canter.options import numbers, short, text

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from canter._core import Clip

Spans = dict[str, "NDArray[np.float64]"]  # (N, 2): from and to, in seconds; the keys are left and right, or other words before _down


def of_clip(clip: Clip) -> Spans:
    """The spans of each foot that has markers, inside the clip.

    A foot that leaves first was down from the start, and one that does not leave again stays down to the end.
    """
    end = clip.period if clip.looping else clip.duration
    feet = sorted({name.rpartition("_")[0] for name in clip.markers if name.endswith(("_down", "_up"))} - {""})
    none = np.empty(0)
    return {foot: spans_of(clip.markers.get(f"{foot}_down", none), clip.markers.get(f"{foot}_up", none), end) for foot in feet}


def spans_of(down: NDArray[np.float64], up: NDArray[np.float64], end: float) -> NDArray[np.float64]:
    times = np.concatenate([down, up])
    is_down = np.repeat([True, False], [len(down), len(up)])
    order = np.lexsort((is_down, times))  # what leaves and comes down at once stays down
    times, is_down = times[order], is_down[order]
    edges = times[np.diff(is_down, prepend=~is_down[:1])]
    if len(edges) and not is_down[0]:
        edges = np.append(0.0, edges)
    if len(edges) % 2:
        edges = np.append(edges, end)
    spans = np.clip(edges, 0.0, end).reshape(-1, 2)
    return np.asarray(spans[spans[:, 1] > spans[:, 0]])


def over_cycles(spans: Spans, period: float, cycles: int) -> Spans:
    """The spans of so many rounds of a loop; those that meet at its seam are one."""
    found = Spans()
    for foot, once in spans.items():
        times = (once[None] + period * np.arange(cycles)[:, None, None]).reshape(-1)
        meets = 2 * np.flatnonzero(times[2::2] - times[1:-1:2] < 1e-6 * period)
        found[foot] = np.delete(times, np.concatenate([meets + 1, meets + 2])).reshape(-1, 2)
    return found


def given(contacts: Mapping[str, ArrayLike], where: str) -> Spans:
    """Spans that a caller gives, checked."""
    found = Spans()
    if not isinstance(contacts, Mapping):
        raise TypeError(f"{where}: contacts is {short(contacts)}, expected a mapping of feet to times, e.g. {{'left': [(0.1, 0.7)]}}")
    for foot, spans in contacts.items():
        text(where, "a name in contacts", foot)
        array = numbers(where, f"contacts[{foot!r}]", spans)
        array = array.reshape(-1, 2) if not array.size else array
        if array.ndim != 2 or array.shape[1] != 2 or not np.isfinite(array).all() or np.any(array[:, 1] < array[:, 0]):
            raise ValueError(f"{where}: contacts[{foot!r}] has shape {array.shape}, expected (N, 2) times in seconds, from and to")
        found[foot] = array
    return found
