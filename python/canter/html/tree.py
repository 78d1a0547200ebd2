"""The tree of joints, folded: a line for each limb."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from canter.html.words import said

if TYPE_CHECKING:
    from canter._core import Skeleton

_BYTES = 4000
_MOST = 400  # roots, and joints below a joint, that there could be room for
_DEEPEST = 8  # steps to the right
_NAME = 32  # characters


def of(skeleton: Skeleton) -> str:
    lines: list[str] = []
    room, shown = _BYTES, 0
    waiting = [(0, root) for root in np.flatnonzero(skeleton.parents < 0)[:_MOST][::-1].tolist()]
    while waiting and room > 0:
        depth, joint = waiting.pop()
        limb, children = [joint], skeleton.children(joint)
        while len(children) == 1 and len(limb) < _MOST:
            limb.append(int(children[0]))
            children = skeleton.children(limb[-1])
        names: list[str] = []
        for joint in limb:
            if room > 0:
                names.append(said(skeleton.names[joint], _NAME))
                room -= len(names[-1].encode()) + 5
        shown += len(names)
        lines.append(f'<div style="padding-left:{min(depth, _DEEPEST) + 1}em">{" › ".join(names)}</div>')
        room -= 36
        waiting += [(depth + 1, child) for child in children[:_MOST][::-1].tolist()]
    if shown < len(skeleton):
        lines.append(f"... and {len(skeleton) - shown} more")
    return (
        f'<details><summary style="cursor:pointer">{len(skeleton)} joints</summary>'
        f'<div style="text-indent:-1em;max-height:22em;overflow:auto">{"".join(lines)}</div></details>'
    )
