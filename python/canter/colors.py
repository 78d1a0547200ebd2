"""The colours of pictures, cards and players: people with any kind of colour vision tell them apart.

M. Okabe and K. Ito, *Color Universal Design* (2008). Nothing here needs matplotlib; colours are "#rrggbb".
"""

from __future__ import annotations

MIDDLE, LEFT, RIGHT = "#4d4d4d", "#0072b2", "#e69f00"
SIDES = {"left": LEFT, "right": RIGHT, "middle": MIDDLE}  # by the words of Skeleton.sides

# Grounds behind a curve while a foot is down, lighter than any line.
CONTACTS = {"left": "#cce3f0", "right": "#faeccc", "middle": "#e4e4e4"}

GROUND = "#b0b0b0"
AXES = ("#d55e00", "#009e73", "#0072b2")  # x, y, z of a joint

# Weights from 0 to 1: as light as the grid, then ever darker, at an even pace.
WEIGHTS = ("#c8c8c8", "#8fb0c6", "#5e96be", "#387baa", "#1f618e", "#0f476f", "#062f4f")

# One each for bodies or curves side by side, the first for the first. Neighbours differ most.
BODIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")


def body(index: int) -> str:
    """The colour of the body or curve with this index; they come round again."""
    return BODIES[index % len(BODIES)]
